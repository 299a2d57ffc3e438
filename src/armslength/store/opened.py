"""A run that this process works on, in whichever database: its next entry, the use of a yes and the run's state are one transaction."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from armslength.errors import OperatorError
from armslength.events import Crossing
from armslength.store.chain import Chain, Head, Heads
from armslength.store.database import Database, Lease, Place, stored_in, told
from armslength.store.journal import Entry, crossing_entry, note_entry
from armslength.store.tally import Tally, tally_of
from armslength.store.writing import Outline, Stored, Writer


@dataclass(frozen=True, slots=True)
class Held:
    """A run with all that working on it takes. `number`: of the run in its database. `start`: the hash before its first entry."""

    place: Place
    database: Database
    lease: Lease
    chain: Chain
    writer: Writer
    heads: Heads
    number: int
    run: str
    start: bytes


class OpenDatabaseRun:
    """See OpenRun."""

    def __init__(self, held: Held, stored: Sequence[Stored] = (), *, is_asking: bool = False) -> None:
        """`stored`: what was there before; it was verified. `is_asking`: the run is listed as one that waits for a person, or was answered."""
        self.run, self._held = held.run, held
        self._database, self._number = held.database, held.number
        self._alone = threading.Lock()
        self.entries = [held.writer.entry(each) for each in stored]
        self._count, self._hash = len(stored), stored[-1].hash if stored else held.start
        self._is_asking, self._is_closed, self._is_writing = is_asking, False, False
        self._tally = tally_of(map(held.writer.outline, stored))
        self._has_written = False

    def crossing(self, crossed: Crossing) -> None:
        """See OpenRun."""
        self._append(crossing_entry(crossed))

    def note(self, kind: str, content: Entry) -> None:
        """See OpenRun."""
        self._append(note_entry(kind, content))

    def waits(self) -> None:
        """See OpenRun."""
        with self._alone, self._told(), self._database.transaction():
            self._held.lease.confirm(is_beginning=False)
            if self._is_writing:
                self._look_where_it_ends()
                self._is_writing = False
            statement = "UPDATE runs SET state = 'waiting', ending = '', since = ? WHERE id = ?"
            since = self._held.chain.marked(datetime.now(UTC).isoformat(), self._hash)
            self._database.change(statement, (since, self._number))
            self._is_asking = True

    def close(self) -> None:
        """See OpenRun."""
        if not self._is_closed:
            self._is_closed = True
            try:
                if self._has_written:
                    self._held.heads.settle()
            finally:
                self._held.lease.end()
                self._database.close()

    def _append(self, entry: Entry) -> None:
        with self._alone, self._told():
            if self._is_writing:
                self._look_where_it_ends()
            self._is_writing = True
            number = self._count + 1
            written = self._held.writer.write(number, self._hash, entry)
            body, made = written.stored.body, written.stored.hash
            with self._database.transaction():
                self._held.lease.confirm(is_beginning=bool(written.outline.used) or _says_not_made(entry))
                self._use_up(written.outline)
                self._database.change("INSERT INTO entries VALUES (?, ?, ?, ?)", (self._number, number, body, made))
                self._note_state(written.outline)
                tally = self._noted(written.outline)
            self._count, self._hash, self._tally = number, made, tally
            self._is_asking = written.outline.is_answer
            self._held.heads.write(self._number, Head(self.run, number, made))
            self._has_written = True
            self._is_writing = False

    def _look_where_it_ends(self) -> None:
        """The writing before this was interrupted, so whether it got done is not known here."""
        stored = stored_in(self._database, self._number)
        self._count, self._hash = (stored[-1].number, stored[-1].hash) if stored else (0, self._held.start)
        self._tally = tally_of(map(self._held.writer.outline, stored))

    def _use_up(self, outline: Outline) -> None:
        """A yes is for one beginning: the second `started` of a digest is refused by the database, whoever comes with it."""
        if outline.is_anew:
            self._database.change("DELETE FROM begun WHERE run = ?", (self._number,))
        if outline.used:
            statement = "INSERT INTO begun VALUES (?, ?) ON CONFLICT DO NOTHING"
            if self._database.change(statement, (self._number, outline.used)) != 1:
                raise OperatorError(f"the run {self.run} began this effect before, so it is not begun again")

    def _note_state(self, outline: Outline) -> None:
        if outline.state:
            self._set_state(outline.state, outline.ending)
        elif outline.is_answer:
            self._set_state("answered", "")
        elif self._is_asking:
            self._set_state("running", "")
        if outline.request:
            self._database.change("UPDATE runs SET request = ? WHERE id = ?", (outline.request, self._number))

    def _noted(self, outline: Outline) -> Tally:
        """What has become of the effects by this entry; the list is told where that is something else."""
        tally = self._tally.after(outline)
        if self._held.chain.has_effects and tally.effects != self._tally.effects:
            self._database.change("UPDATE runs SET effects = ? WHERE id = ?", (tally.effects, self._number))
        return tally

    def _set_state(self, state: str, ending: str) -> None:
        self._database.change(
            "UPDATE runs SET state = ?, ending = ?, since = '' WHERE id = ?", (state, ending, self._number)
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        with told(self._held.place, f"the journal {self.run} cannot be written"):
            yield


def _says_not_made(entry: Entry) -> bool:
    """An effect that was begun before the run was cut off did not get done, and is made from here on."""
    return entry.get("kind") == "found" and entry.get("happened") is False
