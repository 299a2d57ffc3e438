"""What shows that a journal was changed: every byte of every entry, entries that went, came, moved or were cut off, and the list of runs."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.runs import Fault
from armslength.store.sqlite import SqliteRuns

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
NAME, OTHER = "20261130-090005-1", "20261130-090005-2"
COUNT = 6


def write(runs: SqliteRuns) -> str:
    """A run of six entries."""
    journal = runs.begin(NOW)
    journal.note("begun", {"run": journal.run})
    journal.note("request", {"text": "Do it"})
    journal.crossing(Crossing("tool", "today", {}, "2026-11-30"))
    journal.note("started", {"digest": "a"})
    journal.crossing(Crossing("tool", "x", {}, "no", "ToolError"))
    journal.note("end", {"ending": "done", "effects": []})
    journal.close()
    return journal.run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with two runs."""
    runs = SqliteRuns(tmp_path / "runs.sqlite")
    assert (write(runs), write(runs)) == (NAME, OTHER)
    assert runs.verify() == []
    return tmp_path / "runs.sqlite"


def change(path: Path, statement: str, *given_values: object) -> None:
    """Change the database by other hands than ours."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, given_values)


def column(path: Path, name: str, number: int) -> bytes:
    """The bytes of an entry."""
    with closing(sqlite3.connect(path)) as database:
        (found,) = database.execute(f"SELECT {name} FROM entries WHERE run = 1 AND number = ?", (number,)).fetchone()
    return bytes(found)


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changed_byte_is_named(path: Path, data: st.DataObject) -> None:
    """Whichever byte of whichever entry becomes whichever other: its entry is named, and the other run is whole."""
    number = data.draw(st.integers(1, COUNT))
    name = data.draw(st.sampled_from(["body", "hash"]))
    before = column(path, name, number)
    place = data.draw(st.integers(0, len(before) - 1))
    other = before[place] ^ data.draw(st.integers(1, 255))
    changed = before[:place] + bytes([other]) + before[place + 1 :]
    statement = f"UPDATE entries SET {name} = ? WHERE run = 1 AND number = ?"
    change(path, statement, changed, number)
    try:
        assert SqliteRuns(path).verify() == [Fault(NAME, number, f"entry {number} was edited or moved")]
    finally:
        change(path, statement, before, number)
    assert SqliteRuns(path).verify() == []


def test_every_position_is_covered(path: Path) -> None:
    """One flipped bit at each byte of an entry, one after the other."""
    before = column(path, "body", 3)
    for place in range(len(before)):
        changed = before[:place] + bytes([before[place] ^ 1]) + before[place + 1 :]
        change(path, "UPDATE entries SET body = ? WHERE run = 1 AND number = 3", changed)
        assert SqliteRuns(path).verify(NAME) == [Fault(NAME, 3, "entry 3 was edited or moved")]


BESIDE = [
    *(("runs", column, "id") for column in ("name", "started", "state", "ending", "request")),
    ("begun", "digest", "run"),
]


@pytest.mark.parametrize(("table", "name", "place"), BESIDE)
def test_what_stands_beside_the_entries_is_covered(path: Path, table: str, name: str, place: str) -> None:
    """Each character of each column, with a bit of it flipped: the run is named, and no other."""
    with closing(sqlite3.connect(path)) as database:
        (before,) = database.execute(f"SELECT {name} FROM {table} WHERE {place} = 1").fetchone()
    statement = f"UPDATE {table} SET {name} = ? WHERE {place} = 1"
    for at in range(len(before)):
        changed = before[:at] + chr(ord(before[at]) ^ 1) + before[at + 1 :]
        change(path, statement, changed)
        (fault,) = SqliteRuns(path).verify()
        assert fault.run == (changed if name == "name" else NAME)
        assert fault.entry > 0
    change(path, statement, before)
    assert SqliteRuns(path).verify() == []


@pytest.mark.parametrize(
    ("table", "name"), [("entries", "run"), ("entries", "number"), ("begun", "run"), ("runs", "id")]
)
def test_numbers_that_are_others_are_named(path: Path, table: str, name: str) -> None:
    """Which run an entry belongs to, which place it has, and which run a row is."""
    with closing(sqlite3.connect(path)) as database:
        found = {number for (number,) in database.execute(f"SELECT {name} FROM {table}")}
    for number, bit in ((number, bit) for number in sorted(found) for bit in (3, 8, 11)):
        change(path, f"UPDATE {table} SET {name} = ? WHERE {name} = ?", number ^ 1 << bit, number)
        assert SqliteRuns(path).verify() != []
        change(path, f"UPDATE {table} SET {name} = ? WHERE {name} = ?", number, number ^ 1 << bit)
    assert SqliteRuns(path).verify() == []


def test_when_a_run_came_to_its_question_is_covered(tmp_path: Path) -> None:
    """Each character of the time, and of what is beside it; and the format that a run's hashes are said to have."""
    path = tmp_path / "runs.sqlite"
    journal = SqliteRuns(path).begin(NOW)
    journal.note("begun", {})
    journal.waits()
    journal.close()
    with closing(sqlite3.connect(path)) as database:
        (before,) = database.execute("SELECT since FROM runs").fetchone()
    for at in range(len(before)):
        change(path, "UPDATE runs SET since = ?", before[:at] + chr(ord(before[at]) ^ 1) + before[at + 1 :])
        what = "that it waits for an answer, or since when, was edited in the list of runs"
        assert SqliteRuns(path).verify() == [Fault(NAME, 0, what)]
    change(path, "UPDATE runs SET since = ?", before)
    assert SqliteRuns(path).verify() == []
    change(path, "UPDATE runs SET form = 1")
    assert SqliteRuns(path).verify() == [Fault(NAME, 1, "entry 1 was edited or moved")]


