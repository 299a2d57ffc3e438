"""Misfits of types, refused before anything runs: the exact messages, and programs that look alike and are left to the run."""

import pytest
from tests.language.inferring import NO_DATE, SIGNATURES, TEXTS, refusal

from armslength.errors import ProgramRefused
from armslength.language import prepare
from armslength.schema import (
    INT,
    NONE,
    Parameter,
    Signature,
)

# Fields


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "m = search()[0]\nanswer(m.text)",
            "line 2: Email has no field text; its fields are id, subject, size, to, title",
        ),
        (
            "m = search()[0]\nanswer(m.subjct)",
            "line 2: Email has no field subjct; did you mean subject? its fields are id, subject, size, to, title",
        ),
        ("m = latest()\nif m:\n    answer(m.date)", f"line 3: {NO_DATE}"),
        ("m = search()[0]\nanswer(m['date'])", f"line 2: {NO_DATE}"),
        (
            "ms = search()\nanswer(ms.subject)",
            "line 2: this is a list of Email and has no field subject; take one with [0], or go through it with for",
        ),
        (
            "ms = search()\nanswer(ms['subject'])",
            "line 2: this is a list of Email and has no field subject; take one with [0], or go through it with for",
        ),
        ("x = 'a'\nx.foo", f"line 2: a text has no field foo; {TEXTS}"),
        ("x = quarantined('?')\nx['title']", f"line 2: a text has no field title; {TEXTS}"),
        ("n = len(search())\nn.foo", "line 2: a number has no field foo; use it as it is"),
        (
            "xs = [1, 2]\nxs.first",
            "line 2: this is a list of numbers and has no field first; take one with [0], or go through it with for",
        ),
        ("counts = {'a': 1}\ncounts.a", 'line 2: a dict has no field a; write counts["a"]'),
        ("t = (1, 2)\nt.a", "line 2: a tuple has no field a; take one with [0], or take it apart: a, b = x"),
        ("z = zip([1], [2])\nz.a", "line 2: an iterator has no field a; go through it with for"),
        (
            "try:\n    anything()\nexcept ValueError as e:\n    answer(e.message)",
            "line 4: an exception has no field message; write str(e) for its message",
        ),
        (
            "from datetime import date\nd = date.today()\nd.years",
            "line 3: a date has no field years; did you mean year? its fields are day, month, year",
        ),
        (
            "import re\nm = re.search('a', 'b')\nm.text",
            "line 3: a match has no field text; it has methods: end, group, groupdict, groups, span, start",
        ),
        (
            "class Color(Enum):\n    RED = 'red'\nc = quarantined('?', returns=Color)\nc.foo",
            "line 4: Color has no field foo; its fields are name, value",
        ),
        (
            "class Task(BaseModel):\n    title: str\n    due: Optional[str] = None\nt = Task(title='a')\nt.name",
            "line 5: Task has no field name; its fields are title, due",
        ),
        (
            "@dataclass\nclass Task:\n    title: str\nts = quarantined('?', returns=list[Task])\nts[0].name",
            "line 5: Task has no field name; its fields are title",
        ),
        (
            "x = quarantined('?', returns={'a': str})\nx['b']",
            "line 2: dict has no field b; its fields are a",
        ),
    ],
)
def test_a_field_that_is_not_there_is_refused(program: str, message: str) -> None:
    """With what there is, and the nearest name."""
    assert refusal(program) == message


