"""Plots as SVG text, for one page and two kinds: bars with a bound, and lines over measurements on a scale of powers of ten.

Of our own, since a library for plots brings a font engine and megabytes to draw rectangles; colours are those of the page's style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from bench.report.blocks import Bars, Lines, shown

WIDTH, ROW, LEFT, RIGHT = 860, 22, 280, 60
_HEIGHT, _TOP, _LEGEND = 210, 12, 400
_COLOURS = 8
"""Classes `line0` to `line7` in the page's style."""


def bars(plot: Bars) -> str:
    """A bar for each length, its figure behind it; the bound is a dashed line, and what passes it stands out."""
    longest = max([length for _, length in plot.lengths] + ([plot.bound] if plot.bound else []), default=1) or 1
    height = ROW * len(plot.lengths) + 8

    def along(length: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * length / longest, 1)

    parts = []
    for at, (name, length) in enumerate(plot.lengths):
        top = at * ROW + 4
        over = " over" if plot.bound is not None and length > plot.bound else ""
        parts += [
            _text(LEFT - 8, top + 14, name, "end"),
            f'<rect class="bar{over}" x="{LEFT}" y="{top}" width="{along(length) - LEFT:g}" height="{ROW - 5}"/>',
            _text(along(length) + 5, top + 14, shown(length)),
        ]
    if plot.bound is not None:
        parts.append(
            f'<line class="bound" x1="{along(plot.bound):g}" y1="0" x2="{along(plot.bound):g}" y2="{height}"/>'
        )
    return _svg(height, plot.title, parts)


def lines(plot: Lines) -> str:
    """A line for each figure, over the measurements from left to right; a figure that was measured once is a point. Names on the right."""
    figures = [figure for _, points in plot.lines for _, figure in points if figure > 0]
    if not figures:
        return ""
    low, high = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
    high += high == low
    left, right = 50, WIDTH - _LEGEND
    height = max(_HEIGHT, ROW * len(plot.lines) + 50)
    bottom = height - 34

    def across(at: int) -> float:
        return round(left + (right - left) * (at + 0.5) / len(plot.ticks), 1)

    def up(figure: float) -> float:
        return round(bottom - (bottom - _TOP) * (math.log10(figure) - low) / (high - low), 1)

    parts = [_level(10.0**power, up(10.0**power), left, right) for power in range(low, high + 1)]
    for at, tick in enumerate(plot.ticks):
        day, _, commit = tick.partition(" ")
        parts += [_text(across(at), bottom + 16, day, "middle"), _text(across(at), bottom + 30, commit, "middle")]
    drawn = [
        (name, [(across(at), up(figure)) for at, figure in points if figure > 0], points) for name, points in plot.lines
    ]
    places = _apart([points[-1][1] for _, points, _ in drawn if points], ROW - 4, height)
    for number, ((name, points, raw), place) in enumerate(
        zip([each for each in drawn if each[1]], places, strict=True)
    ):
        kind = f"line{number % _COLOURS}"
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(f'<polyline class="{kind}" points="{path}"/>')
        parts += [f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="3"/>' for x, y in points]
        parts += [
            f'<line class="lead" x1="{points[-1][0] + 4:g}" y1="{points[-1][1]:g}" x2="{right + 8:g}" y2="{place:g}"/>',
            f'<circle class="{kind}" cx="{right + 12}" cy="{place:g}" r="3"/>',
            _text(right + 19, place + 4, f"{shown(raw[-1][1])}  {name}"),
        ]
    return _svg(height, f"{plot.title}: {', '.join(name for name, _ in plot.lines)}", parts)


def _level(figure: float, at: float, left: float, right: float) -> str:
    line = f'<line class="level" x1="{left}" y1="{at:g}" x2="{right}" y2="{at:g}"/>'
    return line + _text(left - 6, at + 4, f"{figure:g}", "end")


def _apart(wanted: Sequence[float], least: float, height: float) -> list[float]:
    """Places near those that are wanted, no two nearer than the least, none outside."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    found = [0.0] * len(wanted)
    last = -least
    for at in order:
        last = found[at] = max(wanted[at], last + least, 8.0)
    limit = height - 8.0
    for at in reversed(order):
        limit = found[at] = min(found[at], limit)
        limit -= least
    return [round(each, 1) for each in found]


def _text(x: float, y: float, said: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(said)}</text>'


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        + "".join(parts)
        + "</svg>"
    )
