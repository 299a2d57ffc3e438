"""Finding messages: in folders, by words, by thread. Nothing here labels."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from armslength.errors import ToolError
from armslength.tools.mail.catalogue import Catalogue, Looked, Reading, Wanted
from armslength.tools.mail.mailbox import INBOX, Mailbox
from armslength.tools.mail.opening import open_mailbox
from armslength.tools.mail.seen import Seen, by_age, words_in
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings

Scope = Literal["inbox", "unread", "everywhere", "threads"]
"""The inbox, what is unread in it, all folders but drafts, outbox, trash, sent and junk, or all that may belong to a thread."""
_JUNK = frozenset({"junk", "spam"})


def stored(settings: MailSettings, state: Path) -> MailStore:
    """The mailbox for whoever asks for no sender. `state`: our folder. What is read of a server on the way is judged as for anybody."""
    return MailStore(settings, Senders(settings, None if settings.server is None else state))


class MailStore:
    """The person's mailbox: where messages lie, which belong together, and moving them."""

    def __init__(self, settings: MailSettings, senders: Senders) -> None:
        """Nothing is opened before the first tool is called. `senders`: who decides whose each message is."""
        self.settings, self._senders = settings, senders
        self._opened: tuple[Mailbox, Catalogue] | None = None

    @property
    def mailbox(self) -> Mailbox:
        """The mailbox.

        Raises:
            ToolError: there is none at the configured place.
        """
        return self._both()[0]

    @property
    def _catalogue(self) -> Catalogue:
        return self._both()[1]

    def _both(self) -> tuple[Mailbox, Catalogue]:
        if self._opened is None:
            settings, senders = self.settings, self._senders
            if settings.server is not None:
                from armslength.tools.mail.indexed import catalogue_of, open_imap

                imap = open_imap(settings, settings.server, senders)
                self._opened = (imap, catalogue_of(imap, settings, senders))
            else:
                mailbox = open_mailbox(settings.path, settings.folders_path)
                self._opened = (mailbox, Reading(mailbox, settings, senders))
        return self._opened

    def search(self, scope: Scope, query: str, sender: str) -> list[Seen]:
        """The newest messages there with all words of `query` in subject, body or sender's name, and all of `sender` in name or address."""
        return self._catalogue.newest(self._wanted(scope, words_in(query), words_in(sender)))

    def looked(self, scope: Scope, ours: frozenset[str]) -> Looked:
        """What was looked through for that. `ours`: the ids of all that we wrote."""
        return self._catalogue.looked(self._wanted(scope), ours)

    def _wanted(self, scope: Scope, text: tuple[str, ...] = (), who: tuple[str, ...] = ()) -> Wanted:
        match scope:
            case "inbox":
                return Wanted((INBOX,), text, who)
            case "unread":
                return Wanted((INBOX,), text, who, is_unread=True)
            case "everywhere":
                names = self._folders_but({self.settings.trash, *self.settings.written})
                return Wanted(tuple(name for name in names if name.lower() not in _JUNK), text, who)
            case "threads":
                return Wanted(self._folders_but({self.settings.trash, self.settings.drafts}), text, who)

    def held(self) -> list[Seen]:
        """The messages that were sent and are held."""
        return self._catalogue.all_in(self.settings.held)

    def find(self, email_id: str) -> Seen:
        """The message with that id.

        Raises:
            ToolError: there is none; it was removed.
        """
        begins = f"{self.settings.account}/" if self.settings.account else ""
        found = self._catalogue.find(email_id.removeprefix(begins)) if email_id.startswith(begins) else None
        if found is None:
            raise ToolError("mail: there is no message with this id any more; search again")
        return found

    def raw(self, seen: Seen) -> bytes:
        """The bytes of a message, up to the mailbox's bound."""
        return self.mailbox.raw(seen.entry)

    def thread(self, start: Seen) -> list[Seen]:
        """The messages that follow each other by their ids, `start` among them, oldest first."""
        links = self._catalogue.links(self._wanted("threads").folders)
        found, reached = {start.entry.id: start}, set(start.ids)
        waiting = list(reached)
        while waiting:
            for seen in links(waiting.pop()):
                found.setdefault(seen.entry.id, seen)
                waiting.extend(seen.ids - reached)
                reached |= seen.ids
        return sorted(found.values(), key=by_age)

    def written_before(self, start: Seen) -> list[Seen]:
        """What the user wrote earlier in the thread of `start`, oldest first: messages in the sent folder, from an own address.

        They are ancestors of `start`, or follow one. What follows what only the user and the verified sender of `start` say: anybody may
        claim that a third message belongs to two threads, or bears the id of an ancestor.
        """
        links = self._catalogue.links(self._folders_but({self.settings.trash}))
        above, waiting = set(start.answered), list(start.answered)
        while waiting:
            named = waiting.pop()
            bearing = [
                seen
                for seen in links(named)
                if seen.message.message_id == named
                and (self.is_sent_by_user(seen) or _is_by_the_sender_of(start, seen))
            ]
            new = min(bearing, key=by_age).answered - above if bearing else frozenset[str]()
            above |= new
            waiting.extend(new)
        around = above | ({start.message.message_id} - {""})
        near = {seen.entry.id: seen for each in around for seen in links(each)}
        sent = [seen for seen in near.values() if self.is_sent_by_user(seen) and seen.entry.id != start.entry.id]
        return sorted((each for each in sent if each.message.message_id in above or each.answered & around), key=by_age)

    def verified_from(self, address: str) -> list[Seen]:
        """The authenticated messages from this address, lower case, wherever they lie but in the trash."""
        return self._catalogue.verified_from(self._folders_but({self.settings.trash}), address)

    def inviting(self, addresses: frozenset[str]) -> list[Seen]:
        """The authenticated messages about events from these addresses, lower case, wherever they lie but in trash and junk."""
        return self._catalogue.inviting(self._wanted("everywhere").folders, addresses)

    def sent_by_user(self) -> list[Seen]:
        """What the user wrote, by the sent folder, newest first."""
        return [seen for seen in self._catalogue.all_in(self.settings.sent) if self.is_sent_by_user(seen)]

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
        return next(iter(self._catalogue.under_key((folder,), key)), None)

    def holds(self, key: str) -> bool:
        """Whether a message that was put with that key lies anywhere; whoever delivers it moves it to another folder."""
        return bool(self._catalogue.under_key(tuple(self.mailbox.folders()), key))

    def move(self, seen: Seen, folder: str) -> None:
        """Move a message, keeping its id and flags; among the drafts it is flagged as one."""
        if folder != INBOX:
            self.mailbox.make_folder(folder)
        self.mailbox.move(seen.entry, folder, "D" if folder == self.settings.drafts else "")

    def _folders_but(self, hidden: Iterable[str]) -> tuple[str, ...]:
        left_out = frozenset(hidden)
        return tuple(name for name in self.mailbox.folders() if name not in left_out)


def _is_by_the_sender_of(start: Seen, seen: Seen) -> bool:
    """Both authenticated, from one address, with the ids of what they follow."""
    return (
        start.is_verified
        and seen.is_verified
        and start.is_whole
        and seen.is_whole
        and seen.message.from_address.lower() == start.message.from_address.lower()
    )
