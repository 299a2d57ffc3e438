"""The catalogue of a mailbox on a server: out of its index, and of what waits in our own Maildir."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from pkgutil import get_data
from types import ModuleType

from armslength.own_folder import make_own
from armslength.tools import text
from armslength.tools.documents import pages
from armslength.tools.mail import alignment, authentication, covering, headers, message, seen, senders, signatures
from armslength.tools.mail.catalogue import MOST_RESULTS, Catalogue, Links, Looked, Reading, Wanted
from armslength.tools.mail.imap import Imap
from armslength.tools.mail.index import Index, Read, Row, Words
from armslength.tools.mail.maildir import Maildir
from armslength.tools.mail.message import read_message
from armslength.tools.mail.seen import Seen, by_age, is_about_an_event, is_by, searched, searched_who
from armslength.tools.mail.senders import FRESH, Senders
from armslength.tools.mail.settings import ImapServer, MailSettings
from armslength.tools.mail.syncing import Syncing
from armslength.tools.text import folding, html_bare


def open_imap(settings: MailSettings, server: ImapServer, whose: Senders) -> Imap:
    """The mailbox of an account on a server. Nothing is asked of the server yet.

    Raises:
        ToolError: the index or the Maildir beside it cannot be used.
    """
    maildir = Maildir(_made(settings.kept_in))

    def read(raw: bytes, delivered: datetime) -> Read:
        found = read_message(raw, partial(pages.texts_of, confinement=settings.confinement))
        sender = whose.of(raw, delivered)
        return Read(raw, found, sender, searched(found), searched_who(found))

    index = Index(server.index)
    return Imap(
        settings,
        server,
        index,
        maildir,
        Syncing(
            index, read, _reading(settings), FRESH if settings.checks_signatures else None, counting=settings.counting
        ),
    )


def _made(own: Path) -> Path:
    make_own(own)
    for inner in ("tmp", "new", "cur"):
        (own / inner).mkdir(exist_ok=True, mode=0o700)
    return own


def _reading(settings: MailSettings) -> str:
    """Changes with the code that reads a message, and with what says who vouches."""
    modules = (
        alignment,
        authentication,
        covering,
        folding,
        headers,
        html_bare,
        message,
        pages,
        seen,
        senders,
        signatures,
    )
    said = (settings.authserv_id, settings.checks_signatures, pages.are_read(settings.confinement))
    unread = [
        get_data(text.__name__, name) or b"" for name in ("html_text.py", "html_style.py")
    ]  # no process of ours has them
    return hashlib.sha256(b"\n".join([repr(said).encode(), *map(_source, modules), *unread])).hexdigest()


def _source(module: ModuleType) -> bytes:
    return inspect.getsource(module).encode()


class Indexed:
    """See Catalogue: of the folders on the server."""

    def __init__(self, mailbox: Imap, settings: MailSettings) -> None:
        self._mailbox, self._settings = mailbox, settings

    def newest(self, wanted: Wanted) -> list[Seen]:
        """See Catalogue. The same bytes in two folders, as some servers show them, are found once."""
        words = Words(self._among(wanted.folders), wanted.text, wanted.who, wanted.is_unread)
        return sorted(self._all(self._index.newest(words, MOST_RESULTS)), key=by_age, reverse=True)

    def looked(self, wanted: Wanted, ours: frozenset[str]) -> Looked:
        """See Catalogue."""
        folders = self._among(wanted.folders)
        received = [folder for folder in folders if folder not in self._settings.written]
        return Looked(
            self._index.senders(received, is_unread=wanted.is_unread),
            self._index.bearing_one_of(folders, ours, is_unread=wanted.is_unread),
        )

    def links(self, folders: tuple[str, ...]) -> Links:
        """See Catalogue."""
        among = self._among(folders)
        return lambda message_id: self._all(self._index.mentioning(among, message_id))

    def verified_from(self, folders: tuple[str, ...], address: str) -> list[Seen]:
        """See Catalogue."""
        return [each for each in self._all(self._index.sent_by(self._among(folders), address)) if each.is_verified]

    def inviting(self, folders: tuple[str, ...], addresses: frozenset[str]) -> list[Seen]:
        """See Catalogue."""
        among = self._among(folders)
        found = (each for address in sorted(addresses) for each in self._all(self._index.sent_by(among, address)))
        return [each for each in found if each.is_verified and is_about_an_event(each)]

    def all_in(self, folder: str) -> list[Seen]:
        """See Catalogue."""
        return [each for name in self._among((folder,)) for each in self._all(self._index.in_folder(name))]

    def find(self, entry_id: str) -> Seen | None:
        """See Catalogue."""
        self._mailbox.bring_up_to_date()
        row = self._index.by_id(entry_id)
        return None if row is None else self._seen(row)

    def under_key(self, folders: tuple[str, ...], key: str) -> list[Seen]:
        """See Catalogue."""
        return self._all(self._index.under_key(self._among(folders), key))

    @property
    def _index(self) -> Index:
        return self._mailbox.index

    def _among(self, folders: Iterable[str]) -> tuple[str, ...]:
        """Those on the server, which is not asked where none can be."""
        wanted = [folder for folder in folders if folder not in self._mailbox.ours]
        there = self._mailbox.on_server() if wanted else []
        return tuple(folder for folder in wanted if folder in there)

    def _all(self, rows: Iterable[Row]) -> list[Seen]:
        return [self._seen(row) for row in rows]

    def _seen(self, row: Row) -> Seen:
        sender = row.sender
        is_received = row.entry.folder not in self._settings.written
        is_whole = sender is not None and sender.is_whole
        return Seen(
            row.entry, row.message, is_received and is_by(sender, row.message), is_whole, self._settings.account
        )


class Together:
    """See Catalogue: of several, each with folders of its own."""

    def __init__(self, *parts: Catalogue) -> None:
        self._parts = parts

    def newest(self, wanted: Wanted) -> list[Seen]:
        """See Catalogue."""
        found = [each for part in self._parts for each in part.newest(wanted)]
        return sorted(found, key=by_age, reverse=True)[:MOST_RESULTS]

    def looked(self, wanted: Wanted, ours: frozenset[str]) -> Looked:
        """See Catalogue."""
        found = Looked(has_verified=False, ours=frozenset())
        for part in self._parts:
            found = found.and_also(part.looked(wanted, ours))
        return found

    def links(self, folders: tuple[str, ...]) -> Links:
        """See Catalogue."""
        each_links = [part.links(folders) for part in self._parts]
        return lambda message_id: [each for links in each_links for each in links(message_id)]

    def verified_from(self, folders: tuple[str, ...], address: str) -> list[Seen]:
        """See Catalogue."""
        return [each for part in self._parts for each in part.verified_from(folders, address)]

    def inviting(self, folders: tuple[str, ...], addresses: frozenset[str]) -> list[Seen]:
        """See Catalogue."""
        return [each for part in self._parts for each in part.inviting(folders, addresses)]

    def all_in(self, folder: str) -> list[Seen]:
        """See Catalogue."""
        return sorted((each for part in self._parts for each in part.all_in(folder)), key=by_age, reverse=True)

    def find(self, entry_id: str) -> Seen | None:
        """See Catalogue."""
        return next((each for part in self._parts if (each := part.find(entry_id)) is not None), None)

    def under_key(self, folders: tuple[str, ...], key: str) -> list[Seen]:
        """See Catalogue."""
        return [each for part in self._parts for each in part.under_key(folders, key)]


def catalogue_of(mailbox: Imap, settings: MailSettings, whose: Senders) -> Catalogue:
    """Of all folders of an account on a server."""
    return Together(Indexed(mailbox, settings), Reading(mailbox.own, settings, whose))
