"""Runs in SQLite: durable, private, one process at a time, each with its state; and what a damaged file is worth."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.journal import Entry, MemoryJournal, asked_anew, of_the_run
from armslength.store.runs import OpenRun, Run, check_open
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


def test_what_is_written_is_read(path: Path) -> None:
    """Notes and crossings come back in order, as they were; the journal in memory has the same."""
    journal = SqliteRuns(path).begin(NOW)
    write(journal)
    journal.close()
    assert SqliteRuns(path).entries(NAME) == ENTRIES
    kept = MemoryJournal(NOW)
    write(kept)
    assert kept.entries == ENTRIES


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


def test_an_entry_is_there_before_the_run_goes_on(path: Path) -> None:
    """Another connection sees each entry before the next call."""
    runs = SqliteRuns(path)
    journal = runs.begin(NOW)
    for place in range(1, 5):
        journal.note("answer", {"place": place})
        assert len(runs.entries(NAME)) == place
    journal.close()


def test_any_text_is_kept(path: Path) -> None:
    """Newlines, separators, lone surrogates, control characters."""
    texts = ["a\nb", "\u2028\u2029\x85", "\ud800", '"}\n{"entry":"note"', "\x00\x1b[2J"]
    journal = SqliteRuns(path).begin(NOW)
    for text in texts:
        journal.note("answer", {"text": text})
    journal.close()
    assert [entry["text"] for entry in SqliteRuns(path).entries(NAME)] == texts


def test_a_request_of_any_text_is_listed(path: Path) -> None:
    """Also one that a database cannot take for text."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note("request", {"text": "a\ud800\x00b"})
    journal.close()
    (run,) = SqliteRuns(path).listed()
    assert run.request == "a\ufffd\ufffdb"
    assert SqliteRuns(path).verify() == []


def test_runs_of_one_second_have_names_of_their_own(path: Path) -> None:
    """The list is in their order."""
    runs = SqliteRuns(path)
    opened = [runs.begin(NOW) for _ in range(11)]
    assert [each.run for each in opened] == runs.names() == [f"20261130-090005-{number}" for number in range(1, 12)]
    for each in opened:
        each.close()


def test_nothing_is_made_by_looking(path: Path) -> None:
    """There are no runs, and no files."""
    runs = SqliteRuns(path)
    assert (runs.names(), runs.listed(), runs.verify(), runs.purge(NOW)) == ([], [], [], [])
    with pytest.raises(OperatorError) as caught:
        runs.entries(NAME)
    assert str(caught.value) == f"there is no run {NAME}; armslength runs lists them"
    assert not path.parent.exists()


def states(path: Path) -> list[tuple[str, str]]:
    """State and ending of each run, as another process would see them."""
    return [(run.state, run.ending) for run in SqliteRuns(path).listed()]


def test_the_state_follows_the_entries(path: Path) -> None:
    """At work, waiting for a person, at work again, ended."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note("request", {"text": "Do it"})
    assert SqliteRuns(path).listed() == [Run(NAME, NOW.isoformat(), "running", "", "Do it")]
    journal.waits()
    assert states(path) == [("waiting", "")]
    journal.crossing(Crossing("approval", "d", {}, {"yes": True}))
    assert states(path) == [("running", "")]
    journal.note("end", {"ending": "declined", "effects": []})
    assert states(path) == [("failed", "declined")]
    journal.close()
    assert states(path) == [("failed", "declined")]


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (("end", {"ending": "done"}), ("done", "done")),
        (("end", {"ending": "stopped"}), ("failed", "stopped")),
        (("failed", {}), ("failed", "stopped")),
        (("cancelled", {}), ("cancelled", "cancelled")),
        (("answer", {}), ("cut off", "")),
    ],
)
def test_how_a_run_ends(path: Path, entry: tuple[str, Entry], state: tuple[str, str]) -> None:
    """What nobody works on and has no end was cut off; what has one is not gone on with."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note(*entry)
    journal.close()
    assert states(path) == [state]
    again = SqliteRuns(path).take(NAME)
    if state[0] == "cut off":
        check_open(again)
    else:
        with pytest.raises(OperatorError) as caught:
            check_open(again)
        assert str(caught.value) == f"the run {NAME} has ended already ({state[1]}); armslength why {NAME} shows it"
    again.close()


