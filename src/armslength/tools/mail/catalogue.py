"""What is asked of all messages at once: which are the newest that fit, which are linked, who wrote. Nothing here labels.

One answer reads every message once and keeps it parsed while the tools live, up to a bound on the text kept; the other is `indexed`.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Protocol

from armslength.errors import NoLongerThere
from armslength.tools.documents.pages import texts_of
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.mailbox import Entry, Mailbox
from armslength.tools.mail.message import Message, read_message
from armslength.tools.mail.seen import Seen, by_age, is_about_an_event, is_by, searched, searched_who
from armslength.tools.mail.senders import AGAIN, FRESH, Senders
from armslength.tools.mail.settings import MailSettings

MOST_RESULTS = 200
"""A search gives the newest of this many at most."""
_MOST_KEPT = 50_000_000
"""Characters of parsed bodies that are kept."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Messages of these folders, with all of these words: `text` in subject, body or name, `who` in the sender's name or address."""

    folders: tuple[str, ...]
    text: tuple[str, ...] = field(default=(), repr=False)
    who: tuple[str, ...] = field(default=(), repr=False)
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked through, found or not: whether any of it has a verified sender, and which of our own messages are among it."""

    has_verified: bool
    ours: frozenset[str] = field(repr=False)

    def and_also(self, other: Looked) -> Looked:
        """Both."""
        return Looked(self.has_verified or other.has_verified, self.ours | other.ours)


Links = Callable[[str], list[Seen]]
"""The messages that bear an id, or say that they follow it."""


class Catalogue(Protocol):
    """All messages of an account. Every method raises ToolError where the mailbox cannot be used; folders that are not there hold nothing."""

    def newest(self, wanted: Wanted) -> list[Seen]:
        """The newest that fit, at most `MOST_RESULTS`, the newest first."""
        ...

    def looked(self, wanted: Wanted, ours: frozenset[str]) -> Looked:
        """What is looked through for that, whatever its words are. `ours`: the ids of all that we wrote."""
        ...

    def links(self, folders: tuple[str, ...]) -> Links:
        """By which ids the messages of these folders are linked."""
        ...

    def verified_from(self, folders: tuple[str, ...], address: str) -> list[Seen]:
        """The verified messages from this address, lower case."""
        ...

    def inviting(self, folders: tuple[str, ...], addresses: frozenset[str]) -> list[Seen]:
        """The verified messages from these addresses, lower case, that are about an event by a calendar among the forms of their text."""
        ...

    def all_in(self, folder: str) -> list[Seen]:
        """All messages of a folder, newest first."""
        ...

    def find(self, entry_id: str) -> Seen | None:
        """The message with that id in the mailbox."""
        ...

    def under_key(self, folders: tuple[str, ...], key: str) -> list[Seen]:
        """The messages that were put by that key."""
        ...


class Reading:
    """See Catalogue: by reading all of a mailbox."""

    def __init__(self, mailbox: Mailbox, settings: MailSettings, senders: Senders) -> None:
        self._mailbox, self._settings, self._senders = mailbox, settings, senders
        self._kept = _Kept()

    def newest(self, wanted: Wanted) -> list[Seen]:
        """See Catalogue."""
        among = self._all(wanted, has_text=bool(wanted.text))
        found = list(islice((seen for seen in among if _fits(seen, wanted)), MOST_RESULTS))
        return list(self._still_there((seen.entry for seen in found), has_text=True))

    def looked(self, wanted: Wanted, ours: frozenset[str]) -> Looked:
        """See Catalogue."""
        among = self._all(wanted, has_text=False)
        borne = frozenset(seen.message.message_id for seen in among)
        return Looked(any(seen.is_verified for seen in among), borne & ours)

    def links(self, folders: tuple[str, ...]) -> Links:
        """See Catalogue."""
        mentioning: dict[str, list[Seen]] = {}
        for seen in self._all(Wanted(folders)):
            for each in seen.ids:
                mentioning.setdefault(each, []).append(seen)
        return lambda message_id: mentioning.get(message_id, [])

    def verified_from(self, folders: tuple[str, ...], address: str) -> list[Seen]:
        """See Catalogue."""
        among = self._all(Wanted(folders))
        return [seen for seen in among if seen.is_verified and seen.message.from_address.lower() == address]

    def inviting(self, folders: tuple[str, ...], addresses: frozenset[str]) -> list[Seen]:
        """See Catalogue."""
        among = (seen for seen in self._all(Wanted(folders)) if seen.message.from_address.lower() in addresses)
        return [seen for seen in among if seen.is_verified and is_about_an_event(seen)]

    def all_in(self, folder: str) -> list[Seen]:
        """See Catalogue."""
        return self._all(Wanted((folder,)))

    def find(self, entry_id: str) -> Seen | None:
        """See Catalogue."""
        for folder in self._mailbox.folders():
            for entry in self._mailbox.entries(folder):
                if entry.id == entry_id:
                    return self._seen(entry)
        return None

    def under_key(self, folders: tuple[str, ...], key: str) -> list[Seen]:
        """See Catalogue. A message that was put by a key has it in its id."""
        found = (entry for entry in self._entries(folders) if entry.id.endswith(f".{key}.armslength"))
        return list(self._still_there(found))

    def _all(self, wanted: Wanted, *, has_text: bool = True) -> list[Seen]:
        """All of them, whatever their words are. Without `has_text` the bodies that are HTML need not be there."""
        entries = (each for each in self._entries(wanted.folders) if each.is_unread or not wanted.is_unread)
        return sorted(self._still_there(entries, has_text=has_text), key=by_age, reverse=True)

    def _entries(self, folders: Iterable[str]) -> Iterator[Entry]:
        there = self._mailbox.folders()
        return (entry for folder in folders if folder in there for entry in self._mailbox.entries(folder))

    def _still_there(self, entries: Iterable[Entry], *, has_text: bool = True) -> Iterator[Seen]:
        """These messages but those that another program moved or removed since they were listed."""
        for entry in entries:
            try:
                seen = self._seen(entry, has_text=has_text)
            except NoLongerThere:
                continue
            yield seen

    def _seen(self, entry: Entry, *, has_text: bool = True) -> Seen:
        parsed = self._kept.get(entry)
        if parsed is None or self._may_be_known_by_now(parsed, entry) or (has_text and not parsed.has_text):
            raw, later = self._mailbox.raw(entry), _Later()
            read = read_message(raw, partial(texts_of, confinement=self._settings.confinement) if has_text else later)
            # Whom it is from is found out of the same bytes as its text.
            parsed = _Parsed(read, self._senders.of(raw, entry.delivered), time.monotonic(), not later.was_asked)
            self._kept.put(entry, parsed)
        message, sender = parsed.message, parsed.sender
        # An mbox file cannot tell where a message begins, and what the user wrote passed no receiving server.
        is_received = self._mailbox.kind == "maildir" and entry.folder not in self._settings.written
        is_whole = sender is not None and sender.is_whole
        return Seen(entry, message, is_received and is_by(sender, message), is_whole, self._settings.account)

    def _may_be_known_by_now(self, parsed: _Parsed, entry: Entry) -> bool:
        """Whom it is from: a name server did not answer, or not the truth."""
        is_late = time.monotonic() - parsed.since >= AGAIN
        is_asked = self._settings.checks_signatures and parsed.sender is None and is_late
        return is_asked and datetime.now(UTC) - entry.delivered <= FRESH


def _fits(seen: Seen, wanted: Wanted) -> bool:
    text = searched(seen.message) if wanted.text else ""
    who = searched_who(seen.message) if wanted.who else ""
    return all(word in text for word in wanted.text) and all(word in who for word in wanted.who)


@dataclass(frozen=True, slots=True, repr=False)
class _Parsed:
    """`has_text`: its body is that of the message, though that is HTML."""

    message: Message
    sender: Sender | None
    since: float
    has_text: bool


class _Later:
    """Reads no HTML: it takes a process for each message, and most are looked at for who wrote them alone."""

    def __init__(self) -> None:
        self.was_asked = False

    def __call__(self, pages: Sequence[str]) -> list[str]:
        self.was_asked = bool(pages)
        return [""] * len(pages)


class _Kept:
    """Parsed messages by id, size and delivery, the least used dropped first."""

    def __init__(self) -> None:
        self._parsed: OrderedDict[tuple[str, int, datetime], _Parsed] = OrderedDict()
        self._size = 0

    def get(self, entry: Entry) -> _Parsed | None:
        key = (entry.id, entry.size, entry.delivered)
        if key in self._parsed:
            self._parsed.move_to_end(key)
        return self._parsed.get(key)

    def put(self, entry: Entry, parsed: _Parsed) -> None:
        key = (entry.id, entry.size, entry.delivered)
        before = self._parsed.pop(key, None)
        self._parsed[key] = parsed
        self._size += _weight(parsed) - (0 if before is None else _weight(before))
        while self._size > _MOST_KEPT and len(self._parsed) > 1:
            self._size -= _weight(self._parsed.popitem(last=False)[1])


def _weight(parsed: _Parsed) -> int:
    return len(parsed.message.body) + len(parsed.message.subject) + 2_000