@pytest.mark.parametrize(
    "program",
    [
        "m = search()[0]\nanswer(m.subject, m['subject'], m.to)",
        "m = latest()\nif m:\n    answer(m.subject)",
        "x = search()\nx = x[0]\nanswer(x.subject)",
        "x = 'a'\nfor x in search():\n    answer(x.subject)",
        "x = quarantined('?', returns={'a': str})\nanswer(x['a'], x.a)",
        "x = anything()\nx.foo\nx['a']",
        "x = ''\nif x == '':\n    x = anything()\nx.foo",
        "d = {'a': 1}\nd['b']\nd.get",
        "best = None\nfor m in search():\n    best = m\nif best:\n    answer(best.subject)",
        "best = None\nif best:\n    answer(best.subject)",
        "for x in []:\n    answer(x.subject)",
        "from datetime import date\nanswer(date.today().year)",
        "class Color(Enum):\n    RED = 'red'\nc = quarantined('?', returns=Color)\nc.name\nc.value\nColor['RED']",
        "try:\n    anything()\nexcept ValueError as e:\n    answer(e.args)",
        "class Task(BaseModel):\n    title: str\nt = Task(title=[1])\nt.title.append(2)",
        "m = search()[0].model_copy(update={'subject': 1})\nm.subject + 1",
    ],
)
def test_a_field_that_may_be_there_is_left_to_the_run(program: str) -> None:
    """Names with several types, values of no declared type, and fields of records that the program made otherwise."""
    prepare(program, SIGNATURES)


# Through what a value is followed


@pytest.mark.parametrize(
    "way",
    [
        "for m in search():\n    {0}",
        "for i, m in enumerate(search(), 1):\n    {0}",
        "for m, n in zip(search(), [1]):\n    {0}",
        "for m in reversed(search()):\n    {0}",
        "for m in sorted(search(), key=lambda m: m.size):\n    {0}",
        "for m in list(search()) + search():\n    {0}",
        "for m in search()[:3]:\n    {0}",
        "for m in tuple(search()):\n    {0}",
        "for m in filter(lambda m: m.size, search()):\n    {0}",
        "m = next(iter(search()))\n{0}",
        "m = next((m for m in search() if m.size), None)\n{0}",
        "m = max(search(), key=lambda m: m.size)\n{0}",
        "m = min(search(), key=lambda m: m.size, default=None)\n{0}",
        "m = latest() or search()[0]\n{0}",
        "m = search()[0] if search() else None\n{0}",
        "ms = search()\nm = ms and ms[0]\n{0}",
        "if m := latest():\n    {0}",
        "m, *others = search()\n{0}",
        "n, *others = search()\nm = others[0]\n{0}",
        "m, n = search()[:2]\n{0}",
        "(m, n), k = (search()[0], 1), 2\n{0}",
        "by = {{m.id: m for m in search()}}\nm = by['a']\n{0}",
        "by = {{m.id: m for m in search()}}\nm = by.get('a')\n{0}",
        "by = {{m.id: m for m in search()}}\nfor key, m in by.items():\n    {0}",
        "by = {{m.id: m for m in search()}}\nfor m in by.values():\n    {0}",
        "by = {{'a': search()}}\nm = by['a'][0]\n{0}",
        "by = {{}}\nfor n in search():\n    by.setdefault(n.id, []).append(n)\nfor ms in by.values():\n    for m in ms:\n        {0}",
        "found = []\nfor n in search():\n    found.append(n)\nm = found[0]\n{0}",
        "found = []\nfound += search()\nm = found.pop()\n{0}",
        "found = [None]\nfound[0] = search()[0]\nm = found[0]\n{0}",
        "x = (search()[0], 1)\nm = x[0]\n{0}",
        "def first(ms):\n    return ms[0]\nm = first(search())\n{0}",
        "first = lambda ms: ms[0]\nm = first(search())\n{0}",
        "def pick(ms, at=0):\n    if ms:\n        return ms[at]\n    return None\nm = pick(ms=search())\n{0}",
        "def show(m):\n    {0}\nshow(search()[0])",
        "def show(m: Email):\n    {0}\nfor n in search():\n    show(n)",
        "def outer():\n    m = None\n    def inner():\n        nonlocal m\n        m = search()[0]\n    inner()\n    {0}\nouter()",
        "while m := latest():\n    {0}",
        "try:\n    m = search()[0]\nexcept IndexError:\n    m = None\n{0}",
        "class Box(BaseModel):\n    inner: Any\nm = Box(inner=search()[0]).inner\n{0}",
    ],
)
def test_a_record_is_followed(way: str) -> None:
    """Through loops, functions of the language and of the program, containers and branches, to a field that it lacks and one that it has."""
    assert refusal(way.format("answer(m.date)")).endswith(f": {NO_DATE}")
    prepare(way.format("answer(m.subject)"), SIGNATURES)


