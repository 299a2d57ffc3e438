"""Runs in PostgreSQL, so that several workers on several machines share them.

All lies in a schema of its own, `armslength`. Who works on a run holds an advisory lock of the session in which it writes, so what lost the
lock cannot write: the server drops both with the connection. Beside that each taking up of a run counts its `epoch`, which each
transaction checks. A worker whose connection is gone may be in the middle of an effect still; until `busy_until` nobody takes its run up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from armslength.errors import AtWork, ConfigError, OperatorError
from armslength.hosts import is_here
from armslength.installing import install_command
from armslength.store.chain import Heads, key_in
from armslength.store.database import Database, Row
from armslength.store.keeping import DatabaseRuns
from armslength.store.runs import KeySource
from armslength.store.sealing import Contents

if TYPE_CHECKING:
    import psycopg

VERSION = 2
SETTLING = 30.0
"""Seconds in which an effect has ended, also that of a worker that lost its connection meanwhile."""
_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS armslength;
SET search_path = armslength;
CREATE TABLE runs (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    started TEXT NOT NULL,
    state TEXT NOT NULL,
    ending TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL DEFAULT '',
    since TEXT NOT NULL DEFAULT '',
    effects TEXT NOT NULL DEFAULT '',
    form INTEGER NOT NULL,
    epoch BIGINT NOT NULL DEFAULT 0,
    busy_until TIMESTAMPTZ
) WITH (fillfactor = 50);
CREATE TABLE entries (
    run INTEGER NOT NULL, number INTEGER NOT NULL, body BYTEA NOT NULL, hash BYTEA NOT NULL, PRIMARY KEY (run, number)
);
CREATE TABLE begun (run INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (run, digest));
CREATE TABLE about (version INTEGER NOT NULL);
INSERT INTO about VALUES (2)
"""
_SETTINGS = {
    "search_path": "armslength",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "lock_timeout": "30s",
    "statement_timeout": "0",
    "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "60s",
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
    "tcp_user_timeout": "40000",
    "client_connection_check_interval": "10s",
}
"""Of the session, as far as the server knows them. A server that hears nothing of a worker drops it after 40 seconds."""
_CLIENT = {
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "5",
    "keepalives_count": "4",
    "tcp_user_timeout": "40000",
}
_LOCKS = 0x41524D53  # "ARMS"
_MAKING, _NAMING = 1, 2
_LOCK_OF = "('runs'::regclass::oid::bigint << 32) | ?::bigint"
"""The number of a run's lock: of this schema's runs alone."""


class PostgresRuns(DatabaseRuns):
    """The runs in one database."""

    def __init__(
        self,
        url: str,
        folder: Path,
        key: KeySource | None = None,
        *,
        contents: Contents | None = None,
        password: str | None = None,
        settling: float = SETTLING,
    ) -> None:
        """`url`: `postgresql://…`, without a password. `folder`: of the heads, and of the key of the audit if none is given.

        `contents`: whether entries are sealed, and by which key; plain if nothing is given.
        `settling`: seconds in which an effect has ended, also that of a worker that lost its connection meanwhile.

        Raises:
            ConfigError: the library is missing, or the URL is none or has a password in it.
        """
        heads = folder / "postgresql.heads"
        self._server = _Server(url, password, heads, settling)
        super().__init__(self._server, key or key_in(folder / "postgresql.key"), Heads(heads), contents or Contents())

    @property
    def is_on_this_machine(self) -> bool:
        """Whether what is written there stays here."""
        return self._server.is_on_this_machine


