"""A fuzzer that keeps the programs which reach something new, and changes those further.

What it does depends on the seed and on the number of programs alone, not on the machine.
"""

from __future__ import annotations

import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.arcs import Arcs
from tests.fuzz.grammar import Choices, program
from tests.fuzz.texts import damaged, retokened
from tests.fuzz.trees import Words, random_tree, repaired, spliced

REPAIRS = 6
"""A program that is refused is tried again without the statement that was; so often."""


@dataclass
class Finding:
    """A program that ended as none may."""

    name: str
    """Of the exception and the place it came from."""
    source: str
    trace: str


@dataclass
class Fuzzer:
    """`run` gives how a program ended, and the line that was refused if one was, else 0; whatever it raises is a finding."""

    run: Callable[[str], tuple[str, int]]
    corpus: list[str]
    words: Words
    drawn: random.Random
    arcs: Arcs = field(default_factory=Arcs)
    findings: dict[str, Finding] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def start(self) -> None:
        """Run what is in the corpus."""
        for source in self.corpus:
            self._try(source)

    def step(self) -> bool:
        """One new program. Whether it, or what was left of it when it was repaired, reached something new."""
        source = self._drawn_program()
        for _ in range(REPAIRS):
            line, is_new = self._try(source)
            if is_new:
                self.corpus.append(source)
                return True
            changed = repaired(source, line) if line else None
            if not changed:
                break
            source = changed
        return False

    def _drawn_program(self) -> str:
        choose = Choices(self.drawn.randbytes(600))
        recent = self.corpus[-200:] if self.drawn.random() < 0.5 else self.corpus
        base, other = self.drawn.choice(recent), self.drawn.choice(self.corpus)
        match self.drawn.randrange(10):
            case 0:
                return program(choose)
            case 1:
                return random_tree(choose, self.words)
            case 2:
                return damaged(choose, base, other)
            case 3 | 4:
                return retokened(choose, base, other)
            case _:
                return spliced(choose, self.words, base)

    def _try(self, source: str) -> tuple[int, bool]:
        """The line that was refused, if one was, and whether something was new."""
        line, started = 0, time.monotonic()
        with self.arcs.watching():
            try:
                end, line = self.run(source)
                self.ends[end] += 1
            except Exception as error:  # noqa: BLE001 - whatever comes is a finding
                self._found(source, error)
        self.slowest = max(self.slowest, (time.monotonic() - started, source))
        return line, bool(self.arcs.new)

    def _found(self, source: str, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        name = f"{type(error).__name__}-{Path(place.filename).stem}-{place.name}-{place.lineno}"
        kept = self.findings.get(name)
        if kept is None or len(source) < len(kept.source):
            self.findings[name] = Finding(name, source, traceback.format_exc())


def reduced(source: str, is_still: Callable[[str], bool]) -> str:
    """A shorter text for which the same still holds: lines, then pieces of them, are left out while it does."""
    for parts_of in (_lines, _characters):
        parts = parts_of(source)
        size = max(len(parts) // 2, 1)
        while size:
            at = 0
            while at < len(parts):
                fewer = parts[:at] + parts[at + size :]
                if is_still("".join(fewer)):
                    parts = fewer
                else:
                    at += size
            size //= 2
        source = "".join(parts)
    return source


def _lines(source: str) -> Sequence[str]:
    return source.splitlines(keepends=True)


def _characters(source: str) -> Sequence[str]:
    return list(source)
