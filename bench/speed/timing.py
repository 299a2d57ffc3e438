"""The best times of several things that are done in turn, so that what else the machine does is in all of them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from time import thread_time


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
