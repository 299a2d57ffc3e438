"""A mailbox on a server (IMAP), read out of its local index and changed on the server.

Outbox and held mail lie in a Maildir of our own: they are not the server's yet. What the server calls otherwise goes by our names where it
says what it is for (RFC 6154): its `[Gmail]/Sent Mail` is our Sent.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from armslength.errors import NoLongerThere, ToolError
from armslength.tools.locking import Lock
from armslength.tools.mail.connection import Connection
from armslength.tools.mail.index import Index, Row
from armslength.tools.mail.mailbox import INBOX, Entry
from armslength.tools.mail.maildir import Maildir
from armslength.tools.mail.settings import ImapServer, MailSettings
from armslength.tools.mail.syncing import Syncing

_FRESH = 2.0
"""Seconds for which what the server said is taken to hold still."""
_REPEATED = frozenset({"flagged", "important"})
"""Folders that show again what lies in others."""
_MOST_FOLDERS = 1_000
_ON_THE_WAY = {"drafts": "To drafts", "sent": "To sent", "trash": "To trash"}
"""Where what was held lies until the server has it in the folder for that purpose."""
_FLAGS = {"D": "\\Draft", "F": "\\Flagged", "P": "", "R": "\\Answered", "S": "\\Seen", "T": ""}


class Imap:
    """See Mailbox. `own`: the Maildir with outbox and held mail."""

    kind: Literal["imap"] = "imap"

    def __init__(
        self, settings: MailSettings, server: ImapServer, index: Index, own: Maildir, syncing: Syncing
    ) -> None:
        """Nothing is asked of the server before something is wanted. `index` and `own` are of this account alone."""
        self.index, self.own = index, own
        self._settings, self._server, self._syncing = settings, server, syncing
        self._lock = Lock(index.path)
        self._idle: list[Connection] = []
        weakref.finalize(self, _close_all, self._idle)
        self._theirs: dict[str, str] = {}
        self._looked = float("-inf")

    @property
    def ours(self) -> frozenset[str]:
        """The folders that lie in our own Maildir."""
        return frozenset({self._settings.outbox, self._settings.held, *_ON_THE_WAY.values()})

    def folders(self) -> list[str]:
        """See Mailbox."""
        return [*self.on_server(), *(name for name in self.own.folders() if name in self.ours)]

    def on_server(self) -> list[str]:
        """The folders on the server, once the index is up to date."""
        self.bring_up_to_date()
        return sorted(self._theirs, key=lambda name: (name != INBOX, name))

    def entries(self, folder: str) -> list[Entry]:
        """See Mailbox."""
        if folder in self.ours:
            return self.own.entries(folder)
        self.bring_up_to_date()
        self._name_of(folder)
        return self.index.entries(folder)

    def raw(self, entry: Entry) -> bytes:
        """See Mailbox. What is kept here, or the whole message from the server where that is only its beginning."""
        if entry.folder in self.ours:
            return self.own.raw(entry)
        row = self._row(entry)
        kept = self.index.raw(row.n)
        if len(kept) >= row.entry.size:
            return kept
        with self._asking() as connection:
            self._open(connection, row)
            for fetched in connection.fetch([row.uid], self._server.most_bytes - 1):
                return fetched.raw.replace(b"\r\n", b"\n")
        raise NoLongerThere("mailbox: a message is no longer there; list the folder again")

    def make_folder(self, name: str) -> None:
        """See Mailbox."""
        if name in self.ours:
            self.own.make_folder(name)
        elif name not in self.on_server():
            with self._asking() as connection:
                connection.create(name)
            self._looked = float("-inf")

    def append(self, folder: str, raw: bytes, flags: str = "", key: str = "") -> str:
        """See Mailbox. That the server is asked is noted before, and it is asked first whether it has the message."""
        if folder in self.ours:
            return self.own.append(folder, raw, flags, key)
        theirs = self._name_of(folder)
        message_id = _message_id(raw)
        with self._asking() as connection, self._changed():
            connection.select(theirs)
            there = connection.bearing(message_id) if key and message_id else []
            if not there:
                self._add(connection, theirs, raw, flags, key)
        self._look()
        found = self.index.under_key([folder], key) if key else []
        return found[0].entry.id if found else ""

    def _add(self, connection: Connection, theirs: str, raw: bytes, flags: str, key: str) -> None:
        if key:
            self.index.appending(key)
        try:
            connection.append(theirs, raw, _flags(flags))
        except ToolError:
            if not connection.is_cut:
                self.index.not_appended(key)
            raise

    def move(self, entry: Entry, folder: str, flags: str = "") -> Entry:
        """See Mailbox. From our Maildir to the server it goes in three steps, and whoever is cut off in between goes on with the next."""
        if entry.folder in self.ours:
            return self._move_ours(entry, folder)
        if folder in self.ours:
            raise ToolError("mailbox: what lies on the server does not go into the outbox; write it anew")
        theirs = self._name_of(folder)
        row = self._row(entry)
        if row.entry.folder == folder:
            return row.entry
        with self._asking() as connection, self._changed():
            self._open(connection, row, is_changing=True)
            if flags:
                connection.flag(row.uid, _flags(flags))
            connection.move(row.uid, theirs)
        self._look()
        moved = self.index.by_id(entry.id)
        return replace(row.entry, folder=folder) if moved is None else moved.entry

    def _move_ours(self, entry: Entry, folder: str) -> Entry:
        if folder in self.ours:
            self.own.make_folder(folder)
            return self.own.move(entry, folder)
        way = next((way for purpose, way in _ON_THE_WAY.items() if self._for(purpose) == folder), None)
        if way is None:
            raise ToolError("mailbox: what is held goes among the drafts, the sent mail or the trash only")
        self._name_of(folder)
        self.own.make_folder(way)
        self.own.move(entry, way)
        self._hand_over()
        return replace(entry, folder=folder)

    def _hand_over(self) -> None:
        """What is on its way goes to the server, and leaves here once it is there."""
        there = self.own.folders()
        for purpose, way in _ON_THE_WAY.items():
            folder = self._for(purpose)
            for entry in self.own.entries(way) if way in there and folder in self._theirs else []:
                key = entry.id.split(".")[-2] if entry.id.endswith(".armslength") else ""
                self.append(folder, self.own.raw(entry), "DS" if purpose == "drafts" else "S", key)
                self.own.remove(entry)

    def _for(self, purpose: str) -> str:
        return str(getattr(self._settings, purpose))

    def is_unfinished(self, key: str) -> bool:
        """See Mailbox. The server was never asked to take it."""
        return not self.index.has_appended(key) or self.own.is_unfinished(key)

    def bring_up_to_date(self) -> None:
        """What the server has is in the index, as of now or a moment ago; and what was on its way there is there."""
        if self._look():
            self._hand_over()

    def _look(self) -> bool:
        """Look at the server, unless that was a moment ago. Whether it was looked at."""
        if time.monotonic() - self._looked < _FRESH:
            return False
        with self._lock.held(), self._asking() as connection:
            self._theirs = self._named(connection)
            self._syncing.run(connection, self._theirs)
        self._looked = time.monotonic()
        return True

    def _named(self, connection: Connection) -> dict[str, str]:
        """The server's names by ours. A folder of that very name comes before one that is for the purpose."""
        listed = [each for each in connection.folders() if not each.attributes & _REPEATED][:_MOST_FOLDERS]
        exact = {INBOX if each.name.upper() == INBOX else each.name: each for each in listed}
        wanted = {purpose: self._for(purpose) for purpose in _ON_THE_WAY} | {"junk": "Junk"}
        found: dict[str, str] = {}
        for name, folder in exact.items():
            purposes = [wanted[each] for each in folder.attributes & wanted.keys() if wanted[each] not in exact]
            shown = purposes[0] if purposes and name != INBOX else name
            if shown not in self.ours:
                found.setdefault(shown, folder.name)
        return found

    def _name_of(self, folder: str) -> str:
        if folder not in self._theirs:
            self._look()
        theirs = self._theirs.get(folder)
        if theirs is None:
            raise ToolError("mailbox: there is no such folder; take a name that the mailbox lists")
        return theirs

    def _row(self, entry: Entry) -> Row:
        self._look()
        row = self.index.by_id(entry.id)
        if row is None:
            raise NoLongerThere("mailbox: a message is no longer there; list the folder again")
        return row

    def _open(self, connection: Connection, row: Row, *, is_changing: bool = False) -> None:
        """Open the folder of a message, whose UID must still be that of this message.

        Raises:
            NoLongerThere: the server forgot its UIDs since, or the message left.
        """
        known = self.index.folders().get(row.entry.folder)
        validity = connection.select(self._name_of(row.entry.folder), is_changing=is_changing)
        if known is None or validity != known.validity or row.uid not in connection.uids(row.uid):
            self._looked = float("-inf")
            raise NoLongerThere("mailbox: a message is no longer there; list the folder again")

    @contextmanager
    def _asking(self) -> Iterator[Connection]:
        """A connection. One that failed is not used again; one that was left open for long is tried first."""
        connection = self._idle.pop() if self._idle else None
        if connection is not None and not connection.is_alive():
            connection.close()
            connection = None
        opened = connection or Connection(self._server)
        try:
            yield opened
        except BaseException:
            opened.close()
            raise
        self._give_back(opened)

    def _give_back(self, connection: Connection) -> None:
        """Kept for the next question, if no other one is."""
        if self._idle:
            connection.close()
        else:
            self._idle.append(connection)

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """Whatever comes of it, the index is to be brought up to date."""
        try:
            yield
        finally:
            self._looked = float("-inf")


def _close_all(connections: list[Connection]) -> None:
    while connections:
        connections.pop().close()


def _flags(letters: str) -> str:
    return " ".join(dict.fromkeys(_FLAGS[letter] for letter in letters if _FLAGS.get(letter)))


def _message_id(raw: bytes) -> str:
    """The id that stands in the head of a message of ours."""
    from armslength.tools.mail.headers import read_message_ids, split_fields

    found = read_message_ids(split_fields(raw).first("message-id"))
    return found[0] if found and found[0].isascii() and '"' not in found[0] and "\\" not in found[0] else ""