class _Server:
    """See Place."""

    def __init__(self, url: str, password: str | None, heads: Path, settling: float) -> None:
        psycopg = _library()
        self.errors: tuple[type[Exception], ...] = (psycopg.Error, OSError)
        self._heads, self._settling = heads, settling
        try:
            given = psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.Error as error:
            raise ConfigError(f"the URL of the database of the runs cannot be used: {_line(error)}") from None
        if "password" in given or "sslpassword" in given:
            raise ConfigError(
                "the URL of the database of the runs has a password in it; take it out, and say in "
                "runs.password where it is, or use a passfile"
            )
        self.name = _shown(url)
        self.is_on_this_machine = _is_on_this_machine(given)
        self._given: dict[str, Any] = {**_CLIENT, **given, "application_name": "armslength"}
        if not self.is_on_this_machine and "PGSSLMODE" not in os.environ:
            self._given.setdefault("sslmode", "verify-full")
        if password is not None:
            self._given["password"] = password

    def found(self) -> PostgresDatabase | None:
        """See Place."""
        with _closed_if_it_fails(self._session()) as database:
            if _is_made(database):
                self._check_version(database)
                return database
            database.close()
            return None

    def connected(self) -> PostgresDatabase:
        """See Place."""
        with _closed_if_it_fails(self._session()) as database:
            if not _is_made(database):
                self._make(database)
            self._check_version(database)
            return database

    @contextmanager
    def beginning(self, database: Database) -> Iterator[None]:
        """See Place."""
        with database.transaction():
            database.rows("SELECT pg_advisory_xact_lock(?, ?)", (_LOCKS, _NAMING))
            yield

    def lease(self, database: Database, number: int, run: str) -> PostgresLease | None:
        """See Place."""
        if database.rows(f"SELECT pg_try_advisory_lock({_LOCK_OF})", (number,)) != [(True,)]:
            return None
        statement = (
            "UPDATE runs SET epoch = epoch + 1 WHERE id = ? AND (busy_until IS NULL OR busy_until <= clock_timestamp()) "
            "RETURNING epoch"
        )
        epochs = database.rows(statement, (number,))
        if epochs:
            return PostgresLease(database, number, run, epochs[0][0], self._settling)
        database.rows(f"SELECT pg_advisory_unlock({_LOCK_OF})", (number,))
        query = "SELECT ceil(extract(epoch FROM busy_until - clock_timestamp()))::int FROM runs WHERE id = ?"
        for (seconds,) in database.rows(query, (number,)):
            raise AtWork(
                f"a worker was in the middle of an effect of the run {run} when its connection ended, and may be still; "
                f"try again in {max(seconds or 1, 1)} seconds"
            )
        return None

    def at_work(self, database: Database, runs: Mapping[int, str]) -> set[int]:
        """See Place."""
        if not runs:
            return set()
        query = (
            "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND classid = 'runs'::regclass::oid UNION SELECT id FROM runs WHERE busy_until > clock_timestamp()"
        )
        return {number for (number,) in database.rows(query)} & set(runs)

    def tidy(self, database: Database) -> None:
        """See Place. The tables are written anew; the server's log and its backups keep what they have."""
        database.change("VACUUM (FULL) entries, begun, runs")

    def _session(self) -> PostgresDatabase:
        psycopg = _library()
        with _closed_if_it_fails(PostgresDatabase(psycopg.connect(**self._given, autocommit=True))) as database:
            names, values = list(_SETTINGS), list(_SETTINGS.values())
            database.rows(
                "SELECT set_config(known.name, wanted.value, false) FROM pg_settings AS known "
                "JOIN unnest(?::text[], ?::text[]) AS wanted (name, value) ON known.name = wanted.name",
                (names, values),
            )
            return database

    def _check_version(self, database: PostgresDatabase) -> None:
        found = database.rows("SELECT version FROM about")
        if found == [(1,)]:
            found = self._upgraded(database)
        if found != [(VERSION,)]:
            versions = ", ".join(str(version) for (version,) in found) or "none"
            raise OperatorError(
                f"{self.name} has version {versions} of the journals, and this armslength knows version {VERSION}; use the one "
                "that wrote it"
            )

    def _upgraded(self, database: PostgresDatabase) -> list[Row]:
        """The tables of the first version become those of this one, by whichever process comes first."""
        with database.transaction():
            database.rows("SELECT pg_advisory_xact_lock(?, ?)", (_LOCKS, _MAKING))
            if database.rows("SELECT version FROM about") == [(1,)]:
                database.change("ALTER TABLE runs ADD COLUMN effects TEXT NOT NULL DEFAULT ''")
                database.change("UPDATE about SET version = 2")
        return database.rows("SELECT version FROM about")

    def _make(self, database: PostgresDatabase) -> None:
        """The tables, by whichever process comes first."""
        with database.transaction():
            database.rows("SELECT pg_advisory_xact_lock(?, ?)", (_LOCKS, _MAKING))
            if _is_made(database):
                return
            if self._heads.exists():
                raise OperatorError(
                    f"{self._heads} is of another database, or this one lost its runs; if it is a new one, move the file away"
                )
            for statement in _SCHEMA.split(";"):
                database.change(statement)


