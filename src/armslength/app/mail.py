"""The accounts in the table `[mail]`: one that stands there itself, or each in a table of its own, `[mail.NAME]`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from armslength.app.mail_sending import submission_in
from armslength.app.mail_server import grant_of, provider_in, server_in, tokens_of
from armslength.app.table import Table
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.stranded import UNNAMED

_PARTS = ("imap", "oauth", "smtp")


def accounts_in(table: Table, user: Table, state: Path) -> tuple[MailSettings, ...]:
    """The accounts, the one that writes first. `user`: whose addresses and name they have, unless they say others. `state`: our folder.

    Raises:
        ConfigError: something is not what it must be, or an account stands beside others in their table.
    """
    names = table.tables(*_PARTS)
    if not names:
        found = _account(table, user, "", table.duration("hold"), state)
        return () if found is None else (found,)
    if UNNAMED in names:
        raise table.wrong(UNNAMED, "called otherwise: in the state folder this is the account that has no name")
    hold = table.duration("hold")
    accounts = []
    for name in names:
        below = table.table(name)
        account = _account(below, user, name, hold, state)
        if account is None:
            raise below.wrong("path", "given: a Maildir, or one mbox file; or a table imap")
        accounts.append(account)
    return tuple(accounts)


def _account(table: Table, user: Table, name: str, hold: timedelta | None, state: Path) -> MailSettings | None:
    path = table.path("path")
    addresses = (table.texts("addresses") if name else ()) or user.texts("addresses")
    oauth = table.table("oauth")
    provider = provider_in(oauth)
    tokens = None if provider is None else tokens_of(provider, grant_of(name, oauth))
    index = state / f"mail-{name or UNNAMED}.index.sqlite"
    login = next(iter(addresses), "")
    server = server_in(table.table("imap"), login, tokens, index)
    if server is not None and path is not None:
        raise table.wrong("path", "left out where there is a table imap: the mail lies there")
    mail = MailSettings(
        path=path or Path(),
        addresses=addresses,
        server=server,
        name=(table.text("name") if name else "") or user.text("name"),
        authserv_id=table.text("authserv_id") or None,
        folders_path=table.path("folders_path"),
        hold=hold,
        account=name,
        checks_signatures=table.switch("check_signatures"),
        resolver=table.text("resolver"),
        submission=submission_in(table.table("smtp"), login, tokens),
        tokens=tokens,
    )
    mail = replace(
        mail,
        outbox=table.text("outbox") or mail.outbox,
        drafts=table.text("drafts") or mail.drafts,
        trash=table.text("trash") or mail.trash,
        sent=table.text("sent") or mail.sent,
        held=table.text("held") or mail.held,
    )
    others = ("INBOX", mail.outbox, mail.drafts, mail.trash, mail.sent)
    if mail.held.casefold() in map(str.casefold, others):
        raise table.wrong("held", "a folder of its own; what lies in another one has left, or is looked through")
    return mail if path is not None or server is not None else None
