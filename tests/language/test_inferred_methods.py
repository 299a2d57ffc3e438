"""Methods that a value does not have, called or handed over, are refused before the run."""

import pytest
from tests.language.inferring import SIGNATURES, refusal

from armslength.language import prepare

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
