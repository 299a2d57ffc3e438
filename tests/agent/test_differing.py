"""How a text differs from the one before: nothing that goes or comes is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.agent.showing.differing import NO_NEWLINE, Line, difference

TEXTS = st.none() | st.lists(st.sampled_from(["a", "b", "\r", " ", "-", "x y"]), max_size=30).map("\n".join)


def whole(text: str | None) -> list[str]:
    """The lines of a text as they are counted."""
    lines = (text or "").split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], lines[-1] + NO_NEWLINE]


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_difference(before: str | None, after: str | None) -> None:
    """Lines that stay or go are the one, lines that stay or come the other; what is not shown is counted and in both."""
    old, new = whole(before), whole(after)
    for line in difference(before, after):
        count = int(line.text) if line.sign == "…" else 1
        went, came = old[:count], new[:count]
        if line.sign == "…":
            assert went == came
        if line.sign in "- ":
            assert went == [line.text]
        if line.sign in "+ ":
            assert came == [line.text]
        old = old[count:] if line.sign != "+" else old
        new = new[count:] if line.sign != "-" else new
    assert (old, new) == ([], [])


def test_lines_far_from_a_change_are_counted() -> None:
    """Three lines around it stand there."""
    before = "".join(f"{number}\n" for number in range(10))
    assert difference(before, before + "end") == [
        Line("…", "7"), Line(" ", "7"), Line(" ", "8"), Line(" ", "9"), Line("+", "end ⟨no newline⟩"),
    ]  # fmt: skip


def test_a_line_that_says_it_has_no_newline_is_another_line() -> None:
    """Words of others that look like our mark are none: the line that comes stands there."""
    signs = [line.sign for line in difference("a\nb", f"a\nb{NO_NEWLINE}\n")]
    assert signs == [" ", "-", "+"]


def test_a_last_line_that_gets_its_newline_changes() -> None:
    """An append after a text that no newline ends changes the bytes of its last line."""
    assert difference("a", "a\nb\n") == [Line("-", "a ⟨no newline⟩"), Line("+", "a"), Line("+", "b")]


@pytest.mark.parametrize(("before", "after"), [(None, None), (None, ""), ("", ""), ("a\n", "a\n")])
def test_where_nothing_changes_nothing_goes_or_comes(before: str | None, after: str | None) -> None:
    """No line, or the count of those that stay."""
    assert [line.sign for line in difference(before, after)] in ([], ["…"])


def test_large_texts_are_compared_in_bounded_time() -> None:
    """Two megabytes that have nothing in common: the old lines go, the new ones come."""
    before, after = "a\n" * 500_000, "b\n" * 500_000
    lines = difference(before, after)
    assert (len(lines), lines[0], lines[-1]) == (1_000_000, Line("-", "a"), Line("+", "b"))
