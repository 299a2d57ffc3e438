"""Patterns of program text: `<i>` stands for an expression of kind `i`, `<i!>` for a leaf of it (a name or a literal)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

_PLACE = re.compile(r"<([a-z]{1,2}!?)>")


class Draws(Protocol):
    """What fills patterns."""

    random: Random

    def make(self, kind: str, depth: int) -> str:
        """An expression of this kind."""
        ...

    def comprehension(self, element: Callable[[str], str], kind: str, depth: int) -> str:
        """The part of a comprehension from its element on."""
        ...


Maker = Callable[[Draws, int], str]


def by(text: str) -> Maker:
    """A maker from a pattern."""
    pieces = _PLACE.split(text)

    def maker(draws: Draws, depth: int = 1) -> str:
        return "".join(
            piece if at % 2 == 0 else draws.make(piece.removesuffix("!"), 0 if piece.endswith("!") else depth)
            for at, piece in enumerate(pieces)
        )

    return maker


def makers(*patterns: str) -> list[Maker]:
    """A maker from each pattern."""
    return [by(pattern) for pattern in patterns]


def comprehended(before: str, element: str, after: str) -> Maker:
    """A comprehension around an element that may use the loop's name."""

    def maker(draws: Draws, depth: int) -> str:
        return before + draws.comprehension(lambda _: by(element)(draws, depth), "", min(depth, 1)) + after

    return maker


def one(random: Random, options: Sequence[Maker], draws: Draws, depth: int = 1) -> str:
    """One of the makers' texts."""
    return random.choice(options)(draws, depth)
