"""Runs in one SQLite file that only the user can read: in WAL mode, each entry a transaction that is on disk before the run goes on.

Beside the file `runs.sqlite` lie the heads of the journals (`.heads`), their key (`.key`) and the leases (`.leases`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from armslength.database_file import connected, transaction
from armslength.errors import OperatorError
from armslength.store.chain import Heads, key_in
from armslength.store.database import Database, Row
from armslength.store.keeping import DatabaseRuns
from armslength.store.lease import Lease, Leases
from armslength.store.runs import KeySource
from armslength.store.sealing import Contents

VERSION = 4
_APPLICATION = 0x41524D53  # "ARMS"
_SCHEMA = f"""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    started TEXT NOT NULL,
    state TEXT NOT NULL,
    ending TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL DEFAULT ''
);
CREATE TABLE entries (
    run INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE begun (run INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (run, digest)) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = 1;
"""
"""The tables of the first version."""
_UPGRADES = {
    1: "ALTER TABLE runs ADD COLUMN since TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 2",
    2: "ALTER TABLE runs ADD COLUMN form INTEGER NOT NULL DEFAULT 1; PRAGMA user_version = 3",
    3: "ALTER TABLE runs ADD COLUMN effects TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 4",
}
"""What makes tables of a version those of the next one."""


class SqliteRuns(DatabaseRuns):
    """The runs in one file."""

    def __init__(self, path: Path, key: KeySource | None = None, contents: Contents | None = None) -> None:
        """`path`: made at the first run, in a folder of mode 700. `key`: of the audit; a file beside it if none is given.

        `contents`: whether entries are sealed, and by which key; plain if nothing is given.
        """
        heads = Heads(path.with_suffix(".heads"))
        super().__init__(_File(path), key or key_in(path.with_suffix(".key")), heads, contents or Contents())


class _File:
    """See Place."""

    errors: tuple[type[Exception], ...] = (sqlite3.Error, OSError, UnicodeDecodeError)
    """The last where a damaged file makes it say what is no text."""

    def __init__(self, path: Path) -> None:
        self._path, self.name = path, str(path)
        self._leases = Leases(path.with_suffix(".leases"))

    def found(self) -> SqliteDatabase | None:
        """See Place."""
        return self.connected() if self._path.exists() else None

    def beginning(self, database: Database) -> AbstractContextManager[None]:
        """See Place. One process at a time writes anything."""
        return database.transaction()

    def lease(self, database: Database, number: int, run: str) -> Lease | None:
        """See Place."""
        return self._leases.take(run)

    def at_work(self, database: Database, runs: Mapping[int, str]) -> set[int]:
        """See Place."""
        return {number for number, run in runs.items() if self._leases.is_taken(run)}

    def tidy(self, database: Database) -> None:
        """See Place. What was removed was overwritten; the log is emptied."""
        database.change("VACUUM")
        database.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def connected(self) -> SqliteDatabase:
        """See Place."""
        database = SqliteDatabase(connected(self._path))
        try:
            self._bring_up(database, is_new=self._path.stat().st_size == 0)
        except BaseException:
            database.close()
            raise
        return database

    def _bring_up(self, database: Database, *, is_new: bool) -> None:
        """The tables of this version, made or upgraded by whichever process comes first."""
        if is_new:
            database.rows("PRAGMA journal_mode = WAL")
            with database.transaction():
                if _version(database) == 0:
                    _run_all(database, _SCHEMA)
        if _version(database) in _UPGRADES:
            with database.transaction():
                while (found := _version(database)) in _UPGRADES:
                    _run_all(database, _UPGRADES[found])
        if (found := _version(database)) != VERSION:
            raise OperatorError(
                f"{self._path} has version {found} of the journals, and this armslength knows version {VERSION}; "
                "use the one that wrote it, or move the file away"
            )


def _version(database: Database) -> int:
    ((found,),) = database.rows("PRAGMA user_version")
    return int(found)


def _run_all(database: Database, statements: str) -> None:
    for statement in statements.split(";"):
        database.change(statement)


class SqliteDatabase:
    """See Database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """`connection` in autocommit mode."""
        self.connection = connection

    def rows(self, statement: str, given: Sequence[object] = ()) -> list[Row]:
        """See Database."""
        return self.connection.execute(statement, given).fetchall()

    def change(self, statement: str, given: Sequence[object] = ()) -> int:
        """See Database."""
        return self.connection.execute(statement, given).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Database."""
        with transaction(self.connection):
            yield

    def close(self) -> None:
        """See Database."""
        self.connection.close()
