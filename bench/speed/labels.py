"""What labels cost, in attribute look-ups: `python -m bench.speed.labels`.

A pass of a loop that does one thing, by a pass of the same loop with one attribute look-up; the best processor time of each counts, taken
in turn. What met before is remembered; the first time is measured on labels of one, of forty and of a thousand sources, each
joined with another once. Ends with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from armslength.labels import PRIVATE, Label, Readers, Source, construct, forget, join, label, steered, tested
from bench.commit import Taken, offer_place
from bench.speed.programs import FOREIGN, TRUSTED
from bench.speed.timing import interleaved

MOST_LOOK_UPS = 5.0
"""The bound for a join of two labels that met before."""
PASSES = 20_000
FIRST = 200
"""So many pairs meet for the first time."""
SOURCES = (1, 40, 1_000)

Pass = Callable[[Label, Label, int], None]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is done with labels: nanoseconds, and what that is in attribute look-ups."""

    name: str
    nanoseconds: float
    look_ups: float
    is_bound: bool = False


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a bound is broken."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.labels", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=15, help="how often each is measured; the best counts")
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("labels")
    rows = measured(given.runs)
    broken = [
        f"{row.name}: {row.look_ups:.1f} attribute look-ups"
        for row in rows
        if row.is_bound and row.look_ups > MOST_LOOK_UPS
    ]
    for row in rows:
        print(f"{row.name:44} {row.nanoseconds:10.1f} ns {row.look_ups:9.1f} look-ups")
    print("\n".join(f"BROKEN {each}" for each in broken) or "all bounds hold")
    if not given.dry:
        shown = [
            {"name": row.name, "nanoseconds": round(row.nanoseconds, 1), "look_ups": round(row.look_ups, 2)}
            for row in rows
        ]
        found = {"runs": given.runs, "bound": MOST_LOOK_UPS, "broken": broken, "rows": shown}
        print(f"written to {taken.write(found, given.json)}")
    return 1 if broken else 0


def measured(runs: int, passes: int = PASSES) -> list[Row]:
    """All rows, measured in turn; the look-up first."""
    one, other = TRUSTED, FOREIGN
    again = [lambda each=each: each(one, other, passes) for each in (_attribute, *AGAIN.values())]  # type: ignore[misc]
    first = [_first_time(count) for count in SOURCES]
    best = interleaved([*again, *first], runs)
    look_up = best[0] / passes
    rows = [
        Row(name, taken / passes * 1e9, taken / passes / look_up, is_bound=name in BOUND)
        for name, taken in zip(("an attribute look-up", *AGAIN), best, strict=False)
    ]
    named = [f"the first join, {count} source{'s' if count > 1 else ''} each" for count in SOURCES]
    rows += [
        Row(name, taken / FIRST * 1e9, taken / FIRST / look_up)
        for name, taken in zip(named, best[len(again) :], strict=True)
    ]
    return rows


def _attribute(a: Any, b: Any, passes: int) -> None:
    for _ in range(passes):
        a.bits  # noqa: B018  # this is what is measured


def _remembered(a: Label, b: Label, passes: int) -> None:
    for _ in range(passes):
        a.joins[b]


def _of_two(operation: Callable[[Label, Label], Label]) -> Pass:
    def done(a: Label, b: Label, passes: int) -> None:
        for _ in range(passes):
            operation(a, b)

    return done


def _reads(a: Label, b: Label, passes: int) -> None:
    for _ in range(passes):
        b.readers.includes("kim@b.example")


def _is_trusted(a: Label, b: Label, passes: int) -> None:
    for _ in range(passes):
        b.is_trusted  # noqa: B018  # this is what is measured


def _made_again(a: Label, b: Label, passes: int) -> None:
    for _ in range(passes):
        label(b.data, choice=b.choice, bits=b.bits, readers=b.readers, steer=b.steer, intact=b.intact)


AGAIN: dict[str, Pass] = {
    "a.joins[b], met before": _remembered,
    "join(a, b), met before": _of_two(join),
    "construct(a, b), met before": _of_two(construct),
    "steered(a, b), met before": _of_two(steered),
    "tested(a, b), met before": _of_two(tested),
    "whether somebody may read it": _reads,
    "whether it is trusted": _is_trusted,
    "a label that there is, made again": _made_again,
}
BOUND = tuple(AGAIN)[:2]


def _first_time(sources: int) -> Callable[[], object]:
    """Joins that are not remembered: each label of these meets its neighbour, and then all is forgotten."""
    made = [
        label(
            [Source(f"mail:{number}-{each}@b.example") for each in range(sources)],
            readers=Readers(frozenset({f"{number}@b.example"})) if number % 2 else PRIVATE,
        )
        for number in range(FIRST + 1)
    ]

    def joined() -> None:
        forget()
        for a, b in pairwise(made):
            join(a, b)

    return joined


if __name__ == "__main__":
    sys.exit(main())
