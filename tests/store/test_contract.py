"""What every database does with runs: durable, one process at a time, each with its state, a yes used once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from typing import Any

import pytest
from tests.store.places import Kept

from armslength.errors import AtWork, HasEnded, OperatorError
from armslength.events import Crossing
from armslength.store.content_key import FileKey
from armslength.store.journal import Entry, MemoryJournal
from armslength.store.runs import Fault, OpenRun, Run, check_open
from armslength.store.sealing import Contents

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
NAME = "20261130-090005-1"
ENTRIES = [
    {"entry": "note", "kind": "begun", "run": NAME},
    {"entry": "crossing", "kind": "tool", "name": "today", "asked": {}, "answered": "2026-11-30"},
    {"entry": "crossing", "kind": "tool", "name": "x", "asked": {}, "answered": "no", "failed": "ToolError"},
]


def write(journal: OpenRun | MemoryJournal) -> None:
    """The entries above."""
    journal.note("begun", {"run": NAME})
    journal.crossing(Crossing("tool", "today", {}, "2026-11-30"))
    journal.crossing(Crossing("tool", "x", {}, "no", "ToolError"))


def test_what_is_written_is_read(kept: Kept) -> None:
    """Notes and crossings come back in order, as they were; the journal in memory has the same."""
    journal = kept.runs().begin(NOW)
    write(journal)
    journal.close()
    assert kept.runs().entries(NAME) == ENTRIES
    memory = MemoryJournal(NOW)
    write(memory)
    assert memory.entries == ENTRIES


def test_an_entry_is_there_before_the_run_goes_on(kept: Kept) -> None:
    """Another connection sees each entry before the next call."""
    runs = kept.runs()
    journal = runs.begin(NOW)
    for place in range(1, 5):
        journal.note("answer", {"place": place})
        assert len(runs.entries(NAME)) == place
    journal.close()


def test_any_text_is_kept(kept: Kept) -> None:
    """Newlines, separators, lone surrogates, control characters."""
    texts = ["a\nb", "\u2028\u2029\x85", "\ud800", '"}\n{"entry":"note"', "\x00\x1b[2J"]
    journal = kept.runs().begin(NOW)
    for text in texts:
        journal.note("answer", {"text": text})
    journal.close()
    assert [entry["text"] for entry in kept.runs().entries(NAME)] == texts


def test_a_request_of_any_text_is_listed(kept: Kept) -> None:
    """Also one that a database cannot take for text."""
    journal = kept.runs().begin(NOW)
    journal.note("request", {"text": "a\ud800\x00b"})
    journal.close()
    (run,) = kept.runs().listed()
    assert run.request == "a\ufffd\ufffdb"
    assert kept.runs().verify() == []


def test_runs_of_one_second_have_names_of_their_own(kept: Kept) -> None:
    """The list is in their order."""
    runs = kept.runs()
    opened = [runs.begin(NOW) for _ in range(11)]
    assert [each.run for each in opened] == runs.names() == [f"20261130-090005-{number}" for number in range(1, 12)]
    for each in opened:
        each.close()


def states(kept: Kept) -> list[tuple[str, str]]:
    """State and ending of each run, as another process would see them."""
    return [(run.state, run.ending) for run in kept.runs().listed()]


def test_the_state_follows_the_entries(kept: Kept) -> None:
    """At work, waiting for a person, at work again, ended."""
    journal = kept.runs().begin(NOW)
    journal.note("request", {"text": "Do it"})
    assert kept.runs().listed() == [Run(NAME, NOW.isoformat(), "running", "", "Do it", effects="none")]
    journal.waits()
    assert states(kept) == [("waiting", "")]
    journal.crossing(Crossing("approval", "d", {}, {"yes": True}))
    assert states(kept) == [("running", "")]
    assert kept.sql("SELECT state FROM runs") == [("answered",)]
    journal.note("end", {"ending": "declined", "effects": []})
    assert states(kept) == [("failed", "declined")]
    journal.close()
    assert states(kept) == [("failed", "declined")]


def test_an_answer_that_nobody_went_on_with_is_listed_so(kept: Kept) -> None:
    """Until the next entry, by whichever process; the journal is as written before and after."""
    journal = kept.runs().begin(NOW)
    journal.waits()
    journal.crossing(Crossing("approval", "d", {}, {"yes": True}))
    journal.close()
    assert (states(kept), kept.runs().verify()) == ([("answered", "")], [])
    again = kept.runs().take(NAME)
    again.note("resumed", {"void": 0})
    again.close()
    assert (states(kept), kept.runs().verify()) == ([("cut off", "")], [])


DONE = Crossing("tool", "post", {}, {"data": None})


def test_what_became_of_its_effects_follows_the_entries(kept: Kept) -> None:
    """What was done, and what of it was taken back, also by a process that takes the run up later; a read is no effect."""

    def after(journal: OpenRun, *noted: Callable[[OpenRun], None]) -> tuple[str, list[Fault]]:
        for each in noted:
            each(journal)
        return kept.runs().listed()[0].effects, kept.runs().verify()

    def note(kind: str, **content: Any) -> Callable[[OpenRun], None]:
        return lambda journal: journal.note(kind, content)

    done, failed = (
        (lambda journal: journal.crossing(DONE)),
        (lambda journal: journal.crossing(replace(DONE, failed="no"))),
    )
    journal = kept.runs().begin(NOW)
    assert after(journal, done, done) == ("none", [])
    assert after(journal, note("started", digest="a"), failed) == ("none", [])
    assert after(journal, note("started", digest="b"), done) == ("left", [])
    assert after(journal, note("started", digest="c"), done, note("end", ending="done")) == ("left", [])
    journal.close()
    journal = kept.runs().take(NAME)
    assert after(journal, note("undone", digests=["c"])) == ("undone in part", [])
    journal.close()
    journal = kept.runs().take(NAME)
    assert after(journal, note("undone", digests=["b"])) == ("undone", [])
    journal.close()


@pytest.mark.parametrize("said", ["left", "undone", "undone in part", ""])
def test_another_account_of_the_effects_is_seen(kept: Kept, said: str) -> None:
    """It is held against the entries; and who makes the run one of an earlier format has its journal read."""
    journal = kept.runs().begin(NOW)
    journal.note("end", {"ending": "done"})
    journal.close()
    kept.sql(f"UPDATE runs SET effects = '{said}'")
    (fault,) = kept.runs().verify()
    assert fault.what == "the list of runs has another account of what was done and taken back than its journal"
    kept.sql("UPDATE runs SET form = 2")
    assert kept.runs().listed()[0].effects == "unknown"
    assert bool(kept.runs().verify()) == bool(said)


def test_an_answer_is_not_made_up(kept: Kept) -> None:
    """Nor taken away: the state of an answered run is that of its last entry."""
    journal = kept.runs().begin(NOW)
    journal.note("request", {"text": "Do it"})
    journal.close()
    kept.sql("UPDATE runs SET state = 'answered'")
    assert [fault.what for fault in kept.runs().verify()] == ["the list of runs has another state than its journal"]
    kept.sql("UPDATE runs SET state = 'running'")
    journal = kept.runs().take(NAME)
    journal.crossing(Crossing("approval", "d", {}, {"yes": True}))
    journal.close()
    assert kept.runs().verify() == []
    kept.sql("UPDATE runs SET state = 'running'")
    assert [fault.what for fault in kept.runs().verify()] == ["the list of runs has another state than its journal"]


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
def test_how_a_run_ends(kept: Kept, entry: tuple[str, Entry], state: tuple[str, str]) -> None:
    """What nobody works on and has no end was cut off; what has one is not gone on with."""
    journal = kept.runs().begin(NOW)
    journal.note(*entry)
    journal.close()
    assert states(kept) == [state]
    again = kept.runs().take(NAME)
    if state[0] == "cut off":
        check_open(again)
    else:
        with pytest.raises(HasEnded) as caught:
            check_open(again)
        assert str(caught.value) == f"the run {NAME} has ended already ({state[1]}); armslength why {NAME} shows it"
    again.close()


def test_a_waiting_run_waits_without_a_process(kept: Kept) -> None:
    """A week costs nothing."""
    journal = kept.runs().begin(NOW)
    journal.waits()
    journal.close()
    assert states(kept) == [("waiting", "")]


def test_one_process_works_on_a_run(kept: Kept) -> None:
    """A second one is refused until the first has let go."""
    journal = kept.runs().begin(NOW)
    write(journal)
    with pytest.raises(AtWork) as caught:
        kept.runs().take(NAME)
    assert str(caught.value) == f"another process works on the run {NAME}; wait for it, or end it"
    journal.close()
    again = kept.runs().take(NAME)
    assert again.entries == ENTRIES
    again.note("resumed", {"void": 0})
    again.close()
    assert len(kept.runs().entries(NAME)) == len(ENTRIES) + 1
    assert kept.runs().verify() == []


def _begin_and_hang(kept: Kept, told: Connection) -> None:
    journal = kept.runs().begin(NOW)
    write(journal)
    told.send(journal.run)
    told.recv()


def test_a_killed_process_lets_go_at_once(kept: Kept) -> None:
    """SIGKILL: the run is at work until then, and cut off after; another takes it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=_begin_and_hang, args=(kept, there))
    child.start()
    assert here.recv() == NAME
    assert states(kept) == [("running", "")]
    child.kill()
    child.join()
    assert states(kept) == [("cut off", "")]
    again = kept.runs().take(NAME)
    assert again.entries == ENTRIES
    again.close()


