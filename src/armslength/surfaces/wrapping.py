"""Long lines broken to the width of a terminal, so that nothing lies beyond its edge and every piece keeps its mark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import wcwidth

_LEAD = re.compile(r" *(?:│ ?)?")
_GOES_ON = "┆ "
"""Begins each further piece of a broken line. Untrusted text cannot hold it: `agent.approving.display.tame` replaces it."""
_NARROWEST = 20
_WIDEST = 8
"""Columns of what is kept on one line as one."""


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
    goes_on = [(char, 1) for char in lead + _GOES_ON]
    begun, piece, used = 0, list[tuple[str, int]](), 0
    for cluster, columns in _measured(line):
        if used + columns > width and len(piece) > begun:
            kept = _break_at(piece, begun)
            yield "".join(part for part, _ in piece[:kept])
            piece = goes_on + piece[kept:]
            begun, used = len(goes_on), sum(taken for _, taken in piece)
        piece.append((cluster, columns))
        used += columns
    yield "".join(part for part, _ in piece)


def _break_at(piece: list[tuple[str, int]], begun: int) -> int:
    """How much of a full line stays on it: up to the last space in its second half, else all."""
    for place in range(len(piece), max(begun, len(piece) // 2), -1):
        if piece[place - 1][0] == " ":
            return place
    return len(piece)


def _measured(line: str) -> Iterable[tuple[str, int]]:
    """What a terminal draws as one, with its columns: as many as it takes where each character is drawn by itself, which some do."""
    if line.isascii():
        return ((char, 1) for char in line)
    measured = ((cluster, _columns(cluster)) for cluster in wcwidth.iter_graphemes(line))
    return (each for cluster, columns in measured for each in _kept_together(cluster, columns))


def _kept_together(cluster: str, columns: int) -> list[tuple[str, int]]:
    """What could be wider than a line is broken like any other text."""
    return [(cluster, columns)] if columns <= _WIDEST else [(char, max(wcwidth.wcwidth(char), 0)) for char in cluster]


def _columns(cluster: str) -> int:
    together = wcwidth.wcswidth(cluster)
    return len(cluster) if together < 0 else max(together, sum(max(wcwidth.wcwidth(char), 0) for char in cluster))
