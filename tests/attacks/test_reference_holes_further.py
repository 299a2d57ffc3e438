"""Holes of the reference system in what functions, handlers, patterns, formats, dates and limits bring: none of them is here."""

from __future__ import annotations

import pytest
from bench.home.world import Home, says
from tests.attacks.holes import GIVEN, SECRET, assert_steered, assert_written
from tests.language.world import SIGNATURES, World

from armslength.errors import ArmslengthError, LimitReached, ProgramRefused
from armslength.language import Limits, prepare, run
from armslength.values import unwrap

DATACLASS = (
    "from dataclasses import dataclass, field\nfrom enum import Enum\nfrom pydantic import BaseModel, Field\n"
    "@dataclass\nclass Box:\n    inner: str\n    more: list = field(default_factory=list)\n"
    "class Model(BaseModel):\n    inner: str = 'a'\n    box: Box = None\n"
    "class Kind(Enum):\n    A = 'a'\n    B = 'b'\n"
)


@pytest.mark.parametrize(
    "program",
    [
        "x = Box(text).inner",
        "x = repr(Box(inner=text))",
        "x = Model(box=Box(text)).box.inner",
        "box = Box('a')\nbox.more.append(text)\nx = box.more",
        "def boxed(t):\n    return Box(t)\nx = boxed(text).inner",
        "match Box(text):\n    case Box(inner=x):\n        pass",
        "match Model(inner=text):\n    case Model(inner=str(x)):\n        pass",
        "x = '{0.inner}'.format(Box(text))",
        "x = max([Box(text)], key=lambda box: box.inner).inner",
    ],
)
def test_boxing_in_a_class_keeps_the_label(program: str) -> None:
    """A dataclass, a nested model, a pattern and a format read the field with its label."""
    assert_written(DATACLASS + "x = ''\n" + program)


@pytest.mark.parametrize(
    "program",
    [
        "x = Kind('a' if text == 'zz' else 'b')",
        "x = Kind['A' if number > 9 else 'B'].value",
        "x = [kind for kind in Kind if kind.value in text]",
        "x = Kind.A if text == 'zz' else Kind.B",
        "x = {Kind.A: 1, Kind.B: 2}[Kind('a' if text == 'zz' else 'b')]",
    ],
)
def test_a_member_that_was_picked_is_steered(program: str) -> None:
    """A member is the program's own, but which one it is was chosen by the mail."""
    assert_steered(DATACLASS + program)


@pytest.mark.parametrize(
    "program",
    [
        "x = (lambda: text)()",
        "def f():\n    return text\nx = f()",
        "def f(a=text):\n    return a\nx = f()",
        "def f(*args):\n    return args\nx = f(text)",
        "def f(a, *, k):\n    return k\nx = f(1, k=text)",
        "def make(t):\n    def inner():\n        return t\n    return inner\nx = make(text)()",
        "def f():\n    kept = ''\n    def put(t):\n        nonlocal kept\n        kept = t\n    put(text)\n    return kept\nx = f()",
        "box = []\ndef f(t):\n    box.append(t)\nf(text)\nx = box",
        "table = {'k': lambda: text}\nx = table['k']()",
        "x = list(map(lambda t: t, [text]))[0]",
        "x = next(iter([text]))",
        "x = next((t for t in [text]), '')",
        "x = list(t for t in [text])",
        "x = (y := text)",
        "x, *rest = [text, 1]",
        "first, *x = [1, text]",
        "x = [*[text]][0]",
        "x = []\nx[:] = [text]",
        "x = '%s' % text",
        "x = '%(k)s' % {'k': text}",
        "x = '{}'.format(text)",
        "x = '{k}'.format(k=text)",
        "x = {'a': 1} | {'b': text}",
        "x = {text} | {'a'}",
        "import re\nx = re.sub('a', 'b', text)",
        "import re\nx = re.sub('a', text, 'banana')",
        "import re\nx = re.search('(.)', text).group(1)",
        "import re\nx = [m.group() for m in re.finditer('.', text)]",
        "import json\nx = json.dumps({'k': text})",
        "import json\nx = json.loads('[\"' + text.replace('\"', '') + '\"]')",
        "import math\nx = math.sqrt(number)",
        "try:\n    raise ValueError(text)\nexcept ValueError as e:\n    x = str(e)",
        "try:\n    raise ValueError('a', text)\nexcept ValueError as e:\n    x = e.args[1]",
        "try:\n    raise ValueError(text)\nexcept ValueError as e:\n    x = f'{e!r}'",
        "try:\n    try:\n        raise ValueError(text)\n    except ValueError as e:\n        raise RuntimeError(f'because {e}') from e\nexcept RuntimeError as e:\n    x = str(e)",
        "try:\n    assert False, text\nexcept AssertionError as e:\n    x = str(e)",
        "match {'k': text}:\n    case {'k': x}:\n        pass",
        "match [1, text]:\n    case [_, x]:\n        pass",
        "match {'a': 1, 'k': text}:\n    case {'a': 1, **x}:\n        pass",
        "match text:\n    case str() as x:\n        pass",
    ],
)
def test_no_way_through_the_language_launders(program: str) -> None:
    """Functions, closures, defaults, stars, formats, patterns, libraries and caught messages hand on what they were given."""
    assert_written("x = ''\n" + program)


