"""Runs in PostgreSQL: who lost a run cannot write it, who may be in the middle of an effect is waited for, secrets stay out of sight."""

from __future__ import annotations

import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from bench.server import Server
from tests.store.places import Kept

from armslength.errors import AtWork, ConfigError, OperatorError
from armslength.events import Crossing
from armslength.installing import install_command
from armslength.store.opened import OpenDatabaseRun
from armslength.store.postgres import PostgresRuns

NOW = datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)
NAME = "20261130-090005-1"


@pytest.fixture
def kept(postgresql: Server, tmp_path: Path) -> Kept:
    """An empty database."""
    return Kept(tmp_path / "state", postgresql.database())


def process_of(opened: OpenDatabaseRun) -> int:
    """The server's process for its session."""
    ((number,),) = opened._database.rows("SELECT pg_backend_pid()")
    return int(number)


def cut(kept: Kept, opened: OpenDatabaseRun) -> None:
    """The server drops the session, as it does where it hears nothing of a worker any more."""
    number = process_of(opened)
    kept.sql("SELECT pg_terminate_backend(?, 10000)", number)
    assert kept.sql("SELECT count(*) FROM pg_stat_activity WHERE pid = ?", number) == [(0,)]


def test_a_worker_whose_session_is_gone_writes_no_more(kept: Kept) -> None:
    """It hears of it at its next entry, another has taken the run by then, and nothing of the first is ever there."""
    first = kept.runs().begin(NOW)
    first.note("begun", {"run": NAME})
    cut(kept, first)
    assert kept.runs().listed()[0].state == "cut off"
    second = kept.runs().take(NAME)
    for _ in range(2):
        with pytest.raises(OperatorError) as caught:
            first.note("program", {"text": "of the first"})
        assert str(caught.value).startswith(f"the journal {NAME} cannot be written: ")
    first.close()
    second.note("program", {"text": "of the second"})
    second.close()
    assert [entry.get("text") for entry in kept.runs().entries(NAME)] == [None, "of the second"]
    assert kept.runs().verify() == []


def test_a_worker_that_lost_its_lock_alone_writes_no_more(kept: Kept) -> None:
    """What stands between, such as a pool of connections, may let go of the lock; the epoch refuses entry, question and use of a yes."""
    first = kept.runs().begin(NOW)
    first.note("begun", {"run": NAME})
    first._database.rows("SELECT pg_advisory_unlock_all()")
    second = kept.runs().take(NAME)
    for write in (lambda: first.note("started", {"digest": "d"}), first.waits):
        with pytest.raises(OperatorError) as caught:
            write()
        assert str(caught.value) == f"another process has taken the run {NAME} over, so nothing more of it is done here"
    first.close()
    second.note("started", {"digest": "d"})
    second.close()
    assert [entry["kind"] for entry in kept.runs().entries(NAME)] == ["begun", "started"]
    assert kept.runs().verify() == []


def test_an_effect_that_may_go_on_is_waited_for(kept: Kept) -> None:
    """A worker that lost its session right after it began an effect may do it this moment; nobody takes its run up before it has ended."""
    first = kept.runs().begin(NOW)
    first.note("started", {"digest": "d"})
    cut(kept, first)
    first.close()
    runs = kept.runs()
    assert runs.listed()[0].state == "running"
    with pytest.raises(AtWork) as caught:
        runs.take(NAME)
    begun, seconds = str(caught.value).removesuffix(" seconds").rsplit(" ", 1)
    assert begun == (
        f"a worker was in the middle of an effect of the run {NAME} when its connection ended, and may be still; try again in"
    )
    assert 0 < int(seconds) <= 30
    assert runs.purge(datetime.now(UTC)) == []
    kept.sql("UPDATE runs SET busy_until = clock_timestamp() - interval '1 second'")
    assert runs.listed()[0].state == "cut off"
    runs.take(NAME).close()


def test_an_effect_that_ended_is_not_waited_for(kept: Kept) -> None:
    """Its result is written down, or its worker left the run in order."""
    for ends in ("written", "left"):
        journal = kept.runs().begin(NOW)
        journal.note("started", {"digest": "d"})
        if ends == "written":
            journal.note("found", {})
            cut(kept, journal)
        journal.close()
        kept.runs().take(journal.run).close()


