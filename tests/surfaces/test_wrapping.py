"""Breaking lines at the terminal's edge."""

from __future__ import annotations

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from armslength.agent.showing.cleaning import clean
from armslength.surfaces.wrapping import wrap


def test_a_line_that_fits_stays() -> None:
    """Nothing is added to a line as wide as the terminal."""
    assert list(wrap("x" * 20 + "\n\n日本", 20)) == ["x" * 20, "", "日本"]


def test_a_long_line_goes_on_under_its_mark() -> None:
    """Each further piece keeps the indent and the mark of words from others, and begins with the sign that it goes on."""
    assert list(wrap("  │ words of somebody else that are long", 20)) == [
        "  │ words of ",
        "  │ ┆ somebody else ",
        "  │ ┆ that are long",
    ]


def test_a_word_longer_than_the_line_is_broken() -> None:
    """Without a space in its second half a line breaks at its end; wide characters count twice."""
    assert list(wrap("a" * 30, 20)) == ["a" * 20, "┆ " + "a" * 10]
    assert list(wrap("日" * 15, 20)) == ["日" * 10, "┆ " + "日" * 5]


@pytest.mark.parametrize(
    "together", ["👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "👩🏽\u200d🚀" * 9, "\u200d".join("👨🏽" * 9)]
)
def test_what_some_terminals_draw_apart_takes_the_room_of_its_parts(together: str) -> None:
    """A family of three is as wide as three people where the terminal does not know it."""
    pieces = list(wrap(together * 20, 30))
    assert max(sum(max(wcwidth.wcwidth(char), 0) for char in piece) for piece in pieces) <= 30
    assert pieces[0] + "".join(piece.removeprefix("┆ ") for piece in pieces[1:]) == together * 20


@given(
    text=st.text().map(clean),
    width=st.integers(1, 60),
    lead=st.sampled_from(["", "   ", "  │ ", " " * 50, " " * 50 + "│ "]),
)
def test_nothing_is_lost_and_nothing_sticks_out(text: str, width: int, lead: str) -> None:
    """The pieces without their leads are the line, and none is wider than the terminal (at least 20 columns)."""
    line = lead + text.replace("\n", "")
    first, *more = wrap(line, width)
    assert first + "".join(piece.split("┆ ", 1)[1] for piece in more) == line
    assert all(wcwidth.wcswidth(piece) <= max(width, 20) for piece in (first, *more))
    assert all(sum(max(wcwidth.wcwidth(char), 0) for char in piece) <= max(width, 20) for piece in (first, *more))
    assert all("│" in piece.split("┆ ")[0] for piece in more) or "│" not in lead
