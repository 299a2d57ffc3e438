"""Mail that is held: sent by a program, lying in a folder of its own until it leaves for the outbox, and taken back until then.

It leaves by one rename within the Maildir, and so does what is taken back: killed at any instant a message lies in one of the two places,
and of two processes one moves it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from armslength.errors import ToolError
from armslength.tools.mail.search import MailStore
from armslength.tools.mail.seen import Seen
from armslength.tools.mail.settings import MailSettings

_OURS = re.compile(r"\.([0-9a-f]{32})\.armslength")
NAMED = 12
"""Characters of a key that name a message to a person."""


@dataclass(frozen=True, slots=True)
class HeldMail:
    """One message. `key`: of the effect that sent it; `due`: when it leaves, in UTC."""

    key: str
    due: datetime
    recipients: tuple[str, ...] = field(repr=False)
    subject: str = field(repr=False)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.key[:NAMED]


class HeldMails:
    """The messages that wait. What others put into the folder is left alone.

    Every method raises ToolError where the mailbox cannot be used.
    """

    def __init__(self, *settings: MailSettings) -> None:
        """`settings`: of each account."""
        self._stores = [MailStore(each) for each in settings]

    def listed(self) -> list[HeldMail]:
        """All of them, the first to leave first."""
        return [mail for mail, _ in self._found()]

    def send_due(self, now: datetime) -> int:
        """Whatever is due leaves. Gives how many did."""
        return self._move(lambda mail: mail.due <= now, lambda settings: settings.outbox)

    def take_back(self, is_meant: Callable[[HeldMail], bool]) -> int:
        """These become drafts. Gives how many did."""
        return self._move(is_meant, lambda settings: settings.drafts)

    def drafts(self, keys: Iterable[str]) -> list[str]:
        """Which of these lie among the drafts."""
        return [key for key in keys if any(each.put_by(each.settings.drafts, key) for each in self._stores)]

    def _move(self, is_meant: Callable[[HeldMail], bool], folder: Callable[[MailSettings], str]) -> int:
        moved = 0
        for mail, found in self._found():
            if is_meant(mail):
                store = found.store
                try:
                    store.move(found.seen, folder(store.settings))
                except ToolError:
                    if store.put_by(store.settings.held, mail.key) is not None:
                        raise
                    continue  # another process took it first
                moved += 1
        return moved

    def _found(self) -> list[tuple[HeldMail, _Lying]]:
        found = []
        for store in self._stores:
            for seen in store.held():
                ours = _OURS.search(seen.entry.id)
                if ours is not None:
                    due = seen.entry.delivered + (store.settings.hold or timedelta(0))
                    mail = HeldMail(ours[1], due, seen.recipients, seen.message.subject)
                    found.append((mail, _Lying(store, seen)))
        return sorted(found, key=lambda each: (each[0].due, each[0].key))


@dataclass(frozen=True, slots=True)
class _Lying:
    """A message in its account."""

    store: MailStore
    seen: Seen
