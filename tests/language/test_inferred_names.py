"""What type a name has, and names of earlier programs; what a check costs and says."""

import ast

import pytest
from tests.language.inferring import MAIL, NO_DATE, SIGNATURES, TEXTS, refusal

from armslength.errors import ProgramRefused
from armslength.language import Analysis, prepare
from armslength.language.checking.inference import declared_types
from armslength.language.checking.misfits import check_types
from armslength.schema import (
    FLOAT,
    INT,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    RecordType,
    Type,
)

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
