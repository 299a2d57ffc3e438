"""What a document's process says is checked: no frame that does not fit is taken, and all is bounded before it is decoded."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.tools.documents.document import Line, Page
from armslength.tools.documents.wire import (
    HEAD,
    MOST_CHARACTERS,
    MOST_FRAME,
    MOST_LINES,
    MOST_NOTES,
    MOST_OUTPUT,
    MOST_PAGES,
    Full,
    Misfit,
    Output,
    Received,
    packed,
)

LOCKED = packed({"locked": True})


def _raw(content: bytes) -> bytes:
    return HEAD.pack(len(content)) + content


@pytest.mark.parametrize(
    "said",
    [
        packed({"page": 1, "lines": []}),
        packed({"end": True}),
        packed({"note": "x"}),
        LOCKED + LOCKED,
        LOCKED + packed({"page": 0, "lines": []}),
        LOCKED + packed({"page": MOST_PAGES + 1, "lines": []}),
        LOCKED + packed({"page": True, "lines": []}),
        LOCKED + packed({"page": "1", "lines": []}),
        LOCKED + packed({"page": 2, "lines": []}) + packed({"page": 1, "lines": []}),
        LOCKED + packed({"page": 1, "lines": ["x"]}),
        LOCKED + packed({"page": 1, "lines": [["x", 1]]}),
        LOCKED + packed({"page": 1, "lines": [["x", 1, 1.5]]}),
        LOCKED + packed({"page": 1, "lines": [["x", 1, 10**9]]}),
        LOCKED + packed({"page": 1, "lines": [["x" * 20_001, 1, 1]]}),
        LOCKED + packed({"page": 1, "lines": [[{"text": "x"}, 1, 1]]}),
        LOCKED + packed({"end": False}),
        LOCKED + packed({"end": True}) + packed({"note": "more"}),
        LOCKED + packed({"failed": "damaged"}) + packed({"end": True}),
        LOCKED + packed({"else": 1}),
        LOCKED + packed([]),
        LOCKED + packed({"note": "x"}) * (MOST_NOTES + 1),
        LOCKED + _raw(b"[" * 100_000),
        LOCKED + _raw(b"9" * 100_000),
        LOCKED + _raw(b"\xff\xfe"),
        LOCKED + _raw(b'{"page": 1, "page": NaN}'),
        LOCKED + HEAD.pack(MOST_FRAME + 1),
    ],
)
def test_what_is_no_frame_is_refused(said: bytes) -> None:
    """The last branch refuses, and nothing comes before the process says that it is locked."""
    with pytest.raises(Misfit):
        Received().take(said)


def test_too_many_bytes_lines_or_characters_are_refused() -> None:
    """The process has these bounds too; here they hold whatever became of it."""
    few = packed({"page": 1, "lines": [["", 0, 0]] * 10_000})
    received = Received()
    received.take(LOCKED + few * (MOST_LINES // 10_000))
    with pytest.raises(Misfit):
        received.take(few)
    long = packed({"page": 1, "lines": [["x" * 20_000, 0, 0]]})
    received = Received()
    received.take(LOCKED + long * (MOST_CHARACTERS // 20_000))
    with pytest.raises(Misfit):
        received.take(long)
    received = Received()
    empty = _raw(b'{"page": 1, "lines": []' + b" " * 200_000 + b"}")
    received.take(LOCKED + empty * (MOST_OUTPUT // len(empty)))
    with pytest.raises(Misfit):
        received.take(empty)


def test_an_unknown_failure_is_damage() -> None:
    """A failure is one of a fixed list, so that no word of the document stands in a message."""
    received = Received()
    received.take(LOCKED + packed({"failed": "click here: https://evil.example"}))
    assert received.failure == "damaged"


def test_what_no_line_can_hold_is_replaced() -> None:
    """Line ends, controls and halves of characters would end a line or a mark, or could not be written down."""
    received = Received()
    text = json.dumps("a\nb\x1b[2J\u2028c\ud800").encode()
    received.take(LOCKED + _raw(b'{"page": 1, "lines": [[' + text + b", 0, 0]]}"))
    assert received.pages == (Page(1, (Line("a\ufffdb\ufffd[2J\ufffdc\ufffd"),)),)


@given(st.binary(max_size=200), st.lists(st.integers(1, 40)))
def test_any_bytes_are_frames_or_refused(said: bytes, cuts: list[int]) -> None:
    """No other error comes of what a process says, however it is cut."""
    received, rest = Received(), LOCKED + said
    try:
        for cut in [*cuts, len(rest)]:
            received.take(rest[:cut])
            rest = rest[cut:]
    except Misfit:
        return
    assert received.is_locked


@given(st.lists(st.tuples(st.text(), st.floats(), st.floats()), max_size=20))
def test_what_is_written_is_heard(lines: list[tuple[str, float, float]]) -> None:
    """Both ends agree about every text and every place, cut as the bounds say."""
    received = Received()
    received.take(LOCKED)
    output = Output(received.take)
    for line in lines:
        output.line(*line)
    output.end()
    assert received.is_whole
    heard = [line.text for page in received.pages for line in page.lines]
    assert len(heard) == len(lines)


def test_the_process_stops_at_its_bounds_with_a_note() -> None:
    """What is too long is cut and said to be."""
    for fill, note in (
        (lambda output: [output.line("x" * 20_000) for _ in range(200)], "cut here: more text follows"),
        (lambda output: [output.line("") for _ in range(200_000)], "cut here: more text follows"),
        (lambda output: [output.page(at) for at in range(1, 5_000)], "cut here: only 2,000 pages are read"),
    ):
        received = Received()
        received.take(LOCKED)
        output = Output(received.take)
        with pytest.raises(Full):
            fill(output)
        output.end()
        assert received.is_whole and received.notes == [note]
