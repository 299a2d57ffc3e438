"""What a document's process says: frames of JSON, each behind its length in four bytes, and how they are checked here.

Whoever wrote the document may have taken that process over, so a frame is his word. What does not fit the form is refused; all of it is
bounded before it is decoded. The first frame is written before anything of the document is looked at.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from typing import Any, Literal, get_args

from armslength.tools.documents.document import Line, Page

MOST_FRAME = 256 * 1024  # bytes
MOST_OUTPUT = 16 * 1024 * 1024  # bytes of all frames
MOST_CHARACTERS = 2_000_000
MOST_LINES = 100_000
MOST_PAGES = 2_000
LONGEST_LINE = 20_000  # characters; a longer one goes on in the next
MOST_NOTES = 50
_LONGEST_NOTE = 300
_FURTHEST = 1_000_000  # points
HEAD = struct.Struct(">I")

Failure = Literal["damaged", "encrypted", "entities", "expands", "memory", "other archive", "twice", "too deep"]
FAILURES: tuple[Failure, ...] = get_args(Failure)
_NOT_IN_A_LINE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def packed(frame: object) -> bytes:
    """A frame as bytes, with its length before it."""
    content = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return HEAD.pack(len(content)) + content


class Misfit(ValueError):
    """What came is no frame of a document's process."""


class Received:
    """The frames of one document. `failure`: what it ended in, if it did."""

    def __init__(self) -> None:
        self.is_locked = self.is_whole = False
        self.failure: Failure | None = None
        self.notes: list[str] = []
        self._pages: list[tuple[int, list[Line]]] = []
        self._rest = bytearray()
        self._bytes = self._characters = self._lines = 0

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages, in order."""
        return tuple(Page(number, tuple(lines)) for number, lines in self._pages)

    def take(self, part: bytes) -> None:
        """The next bytes.

        Raises:
            Misfit: they are no frames, or too many.
        """
        self._bytes += len(part)
        _check(self._bytes <= MOST_OUTPUT)
        self._rest += part
        while len(self._rest) >= HEAD.size:
            (length,) = HEAD.unpack_from(self._rest)
            _check(length <= MOST_FRAME)
            if len(self._rest) < HEAD.size + length:
                return
            frame = bytes(self._rest[HEAD.size : HEAD.size + length])
            del self._rest[: HEAD.size + length]
            self._hear(_decoded(frame))

    def _hear(self, frame: object) -> None:
        _check(not self.is_whole and self.failure is None)
        match frame:
            case {"locked": True} if not self.is_locked:
                self.is_locked = True
            case {"page": int(number), "lines": list(lines)} if self.is_locked:
                self._hear_lines(number, lines)
            case {"note": str(note)} if self.is_locked and len(self.notes) < MOST_NOTES:
                self.notes.append(_in_line(note[:_LONGEST_NOTE]))
            case {"failed": str(failure)} if self.is_locked:
                self.failure = next((each for each in FAILURES if each == failure), "damaged")
            case {"end": True} if self.is_locked:
                self.is_whole = True
            case _:
                raise Misfit

    def _hear_lines(self, number: int, lines: list[Any]) -> None:
        last = self._pages[-1][0] if self._pages else 0
        _check(not isinstance(number, bool) and last <= number <= MOST_PAGES and number >= 1)
        if number > last:
            self._pages.append((number, []))
        read = [_line(each) for each in lines]
        self._lines += len(read)
        self._characters += sum(len(line.text) for line in read)
        _check(self._lines <= MOST_LINES and self._characters <= MOST_CHARACTERS)
        self._pages[-1][1].extend(read)


def _decoded(frame: bytes) -> object:
    try:
        return json.loads(frame)
    except (ValueError, RecursionError) as error:
        raise Misfit from error


def _line(given: object) -> Line:
    match given:
        case [str(text), int(left), int(top)] if len(text) <= LONGEST_LINE and max(abs(left), abs(top)) <= _FURTHEST:
            return Line(_in_line(text), int(left), int(top))
        case _:
            raise Misfit


def _in_line(text: str) -> str:
    return _NOT_IN_A_LINE.sub("\ufffd", text)


def _check(is_so: bool) -> None:  # noqa: FBT001  # a fact, not a flag
    if not is_so:
        raise Misfit


# --- the other end ----------------------------------------------------------------------------------------------------


class Full(Exception):
    """No more is read of this document."""


class Failed(Exception):
    """The document cannot be read."""

    def __init__(self, why: Failure) -> None:
        self.why = why
        super().__init__(why)


class Output:
    """What the process has read so far, written frame by frame."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._page, self._lines, self._held = 1, [], 0  # type: tuple[int, list[tuple[str, int, int]], int]
        self._characters = self._count = self._notes = 0

    @property
    def is_blank(self) -> bool:
        """Whether no line had any text."""
        return self._characters == 0

    def page(self, number: int) -> None:
        """What follows stands on this page.

        Raises:
            Full: there are too many.
        """
        self._flush()
        if number > MOST_PAGES:
            self.note(f"cut here: only {MOST_PAGES:,} pages are read")
            raise Full
        self._page = number
        self._write(packed({"page": number, "lines": []}))

    def line(self, text: str, left: float = 0, top: float = 0) -> None:
        """One line of it. `left`, `top`: points from the upper left corner.

        Raises:
            Full: it is too much.
        """
        for at in range(0, max(len(text), 1), LONGEST_LINE):
            part = text[at : at + LONGEST_LINE]
            self._characters += len(part)
            self._count += 1
            if self._characters > MOST_CHARACTERS or self._count > MOST_LINES:
                self.note("cut here: more text follows")
                raise Full
            self._lines.append((part, _point(left), _point(top)))
            self._held += len(part) + 30
            if self._held > LONGEST_LINE:
                self._flush()

    def note(self, text: str) -> None:
        """Something about the document."""
        self._flush()
        self._notes += 1
        if self._notes <= MOST_NOTES:
            self._write(packed({"note": text[:_LONGEST_NOTE]}))

    def end(self, failure: Failure | None = None) -> None:
        """Nothing follows."""
        self._flush()
        self._write(packed({"end": True} if failure is None else {"failed": failure}))

    def _flush(self) -> None:
        if self._lines:
            self._write(packed({"page": self._page, "lines": self._lines}))
            self._lines, self._held = [], 0


def _point(value: float) -> int:
    return int(min(max(value, -_FURTHEST), _FURTHEST)) if value == value else 0  # noqa: PLR0124  # NaN is no place


Reader = Callable[[bytes, str, Output], None]
"""What reads one kind: a document's bytes, its character set if one is declared, and where what is read goes."""