class PostgresLease:
    """See Lease. The lock goes with the session, and what is written without it is refused by its epoch."""

    def __init__(self, database: Database, number: int, run: str, epoch: int, settling: float) -> None:
        self._database, self._number, self._run = database, number, run
        self._epoch, self._settling = epoch, settling

    def confirm(self, *, is_beginning: bool) -> None:
        """See Lease. Until the transaction has ended nobody can take the run."""
        statement = (
            "UPDATE runs SET busy_until = CASE WHEN ? THEN clock_timestamp() + ?::float8 * interval '1 second' END "
            "WHERE id = ? AND epoch = ?"
        )
        if self._database.change(statement, (is_beginning, self._settling, self._number, self._epoch)) != 1:
            raise OperatorError(
                f"another process has taken the run {self._run} over, so nothing more of it is done here"
            )

    def end(self) -> None:
        """See Lease. With a connection that is gone it has ended already."""
        with suppress(_library().Error):
            statement = "UPDATE runs SET busy_until = NULL WHERE id = ? AND epoch = ?"
            self._database.change(statement, (self._number, self._epoch))
            self._database.rows(f"SELECT pg_advisory_unlock({_LOCK_OF})", (self._number,))


class PostgresDatabase:
    """See Database."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        """`connection` in autocommit mode."""
        self.connection = connection

    def rows(self, statement: str, given: Sequence[object] = ()) -> list[Row]:
        """See Database."""
        return self.connection.execute(_written(statement), given).fetchall()

    def change(self, statement: str, given: Sequence[object] = ()) -> int:
        """See Database."""
        return self.connection.execute(_written(statement), given).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Database."""
        self.connection.execute("BEGIN")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            with suppress(_library().Error):
                self.connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """See Database."""
        self.connection.close()


def _written(statement: str) -> str:
    """As this database writes what is given; no statement has another question mark, and each stands in this package."""
    return statement.replace("?", "%s")


def _is_made(database: Database) -> bool:
    """By the catalogue itself: a name that is looked up by a function may be answered from before another process made it."""
    return database.rows("SELECT 1 FROM pg_tables WHERE schemaname = 'armslength' AND tablename = 'about'") == [(1,)]


@contextmanager
def _closed_if_it_fails(database: PostgresDatabase) -> Iterator[PostgresDatabase]:
    try:
        yield database
    except BaseException:
        database.close()
        raise


def _is_on_this_machine(given: Mapping[str, Any]) -> bool:
    """By a socket or a loopback address. What a service file says is not looked at."""
    if given.get("service") or os.environ.get("PGSERVICE"):
        return False
    hosts = str(given.get("host") or os.environ.get("PGHOST") or "/")
    addresses = str(given.get("hostaddr") or os.environ.get("PGHOSTADDR") or "")
    named = [*hosts.split(","), *filter(None, addresses.split(","))]
    return all(each.startswith(("/", "@")) or is_here(each) for each in named)


def _shown(url: str) -> str:
    """The URL without its options."""
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc}{parts.path}"


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _library() -> Any:
    try:
        import psycopg
    except ImportError:
        raise ConfigError(
            f"runs.database is in PostgreSQL, and its package is not installed; run {install_command('postgres')}"
        ) from None
    return psycopg
