"""What is foreseen of names before a run: types, whose words they may hold, and that this is an upper bound of what a run gives them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.laws.programs import program
from tests.laws.world import SIGNATURES, Inputs, World

from armslength.errors import ArmslengthError, ProgramRefused
from armslength.language import prepare, run
from armslength.language.foreseeing.foresight import Foreseen, foresee, scope_of
from armslength.language.kept.keeping import unshared
from armslength.schema import BOOL, NONE, STR, Field, ListOf, Menu, Origin, Parameter, RecordType, Signature, describe
from armslength.values import Permit, Value, parts, release

EMAIL = RecordType("Email", (Field("id", STR), Field("body", STR), Field("is_unread", BOOL)))
CONTACT = RecordType("Contact", (Field("name", STR), Field("email", STR)))
TOOLS = (
    Signature("mails", (), ListOf(EMAIL), origin=Origin("mail")),
    Signature("contacts", (Parameter("name", STR),), ListOf(CONTACT), origin=Origin("contacts", is_trusted=True)),
    Signature("page", (Parameter("url", STR),), STR, origin=Origin("web")),
    Signature("pick", (), Menu(("a", "b")), origin=Origin("program", is_trusted=True)),
    Signature("undeclared", (), STR),
    Signature("tell", (Parameter("text", STR),), NONE),
)


def seen(source: str, earlier: Mapping[str, Foreseen] | None = None) -> dict[str, Foreseen]:
    """What is foreseen of a program's names."""
    kept = {name: each.type for name, each in (earlier or {}).items()}
    return dict(foresee(prepare(source, TOOLS, kept), earlier or {}))


def classes(source: str) -> dict[str, str]:
    """Each name's class in words."""
    return {name: f"{each.trust} {' '.join(each.kinds)}" for name, each in seen(source).items()}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 1", "trusted program"),
        ("x = mails()", "untrusted mail"),
        ("x = mails()[0].body", "untrusted mail"),
        ("x = contacts('Kim')[0].email", "trusted program contacts"),
        ("x = page('https://a.example') + mails()[0].body", "untrusted mail web"),
        ("x = undeclared()", "untrusted tool"),
        ("x = tell(mails()[0].body)", "trusted program"),
        ("x = contacts(mails()[0].body)", "untrusted mail"),
        ("x = quarantined('?', mails())", "untrusted mail quarantined"),
        ("x = quarantined('?', mails(), returns=bool)", "chosen mail quarantined"),
        ("x = quarantined('?', mails(), returns=list[bool])", "untrusted mail quarantined"),
        ("x = len(mails()) > 3", "chosen mail"),
        ("x = 'a' if mails() else 'b'", "chosen mail"),
        ("x = mails()[0].body if pick() == 'a' else 'b'", "untrusted mail"),
        ("x = 'a'\nif mails():\n    x = 'b'", "chosen mail"),
        ("x = 'a'\nfor m in mails():\n    if m.is_unread:\n        x = 'b'", "chosen mail"),
        ("x = 0\nfor m in mails():\n    x += 1", "untrusted mail"),
        ("x = 'a'\nfor m in mails():\n    if m.is_unread:\n        break\n    x = 'b'", "chosen mail"),
        ("x = []\nx.append(mails()[0].body)", "untrusted mail"),
        ("x = []\ny = x\ny.append(mails()[0].body)", "untrusted mail"),
        ("x = []\nbox = {'a': [x]}\nbox['a'][0].append(mails()[0].body)", "untrusted mail"),
        ("x = []\ndef add(to):\n    to.append(mails()[0].body)\nadd(x)", "untrusted mail"),
        ("x = [1]\nif mails():\n    len(x)", "chosen mail"),
        ("x = [1, 2]\nsorted(mails(), key=lambda m: m.body)", "trusted program"),
        ("x = sorted(mails(), key=lambda m: m.id)[-1]", "untrusted mail"),
        ("x = list(map(lambda n: n + 1, [1, 2]))", "trusted program"),
        ("def f(n):\n    return n\nx = f(mails()[0].body)", "untrusted mail"),
        ("def f(n):\n    if n:\n        return 'a'\n    return 'b'\nx = f(mails()[0].body)", "untrusted mail"),
        ("x = 'a'\ndef f():\n    return mails()\n[f][0]()", "trusted program"),
        ("try:\n    x = int(mails()[0].body)\nexcept ValueError:\n    x = 0", "untrusted mail"),
        ("try:\n    int(mails()[0].body)\n    x = 1\nexcept ValueError:\n    x = 0", "chosen mail"),
        ("x = 0\nmatch mails()[0].body:\n    case 'a':\n        x = 1\n    case _:\n        x = 2", "chosen mail"),
        ("x = 1\ny = [(x := n) for n in [len(mails())]]", "untrusted mail"),
        ("x = [m.id for m in contacts('a') for m in mails()]", "untrusted mail"),
        ("x = {mails()[0].body: 1}", "untrusted mail"),
        ("x = f'{mails()[0].body}'", "untrusted mail"),
        ("x = 'abc'[len(mails()) % 3]", "untrusted mail"),
        ("x, y = mails()[0].body, 1", "untrusted mail"),
        ("y, x = mails()[0].body, 1", "trusted program"),
    ],
)  # fmt: skip
def test_the_class_of_a_name(source: str, found: str) -> None:
    """Whatever may be assigned to it, put into it or into what it may share, and whatever decides over that."""
    assert classes(source)["x"] == found


