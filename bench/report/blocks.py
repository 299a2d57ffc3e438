"""What a report is made of, before it is drawn as a page or as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a head. The first column is text; figures stand to the right in the others."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Lengths beside each other, with the bound that they are held to. The page alone has it: the figures stand in a table, too."""

    title: str
    lengths: tuple[tuple[str, float], ...]
    bound: float | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """How figures went from one measurement to the next: for each its name with the points at which it was measured."""

    title: str
    ticks: tuple[str, ...]
    lines: tuple[tuple[str, tuple[tuple[int, float], ...]], ...]


Block = str | Table | Bars | Lines
"""A text is a paragraph."""


@dataclass(frozen=True, slots=True)
class Section:
    """One subject. `gist`: it in a few words, for the table in front. `unmeasured`: what of it was not measured.

    `is_met`: whether what it is held to holds; None where it is held to nothing.
    """

    title: str
    blocks: tuple[Block, ...]
    gist: str
    unmeasured: tuple[str, ...] = ()
    is_met: bool | None = None


def shown(cell: Cell) -> str:
    """A cell as it is drawn: three figures where there is a point, thousands apart."""
    match cell:
        case None:
            return "–"
        case bool():
            return "yes" if cell else "no"
        case int():
            return f"{cell:,}"
        case float() if abs(cell) >= 100:
            return f"{cell:,.0f}"
        case float() if abs(cell) >= 10:
            return f"{cell:.1f}"
        case float():
            return f"{cell:.2f}"
        case _:
            return cell


def counted(number: int, one: str, several: str = "") -> str:
    """`1 kill`, `2 kills`."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def held(broken: Sequence[str], bounds: str) -> str:
    """The paragraph on bounds: those that do not hold by name."""
    return f"**Not met**: {'; '.join(broken)}." if broken else f"Within its bounds: {bounds}."
