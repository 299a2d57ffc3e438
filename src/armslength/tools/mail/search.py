"""Finding messages: in folders, by words, by thread. Nothing here labels.

Each message file is read once and kept parsed while the tools live, up to a bound on the text kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from armslength.errors import NoLongerThere, ToolError
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.mailbox import INBOX, Entry, Mailbox
from armslength.tools.mail.message import Message, read_message
from armslength.tools.mail.opening import open_mailbox
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings
from armslength.tools.text.folding import normalized

MOST_RESULTS = 200
"""A search gives the newest of this many at most."""
_MOST_KEPT = 50_000_000
"""Characters of parsed bodies that are kept."""
_JUNK = frozenset({"junk", "spam"})


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """A parsed message in its place. `is_verified`: the one address in From is authenticated.

    `is_whole`: so is to whom, when and after which mails it was written, as far as that can be told; only of what is verified.
    """

    entry: Entry
    message: Message
    is_verified: bool
    is_whole: bool = True
    account: str = ""

    @property
    def id(self) -> str:
        """Its id, of which no other account has one: where the account has a name, that stands before it."""
        return f"{self.account}/{self.entry.id}" if self.account else self.entry.id

    @property
    def recipients(self) -> tuple[str, ...]:
        """All addresses in To and Cc, each once, as written."""
        parties = (*self.message.to, *self.message.cc)
        return tuple(dict.fromkeys(each.address for each in parties if each.address))

    @property
    def attachment_names(self) -> tuple[str, ...]:
        """The names that the message gives to its attachments."""
        return tuple(each.name for each in self.message.attachments)

    @property
    def answered(self) -> frozenset[str]:
        """The ids of the messages that this one says it follows."""
        return frozenset((*self.message.references, self.message.in_reply_to)) - {""}


class MailStore:
    """The person's mailbox: where messages lie, which belong together, and moving them."""

    def __init__(self, settings: MailSettings, senders: Senders | None = None) -> None:
        """Nothing is opened before the first tool is called."""
        self.settings = settings
        self._senders = senders or Senders(settings)
        self._opened: Mailbox | None = None
        self._kept = _Kept()

    @property
    def mailbox(self) -> Mailbox:
        """The mailbox.

        Raises:
            ToolError: there is none at the configured place.
        """
        if self._opened is None:
            self._opened = open_mailbox(self.settings.path, self.settings.folders_path)
        return self._opened

    def inbox(self) -> list[Seen]:
        """The messages of the inbox, newest first."""
        return self._all([INBOX])

    def everywhere(self) -> list[Seen]:
        """The messages of all folders but drafts, outbox, trash, sent and junk, newest first."""
        hidden = {self.settings.trash, *self.settings.written}
        return self._all(name for name in self.mailbox.folders() if name not in hidden and name.lower() not in _JUNK)

    def held(self) -> list[Seen]:
        """The messages that were sent and are held."""
        return self._all([self.settings.held] if self.settings.held in self.mailbox.folders() else [])

    def find(self, email_id: str) -> Seen:
        """The message with that id.

        Raises:
            ToolError: there is none; it was removed.
        """
        begins = f"{self.settings.account}/" if self.settings.account else ""
        wanted = email_id.removeprefix(begins) if email_id.startswith(begins) else None
        for folder in self.mailbox.folders():
            for entry in self.mailbox.entries(folder):
                if entry.id == wanted:
                    return self._seen(entry)
        raise ToolError("mail: there is no message with this id any more; search again")

    def raw(self, seen: Seen) -> bytes:
        """The bytes of a message, up to the mailbox's bound."""
        return self.mailbox.raw(seen.entry)

    def among_threads(self) -> list[Seen]:
        """The messages that may belong to a thread: all but what lies in trash and drafts."""
        return self._all(self._folders_but({self.settings.trash, self.settings.drafts}))

    def written_before(self, start: Seen) -> list[Seen]:
        """What the user wrote earlier in the thread of `start`, oldest first: messages in the sent folder, from an own address.

        They are ancestors of `start`, or follow one. What follows what only the user and the verified sender of `start` say: anybody may
        claim that a third message belongs to two threads, or bears the id of an ancestor.
        """
        everything = self._all(self._folders_but({self.settings.trash}))
        parents = {
            seen.message.message_id: seen.answered
            for seen in everything
            if self.is_sent_by_user(seen) or _is_by_the_sender_of(start, seen)
        }
        above, waiting = set(start.answered), list(start.answered)
        while waiting:
            new = parents.get(waiting.pop(), frozenset()) - above
            above |= new
            waiting.extend(new)
        around = above | ({start.message.message_id} - {""})
        sent = [seen for seen in everything if self.is_sent_by_user(seen) and seen.entry.id != start.entry.id]
        return sorted((each for each in sent if each.message.message_id in above or each.answered & around), key=by_age)

    def verified_from(self, address: str) -> list[Seen]:
        """The authenticated messages from this address, lower case, wherever they lie but in the trash."""
        everything = self._all(self._folders_but({self.settings.trash}))
        return [seen for seen in everything if seen.is_verified and seen.message.from_address.lower() == address]

    def sent_by_user(self) -> list[Seen]:
        """What the user wrote, by the sent folder, newest first."""
        folders = [name for name in self.mailbox.folders() if name == self.settings.sent]
        return [seen for seen in self._all(folders) if self.is_sent_by_user(seen)]

    def is_sent_by_user(self, seen: Seen) -> bool:
        """Whether a message lies in the sent folder and is from one of the user's addresses."""
        is_own = seen.message.from_address.lower() in self.settings.own
        return is_own and seen.entry.folder == self.settings.sent

    def append(self, folder: str, raw: bytes, flags: str, key: str) -> None:
        """Put a message into one of our folders, which is made if it is missing; the same `key` is put once."""
        self.mailbox.make_folder(folder)
        self.mailbox.append(folder, raw, flags, key)

    def put_by(self, folder: str, key: str) -> Seen | None:
        """The message that was put into `folder` with that key, if it still lies there."""
        if folder not in self.mailbox.folders():
            return None
        found = (entry for entry in self.mailbox.entries(folder) if entry.id.endswith(f".{key}.armslength"))
        return next(self._still_there(found), None)

    def holds(self, key: str) -> bool:
        """Whether a message that was put with that key lies anywhere; whoever delivers it moves it to another folder."""
        ending = f".{key}.armslength"
        folders = self.mailbox.folders()
        return any(entry.id.endswith(ending) for folder in folders for entry in self.mailbox.entries(folder))

    def move(self, seen: Seen, folder: str) -> None:
        """Move a message, keeping its id and flags; among the drafts it is flagged as one."""
        if folder != INBOX:
            self.mailbox.make_folder(folder)
        self.mailbox.move(seen.entry, folder, "D" if folder == self.settings.drafts else "")

    def _folders_but(self, hidden: set[str]) -> list[str]:
        return [name for name in self.mailbox.folders() if name not in hidden]

    def _all(self, folders: Iterable[str]) -> list[Seen]:
        entries = (entry for folder in folders for entry in self.mailbox.entries(folder))
        return sorted(self._still_there(entries), key=by_age, reverse=True)

    def _still_there(self, entries: Iterable[Entry]) -> Iterator[Seen]:
        """These messages but those that another program moved or removed since they were listed."""
        for entry in entries:
            try:
                seen = self._seen(entry)
            except NoLongerThere:
                continue
            yield seen

    def _seen(self, entry: Entry) -> Seen:
        parsed = self._kept.get(entry)
        if parsed is None:
            raw = self.mailbox.raw(entry)
            parsed = _Parsed(read_message(raw), self._senders.of(raw, entry.delivered))
            self._kept.put(entry, parsed)
        message, sender = parsed.message, parsed.sender
        # An mbox file cannot tell where a message begins, and what the user wrote passed no receiving server.
        is_received = self.mailbox.kind == "maildir" and entry.folder not in self.settings.written
        is_its = sender is not None and sender.address.lower() == message.from_address.lower() != ""
        is_whole = sender is not None and sender.is_whole
        return Seen(entry, message, is_received and is_its, is_whole, self.settings.account)


