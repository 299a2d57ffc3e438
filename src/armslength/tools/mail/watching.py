"""Whether mail came: by the newest delivery that the store knows of each inbox. Nothing of a message is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from armslength.errors import ToolError
from armslength.tools.mail.mailbox import INBOX
from armslength.tools.mail.search import stored
from armslength.tools.mail.settings import MailSettings

Marks = Mapping[str, tuple[str, str]]
"""Of each account: when its newest mail was delivered, in ISO 8601, UTC, and the id that the store gave it."""


def marks(accounts: Sequence[MailSettings], state: Path, now: datetime) -> dict[str, tuple[str, str]]:
    """How far each inbox goes now. An inbox that cannot be looked into, or is empty, has none. `state`: our folder.

    A mail that says it was delivered after `now`, as mailbox files of others' making may, counts when that time has come: it hides none that
    comes before.
    """
    found = {}
    for account in accounts:
        try:
            entries = [each for each in stored(account, state).mailbox.entries(INBOX) if each.delivered <= now]
        except ToolError:
            continue
        if entries:
            newest = max(entries, key=lambda entry: (entry.delivered, entry.id))
            found[account.account] = newest.delivered.isoformat(), newest.id
    return found


def has_come(before: Marks, now: Marks) -> bool:
    """Whether some inbox goes further than it did. Mail that was moved in and is older does not count.

    Of two that were delivered in the same moment either may be the newest; the ids of a server's mails have no order.
    """
    return any(_goes_further(before.get(account, ("", "")), mark) for account, mark in now.items())


def _goes_further(before: tuple[str, str], now: tuple[str, str]) -> bool:
    return now[0] > before[0] or (now[0] == before[0] and now[1] != before[1])
