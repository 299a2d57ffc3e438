"""What came of random programs under the laws: counted, and by several processes."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from tests.laws.checks import Broken, Outcome, check_random
from tests.laws.programs import program

from armslength.errors import ProgramRefused

_AT_ONCE = 50
"""Programs that a process takes at a time."""


@dataclass
class Tally:
    """What came of the programs so far."""

    ends: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    broken: dict[int, str] = field(default_factory=dict)
    """The law that a program broke first, by its number."""
    said: list[str] = field(default_factory=list)
    """What there is to read: programs that were refused, and that broke a law."""

    @property
    def programs(self) -> int:
        """How many were tried."""
        return self.ends.total()

    def check(self, number: int) -> None:
        """One random program under the laws."""
        source = program(number)
        try:
            checked = check_random(source, number)
        except ProgramRefused as refused:
            self.ends["refused"] += 1
            self.said.append(f"--- seed {number}: {refused}\n")
            return
        self.ends[how_ended(checked.outcomes)] += 1
        self.runs += len(checked.outcomes)
        if checked.broken:
            self.broken[number] = checked.broken[0].law
            self.said.append(failure(number, source, checked.broken[0]))

    def add(self, other: Tally) -> None:
        """Count another's programs, and print what there is to read."""
        self.ends += other.ends
        self.runs += other.runs
        self.broken |= other.broken
        sys.stdout.write("".join(other.said))
        sys.stdout.flush()


def tallied(numbers: range) -> Tally:
    """The programs of these numbers under the laws."""
    tally = Tally()
    for number in numbers:
        tally.check(number)
    return tally


def tallies(numbers: range, workers: int) -> Iterator[Tally]:
    """The programs of these numbers, some at a time and in their order, by as many processes as are asked for."""
    batches = [numbers[first : first + _AT_ONCE] for first in range(0, len(numbers), _AT_ONCE)]
    if workers == 1:
        yield from map(tallied, batches)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(tallied, batches)
        finally:
            pool.shutdown(cancel_futures=True)


def how_ended(outcomes: list[Outcome]) -> str:
    """A program as a whole: "ended" if every run did, else what stopped one."""
    stops = {each.stopped for each in outcomes}
    if stops == {None}:
        return "ended"
    if "limit" in stops:
        return "stopped by a limit in some run"
    return "failed in some run" if None in stops else "failed in every run"


def failure(number: int, source: str, broken: Broken) -> str:
    """A program that broke a law, to be read."""
    rows = "\n".join(f"    {row}" for row in broken.rows[:4])
    return f"--- seed {number}: law ({broken.law}) at {broken.where}\n{rows}\n{source}"