@pytest.mark.parametrize(
    "program",
    [
        "x = sorted(['b', 'aa'], key=lambda y: y == text)",
        "x = min(['b', 'aa'], key=lambda y: text.find(y))",
        "x = list(filter(lambda y: y in text, ['a', 'b']))",
        "x = list(map(lambda y: y in text, ['a']))",
        "x = next((y for y in ['a', 'b'] if y in text), 'c')",
        "x = {'a', 'b'} & set(['a' if number > 9 else 'b'])",
        "import re\nx = re.search('zz', text) is None",
        "import re\nx = 'hit' if re.match('I', text) else 'none'",
        "from datetime import date\nx = date(2026, 1, number) < date(2026, 1, 5)",
        "x = ['a', 'b', 'c', 'd']\ndel x[number]",
        "x = ['a', 'b', 'c', 'd']\nx[number:] = []",
        "x = ['a', 'b', 'c', 'd']\nx.remove('a' if number > 9 else 'b')",
    ],
)
def test_what_elements_decide_is_steered_by_them(program: str) -> None:
    """Keys, filters, patterns and positions choose among the program's own words with the mail's steering."""
    assert_steered(program)


@pytest.mark.parametrize(
    "program",
    [
        "for part in reversed([text]):\n    x = part",
        "for part in reversed(text.split()):\n    x = part",
        "for part in map(str.upper, text.split()):\n    x = part",
        "for part in filter(None, text.split()):\n    x = part",
        "for part in iter(text.split()):\n    x = part",
        "for part in (p for p in text.split()):\n    x = part",
        "for i, part in enumerate(reversed(text)):\n    x = part",
        "for a, b in zip(reversed([1]), map(str, [text])):\n    x = b",
        "for key in reversed({text: 1}):\n    x = key",
        "for head, *x in [[1, text]]:\n    pass",
        "parts = iter(text.split())\nwhile (part := next(parts, None)) is not None:\n    x = part",
        "parts = text.split()\nwhile parts:\n    x = parts.pop()",
        "x = [part for part in reversed(list({'k': text}.values()))]",
        "x = [b for a, b in {'k': text}.items()]",
    ],
)
def test_a_loop_launders_no_element(program: str) -> None:
    """Neither iterators nor while loops lose the label of what they hand out."""
    assert_written("x = ''\n" + program)


