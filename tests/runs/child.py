"""One process of a crash: begins a request, goes on with it, or looks at the disk. It may kill itself with SIGKILL on the way.

    python -m tests.runs.child begin HOME CASE [WHEN NUMBER]
    python -m tests.runs.child resume HOME CASE [WHEN NUMBER]
    python -m tests.runs.child told HOME CASE yes|no
    python -m tests.runs.child work HOME CASE [hold WHEN KIND NUMBER]
    python -m tests.runs.child look HOME

`serve` forks a process for each such command, a JSON line on standard input, so that libraries are loaded once.
WHEN is `before` or `after` the writing of entry NUMBER (from 1), or `sync`: before the NUMBERth time that the process waits for the disk.
A worker that is to `hold` stays there, at the NUMBERth entry of that kind, until somebody kills it; its process id is in HOME/held.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.runs.cases import CASES, Willing, assistant_in, furnish, log, logged, runs_in, world

from armslength.app.working import Worker
from armslength.errors import ArmslengthError, CannotResume
from armslength.store import opened
from armslength.store.journal import Entry, of_the_run

UNKNOWN = 7
"""The exit code where whether an effect was made cannot be told."""


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_when(when: str, number: int) -> None:
    """The process ends there."""
    count = 0
    plain = os.fsync if when == "sync" else opened.OpenDatabaseRun._append

    def counted(*given: Any) -> Any:
        nonlocal count
        count += 1
        if count == number and when != "after":
            _die()
        done = plain(*given)
        if count == number:
            _die()
        return done

    if when == "sync":
        os.fsync = counted
    else:
        opened.OpenDatabaseRun._append = counted  # type: ignore[method-assign]


def hold_when(path: Path, when: str, kind: str, number: int) -> None:
    """The process goes no further than that."""
    count = 0
    plain = opened.OpenDatabaseRun._append

    def held(run: opened.OpenDatabaseRun, entry: Entry) -> None:
        nonlocal count
        count += entry["kind"] == kind
        is_there = entry["kind"] == kind and count == number
        if not is_there or when == "after":
            plain(run, entry)
        if is_there:
            (path / "held.new").write_text(str(os.getpid()), "utf-8")
            (path / "held.new").rename(path / "held")
            while True:
                signal.pause()

    opened.OpenDatabaseRun._append = held  # type: ignore[method-assign]


def begin(path: Path, name: str) -> int:
    """Carry the request to its end."""
    case = CASES[name]
    (path / "case").write_text(name, "utf-8")
    assistant = assistant_in(path, case)
    assistant.ask("Do it", pasted=case.pasted, approver=Willing(path), is_strict=case.is_strict)
    return 0


def furnished(path: Path, url: str = "") -> int:
    """A new home."""
    furnish(path, url)
    return 0


def work(path: Path, name: str) -> int:
    """Go on with what was cut off until every run has ended. Each look is logged."""
    runs = runs_in(path)
    worker = Worker(
        assistant_in(path, CASES[name]), lambda worked: log(path / "worked", f"{os.getpid()} {worked.ending}")
    )
    while any(run.state in {"running", "answered", "cut off"} for run in runs.listed()):
        worker.once()
        log(path / "looked", str(os.getpid()))
        time.sleep(0.05)
    return 0


def resume(path: Path, name: str, told: bool | None = None) -> int:  # noqa: FBT001  # three answers
    """Go on with the last run if it was cut off; begin it where nothing of it was written."""
    runs = runs_in(path)
    names = runs.names()
    if not names or not runs.entries(names[-1]):
        return begin(path, name)
    if runs.listed()[-1].state not in {"answered", "cut off", "waiting"}:
        return 0
    assistant = assistant_in(path, CASES[name])
    try:
        assistant.resume(names[-1], approver=Willing(path), happened=told)
    except CannotResume as error:
        sys.stderr.write(f"{error}\n")
        return UNKNOWN
    return 0


def look(path: Path) -> int:
    """What is on the disk, as JSON."""
    runs = runs_in(path)
    listed = runs.listed()
    entries = of_the_run(runs.entries(listed[-1].name)) if listed else []
    answers = [entry["pieces"] for entry in entries if entry["kind"] == "answer"]
    reads = {json.loads(line)[0] for line in logged(path, "performed")}
    found = {
        "case": (path / "case").read_text("utf-8") if (path / "case").exists() else "",
        "world": world(path),
        "run": listed[-1].name if listed else "",
        "state": [(run.state, run.ending) for run in listed][-1:],
        "answers": answers,
        "started": [entry["digest"] for entry in entries if entry["kind"] == "started"],
        "recorded": sorted(
            json.dumps([entry["name"], entry["asked"]], sort_keys=True)
            for entry in entries
            if entry["kind"] == "tool" and entry["name"] in reads
        ),
        "kinds": [entry["kind"] for entry in entries],
        "faults": [str(fault) for fault in runs.verify()],
        "asked": logged(path, "asked"),
        "performed": sorted(logged(path, "performed")),
    }
    sys.stdout.write(json.dumps(found))
    return 0


def main(words: list[str]) -> int:
    """Run one of them."""
    command, path, rest = words[0], Path(words[1]), words[2:]
    if rest[1:2] == ["hold"]:
        hold_when(path, rest[2], rest[3], int(rest[4]))
    elif len(rest) > 2:
        kill_when(rest[1], int(rest[2]))
    kinds: dict[str, Callable[[], int]] = {
        "begin": lambda: begin(path, rest[0]),
        "resume": lambda: resume(path, rest[0]),
        "told": lambda: resume(path, rest[0], rest[1] == "yes"),
        "furnish": lambda: furnished(path, *rest),
        "work": lambda: work(path, rest[0]),
        "look": lambda: look(path),
    }
    try:
        return kinds[command]()
    except ArmslengthError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1


def serve() -> int:
    """Each line names a file for what the process says, and its words; answered by its exit code, negative for a signal."""
    for line in sys.stdin:
        said, words = json.loads(line)
        process = os.fork()
        if process == 0:
            handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(handle, 1)
            os.dup2(handle, 2)
            code = 99
            try:
                code = main(words)
                sys.stdout.flush()
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(process, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(serve() if sys.argv[1:] == ["serve"] else main(sys.argv[1:]))