def test_that_a_run_waits_is_covered(tmp_path: Path) -> None:
    """An answered run that is said to wait would never be carried out, and one that waits not be shown; an earlier question's mark is no help."""
    path = tmp_path / "runs.sqlite"
    journal = SqliteRuns(path).begin(NOW)
    journal.note("begun", {})
    journal.waits()
    with closing(sqlite3.connect(path)) as database:
        (first,) = database.execute("SELECT since FROM runs").fetchone()
    journal.note("program", {"text": "x"})
    journal.close()
    faults = [Fault(NAME, 0, "that it waits for an answer, or since when, was edited in the list of runs")]
    for since in ("", first, first.partition(" ")[0]):
        change(path, f"UPDATE runs SET state = 'waiting', since = '{since}'")
        assert SqliteRuns(path).verify() == faults
    change(path, "UPDATE runs SET state = 'running', since = ''")
    assert SqliteRuns(path).verify() == []
    again = SqliteRuns(path).take(NAME)
    again.waits()
    again.close()
    assert SqliteRuns(path).verify() == []
    change(path, "UPDATE runs SET since = ?", first)
    assert SqliteRuns(path).verify() == faults


def test_a_run_without_entries_is_covered(tmp_path: Path) -> None:
    """Its head says when it began."""
    path = tmp_path / "runs.sqlite"
    SqliteRuns(path).begin(NOW).close()
    assert SqliteRuns(path).verify() == []
    change(path, "UPDATE runs SET started = '2020-01-01T00:00:00+00:00'")
    assert SqliteRuns(path).verify() == [Fault(NAME, 0, "its head outside the database, or its time, was edited")]


@pytest.mark.parametrize("number", range(1, COUNT))
def test_a_dropped_entry_is_named(path: Path, number: int) -> None:
    """It leaves a gap."""
    change(path, "DELETE FROM entries WHERE run = 1 AND number = ?", number)
    assert SqliteRuns(path).verify() == [Fault(NAME, number, f"entry {number} was dropped")]


