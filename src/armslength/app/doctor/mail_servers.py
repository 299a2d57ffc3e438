"""The servers of mail accounts: logged in to, and left. No mail is fetched, none is sent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from armslength.app.doctor.examining import Check, Good
from armslength.tools.mail.connection import Connection
from armslength.tools.mail.index import Index
from armslength.tools.mail.mailbox import INBOX
from armslength.tools.mail.settings import ImapServer, MailSettings, Submission
from armslength.tools.mail.submitting import log_in


def mail_server_checks(account: MailSettings, name: str) -> Iterator[Check]:
    """Of one account, which messages call `name`."""
    if account.server is not None:
        yield Check(name, partial(_mailbox, account.server), "mailbox")
    if account.submission is not None:
        yield Check(f"{name}: sending", partial(_sending, account.submission), "sending")


def _mailbox(server: ImapServer) -> Good:
    connection = Connection(server)
    try:
        there = connection.status(INBOX).messages
    finally:
        connection.close()
    said = f"logged in to {server.host} as {server.user}; {there:,} message{'s' * (there != 1)} in the inbox"
    if not server.index.exists():
        return Good(f"{said}; none read yet, which the first request does")
    index = Index(server.index)
    try:
        return Good(f"{said}, {len(index.entries(INBOX)):,} in the index")
    finally:
        index.close()


def _sending(way: Submission) -> Good:
    log_in(way)
    whose = f"logged in as {way.user}" if way.user else "nobody is logged in"
    encrypted = "without encryption" if way.tls == "none" else "over TLS"
    return Good(f"by {way.host}:{way.port}, {encrypted}; {whose}")
