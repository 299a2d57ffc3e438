"""Runs in SQLite: durable, private, one process at a time, each with its state; and what a damaged file is worth."""

from __future__ import annotations

import os
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.journal import Entry, MemoryJournal, asked_anew, of_the_run
from armslength.store.runs import OpenRun, Run
from armslength.store.sqlite import SqliteRuns

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
NAME = "20261130-090005-1"
ENTRIES = [
    {"entry": "note", "kind": "begun", "run": NAME},
    {"entry": "crossing", "kind": "tool", "name": "today", "asked": {}, "answered": "2026-11-30"},
    {"entry": "crossing", "kind": "tool", "name": "x", "asked": {}, "answered": "no", "failed": "ToolError"},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database will be."""
    return tmp_path / "state" / "runs.sqlite"


def write(journal: OpenRun | MemoryJournal) -> None:
    """The entries above."""
    journal.note("begun", {"run": NAME})
    journal.crossing(Crossing("tool", "today", {}, "2026-11-30"))
    journal.crossing(Crossing("tool", "x", {}, "no", "ToolError"))


def test_only_the_user_can_read_it(path: Path) -> None:
    """Mode 600 of every file, in a folder of mode 700, whatever the umask allows."""
    before = os.umask(0)
    try:
        journal = SqliteRuns(path).begin(NOW)
        write(journal)
    finally:
        os.umask(before)
    modes = {found.name: stat.S_IMODE(found.stat().st_mode) for found in path.parent.rglob("*")}
    journal.close()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert modes == {
        "runs.sqlite": 0o600,
        "runs.sqlite-wal": 0o600,
        "runs.sqlite-shm": 0o600,
        "runs.heads": 0o600,
        "runs.key": 0o600,
        "runs.leases": 0o700,
        NAME: 0o600,
    }


def test_a_database_that_others_could_read_is_closed_to_them(path: Path) -> None:
    """A copy with a loose mode gets the right one when it is opened."""
    SqliteRuns(path).begin(NOW).close()
    path.chmod(0o644)
    SqliteRuns(path).names()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_is_written_to_the_disk_each_time(path: Path) -> None:
    """The write-ahead log, and a sync at each commit."""
    runs = SqliteRuns(path)
    journal = runs.begin(NOW)
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._database.rows("PRAGMA synchronous") == [(2,)]
    database.close()
    journal.close()


def test_nothing_is_made_by_looking(path: Path) -> None:
    """There are no runs, and no files."""
    runs = SqliteRuns(path)
    assert (runs.names(), runs.listed(), runs.verify(), runs.purge(NOW)) == ([], [], [], [])
    with pytest.raises(OperatorError) as caught:
        runs.entries(NAME)
    assert str(caught.value) == f"there is no run {NAME}; armslength runs lists them"
    assert not path.parent.exists()


def test_purging_leaves_nothing(path: Path) -> None:
    """What began before the day goes, and not a word of it is in any file; what is at work stays."""
    runs = SqliteRuns(path)
    old, at_work, new = runs.begin(NOW), runs.begin(NOW), runs.begin(NOW + timedelta(days=2))
    for each in (old, at_work, new):
        each.note("request", {"text": f"a-secret-of-{each.run}"})
    old.close()
    new.close()
    assert runs.purge(NOW + timedelta(days=1)) == [old.run]
    assert runs.names() == [at_work.run, new.run]
    at_work.close()
    assert runs.verify() == []
    left = b"".join(found.read_bytes() for found in path.parent.rglob("*") if found.is_file())
    assert f"a-secret-of-{old.run}".encode() not in left
    assert f"a-secret-of-{new.run}".encode() in left


def test_a_database_of_the_first_version_is_upgraded(path: Path) -> None:
    """A run that waited in it is listed, verified and gone on with; its hashes are those of then."""
    SqliteRuns(path).begin(NOW).close()
    path.with_suffix(".heads").unlink()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE runs SET form = 1, effects = ''")
    journal = SqliteRuns(path).take(NAME)
    write(journal)
    journal.note("started", {"digest": "a"})
    journal.waits()
    journal.close()
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT digest FROM begun").fetchall() == [("a",)]
        database.execute("ALTER TABLE runs DROP COLUMN since")
        database.execute("ALTER TABLE runs DROP COLUMN form")
        database.execute("ALTER TABLE runs DROP COLUMN effects")
        database.execute("PRAGMA user_version = 1")
    database.close()
    runs = SqliteRuns(path)
    assert runs.listed() == [Run(NAME, NOW.isoformat(), "waiting", "", "", "")]
    assert runs.verify() == []
    again = runs.take(NAME)
    assert again.entries == [*ENTRIES, {"entry": "note", "kind": "started", "digest": "a"}]
    with pytest.raises(OperatorError):
        again.note("started", {"digest": "a"})
    again.waits()
    again.close()
    assert runs.verify() == []
    assert runs.listed()[0].since != ""


def test_the_disk_has_the_head_of_a_run_that_was_left(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its first entry, so that a loss of power never takes the whole head, and when it is left; between, the system has it."""
    synced = list[str]()
    plain = os.fsync

    def noted(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        plain(handle)

    journal = SqliteRuns(path).begin(NOW)
    monkeypatch.setattr(os, "fsync", noted)
    both = [str(path.with_suffix(".heads")), str(path.parent)]
    seen = []
    for kind in ("begun", "request", "program"):
        journal.note(kind, {})
        seen.append(list(synced))
    journal.close()
    assert [seen, synced] == [[both, both, both], [*both, *both]]


@pytest.mark.parametrize("version", [0, 5])
def test_another_version_is_refused(path: Path, version: int) -> None:
    """Nothing is guessed, and nothing changed."""
    SqliteRuns(path).begin(NOW).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).begin(NOW)
    assert str(caught.value) == (
        f"{path} has version {version} of the journals, and this armslength knows version 4; "
        "use the one that wrote it, or move the file away"
    )


def test_what_is_no_database_is_one_line(path: Path) -> None:
    """Whatever stands there."""
    path.parent.mkdir()
    path.write_bytes(b"no database " * 100)
    for use in (SqliteRuns(path).names, SqliteRuns(path).listed, lambda: SqliteRuns(path).begin(NOW)):
        with pytest.raises(OperatorError) as caught:
            use()
        assert str(caught.value).startswith(f"the journals in {path} cannot be ")
        assert str(caught.value).endswith(": file is not a database")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """One line, before anything ran."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(tmp_path / "file" / "runs.sqlite").begin(NOW)
    assert str(caught.value) == f"the journals in {tmp_path / 'file' / 'runs.sqlite'} cannot be written: File exists"


def test_a_journal_that_cannot_be_written_stops_the_run(path: Path) -> None:
    """A full disk is one line of ours, and what was written before stays."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note("begun", {})
    ((pages,),) = journal._database.rows("PRAGMA page_count")
    journal._database.rows(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OperatorError) as caught:
        journal.note("answer", {"text": "x" * 100_000})
    assert str(caught.value) == f"the journal {NAME} cannot be written: database or disk is full"
    journal.close()
    assert [entry["kind"] for entry in SqliteRuns(path).entries(NAME)] == ["begun"]


def test_a_link_in_the_way_is_not_followed(path: Path, tmp_path: Path) -> None:
    """What it points to is left alone."""
    (tmp_path / "precious").write_text("x", "utf-8")
    path.parent.mkdir()
    path.symlink_to(tmp_path / "precious")
    with pytest.raises(OperatorError):
        SqliteRuns(path).begin(NOW)
    assert (tmp_path / "precious").read_text("utf-8") == "x"


def _resolve(number: int) -> Entry:
    return {"entry": "crossing", "kind": "resolve", "name": "t", "asked": number, "answered": None}


def test_what_is_about_the_run_is_not_of_it() -> None:
    """Going on leaves out its own notes, and what was asked anew."""
    begun: Entry = {"entry": "note", "kind": "begun"}
    first = [begun, _resolve(1), {"entry": "note", "kind": "decision"}, _resolve(2), _resolve(3)]
    assert asked_anew(first) == 2
    resumed: Entry = {"entry": "note", "kind": "resumed", "void": 2}
    second = [*first, resumed, _resolve(4)]
    assert of_the_run(second) == [*first[:3], _resolve(4)]
    assert asked_anew(second) == 1
    third = [*second, {"entry": "note", "kind": "resumed", "void": 1}, {"entry": "note", "kind": "found"}]
    assert of_the_run(third) == first[:3]


@pytest.mark.parametrize("void", [0, -1, None, True, 9, "1"])
def test_nothing_else_is_left_out(void: object) -> None:
    """A number that makes no sense leaves out nothing."""
    assert of_the_run([_resolve(1), {"entry": "note", "kind": "resumed", "void": void}]) == [_resolve(1)]
