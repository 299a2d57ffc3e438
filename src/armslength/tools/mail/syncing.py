"""From the server into the index: what is new, what left, and what was read since the index was last brought up to date.

A folder is looked into only if its status says that something changed. Messages that are new are taken in batches, each kept at once, so
whoever is cut off goes on where he was. What left a folder is noted in all of them first, so that a message that was moved is known again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from armslength.errors import ToolError
from armslength.tools.mail.connection import Connection, Fetched, Status
from armslength.tools.mail.index import Arrived, Index, Known, Read
from armslength.tools.mail.senders import AGAIN

MOST_KEPT = 1024 * 1024
"""Bytes of one message that are fetched and kept; of a longer one attachments beyond them are not listed."""
_BATCH = 50
Reader = Callable[[bytes, datetime], Read]
"""What is made out of the bytes of a message, delivered at that time."""


class Syncing:
    """Brings an index up to date. `folders`: the server's names by ours."""

    def __init__(
        self,
        index: Index,
        reader: Reader,
        reading: str,
        asking_for: timedelta | None = None,
        *,
        counting: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> None:
        """`reading`: changes when what is made out of a message may be another; then all that is kept is read again.

        `asking_for`: how long after its delivery it may still be found out who a message is from; None: what was not known never will be.
        `counting`: as in `MailSettings`.
        """
        self._index, self._reader, self._reading, self._asking_for = index, reader, reading, asking_for
        self._counting = counting

    def run(self, connection: Connection, folders: Mapping[str, str]) -> None:
        """Bring it up to date.

        Raises:
            ToolError: the server fails, or the index cannot be used. What was done until then stays.
        """
        self._read_again()
        self._ask_again()
        known = self._index.folders()
        for gone in known.keys() - folders.keys():
            with self._index.change():
                self._index.forget_folder(gone)
        changed = {}
        for ours, theirs in folders.items():
            status = connection.status(theirs)
            if not _is_as_known(status, known.get(ours)):
                changed[ours] = status
        for ours, status in changed.items():
            self._note_what_left(connection, ours, folders[ours], status)
        missing = sum(max(status.messages - len(self._index.uids(ours)), 0) for ours, status in changed.items())
        counted = _Counted(missing, self._counting)
        for ours, status in changed.items():
            self._take_what_is_new(connection, ours, folders[ours], status, counted)
        counted.end()

    def _read_again(self) -> None:
        if self._index.fact("reading") == self._reading:
            return
        kept = list(self._index.numbers())
        counted = _Counted(len(kept), self._counting)
        for n, delivered in kept:
            self._index.read_again(n, self._reader(self._index.raw(n), delivered))
            counted.add(1)
        counted.end()
        self._index.note("reading", self._reading)

    def _ask_again(self) -> None:
        """Of what is from nobody it may be known by now whom it is from: a name server did not answer, or not the truth."""
        now, last = time.time(), float(self._index.fact("asked again") or 0)
        if self._asking_for is None or 0 <= now - last < AGAIN:
            return
        for n, delivered in self._index.from_nobody(datetime.fromtimestamp(now, UTC) - self._asking_for):
            read = self._reader(self._index.raw(n), delivered)
            if read.sender is not None:
                self._index.read_again(n, read)
        self._index.note("asked again", str(now))

    def _note_what_left(self, connection: Connection, ours: str, theirs: str, status: Status) -> None:
        known = self._index.folders().get(ours)
        if known is None:
            return
        if connection.select(theirs) != known.validity or known.validity != status.validity:
            with self._index.change():
                self._index.forget_folder(ours)
            return
        there = frozenset(connection.uids())
        unread = connection.unread(known.modseq if status.modseq else 0)
        with self._index.change():
            self._index.lose(ours, self._index.uids(ours) - there)
            self._index.set_unread(ours, unread)

    def _take_what_is_new(
        self, connection: Connection, ours: str, theirs: str, status: Status, counted: _Counted
    ) -> None:
        if connection.select(theirs) != status.validity:
            raise ToolError(f"{connection.place}: a folder was made anew meanwhile; try again")
        known = self._index.folders().get(ours) or Known(status.validity, 1, 0, 0, 0)
        there = self._index.uids(ours)
        new = [uid for uid in connection.uids(known.following) if uid not in there]
        for at in range(0, len(new), _BATCH):
            batch = new[at : at + _BATCH]
            arrived = [self._arrived(ours, each) for each in connection.fetch(batch, MOST_KEPT)]
            with self._index.change():
                for each in arrived:
                    self._index.add(each)
                # Until all is there the folder stands as one that changes.
                known = replace(known, following=batch[-1] + 1, messages=-1)
                self._index.know(ours, known)
            counted.add(len(batch))
        seen = Known(status.validity, status.following, status.modseq, status.messages, status.unseen)
        # What came after the status was asked is seen the next time.
        self._index.know(ours, replace(seen, following=max(seen.following, known.following)))

    def _arrived(self, folder: str, fetched: Fetched) -> Arrived:
        is_cut = len(fetched.raw) < fetched.size
        raw = fetched.raw.replace(b"\r\n", b"\n")
        # The lengths of what has other line ends say nothing of each other.
        size = fetched.size if is_cut else len(raw)
        digest = hashlib.sha256(b"%d\n" % fetched.size + raw).hexdigest()
        read = self._reader(raw, fetched.delivered)
        return Arrived(folder, fetched.uid, fetched.delivered, fetched.is_unread, size, digest, read)


class _Counted:
    """How many messages were read of those that are to be, as far as that was known before."""

    def __init__(self, total: int, told: Callable[[int, int], None]) -> None:
        self._done, self._total, self._told = 0, total, told

    def add(self, count: int) -> None:
        """So many more."""
        self._done += count
        if self._done < self._total:
            self._told(self._done, self._total)

    def end(self) -> None:
        """No more follow."""
        if self._total:
            self._told(self._total, self._total)


def _is_as_known(status: Status, known: Known | None) -> bool:
    """Whether nothing changed. Where the server keeps no modification sequences, one message read for another unread is not noticed."""
    return known == Known(status.validity, status.following, status.modseq, status.messages, status.unseen)
