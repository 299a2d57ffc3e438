"""Of which kind a result is, the references to the operands decide: asking for it tells what decided them."""

from __future__ import annotations

import pytest
from tests.attacks.test_uncaught import MAIL, SIGNATURES, Host

from armslength.language import prepare, run
from armslength.values import ListObject, unwrap


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize(
    "made",
    ["x + x", "x * 2", "x[:1]", "x.copy() if isinstance(x, list) else x", "list(x) if isinstance(x, list) else x + x"],
)
def test_the_kind_of_what_is_made_is_steered_by_what_picked_the_operand(made: str, *, flag: bool) -> None:
    """A list in one run and a text in the other: whichever it is, the test says who chose it."""
    program = f"x = [1] if flag() else 'a'\ny = {made}\nt = isinstance(y, list)\n"
    names = run(prepare(program, SIGNATURES), Host(flag=flag))
    assert MAIL in names["t"].label.choice


def test_a_method_of_what_was_picked_takes_its_arguments_along() -> None:
    """`update` puts the list into a dict and not into a set: its shape says so either way."""
    program = "inner = [1]\nx = {'k': 1} if flag() else {1}\nif isinstance(x, dict):\n    x.update({'a': inner})\n"
    for flag in (True, False):
        names = run(prepare(program, SIGNATURES), Host(flag=flag))
        inner = unwrap(names["inner"])
        assert isinstance(inner, ListObject)
        assert MAIL in inner.shape.choice
