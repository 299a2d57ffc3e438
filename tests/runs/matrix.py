"""The full matrix: each run is killed before and after the writing of each entry, and whenever it waits for the disk. Minutes.

    python -m tests.runs.matrix [--database postgresql] [--minutes M] [CASE ...]

Prints what is wrong, and writes a dated summary to bench/results unless some cases are named. After M minutes no other case is begun, and the
summary says which were not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.commit import Taken
from bench.server import Server, server
from tests.runs.cases import CASES
from tests.runs.crashing import Crash, Processes, crash, whole

PLACES: list[tuple[str, tuple[str, int] | None, int]] = [
    ("before", None, 1),
    ("after", None, 1),
    ("sync", None, 1),
    ("after", ("after", 2), 3),
    ("before", ("before", 4), 3),
]
"""When it is killed; where the process that goes on is killed, too; at every how manieth place."""


def killed_everywhere(processes: Processes, folder: Path, case: str) -> dict[str, Any]:
    """One row of the matrix."""
    expected = whole(processes, folder / "whole", case)
    row: dict[str, Any] = {"entries": len(expected["kinds"]), "kills": 0, "said_that_it_cannot_tell": 0, "problems": []}
    for when, again, step in PLACES:
        number = 1
        while True:
            given = Crash(case, when, number, again)
            ended = crash(processes, folder / f"{when}-{again}-{number}", expected, given)
            if not ended.reached:
                break
            row["kills"] += 1 + (again is not None)
            row["said_that_it_cannot_tell"] += ended.stopped
            row["problems"] += [[asdict(given), problem] for problem in ended.problems]
            number += step
    return row


class Databases:
    """A new database for each home; the one before is not needed any more."""

    def __init__(self, running: Server) -> None:
        self._running, self._last = running, ""

    def __call__(self) -> str:
        """Its URL."""
        if self._last:
            self._running.drop(self._last)
        self._last = self._running.database()
        return self._last


@contextmanager
def databases(kind: str) -> Iterator[Callable[[], str]]:
    """What gives each home its database: nothing where it is SQLite."""
    if kind == "sqlite":
        yield str
        return
    with server(is_durable=False) as running:
        yield Databases(running)


def main(words: list[str]) -> int:
    """The matrix of these runs."""
    parser = argparse.ArgumentParser(description="Kills ten runs at each of their entries.")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no case after so long")
    parser.add_argument("cases", nargs="*", default=[])
    asked = parser.parse_args(words)
    cases, kind = asked.cases or list(CASES), str(asked.database)
    taken, rows, started = Taken(f"crashes-{kind}"), {}, time.monotonic()
    with tempfile.TemporaryDirectory() as folder, databases(kind) as made, Processes(made) as processes:
        for case in cases:
            if time.monotonic() - started > asked.minutes * 60:
                break
            (Path(folder) / case).mkdir()
            rows[case] = killed_everywhere(processes, Path(folder) / case, case)
            print(case, json.dumps(rows[case]), flush=True)  # noqa: T201  # a command
    result = {
        "database": kind,
        "not_run": [case for case in cases if case not in rows],
        "seconds": round(time.monotonic() - started),
        "kills": sum(row["kills"] for row in rows.values()),
        "problems": sum(len(row["problems"]) for row in rows.values()),
        "runs": rows,
    }
    if not asked.cases:
        taken.write(result)
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
