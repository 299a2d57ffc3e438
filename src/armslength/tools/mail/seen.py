"""A message in its place, and what it is found by."""

from __future__ import annotations

from dataclasses import dataclass

from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.mailbox import Entry
from armslength.tools.mail.message import Message
from armslength.tools.text.folding import normalized


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

    @property
    def ids(self) -> frozenset[str]:
        """Its own id, and those that it says it follows."""
        return self.answered | ({self.message.message_id} - {""})


def by_age(seen: Seen) -> tuple[float, str]:
    """What messages are sorted by: the time of delivery."""
    return seen.entry.delivered.timestamp(), seen.entry.id


def is_about_an_event(seen: Seen) -> bool:
    """Whether a calendar is among the forms of its text, by which something is done to an event."""
    return any(each.method for each in seen.message.attachments)


def is_by(sender: Sender | None, message: Message) -> bool:
    """Whether the authenticated sender is the one who stands in From."""
    return sender is not None and sender.address.lower() == message.from_address.lower() != ""


def words_in(text: str) -> tuple[str, ...]:
    """The words that are looked for, folded."""
    return tuple(_folded(text).split())


def searched(message: Message) -> str:
    """In what the words of a query are looked for, folded: subject, body and the sender's name."""
    return _folded(f"{message.subject}\n{message.body}\n{message.from_name}")


def searched_who(message: Message) -> str:
    """In what the words for a sender are looked for, folded: name and address."""
    return _folded(f"{message.from_name}\n{message.from_address}")


def _folded(text: str) -> str:
    return normalized(text).casefold()