@pytest.mark.parametrize(
    "program",
    [
        "answer([m.date for m in search()])",
        "answer({m.date for m in search()})",
        "answer({m.id: m.date for m in search()})",
        "answer(any(m.date for m in search()))",
        "answer([m.id for m in search() if m.date])",
        "answer(f'{search()[0].date}')",
        "answer(sorted(search(), key=lambda m: m.date))",
        "ms = list(search())\nms.sort(key=lambda m: m.date)",
        "answer(max(search(), key=lambda m: m.date))",
        "answer(list(map(lambda m: m.date, search())))",
        "def when(m):\n    return m.date\nanswer(sorted(search(), key=when))",
    ],
)
def test_a_record_is_followed_into_an_expression(program: str) -> None:
    """Comprehensions, f-strings, and functions that are handed over."""
    assert refusal(program).endswith(f": {NO_DATE}")
    prepare(program.replace("m.date", "m.size").replace(".date", ".size"), SIGNATURES)


@pytest.mark.parametrize(
    "program",
    [
        "xs = ['a']\nys = xs\nys.append(search()[0])\nanswer(xs[0].subject)",
        "xs = ['a']\nd = {'x': xs}\nd['x'].append(search()[0])\nanswer(xs[-1].subject)",
        "xs = ['a']\ndef grow(ys):\n    ys.append(search()[0])\ngrow(xs)\nanswer(xs[-1].subject)",
        "xs = ['a']\nanything().append(search()[0])\nanswer(xs[-1].subject)",
        "xs = ['a']\nadd = xs.append\nadd(search()[0])\nanswer(xs[-1].subject)",
        "xs = ['a']\nlist.append(xs, search()[0])\nanswer(xs[-1].subject)",
        "xs = ['a']\nfor xs[0] in search():\n    answer(xs[0].subject)",
        "def f(m):\n    return m.subject\nanything(lambda: 1)\nfs = [f]\nanswer(fs[0](search()[0]))",
        "def f(m='a'):\n    return m.subject\nanswer(anything() and f(*search()))",
        "def f(m='a'):\n    return m.subject\nanswer({'f': f}['f'](search()[0]))",
        "x = y = 'a'\nfor n in [1, 2]:\n    x = y\n    y = search()[0]\nanswer(x.subject)",
        "def f():\n    nonlocal_free = 1\n    return x.subject\nx = 'a'\nx = search()[0]\nanswer(f())",
    ],
)
def test_what_something_else_may_put_there_is_left_to_the_run(program: str) -> None:
    """Other names of one list, methods and functions that are handed over, calls through what is not known, and later assignments."""
    prepare(program, SIGNATURES)


