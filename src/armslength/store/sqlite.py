"""Runs in one SQLite file that only the user can read: in WAL mode, each entry a transaction that is on disk before the run goes on.

Beside the file `runs.sqlite` lie the heads of the journals (`.heads`), their key (`.key`) and the leases (`.leases`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.chain import START, Chain, Head, Heads, key_in
from armslength.store.journal import Entry, crossing_entry, note_entry
from armslength.store.lease import Lease, Leases
from armslength.store.runs import Fault, KeySource, Run, State, state_after
from armslength.store.verifying import Stored, first_fault, lost_run, shown_request

VERSION = 1
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
PRAGMA user_version = {VERSION};
"""
_WAIT = 30.0
"""Seconds that one process waits for another's transaction."""


class SqliteRuns:
    """The runs in one file."""

    def __init__(self, path: Path, key: KeySource | None = None) -> None:
        """`path`: made at the first run, in a folder of mode 700. `key`: of the audit; a file beside it if none is given."""
        self._path = path
        self._key = key or key_in(path.with_suffix(".key"))
        self._heads = Heads(path.with_suffix(".heads"))
        self._leases = Leases(path.with_suffix(".leases"))

    def begin(self, started: datetime) -> OpenSqliteRun:
        """See Runs."""
        stem = started.strftime("%Y%m%d-%H%M%S")
        with self._told("written"):
            database = self._connected()
            try:
                with _transaction(database):
                    name = _free_name(database, stem)
                    lease = self._leases.take(name)
                    if lease is None:
                        raise OperatorError(f"the run {name} is at work elsewhere; ask again")
                    made = database.execute(
                        "INSERT INTO runs (name, started, state) VALUES (?, ?, 'running')", (name, started.isoformat())
                    )
                return OpenSqliteRun(self, database, lease, _Place(made.lastrowid or 0, name))
            except BaseException:
                database.close()
                raise

    def take(self, run: str) -> OpenSqliteRun:
        """See Runs."""
        with self._told("written"):
            self._row(run)
            lease = self._leases.take(run)
            if lease is None:
                raise OperatorError(f"another process works on the run {run}; wait for it, or end it")
            try:
                row = self._row(run)
                stored = self._stored(row[0])
                fault = self._fault(row, stored, self._heads.read())
                if fault is not None:
                    raise OperatorError(f"the journal of {run} is not as it was written: {fault.what}")
                return OpenSqliteRun(self, self._connected(), lease, _Place(row[0], run), stored)
            except BaseException:
                lease.end()
                raise

    def names(self) -> list[str]:
        """See Runs."""
        return [str(name) for (name,) in self._all("SELECT name FROM runs ORDER BY id")]

    def listed(self) -> list[Run]:
        """See Runs."""
        rows = self._all("SELECT name, started, state, ending, request FROM runs ORDER BY id")
        return [
            Run(name, started, self._state_now(name, state), ending, request)
            for name, started, state, ending, request in (map(str, row) for row in rows)
        ]

    def entries(self, run: str) -> list[Entry]:
        """See Runs."""
        return [_entry(run, stored) for stored in self._stored(self._row(run)[0])]

    def verify(self, run: str | None = None) -> list[Fault]:
        """See Runs."""
        with self._told("read"):
            heads = self._heads.read()
            rows = (
                [self._row(run)]
                if run is not None
                else self._all("SELECT id, name, state, request FROM runs ORDER BY id")
            )
            found = (self._fault(row, self._stored(row[0]), heads) for row in rows)
            faults = [fault for fault in found if fault is not None]
            if run is None:
                known = {row[0] for row in rows}
                faults += [lost_run(number, head) for number, head in heads.items() if number not in known]
            return faults

    def purge(self, before: datetime) -> list[str]:
        """See Runs. What is removed is overwritten, in the log too."""
        if not self._path.exists():
            return []
        with self._told("written"), closing(self._connected()) as database:
            gone = []
            for number, name, started in database.execute("SELECT id, name, started FROM runs ORDER BY id").fetchall():
                if _moment(started) >= before:
                    continue
                lease = self._leases.take(name)
                if lease is None:
                    continue
                try:
                    with _transaction(database):
                        for table, column in (("entries", "run"), ("begun", "run"), ("runs", "id")):
                            database.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608  # fixed names
                    self._heads.drop(number)
                    gone.append(name)
                finally:
                    lease.end()
            if gone:
                database.execute("VACUUM")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return gone

    # What the open run uses

    def chain(self, run: str) -> Chain:
        """The keyed hashes of this run."""
        return Chain(self._key(), run)

    @property
    def heads(self) -> Heads:
        """The file of heads."""
        return self._heads

    # Reading

    def _fault(self, row: tuple[Any, ...], stored: list[Stored], heads: dict[int, Head | None]) -> Fault | None:
        number, name, state, request = row
        return first_fault(name, stored, self.chain(name), heads.get(number), (state, request))

    def _state_now(self, name: str, stored: str) -> State:
        match stored:
            case "running" | "waiting" if not self._leases.is_taken(name):
                return "cut off" if stored == "running" else "waiting"
            case "running" | "waiting" | "done" | "failed" | "cancelled":
                return stored
            case _:
                return "cut off"

    def _row(self, run: str) -> tuple[Any, ...]:
        rows = self._all("SELECT id, name, state, request FROM runs WHERE name = ?", (run,))
        if not rows:
            raise OperatorError(f"there is no run {run}; armslength runs lists them")
        return rows[0]

    def _stored(self, number: int) -> list[Stored]:
        rows = self._all("SELECT number, body, hash FROM entries WHERE run = ? ORDER BY number", (number,))
        return [Stored(place, _bytes(body), _bytes(made)) for place, body, made in rows]

    def _all(self, query: str, given: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        with self._told("read"), closing(self._connected()) as database:
            return database.execute(query, given).fetchall()

    def _connected(self) -> sqlite3.Connection:
        """A connection of its own, in autocommit mode, with the schema of this version.

        Raises:
            OperatorError: the file is something else, or of another version.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            is_new = os.fstat(handle).st_size == 0
            if os.fstat(handle).st_mode & 0o077:
                os.fchmod(handle, 0o600)
        finally:
            os.close(handle)
        database = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            if is_new:
                _make(database)
            (found,) = database.execute("PRAGMA user_version").fetchone()
            if found != VERSION:
                raise OperatorError(
                    f"{self._path} has version {found} of the journals, and this armslength knows version {VERSION}; "
                    "use the one that wrote it, or move the file away"
                )
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA secure_delete = ON")
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise OperatorError(f"the journals in {self._path} cannot be {what}: {why}") from error


def _make(database: sqlite3.Connection) -> None:
    """The schema, by whichever process comes first."""
    database.execute("PRAGMA journal_mode = WAL")
    with _transaction(database):
        (found,) = database.execute("PRAGMA user_version").fetchone()
        if found == 0:
            for statement in _SCHEMA.split(";"):
                database.execute(statement)


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of the block or nothing, whatever ends it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


def _free_name(database: sqlite3.Connection, stem: str) -> str:
    taken = database.execute("SELECT name FROM runs WHERE name GLOB ?", (f"{stem}-*",)).fetchall()
    numbers = [int(name.rpartition("-")[2]) for (name,) in taken]
    return f"{stem}-{max(numbers, default=0) + 1}"


def _moment(stored: object) -> datetime:
    """What is no moment was put there by others, and is older than any."""
    try:
        return datetime.fromisoformat(str(stored)).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)


def _bytes(stored: object) -> bytes:
    """What was written are bytes; anything else was put there by others, and has the hash of nothing."""
    return stored if isinstance(stored, bytes) else b""


def _entry(run: str, stored: Stored) -> Entry:
    try:
        found = json.loads(stored.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise OperatorError(f"the journal {run} is damaged in entry {stored.number}")
    return found


class _Place:
    """Where a run is in the file."""

    __slots__ = ("name", "number")

    def __init__(self, number: int, name: str) -> None:
        self.number, self.name = number, name


class OpenSqliteRun:
    """See OpenRun."""

    def __init__(
        self,
        runs: SqliteRuns,
        database: sqlite3.Connection,
        lease: Lease,
        place: _Place,
        stored: list[Stored] | None = None,
    ) -> None:
        self.run, self._number = place.name, place.number
        self._database, self._lease, self._heads = database, lease, runs.heads
        self._alone = threading.Lock()
        self._chain = runs.chain(self.run)
        before = stored or []
        self.entries = [_entry(self.run, each) for each in before]
        self._count, self._hash = len(before), before[-1].hash if before else START
        self._is_waiting, self._is_closed, self._is_writing = False, False, False

    def crossing(self, crossed: Crossing) -> None:
        """See OpenRun."""
        self._append(crossing_entry(crossed))

    def note(self, kind: str, content: Entry) -> None:
        """See OpenRun."""
        self._append(note_entry(kind, content))

    def waits(self) -> None:
        """See OpenRun."""
        with self._alone, self._told(), _transaction(self._database):
            self._set_state("waiting", "")
            self._is_waiting = True

    def close(self) -> None:
        """See OpenRun."""
        if not self._is_closed:
            self._is_closed = True
            self._database.close()
            self._lease.end()

    def _append(self, entry: Entry) -> None:
        body = json.dumps(entry, ensure_ascii=True, sort_keys=True).encode("ascii")
        with self._alone, self._told():
            if self._is_writing:
                self._look_where_it_ends()
            self._is_writing = True
            number = self._count + 1
            made = self._chain.hash(number, self._hash, body)
            with _transaction(self._database):
                self._use_up(entry)
                self._database.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (self._number, number, body, made))
                self._note_state(entry)
            self._count, self._hash, self._is_waiting = number, made, False
            self._heads.write(self._number, Head(self.run, number, made))
            self._is_writing = False

    def _look_where_it_ends(self) -> None:
        """The writing before this was interrupted, so whether it got done is not known here."""
        query = "SELECT number, hash FROM entries WHERE run = ? ORDER BY number DESC LIMIT 1"
        self._count, self._hash = self._database.execute(query, (self._number,)).fetchone() or (0, START)

    def _use_up(self, entry: Entry) -> None:
        """A yes is for one beginning: the second `started` of a digest is refused by the database, whoever comes with it.

        A further program is written only where the one before did nothing, so it begins anew.
        """
        if entry["entry"] != "note" or entry["kind"] not in {"started", "program"}:
            return
        if entry["kind"] == "program":
            self._database.execute("DELETE FROM begun WHERE run = ?", (self._number,))
            return
        try:
            self._database.execute("INSERT INTO begun VALUES (?, ?)", (self._number, str(entry.get("digest"))))
        except sqlite3.IntegrityError:
            raise OperatorError(f"the run {self.run} began this effect before, so it is not begun again") from None

    def _note_state(self, entry: Entry) -> None:
        after = state_after(entry)
        if after is not None:
            self._set_state(*after)
        elif self._is_waiting:
            self._set_state("running", "")
        if entry.get("kind") == "request" and entry["entry"] == "note":
            self._database.execute("UPDATE runs SET request = ? WHERE id = ?", (shown_request(entry), self._number))

    def _set_state(self, state: State, ending: str) -> None:
        self._database.execute("UPDATE runs SET state = ?, ending = ? WHERE id = ?", (state, ending, self._number))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise OperatorError(f"the journal {self.run} cannot be written: {why}") from error
