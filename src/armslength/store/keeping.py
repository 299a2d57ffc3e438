"""Runs in a database, whichever it is: they begin, are taken up, listed, verified and removed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime

from armslength.errors import AtWork, OperatorError
from armslength.store.chain import FORMAT, Chain, Head, Heads
from armslength.store.database import Database, Lease, Place, Row, stored_in, told
from armslength.store.journal import Entry
from armslength.store.opened import Held, OpenDatabaseRun
from armslength.store.runs import Effects, Fault, KeySource, Run, State
from armslength.store.sealing import Contents
from armslength.store.verifying import Beside, first_fault, lost_run
from armslength.store.writing import Requests, Stored, Writer

_ROW = "SELECT id, name, form, started, state, ending, request, since, effects FROM runs"


_OPEN = frozenset({"running", "waiting", "answered"})
"""As they are stored, where a process may work on them."""


class DatabaseRuns:
    """The runs in one place. See Runs."""

    def __init__(self, place: Place, key: KeySource, heads: Heads, contents: Contents) -> None:
        """`key`: of the audit. `heads`: outside the database. `contents`: whether entries are sealed."""
        self._place, self._key, self.heads, self._contents = place, key, heads, contents

    @property
    def place(self) -> str:
        """Where they are, as a person knows it."""
        return self._place.name

    def begin(self, started: datetime) -> OpenDatabaseRun:
        """See Runs."""
        stem = started.strftime("%Y%m%d-%H%M%S")
        if self._contents.seals:
            self._contents.seal("a run")  # without a key there is no run, not even an empty one
        with self._told("written"):
            database = self._place.connected()
            try:
                with self._place.beginning(database):
                    name = _free_name(database, stem)
                    row = self._new_row(database, name, started)
                    lease = self._place.lease(database, row[0], name)
                    if lease is None:
                        raise AtWork(f"the run {name} is at work elsewhere; ask again")
                held = self._held(database, lease, row)
                self.heads.write(held.number, Head(name, 0, held.start))
                return OpenDatabaseRun(held)
            except BaseException:
                database.close()
                raise

    def _new_row(self, database: Database, name: str, started: datetime) -> Row:
        """Its number is no run's that has a head: who dropped that run could have counted back, and its head would be written over."""
        statement = "INSERT INTO runs (name, started, state, form, effects) VALUES (?, ?, 'running', ?, 'none')"
        while True:
            database.change(statement, (name, started.isoformat(), FORMAT))
            row = _row(database, name)
            if not self.heads.has(row[0]):
                return row
            database.change("DELETE FROM runs WHERE name = ?", (name,))

    def take(self, run: str) -> OpenDatabaseRun:
        """See Runs."""
        with self._told("written"):
            database = self._place.found()
            if database is None:
                raise _no_run(run)
            try:
                return self._taken(database, run)
            except BaseException:
                database.close()
                raise

    def names(self) -> list[str]:
        """See Runs."""
        return [str(name) for (name,) in self._all("SELECT name FROM runs ORDER BY id")]

    def listed(self) -> list[Run]:
        """See Runs."""
        with self._told("read"), self._opened() as database:
            if database is None:
                return []
            rows = database.rows(f"{_ROW} ORDER BY id")
            open_ones = {row[0]: str(row[1]) for row in rows if str(row[4]) in _OPEN}
            at_work = self._place.at_work(database, open_ones)
            requests = Requests(self._contents)
            return [_listed(row, requests, is_at_work=row[0] in at_work) for row in rows]

    def entries(self, run: str) -> list[Entry]:
        """See Runs."""
        with self._told("read"), self._opened() as database:
            row = _row(database, run)
            writer = self._writer(row)
            return [writer.entry(stored) for stored in _entries(database, row[0])]

    def verify(self, run: str | None = None) -> list[Fault]:
        """See Runs."""
        with self._told("read"), self._opened() as database:
            heads = self.heads.read()
            rows = [_row(database, run)] if run is not None else _rows(database, f"{_ROW} ORDER BY id")
            found = (self._fault(row, database, heads) for row in rows)
            faults = [fault for fault in found if fault is not None]
            if run is None:
                known = {row[0] for row in rows}
                faults += [lost_run(number, head) for number, head in heads.items() if number not in known]
            return faults

    def purge(self, before: datetime, but: Collection[State] = ()) -> list[str]:
        """See Runs. What is removed is removed from the files, as far as the database lets it."""
        gone = list[str]()
        with self._told("written"), self._opened() as database:
            for row in _rows(database, f"{_ROW} ORDER BY id"):
                is_old = _moment(row[3]) < before
                is_spared = is_old and bool(but) and self._open_state(database, row) in but
                if database is not None and is_old and not is_spared and self._remove(database, row[0], str(row[1])):
                    gone.append(str(row[1]))
            if database is not None and gone:
                self._place.tidy(database)
        return gone

    def remove(self, run: str) -> None:
        """See Runs."""
        with self._told("written"), self._opened() as database:
            number = _row(database, run)[0]
            if database is None or not self._remove(database, number, run):
                raise _at_work(run)
            self._place.tidy(database)

    def _open_state(self, database: Database | None, row: Row) -> str:
        """The state of the list; one that was answered and has no end stays answered, also where who went on with it was killed."""
        if row[4] != "running":
            return str(row[4])
        writer = self._writer(row)
        with suppress(ValueError):
            return (
                "answered" if any(writer.outline(each).is_answer for each in _entries(database, row[0])) else "running"
            )
        return "running"

    def _remove(self, database: Database, number: int, name: str) -> bool:
        try:
            lease = self._place.lease(database, number, name)
        except AtWork:
            return False
        if lease is None:
            return False
        try:
            with database.transaction():
                for table, column in (("entries", "run"), ("begun", "run"), ("runs", "id")):
                    database.change(f"DELETE FROM {table} WHERE {column} = ?", (number,))  # noqa: S608  # fixed names
                self.heads.drop(number)  # a run without its head can be removed again, a head without its run cannot
        finally:
            lease.end()
        return True

    def _taken(self, database: Database, run: str) -> OpenDatabaseRun:
        number = _row(database, run)[0]
        lease = self._place.lease(database, number, run)
        if lease is None:
            raise _at_work(run)
        try:
            row = _row(database, run)
            stored = _entries(database, number)
            fault = self._fault(row, database, self.heads.read())
            if fault is not None:
                raise OperatorError(f"the journal of {run} is not as it was written: {fault.what}")
            return OpenDatabaseRun(
                self._held(database, lease, row), stored, is_asking=row[4] in {"waiting", "answered"}
            )
        except BaseException:
            lease.end()
            raise

    def _held(self, database: Database, lease: Lease, row: Row) -> Held:
        chain = self._chain(row)
        start = chain.start(str(row[3]))
        return Held(self._place, database, lease, chain, self._writer(row), self.heads, row[0], str(row[1]), start)

    def _chain(self, row: Row) -> Chain:
        return Chain(self._key(), str(row[1]), row[2])

    def _writer(self, row: Row) -> Writer:
        return Writer(str(row[1]), self._chain(row), self._contents)

    def _fault(self, row: Row, database: Database | None, heads: dict[int, Head | None]) -> Fault | None:
        number, name, _form, started, state, ending, request, since, effects = row
        used = [] if database is None else database.rows("SELECT digest FROM begun WHERE run = ?", (number,))
        marks = frozenset(mark for (mark,) in used)
        beside = Beside(str(name), started, state, ending, request, since, effects, marks)
        return first_fault(beside, _entries(database, number), self._chain(row), heads.get(number), self._writer(row))

    def _all(self, query: str) -> list[Row]:
        with self._told("read"), self._opened() as database:
            return _rows(database, query)

    @contextmanager
    def _opened(self) -> Iterator[Database | None]:
        """A connection for the block; None where nothing was ever written, since looking makes nothing."""
        database = self._place.found()
        if database is None:
            yield None
            return
        with closing(database):
            yield database

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        with told(self._place, f"the journals in {self._place.name} cannot be {what}"):
            yield


