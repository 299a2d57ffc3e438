"""What a loop retains for each step where its program keeps nothing, by `tracemalloc`: `python -m bench.speed.memory`.

The size of all that is allocated is taken at the last step of a loop, while the loop still runs; at 20,000 steps less at 10,000 steps,
by the 10,000 between. So what a loop makes before it starts counts as well.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from armslength.language import Limits, prepare, run
from bench.commit import Taken, offer_place
from bench.speed.programs import SIGNATURES, TRUSTS, Trust, World

STEPS = 10_000
RETAINED = 300
"""So many bytes a step, and no loop that keeps nothing may retain more."""
_LIMITS = Limits(steps=10**9, size=10**12)


@dataclass(frozen=True, slots=True)
class Loop:
    """A program that calls `mark()` at step LAST of a loop of SIZE steps."""

    name: str
    source: str


LOOPS = (
    Loop("for, arithmetic", "seen = number()\nfor i in range(SIZE):\n    seen = (seen * 3 + i) % 1000\n    if i == LAST:\n        mark()\n"),
    Loop("for, text", 'who = number()\nfor i in range(SIZE):\n    line = f"{who}: {i}".upper()\n    if i == LAST:\n        mark()\n'),
    Loop("for, a branch on data", "n = number()\nlevel = 0\nfor i in range(SIZE):\n    if n > i:\n        level = 1\n    else:\n        level = 2\n    if i == LAST:\n        mark()\n"),
    Loop("for, a list each step", "n = number()\nfor i in range(SIZE):\n    parts = [n, i]\n    parts.append(n)\n    total = sum(parts)\n    if i == LAST:\n        mark()\n"),
    Loop("for, over data", "last = numbers(SIZE)[LAST]\ni = 0\nfor x in numbers(SIZE):\n    y = x + 1\n    if i == LAST:\n        mark()\n    i = i + 1\n"),
)  # fmt: skip
"""Each does something else in its steps and keeps nothing of it."""


@dataclass(frozen=True, slots=True)
class Retained:
    """What one loop retains."""

    loop: str
    trust: Trust
    bytes_a_step: float


def retained(loop: Loop, trust: Trust, steps: int = STEPS) -> Retained:
    """Run the loop with so many steps and with twice as many."""
    few, many = (_size_at_the_end(loop, trust, count) for count in (steps, 2 * steps))
    return Retained(loop.name, trust, (many - few) / steps)


def _size_at_the_end(loop: Loop, trust: Trust, steps: int) -> int:
    """Bytes more at the last step than before the run."""
    sizes: list[int] = []

    def mark() -> None:
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])

    prepared = prepare(loop.source.replace("SIZE", str(steps)).replace("LAST", str(steps - 1)), SIGNATURES)
    world = World(trust, mark)
    run(prepared, world, _LIMITS)
    sizes.clear()
    tracemalloc.start()
    try:
        mark()
        run(prepared, world, _LIMITS)
    finally:
        tracemalloc.stop()
    before, after = sizes
    return after - before


def too_much(kept: Sequence[Retained]) -> list[str]:
    """A sentence for each loop that retains what it should not."""
    return [
        f"{each.loop}, {each.trust}: {each.bytes_a_step:.0f} bytes a step are retained"
        for each in kept
        if each.bytes_a_step >= RETAINED
    ]


def lines_of(kept: Sequence[Retained]) -> list[str]:
    """For people, one line for each loop."""
    return [f"retained {each.loop:22} {each.trust:10} {each.bytes_a_step:7.1f} bytes a step" for each in kept]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a loop retains too much."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.memory", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--steps", type=int, default=STEPS, help="of the shorter loop; the longer one has twice as many"
    )
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("memory")
    kept = [retained(loop, trust, given.steps) for loop in LOOPS for trust in TRUSTS]
    broken = too_much(kept)
    print("\n".join([*lines_of(kept), *(f"BROKEN {each}" for each in broken)]))
    if not given.dry:
        found = {"steps": given.steps, "bound": RETAINED, "broken": broken, "retained": [asdict(each) for each in kept]}
        print(f"written to {taken.write(found, given.json)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
