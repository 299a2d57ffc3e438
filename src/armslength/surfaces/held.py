"""Mail that is held: listed with the run that sent it, taken back, and sent when it is due."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from armslength.app import load_settings
from armslength.app.kept import Kept
from armslength.app.mail_sending import sending_table
from armslength.app.settings import Settings
from armslength.errors import InDoubt, OperatorError, ToolError
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import complain, local, tame_line, write_json, write_text

if TYPE_CHECKING:
    from armslength.tools.mail.held import HeldMail, HeldMails

_SHORTEST = 4
"""Characters of a name that are enough, if no other begins with them."""


def opened(config: Path | None) -> Settings:
    """The configuration, after what is due was sent. That this failed, and what nothing sends, is said, and is no matter of the command that was asked for."""
    settings = load_settings(config)
    send_due(settings)
    tell_stranded(settings)
    return settings


def tell_stranded(settings: Settings) -> None:
    """Mail that waits for an account that is configured no more is said. Where that cannot be looked at, `doctor` says so."""
    for line in _stranded_lines(settings):
        complain(line)


def _stranded_lines(settings: Settings) -> list[str]:
    state = settings.state
    if not (state / "mail-dispatches.sqlite").exists() and not any(state.glob("mail-*.index.waiting")):
        return []
    from armslength.tools.mail.stranded import stranded

    with suppress(ToolError):
        found = stranded(settings.state, {mail.account for mail in settings.accounts})
        return [f"{each.said}; {each.do}" for each in found]
    return []


def send_due(settings: Settings) -> int:
    """Send what is due; gives how many were sent."""
    accounts = settings.accounts
    if not any(mail.hold is not None or mail.server is not None or mail.path.exists() for mail in accounts):
        return 0
    return _sent_now(_configured(settings))


def _sent_now(mails: HeldMails) -> int:
    try:
        return mails.send_due(datetime.now().astimezone())
    except InDoubt as error:
        complain(f"{error}; it is not sent again by itself, armslength held names it")
        return 0
    except (ToolError, OperatorError, OSError) as error:
        complain(f"mail that is due was not sent: {error}; it is held, and a later command tries again")
        return 0


def list_held(config: Path | None, *, is_sending: bool, is_json: bool) -> Exit:
    """What is held, the first to leave first. `is_sending`: send what is due, and say how many.

    Raises:
        OperatorError: no mail is configured.
        ToolError: the mailbox cannot be used.
    """
    settings = load_settings(config)
    mails = _configured(settings)
    sent = _sent_now(mails)
    found = mails.listed()
    lost = _stranded_lines(settings)
    for line in lost:
        complain(line)
    senders = _senders({mail.key for mail in found}, Kept(settings))
    if is_json:
        write_json({"held": [_to_json(mail, _run_of(mail, senders)) for mail in found], "sent": sent})
        return Exit.DONE
    none = "no account that is configured holds anything" if lost else "nothing is held"
    lines = [] if is_sending else [_line(mail, _run_of(mail, senders)) for mail in found] or [none]
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
    sent = _sent_by(what, kept) if what in kept.names() else _senders({_named(what, mails)}, kept)
    gone = {mail.key for mail in mails.listed()} & sent.keys()
    count = mails.take_back(lambda mail: mail.key in gone)
    if not count:
        raise OperatorError(_why_none(what, sent, kept, mails, _stranded_lines(settings)))
    for run in {sent[key].run for key in gone}:
        with suppress(OperatorError):
            kept.taken_back(run, sorted(sent[key].digest for key in gone if sent[key].run == run))
    write_text(f"taken back: {count} mail{'s' * (count != 1)}, among the drafts now")
    return Exit.DONE


@dataclass(frozen=True, slots=True)
class HeldOfRun:
    """What a run sent and is held: a line for a person, and the same for a program."""

    line: str
    content: dict[str, object]


def held_of(run: str, settings: Settings) -> list[HeldOfRun]:
    """What is held of a run that has just ended. A mailbox that cannot be used is said, and holds nothing that could be told."""
    if all(mail.hold is None for mail in settings.accounts):
        return []
    try:
        mails, sent = _configured(settings), _sent_by(run, Kept(settings))
        found = [mail for mail in mails.listed() if mail.key in sent]
    except (ToolError, OperatorError, OSError) as error:
        complain(f"what is held of {run} is not known: {error}; armslength held lists it")
        return []
    return [HeldOfRun(_held_line(mail, run), _to_json(mail, run)) for mail in found]


def in_outbox(run: str, settings: Settings) -> list[str]:
    """Where what a run sent lies, of accounts whose mail another program delivers: a line for each. Empty where that cannot be looked at."""
    accounts = [mail for mail in settings.accounts if mail.submission is None]
    if not accounts:
        return []
    from armslength.tools.mail.search import stored

    lines = []
    with suppress(ToolError, OperatorError, OSError):
        sent = _sent_by(run, Kept(settings))
        for mail in accounts if sent else ():
            store = stored(mail, settings.state)
            if count := sum(store.put_by(mail.outbox, key) is not None for key in sent):
                what = "the mail lies" if count == 1 else f"{count:,} mails lie"
                lines.append(
                    f"{what} in {mail.outbox} of {mail.kept_in}, for another program of yours to deliver; if there is none, "
                    f"name the server that takes your mail in [{sending_table(mail.account)}]"
                )
    return lines


def _held_line(mail: HeldMail, run: str) -> str:
    to = tame_line(", ".join(mail.recipients))
    return f"held until {local(mail.due)}: the mail to {to}; armslength recall {run} takes it back before"


@dataclass(frozen=True, slots=True)
class _Sender:
    """The run and the effect that sent a message; both empty where no journal knows it."""

    run: str = ""
    digest: str = ""


def _why_none(what: str, sent: Mapping[str, _Sender], kept: Kept, mails: HeldMails, lost: Sequence[str]) -> str:
    """Why nothing is held of it: nothing was sent, it was taken back, or it has left. Where mail is `lost`, nobody knows that it has."""
    if not sent:
        return f"the run {what} sent no mail, so there is nothing to recall"
    lying = {sent[key].digest for key in mails.drafts(sent.keys())}
    of = len({sender.digest for sender in sent.values()})
    taken = len(lying | _taken_back(what, kept) & {sender.digest for sender in sent.values()})
    if not taken and lost:
        return f"no account that is configured holds anything of {what}; {'; '.join(lost)}"
    if not taken:
        return f"nothing of {what} is held any more: what it sent has left; armslength held lists what is held"
    rest = f"; the other {of - taken} of {of} left" if taken < of else ""
    if rest and lost:
        rest = f"; of the other {of - taken}, none is held by an account that is configured; {'; '.join(lost)}"
    return f"what {what} sent was taken back already: {taken} mail{'s' * (taken != 1)}, put among the drafts{rest}"


def _taken_back(run: str, kept: Kept) -> set[str]:
    """The effects of a run that were taken back, by its journal."""
    if run not in kept.names():
        return set()
    entries = (entry for entry in kept.entries(run) if entry.get("kind") == "undone")
    return {str(digest) for entry in entries for digest in entry.get("digests", [])}


def _sent_by(run: str, kept: Kept) -> dict[str, _Sender]:
    """The keys of the messages that a run may have sent, each with its effect."""
    from armslength.tools.mail.tools import SENDING
    from armslength.tools.mail.work import message_key

    digests = [
        str(entry["digest"])
        for entry in kept.entries(run)
        if entry.get("kind") == "started" and entry.get("tool") in SENDING
    ]
    return {message_key(tool, digest): _Sender(run, digest) for digest in digests for tool in SENDING}


def _senders(keys: Collection[str], kept: Kept) -> dict[str, _Sender]:
    """Who sent each of these messages. The latest runs first, until all are found; a journal that cannot be read knows none."""
    found: dict[str, _Sender] = {}
    for run in reversed(kept.names() if keys else []):
        with suppress(OperatorError):
            found |= {key: sender for key, sender in _sent_by(run, kept).items() if key in keys}
        if len(found) == len(keys):
            break
    return {key: found.get(key, _Sender()) for key in keys}


def _run_of(mail: HeldMail, senders: Mapping[str, _Sender]) -> str:
    return senders.get(mail.key, _Sender()).run


def _named(what: str, mails: HeldMails) -> str:
    found = [mail.key for mail in mails.listed() if len(what) >= _SHORTEST and mail.key.startswith(what)]
    if len(found) != 1:
        raise OperatorError(
            f"{what} is no run, and {'no mail' if not found else 'more than one mail'} of that name is held; armslength held lists them"
        )
    return found[0]


def _configured(settings: Settings) -> HeldMails:
    from armslength.tools.mail.held import HeldMails

    if not settings.accounts:
        raise OperatorError("no mail is configured; [mail] in the configuration says where it lies")
    return HeldMails(settings.state, *settings.accounts)


def _line(mail: HeldMail, run: str) -> str:
    to = tame_line(", ".join(mail.recipients))
    by = f"of run {tame_line(run)}" if run else "of no run that is kept"
    line = f"{tame_line(mail.name)}  until {local(mail.due)}  {by}  to {to}: {tame_line(mail.subject)}"
    if mail.is_in_doubt:
        return f"{line}\n  may have left: its sending was cut off, so it is not sent again; armslength recall {mail.name} makes a draft of it"
    return f"{line}\n  not sent: {tame_line(mail.failure)}" if mail.failure else line


def _to_json(mail: HeldMail, run: str) -> dict[str, object]:
    return {
        "name": mail.name,
        "run": run,
        "until": mail.due.isoformat(),
        "recipients": list(mail.recipients),
        "subject": mail.subject,
        "failure": mail.failure,
        "is_in_doubt": mail.is_in_doubt,
    }