@pytest.mark.parametrize(
    "program",
    [
        "x = 0\nwhile x < number:\n    x += 1",
        "x = 'safe'\nwhile 'never' in text:\n    x = 'other'\n    break",
        "x = 'safe'\nfor y in ['a']:\n    if y == text:\n        break\nelse:\n    x = 'ran out'",
        "x = 'safe'\nmatch text:\n    case 'never':\n        x = 'other'",
        "x = 'safe'\nmatch text:\n    case 'never':\n        pass\n    case _ if number > 100:\n        x = 'other'",
        "x = 'safe'\nmatch mail.tags:\n    case [_, _]:\n        x = 'other'",
        "x = 'safe'\ntry:\n    int(text)\n    x = 'a number'\nexcept ValueError:\n    pass",
        "x = 'safe'\ntry:\n    int(number)\nexcept ValueError:\n    x = 'no number'",
        "x = 'safe'\ntry:\n    if number > 100:\n        raise ValueError('a')\nexcept ValueError:\n    x = 'raised'",
        "x = 'safe'\ntry:\n    {'a': 1}[text]\nexcept KeyError:\n    pass\nelse:\n    x = 'found'",
        "x = 'safe'\ntry:\n    assert number < 100\nexcept AssertionError:\n    x = 'other'",
        "x = []\ntry:\n    1 / (number - 100)\n    x.append('went on')\nexcept ZeroDivisionError:\n    x.append('zero')",
        "def f():\n    if number > 100:\n        return 'a'\n    return 'b'\nx = f()",
        "def f():\n    for c in text:\n        if c == 'z':\n            return 'a'\n    return 'b'\nx = f()",
        "x = 'safe'\ndef f():\n    if number > 100:\n        return 'early'\n    box.append('late')\nbox = []\nf()\nx = box",
        "def f():\n    kept = 'safe'\n    def put():\n        nonlocal kept\n        kept = 'other'\n    if number > 100:\n        put()\n    return kept\nx = f()",
        "x = (lambda: 'a' if number > 100 else 'b')()",
        "f = (lambda: 'a') if number > 100 else (lambda: 'b')\nx = f()",
        "x = {True: lambda: 'a', False: lambda: 'b'}[number > 100]()",
        "if number > 100:\n    def f():\n        return 'a'\nelse:\n    def f():\n        return 'b'\nx = f()",
        "x = 'safe'\nif number > 100 and (x := 'other'):\n    pass",
        "xs = ['a']\nif number > 100:\n    del xs[0]\nx = xs",
        "xs = ['a']\nif number > 100:\n    xs[:] = ['b', 'c']\nx = xs",
        "xs = {'a'}\nif number > 100:\n    xs.discard('a')\nx = xs",
        "it = iter(['a', 'b'])\nif number > 100:\n    next(it)\nx = next(it)",
    ],
)
def test_a_branch_that_is_not_taken_tells_as_much(program: str) -> None:
    """Loops, patterns, handlers, early returns and calls of what was chosen steer what they might have changed."""
    assert_steered(program)


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    raise ValueError(text)\nexcept ValueError:\n    raise",
        "try:\n    raise ValueError(text)\nexcept ValueError as e:\n    raise RuntimeError(f'failed: {e}') from e",
        "try:\n    raise ValueError(text)\nfinally:\n    answer('x')",
        "assert text == '', text",
        "def f():\n    raise ValueError(text)\nf()",
        "error = ValueError(text)\nraise error",
        "next(iter([]) if text else iter([1]))",
        "x = [1 / 0 for c in text]",
        "'{0.missing}'.format(text)",
        "'%d' % text",
        "import json\njson.loads(text)",
        "from datetime import date\ndate.fromisoformat(text)",
        "import re\nre.search(text + '(', 'a')",
    ],
)
def test_no_message_carries_words_to_the_planner(home: Home, program: str) -> None:
    """Raised again, in another's message, in an assertion or a library: the planner is asked no second time and sees no word of it."""
    home.deliver(SECRET)
    result = home.ask([f"text = search_emails()[0].body.strip()\n{program}", "answer('again')"], says("x"))
    assert (result.outcome.ending, len(home.transcript())) == ("stopped", 1)
    told = f"{result.outcome.message}\n{home.told()}"
    assert "4711" not in told
    assert "code is" not in told


@pytest.mark.parametrize(
    "program",
    [
        "def f(a: send('a', 'b')) -> send('c', 'd'):\n    return 1\nx = f(1)",
        "def f(*args: send('a', 'b'), k: send('a', 'b') = 1):\n    return k\nx = f()",
        "def f():\n    y: send('a', 'b') = 1\n    return y\nx = f()",
        "x: send('a', 'b')\nx = 1",
    ],
)
def test_annotations_of_functions_are_read_past(program: str) -> None:
    """An annotation of a parameter, a result or a local name makes no call."""
    world = World()
    names = run(prepare(program, SIGNATURES), world)
    assert (unwrap(names["x"]), world.calls) == (1, [])


