"""The mail tools as they are declared: search and read, write into folders, and send.

A sent mail goes to the account's server, or into its outbox folder; whatever delivers it from there is the person's own. The text at the end of each `Signature` is what the
planner reads of it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from armslength.errors import ConfigError
from armslength.events import Trust
from armslength.schema import NONE, STR, ListOf, Menu, Origin, Parameter, Signature
from armslength.tools.base import (
    NOBODY,
    ByArguments,
    Receivers,
    Role,
    Tool,
    ToolCall,
    nobody,
    one_at_a_time,
    receivers_in,
    version_of,
)
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.mail import accounts as accounts_of_mail
from armslength.tools.mail import (
    alignment,
    authentication,
    catalogue,
    covering,
    dispatches,
    labels,
    leaving,
    lookups,
    mailbox,
    maildir,
    mbox,
    message,
    search,
    seen,
    senders,
    signatures,
    submitting,
    verdicts,
    work,
    writing,
)
from armslength.tools.mail.attachments import reading_attachments
from armslength.tools.mail.catalogue import MOST_RESULTS
from armslength.tools.mail.invitations import Invitation, Invitations, Inviting
from armslength.tools.mail.labels import EMAIL, FAILS_BY
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.work import Args, MailWork, digest_of
from armslength.tools.mail.writing import usual_receivers_of_a_reply
from armslength.tools.text import addresses, folding
from armslength.tools.text.addresses import plain_address
from armslength.values import Labelled, Plain

_Run = Callable[[ToolCall, Args], Labelled]
_Resolve = Callable[[Args], Receivers]

SENDING = ("send_email", "reply_to_email", "forward_email")
"""The tools that send."""
_EMAIL = Parameter("email", EMAIL)
_RECIPIENTS = Parameter("recipients", ListOf(STR))
_SUBJECT, _BODY = Parameter("subject", STR), Parameter("body", STR)


@dataclass(frozen=True, slots=True, repr=False)
class MailRoom:
    """The mail tools, and what the calendar asks of the mail: which invitations an authenticated sender sent."""

    tools: list[Tool]
    invitations: Invitations


def mail_tools(
    settings: MailSettings, trust: Trust, state: Path, *others: MailSettings, confinement: Confinement = USUAL
) -> list[Tool]:
    """The tools alone. See `mail_room`."""
    return mail_room(settings, trust, state, *others, confinement=confinement).tools


def mail_room(
    settings: MailSettings, trust: Trust, state: Path, *others: MailSettings, confinement: Confinement = USUAL
) -> MailRoom:
    """The tools over one account, or over several, of which the first writes if a call names no other.

    `trust` says which `mail:ADDRESS` sources are trusted; `state` is our folder for the label ledger; HTML and attachments are read in `confinement`.

    Raises:
        ConfigError: the user's own addresses are missing or no plain addresses, or two accounts have one name.
    """
    accounts = (settings, *others)
    if not all(each.addresses and all(map(plain_address, each.addresses)) for each in accounts):
        raise ConfigError("mail: addresses must name at least one address of your own, each like name@example.com")
    names = [each.account for each in accounts]
    if len({*names}) < len(names) or (others and "" in names) or len({each.hold for each in accounts}) > 1:
        raise ConfigError("mail: several accounts need a name each, all different, and are held equally long")
    mail = MailWork([replace(each, confinement=confinement) for each in accounts], trust, state)
    alone = threading.RLock()  # what is kept of the mailbox is used by one call at a time
    reading = reading_attachments(mail, alone, confinement)
    tools = (*_reading_tools(mail), *_writing_tools(mail), *_keeping_tools(mail))
    more = _version_on_servers() if any(each.server is not None for each in accounts) else ()
    versioned = [
        replace(each, version=digest_of([each.version, *more])[:16]) if more else each for each in (*tools, reading)
    ]
    # A document takes its time to be read, and nothing else waits for that.
    held = [each if each.name == reading.name else one_at_a_time(each, alone) for each in versioned]
    inviting = Inviting(mail.accounts)

    def invitations(senders: frozenset[str]) -> list[Invitation]:
        with alone:
            return inviting.of(senders)

    return MailRoom(held, invitations)


_LETTER_ROLES = {"recipients": Role.TARGET, "subject": Role.CONTENT, "body": Role.CONTENT}


def _account(mail: MailWork, *, default: str | None = None) -> tuple[Parameter, ...]:
    """The parameter that names an account, where there are several. `default`: what its absence means, instead of the first."""
    names = tuple(store.settings.account for store in mail.accounts.stores)
    if len(names) == 1:
        return ()
    every = names if default is None else (default, *names)
    return (Parameter("account", Menu(every), has_default=True, default=every[0]),)


def _reading_tools(mail: MailWork) -> list[Tool]:
    query = Parameter("query", STR, has_default=True, default="")
    sender = Parameter("sender", STR, has_default=True, default="")
    account = _account(mail, default="")
    query_roles = {each.name: Role.QUERY for each in (query, sender, *account)}
    emails = ListOf(EMAIL)
    return [
        _reading(
            Signature(
                "search_emails",
                (query, sender, *account),
                emails,
                f"newest first, at most {MOST_RESULTS}; sender is a name or address; empty query and sender gives all emails",
            ),
            mail.search_emails,
            query_roles,
        ),
        _reading(
            Signature("get_unread_emails", (query, sender, *account), emails, "newest first"),
            mail.get_unread_emails,
            query_roles,
        ),
        _reading(
            Signature("read_email", (Parameter("email_id", STR),), EMAIL, "the email with this id"),
            mail.read_email,
            {"email_id": Role.TARGET},
        ),
        _reading(
            Signature("get_thread", (_EMAIL,), emails, "the whole conversation, oldest first"),
            mail.get_thread,
            {"email": Role.TARGET},
        ),
    ]


_USUALLY = {"read_email": labels.usually_read, "get_thread": labels.usual_thread}


def _reading(declared: Signature, run: _Run, roles: Mapping[str, Role]) -> Tool:
    signature = replace(declared, origin=Origin("mail"))
    return Tool(
        signature=signature,
        run=run,
        roles=roles,
        reads="mail",
        changes=None,
        receivers=nobody,
        undo=None,
        picks=True,
        version=_version(signature),
        handles=_handles(roles),
        usually=_USUALLY.get(signature.name, labels.usually_found),
        fails_by=FAILS_BY,
    )


def _writing_tools(mail: MailWork) -> list[Tool]:
    to_recipients = receivers_in("recipients")
    note = Parameter("note", STR, has_default=True, default="")
    account = _account(mail)
    by = {each.name: Role.TARGET for each in account}
    sending = [
        _sending(
            Signature("send_email", (_RECIPIENTS, _SUBJECT, _BODY, *account), NONE, "recipients are email addresses"),
            mail.send_email,
            _LETTER_ROLES | by,
            to_recipients,
            "send a mail",
        ),
        _sending(
            Signature("reply_to_email", (_EMAIL, _BODY), NONE, "writes back to the sender of the email"),
            mail.reply_to_email,
            {"email": Role.TARGET, "body": Role.CONTENT},
            mail.reply_receivers,
            "reply to a mail",
        ),
        _sending(
            Signature("forward_email", (_EMAIL, _RECIPIENTS, note, *account), NONE, "passes the email on"),
            mail.forward_email,
            {"email": Role.CONTENT, "recipients": Role.TARGET, "note": Role.CONTENT} | by,
            to_recipients,
            "forward a mail",
        ),
    ]
    writers = [store.settings for store in mail.accounts.stores]
    hold = writers[0].hold
    return [
        replace(
            each,
            undo=None if hold is None else mail.undo_sent(each.name),
            undo_prospect=None if hold is None else mail.undo_sent_prospect(each.name),
            undoable_for="" if hold is None else f"for {in_words(hold)} after it is sent: it is held for so long",
            # Whose mail it is and by whom it leaves belong to what a grant is for: another account is another tool.
            version=digest_of([each.version, *map(_way, writers)])[:16],
            happened=mail.was_written(each.name),
            prospect=mail.replying if each.name == "reply_to_email" else mail.sending,
            usual_receivers=usual_receivers_of_a_reply if each.name == "reply_to_email" else None,
            quotable=("body", mail.answered) if each.name == "reply_to_email" else None,
            carries=("subject", mail.repeated) if each.name == "reply_to_email" else None,
            quotes=frozenset({"email"}) if each.name == "forward_email" else frozenset(),
            knows=mail.addressed if each.name == "send_email" else None,
            called=mail.called if each.name == "send_email" else None,
        )
        for each in sending
    ]


def _way(writer: MailSettings) -> Plain:
    by = writer.submission
    return [writer.addresses[0], "" if by is None else f"{by.user}@{by.host}:{by.port}"]


def _sending(signature: Signature, run: _Run, roles: Mapping[str, Role], receivers: _Resolve, summary: str) -> Tool:
    return Tool(
        signature=signature,
        run=run,
        roles=roles,
        reads=None,
        changes="outbox",
        receivers=receivers,
        undo=None,
        picks=False,
        version=_version(signature),
        summary=lambda args: summary,
        handles=_handles(roles),
        fails_by=FAILS_BY,
        may_be_granted=True,
        is_independent=True,
    )


def _handles(roles: Mapping[str, Role]) -> frozenset[str]:
    """A mail that says what is read or answered is taken by its id; one that is forwarded goes out with its words."""
    return frozenset(name for name, role in roles.items() if name == "email" and role is Role.TARGET)


def _keeping_tools(mail: MailWork) -> list[Tool]:
    account = _account(mail)
    draft = Signature("draft_email", (_RECIPIENTS, _SUBJECT, _BODY, *account), NONE, "keeps it, unsent")
    trash = Signature("trash_email", (_EMAIL,), NONE, "moves it to the trash")
    return [
        Tool(
            signature=draft,
            run=mail.draft_email,
            roles=_LETTER_ROLES | {each.name: Role.TARGET for each in account},
            reads=None,
            changes="drafts",
            receivers=_where_drafts_lie(mail),
            undo=mail.undo_draft,
            undo_prospect=mail.undo_draft_prospect,
            happened=mail.was_written("draft_email"),
            picks=False,
            version=_version(draft),
            summary=lambda args: "keep a draft of a mail",
            may_be_granted=True,
            is_independent=True,
        ),
        Tool(
            signature=trash,
            run=mail.trash_email,
            roles={"email": Role.TARGET},
            reads="mail",
            changes="mail",
            receivers=nobody,
            undo=mail.undo_trash,
            undo_prospect=mail.undo_trash_prospect,
            happened=mail.was_trashed,
            picks=False,
            version=_version(trash),
            summary=lambda args: "move a mail to the trash",
            prospect=mail.trashing,
            handles=frozenset({"email"}),
            fails_by=FAILS_BY,
            may_be_granted=True,
            is_independent=True,
        ),
    ]


def _where_drafts_lie(mail: MailWork) -> _Resolve:
    """Nobody learns of a draft on this machine. One on a server goes to the user's own address there, where that matters."""

    def told(args: Args) -> Receivers:
        settings = mail.accounts.named(args.get("account")).settings
        is_told = settings.server is not None and settings.server.is_told
        return Receivers((settings.addresses[0].lower(),)) if is_told else NOBODY

    stores = [store.settings.server for store in mail.accounts.stores]
    return ByArguments(("account",), told) if any(server and server.is_told for server in stores) else nobody


def _version(signature: Signature) -> str:
    here = sys.modules[__name__]
    return version_of(
        signature,
        here,
        accounts_of_mail,
        addresses,
        folding,
        labels,
        search,
        catalogue,
        seen,
        work,
        writing,
        mailbox,
        maildir,
        mbox,
        message,
        senders,
        authentication,
        covering,
        signatures,
        alignment,
        lookups,
        verdicts,
        leaving,
        dispatches,
        submitting,
    )


def _version_on_servers() -> tuple[str]:
    """The version of the code that asks servers, which is loaded where there is one."""
    from armslength.tools.mail import connection, imap, index, indexed, syncing

    return (version_of(Signature("mail", (), NONE), connection, imap, index, indexed, syncing),)


def in_words(time: timedelta) -> str:
    """A length of time, in its largest whole unit."""
    seconds = int(time.total_seconds())
    size, name = next((size, name) for size, name in _UNITS if seconds % size == 0)
    count = seconds // size
    return f"{count} {name}{'s' * (count != 1)}"


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
