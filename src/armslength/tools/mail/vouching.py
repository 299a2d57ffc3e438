"""Whose Authentication-Results stand on top of the mails that came last: what a person is asked whether it is a server of his own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from armslength.tools.mail.authentication import vouching_server
from armslength.tools.mail.connection import Connection
from armslength.tools.mail.mailbox import INBOX
from armslength.tools.mail.opening import open_mailbox
from armslength.tools.mail.settings import ImapServer, MailSettings

_MOST, _ENOUGH = 30, 0.8
_BYTES = 65_536
"""Of a mail: the field is on top."""


def claimed_server(account: MailSettings) -> tuple[str, int, int] | None:
    """A server, on top of how many of the latest mails of the inbox it stands, and of how many that is; None if no one is on most of them.

    Anybody can have written it: where the person's own server adds nothing, what stands on top is the senders' word.

    Raises:
        ToolError: the mail cannot be read.
        ConfigError: nor can its server be logged in to.
    """
    raws = _latest(account.server) if account.server is not None else _latest_here(account)
    found = [vouching_server(raw) for raw in raws]
    ((name, count), *_) = Counter(found).most_common(1) or [(None, 0)]
    return (name, count, len(found)) if name is not None and count >= _ENOUGH * len(found) else None


def _latest(server: ImapServer) -> list[bytes]:
    connection = Connection(server)
    try:
        connection.select(INBOX)
        return [each.raw for each in connection.fetch(connection.uids()[-_MOST:], _BYTES)]
    finally:
        connection.close()


def _latest_here(account: MailSettings) -> Iterator[bytes]:
    mailbox = open_mailbox(account.path, account.folders_path, _BYTES)
    return (mailbox.raw(entry) for entry in mailbox.entries(INBOX)[-_MOST:])
