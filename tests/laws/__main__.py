"""Any number of random programs under the laws.

    python -m tests.laws N [SEED] [--report] [--mutant NAME]

Prints how programs ended, with --report what they and the programs of everything met, and every law that broke with its program. Exits
1 if one did, if fewer than 80 % of a hundred or more ended in all runs, or if --report finds something that was never met.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from contextlib import nullcontext

from tests.laws.checks import Broken, Outcome, check, check_random
from tests.laws.corpus import every
from tests.laws.coverage import Coverage
from tests.laws.mutants import living
from tests.laws.programs import program
from tests.laws.table import MUTANTS

from armslength.errors import ProgramRefused

NEVER_MET = frozenset({"node ClassDef"})
"""Classes are the program's."""


def main(arguments: list[str]) -> int:
    """Run, print, and say by the exit code whether all laws held."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws")
    parser.add_argument("programs", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("--mutant", default="", help="the name of a mutant to live meanwhile")
    parser.add_argument("--report", action="store_true", help="count what was met, too; three times slower")
    options = parser.parse_args(arguments)
    mutant = next((each for each in MUTANTS if each.name == options.mutant), None)
    if options.mutant and mutant is None:
        parser.error(f"there is no mutant {options.mutant}")
    coverage, ends, failures = Coverage(), Counter[str](), 0
    runs, started = 0, time.monotonic()
    with coverage.watching() if options.report else nullcontext(), living(mutant) if mutant else nullcontext():
        for source in [*every("untrusted").values(), *every("secret").values()] if options.report else []:
            failures += bool(check(source).broken)
        for number in range(options.seed, options.seed + options.programs):
            source = program(number)
            try:
                checked = check_random(source, number)
            except ProgramRefused as refused:
                ends["refused"] += 1
                sys.stdout.write(f"--- seed {number}: {refused}\n")
                continue
            ends[how_ended(checked.outcomes)] += 1
            runs += len(checked.outcomes)
            failures += bool(checked.broken)
            if checked.broken:
                sys.stdout.write(failure(number, source, checked.broken[0]))
                sys.stdout.flush()
    seconds = time.monotonic() - started
    lines = report(coverage, ends) if options.report else [f"{count} programs {how}" for how, count in ends.items()]
    speed = f"{runs} runs, {options.programs / seconds:.1f} programs/s"
    sys.stdout.write("\n".join([*lines, f"{failures} of {options.programs} programs broke a law; {speed}\n"]))
    is_met = not options.report or not any(set(coverage.missing(kind)) - NEVER_MET for kind in ("untrusted", "secret"))
    has_ended = ends["ended"] >= 0.8 * options.programs or options.programs < 100
    return 0 if is_met and has_ended and not failures else 1


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
