"""Two workers on one PostgreSQL: one is killed by SIGKILL in the middle of a run, the other takes the run over, a third process looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.server import Server
from tests.runs.crashing import Crash, Handover, Processes, crash, handed_over, whole


@pytest.fixture(scope="module")
def processes(postgresql: Server) -> Iterator[tuple[Processes, Processes, Processes]]:
    """The libraries are loaded once."""
    with Processes(postgresql.database) as one, Processes() as other, Processes() as third:
        yield one, other, third


@pytest.fixture(scope="module")
def expected(processes: tuple[Processes, ...], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What is there after each run, if nobody kills it."""
    folder = tmp_path_factory.mktemp("whole")
    return {case: whole(processes[0], folder / case, case) for case in ("files", "mail", "barrier", "alike")}


@pytest.mark.parametrize(
    "given",
    [
        Handover("files", ("program", 0), "before", "reading", 1),
        Handover("mail", ("approval", 0), "after", "started", 1),
        Handover("mail", ("approval", 0), "before", "tool", 2),
        Handover("alike", ("program", 0), "before", "tool", 3),
        Handover("barrier", ("program", 0), "before", "end", 1),
    ],
    ids=lambda given: f"{given.case} {given.when} {given.kind} {given.number}",
)
def test_a_worker_takes_over_from_one_that_was_killed(
    processes: tuple[Processes, Processes, Processes], expected: dict[str, Any], tmp_path: Path, given: Handover
) -> None:
    """It leaves the run alone while the first one lives; then the same end, no effect twice, none lost, no recorded read repeated."""
    ended = handed_over(processes, tmp_path / "home", expected[given.case], given)
    assert ended.problems == ()


@pytest.mark.parametrize(
    ("case", "when", "kind", "place"),
    [
        ("files", "after", "begun", 0),
        ("mail", "after", "approval", 0),
        ("mail", "after", "started", 1),
        ("alike", "before", "tool", 4),
        ("barrier", "after", "tool", 1),
    ],
)
def test_a_killed_run_comes_to_the_same_end(
    processes: tuple[Processes, ...],
    expected: dict[str, Any],
    tmp_path: Path,
    case: str,
    when: str,
    kind: str,
    place: int,
) -> None:
    """Gone on with by hand, as on SQLite."""
    number = [number for number, found in enumerate(expected[case]["kinds"], 1) if found == kind][place]
    ended = crash(processes[0], tmp_path / "home", expected[case], Crash(case, when, number))
    assert (ended.reached, ended.stopped, ended.problems) == (True, False, ())