# Arguments


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "reply(email=search(), body='x')",
            "line 1: reply takes Email as email, and this is a list; take one Email of it with [0], or go through it with for",
        ),
        (
            "reply(search()[0].id, 'x')",
            "line 1: reply takes Email as email, and this is a text; give the whole Email, not a part of it",
        ),
        (
            "m = search()[0]\nreply(m, m)",
            "line 2: reply takes str as body, and this is an Email; use one of its fields: id, subject, size, to, title",
        ),
        (
            "send(recipients='a@example.com', body='x')",
            "line 1: send takes list[str] as recipients, and this is a text; write it in [ ]",
        ),
        (
            "send(search(), 'x')",
            (
                "line 1: send takes list[str] as recipients, and this is a list of Email; "
                "make a list of one of their fields with a comprehension"
            ),
        ),
        (
            "send(search()[0].to, search()[0].to)",
            "line 1: send takes str as body, and this is a list; take one with [0], or make one text of it with join",
        ),
        (
            "ns = [1, 2]\nsend(ns, 'x')",
            "line 2: send takes list[str] as recipients, and this is a list of numbers; write [str(each) for each in ns]",
        ),
        (
            "send({'a': 1}, 'x')",
            "line 1: send takes list[str] as recipients, and this is a dict; make a list of it: list(x.values())",
        ),
        (
            "send(search()[0], 'x')",
            (
                "line 1: send takes list[str] as recipients, and this is an Email; "
                "use one of its fields: id, subject, size, to, title"
            ),
        ),
        (
            "send(['a'], 'x', urgent='yes')",
            "line 1: send takes bool as urgent, and this is a text; write True or False",
        ),
        ("send(['a'], {'a': 1})", "line 1: send takes str as body, and this is a dict; use one of its values: x[key]"),
        ("weather(5)", 'line 1: weather takes str as place, and this is a number; write "5"'),
        ("weather(True)", 'line 1: weather takes str as place, and this is a bool; write "True"'),
        ("n = 5\nweather(n + 1)", "line 2: weather takes str as place, and this is a number; write str(x)"),
        (
            "weather('Rome', days='3')",
            "line 1: weather takes Optional[int] as days, and this is a text; write 3 without quotes",
        ),
        (
            "days = input_days = 'a'\nweather('Rome', days=days)",
            "line 2: weather takes Optional[int] as days, and this is a text; write int(days)",
        ),
        (
            "weather('Rome', 'metrik')",
            'line 1: weather has no choice "metrik" for unit; did you mean "metric"? it takes "metric", "imperial"',
        ),
        (
            "weather('Rome', unit='kelvin')",
            'line 1: weather has no choice "kelvin" for unit; it takes "metric", "imperial"',
        ),
        (
            "weather('Rome', unit=['metric'])",
            (
                "line 1: weather takes Literal['metric', 'imperial'] as unit, and this is a list; "
                "take one with [0], or go through it with for"
            ),
        ),
        (
            "plot([1, 2], scale='big')",
            "line 1: plot takes float as scale, and this is a text; write a number without quotes",
        ),
        (
            "plot(['1', '2'])",
            "line 1: plot takes list[float] as values, and this is a list of texts; write [float(each) for each in x]",
        ),
        (
            "archive(search()[0])",
            "line 1: archive takes list[Email] as emails, and this is an Email; write it in [ ]",
        ),
        (
            "archive([m.id for m in search()])",
            "line 1: archive takes list[Email] as emails, and this is a list of texts; make a list of whole Email records",
        ),
    ],
)
def test_an_argument_that_does_not_fit_is_refused(program: str, message: str) -> None:
    """With what would fit."""
    assert refusal(program) == message


@pytest.mark.parametrize(
    "program",
    [
        "x = [1]\nsend(recipients=[str(y) for y in x], body=str(x))",
        "reply(sorted(search(), key=lambda m: m.size)[0], f'{1}' + 'a')",
        "reply(latest(), 'x')",
        "send([], 'x', urgent=1)\nsend(('a', 'b'), 'x')\nsend({'a'}, 'x')",
        "send(['a', *search()[0].to], 'x')",
        "send([m if m else 'a' for m in [anything()]], 'x')",
        "weather('Rome', days=None)\nweather('Rome', days=3)\nweather('Rome', days=True)\nweather('Rome', 'imperial')",
        "unit = 'kelvin'\nweather('Rome', unit)",
        "plot([1, 2.5], scale=2)\nplot([n / 2 for n in range(3)])",
        "from datetime import date\nweather(date.today())",
        "anything('a')\nanything(1)\nanything(search())",
        "archive(search())\narchive([search()[0]])\narchive([])",
        "x = 1 if anything() else 'a'\nweather(x)",
        "reply(quarantined('?', returns={'id': str}), 'x')",
    ],
)
def test_an_argument_that_may_fit_is_left_to_the_run(program: str) -> None:
    """A whole number is a float too, a tuple leaves as a list, None is not looked at, and a value of several kinds may fit."""
    prepare(program, SIGNATURES)


