"""Mail, calendars, contacts and files: each is opened and looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from armslength.app.doctor.examining import Check, Good
from armslength.app.doctor.mail_servers import mail_server_checks
from armslength.app.mail_sending import sending_table
from armslength.app.settings import Settings
from armslength.errors import ToolError
from armslength.tools.calendar.tools import calendar_flaws
from armslength.tools.mail.mailbox import INBOX
from armslength.tools.mail.search import stored
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.stranded import stranded


def place_checks(settings: Settings) -> Iterator[Check]:
    """Of every place that is configured."""
    for account in settings.accounts:
        name = f"mail {account.account}".rstrip()
        if account.server is None:
            yield Check(name, partial(_mailbox, account, settings.state), "mailbox")
        yield from mail_server_checks(account, name)
        if account.submission is None:
            yield Check(f"{name}: outbox", partial(_outbox, account))
        yield Check(f"{name}: senders", partial(_senders, account))
    yield from _stranded_checks(settings)
    folders: list[tuple[str, Path | None, Callable[[Path], Good]]] = [
        ("files", settings.files, _folder),
        ("calendar", settings.calendar, _calendar),
        ("contacts", settings.contacts, _folder),
    ]
    for what, path, look in folders:
        if path is not None:
            yield Check(what, partial(look, path), what)


def _stranded_checks(settings: Settings) -> Iterator[Check]:
    """One for each account that is configured no more while its mail waits."""
    names = {account.account for account in settings.accounts}
    try:
        found = stranded(settings.state, names)
    except ToolError:
        yield Check("mail that waits", lambda: Good(str(len(stranded(settings.state, names)))))
        return
    for each in found:
        yield Check(f"mail of {each.account or 'no name'}", partial(Good, each.said, each.do))


def _mailbox(account: MailSettings, state: Path) -> Good:
    count = len(stored(account, state).mailbox.entries(INBOX))
    return Good(f"{count:,} message{'s' * (count != 1)} in the inbox")


def _senders(account: MailSettings) -> Good:
    if account.authserv_id:
        return Good(f"as {account.authserv_id} vouches for them")
    if account.checks_signatures:
        return Good("by their domains' signatures, checked here")
    return Good(
        "nobody vouches for them, so each is unverified, and more is asked",
        "set authserv_id to the first word of the topmost Authentication-Results in a mail that you got, or check_signatures = true",
    )


def _outbox(account: MailSettings) -> Good:
    return Good(
        f"what is sent lies in {account.outbox} of {account.kept_in}",
        f"nothing leaves by itself; name the server that takes your mail in [{sending_table(account.account)}], or deliver what lies there",
    )


def _folder(path: Path) -> Good:
    if not path.exists():
        raise ToolError(f"there is no {path}; correct it, or make it")
    if path.is_file():
        return Good(str(path))
    count = sum(1 for each in path.iterdir() if not each.name.startswith("."))
    return Good(f"{count:,} thing{'s' * (count != 1)} in {path}")


def _calendar(path: Path) -> Good:
    flaws = calendar_flaws(path)
    if flaws:
        return Good(
            str(path),
            f"{len(flaws):,} file{'s' * (len(flaws) != 1)} cannot be read whole; armslength config names them",
        )
    return _folder(path)
