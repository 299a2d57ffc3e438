"""Contents that are encrypted: no word of a run in any file, and what can be done with and without the key."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta

import keyring
import pytest
from bench.home.world import NOW, Home, Person, says
from tests.store.keyrings import NAME, FakeKeyring

from armslength.app.keeping import Keeping
from armslength.app.kept import Kept
from armslength.app.settings import Settings
from armslength.app.talk import Talk
from armslength.errors import OperatorError
from armslength.store.runs import Fault
from armslength.store.sqlite import SqliteRuns

BODY, REQUEST, LITERAL = "The-words-of-a-mail", "The-words-of-the-request", "the-words-of-the-program"
PROGRAM = (
    f"mail = search_emails('')[0]\nkind = quarantined('{LITERAL}?', mail.body, returns=str)\n"
    f"append_to_file('todo.txt', mail.body)\nanswer(kind, mail.body)\n"
)
WORDS = (BODY, REQUEST, LITERAL, "The-words-of-the-model", "todo.txt")


@pytest.fixture
def ring() -> Iterator[FakeKeyring]:
    """The keyring of the system."""
    before, made = keyring.get_keyring(), FakeKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def settings_of(home: Home, *, is_encrypted: bool = True) -> Settings:
    """The keyring is one that the configuration names."""
    return Settings(state=home.path / "state", keeping=Keeping(is_encrypted, keyring=NAME))


def runs_of(settings: Settings) -> SqliteRuns:
    """As `assistant_of` makes them."""
    return SqliteRuns(settings.database, contents=settings.contents)


def talked(home: Home, settings: Settings) -> Talk:
    """A conversation of one request, kept on disk."""
    home.deliver(BODY)
    assistant = home.assistant(PROGRAM, says("The-words-of-the-model"), runs=runs_of(settings))
    talk = Talk(assistant, settings.conversations, contents=settings.contents)
    talk.ask(REQUEST, approver=Person([True]))
    return talk


def words_in(settings: Settings) -> set[str]:
    """Which of the words stand in any file of runs and conversations."""
    files = [*settings.state.glob("runs.*"), *settings.state.glob("contents.*"), *settings.conversations.rglob("*")]
    assert len(files) > 4
    content = b"\n".join(path.read_bytes() for path in files if path.is_file())
    return {word for word in WORDS if word.encode() in content}


def test_no_word_is_in_any_file(home: Home, ring: FakeKeyring) -> None:
    """Mail, request, program and answers: neither in the database and its log, nor in the heads, nor in the conversation."""
    settings = settings_of(home)
    with_log = runs_of(settings).begin(NOW)  # as long as one process has it open, the log stays
    talked(home, settings)
    assert (settings.state / "runs.sqlite-wal").stat().st_size > 0
    assert words_in(settings) == set()
    with_log.close()
    assert words_in(settings) == set()


def test_the_same_words_are_there_in_plain(home: Home) -> None:
    """So the test above looks where they would be."""
    settings = settings_of(home, is_encrypted=False)
    with_log = runs_of(settings).begin(NOW)
    talked(home, settings)
    assert words_in(settings) == set(WORDS)
    with_log.close()


def test_with_the_key_all_is_as_before(home: Home, ring: FakeKeyring) -> None:
    """Listed, read, verified; the conversation goes on; a run is taken back."""
    settings = settings_of(home)
    talked(home, settings)
    (run,) = Kept(settings).listed()
    assert (run.request, run.state) == (REQUEST, "done")
    assert any(BODY in str(entry) for entry in Kept(settings).entries(run.name))
    assert Kept(settings).verify(None) == []
    assistant = home.assistant("answer(kind)\n", runs=runs_of(settings))
    talk = Talk(assistant, settings.conversations, contents=settings.contents)
    assert talk.resume()
    assert talk.requests == (REQUEST,)
    assert "The-words-of-the-model" in talk.ask("again").text
    assert assistant.undo(run.name, approver=Person([True])).count == 1


def test_without_the_key_runs_are_listed_verified_and_removed(home: Home, ring: FakeKeyring) -> None:
    """And a line says why they are not read, also where encryption is switched off by now."""
    settings = settings_of(home)
    talked(home, settings)
    ring.secrets.clear()
    for is_encrypted in (True, False):
        kept = Kept(settings_of(home, is_encrypted=is_encrypted))
        (run,) = kept.listed()
        assert (run.request, run.state) == ("(encrypted, and its key is not there)", "done")
        assert kept.verify(None) == []
        with pytest.raises(OperatorError) as caught:
            kept.entries(run.name)
        assert str(caught.value) == (
            f"the run {run.name} is encrypted, and there is no key in the keyring; put the key back to read it "
            "(verify and purge need none)"
        )
    assert Kept(settings).purge(NOW + timedelta(days=1)) == [run.name]
    assert Kept(settings).listed() == []


def test_a_changed_entry_is_named_without_the_key(home: Home, ring: FakeKeyring) -> None:
    """The hash is over what is stored."""
    settings = settings_of(home)
    talked(home, settings)
    ring.secrets.clear()
    with closing(sqlite3.connect(settings.database)) as database, database:
        (body,) = database.execute("SELECT body FROM entries WHERE number = 4").fetchone()
        changed = body[:-1] + bytes([body[-1] ^ 1])
        database.execute("UPDATE entries SET body = ? WHERE number = 4", (changed,))
    (run,) = Kept(settings).names()
    assert Kept(settings).verify(None) == [Fault(run, 4, "entry 4 was edited or moved")]


def test_what_stands_in_the_list_is_covered_too(home: Home, ring: FakeKeyring) -> None:
    """The sealed request of one run is not shown as that of another."""
    settings = settings_of(home)
    talked(home, settings)
    with closing(sqlite3.connect(settings.database)) as database, database:
        database.execute("UPDATE runs SET request = substr(request, 1, 9) || 'A' || substr(request, 11)")
    (fault,) = Kept(settings).verify(None)
    assert fault.what.startswith("the list of runs has another request than entry ")
    assert [run.request for run in Kept(settings).listed()] == ["(encrypted, and its key is not there)"]


def test_plain_runs_stay_readable(home: Home, ring: FakeKeyring) -> None:
    """Switched on, off and on again: each run is read, and one that was begun in plain is gone on with."""
    plain, sealed = settings_of(home, is_encrypted=False), settings_of(home)
    for settings in (plain, sealed, plain):
        home.assistant("answer(1)\n", runs=runs_of(settings)).ask("Count")
    assert [run.request for run in Kept(sealed).listed()] == ["Count"] * 3
    assert Kept(plain).verify(None) == []
    (opened,) = [runs_of(plain).begin(NOW + timedelta(days=1))]
    opened.note("request", {"text": "x"})
    opened.close()
    again = runs_of(sealed).take(opened.run)
    again.note("cancelled", {})
    again.close()
    assert [entry["kind"] for entry in Kept(sealed).entries(opened.run)] == ["request", "cancelled"]
    assert Kept(sealed).verify(None) == []


def test_a_request_that_looks_sealed_is_not(home: Home) -> None:
    """A plain request may begin with any character."""
    journal = runs_of(settings_of(home, is_encrypted=False)).begin(NOW)
    journal.note("request", {"text": "\x01eA=="})
    journal.close()
    kept = Kept(settings_of(home, is_encrypted=False))
    assert [run.request for run in kept.listed()] == ["\ufffdeA=="]
    assert kept.verify(None) == []


def old_run(settings: Settings, days: int, state: str) -> str:
    """A run that began so many days before this moment."""
    journal = runs_of(settings).begin(datetime.now().astimezone() - timedelta(days=days))
    journal.note("request", {"text": f"secret-{days}-{state}"})
    if state == "done":
        journal.note("end", {"ending": "done", "effects": []})
    if state == "waiting":
        journal.waits()
    if state != "running":
        journal.close()
    return journal.run


def test_what_is_too_old_is_removed_when_a_command_begins(home: Home) -> None:
    """Not what is at work or waits for an answer; and nothing of it is left in any file, while another process has the database open."""
    settings = replace(settings_of(home, is_encrypted=False), keeping=Keeping(age=timedelta(days=90)))
    stays = [old_run(settings, 100, "waiting"), old_run(settings, 100, "running"), old_run(settings, 80, "done")]
    old_run(settings, 100, "done")
    old_run(settings, 100, "cut off")
    assert [run.name for run in Kept(settings).listed()] == sorted(stays)
    content = b"".join(path.read_bytes() for path in settings.state.glob("runs.*") if path.is_file())
    found = {state for state in ("100-waiting", "100-running", "80-done") if f"secret-{state}".encode() in content}
    assert len(found) == 3
    assert b"secret-100-done" not in content
    assert b"secret-100-cut" not in content
    assert Kept(settings).verify(None) == []


def test_old_conversations_are_removed_too(home: Home, ring: FakeKeyring) -> None:
    """By when they were last written."""
    settings = settings_of(home)
    talked(home, settings)
    (path,) = settings.conversations.glob("*.json")
    Kept(replace(settings, keeping=Keeping(age=timedelta(days=90))))
    assert path.exists()
    before = path.stat().st_mtime - 91 * 86_400
    os.utime(path, (before, before))
    Kept(replace(settings, keeping=Keeping(age=timedelta(days=90))))
    assert not path.exists()