def test_an_effect_that_is_made_by_the_next_worker_is_waited_for_too(kept: Kept) -> None:
    """It says that the first one did not make it, and makes it: from then on it may be in the middle of it as the first one was."""
    journal = kept.runs().begin(NOW)
    journal.note("started", {"digest": "d"})
    cut(kept, journal)
    journal.close()
    kept.sql("UPDATE runs SET busy_until = clock_timestamp() - interval '1 second'")
    second = kept.runs().take(NAME)
    second.note("resumed", {"void": 0})
    second.note("found", {"digest": "d", "happened": False})
    cut(kept, second)
    second.close()
    with pytest.raises(AtWork):
        kept.runs().take(NAME)


def test_how_long_an_effect_may_take_is_the_workers_word(kept: Kept) -> None:
    """Whoever says that none goes on without a connection is not waited for."""
    journal = PostgresRuns(kept.url, kept.folder, settling=0).begin(NOW)
    journal.note("started", {"digest": "d"})
    cut(kept, journal)
    journal.close()
    kept.runs().take(NAME).close()


def test_an_entry_is_on_the_disk_whatever_the_server_prefers(kept: Kept) -> None:
    """A role for which commits are not waited for, whose schemas are others, whose sessions end when idle: ours are as they must be."""
    (base, _, query) = kept.url.partition("?")
    kept.sql("CREATE ROLE careless LOGIN")
    try:
        for setting in ("synchronous_commit = off", "search_path = public", "idle_session_timeout = '1s'"):
            kept.sql(f"ALTER ROLE careless SET {setting}")
        kept.sql(f"GRANT CREATE ON DATABASE {base.rpartition('/')[2]} TO careless")
        journal = PostgresRuns(f"{base.replace('postgres@', 'careless@')}?{query}", kept.folder).begin(NOW)
        found = {
            name: journal._database.rows(f"SHOW {name}")[0][0]
            for name in ("synchronous_commit", "search_path", "idle_session_timeout", "tcp_user_timeout")
        }
        journal.note("begun", {})
        journal.close()
        assert found | {"tcp_user_timeout": "0"} == {
            "synchronous_commit": "on",
            "search_path": "armslength",
            "idle_session_timeout": "0",
            "tcp_user_timeout": "0",  # of a Unix socket
        }
    finally:
        kept.sql("DROP SCHEMA armslength CASCADE")
        kept.sql("DROP OWNED BY careless")
        kept.sql("DROP ROLE careless")


def test_processes_that_come_first_together_make_one_database(kept: Kept) -> None:
    """Tables are made once, and runs of one second have names of their own."""
    found, failed = list[str](), list[Exception]()

    def begin() -> None:
        try:
            journal = kept.runs().begin(NOW)
            journal.note("begun", {})
            found.append(journal.run)
            journal.close()
        except OperatorError as error:
            failed.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(found) == [f"20261130-090005-{number}" for number in range(1, 9)]
    assert kept.runs().verify() == []


def test_another_version_is_refused(kept: Kept) -> None:
    """Nothing is guessed, and nothing changed."""
    kept.runs().begin(NOW).close()
    kept.sql("UPDATE about SET version = 3")
    shown = kept.url.partition("?")[0]
    for use in (kept.runs().names, lambda: kept.runs().begin(NOW)):
        with pytest.raises(OperatorError) as caught:
            use()
        assert str(caught.value) == (
            f"{shown} has version 3 of the journals, and this armslength knows version 2; use the one that wrote it"
        )


def test_a_database_of_the_first_version_is_upgraded(kept: Kept) -> None:
    """Its runs are listed, verified and gone on with; what became of their effects is not in the list."""
    kept.runs().begin(NOW).close()
    kept.sql("UPDATE runs SET form = 2")
    kept.sql("ALTER TABLE runs DROP COLUMN effects")
    kept.sql("UPDATE about SET version = 1")
    runs = kept.runs()
    assert [(run.name, run.state, run.effects) for run in runs.listed()] == [(NAME, "cut off", "unknown")]
    journal = runs.take(NAME)
    journal.note("started", {"digest": "a"})
    journal.crossing(Crossing("tool", "post", {}, {"data": None}))
    journal.note("end", {"ending": "done"})
    journal.close()
    assert ([run.effects for run in runs.listed()], runs.verify()) == (["unknown"], [])
    assert kept.sql("SELECT version FROM about") == [(2,)]


def test_a_database_that_lost_all_is_not_begun_anew(kept: Kept) -> None:
    """The heads outside say that there was one."""
    journal = kept.runs().begin(NOW)
    journal.note("begun", {})
    journal.close()
    kept.sql("DROP SCHEMA armslength CASCADE")
    with pytest.raises(OperatorError) as caught:
        kept.runs().begin(NOW)
    assert str(caught.value) == (
        f"{kept.heads} is of another database, or this one lost its runs; if it is a new one, move the file away"
    )


