"""Mail that is held: listed, taken back, and sent when it is due."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from armslength.app import load_settings
from armslength.app.kept import Kept
from armslength.app.settings import Settings
from armslength.errors import OperatorError, ToolError
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import complain, tame_line, write_json, write_text

if TYPE_CHECKING:
    from armslength.tools.mail_held import HeldMail, HeldMails

_SHORTEST = 4
"""Characters of a name that are enough, if no other begins with them."""


def opened(config: Path | None) -> Settings:
    """The configuration, after what is due was sent. That this failed is said, and is no matter of the command that was asked for."""
    settings = load_settings(config)
    send_due(settings)
    return settings


def send_due(settings: Settings) -> int:
    """Send what is due; gives how many were sent."""
    mail = settings.mail
    if mail is None or (mail.hold is None and not mail.path.exists()):
        return 0
    try:
        return _configured(settings).send_due(datetime.now().astimezone())
    except (ToolError, OSError) as error:
        complain(f"mail that is due was not sent: {error}; it is held, and the next command tries again")
        return 0


def list_held(config: Path | None, *, is_sending: bool, is_json: bool) -> Exit:
    """What is held, the first to leave first. `is_sending`: send what is due, and say how many.

    Raises:
        OperatorError: no mail is configured.
        ToolError: the mailbox cannot be used.
    """
    settings = load_settings(config)
    mails = _configured(settings)
    sent = mails.send_due(datetime.now().astimezone())
    found = mails.listed()
    if is_json:
        write_json({"held": [_to_json(mail) for mail in found], "sent": sent})
        return Exit.DONE
    lines = [] if is_sending else [_line(mail) for mail in found] or ["nothing is held"]
    if sent or is_sending:
        lines.append(f"sent, since it was due: {sent}")
    write_text("\n".join(lines))
    return Exit.DONE


def recall(what: str, config: Path | None) -> Exit:
    """Make drafts of what a run sent and is held, or of one mail.

    Raises:
        OperatorError: nothing of that name is held, or several are.
        ToolError: the mailbox cannot be used.
    """
    settings = load_settings(config)
    mails = _configured(settings)
    kept = Kept(settings)
    keys = _sent_by(what, kept) if what in kept.names() else {_named(what, mails): ""}
    gone = {mail.key for mail in mails.listed()} & keys.keys()
    count = mails.take_back(lambda mail: mail.key in gone)
    if not count:
        raise OperatorError(f"nothing of {what} is held any more: what it sent has left; armslength held lists what is")
    with suppress(OperatorError):
        kept.taken_back(what, [keys[key] for key in sorted(gone) if keys[key]])
    write_text(f"taken back: {count} mail{'s' * (count != 1)}, among the drafts now")
    return Exit.DONE


def _sent_by(run: str, kept: Kept) -> dict[str, str]:
    """The keys of the messages that a run may have sent, each with the digest of its effect."""
    from armslength.tools.mail import SENDING, message_key

    digests = [
        str(entry["digest"])
        for entry in kept.entries(run)
        if entry.get("kind") == "started" and entry.get("tool") in SENDING
    ]
    return {message_key(tool, digest): digest for digest in digests for tool in SENDING}


def _named(what: str, mails: HeldMails) -> str:
    found = [mail.key for mail in mails.listed() if len(what) >= _SHORTEST and mail.key.startswith(what)]
    if len(found) != 1:
        raise OperatorError(
            f"{what} is no run, and {'no mail' if not found else 'more than one mail'} of that name is held; armslength held lists them"
        )
    return found[0]


def _configured(settings: Settings) -> HeldMails:
    from armslength.tools.mail_held import HeldMails

    if settings.mail is None:
        raise OperatorError("no mail is configured; [mail] in the configuration says where it lies")
    return HeldMails(settings.mail)


def _line(mail: HeldMail) -> str:
    to = tame_line(", ".join(mail.recipients))
    return f"{mail.name}  until {mail.due.astimezone():%Y-%m-%d %H:%M}  to {to}: {tame_line(mail.subject)}"


def _to_json(mail: HeldMail) -> dict[str, object]:
    return {
        "name": mail.name,
        "until": mail.due.isoformat(),
        "recipients": list(mail.recipients),
        "subject": mail.subject,
    }
