"""How fast programs run, as ratios to CPython's `exec` of the same program in the same process: `python -m bench.speed.language`.

Both are run in turn, and the best processor time of each counts: what else the machine does makes single times useless. Prints the
numbers, writes them with date and commit, and ends with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from armslength.language import Limits, prepare, run
from bench.commit import Taken, offer_place
from bench.speed.memory import LOOPS, Retained, lines_of, retained, too_much
from bench.speed.programs import PROGRAMS, SIGNATURES, TRUSTS, Program, Trust, World, namespace
from bench.speed.timing import interleaved

LIMITS = Limits(steps=10**9, size=10**12)
"""Out of the way: ten times the size must run."""
SIZES = (1, 3, 10)

MEDIAN, LARGEST, GROWTH = 25, 60, 1.5
"""The bounds: ratios; time per element at one size by that at another; bytes a step."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """One program with one kind of operands. Times in milliseconds; `growth` is None if it was not measured."""

    program: str
    trust: Trust
    ours: float
    cpython: float
    ratio: float
    per_element: tuple[float, ...] = ()
    """Microseconds at each of `SIZES`."""
    growth: float | None = None


@dataclass(frozen=True, slots=True)
class Preparation:
    """Reading and checking a program's text, beside compiling it, in milliseconds."""

    program: str
    ours: float
    compile: float


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a bound is broken."""
    arguments = _parser().parse_args(argv)
    taken = Taken("language")
    programs = [each for each in PROGRAMS if arguments.only in each.name]
    ratios = []
    for program in programs:
        for trust in TRUSTS:
            ratios.append(_measured(program, trust, arguments))
            print(_row(ratios[-1]), file=sys.stderr, flush=True)
    prepared = [preparation(each, arguments.runs) for each in programs]
    kept = [] if arguments.skip_memory else [retained(each, trust) for each in LOOPS for trust in TRUSTS]
    broken = broken_bounds(ratios, kept)
    print(table(ratios, prepared, kept, broken))
    if not arguments.dry:
        taken.write(summary(ratios, prepared, kept, broken), arguments.json)
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.speed.language", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=15, help="how often each is run; the best counts")
    parser.add_argument("--only", default="", help="programs with this in their name")
    parser.add_argument("--skip-growth", action="store_true", help="not at several sizes")
    parser.add_argument("--skip-memory", action="store_true", help="not what is retained")
    offer_place(parser)
    return parser


# Ratios


def _measured(program: Program, trust: Trust, arguments: argparse.Namespace) -> Ratio:
    sizes = (1,) if arguments.skip_growth else SIZES
    ours = [_interpreted(program, trust, times) for times in sizes]
    theirs = _executed(program)
    best = interleaved([theirs, *ours], arguments.runs)
    per_element = tuple(taken / (program.size * times) * 1e6 for taken, times in zip(best[1:], sizes, strict=True))
    return Ratio(
        program.name, trust, best[1] * 1e3, best[0] * 1e3, best[1] / best[0], per_element,
        None if arguments.skip_growth else max(per_element) / min(per_element),
    )  # fmt: skip


def _interpreted(program: Program, trust: Trust, times: int) -> Callable[[], object]:
    prepared, world = prepare(program.text(times), SIGNATURES), World(trust)
    return lambda: run(prepared, world, LIMITS)


def _executed(program: Program) -> Callable[[], object]:
    code, tools = compile(program.text(), "program", "exec", dont_inherit=True), namespace()
    return lambda: exec(code, dict(tools))


# Preparing


def preparation(program: Program, runs: int) -> Preparation:
    """What `prepare` takes for a program's text, and what `compile` does."""
    text = program.text()
    ours, theirs = interleaved(
        [lambda: prepare(text, SIGNATURES), lambda: compile(text, "program", "exec", dont_inherit=True)], runs
    )
    return Preparation(program.name, ours * 1e3, theirs * 1e3)


# Reporting


def broken_bounds(ratios: Sequence[Ratio], kept: Sequence[Retained]) -> list[str]:
    """A sentence for each bound that does not hold."""
    broken = [
        f"{each.program}, {each.trust}: {each.ratio:.1f} times CPython" for each in ratios if each.ratio > LARGEST
    ]
    if ratios and median(each.ratio for each in ratios) > MEDIAN:
        broken.append(f"median: {median(each.ratio for each in ratios):.1f} times CPython")
    broken += [
        f"{each.program}, {each.trust}: the time per element grows {each.growth:.2f} times"
        for each in ratios
        if each.growth is not None and each.growth > GROWTH
    ]
    return broken + too_much(kept)


def table(
    ratios: Sequence[Ratio],
    prepared: Sequence[Preparation],
    kept: Sequence[Retained],
    broken: Sequence[str],
) -> str:
    """All numbers for people."""
    lines = [f"{'program':22} {'operands':10} {'ms':>8} {'CPython':>8} {'ratio':>6} {'growth':>6}  us an element"]
    lines += map(_row, ratios)
    if ratios:
        lines.append(
            f"median {median(each.ratio for each in ratios):.1f}, largest {max(each.ratio for each in ratios):.1f}"
        )
    lines += [f"prepare {each.program:22} {each.ours:6.2f} ms, compile {each.compile:6.3f} ms" for each in prepared]
    lines += lines_of(kept)
    return "\n".join([*lines, *(f"BROKEN {each}" for each in broken)])


def _row(each: Ratio) -> str:
    growth = "" if each.growth is None else f"{each.growth:.2f}"
    sizes = " ".join(f"{part:.2f}" for part in each.per_element)
    times = f"{each.ours:8.2f} {each.cpython:8.3f} {each.ratio:6.1f}"
    return f"{each.program:22} {each.trust:10} {times} {growth:>6}  {sizes}"


def summary(
    ratios: Sequence[Ratio],
    prepared: Sequence[Preparation],
    kept: Sequence[Retained],
    broken: Sequence[str],
) -> dict[str, Any]:
    """All numbers for the file."""
    return {
        "median": median(each.ratio for each in ratios),
        "largest": max(each.ratio for each in ratios),
        "broken": list(broken),
        "ratios": [asdict(each) for each in ratios],
        "prepare": [asdict(each) for each in prepared],
        "retained": [asdict(each) for each in kept],
    }


if __name__ == "__main__":
    sys.exit(main())
