"""Journals of earlier versions: what they hold is still told, and what a damaged one is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.store.lines import LineRuns, list_journals, read_journal
from armslength.store.runs import Run

ENTRIES = [
    {"entry": "note", "kind": "begun", "run": "20261130-090005-1"},
    {"entry": "crossing", "kind": "clock", "name": "now", "asked": None, "answered": "2026-11-30T09:00:05+00:00"},
    {"entry": "note", "kind": "request", "text": "Do it"},
]


def write(folder: Path, entries: list[dict[str, object]], run: str = "20261130-090005-1", rest: bytes = b"") -> Path:
    """A journal with these entries."""
    path = folder / f"{run}.jsonl"
    path.write_bytes(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries) + rest)
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    """Notes and crossings come back in order, as they were."""
    assert list(read_journal(write(tmp_path, ENTRIES))) == ENTRIES


@pytest.mark.parametrize("kept", range(1, 60, 7))
def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path, kept: int) -> None:
    """The run died while writing it; what came before is whole."""
    path = write(tmp_path, ENTRIES[:2], rest=json.dumps(ENTRIES[1]).encode()[:kept])
    assert list(read_journal(path)) == ENTRIES[:2]


@pytest.mark.parametrize("damage", [b"{", b"", b"5", b"null", b'"x"', b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_line_is_named(tmp_path: Path, damage: bytes) -> None:
    """A line that is no object is an error with its number; what stands before it is given."""
    path = write(tmp_path, ENTRIES[:1], rest=damage + b"\n" + json.dumps(ENTRIES[2]).encode() + b"\n")
    entries = read_journal(path)
    assert next(entries) == ENTRIES[0]
    with pytest.raises(OperatorError) as caught:
        next(entries)
    assert str(caught.value) == f"the journal {path.name} is damaged in line 2"


def test_a_journal_that_is_not_there(tmp_path: Path) -> None:
    """One line."""
    with pytest.raises(OperatorError) as caught:
        list(read_journal(tmp_path / "x.jsonl"))
    assert str(caught.value) == "the journal x.jsonl cannot be read: No such file or directory"


def test_runs_are_listed_in_their_order(tmp_path: Path) -> None:
    """By the number, not by its digits."""
    names = [f"20261130-090005-{number}" for number in range(1, 12)]
    for name in reversed(names):
        write(tmp_path, [], name)
    assert list_journals(tmp_path) == names
    assert list_journals(tmp_path / "none") == []


def test_they_are_listed_with_how_they_ended(tmp_path: Path) -> None:
    """A journal without an end was cut off, one with damage too."""
    write(
        tmp_path, [*ENTRIES, {"entry": "note", "kind": "end", "ending": "declined", "effects": []}], "20261130-090005-1"
    )
    write(tmp_path, ENTRIES, "20261130-090005-2")
    write(tmp_path, ENTRIES, "20261130-090005-3", b"{\n{}\n")
    at = "2026-11-30T09:00:05+00:00"
    assert LineRuns(tmp_path).listed() == [
        Run("20261130-090005-1", at, "failed", "declined", "Do it"),
        Run("20261130-090005-2", at, "cut off", "", "Do it"),
        Run("20261130-090005-3", at, "cut off", "", "Do it"),
    ]
