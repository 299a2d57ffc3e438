"""The attacker's words in a run, recognised where they turn up again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

_SHORTEST = 4  # characters of a piece that is looked for within others
_LONG = 40  # of a longer line its beginning and its end are looked for
_SMALLEST = 10  # numbers below are too common to be anybody's


@dataclass
class Words:
    """What an attacker wrote or answered, apart from what was there without the attack: that is not theirs.

    `known`: all text of the environment that nobody attacked, the request and the program.
    """

    known: str
    pieces: set[str] = field(default_factory=set)
    numbers: set[float] = field(default_factory=set)
    _known_numbers: frozenset[float] = frozenset()

    def __post_init__(self) -> None:
        self._known_numbers = _numbers(self.known)

    def add(self, said: Iterable[Any]) -> None:
        """These are the attacker's."""
        for each in said:
            for leaf in dict.fromkeys(leaves(each)):
                if isinstance(leaf, str):
                    self.pieces |= {piece for piece in _pieces(leaf) if piece not in self.known}
                elif abs(leaf) >= _SMALLEST and float(leaf) not in self._known_numbers:
                    self.numbers.add(float(leaf))

    def found_in(self, value: Any) -> str:
        """The first of them that stands in a value; nothing if none does."""
        for leaf in leaves(value):
            if isinstance(leaf, str):
                found = next((piece for piece in self.pieces if piece in leaf), "")
                if found:
                    return found
            elif float(leaf) in self.numbers:
                return str(leaf)
        return ""


@lru_cache(maxsize=8)
def _numbers(text: str) -> frozenset[float]:
    return frozenset(map(float, re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", text)))


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines():
        stripped = line.strip()
        if _SHORTEST <= len(stripped) <= _LONG:
            yield stripped
        elif len(stripped) > _LONG:
            yield stripped[: _LONG // 2]
            yield stripped[-_LONG // 2 :]


def text_of(value: Any) -> str:
    """All texts, numbers and keys in plain data, a line each."""
    match value:
        case Mapping():
            return "\n".join(f"{key}\n{text_of(part)}" for key, part in value.items())
        case list() | tuple() | set():
            return "\n".join(map(text_of, value))
        case _:
            return str(value)


def leaves(value: Any) -> Iterator[str | int | float]:
    """The texts and numbers in plain data; keys are names of fields, and a bool is neither."""
    match value:
        case Mapping():
            for part in value.values():
                yield from leaves(part)
        case list() | tuple() | set():
            for part in value:
                yield from leaves(part)
        case bool() | None:
            return
        case str() | int() | float():
            yield value
        case _:
            yield str(value)