def test_what_was_removed_is_not_in_the_tables(kept: Kept) -> None:
    """They are written anew without it."""
    journal = kept.runs().begin(NOW)
    journal.note("request", {"text": "x" * 100_000})
    journal.close()
    assert kept.runs().purge(datetime(2027, 1, 1, tzinfo=UTC)) == [NAME]
    assert kept.sql("SELECT pg_relation_size('entries') + pg_relation_size('runs') + pg_relation_size('begun')") == [
        (0,)
    ]


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """What the library says over several lines."""
    runs = PostgresRuns(f"postgresql://me@/x?host={tmp_path}", tmp_path / "state")
    for use in (runs.names, lambda: runs.begin(NOW), lambda: runs.take(NAME)):
        with pytest.raises(OperatorError) as caught:
            use()
        assert "\n" not in str(caught.value)
        assert str(caught.value).startswith("the journals in postgresql://me@/x cannot be ")


SECRET = "open-sesame"


@pytest.mark.parametrize(
    "url", [f"postgresql://me:{SECRET}@db.example/x", f"postgresql://me@db.example/x?password={SECRET}"]
)
def test_a_password_in_the_url_is_refused(tmp_path: Path, url: str) -> None:
    """It would stand in a file and in messages; the message does not say it again."""
    with pytest.raises(ConfigError) as caught:
        PostgresRuns(url, tmp_path)
    assert str(caught.value) == (
        "the URL of the database of the runs has a password in it; take it out, and say in runs.password "
        "where it is, or use a passfile"
    )


def test_a_password_is_used_and_not_shown(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to the server; neither a name nor a message nor a repr has it."""
    given = list[dict[str, object]]()

    def refuse(**how: object) -> object:
        given.append(how)
        raise psycopg.OperationalError("no\nmore")

    runs = PostgresRuns("postgresql://me@db.example/x", kept.folder, password=SECRET)
    monkeypatch.setattr(psycopg, "connect", refuse)
    with pytest.raises(OperatorError) as caught:
        runs.names()
    assert given[0]["password"] == SECRET
    assert SECRET not in f"{caught.value}{runs!r}{runs.place}"


def test_what_is_no_url_is_one_line(tmp_path: Path) -> None:
    """With the library's reason."""
    with pytest.raises(ConfigError) as caught:
        PostgresRuns("postgresql://me@h/x?nonsense=1", tmp_path)
    assert str(caught.value) == (
        'the URL of the database of the runs cannot be used: invalid URI query parameter: "nonsense"'
    )


def test_the_library_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is needed for this alone."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError) as caught:
        PostgresRuns("postgresql:///x", tmp_path)
    assert str(caught.value) == (
        f"runs.database is in PostgreSQL, and its package is not installed; run {install_command('postgres')}"
    )


@pytest.mark.parametrize(
    ("url", "variables", "is_here"),
    [
        ("postgresql:///x", {}, True),
        ("postgresql:///x?host=/run/postgresql", {}, True),
        ("postgresql://localhost/x", {}, True),
        ("postgresql://[::1]:5433/x", {}, True),
        ("postgresql://127.0.0.1/x", {}, True),
        ("postgresql://db.example/x", {}, False),
        ("postgresql://localhost,db.example/x", {}, False),
        ("postgresql://localhost/x?hostaddr=192.0.2.1", {}, False),
        ("postgresql:///x?service=far", {}, False),
        ("postgresql:///x", {"PGHOST": "db.example"}, False),
        ("postgresql:///x", {"PGHOSTADDR": "192.0.2.1"}, False),
        ("postgresql:///x", {"PGSERVICE": "far"}, False),
    ],
)
def test_a_server_elsewhere_must_prove_who_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    variables: dict[str, str],
    is_here: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    """Unless the person chose otherwise: by its certificate, whose name is looked at."""
    for name in ("PGHOST", "PGHOSTADDR", "PGSERVICE", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    runs = PostgresRuns(url, tmp_path)
    assert runs.is_on_this_machine is is_here
    assert runs._server._given.get("sslmode") == (None if is_here else "verify-full")
    chosen = PostgresRuns(f"{url}{'&' if '?' in url else '?'}sslmode=require", tmp_path)
    assert chosen._server._given["sslmode"] == "require"
