"""Misfits of types, refused before anything runs: the exact messages, and programs that look alike and are left to the run."""

import ast

import pytest

from armslength.errors import ProgramRefused
from armslength.language import Analysis, prepare
from armslength.language.checking.inference import declared_types
from armslength.language.checking.misfits import check_types
from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    Parameter,
    RecordType,
    Signature,
    Type,
)

MAIL = RecordType(
    "Email",
    (Field("id", STR), Field("subject", STR), Field("size", INT), Field("to", ListOf(STR)), Field("title", STR)),
)
SIGNATURES = (
    Signature("search", (Parameter("query", STR, True, ""), Parameter("limit", INT, True, 10)), ListOf(MAIL)),
    Signature("latest", (), OptionalOf(MAIL)),
    Signature("reply", (Parameter("email", MAIL), Parameter("body", STR)), NONE),
    Signature("archive", (Parameter("emails", ListOf(MAIL)),), NONE),
    Signature(
        "send",
        (Parameter("recipients", ListOf(STR)), Parameter("body", STR), Parameter("urgent", BOOL, True, False)),
        NONE,
    ),
    Signature(
        "weather",
        (
            Parameter("place", STR),
            Parameter("unit", Menu(("metric", "imperial")), True, "metric"),
            Parameter("days", OptionalOf(INT), True, None),
        ),
        STR,
    ),
    Signature("plot", (Parameter("values", ListOf(FLOAT)), Parameter("scale", FLOAT, True, 1.0)), NONE),
    Signature("anything", (Parameter("x", ANY, True, None),), ANY),
)
NO_DATE = "Email has no field date; its fields are id, subject, size, to, title"
TEXTS = "it has methods: lower, upper, strip, split, replace, startswith, endswith, find, join"