@pytest.mark.parametrize("number", range(1, COUNT))
def test_a_gap_that_is_closed_is_named(path: Path, number: int) -> None:
    """Those behind move up; the first of them does not follow the one before."""
    change(path, "DELETE FROM entries WHERE run = 1 AND number = ?", number)
    for later in range(number + 1, COUNT + 1):
        change(path, "UPDATE entries SET number = ? WHERE run = 1 AND number = ?", later - 1, later)
    assert SqliteRuns(path).verify() == [Fault(NAME, number, f"entry {number} was edited or moved")]


@pytest.mark.parametrize("kept", range(COUNT))
def test_an_end_that_was_cut_off_is_named(path: Path, kept: int) -> None:
    """The head outside the database says how many there were."""
    change(path, "DELETE FROM entries WHERE run = 1 AND number > ?", kept)
    what = f"entry {kept + 1} was dropped, and all {COUNT - kept} from there to the end"
    assert SqliteRuns(path).verify() == [Fault(NAME, kept + 1, what)]


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 5), (5, 6)])
def test_entries_that_changed_places_are_named(path: Path, one: int, other: int) -> None:
    """The first of them."""
    for before, after in ((one, 99), (other, one), (99, other)):
        change(path, "UPDATE entries SET number = ? WHERE run = 1 AND number = ?", after, before)
    assert SqliteRuns(path).verify() == [Fault(NAME, one, f"entry {one} was edited or moved")]


def test_an_entry_of_another_run_is_named(path: Path) -> None:
    """The same place in another journal has another key."""
    change(path, "DELETE FROM entries WHERE run = 1 AND number = 3")
    change(path, "INSERT INTO entries SELECT 1, number, body, hash FROM entries WHERE run = 2 AND number = 3")
    assert SqliteRuns(path).verify() == [Fault(NAME, 3, "entry 3 was edited or moved")]


def test_an_added_entry_is_named(path: Path) -> None:
    """Nobody without the key continues a journal."""
    change(path, "INSERT INTO entries SELECT run, 7, body, hash FROM entries WHERE run = 1 AND number = 6")
    assert SqliteRuns(path).verify() == [Fault(NAME, 7, "entry 7 was edited or moved")]


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE runs SET state = 'running' WHERE id = 1", "the list of runs has another state than entry 6"),
        ("UPDATE runs SET request = 'x' WHERE id = 1", "the list of runs has another request than entry 2"),
        ("UPDATE runs SET ending = 'x' WHERE id = 1", "the list of runs has another state than entry 6"),
        ("UPDATE runs SET started = 'x' WHERE id = 1", "entry 1 was edited or moved"),
        ("DELETE FROM begun WHERE run = 1", "that entry 4 used up a yes is not kept any more"),
        ("UPDATE begun SET digest = 'x' WHERE run = 1", "that entry 4 used up a yes is not kept any more"),
        ("INSERT INTO begun VALUES (1, 'x')", "more is used up than its journal says"),
        ("DELETE FROM runs WHERE id = 1", "the whole run was dropped"),
        ("UPDATE runs SET name = 'x' WHERE id = 1", "entry 1 was edited or moved"),
    ],
)
def test_the_list_is_held_against_the_journals(path: Path, statement: str, fault: str) -> None:
    """A run that is missing, renamed, or listed as something else."""
    change(path, statement)
    (found,) = SqliteRuns(path).verify()
    assert found.what == fault


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (lambda text: text.replace("6 ", "5 ", 1), "its head outside the database is that of another entry"),
        (lambda text: text.replace(f"{NAME} ", "x" * len(NAME) + " ", 1), "its head outside the database was edited"),
        (lambda text: " " * 118 + "\n" + text[119:], "its head outside the database is gone"),
    ],
)
def test_the_heads_are_held_against_the_journals(path: Path, edit: Callable[[str], str], fault: str) -> None:
    """A head that was edited or removed."""
    heads = path.with_suffix(".heads")
    heads.write_text(edit(heads.read_text("ascii")), "ascii")
    assert [found.what for found in SqliteRuns(path).verify()] == [fault]


