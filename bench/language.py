"""How fast programs run, as ratios to CPython's `exec` of the same program in the same process: `python -m bench.language`.

Both are run in turn, and the best processor time of each counts: what else the machine does makes single times useless. Prints the
numbers, writes them with date and commit, and ends with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

from armslength.labels import construct, join
from armslength.language import Limits, prepare, run
from armslength.values import make
from bench.commit import commit, result_file, today
from bench.memory import LOOPS, Retained, retained
from bench.programs import FOREIGN, PROGRAMS, SIGNATURES, TRUSTED, TRUSTS, Program, Trust, World, namespace

LIMITS = Limits(steps=10**9, size=10**12)
"""Out of the way: ten times the size must run."""
SIZES = (1, 3, 10)

MEDIAN, LARGEST, GROWTH, LOOK_UPS, RETAINED = 25, 60, 1.5, 5, 300
"""The bounds: ratios; time per element at one size by that at another; attribute look-ups; bytes a step."""


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


@dataclass(frozen=True, slots=True)
class Joins:
    """Nanoseconds for one pass of a loop that does one thing, and what that is in passes of the loop with one attribute look-up."""

    empty: float
    attribute: float
    times: dict[str, float]
    in_look_ups: dict[str, float]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a bound is broken."""
    arguments = _parser().parse_args(argv)
    programs = [each for each in PROGRAMS if arguments.only in each.name]
    ratios = []
    for program in programs:
        for trust in TRUSTS:
            ratios.append(_measured(program, trust, arguments))
            print(_row(ratios[-1]), file=sys.stderr, flush=True)
    prepared = [preparation(each, arguments.runs) for each in programs]
    joins = label_joins(arguments.runs)
    kept = [] if arguments.skip_memory else [retained(each, trust) for each in LOOPS for trust in TRUSTS]
    broken = broken_bounds(ratios, joins, kept)
    print(table(ratios, prepared, joins, kept, broken))
    if arguments.json is not None:
        written = summary(ratios, prepared, joins, kept, broken)
        arguments.json.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.language", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=15, help="how often each is run; the best counts")
    parser.add_argument("--only", default="", help="programs with this in their name")
    parser.add_argument("--skip-growth", action="store_true", help="not at several sizes")
    parser.add_argument("--skip-memory", action="store_true", help="not what is retained")
    parser.add_argument(
        "--json", type=Path, default=result_file("language"), help="where to write the numbers (bench/results/…)"
    )
    parser.add_argument("--dry", dest="json", action="store_const", const=None, help="write nothing")
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


def interleaved(actions: Sequence[Callable[[], object]], runs: int) -> list[float]:
    """The best processor time of each, in seconds, all done once before and then in turn. What takes under 5 ms is repeated to that."""
    repeats = []
    for action in actions:
        action()
        repeats.append(max(1, round(0.005 / max(_seconds(action, 1), 1e-7))))
    best = [float("inf")] * len(actions)
    for _ in range(runs):
        for at, action in enumerate(actions):
            gc.collect()
            best[at] = min(best[at], _seconds(action, repeats[at]))
    return best


def _seconds(action: Callable[[], object], repeats: int) -> float:
    started = thread_time()
    for _ in range(repeats):
        action()
    return (thread_time() - started) / repeats


# Preparing


def preparation(program: Program, runs: int) -> Preparation:
    """What `prepare` takes for a program's text, and what `compile` does."""
    text = program.text()
    ours, theirs = interleaved(
        [lambda: prepare(text, SIGNATURES), lambda: compile(text, "program", "exec", dont_inherit=True)], runs
    )
    return Preparation(program.name, ours * 1e3, theirs * 1e3)


# Labels


def label_joins(runs: int, passes: int = 50_000) -> Joins:
    """One thing a pass in one loop each, in turn: nothing, an attribute look-up, and joins in the ways that the language does them."""
    a, b = make(1, TRUSTED), make(2, FOREIGN)
    best = interleaved([lambda each=each: each(a, b, passes) for each in (_empty, _attribute, *_JOINS.values())], runs)  # type: ignore[misc]
    per_pass = [taken / passes * 1e9 for taken in best]
    times = dict(zip(_JOINS, per_pass[2:], strict=True))
    return Joins(per_pass[0], per_pass[1], times, {name: each / per_pass[1] for name, each in times.items()})


def _empty(a: Any, b: Any, passes: int) -> None:
    for _ in range(passes):
        pass


def _attribute(a: Any, b: Any, passes: int) -> None:
    for _ in range(passes):
        a.label  # noqa: B018 - this is what is measured


def _remembered(a: Any, b: Any, passes: int) -> None:
    one, other = a.label, b.label
    for _ in range(passes):
        one.joins[other]


def _join(a: Any, b: Any, passes: int) -> None:
    one, other = a.label, b.label
    for _ in range(passes):
        join(one, other)


def _construct(a: Any, b: Any, passes: int) -> None:
    one, other = a.label, b.label
    for _ in range(passes):
        construct(one, other)


_JOINS = {"a.joins[b]": _remembered, "join(a, b)": _join}
"""Of two different labels, which is the longer way."""


# Reporting


def broken_bounds(ratios: Sequence[Ratio], joins: Joins, kept: Sequence[Retained]) -> list[str]:
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
    broken += [f"{name}: {n:.1f} attribute look-ups" for name, n in joins.in_look_ups.items() if n > LOOK_UPS]
    broken += [
        f"{each.loop}, {each.trust}: {each.bytes_a_step:.0f} bytes a step are retained"
        for each in kept
        if each.bytes_a_step >= RETAINED
    ]
    return broken


def table(
    ratios: Sequence[Ratio],
    prepared: Sequence[Preparation],
    joins: Joins,
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
    lines.append(f"a pass of an empty loop {joins.empty:.1f} ns, with an attribute look-up {joins.attribute:.1f} ns")
    lines += [f"{name:16} {joins.times[name]:6.1f} ns: {n:.1f} look-ups" for name, n in joins.in_look_ups.items()]
    lines += [f"retained {each.loop:22} {each.trust:10} {each.bytes_a_step:7.1f} bytes a step" for each in kept]
    return "\n".join([*lines, *(f"BROKEN {each}" for each in broken)])


def _row(each: Ratio) -> str:
    growth = "" if each.growth is None else f"{each.growth:.2f}"
    sizes = " ".join(f"{part:.2f}" for part in each.per_element)
    times = f"{each.ours:8.2f} {each.cpython:8.3f} {each.ratio:6.1f}"
    return f"{each.program:22} {each.trust:10} {times} {growth:>6}  {sizes}"


def summary(
    ratios: Sequence[Ratio],
    prepared: Sequence[Preparation],
    joins: Joins,
    kept: Sequence[Retained],
    broken: Sequence[str],
) -> dict[str, Any]:
    """All numbers for the file."""
    return {
        "commit": commit(),
        "date": today(),
        "python": sys.version.split()[0],
        "median": median(each.ratio for each in ratios),
        "largest": max(each.ratio for each in ratios),
        "broken": list(broken),
        "ratios": [asdict(each) for each in ratios],
        "prepare": [asdict(each) for each in prepared],
        "joins": asdict(joins),
        "retained": [asdict(each) for each in kept],
    }


if __name__ == "__main__":
    sys.exit(main())
