"""The journal: a file that only the user can read, whole lines, and what a damaged one is worth."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.journal import Journal, MemoryJournal, list_runs, read_journal

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
ENTRIES = [
    {"entry": "note", "kind": "begun", "run": "20261130-090005-1"},
    {"entry": "crossing", "kind": "tool", "name": "today", "asked": {}, "answered": "2026-11-30"},
    {"entry": "crossing", "kind": "tool", "name": "x", "asked": {}, "answered": "no", "failed": "ToolError"},
]


def write(journal: Journal | MemoryJournal) -> None:
    """The entries above."""
    journal.note("begun", {"run": "20261130-090005-1"})
    journal.crossing(Crossing("tool", "today", {}, "2026-11-30"))
    journal.crossing(Crossing("tool", "x", {}, "no", "ToolError"))
    journal.close()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Notes and crossings come back in order, as they were."""
    journal = Journal(tmp_path / "runs", NOW)
    write(journal)
    assert list(read_journal(tmp_path / "runs" / "20261130-090005-1.jsonl")) == ENTRIES


def test_memory_keeps_the_same(tmp_path: Path) -> None:
    """The journal in memory has the entries of the one on disk."""
    journal = MemoryJournal(NOW)
    write(journal)
    assert journal.entries == ENTRIES


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """Mode 600 in a folder of mode 700, whatever the umask allows."""
    before = os.umask(0)
    try:
        journal = Journal(tmp_path / "runs", NOW)
    finally:
        os.umask(before)
    journal.close()
    assert stat.S_IMODE((tmp_path / "runs").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "runs" / f"{journal.run}.jsonl").stat().st_mode) == 0o600


def test_an_entry_is_on_disk_before_the_run_goes_on(tmp_path: Path) -> None:
    """Nothing is buffered: each entry is there before the next call."""
    journal = Journal(tmp_path, NOW)
    for place, entry in enumerate(ENTRIES, 1):
        journal.note(entry["kind"], {"place": place})
        assert len(list(read_journal(tmp_path / f"{journal.run}.jsonl"))) == place
    journal.close()


def test_lines_stay_lines(tmp_path: Path) -> None:
    """No content breaks a line: newlines, separators, lone surrogates, anything."""
    texts = ["a\nb", "\u2028\u2029\x85", "\ud800", '"}\n{"entry":"note"', "\x00\x1b[2J"]
    journal = Journal(tmp_path, NOW)
    for text in texts:
        journal.note("answer", {"text": text})
    journal.close()
    path = tmp_path / f"{journal.run}.jsonl"
    assert path.read_bytes().isascii()
    assert path.read_bytes().count(b"\n") == len(texts)
    assert [entry["text"] for entry in read_journal(path)] == texts


@pytest.mark.parametrize("kept", range(1, 60, 7))
def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path, kept: int) -> None:
    """The run died while writing it; what came before is whole."""
    journal = Journal(tmp_path, NOW)
    write(journal)
    path = tmp_path / f"{journal.run}.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + lines[2][:kept])
    assert list(read_journal(path)) == ENTRIES[:2]


@pytest.mark.parametrize("damage", [b"{", b"", b"5", b"null", b'"x"', b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_line_is_named(tmp_path: Path, damage: bytes) -> None:
    """A line that is no object is an error with its number; what stands before it is given."""
    journal = Journal(tmp_path, NOW)
    write(journal)
    path = tmp_path / f"{journal.run}.jsonl"
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], damage, lines[2], b""]))
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


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """One line, before anything ran."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(OperatorError) as caught:
        Journal(tmp_path / "file" / "runs", NOW)
    assert str(caught.value) == f"the journal folder {tmp_path / 'file' / 'runs'} cannot be written: Not a directory"


def test_a_journal_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    """A full disk is one line of ours."""
    journal = Journal(tmp_path, NOW)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, journal._file)
    os.close(full)
    with pytest.raises(OperatorError) as caught:
        journal.note("begun", {})
    assert str(caught.value) == f"the journal {journal.run} cannot be written: No space left on device"
    journal.close()


def test_runs_of_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    """Never two runs in one file; the list is in their order."""
    names = []
    for _ in range(11):
        journal = Journal(tmp_path, NOW)
        journal.close()
        names.append(journal.run)
    assert names == [f"20261130-090005-{number}" for number in range(1, 12)]
    assert list_runs(tmp_path) == names
    assert list_runs(tmp_path / "none") == []


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    """The name is taken, so another is used; what the link points to is left alone."""
    (tmp_path / "precious").write_text("x", "utf-8")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "20261130-090005-1.jsonl").symlink_to(tmp_path / "precious")
    journal = Journal(tmp_path / "runs", NOW)
    write(journal)
    assert journal.run == "20261130-090005-2"
    assert (tmp_path / "precious").read_text("utf-8") == "x"
