"""How a text differs from the one before: every line that goes or comes whole, a few lines around, the count of the rest.

Lines are what lies between newlines; a carriage return belongs to its line. Time and memory are linear but for a bounded middle part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_AROUND = 3
_MOST_COMPARED = 250_000
"""Pairs of lines that are compared; where there are more, the old part goes and the new one comes as a whole."""

Sign = Literal["-", "+", " ", "…"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a difference. `…` stands for lines that stay and are not shown; their count is its text."""

    sign: Sign
    text: str


def difference(before: str | None, after: str | None) -> list[Line]:
    """The lines that go and come. None is nothing, not even an empty text."""
    old, new = _lines(before), _lines(after)
    same = min(len(old), len(new))
    start = next((place for place in range(same) if old[place] != new[place]), same)
    left = same - start
    end = next((place for place in range(left) if old[-1 - place] != new[-1 - place]), left)
    lines = [Line(" ", text) for text in old[:start]]
    lines += _middle(old[start : len(old) - end], new[start : len(new) - end])
    lines += [Line(" ", text) for text in old[len(old) - end :]]
    return [_said(line) for line in _shortened(lines)]


def _lines(text: str | None) -> list[str]:
    """The lines; one that no newline ends is another line, since adding the newline changes the bytes. No text can write that mark."""
    if not text:
        return []
    *lines, last = text.split("\n")
    return [*lines, f"{last}{_UNENDED}"] if last else lines


def _said(line: Line) -> Line:
    return Line(line.sign, line.text[: -len(_UNENDED)] + NO_NEWLINE) if line.text.endswith(_UNENDED) else line


_UNENDED = "\n"


NO_NEWLINE = " ⟨no newline⟩"


def _middle(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    if len(old) * len(new) > _MOST_COMPARED:
        matched = [("replace", 0, len(old), 0, len(new))]
    else:
        matched = list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    for kind, old_start, old_end, new_start, new_end in matched:
        if kind == "equal":
            yield from (Line(" ", text) for text in old[old_start:old_end])
            continue
        yield from (Line("-", text) for text in old[old_start:old_end])
        yield from (Line("+", text) for text in new[new_start:new_end])


def _shortened(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that stay, further than a few from any that does not, are counted."""
    changed = [place for place, line in enumerate(lines) if line.sign != " "]
    near = {at for place in changed for at in range(place - _AROUND, place + _AROUND + 1)}
    skipped = 0
    for place, line in enumerate(lines):
        if place in near:
            if skipped:
                yield Line("…", str(skipped))
            skipped = 0
            yield line
        else:
            skipped += 1
    if skipped:
        yield Line("…", str(skipped))
