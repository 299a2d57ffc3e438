"""A backtracking engine whose every step is counted, with the results of Python's `re`.

A program is a list of small functions; each takes the run and a place in the text, and gives the place where the next one goes on, or
`FAILED`. What can be tried instead lies on a stack of our own, beside notes of what to put back on the way there; so neither time nor
memory passes what `spend` allows, and nothing here recurses deeper than looks are nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

STEP = 4
"""Characters that one step counts as."""
PENDING = 16
"""Characters that one entry of the stack counts as."""
FAILED = -1
DONE = -1
_OFTEN = 256
_UNSET = -1

Spend = Callable[[int], None]
"""Counts characters before they are gone through; raises when there were too many."""
Operation = Callable[["Run", int], int]
Span = tuple[int, int]
"""Where a group begins and ends; (-1, -1) if it took no part."""


@dataclass(frozen=True, slots=True)
class Program:
    """What a pattern became.

    follows: at each place of `code`, the character that must stand in the text there, or nothing if several can.
    starts: finds where a match can begin at all. size: how many slots hold groups (two each) and the state of loops.
    cost: what preparing it counts as, in characters.
    """

    code: tuple[Operation, ...]
    follows: tuple[str, ...]
    starts: re.Pattern[str] | None
    is_anchored: bool
    size: int
    groups: int
    names: Mapping[str, int]
    cost: int


class Run:
    """One program going over one text."""

    __slots__ = (
        "_paid", "_tallest", "end", "is_whole", "must_advance", "origin", "pc", "program", "slots", "spend", "stack", "steps", "text",
    )  # fmt: skip

    def __init__(self, program: Program, text: str, spend: Spend) -> None:
        self.program, self.text, self.end, self.spend = program, text, len(text), spend
        self.slots = [_UNSET] * program.size
        self.stack: list[tuple[int, ...]] = []
        self.pc = self.origin = self.steps = self._paid = self._tallest = 0
        self.is_whole = self.must_advance = False

    # Searching

    def at_start(self, *, is_whole: bool) -> tuple[Span, ...] | None:
        """The match at the start of the text (up to its end, if `is_whole`), as spans of the groups."""
        self.is_whole = is_whole
        found = self._spans(self._begin(0))
        self._settle()
        return found

    def first(self) -> tuple[Span, ...] | None:
        """The first match in the text."""
        return next(self.all(), None)

    def all(self) -> Iterator[tuple[Span, ...]]:
        """Every match in the text, from left to right; after an empty one, a longer one may begin at the same place."""
        at = 0
        while at <= self.end:
            found = self._search(at)
            self._settle()
            if found is None:
                return
            yield found
            start, at = found[0]
            self.must_advance = start == at

    def _search(self, at: int) -> tuple[Span, ...] | None:
        starts = self.program.starts
        while at <= self.end:
            if self.program.is_anchored and at > 0:
                return None
            if starts is not None:
                possible = starts.search(self.text, at)
                self.steps += ((self.end if possible is None else possible.start()) - at) >> 4
                if possible is None:
                    return None
                self.must_advance = self.must_advance and possible.start() == at
                at = possible.start()
            found = self._spans(self._begin(at))
            if found is not None:
                return found
            self.must_advance = False
            at += 1
        return None

    def _begin(self, at: int) -> int:
        self.origin = at
        self.steps += self.program.size >> 4
        self.slots[:] = [_UNSET] * self.program.size
        self.stack.clear()
        return self.follow(0, at, 0)

    def _spans(self, ended: int) -> tuple[Span, ...] | None:
        if ended == FAILED:
            return None
        slots = self.slots
        pairs = [(slots[2 * number], slots[2 * number + 1]) for number in range(self.program.groups)]
        return ((self.origin, ended), *(pair if _UNSET not in pair else (_UNSET, _UNSET) for pair in pairs))

    # Stepping

    def follow(self, pc: int, at: int, base: int) -> int:
        """Step until the program is done, going back to what lies on the stack above `base`; where the match ends, or FAILED."""
        code = self.program.code
        while True:
            self.steps += 1
            if self.steps - self._paid > _OFTEN:
                self._settle()
            self.pc = pc + 1
            at = code[pc](self, at)
            pc = self.pc
            if at == FAILED:
                at = self._back(base)
                if at == FAILED:
                    return FAILED
                pc = self.pc
            elif pc == DONE:
                return at

    def _back(self, base: int) -> int:
        """The place of the last thing that can be tried instead; everything is put back as it was there."""
        stack = self.stack
        while len(stack) > base:
            entry = stack.pop()
            if entry[0] < 0:
                self.slots[~entry[0]] = entry[1]
                continue
            self.pc = entry[0]
            if len(entry) == 2:
                return entry[1]
            at = self.among(*entry)
            if at != FAILED:
                return at
        return FAILED

    def among(self, pc: int, at: int, last: int) -> int:
        """Go on at `pc` from `at`, or from the places after it up to (or down to) `last`; the first that can fit what follows."""
        follows = self.program.follows[pc]
        if follows:
            found = self.text.find(follows, at, last + 1) if last >= at else self.text.rfind(follows, last, at + 1)
            self.steps += abs((last if found < 0 else found) - at) >> 6
            if found < 0:
                return FAILED
            at = found
        if at != last:
            self.stack.append((pc, at + 1 if last > at else at - 1, last))
        return at

    def put(self, slot: int, place: int) -> None:
        """Remember a place; the old one comes back when the run goes back."""
        self.stack.append((~slot, self.slots[slot]))
        self.slots[slot] = place

    def forget(self, base: int) -> None:
        """Take away what could be tried instead above `base`, and keep the notes of what to put back."""
        self.stack[base:] = [entry for entry in self.stack[base:] if entry[0] < 0]

    def undo(self, base: int) -> None:
        """Put everything above `base` back."""
        while len(self.stack) > base:
            entry = self.stack.pop()
            if entry[0] < 0:
                self.slots[~entry[0]] = entry[1]

    def _settle(self) -> None:
        """Pay for the steps, and for the stack where it is taller than ever."""
        growth = max(len(self.stack) - self._tallest, 0)
        self._tallest += growth
        self.spend(STEP * (self.steps - self._paid) + PENDING * growth)
        self._paid = self.steps