def test_an_argument_of_another_kind_of_number_is_left_to_the_tool() -> None:
    """A list is none, though."""
    signatures = (*SIGNATURES, Signature("f", (Parameter("x", INT),), NONE))
    prepare("f(x=1.0)\nf(True)", signatures)
    with pytest.raises(ProgramRefused) as refused:
        prepare("f(x=search())", signatures)
    assert (
        str(refused.value)
        == "line 1: f takes int as x, and this is a list; take one with [0], or go through it with for"
    )


# Texts and something else


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "total = sum(m.size for m in search())\nanswer('Total: ' + total)",
            "line 2: + joins a text with a text only, and this is a number; write str(total), or an f-string",
        ),
        (
            "answer(len('a') + ' mails')",
            "line 1: + joins a text with a text only, and this is a number; write str(x), or an f-string",
        ),
        (
            "answer('From ' + search()[0])",
            (
                "line 1: + joins a text with a text only, and this is an Email; "
                "use one of its fields: id, subject, size, to, title"
            ),
        ),
        (
            "to = search()[0].to\nanswer('To ' + to)",
            'line 2: + joins a text with a text only, and this is a list of texts; make one text of it: ", ".join(to)',
        ),
        (
            "text = ''\nfor m in search():\n    text += m.size",
            "line 3: + joins a text with a text only, and this is a number; write str(m.size), or an f-string",
        ),
    ],
)
def test_a_text_and_something_else_are_not_added(program: str, message: str) -> None:
    """They are in other languages."""
    assert refusal(program) == message


@pytest.mark.parametrize(
    "program",
    [
        "answer('Total: ' + str(1) + f'{2}')",
        "xs = ['a']\nxs += 'bc'\nanswer(3 * 'a', 'a' * 2, 'a' % 3, [1] + [2])",
        "x = 'a' if anything() else 1\nanswer(x + 1, x + 'a')",
        "class Color(str, Enum):\n    RED = 'red'\nanswer('a' + Color.RED)",
        "x = None\nfor m in search():\n    x = m.subject\nanswer('a' + x)",
    ],
)
def test_what_may_be_added_is_left_to_the_run(program: str) -> None:
    """Texts, members that are texts, and what may be one."""
    prepare(program, SIGNATURES)


# What the program itself asks or catches


@pytest.mark.parametrize(
    "program",
    [
        "x = 'a'\nif isinstance(x, dict):\n    x.get('a')\n    x.foo",
        "m = search()[0]\nbody = m.subject if isinstance(m.subject, str) else m.subject.text",
        "x = 'a'\nif isinstance(x, list):\n    for y in x:\n        answer(y.subject)",
        "x = 'a'\nmatch x:\n    case dict():\n        x.foo",
        "d = {'a': 'b'}\nif isinstance(d['a'], dict):\n    d['a'].foo",
        "def f(x):\n    return x.subject if not isinstance(x, str) else x\nf('a')",
        "try:\n    answer(search()[0].date)\nexcept AttributeError:\n    pass",
        "try:\n    answer(search()[0].date)\nexcept Exception as e:\n    answer(str(e))",
        "try:\n    answer('a' + 1)\nexcept (ValueError, TypeError):\n    pass",
        "try:\n    search().append(1)\nexcept:\n    pass",
        "try:\n    weather(5)\nexcept RuntimeError:\n    pass",
        "def f():\n    return search()[0].date\ntry:\n    f()\nexcept AttributeError:\n    pass",
    ],
)
def test_what_the_program_asks_or_catches_is_left_to_the_run(program: str) -> None:
    """`isinstance` and `match` may keep the failure from happening, and a handler may be there for it."""
    prepare(program, SIGNATURES)


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    answer(search()[0].date)\nexcept ValueError:\n    pass",
        "try:\n    answer(search()[0].date)\nfinally:\n    pass",
        "try:\n    pass\nexcept AttributeError:\n    answer(search()[0].date)",
        "x = 'a'\nif isinstance(x, dict):\n    pass\nanswer(search()[0].date)",
    ],
)
def test_another_handler_or_question_saves_nothing(program: str) -> None:
    """Only what would catch this failure, or asks about this value."""
    assert refusal(program).endswith(f": {NO_DATE}")