def test_a_type_is_the_declared_one() -> None:
    """As far as the text tells it, few literals included."""
    found = seen("a = mails()\nb = a[0].body\nc = pick() == 'a'\nd = 'x' if c else None\ne = [b, 1]\n")
    told = {name: None if each.type is None else describe(each.type) for name, each in found.items()}
    assert told == {"a": "list[Email]", "b": "str", "c": "bool", "d": "Optional[str]", "e": None}


@pytest.mark.parametrize(
    "source",
    [
        "if mails():\n    x = 1",
        "for m in mails():\n    x = m",
        "x = 1\ndel x",
        "x = lambda: 1",
        "x = [len]",
        "def x():\n    return 1",
        "def f():\n    return lambda: 1\nx = f()",
        "x = 1\nraise ValueError('no')",
        "y = [x for x in [1]]",
        "def f():\n    x = 1\n    return x",
        "while mails():\n    x = 1\n    break",
        "try:\n    x = int('1')\nexcept ValueError:\n    pass",
    ],
)
def test_a_name_that_may_not_be_there_or_may_be_a_function_is_none(source: str) -> None:
    """It has to have a value on every way to the end, by the text alone."""
    assert "x" not in seen(source)


def test_names_that_are_left_alone_stay_as_they_were() -> None:
    """What a program does not mention is what it was; what it assigns anew is new, and what it reads may change."""
    earlier = seen("a = mails()\nb = 1\nc = [1]\nd = mails()\n")
    later = seen("b = a[0].body\nc.append(a[0].body)\nd = 2\n", earlier)
    assert later["a"].trust == later["b"].trust == later["c"].trust == "untrusted"
    assert (later["d"].trust, later["d"].choices) == ("trusted", (2,))
    assert seen("x = 1", earlier)["a"] is earlier["a"]
    assert set(seen("del a\nif b:\n    e = 1", earlier)) == {"b", "c", "d"}


def test_a_program_that_never_ends_leaves_what_it_does_not_assign() -> None:
    """What came before is there still, but for what it was to assign."""
    earlier = seen("a = 1\nb = 2\n")
    assert set(seen("a = 3\nraise ValueError('no')", earlier)) == {"b"}