def _rows(database: Database | None, query: str) -> list[Row]:
    return [] if database is None else database.rows(query)


def _row(database: Database | None, run: str) -> Row:
    rows = [] if database is None else database.rows(f"{_ROW} WHERE name = ?", (run,))
    if not rows:
        raise _no_run(run)
    return rows[0]


def _at_work(run: str) -> AtWork:
    return AtWork(f"another process works on the run {run}; wait for it, or end it")


def _no_run(run: str) -> OperatorError:
    return OperatorError(f"there is no run {run}; armslength runs lists them")


def _entries(database: Database | None, number: int) -> list[Stored]:
    return [] if database is None else stored_in(database, number)


def _listed(row: Row, requests: Requests, *, is_at_work: bool) -> Run:
    name, form, started, stored, ending, kept, since, effects = row[1], row[2], *map(str, row[3:])
    state, request = _state_now(stored, is_at_work=is_at_work), requests.shown(str(name), kept)
    waits = since.partition(" ")[0] if state == "waiting" else ""
    return Run(str(name), started, state, ending, request, waits, _effects_now(form, effects))


def _effects_now(form: object, stored: str) -> Effects:
    """Who edits the form of a run makes its journal be read."""
    match stored:
        case "none" | "left" | "undone" | "undone in part" if form == FORMAT:
            return stored
        case _:
            return "unknown"


def _state_now(stored: str, *, is_at_work: bool) -> State:
    match stored:
        case "running" if not is_at_work:
            return "cut off"
        case "answered" if is_at_work:
            return "running"
        case "running" | "waiting" | "answered" | "done" | "failed" | "cancelled":
            return stored
        case _:
            return "cut off"


def _free_name(database: Database, stem: str) -> str:
    taken = database.rows("SELECT name FROM runs WHERE name LIKE ?", (f"{stem}-%",))
    numbers = [int(number) for (name,) in taken if (number := str(name).rpartition("-")[2]).isdigit()]
    return f"{stem}-{max(numbers, default=0) + 1}"


def _moment(stored: object) -> datetime:
    """What is no moment was put there by others, and is older than any."""
    try:
        return datetime.fromisoformat(str(stored)).astimezone(UTC)
    except (ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)