def test_a_head_that_is_one_behind_is_whole(path: Path) -> None:
    """A process that is killed between the two leaves it so."""
    heads = path.with_suffix(".heads")
    journal = SqliteRuns(path).begin(NOW + timedelta(days=1))
    journal.note("begun", {})
    before = heads.read_bytes()
    journal.note("request", {"text": "x"})
    journal.close()
    heads.write_bytes(before)
    assert SqliteRuns(path).verify() == []


@pytest.mark.parametrize("value", ["'text'", "5", "x''", "zeroblob(3)"])
@pytest.mark.parametrize("name", ["body", "hash"])
def test_an_entry_that_is_no_bytes_is_named(path: Path, name: str, value: str) -> None:
    """SQLite puts anything into any column."""
    change(path, f"UPDATE entries SET {name} = {value} WHERE run = 1 AND number = 2")
    assert SqliteRuns(path).verify() == [Fault(NAME, 2, "entry 2 was edited or moved")]


@pytest.mark.parametrize("name", ["started", "state", "ending", "request"])
def test_a_row_of_other_kinds_fails_nothing(path: Path, name: str) -> None:
    """It is listed, verified and purged all the same."""
    change(path, f"UPDATE runs SET {name} = 5 WHERE id = 1")
    runs = SqliteRuns(path)
    assert [run.name for run in runs.listed()] == [NAME, OTHER]
    assert len(runs.verify()) == 1
    assert runs.purge(NOW + timedelta(days=1)) == [NAME, OTHER]


def test_without_its_key_nothing_is_as_written(path: Path) -> None:
    """Another key makes other hashes; one that others can read is refused."""
    key = path.with_suffix(".key")
    before = key.read_bytes()
    key.write_bytes(bytes(32))
    assert [found.entry for found in SqliteRuns(path).verify()] == [1, 1]
    key.write_bytes(before)
    key.chmod(0o640)
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).verify()
    assert str(caught.value) == f"the key of the journals {key} can be read by others; chmod 600 it, and run verify"
    key.chmod(0o600)
    key.write_bytes(before[:-1])
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).begin(NOW)
    assert str(caught.value) == (f"{key} is no key of 32 bytes; put the right one back, or the journals cannot be used")


def test_another_source_of_the_key_is_used(tmp_path: Path) -> None:
    """A keyring may have it; then no file is made."""
    runs = SqliteRuns(tmp_path / "runs.sqlite", lambda: b"k" * 32)
    write(runs)
    assert runs.verify() == []
    assert not (tmp_path / "runs.key").exists()
    assert SqliteRuns(tmp_path / "runs.sqlite", lambda: b"l" * 32).verify() != []


def test_a_changed_journal_is_not_gone_on_with(path: Path) -> None:
    """Whoever takes it up is told which entry it is."""
    change(path, "UPDATE entries SET body = x'7b7d' WHERE run = 1 AND number = 4")
    with pytest.raises(OperatorError) as caught:
        SqliteRuns(path).take(NAME)
    assert str(caught.value) == f"the journal of {NAME} is not as it was written: entry 4 was edited or moved"
    SqliteRuns(path).take(OTHER).close()


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changed_byte_of_the_file_is_seen_or_does_not_matter(path: Path, data: st.DataObject) -> None:
    """The raw file, free pages and all: verify complains, or every entry reads as it was written."""
    copy = path.with_name("copy.sqlite")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    for left in path.parent.glob("copy.*"):
        left.unlink() if left.is_file() else None
    copy.write_bytes(content)
    for suffix in (".heads", ".key"):
        shutil.copy(path.with_suffix(suffix), copy.with_suffix(suffix))
    try:
        faults = SqliteRuns(copy).verify()
        found = [SqliteRuns(copy).entries(name) for name in (NAME, OTHER)]
    except OperatorError:
        return
    assert faults or found == [SqliteRuns(path).entries(name) for name in (NAME, OTHER)]
