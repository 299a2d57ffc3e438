"""How well calls overlap, and what conversations that wait cost: `python -m bench.speed.overlap`.

Two numbers with their bounds. A program with 20 independent questions to a scripted model of fixed latency, as a ratio to the same
program with one of them: both through `Assistant.ask`, in turn, the best time of each. And 200 conversations in one process that all
wait for a slow model, each with a thread, tools and journal of its own: by how much the resident memory has grown when the last of them
waits (VmRSS after one conversation has ended), and whether another one ends meanwhile. Each is measured in a process of its own. Linux
only. Ends with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import ParamSpec, TypeVar

from armslength.app import Assistant, load_settings, tools_of
from armslength.models.base import ModelRequest
from armslength.testing import SCRIPTED, ScriptedModel
from bench.commit import Taken, offer_place
from bench.requests.home_a import A
from bench.requests.homes import NOW, write_home

MOST_RATIO, MOST_MEGABYTES = 1.2, 200.0
"""The bounds."""
_LONGEST = 120.0  # seconds after which something hangs


@dataclass(frozen=True, slots=True)
class Overlap:
    """Best times in seconds of the program with one question and with `calls` of them. `latency` is the model's."""

    calls: int
    latency: float
    one: float
    all: float

    @property
    def ratio(self) -> float:
        """The times of `calls` by that of one."""
        return self.all / self.one


@dataclass(frozen=True, slots=True)
class Waiting:
    """Resident memory in megabytes (10^6 bytes) before any of `conversations`, when all wait, and when all have ended.

    `other` is how many seconds one more took while they waited, `alone` before.
    """

    conversations: int
    before: float
    waiting: float
    after: float
    threads: int
    alone: float
    other: float
    ended: int

    @property
    def grown(self) -> float:
        """Megabytes that all of them take together."""
        return self.waiting - self.before


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write. 1 if a bound is broken."""
    arguments = _parser().parse_args(argv)
    taken = Taken("overlap")
    with _home() as settings:
        waiting = _alone(waiting_conversations, settings, arguments.conversations)
        overlap = _alone(overlapping_calls, settings, arguments.calls, arguments.latency, arguments.runs)
    broken = broken_bounds(overlap, waiting)
    print(table(overlap, waiting, broken))
    if not arguments.dry:
        taken.write(_written(overlap, waiting, broken), arguments.json)
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.speed.overlap", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--calls", type=int, default=20, help="independent questions of one program")
    parser.add_argument("--latency", type=float, default=0.5, help="seconds that the scripted model takes for each")
    parser.add_argument("--runs", type=int, default=5, help="how often each program is run; the best counts")
    parser.add_argument("--conversations", type=int, default=200)
    offer_place(parser)
    return parser


_P = ParamSpec("_P")
_T = TypeVar("_T")


def _alone(measure: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """In a new process, whose memory and threads are of this measurement alone."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(measure, *args, **kwargs).result()


