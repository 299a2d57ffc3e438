"""Any number of random programs under the laws.

    python -m tests.laws N [SEED] [--report] [--mutant NAME] [--write] [--minutes M]

Prints how programs ended, with --report what they and the programs of everything met, and every law that broke with its program. Exits
1 if one did, if fewer than 80 % of a hundred or more ended in all runs, or if --report finds something that was never met. With --write
the counts go into bench/results; --minutes ends it earlier, and then they say after how many.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field

from bench.commit import Taken
from tests.laws.checks import Broken, Outcome, check, check_random
from tests.laws.corpus import every
from tests.laws.coverage import Coverage
from tests.laws.mutants import living
from tests.laws.programs import program
from tests.laws.table import MUTANTS

from armslength.errors import ProgramRefused

NEVER_MET = frozenset({"node ClassDef"})
"""Classes are the program's."""


@dataclass
class Tally:
    """What came of the programs so far."""

    ends: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    broken: dict[int, str] = field(default_factory=dict)
    """The law that a program broke first, by its number."""

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
            sys.stdout.write(f"--- seed {number}: {refused}\n")
            return
        self.ends[how_ended(checked.outcomes)] += 1
        self.runs += len(checked.outcomes)
        if checked.broken:
            self.broken[number] = checked.broken[0].law
            sys.stdout.write(failure(number, source, checked.broken[0]))
            sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run, print, and say by the exit code whether all laws held."""
    parser = _parser()
    options = parser.parse_args(arguments)
    mutant = next((each for each in MUTANTS if each.name == options.mutant), None)
    if options.mutant and (mutant is None or options.write):
        parser.error(f"there is no mutant {options.mutant}" if mutant is None else "a mutant's laws are no result")
    taken = Taken("laws") if options.write else None
    coverage, tally, failures = Coverage(), Tally(), 0
    started = time.monotonic()
    with coverage.watching() if options.report else nullcontext(), living(mutant) if mutant else nullcontext():
        for source in [*every("untrusted").values(), *every("secret").values()] if options.report else []:
            failures += bool(check(source).broken)
        for number in range(options.seed, options.seed + options.programs):
            tally.check(number)
            if time.monotonic() - started > options.minutes * 60:
                break
    failures += len(tally.broken)
    seconds = time.monotonic() - started
    ends = tally.ends
    lines = report(coverage, ends) if options.report else [f"{count} programs {how}" for how, count in ends.items()]
    speed = f"{tally.runs} runs, {tally.programs / seconds:.1f} programs/s"
    lines.append(f"{failures} of {tally.programs} programs broke a law; {speed}")
    if taken is not None:
        lines.append(f"written to {taken.write(_found(tally, options, seconds))}")
    sys.stdout.write("\n".join([*lines, ""]))
    is_met = not options.report or not any(set(coverage.missing(kind)) - NEVER_MET for kind in ("untrusted", "secret"))
    has_ended = ends["ended"] >= 0.8 * tally.programs or tally.programs < 100
    return 0 if is_met and has_ended and not failures else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.laws")
    parser.add_argument("programs", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--mutant", default="", help="the name of a mutant to live meanwhile")
    parser.add_argument("--report", action="store_true", help="count what was met, too; three times slower")
    parser.add_argument("--write", action="store_true", help="write the counts into bench/results")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so long at the latest")
    return parser


def _found(tally: Tally, options: argparse.Namespace, seconds: float) -> dict[str, object]:
    return {
        "seed": options.seed,
        "asked": options.programs,
        "programs": tally.programs,
        "runs": tally.runs,
        "ends": dict(tally.ends),
        "seconds": round(seconds),
        "problems": len(tally.broken),
        "broken": {str(number): law for number, law in tally.broken.items()},
    }


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


def report(coverage: Coverage, ends: Counter[str]) -> list[str]:
    """Counts: how programs ended; for each node, operator, function and method, how often it was met."""
    lines = [f"{count:8} programs {how}" for how, count in ends.most_common()]
    lines.append(f"{'met':>8} {'untrusted':>9} {'secret':>9}")
    for name in coverage.everything:
        counts = [coverage.met[kind][name] for kind in ("any", "untrusted", "secret")]
        lines.append(f"{counts[0]:8} {counts[1]:9} {counts[2]:9}  {name}")
    return lines + [
        f"never met with an operand that is {kind}: {', '.join(coverage.missing(kind)) or 'nothing'}"
        for kind in ("untrusted", "secret")
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
