"""Processes killed by SIGKILL in the middle of a run, gone on with by a second process, the disk read by a third.

`python -m tests.runs.matrix` kills at every entry of ten runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.runs.crashing import Crash, Processes, crash, whole


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    """The libraries are loaded once."""
    with Processes() as forking:
        yield forking


@pytest.fixture(scope="module")
def expected(processes: Processes, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What is on the disk after each run, if nobody kills it."""
    folder = tmp_path_factory.mktemp("whole")
    return {case: whole(processes, folder / case, case) for case in {case for case, *_ in PLACES}}


PLACES = [
    ("files", "before", "begun", 0),
    ("files", "after", "begun", 0),
    ("files", "after", "program", 0),
    ("files", "before", "reading", 0),
    ("files", "after", "started", 0),
    ("files", "before", "tool", 1),
    ("files", "after", "started", 1),
    ("files", "before", "end", 0),
    ("mail", "before", "approval", 0),
    ("mail", "after", "approval", 0),
    ("mail", "after", "resolve", -1),
    ("mail", "before", "tool", 1),
    ("mail", "after", "started", 1),
    ("mail", "before", "tool", 3),
    ("barrier", "before", "tool", 0),
    ("barrier", "before", "tool", 1),
    ("barrier", "after", "tool", 1),
    ("alike", "after", "started", 1),
    ("alike", "before", "tool", 1),
    ("alike", "before", "tool", 4),
    ("again", "after", "program", 0),
    ("beside", "after", "tool", 1),
    ("beside", "after", "model", 2),
    ("posting", "after", "started", 1),
    ("posting", "before", "tool", 1),
    ("strict", "after", "tool", 0),
]
"""A run; before or after the writing of which entry: its kind, and the how manieth of that kind."""


def entry_of(kinds: list[str], kind: str, place: int) -> int:
    """The number of that entry."""
    return [number for number, found in enumerate(kinds, 1) if found == kind][place]


@pytest.mark.parametrize(("case", "when", "kind", "place"), PLACES)
def test_a_killed_run_comes_to_the_same_end(
    processes: Processes, expected: dict[str, Any], tmp_path: Path, case: str, when: str, kind: str, place: int
) -> None:
    """The same end, no effect twice, none lost, no recorded read repeated, nobody asked again; or it says that it cannot tell."""
    number = entry_of(expected[case]["kinds"], kind, place)
    ended = crash(processes, tmp_path / "home", expected[case], Crash(case, when, number))
    assert ended.reached
    assert ended.problems == ()
    assert ended.stopped == (case == "posting")


def test_a_run_that_is_killed_twice_comes_to_the_same_end(
    processes: Processes, expected: dict[str, Any], tmp_path: Path
) -> None:
    """The second process dies while it finds out what the first had done."""
    number = entry_of(expected["alike"]["kinds"], "started", 1)
    for again in (("after", 1), ("after", 2), ("before", 3), ("after", 3)):
        home = tmp_path / f"{again[0]}-{again[1]}"
        ended = crash(processes, home, expected["alike"], Crash("alike", "after", number, again))
        assert (ended.reached, ended.stopped, ended.problems) == (True, False, ())
