"""Who a message is from: the one place that decides whether its sender is authenticated."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from armslength.tools.mail.authentication import Sender, authenticatable, vouched
from armslength.tools.mail.headers import split_fields
from armslength.tools.mail.settings import MailSettings


class Senders:
    """The senders of the messages of one mailbox."""

    def __init__(self, settings: MailSettings, state: Path | None = None) -> None:
        """`state`: our folder for what was found out and is kept."""
        self._settings, self._state = settings, state

    def of(self, raw: bytes, delivered: datetime) -> Sender | None:
        """The authenticated sender, None where nobody vouches for it: then the message is `mail:unverified`. Never raises."""
        fields = split_fields(raw)
        sender = authenticatable(fields)
        if sender is None:
            return None
        found = vouched(raw, fields, sender, self._settings.authserv_id or "")
        return found if isinstance(found, Sender) else None