def test_what_is_read_of_earlier_programs_is_known_before() -> None:
    """A name that is assigned first is not read; one that is assigned on one way is left in place on the other."""
    earlier = seen("a = 1\nb = 2\nc = 3\nd = 4")
    scope = scope_of(prepare("a = 5\nx = a + b\nif x:\n    c = 6\n", TOOLS, dict.fromkeys(earlier, None)), earlier)
    assert dict(scope.reads) == {"b": 2}
    assert set(scope.live) == {"b", "c"}
    assert scope.touched == {"a", "b", "c", "x"}


@pytest.mark.parametrize(
    ("source", "touches"),
    [
        ("x = 1 + 1", False),
        ("tell('a')", False),
        ("contacts('Kim')", False),
        ("mails()", True),
        ("quarantined('?', 'x')", True),
        ("undeclared()", True),
        ("answer(old)", True),
    ],
)
def test_whether_a_program_touches_data_of_others(source: str, *, touches: bool) -> None:
    """By its text and the declarations of its tools."""
    earlier = {"old": seen("old = mails()")["old"]}
    assert scope_of(prepare(source, TOOLS, {"old": None}), earlier).touches_data is touches


TRUSTED = {"secret", "secret_word", "secrets", "shared"}
LAWS = tuple(
    replace(each, origin=Origin("contacts" if each.name in TRUSTED else "mail", is_trusted=each.name in TRUSTED))
    for each in SIGNATURES
)
RUNS = ((0, 0, 0), (1, 2, 1), (2, 1, 0))


def bound(foreseen: Mapping[str, Foreseen], names: Mapping[str, Value]) -> list[str]:
    """The names that a run gave another label, or another literal, than was foreseen."""
    found = []
    for name, each in foreseen.items():
        labels = parts(names[name])
        is_bounded = each.trust == "untrusted" or all(
            label.is_trusted if each.trust == "trusted" else label.is_chosen for label in labels
        )
        data = release(names[name], Permit("law", "policy")).data if each.choices is not None else None
        is_listed = each.choices is None or any(type(data) is type(one) and data == one for one in each.choices)
        if not (is_bounded and is_listed):
            found.append(name)
    return found


@pytest.mark.parametrize("number", range(24))
def test_a_run_gives_no_name_more_than_was_foreseen(number: int) -> None:
    """Over random programs and inputs: who may have written or chosen what is under a name, and which literals it can be."""
    try:
        analysis = prepare(program(number), LAWS)
    except ProgramRefused:
        return
    foreseen = foresee(analysis, {})
    for inputs in RUNS:
        try:
            names = run(analysis, World(Inputs(inputs, (1, 2))))
        except ArmslengthError:
            continue
        assert bound(foreseen, names) == [], number


def halves(source: str) -> tuple[str, str]:
    """A program in two, at the middle of its statements."""
    body = ast.parse(source).body
    return ast.unparse(ast.Module(body[: len(body) // 2], [])), ast.unparse(ast.Module(body[len(body) // 2 :], []))


def test_a_second_program_gives_no_name_more_than_was_foreseen() -> None:
    """The same for a program that goes on with the names of another; those that need its functions and classes are refused."""
    ended = 0
    for number in range(2, 200, 6):
        first, second = halves(program(number))
        try:
            one = prepare(first, LAWS)
            foreseen = foresee(one, {})
            two = prepare(second, LAWS, {name: each.type for name, each in foreseen.items()})
            names = run(one, World(Inputs((1, 2, 1), (1, 2))))
            values = {name: unshared(names[name], lambda _count: None) for name in foreseen}
            kept = {name: value for name, value in values.items() if value is not None}
            scope = scope_of(two, foreseen)
            assert scope.reads.keys() <= kept.keys()
            left = run(two, World(Inputs((1, 2, 1), (1, 2))), kept=kept)
        except ArmslengthError:
            continue
        assert bound(foresee(two, foreseen), left) == [], number
        ended += 1
    assert ended >= 12
