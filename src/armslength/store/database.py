"""What the runs need of a database, whichever it is: SQL that both know, a place where it is found, and who works on a run.

The statements are those of `keeping` and `opened`; `sqlite` and `postgres` say what is theirs alone. The tables: `runs` with `id`, `name`,
`started`, `state`, `ending`, `request`, `since`, `effects` and `form` (of what is kept); `entries` with `run`, `number`, `body` and `hash`; `begun` with
`run` and `digest` (the mark of a yes that is used up).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from armslength.errors import OperatorError
from armslength.store.writing import Stored

Row = tuple[Any, ...]


class Database(Protocol):
    """A connection on which each statement is a transaction of its own, outside of `transaction`. A `?` stands for what is given."""

    def rows(self, statement: str, given: Sequence[object] = ()) -> list[Row]:
        """What a query finds."""
        ...

    def change(self, statement: str, given: Sequence[object] = ()) -> int:
        """Make a change. Gives the number of rows that it changed."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All of the block or nothing, whatever ends it; durable when it has ended."""
        ...

    def close(self) -> None:
        """Nothing more is done with it."""
        ...


class Lease(Protocol):
    """The right to work on a run."""

    def confirm(self, *, is_beginning: bool) -> None:
        """It is held still, also at the end of the transaction in which this is called. `is_beginning`: what it writes begins an effect.

        Raises:
            OperatorError: another process has taken the run over.
        """
        ...

    def end(self) -> None:
        """Others may take it."""
        ...


class Place(Protocol):
    """Where a database is, and what is particular to its kind."""

    errors: tuple[type[Exception], ...]
    """What it raises where it cannot be used."""
    name: str
    """As a person knows it. Nothing secret."""

    def found(self) -> Database | None:
        """A new connection, None where nothing was ever written: looking makes nothing.

        Raises:
            OperatorError: it is something else, or of another version.
        """
        ...

    def connected(self) -> Database:
        """A new connection to a database with the tables of this version; they are made if they are missing.

        Raises:
            OperatorError: it is something else, or of another version.
        """
        ...

    def beginning(self, database: Database) -> AbstractContextManager[None]:
        """A transaction during which no other process begins a run."""
        ...

    def lease(self, database: Database, number: int, run: str) -> Lease | None:
        """The lease of a run, None if another process has it.

        Raises:
            AtWork: another process was in the middle of an effect, and may be still.
        """
        ...

    def at_work(self, database: Database, runs: Mapping[int, str]) -> set[int]:
        """On which of these runs, number and name, a process works."""
        ...

    def tidy(self, database: Database) -> None:
        """What was removed is gone from the files, as far as this kind of database lets it."""
        ...


@contextmanager
def told(place: Place, what: str) -> Iterator[None]:
    """What goes wrong in the block is one line that begins with `what`.

    Raises:
        OperatorError: it cannot be used.
    """
    try:
        yield
    except place.errors as error:
        said = error.strerror if isinstance(error, OSError) else next(iter(str(error).splitlines()), "")
        raise OperatorError(f"{what}: {said or type(error).__name__}") from error


def stored_in(database: Database, number: int) -> list[Stored]:
    """The entries of a run, in order."""
    rows = database.rows("SELECT number, body, hash FROM entries WHERE run = ? ORDER BY number", (number,))
    return [Stored(place, _bytes(body), _bytes(made)) for place, body, made in rows]


def _bytes(stored: object) -> bytes:
    """What was written are bytes; anything else was put there by others, and has the hash of nothing."""
    return stored if isinstance(stored, bytes) else b""