@pytest.mark.parametrize(
    "program",
    [
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: send('a', 'b')",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = send('a', 'b')",
        "from enum import Enum\nclass A(Enum):\n    X = send('a', 'b')",
        "from pydantic import BaseModel, Field\nclass A(BaseModel):\n    x: int = Field(default_factory=send)",
    ],
)
def test_a_class_body_is_read_and_never_evaluated(program: str) -> None:
    """A call where a type, a default or a member's value is wanted is refused before anything runs."""
    with pytest.raises(ProgramRefused):
        prepare(program, SIGNATURES)


WALKS = [
    "'{0.__class__}'.format(text)",
    "'{0.__class__.__init__.__globals__}'.format(mail)",
    "'{0._raw}'.format(mail)",
    "'{0.label}'.format(text)",
    "'{0.label.data}'.format(mail)",
    "'{0[__class__]}'.format(mail)",
    "'{0.items}'.format([text])",
    "'{0.upper}'.format(text)",
    "('{0.' + '_' * 2 + 'class' + '_' * 2 + '}').format(1)",
    "'{k.__class__}'.format(k=1)",
    "'{0.__doc__}'.format(len)",
    "'{0.code}'.format(lambda: 1)",
    "'{0.__globals__}'.format(lambda: 1)",
    "'{:{0.__class__}}'.format(1)",
    "'{0.__class__}'.format_map({'0': 1})",
    "'{k.__class__}'.format_map({'k': 1})",
    "str.format('{0.__class__}', 1)",
    "list(map('{0.__class__}'.format, [1]))",
    "'%(__class__)s' % mail",
    "'%(a.b)s' % {'a': 1}",
    "f'{text.__class__}'",
    "mail.__dict__",
    "mail['__class__']",
    "(lambda: 1).__code__",
    "text.format.__self__",
    "text.format.__globals__",
    "mail.sender.label",
    "mail.sender._raw",
]


@pytest.mark.parametrize("expression", WALKS)
def test_no_format_walks_an_attribute_of_the_host(expression: str) -> None:
    """A field in a format, literal or computed, reads what a program could read by its dot, and nothing else."""
    with pytest.raises(ArmslengthError) as caught:
        run(prepare(f"{GIVEN}x = {expression}", SIGNATURES), World())
    assert "object at" not in str(caught.value)
    assert "<class" not in str(caught.value)


@pytest.mark.parametrize(
    "program",
    [
        "x = date(2026, 1, number)",
        "x = date(year=2026, month=number, day=1)",
        "x = datetime(2026, 1, 1, number)",
        "x = time(number)",
        "x = timedelta(days=number)",
        "x = date(2026, 1, 1) + timedelta(days=number)",
        "x = date(2026, 1, 1).replace(day=number)",
        "x = (date(2026, 1, number) - date(2026, 1, 1)).days",
        "x = date(2026, 1, number).isoformat()",
        "x = date(2026, 1, number).year",
        "x = f'{date(2026, 1, number):%d.%m.%Y}'",
        "x = date.fromisoformat('2026-01-0' + str(number))",
        "x = datetime.strptime(f'{number}.1.2026', '%d.%m.%Y')",
        "x = datetime.combine(date(2026, 1, number), time(9))",
        "x = timezone(timedelta(hours=number))",
        "x = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=number)))",
        "x = sorted([date(2026, 1, number), date(2025, 1, number)])[0]",
        "x = {date(2026, 1, number): 'k'}",
    ],
)
def test_a_date_of_untrusted_numbers_is_untrusted(program: str) -> None:
    """Dates, times and durations made of the mail's numbers, and all that is read from them, are the mail's."""
    assert_written("from datetime import date, datetime, time, timedelta, timezone\n" + program)