def refusal(program: str) -> str:
    """The message with which a program is refused."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(program, SIGNATURES)
    return str(refused.value)


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


# Methods


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("'a'.append('b')", "line 1: a text has no method append; join texts with + or in an f-string"),
        ("[].lower()", "line 1: a list has no method lower; take one with [0], or go through it with for"),
        (
            "to = search()[0].to\nto.lower()",
            "line 2: a list of texts has no method lower; take one with [0], or go through it with for",
        ),
        ("xs = ['a']\nxs.join(', ')", 'line 2: a list of texts has no method join; write ", ".join(xs)'),
        (
            "search().get('subject')",
            "line 1: a list of Email has no method get; take one with [0], or go through it with for",
        ),
        ("[1].add(2)", "line 1: a list of numbers has no method add; use append"),
        ("n = 3\nn.lower()", "line 2: a number has no method lower; make a text of it first: str(n)"),
        ("d = {'a': 1}\nd.append(2)", "line 2: a dict has no method append; write d[key] = value"),
        ("{1}.append(2)", "line 1: a set has no method append; use add"),
        ("t = (1,)\nt.append(2)", "line 2: a tuple has no method append; make a list of it first: list(t)"),
        ("map(str, [1]).sort()", "line 1: an iterator has no method sort; make a list of it first: list(x)"),
        (
            "m = search()[0]\nm.get('subject')",
            "line 2: Email has no method get; its fields are id, subject, size, to, title",
        ),
        ("m = search()[0]\nm.title()", "line 2: Email has no method title; title is a field: write m.title"),
        ("m = search()[0]\nm.subject()", "line 2: Email has no method subject; subject is a field: write m.subject"),
        (
            "sorted(search(), key=lambda m: m.size())",
            "line 1: Email has no method size; size is a field: write m.size",
        ),
        (
            "try:\n    search()[0].subject().lower()\nexcept Exception:\n    pass",
            "line 2: Email has no method subject; subject is a field: write x.subject",
        ),
        (
            "m = search()[0]\nm.delete()",
            "line 2: Email has no method delete; its fields are id, subject, size, to, title",
        ),
        ("d = datetime.now()\nd.year()", "line 2: a datetime has no method year; year is a field: write d.year"),
        ("class P(Enum):\n    A = 1\nP.A.value()", "line 3: P has no method value; value is a field: write P.A.value"),
        (
            "try:\n    f()\nexcept Exception as e:\n    e.args()\ndef f(): pass",
            "line 4: an exception has no method args; args is a field: write e.args",
        ),
        (
            "'a'.startwith('b')",
            (
                "line 1: a text has no method startwith; did you mean startswith? "
                "its methods are lower, upper, strip, split, replace, startswith, endswith, find, join"
            ),
        ),
        ("anything().subject()", "line 1: there is no method subject; write it with a for loop"),
        (
            "try:\n    anything().subject()\nexcept Exception:\n    pass",
            "line 2: there is no method subject; write it with a for loop",
        ),
        (
            "'a'.copy()",
            "line 1: a text has no method copy; its methods are lower, upper, strip, split, replace, startswith, endswith, find, join",
        ),
        (
            "search().append(1)",
            "line 1: what a tool returned does not change, and append would change it; give a copy a name first: x = list(...)",
        ),
        (
            "mails = search()\nmails.sort(key=lambda m: m.size)",
            "line 2: what a tool returned does not change, and sort would change it; write mails = sorted(mails, key=...)",
        ),
        (
            "mails = search()\nmails.remove(mails[0])",
            "line 2: what a tool returned does not change, and remove would change it; change a copy: mails = list(mails)",
        ),
        (
            "m = search()[0]\nm.to.append('a')",
            "line 2: what a tool returned does not change, and append would change it; change a copy: x = list(m.to)",
        ),
        (
            "mails = search()\nmails.reverse()",
            "line 2: what a tool returned does not change, and reverse would change it; write mails[::-1]",
        ),
        (
            "tags = quarantined('?', returns=list[str])\ntags.append('a')",
            "line 2: what a tool returned does not change, and append would change it; change a copy: tags = list(tags)",
        ),
        (
            "', '.join(search())",
            (
                "line 1: join takes texts, and this is a list of Email; "
                "join one of their fields, id, subject, size, to, title: join(m.field for m in x)"
            ),
        ),
    ],
)
def test_a_method_that_is_not_there_is_refused(program: str, message: str) -> None:
    """By the kind of its owner; and one that would change what a tool or model gave."""
    assert refusal(program) == message


@pytest.mark.parametrize(
    "program",
    [
        "answer({}.title)",
        "x = {}.title.upper()",
        "x = {}.title[0]",
        "x = 'a' + {}",
        "x = {} * 2",
        "x = {} % 2",
        "x = 'a'\nx += {}",
        "x = {} < 'a'",
        "x = 'a' < 'b' < {}",
        "x = 'a' not in {}",
        "for x in {}:\n    pass",
        "x = [each for each in {}]",
        "weather({})",
        "weather(place={})",
        "quarantined('?', {})",
        "x = len({})",
        "x = sorted(({}), key=len)",
        "def f(m):\n    return 'a' + m.lower\nx = f({}())",
    ],
)
def test_a_method_that_is_not_called_is_refused(program: str) -> None:
    """Where no function has a result; of a text, of a text that a method of a text gave, and of a record."""
    way = "lower is a method of a text; call it: write {}.lower()"
    start = "m = search()[0]\n"
    assert refusal(start + program.format("m.id.lower")).endswith(
        f": {way.format('m' if 'def' in program else 'm.id')}"
    )
    if "def" not in program:
        assert refusal(start + program.format("m.id.upper().lower")).endswith(f": {way.format('x')}")
        copy = "model_copy is a method of Email; call it: write m.model_copy()"
        assert refusal(start + program.format("m.model_copy")).endswith(f": {copy}")
        prepare(
            f"try:\n{_indented(start + program.format('m.id.lower'))}\nexcept (AttributeError, TypeError):\n    pass",
            SIGNATURES,
        )


def _indented(program: str) -> str:
    return "\n".join(f"    {line}" for line in program.splitlines())


@pytest.mark.parametrize(
    "program",
    [
        "m = search()[0]\nx = m.model_copy\nx()",
        "m = search()[0]\nx = [m.id.lower, m.id.upper][0]()",
        "m = search()[0]\nx = (m.id.lower or m.id.upper)()",
        "m = search()[0]\nx = m.id.lower == m.id.upper and m.id.lower is not None",
        "m = search()[0]\nx = sorted(search(), key=m.to.index)",
        "m = search()[0]\nx = list(map(m.id.find, ['a']))",
        "m = search()[0]\nx = '%s' % m.id.lower\nx %= m.id.lower",
        "m = search()[0]\nx = sum([], m.id.lower)",
        "class Box(BaseModel):\n    copy: str\nb = Box(copy='a')\nx = b.copy + 'a'",
        "x = (search() if anything() else {}).copy\nx()",
        "x = anything().lower + 'a'",
        "x = datetime.now().year + 1",
    ],
)
def test_a_method_may_be_handed_over(program: str) -> None:
    """As a value it is a function; and a field with the name of a method is no method."""
    prepare(program, SIGNATURES)


@pytest.mark.parametrize(
    "program",
    [
        "xs = []\nxs.append('b')\nxs.sort()",
        "m = latest()\nm.model_dump()\nm.subject.lower()",
        "mails = list(search())\nmails.append(mails[0])\nmails.sort(key=lambda m: m.size)",
        "mails = search()[:2]\nmails.append(1)",
        "mails = search()\nmails += [1]\nmails.append(2)",
        "mails = sorted(search(), key=lambda m: m.size)\nmails.reverse()",
        "x = search() if anything() else []\nx.append(1)",
        "x = 'a' if anything() else [1]\nx.append(1)\nx.lower()",
        "answer(', '.join(m.subject for m in search()))",
        "class Color(str, Enum):\n    RED = 'red'\nColor.RED.upper()\nColor.RED.value.upper()",
        "n = True\nn.bit_length()\n(1.5).is_integer()",
        "k = quarantined('?', returns=Literal['a', 'b'])\nk.upper()",
    ],
)
def test_a_method_that_may_be_there_is_left_to_the_run(program: str) -> None:
    """Copies change, and a value of several kinds may be the one that has it."""
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


# Names that were there before


@pytest.mark.parametrize(
    ("kept", "program", "message"),
    [
        (ListOf(MAIL), "answer(x[0].date)", f"line 1: {NO_DATE}"),
        (OptionalOf(MAIL), "answer(x.date)", f"line 1: {NO_DATE}"),
        (STR, "answer('a' + x.foo)", f"line 1: a text has no field foo; {TEXTS}"),
    ],
)
def test_a_name_of_an_earlier_program_has_its_type(kept: Type, program: str, message: str) -> None:
    """As it was declared."""
    with pytest.raises(ProgramRefused) as refused:
        prepare(program, SIGNATURES, {"x": kept})
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("kept", "program"),
    [
        (None, "answer(x.date)"),
        (ListOf(STR), "x.append(search()[0])\nanswer(x[-1].subject)"),
        (ListOf(STR), "y.append(search()[0])\nanswer(x[-1].subject)"),
        (Menu(("a",), "Color"), "answer(x.anything)"),
    ],
)
def test_what_is_not_known_of_an_earlier_name_is_left_to_the_run(kept: Type | None, program: str) -> None:
    """Its lists may have been made by the program before, and be changed; they may go by another name, too."""
    prepare(program, SIGNATURES, {"x": kept, "y": kept})


# The types that are told


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("x = search()", ListOf(MAIL)),
        ("x = [m.subject for m in search()]", ListOf(STR)),
        ("x = latest()", OptionalOf(MAIL)),
        ("x = 'a' + 'b'", STR),
        ("x = 1\nx = 'a'", None),
        ("x = 1\nx = 2.5", FLOAT),
        ("x = 1\nx = None", OptionalOf(INT)),
        ("x = quarantined('?', returns=Literal['a', 'b'])", Menu(("a", "b"))),
        ("class T(BaseModel):\n    a: str\nx = T(a='b')", RecordType("T", (Field("a", STR),))),
        ("class T(BaseModel):\n    a: str\nx = T(a=1)", None),
        ("x = []\nx.append(x)", None),
        ("x = {'a': 1}", None),
        ("y = 'a'\nfor n in [1]:\n    x = y\n    y = [1]", None),
        ("x = 'a'\ndef f(x):\n    return x\nf([1])", None),
        ("x = 'a'\ny = [x for x in [1]]", None),
    ],
)
def test_the_type_of_a_name(program: str, expected: Type | None) -> None:
    """One type for all that is assigned to it anywhere, also to another variable of that name; None if there is no one type."""
    assert declared_types(prepare(program, SIGNATURES), {}).names["x"] == expected


# Cost


def _steps(program: str) -> int:
    analysis = prepare(program, SIGNATURES)
    return declared_types(analysis, {}).facts.steps


@pytest.mark.parametrize(
    "part",
    [
        "x{0} = [m.subject for m in search() if m.size > {0}]\nfor y{0} in x{0}:\n    answer(y{0}.lower())\n",
        "x{1} = x{0}\n",
        "def f{1}(m):\n    return f{0}(m)\n",
        "x0.append({0})\nx0.append('a{0}')\nanything().append(x0)\n",
        "f0 = anything()\nf0(lambda m: m.date)\ny{0} = f0(x0)\n",
    ],
)
def test_the_steps_grow_as_the_program_does(part: str) -> None:
    """Twice the program takes about twice the steps: of each expression little is ever learned anew."""

    def program(size: int) -> str:
        parts = "".join(part.format(number, number + 1) for number in range(size))
        return "x0 = [1]\ndef f0(m):\n    return m\n" + parts

    assert _steps(program(200)) < 2.5 * _steps(program(100))


def test_names_that_are_assigned_backwards_settle() -> None:
    """Each name learns a few alternatives, then is unknown; so a loop against the order of assignments ends soon."""
    names = 60
    lines = [f"    x{number} = x{number - 1}" for number in range(names, 0, -1)]
    program = "".join(f"x{number} = {number}\n" for number in range(names + 1))
    program += "for i in range(3):\n" + "\n".join(lines) + "\n    x0 = 'a'"
    assert _steps(program) < 40 * names


def test_a_message_depends_on_text_and_declarations_alone() -> None:
    """Of several kinds it speaks of the same one each time, whatever the order in which they were found."""
    one = "x = 'a'\nx = search()[0]\nx = 1\nx.foo"
    other = "x = 1\nx = search()[0]\nx = 'a'\nx.foo"
    assert (
        refusal(one) == refusal(other) == "line 4: Email has no field foo; its fields are id, subject, size, to, title"
    )


def test_checking_twice_says_the_same() -> None:
    """The check changes nothing of the analysis."""
    analysis: Analysis = prepare("m = search()[0]\nanswer(m.subject)", SIGNATURES)
    check_types(analysis)
    assert isinstance(analysis.program.body[0], ast.Assign)


# Names without a value


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x += 1", "line 1: x is used before it has a value; assign it first"),
        ("x = x + 1", "line 1: x is used before it has a value; assign it first"),
        ("print(y)\ny = 1", "line 1: y is used before it has a value; assign it first"),
        ("z = [v for v in z]", "line 1: z is used before it has a value; assign it first"),
        ("print(c)\nfor c in [1]:\n    pass", "line 1: c is used before it has a value; assign it first"),
    ],
)
def test_a_name_that_cannot_have_a_value_yet_is_refused(source: str, message: str) -> None:
    """Before anything runs: no statement that comes first could give it one."""
    assert refusal(source) == message


@pytest.mark.parametrize(
    "source",
    [
        "for i in [1, 2]:\n    if i > 1:\n        print(z)\n    z = i",
        "def f():\n    return w\n\n\nw = 1\nf()",
        "q = (q := 3) + 1",
        "s = [s for s in [1]]",
        "try:\n    print(late)\nexcept NameError:\n    pass\nlate = 1",
    ],
)
def test_a_name_that_may_have_a_value_is_left_to_the_run(source: str) -> None:
    """A loop, a function or a comprehension may come by a second time, and a `try` may ask on purpose."""
    prepare(source, SIGNATURES)
