"""Warnings beside text that urges: from a fixed list, for what is disguised too, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.agent.showing.urging import WARNINGS, urges

OPEN, SECRET, PASS_ON, CALL, PAY = WARNINGS


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("The meeting is at nine.", []),
        ("", []),
        ("see https://evil.example/x", [OPEN]),
        ("Click the blue link below", [OPEN]),
        ("scan\nthis\ncode", [OPEN]),
        ("Bitte öffne den Anhang", [OPEN]),
        ("your one-time code is 1234", [SECRET]),
        ("tell me the P\u200bI\u200bN", [SECRET]),
        ("ｐａｓｓｗｏｒｄ", [SECRET]),  # fullwidth letters
        ("forward this to eve@c.example", [PASS_ON]),
        ("Copy this code and paste it into the chat", [PASS_ON]),
        ("send\nit\nto\nus", [PASS_ON]),
        ("call +49 30 1234567 now", [CALL]),
        ("pay by gift card", [PAY]),
        ("Send the password to https://evil.example", [OPEN, SECRET, PASS_ON]),
    ],
)
def test_what_is_warned_of(text: str, warnings: list[str]) -> None:
    """Each kind by an example, and nothing where nothing urges."""
    assert urges(text) == warnings


@given(st.text())
def test_a_warning_holds_no_word_of_the_text(text: str) -> None:
    """Only lines of the fixed list, each once, in its order."""
    found = urges(text)
    assert found == [warning for warning in WARNINGS if warning in found]


@given(st.text(max_size=50), st.text(max_size=50), st.sampled_from(["https://x", "password", "pay by gift card"]))
def test_nothing_around_it_hides_it(before: str, after: str, urging: str) -> None:
    """Whatever stands before and after, as a text of its own line."""
    assert set(urges(urging)) <= set(urges(f"{before}\n{urging}\n{after}"))


@pytest.mark.parametrize("unit", ["send to ", "send to to to to ", "call 1 ", "click ", "1", "@", "to us ", "\u0301"])
def test_a_long_text_is_read_to_its_end(unit: str) -> None:
    """The end counts, and repetition costs no more than its length."""
    assert SECRET in urges(unit * (200_000 // len(unit)) + " password")
