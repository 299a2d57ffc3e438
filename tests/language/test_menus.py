"""Which few literals an expression can be, by the text."""

from __future__ import annotations

import ast

import pytest

from armslength.language import prepare
from armslength.language.checking.inference import declared_types
from armslength.language.foreseeing.menus import MOST_CHOICES, Choice, Menus
from armslength.schema import BOOL, STR, Field, ListOf, Menu, OptionalOf, RecordType, Signature

TASK = RecordType("Task", (Field("title", STR), Field("is_done", BOOL), Field("size", Menu(("s", "l")))))
TOOLS = (
    Signature("tasks", (), ListOf(TASK)),
    Signature("pick", (), Menu(("a", "b"))),
    Signature("maybe", (), OptionalOf(BOOL)),
    Signature("text", (), STR),
)


def of_x(source: str, earlier: dict[str, tuple[Choice, ...] | None] | None = None) -> tuple[Choice, ...] | None:
    """What `x` can be."""
    analysis = prepare(source, TOOLS, dict.fromkeys(earlier or {}, None))
    types = declared_types(analysis, dict.fromkeys(earlier or {}, None))
    return Menus(analysis.program.body, types.of, earlier or {}).of_name("x")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 'a'", ("a",)),
        ("x = None", (None,)),
        ("x = 'a'\nif text():\n    x = 'b'", ("a", "b")),
        ("x = 'a' if text() else 1", ("a", 1)),
        ("x = text() == 'a'", (False, True)),
        ("x = not text()", (False, True)),
        ("x = any([text()])", (False, True)),
        ("x = text().startswith('a')", (False, True)),
        ("x = pick()", ("a", "b")),
        ("x = maybe()", (None, False, True)),
        ("x = tasks()[0].is_done", (False, True)),
        ("x = tasks()[0].size", ("s", "l")),
        ("x = quarantined('?', text(), returns=Literal['p', 'q'])", ("p", "q")),
        ("x = quarantined('?', text(), returns=Optional[bool])", (None, False, True)),
        ("y = 'a'\nx = y", ("a",)),
        ("x = 'a'\ny = x\nx = y", ("a",)),
        ("x = 'a'\nx = x or 'b'", ("a", "b")),
        ("x = 1\nx = True", (1, True)),
        ("x: str = 'a'", ("a",)),
        ("y = (x := 'a')", ("a",)),
        ("x = text()", None),
        ("x = 1.5", None),
        ("x = ['a']", None),
        ("x = 'a' + 'b'", None),
        ("x = 'a'\nx += 'b'", None),
        ("x = 'a'\nfor x in ['b']:\n    pass", None),
        ("x = 'a'\nx, y = 'b', 'c'", None),
        ("x = 'a'\ndef f(x):\n    return x\nf(1)", None),
        ("x = 'a'\ntry:\n    text()\nexcept ValueError as x:\n    pass", None),
        ("x = 'a'\nmatch text():\n    case x:\n        pass", None),
        ("x = 'a'\ny = [x for x in ['b']]", None),
        ("x = quarantined('?', text())", None),
    ],
)  # fmt: skip
def test_the_literals_of_a_name(source: str, found: tuple[Choice, ...] | None) -> None:
    """Each once, and none if anything else may stand under it."""
    chosen = of_x(source)
    assert chosen == found
    assert chosen is None or [type(each) for each in chosen] == [type(each) for each in found or ()]


def test_literals_of_earlier_programs_count() -> None:
    """What a name was before is among what it can be, and what was unknown stays so."""
    assert of_x("if text():\n    x = 'b'", {"x": ("a",)}) == ("a", "b")
    assert of_x("if text():\n    x = 'b'", {"x": None}) is None
    assert of_x("x = old", {"old": ("a",)}) == ("a",)


def test_too_many_are_as_good_as_unknown() -> None:
    """The bound is that of menus."""
    many = "\n".join(f"x = {number}" for number in range(MOST_CHOICES))
    assert len(of_x(many) or ()) == MOST_CHOICES
    assert of_x(f"{many}\nx = -{MOST_CHOICES}\nx = {MOST_CHOICES}") is None


def test_names_that_double_are_followed_once() -> None:
    """A chain of names, each made of the one before twice, does not cost twice as much with each."""
    chain = "a0 = 'a'\n" + "".join(f"a{n + 1} = a{n} or a{n}\n" for n in range(200)) + "x = a200"
    assert of_x(chain) == ("a",)
    assert ast.parse(chain)
