"""How regions end: what leaves one takes what its context gained, whoever wrote it and whichever branch ran."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.language.world import FOREIGN, SIGNATURES, World

from armslength.labels import LITERAL, Label
from armslength.language import prepare, run
from armslength.values import DictObject, IteratorObject, ListObject, SetObject, Value, unwrap

LANGUAGE = Path(__file__).parents[2] / "src" / "armslength" / "language"
FLAG = "flag = search('x')[0].is_unread\n"
"""Untrusted, for the user alone; True."""


def named(source: str) -> Value:
    """The value of x at the end of a program."""
    return run(prepare(FLAG + source, SIGNATURES), World())["x"]


def assert_chosen_by_others(label: Label) -> None:
    """Its data is the program's, or nobody's, and the mail chose it, which only the user may learn."""
    assert FOREIGN.data <= label.choice | label.data
    assert label.bits > 0
    assert label.steer == FOREIGN.readers


@pytest.mark.parametrize(
    "source",
    [
        "x = flag and 1",
        "x = not flag or 1",
        "x = 1 if flag else 2",
        "x = 1 if not flag else 2",
        "def f():\n    if flag:\n        return 1\n    return 2\nx = f()",
        "def f():\n    if not flag:\n        return 1\nx = f()",
    ],
)
def test_a_value_that_leaves_a_region_takes_its_gain(source: str) -> None:
    """`and`, `or`, a choice of two, a call: a literal of the program comes out, and the mail chose it."""
    label = named(source).label
    assert label.is_chosen
    assert_chosen_by_others(label)


@pytest.mark.parametrize(
    "source",
    ["[1 for y in [1] if flag]", "{1 for y in [1] if flag}", "{1: 2 for y in [1] if flag}", "(1 for y in [1] if flag)"],
)
def test_what_a_comprehension_makes_takes_its_gain_in_its_shape(source: str) -> None:
    """The reference is new and says nothing; which parts there are, the mail chose."""
    value = named(f"x = {source}")
    made = unwrap(value)
    assert isinstance(made, ListObject | SetObject | DictObject | IteratorObject)
    assert value.label.guards is LITERAL.guards
    assert_chosen_by_others(made.shape)


@pytest.mark.parametrize(
    "failing", ["1 // 0 if flag else 2", "flag and 1 // 0", "f()", "[1 // 0 for y in [1] if flag]"]
)
def test_a_region_that_fails_is_over(failing: str) -> None:
    """What comes after the `try` that caught it is as if it had never been."""
    f = "def f():\n    if flag:\n        return 1 // 0\n"
    assert named(f"{f}try:\n    {failing}\nexcept ZeroDivisionError:\n    pass\nx = 1").label is LITERAL


# From the source: nobody leaves a value and forgets the gain

WITHOUT_A_VALUE = {"BRANCH", "LOOP", "TRY"}
ITS_CALLERS_TELL = "operations/calling.py: _guarded"
"""What several calls give: how many there are is in the shape that the caller makes, which whoever decided it labels."""


def regions() -> dict[str, tuple[set[str], set[str]]]:
    """For each function that begins a region, of which kinds, and by what it ends it."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for path in LANGUAGE.rglob("*.py"):
        for function in ast.parse(path.read_text(encoding="utf-8")).body:
            kinds, ends = set[str](), set[str]()
            for node in ast.walk(function):
                match node:
                    case ast.Call(func=ast.Attribute(attr="enter"), args=[ast.Attribute(attr=kind), *_]):
                        kinds.add(kind)
                    case ast.Call(func=ast.Attribute(attr="leave" | "leave_with" | "leave_made" as end)):
                        ends.add(end)
                    case _:
                        pass
            if kinds and isinstance(function, ast.FunctionDef):
                found[f"{path.relative_to(LANGUAGE).as_posix()}: {function.name}"] = kinds, ends
    return found


def test_whatever_leaves_a_value_ends_its_region_with_it() -> None:
    """Statements alone end a region without a value; expressions, calls and comprehensions hand over what they leave."""
    found = regions()
    assert found.pop(ITS_CALLERS_TELL) == ({"EXPRESSION"}, {"leave"})
    assert {
        name for name, (kinds, ends) in found.items() if (kinds <= WITHOUT_A_VALUE) is not (ends == {"leave"})
    } == set()
    assert {end for _, ends in found.values() for end in ends} == {"leave", "leave_with", "leave_made"}
