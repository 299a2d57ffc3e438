"""The bench of runs that wait: what it counts is whole, on both databases."""

from __future__ import annotations

import json
from pathlib import Path

from bench.speed.waiting import main


def test_a_few_runs_wait_and_are_carried_out(tmp_path: Path) -> None:
    """Each waits, holds no thread and no file, and is done once by the one worker."""
    assert main(["--runs", "4", "--json", str(tmp_path / "found.json")]) == 0
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    for database in ("sqlite", "postgresql"):
        row = found[database]
        assert [row[name] for name in ("waiting", "done_by_one_worker", "effects")] == [4, 4, 4]
        assert row["states_at_the_end"] == {"done": 4}
        assert row["more_threads"] == row["more_files_and_connections"] == 0