@dataclass(frozen=True, slots=True, repr=False)
class _Parsed:
    message: Message
    sender: Sender | None


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
        self._parsed[entry.id, entry.size, entry.delivered] = parsed
        self._size += _weight(parsed)
        while self._size > _MOST_KEPT and len(self._parsed) > 1:
            self._size -= _weight(self._parsed.popitem(last=False)[1])


def _weight(parsed: _Parsed) -> int:
    return len(parsed.message.body) + len(parsed.message.subject) + 2_000


def _is_by_the_sender_of(start: Seen, seen: Seen) -> bool:
    """Both authenticated, from one address, with the ids of what they follow."""
    return (
        start.is_verified
        and seen.is_verified
        and start.is_whole
        and seen.is_whole
        and seen.message.from_address.lower() == start.message.from_address.lower()
    )


def thread_of(start: Seen, among: Iterable[Seen]) -> list[Seen]:
    """The messages that follow each other by their ids, `start` among them, oldest first."""
    mentioning: dict[str, list[Seen]] = {}
    for seen in among:
        for each in _ids(seen):
            mentioning.setdefault(each, []).append(seen)
    found, reached = {start.entry.id: start}, set(_ids(start))
    waiting = list(reached)
    while waiting:
        for seen in mentioning.get(waiting.pop(), []):
            found.setdefault(seen.entry.id, seen)
            waiting.extend(_ids(seen) - reached)
            reached |= _ids(seen)
    return sorted(found.values(), key=by_age)


def matches(seen: Seen, query: str, sender: str) -> bool:
    """Whether all words of `query` are in subject, body or sender's name, and all of `sender` in the sender's name or address."""
    message = seen.message
    who = f"{message.from_name}\n{message.from_address}"
    return _has_words(who, sender) and (
        not query.strip() or _has_words(f"{message.subject}\n{message.body}\n{message.from_name}", query)
    )


def _has_words(text: str, words: str) -> bool:
    folded = _folded(text)
    return all(word in folded for word in _folded(words).split())


def _folded(text: str) -> str:
    return normalized(text).casefold()


def _ids(seen: Seen) -> frozenset[str]:
    return seen.answered | ({seen.message.message_id} - {""})


def by_age(seen: Seen) -> tuple[float, str]:
    """What messages are sorted by: the time of delivery."""
    return seen.entry.delivered.timestamp(), seen.entry.id