SMALL = Limits(steps=20_000, size=2_000_000)
BOMBS = {
    "while True:\n    pass": {"steps"},
    "x = 0\nwhile x >= 0:\n    x += 1": {"steps"},
    "def f():\n    return f()\nf()": {"calls within one another"},
    "def f(n):\n    return f(n + 1) + 1\nf(0)": {"calls within one another"},
    "f = lambda g: g(g)\nf(f)": {"calls within one another"},
    "def f(x):\n    return [f(x), f(x)]\nf(1)": {"calls within one another"},
    "def f():\n    try:\n        return f()\n    except Exception:\n        return f()\nf()": {
        "calls within one another"
    },
    "def f():\n    try:\n        return f()\n    finally:\n        return f()\nf()": {"calls within one another"},
    "while True:\n    try:\n        x = 1 / 0\n    except ZeroDivisionError:\n        continue": {"steps"},
    "x = 'ab'\nwhile True:\n    x = '{0}{0}'.format(x)": {"size"},
    "x = 'ab'\nwhile True:\n    x = '%s%s' % (x, x)": {"size"},
    "x = 'a'\nwhile True:\n    x = '{:>999}{}'.format(1, x)": {"size"},
    "x = 'a'\nwhile True:\n    x = '%999d%s' % (1, x)": {"size"},
    "x = 'a'\nwhile True:\n    x = f'{1:{999}}{x}'": {"size"},
    "x = [1]\nwhile True:\n    x = [*x, *x]": {"size"},
    "x = [1]\nwhile True:\n    x[:0] = x": {"size"},
    "x = {1}\nwhile True:\n    x |= {len(x), -len(x)}": {"steps", "size"},
    "import math\nx = math.factorial(10**9)": {"digits"},
    "import math\nx = math.comb(10**9, 5 * 10**8)": {"digits", "steps"},
    "x = 1 << 10**9": {"digits", "size"},
    "x = pow(10, 10**10)": {"digits"},
    "import json\nx = json.dumps([[1] * 1000] * 1000, indent=20)": {"size"},
    "import re\nx = re.sub('', 'b' * 10_000, 'a' * 10_000)": {"size", "steps"},
    "from datetime import date, timedelta\nd = date(2026, 1, 1)\nwhile True:\n    d += timedelta(days=0)": {"steps"},
}


@pytest.mark.parametrize(("program", "limits"), BOMBS.items(), ids=BOMBS)
def test_everything_is_counted(program: str, limits: set[str]) -> None:
    """Loops, recursion, handlers that hide nothing, formats, stars and libraries run out with an error of ours."""
    with pytest.raises(LimitReached) as reached:
        run(prepare(program, SIGNATURES), World(), SMALL)
    assert reached.value.limit in limits


WIDE = [
    "'{:999999999}'.format(1)",
    "'%999999999d' % 1",
    "f'{1:{10**9}}'",
    "'{:{}}'.format(1, 10**9)",
    "'%.*f' % (10**9, 1.5)",
]


@pytest.mark.parametrize("expression", WIDE)
def test_a_format_has_a_widest(expression: str) -> None:
    """How wide a text becomes is bounded before it is made, also where the width is computed."""
    with pytest.raises(ArmslengthError):
        run(prepare(f"x = {expression}", SIGNATURES), World(), SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    while True:\n        pass\nexcept Exception:\n    x = 1",
        "try:\n    while True:\n        pass\nexcept:\n    x = 1",
        "try:\n    while True:\n        pass\nfinally:\n    x = 1",
    ],
)
def test_a_limit_is_caught_by_no_handler(program: str) -> None:
    """What ran out stays out: no handler and no finally runs after it."""
    world = World()
    with pytest.raises(LimitReached):
        run(prepare(program.replace("x = 1", "answer('went on')"), SIGNATURES), world, SMALL)
    assert world.said == []


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a*)*$", "(a|a)*$", "(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){30}a{30}$", "(x+x+)+y"],
)
def test_a_regular_expression_ends(pattern: str) -> None:
    """Patterns that take others for ever end here, with an answer or with a count that ran out."""
    program = f"import re\nx = re.search({pattern!r}, 'a' * 400 + '!') is None\ny = re.findall({pattern!r}, 'ax' * 100)"
    assert ending(program) in {"ended", "steps", "size"}


def ending(program: str) -> str:
    """How a program ends: at its end, or at a limit."""
    try:
        run(prepare(program, SIGNATURES), World(), SMALL)
    except LimitReached as reached:
        return reached.limit
    return "ended"
