"""Mails about events (iMIP, RFC 6047): what their authenticated senders did to an event by them. Whose event it is, is not looked at here."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from armslength.errors import NoLongerThere
from armslength.tools.mail.accounts import Accounts
from armslength.tools.mail.attachments import content_of
from armslength.tools.mail.message import Message, read_message
from armslength.tools.mail.seen import Seen, by_age

_MOST = 500
"""Mails that are looked into at once, the newest first."""
_MOST_BYTES = 200_000
"""Of the calendar in one of them."""
_MOST_KEPT = 500
_HARMLESS = frozenset({"no date", "unreadable date", "unreadable address", "wrong charset", "no message id"})
"""Flaws of a message that say nothing of where its parts begin and end, or whose it is."""


@dataclass(frozen=True, slots=True, repr=False)
class Invitation:
    """What one mail does to an event: `sender` (authenticated, lower case) by `method` (upper case), with this text, delivered then."""

    sender: str
    method: str
    content: bytes
    delivered: datetime


Invitations = Callable[[frozenset[str]], list[Invitation]]
"""What mails of these authenticated senders (lower case) do to events, oldest first. Raises ToolError where a mailbox cannot be read, OperatorError where nobody is let in."""


class Inviting:
    """The mails about events in the person's accounts."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._kept: OrderedDict[tuple[str, int, datetime], Invitation | None] = OrderedDict()

    def of(self, senders: frozenset[str]) -> list[Invitation]:
        """See Invitations. The newest so many; those in junk and trash, and those whose parts can be read in several ways, are none.

        Raises:
            ToolError: a mailbox cannot be read.
        """
        seen = [each for store in self._accounts.stores for each in store.inviting(senders)]
        newest = sorted(seen, key=by_age, reverse=True)[:_MOST]
        return list(self._read(reversed(newest)))

    def _read(self, among: Iterator[Seen]) -> Iterator[Invitation]:
        for seen in among:
            key = (seen.id, seen.entry.size, seen.entry.delivered)
            if key not in self._kept:
                try:
                    self._kept[key] = _invitation(seen, self._accounts.raw(seen))
                except NoLongerThere:
                    continue
                while len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
            if (found := self._kept[key]) is not None:
                yield found


def _invitation(seen: Seen, raw: bytes) -> Invitation | None:
    """The one calendar that the mail is, in one of the forms of its own text; None where there is another beside it."""
    message = read_message(raw)
    calendars = [each for each in message.attachments if each.mime == "text/calendar"]
    if not _is_plain(message, seen) or len(calendars) != 1 or not calendars[0].method:
        return None
    if calendars[0].encoding not in {"", "7bit", "8bit", "binary", "base64", "quoted-printable"}:
        return None
    if calendars[0].charset.lower() not in {"", "utf-8", "us-ascii"} or calendars[0].size > _MOST_BYTES:
        return None
    content = content_of(raw, calendars[0])
    return Invitation(message.from_address.lower(), calendars[0].method, content, seen.entry.delivered)


def _is_plain(message: Message, seen: Seen) -> bool:
    """It is what was authenticated, and its parts are where they seem to be."""
    is_it = seen.is_verified and message.from_address.lower() == seen.message.from_address.lower() != ""
    return is_it and set(message.flaws) <= _HARMLESS