@contextmanager
def _home() -> Iterator[Path]:
    """The configuration file of a home with mail, files, calendar and contacts."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield write_home(A, Path(folder))


def assistant_of(configuration: Path, program: str, reading: Callable[[ModelRequest], str]) -> Assistant:
    """An assistant of its own over the home, whose planner writes this program and whose quarantined model is this function."""
    return Assistant(
        tools=tools_of(load_settings(configuration)),
        planner=ScriptedModel(lambda _request: program),
        quarantined=ScriptedModel(reading, replace(SCRIPTED, at_once=32)),
        now=lambda: NOW,
    )


# Independent calls


def overlapping_calls(configuration: Path, calls: int, latency: float, runs: int) -> Overlap:
    """The program with one question, and with so many, in turn."""

    def reading(_request: ModelRequest) -> str:
        time.sleep(latency)
        return '{"answer": "yes"}'

    one, several = [], []
    for _ in range(runs):
        one.append(_asking(configuration, 1, reading))
        several.append(_asking(configuration, calls, reading))
    return Overlap(calls, latency, min(one), min(several))


def _asking(configuration: Path, count: int, reading: Callable[[ModelRequest], str]) -> float:
    program = f'said = [quarantined(f"Question {{n}}", "text") for n in range({count})]\nanswer(", ".join(said))'
    assistant = assistant_of(configuration, program, reading)
    started = time.perf_counter()
    result = assistant.ask("Do it")
    taken = time.perf_counter() - started
    if result.outcome.ending != "done" or len(result.spent["quarantined"]) != count:
        raise RuntimeError(f"the program with {count} questions ended otherwise: {result.outcome.message}")
    return taken


# Conversations that wait


def waiting_conversations(configuration: Path, count: int) -> Waiting:
    """All wait for one model that answers when the last has asked and another conversation has ended."""
    inside, release = threading.Semaphore(0), threading.Event()

    def slow(_request: ModelRequest) -> str:
        inside.release()
        if not release.wait(_LONGEST):
            raise RuntimeError("a conversation hangs")
        return '{"answer": "yes"}'

    program = 'mails = search_emails()\nanswer(quarantined("Sum up", mails[0].subject, mails[0].body))'
    alone = _seconds(lambda: _ends(assistant_of(configuration, program, lambda _request: '{"answer": "no"}')))
    ended: list[bool] = []
    gc.collect()
    before = _megabytes()

    def converse() -> None:
        ended.append(_ends(assistant_of(configuration, program, slow)))

    threads = [threading.Thread(target=converse, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for _ in range(count):
        if not inside.acquire(timeout=_LONGEST):
            raise RuntimeError("a conversation never asked its model")
    waiting, living = _megabytes(), threading.active_count()
    other = _seconds(lambda: _ends(assistant_of(configuration, program, lambda _request: '{"answer": "no"}')))
    release.set()
    for thread in threads:
        thread.join(_LONGEST)
    gc.collect()
    return Waiting(count, before, waiting, _megabytes(), living, alone, other, sum(ended))


def _ends(assistant: Assistant) -> bool:
    return assistant.ask("Sum up my latest mail").outcome.ending == "done"


def _seconds(work: Callable[[], bool]) -> float:
    started = time.perf_counter()
    if not work():
        raise RuntimeError("a conversation did not end as it should")
    return time.perf_counter() - started


def _megabytes() -> float:
    """VmRSS: what of this process is in memory. Source: proc(5)."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmRSS:"))


# Bounds and report


def broken_bounds(overlap: Overlap, waiting: Waiting) -> list[str]:
    """Each bound that does not hold, in words."""
    broken = []
    if overlap.ratio > MOST_RATIO:
        broken.append(f"{overlap.calls} calls take {overlap.ratio:.2f} times as long as one; the bound is {MOST_RATIO}")
    if waiting.grown > MOST_MEGABYTES:
        broken.append(
            f"{waiting.conversations} conversations cost {waiting.grown:.0f} MB; the bound is {MOST_MEGABYTES:.0f}"
        )
    if waiting.ended != waiting.conversations:
        broken.append(f"{waiting.ended} of {waiting.conversations} conversations ended")
    return broken


def table(overlap: Overlap, waiting: Waiting, broken: Sequence[str]) -> str:
    """All numbers for people."""
    took = f"{overlap.one:.3f} s; {overlap.calls} of them: {overlap.all:.3f} s; ratio {overlap.ratio:.3f}"
    with_all = f"{waiting.waiting:.1f} MB with all of them ({waiting.threads} threads), {waiting.after:.1f} MB after"
    lines = [
        f"1 question of {overlap.latency:g} s: {took}",
        f"{waiting.conversations} conversations that wait: resident {waiting.before:.1f} MB before, {with_all}; grown by {waiting.grown:.1f} MB",
        f"one more conversation: {waiting.alone:.2f} s alone, {waiting.other:.2f} s beside all that wait; {waiting.ended} ended at last",
    ]
    return "\n".join([*lines, *(f"BROKEN {each}" for each in broken)])


def _written(overlap: Overlap, waiting: Waiting, broken: Sequence[str]) -> dict[str, object]:
    return {
        "overlap": {**asdict(overlap), "ratio": overlap.ratio},
        "waiting": {**asdict(waiting), "grown": waiting.grown},
        "broken": list(broken),
    }


if __name__ == "__main__":
    sys.exit(main())
