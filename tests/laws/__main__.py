"""Any number of random programs under the laws.

    python -m tests.laws N [SEED] [--report] [--mutant NAME] [--write] [--minutes M] [--workers W]

Prints how programs ended, with --report what they and the programs of everything met, and every law that broke with its program. Exits
1 if one did, if fewer than 80 % of a hundred or more ended in all runs, or if --report finds something that was never met. With --write
the counts go into bench/results; --minutes ends it earlier, and then they say after how many: as SEED that many more goes on from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from contextlib import nullcontext

from bench.commit import Taken
from tests.laws.checks import check
from tests.laws.corpus import every
from tests.laws.coverage import Coverage
from tests.laws.mutants import living
from tests.laws.table import MUTANTS
from tests.laws.tally import Tally, tallies

NEVER_MET = frozenset({"node ClassDef"})
"""Classes are the program's."""


def main(arguments: list[str]) -> int:
    """Run, print, and say by the exit code whether all laws held."""
    parser = _parser()
    options = parser.parse_args(arguments)
    mutant = next((each for each in MUTANTS if each.name == options.mutant), None)
    if options.mutant and (mutant is None or options.write):
        parser.error(f"there is no mutant {options.mutant}" if mutant is None else "a mutant's laws are no result")
    if options.workers != 1 and (options.report or mutant):
        parser.error("a report and a mutant are of one process; leave --workers out")
    taken = Taken("laws") if options.write else None
    coverage, tally, failures = Coverage(), Tally(), 0
    started = time.monotonic()
    with coverage.watching() if options.report else nullcontext(), living(mutant) if mutant else nullcontext():
        for source in [*every("untrusted").values(), *every("secret").values()] if options.report else []:
            failures += bool(check(source).broken)
        for some in tallies(range(options.seed, options.seed + options.programs), options.workers):
            tally.add(some)
            if time.monotonic() - started > options.minutes * 60:
                break
    failures += len(tally.broken)
    seconds = time.monotonic() - started
    ends = tally.ends
    lines = report(coverage, ends) if options.report else [f"{count} programs {how}" for how, count in ends.items()]
    speed = f"{tally.runs} runs, {tally.programs / seconds:.1f} programs/s"
    lines.append(f"{failures} of {tally.programs} programs broke a law; {speed}")
    if taken is not None:
        place = taken.place(f"laws-{options.seed}")
        lines.append(f"written to {taken.write(_found(tally, options, seconds), place)}")
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
    parser.add_argument("--workers", type=int, default=1, help="processes")
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
