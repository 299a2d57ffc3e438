"""Grants on disk: what was given is there, once; what was revoked, changed or cut off does not count."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.store.chain import key_in
from armslength.store.grants import Given, Use
from armslength.store.sqlite_grants import SqliteGrants

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
GIVEN = Given("", "send", "1", {"parameter": "to", "value": '"x"'}, "week", "run-1", NOW, NOW + timedelta(days=7))
USE = Use("run-2", "d1", NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where they are kept."""
    return tmp_path / "state" / "grants.sqlite"


@pytest.fixture
def grants(path: Path) -> SqliteGrants:
    """A file with one grant that was used once."""
    made = at(path)
    assert made.give("k1", GIVEN) == "grant-1"
    assert made.use(["grant-1"], USE, lambda _given: True)
    return made


def at(path: Path) -> SqliteGrants:
    """What another process sees there."""
    return SqliteGrants(path, key_in(path.with_name("runs.key")))


def change(path: Path, statement: str, *values: object) -> None:
    """Change the file by other hands than ours."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def test_what_was_given_and_used_is_there_for_another_process(path: Path, grants: SqliteGrants) -> None:
    """Whole, with its name; only the user can read the file."""
    (found,) = at(path).listed()
    assert (found.given, found.uses, found.revoked) == (replace(GIVEN, name="grant-1"), (USE,), None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_is_made_by_looking(path: Path) -> None:
    """A person without grants has no file of them."""
    assert at(path).listed() == []
    assert not path.exists()


def test_what_was_given_once_is_kept_once(grants: SqliteGrants) -> None:
    """A run that goes on after a crash gives it again under the same key, and writes no use of an effect twice."""
    assert [grants.give("k1", GIVEN), grants.give("k2", GIVEN)] == ["grant-1", "grant-2"]
    assert grants.use(["grant-1"], USE, lambda _given: True)
    assert [len(each.uses) for each in grants.listed()] == [1, 0]


def test_what_was_revoked_is_not_used(grants: SqliteGrants) -> None:
    """It stays listed, with its uses, and is revoked once."""
    grants.revoke("grant-1", NOW)
    assert not grants.use(["grant-1"], replace(USE, digest="d2"), lambda _given: True)
    assert [(each.state(NOW), len(each.uses)) for each in grants.listed()] == [("revoked", 1)]
    with pytest.raises(OperatorError, match=r"^grant-1 was revoked before$"):
        grants.revoke("grant-1", NOW)
    with pytest.raises(OperatorError, match=r"^there is no grant-7; armslength grants lists what there is$"):
        grants.revoke("grant-7", NOW)


def test_of_several_all_must_count(grants: SqliteGrants) -> None:
    """Else no use is written down."""
    grants.give("k2", GIVEN)
    assert not grants.use(["grant-2", "grant-3"], USE, lambda _given: True)
    assert not grants.use(["grant-2"], USE, lambda _given: False)
    assert [len(each.uses) for each in grants.listed()] == [1, 0]


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        (GIVEN, (True, True, False, False)),
        (replace(GIVEN, scope="always", until=None), (True, True, True, False)),
        (replace(GIVEN, scope="run", until=None), (True, False, True, True)),
    ],
    ids=["week", "always", "run"],
)
def test_each_scope_counts_as_long_as_it_says(given: Given, counts: tuple[bool, ...]) -> None:
    """In its run, in another one, in its run after eight days, in its run where nothing lasting is allowed."""
    assert counts == (
        given.counts_in("run-1", NOW, NOW, lasting=True),
        given.counts_in("run-2", NOW, NOW, lasting=True),
        given.counts_in("run-1", NOW, NOW + timedelta(days=8), lasting=True),
        given.counts_in("run-1", NOW, NOW, lasting=False),
    )


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("""UPDATE entries SET body = replace(CAST(body AS TEXT), 'run-1', 'run-9') WHERE number = 1""", "entry 1 was edited or moved"),
        ("INSERT INTO entries VALUES (3, '{\"kind\": \"given\"}', zeroblob(32))", "entry 3 was edited or moved"),
        ("DELETE FROM entries WHERE number = 1", "entry 1 was dropped"),
        ("DELETE FROM entries WHERE number = 2", "entry 2 was dropped, and all 1 from there to the end"),
    ],
    ids=["edited", "forged", "dropped", "cut off"],
)  # fmt: skip
def test_a_file_that_others_wrote_into_gives_nothing(
    path: Path, grants: SqliteGrants, statement: str, what: str
) -> None:
    """Neither to look at nor to use nor to add to."""
    change(path, statement)
    for use in (
        grants.listed,
        lambda: grants.give("k3", GIVEN),
        lambda: grants.use(["grant-1"], USE, lambda _given: True),
    ):
        with pytest.raises(OperatorError, match=f"are not as they were written: {what}; none of them counts"):
            use()


def test_a_file_of_another_key_gives_nothing(path: Path, grants: SqliteGrants, tmp_path: Path) -> None:
    """Such as one that somebody made on his own machine."""
    theirs = SqliteGrants(tmp_path / "theirs.sqlite", key_in(tmp_path / "theirs.key"))
    theirs.give("k1", replace(GIVEN, scope="always", until=None))
    theirs.use(["grant-1"], USE, lambda _given: True)
    shutil.copy(tmp_path / "theirs.sqlite", path)
    with pytest.raises(OperatorError, match="entry 1 was edited or moved"):
        grants.listed()


def test_a_file_that_is_gone_is_missed(path: Path, grants: SqliteGrants) -> None:
    """Its head lies beside it; what was revoked does not come back with an empty file."""
    path.unlink()
    with pytest.raises(OperatorError, match="entry 1 was dropped"):
        grants.listed()


def test_what_is_no_database_is_said_to_be_none(path: Path, grants: SqliteGrants) -> None:
    """With its place."""
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(OperatorError, match=r"^the grants in .*grants\.sqlite cannot be read: file is not a database$"):
        grants.listed()


def test_several_writers_lose_nothing(path: Path, grants: SqliteGrants) -> None:
    """Each has a connection of its own, as processes have; the chain holds."""
    threads = [
        threading.Thread(target=lambda n=n: [at(path).give(f"t{n}-{i}", GIVEN) for i in range(5)]) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.given.name for each in grants.listed()] == [f"grant-{number}" for number in range(1, 22)]
