"""Long lines broken to the width of a terminal, so that nothing lies beyond its edge and every piece keeps its mark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import wcwidth

_LEAD = re.compile(r" *(?:│ ?)?")
_GOES_ON = "┆ "
"""Begins each further piece of a broken line. Untrusted text cannot hold it: `agent.display.tame` replaces it."""
_NARROWEST = 20


def wrap(text: str, width: int) -> Iterator[str]:
    """The lines of cleaned text, none wider than `width` columns (at least 20), none shortened."""
    for line in text.split("\n"):
        yield from _wrap_line(line, max(width, _NARROWEST))


def _wrap_line(line: str, width: int) -> Iterator[str]:
    if line.isascii() and len(line) <= width:
        yield line
        return
    found = _LEAD.match(line)
    lead = found.group() if found else ""
    if len(lead) > width // 2:
        lead = "│ " if "│" in lead else ""
    piece, used, least = "", 0, len(lead) + len(_GOES_ON)
    for cluster, columns in _measured(line):
        if used + columns > width and used > least:
            yield piece
            piece, used = lead + _GOES_ON, least
        piece, used = piece + cluster, used + columns
    yield piece


def _measured(line: str) -> Iterable[tuple[str, int]]:
    """What a terminal draws as one, with its columns; where the width is not known, one for each character."""
    if line.isascii():
        return ((char, 1) for char in line)
    measured = ((cluster, wcwidth.wcswidth(cluster)) for cluster in wcwidth.iter_graphemes(line))
    return ((cluster, len(cluster) if columns < 0 else columns) for cluster, columns in measured)
