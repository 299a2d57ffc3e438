"""The measurement of overlap measures what it says; its numbers are not looked at here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bench.speed.overlap import Overlap, Waiting, broken_bounds, main, table

FAST = Overlap(20, 0.5, one=0.5, all=0.55)
SMALL = Waiting(200, before=50.0, waiting=90.0, after=80.0, threads=401, alone=0.01, other=0.02, ended=200)


def test_a_small_measurement_is_written_with_its_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three questions that take no time, four conversations that all wait and all end."""
    written = tmp_path / "overlap.json"
    main(["--calls", "3", "--latency", "0", "--runs", "1", "--conversations", "4", "--json", str(written)])
    found = json.loads(written.read_text("utf-8"))
    assert (found["overlap"]["calls"], found["waiting"]["conversations"], found["waiting"]["ended"]) == (3, 4, 4)
    assert found["waiting"]["threads"] >= 9
    assert found["commit"]
    assert capsys.readouterr().out.startswith("1 question of 0 s: ")


def test_each_bound_is_looked_at() -> None:
    """A ratio, an amount of memory, and whether all ended."""
    assert broken_bounds(FAST, SMALL) == []
    assert broken_bounds(replace(FAST, all=0.7), SMALL) == ["20 calls take 1.40 times as long as one; the bound is 1.2"]
    assert broken_bounds(FAST, replace(SMALL, waiting=260.0)) == ["200 conversations cost 210 MB; the bound is 200"]
    assert broken_bounds(FAST, replace(SMALL, ended=199)) == ["199 of 200 conversations ended"]


def test_the_report_has_all_numbers() -> None:
    """What a person reads."""
    assert table(FAST, SMALL, ["it is slow"]) == (
        "1 question of 0.5 s: 0.500 s; 20 of them: 0.550 s; ratio 1.100\n"
        "200 conversations that wait: resident 50.0 MB before, 90.0 MB with all of them (401 threads), 80.0 MB after; "
        "grown by 40.0 MB\n"
        "one more conversation: 0.01 s alone, 0.02 s beside all that wait; 200 ended at last\n"
        "BROKEN it is slow"
    )
