"""Mail that is held: sent by a program, lying in a folder of its own until it leaves for the outbox, and taken back until then.

It leaves by the account's server (`leaving`), or by one rename within the Maildir, as does what is taken back: killed at any instant a message lies
in one of the two places, and of two processes one moves it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from armslength.errors import ToolError
from armslength.tools.mail.dispatches import Dispatch
from armslength.tools.mail.leaving import Leaving
from armslength.tools.mail.search import MailStore, stored
from armslength.tools.mail.seen import Seen
from armslength.tools.mail.settings import MailSettings

_OURS = re.compile(r"\.([0-9a-f]{32})\.armslength")
NAMED = 12
"""Characters of a key that name a message to a person."""


@dataclass(frozen=True, slots=True)
class HeldMail:
    """One message. `key`: of the effect that sent it; `due`: when it leaves, in UTC.

    `failure`: why it was not sent when it was due. `is_in_doubt`: whether it left cannot be told, so that it is not sent again.
    """

    key: str
    due: datetime
    recipients: tuple[str, ...] = field(repr=False)
    subject: str = field(repr=False)
    failure: str = ""
    is_in_doubt: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.key[:NAMED]


class HeldMails:
    """The messages that wait. What others put into the folder is left alone.

    Every method raises ToolError where the mailbox cannot be used.
    """

    def __init__(self, state: Path, *settings: MailSettings, clock: Callable[[], float] = time.time) -> None:
        """`state`: our folder. `settings`: of each account. `clock`: seconds since 1970."""
        self._stores = [stored(each, state) for each in settings]
        self._leaving, self._clock = Leaving(state, clock), clock

    def listed(self) -> list[HeldMail]:
        """All of them, the first to leave first."""
        return [mail for mail, _ in self._found()]

    def send_due(self, now: datetime) -> int:
        """Whatever is due leaves, each by itself. Gives how many did.

        Raises:
            ToolError: of some that did not, the first; all others were tried.
        """
        sent, failed = 0, list[ToolError]()
        for mail, lying in self._found():
            if mail.due <= now:
                try:
                    sent += self._tried(mail, lying, self._leaving.send_held)
                except ToolError as error:
                    failed.append(error)
        for store in self._stores:
            self._leaving.copy_owed(store)
        if failed:
            raise failed[0]
        return sent

    def take_back(self, is_meant: Callable[[HeldMail], bool]) -> int:
        """These become drafts. Gives how many did."""
        meant = [(mail, lying) for mail, lying in self._found() if is_meant(mail)]
        return sum(self._tried(mail, lying, self._leaving.take_back) for mail, lying in meant)

    def drafts(self, keys: Iterable[str]) -> list[str]:
        """Which of these lie among the drafts."""
        return [key for key in keys if any(each.put_by(each.settings.drafts, key) for each in self._stores)]

    @staticmethod
    def _tried(mail: HeldMail, lying: _Lying, move: Callable[[MailStore, Seen, str], bool | None]) -> bool:
        try:
            return move(lying.store, lying.seen, mail.key) is not False
        except ToolError:
            if lying.store.put_by(lying.store.settings.held, mail.key) is not None:
                raise
            return False  # another process took it first

    def _found(self) -> list[tuple[HeldMail, _Lying]]:
        found = []
        for store in self._stores:
            for seen in store.held():
                ours = _OURS.search(seen.entry.id)
                if ours is not None:
                    due = seen.entry.delivered + (store.settings.hold or timedelta(0))
                    known = self._leaving.dispatches.of(ours[1])
                    mail = _held_mail(
                        HeldMail(ours[1], due, seen.recipients, seen.message.subject), known, self._clock()
                    )
                    found.append((mail, _Lying(store, seen)))
        return sorted(found, key=lambda each: (each[0].due, each[0].key))


def _held_mail(lying: HeldMail, known: Dispatch | None, now: float) -> HeldMail:
    """With what is known of its leaving: to whom it goes is what was allowed, not what stands in it now."""
    if known is None:
        return lying
    return replace(
        lying,
        recipients=known.recipients or lying.recipients,
        failure=known.failure,
        is_in_doubt=known.is_in_doubt(now),
    )


@dataclass(frozen=True, slots=True)
class _Lying:
    """A message in its account."""

    store: MailStore
    seen: Seen
