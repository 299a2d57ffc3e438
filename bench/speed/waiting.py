"""What runs cost that wait for a person, and one worker that carries them out once they are answered.

    python -m bench.speed.waiting [--runs 200] [--json FILE]

On each database so many runs come to a question when nobody is there. Then they are answered, and one worker goes on with all of them.
Memory is that of this process (VmRSS), which made the runs wait; a run that waits holds nothing in it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from armslength.agent.approving.approval import Answer, Screen, all_of
from armslength.app import Assistant
from armslength.app.working import Worked, Worker
from armslength.errors import NotNow, Waits
from armslength.store.keeping import DatabaseRuns
from armslength.store.postgres import PostgresRuns
from armslength.store.sqlite import SqliteRuns
from armslength.surfaces.states import now_of
from armslength.testing import ScriptedModel
from armslength.tools.base import tool
from bench.commit import Taken, offer_place
from bench.server import server

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
_PROGRAM = 'note("milk")\nanswer("noted")'


class Nobody:
    """Cannot answer now."""

    def approve(self, screen: Screen) -> Answer:
        """No answer."""
        raise NotNow


class Willing:
    """Says yes."""

    def approve(self, screen: Screen) -> Answer:
        """To all of it."""
        return all_of(screen)


def assistant(runs: DatabaseRuns, notes: Path) -> Assistant:
    """One tool that writes a line into a file, and scripted models."""

    @tool(changes="notes")
    def note(text: str) -> None:
        """Note it."""
        with notes.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")

    model = ScriptedModel(lambda _request: _PROGRAM)
    return Assistant([note], model, model, runs=runs, now=lambda: NOW)


def measured(runs: DatabaseRuns, folder: Path, count: int) -> dict[str, Any]:
    """One database."""
    notes = folder / "notes"
    asked = assistant(runs, notes)
    before, names = _held(), list[str]()

    def wait() -> None:
        try:
            asked.ask("Note milk", approver=Nobody(), is_strict=True)
        except Waits as waits:
            names.append(waits.run)

    waited = [_timed(wait) for _ in range(count)]
    after = _held()
    listed = [_timed(runs.listed) for _ in range(30)]
    answered = [_timed(lambda name=name: asked.answer(name, approver=Willing())) for name in names]
    worked = list[Worked]()
    started = time.perf_counter()
    Worker(assistant(runs, notes), worked.append).once()
    seconds = time.perf_counter() - started
    states = [run.state for run in runs.listed()]
    shown = [_timed(lambda: [now_of(run, runs) for run in runs.listed()]) for _ in range(30)]
    named = [_timed(runs.names) for _ in range(30)]
    return {
        "waiting": len(names),
        "done_by_one_worker": sum(each.ending == "done" for each in worked),
        "effects": len(notes.read_text("utf-8").splitlines()),
        "states_at_the_end": {state: states.count(state) for state in sorted(set(states))},
        "kilobytes_of_memory_a_run": round((after["kilobytes"] - before["kilobytes"]) / count, 1),
        "more_threads": after["threads"] - before["threads"],
        "more_files_and_connections": after["handles"] - before["handles"],
        "ask_until_it_waits_ms": round(statistics.median(waited), 1),
        "list_of_all_ms": round(statistics.median(listed), 2),
        "list_of_all_that_ended_ms": round(statistics.median(shown), 2),
        "their_names_alone_ms": round(statistics.median(named), 2),
        "answer_ms": round(statistics.median(answered), 1),
        "worker_ms_a_run": round(seconds * 1000 / count, 1),
    }


def _held() -> dict[str, int]:
    status = Path("/proc/self/status").read_text("utf-8")
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    handles = len(list(Path("/proc/self/fd").iterdir()))
    return {"kilobytes": kilobytes, "threads": threading.active_count(), "handles": handles}


def _timed(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return (time.perf_counter() - start) * 1000


def main(words: list[str] | None = None) -> int:
    """Print the figures as JSON, and write them where they are kept. 1 if a run was lost, or something was done twice."""
    parser = argparse.ArgumentParser(description="What runs cost that wait for a person.")
    parser.add_argument("--runs", type=int, default=200)
    offer_place(parser)
    given = parser.parse_args(words)
    taken = Taken("waiting")
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name, server() as running:
        places = {
            "sqlite": lambda folder: SqliteRuns(folder / "runs.sqlite"),
            "postgresql": lambda folder: PostgresRuns(running.database(), folder),
        }
        for kind, place in places.items():
            folder = Path(name) / kind
            folder.mkdir()
            rows[kind] = measured(place(folder), folder, given.runs)
    print(json.dumps(rows, indent=1))
    if not given.dry:
        taken.write(rows, given.json)
    whole = all(row["waiting"] == row["done_by_one_worker"] == row["effects"] == given.runs for row in rows.values())
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