def test_an_effect_is_begun_once(kept: Kept) -> None:
    """A yes is used up with the first `started`, in the same transaction; whoever takes the run up later is refused too."""
    journal = kept.runs().begin(NOW)
    journal.note("started", {"digest": "a"})
    journal.note("started", {"digest": "b"})
    for opened in (journal, None):
        current = opened or kept.runs().take(NAME)
        with pytest.raises(OperatorError) as caught:
            current.note("started", {"digest": "a"})
        assert str(caught.value) == f"the run {NAME} began this effect before, so it is not begun again"
        current.close()
    assert [entry["digest"] for entry in kept.runs().entries(NAME)] == ["a", "b"]


def test_a_further_program_begins_anew(kept: Kept) -> None:
    """It is written only where the one before did nothing."""
    journal = kept.runs().begin(NOW)
    journal.note("started", {"digest": "a"})
    journal.note("program", {"text": ""})
    journal.note("started", {"digest": "a"})
    journal.close()


def test_an_interrupted_writing_is_looked_up(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between the database and what is known here of it: the next entry finds its place."""
    runs = kept.runs()
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


def test_looking_makes_nothing(kept: Kept) -> None:
    """There are no runs, and the next process finds none either."""
    runs = kept.runs()
    assert (runs.names(), runs.listed(), runs.verify(), runs.purge(NOW)) == ([], [], [], [])
    for use in (runs.entries, runs.take, runs.verify, runs.remove):
        with pytest.raises(OperatorError) as caught:
            use(NAME)
        assert str(caught.value) == f"there is no run {NAME}; armslength runs lists them"
    assert not kept.folder.exists()


def test_a_run_that_waits_says_since_when(kept: Kept) -> None:
    """Until it is gone on with; what is written then makes it one that runs, or was cut off."""
    journal = kept.runs().begin(NOW)
    journal.waits()
    journal.close()
    (run,) = kept.runs().listed()
    assert abs(datetime.fromisoformat(run.since) - datetime.now(UTC)) < timedelta(minutes=5)
    again = kept.runs().take(NAME)
    again.note("resumed", {"void": 0})
    again.close()
    assert kept.runs().listed() == [Run(NAME, NOW.isoformat(), "cut off", "", "", effects="none")]


def test_one_run_is_removed(kept: Kept) -> None:
    """By its name, whatever its state; nothing of it is left, and one that is at work stays."""
    runs = kept.runs()
    one, waits, at_work = (runs.begin(NOW) for _ in range(3))
    for each in (one, waits, at_work):
        each.note("request", {"text": "a secret"})
    waits.waits()
    one.close()
    waits.close()
    with pytest.raises(AtWork) as caught:
        runs.remove(at_work.run)
    assert str(caught.value) == f"another process works on the run {at_work.run}; wait for it, or end it"
    runs.remove(one.run)
    runs.remove(waits.run)
    assert (runs.names(), kept.sql("SELECT DISTINCT run FROM entries")) == ([at_work.run], [(3,)])
    at_work.close()
    assert runs.verify() == []


def test_a_process_that_is_killed_in_removing_leaves_a_run_that_can_be_removed(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A head without its run would be called a lost one for ever."""

    class Died(BaseException):
        pass

    def die(*_given: object) -> None:
        raise Died

    runs = kept.runs()
    opened = runs.begin(NOW)
    opened.note("begun", {})
    opened.close()
    with monkeypatch.context() as patched:
        patched.setattr("armslength.store.chain.Heads.drop", die)
        with pytest.raises(Died):
            runs.remove(opened.run)
    runs.remove(opened.run)
    assert (runs.names(), runs.verify()) == ([], [])


def test_old_runs_are_removed(kept: Kept) -> None:
    """What began before the day and is at work nowhere; its number is used for no other."""
    runs = kept.runs()
    old, at_work, new = runs.begin(NOW), runs.begin(NOW), runs.begin(NOW + timedelta(days=2))
    for each in (old, at_work, new):
        each.note("started", {"digest": "d"})
    old.close()
    new.close()
    assert runs.purge(NOW + timedelta(days=1)) == [old.run]
    assert runs.names() == [at_work.run, new.run]
    assert (
        kept.sql("SELECT DISTINCT run FROM entries ORDER BY 1")
        == [(2,), (3,)]
        == kept.sql("SELECT run FROM begun ORDER BY 1")
    )
    at_work.close()
    assert runs.verify() == []


DAMAGE = [
    (
        "UPDATE entries SET hash = (SELECT hash FROM entries WHERE run = 1 AND number = 1) WHERE run = 1 AND number = 2",
        2,
        "edited or moved",
    ),
    (
        "UPDATE entries SET body = (SELECT body FROM entries WHERE run = 1 AND number = 1) WHERE run = 1 AND number = 3",
        3,
        "edited or moved",
    ),
    ("DELETE FROM entries WHERE run = 1 AND number = 2", 2, "dropped"),
    ("DELETE FROM entries WHERE run = 1 AND number = 3", 3, "dropped, and all 1 from there to the end"),
    ("UPDATE runs SET name = 'x' WHERE id = 1", 1, "edited or moved"),
]


@pytest.mark.parametrize(("statement", "entry", "what"), DAMAGE)
def test_what_was_changed_by_others_is_named(kept: Kept, statement: str, entry: int, what: str) -> None:
    """Edited, moved, dropped, cut off, renamed: verify says which, and the run is not taken up."""
    journal = kept.runs().begin(NOW)
    write(journal)
    journal.close()
    assert kept.runs().verify() == []
    kept.sql(statement)
    (name,) = kept.runs().names()
    assert kept.runs().verify() == [Fault(name, entry, f"entry {entry} was {what}")]
    with pytest.raises(OperatorError) as caught:
        kept.runs().take(name)
    assert str(caught.value) == f"the journal of {name} is not as it was written: entry {entry} was {what}"


def test_a_run_that_was_dropped_is_named(kept: Kept) -> None:
    """Its head outside the database is left."""
    journal = kept.runs().begin(NOW)
    write(journal)
    journal.close()
    for table, column in (("entries", "run"), ("runs", "id")):
        kept.sql(f"DELETE FROM {table} WHERE {column} = 1")
    assert kept.runs().verify() == [Fault(NAME, 0, "the whole run was dropped")]


def test_a_run_without_its_head_is_not_gone_on_with(kept: Kept) -> None:
    """Whether its end was cut off cannot be told."""
    journal = kept.runs().begin(NOW)
    write(journal)
    journal.close()
    kept.heads.unlink()
    assert kept.runs().verify() == [Fault(NAME, 0, "its head outside the database is gone")]
    with pytest.raises(OperatorError):
        kept.runs().take(NAME)


def test_contents_are_sealed_in_every_database(kept: Kept) -> None:
    """No word of an entry or a request is in a table; with the key it is read, and without it verified."""
    contents = Contents(FileKey(kept.folder / "contents.key"), kept.folder / "contents.id", seals=True)
    journal = kept.runs(contents).begin(NOW)
    journal.note("request", {"text": "a-secret-request"})
    journal.note("started", {"digest": "a-secret-digest"})
    journal.note("end", {"ending": "done", "effects": ["a-secret-effect"]})
    journal.close()
    rows = [row for table in ("runs", "entries", "begun") for row in kept.sql(f"SELECT * FROM {table}")]
    assert b"secret" not in b"".join(
        part if isinstance(part, bytes) else str(part).encode() for row in rows for part in row
    )
    (listed,) = kept.runs(contents).listed()
    assert (listed.request, listed.state) == ("a-secret-request", "done")
    assert kept.runs(contents).entries(NAME)[0] == {"entry": "note", "kind": "request", "text": "a-secret-request"}
    assert kept.runs().verify() == []
    kept.sql("UPDATE runs SET request = ? WHERE name = ?", listed.request, NAME)
    (fault,) = kept.runs().verify()
    assert (fault.entry, fault.what) == (1, "the list of runs has another request than entry 1")


def test_without_a_key_no_run_is_begun(kept: Kept) -> None:
    """Not even an empty one is listed."""
    with pytest.raises(OperatorError):
        kept.runs(Contents(seals=True)).begin(NOW)
    assert kept.runs().listed() == []


def test_a_new_run_does_not_take_the_place_of_a_lost_one(kept: Kept) -> None:
    """Whoever reaches the database drops a run and has the next one counted as if it had not been: the head of the lost one stays, and names it."""
    runs = kept.runs()
    for _ in range(3):
        opened = runs.begin(NOW)
        opened.note("begun", {})
        opened.close()
    lost = runs.names()[-1]
    for table in ("entries", "begun"):
        kept.sql(f"DELETE FROM {table} WHERE run = (SELECT id FROM runs WHERE name = ?)", lost)
    kept.sql("DELETE FROM runs WHERE name = ?", lost)
    if kept.url:
        kept.sql("ALTER TABLE runs ALTER COLUMN id RESTART WITH 3")
    else:
        kept.sql("UPDATE sqlite_sequence SET seq = 2 WHERE name = 'runs'")
    opened = runs.begin(NOW)
    opened.note("begun", {})
    opened.close()
    assert [(fault.run, fault.what) for fault in runs.verify()] == [(lost, "the whole run was dropped")]