def test_a_waiting_run_waits_without_a_process(path: Path) -> None:
    """A week costs nothing."""
    journal = SqliteRuns(path).begin(NOW)
    journal.waits()
    journal.close()
    assert states(path) == [("waiting", "")]


def test_one_process_works_on_a_run(path: Path) -> None:
    """A second one is refused until the first has let go."""
    journal = SqliteRuns(path).begin(NOW)
    write(journal)
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).take(NAME)
    assert str(caught.value) == f"another process works on the run {NAME}; wait for it, or end it"
    journal.close()
    again = SqliteRuns(path).take(NAME)
    assert again.entries == ENTRIES
    again.note("resumed", {"void": 0})
    again.close()
    assert len(SqliteRuns(path).entries(NAME)) == len(ENTRIES) + 1
    assert SqliteRuns(path).verify() == []


def _begin_and_hang(path: Path, told: Connection) -> None:
    journal = SqliteRuns(path).begin(NOW)
    write(journal)
    told.send(journal.run)
    told.recv()


def test_a_killed_process_lets_go_at_once(path: Path) -> None:
    """SIGKILL: the run is at work until then, and cut off after; another takes it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=_begin_and_hang, args=(path, there))
    child.start()
    assert here.recv() == NAME
    assert states(path) == [("running", "")]
    child.kill()
    child.join()
    assert states(path) == [("cut off", "")]
    again = SqliteRuns(path).take(NAME)
    assert again.entries == ENTRIES
    again.close()


def test_an_effect_is_begun_once(path: Path) -> None:
    """A yes is used up with the first `started`, in the same transaction; whoever takes the run up later is refused too."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note("started", {"digest": "a"})
    journal.note("started", {"digest": "b"})
    for opened in (journal, None):
        current = opened or SqliteRuns(path).take(NAME)
        with pytest.raises(OperatorError) as caught:
            current.note("started", {"digest": "a"})
        assert str(caught.value) == f"the run {NAME} began this effect before, so it is not begun again"
        current.close()
    assert [entry["digest"] for entry in SqliteRuns(path).entries(NAME)] == ["a", "b"]


def test_a_further_program_begins_anew(path: Path) -> None:
    """It is written only where the one before did nothing."""
    journal = SqliteRuns(path).begin(NOW)
    journal.note("started", {"digest": "a"})
    journal.note("program", {"text": ""})
    journal.note("started", {"digest": "a"})
    journal.close()


def test_an_interrupted_writing_is_looked_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between the database and what is known here of it: the next entry finds its place."""
    runs = SqliteRuns(path)
    journal = runs.begin(NOW)
    journal.note("begun", {})

    def interrupted(_number: int, _head: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs.heads, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.note("request", {"text": "x"})
    journal.note("cancelled", {})
    journal.close()
    assert [entry["kind"] for entry in runs.entries(NAME)] == ["begun", "request", "cancelled"]
    assert runs.verify() == []


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
    """A run that waited in it is listed, verified and gone on with."""
    journal = SqliteRuns(path).begin(NOW)
    write(journal)
    journal.waits()
    journal.close()
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE runs DROP COLUMN since")
        database.execute("PRAGMA user_version = 1")
    database.close()
    runs = SqliteRuns(path)
    assert runs.listed() == [Run(NAME, NOW.isoformat(), "waiting", "", "", "")]
    assert runs.verify() == []
    again = runs.take(NAME)
    assert again.entries == ENTRIES
    again.waits()
    again.close()
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


@pytest.mark.parametrize("version", [0, 3])
def test_another_version_is_refused(path: Path, version: int) -> None:
    """Nothing is guessed, and nothing changed."""
    SqliteRuns(path).begin(NOW).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).begin(NOW)
    assert str(caught.value) == (
        f"{path} has version {version} of the journals, and this armslength knows version 2; "
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
