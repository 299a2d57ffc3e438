"""The mail tools: search and read, and write into folders. Nothing here opens a network connection.

A sent mail is a message in the outbox folder; whatever delivers it is the person's own. Each tool's first docstring line below is what the
planner reads of it.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from armslength.errors import ConfigError, ToolError
from armslength.events import Trust
from armslength.labels import NOTHING, PRIVATE, PUBLIC, Label, construct, join, label
from armslength.schema import NONE, STR, ListOf, Origin, Parameter, Signature
from armslength.tools import addresses, folding, mail_labels, mail_search, mail_writing, mailbox, maildir, mbox, message
from armslength.tools.addresses import plain_address
from armslength.tools.backups import Backups, Kept
from armslength.tools.base import (
    Prospect,
    Receivers,
    Role,
    Tool,
    ToolCall,
    names_in,
    nobody,
    one_at_a_time,
    receivers_in,
    version_of,
)
from armslength.tools.listing import Listing
from armslength.tools.mail_labels import EMAIL, STORE, UNVERIFIED, MailLabels, readers_of
from armslength.tools.mail_search import MOST_RESULTS, MailStore, Seen, matches, thread_of
from armslength.tools.mail_settings import MailSettings
from armslength.tools.mail_writing import (
    Letter,
    checked_recipients,
    checked_subject,
    domain_of,
    prefixed_subject,
    quoted,
    reply_plan,
    usual_receivers_of_a_reply,
    written,
)
from armslength.values import Labelled, Plain

Args = dict[str, Plain]
_Run = Callable[[ToolCall, Args], Labelled]
_Resolve = Callable[[Args], Receivers]

SENDING = ("send_email", "reply_to_email", "forward_email")
"""The tools that send."""
_EMAIL = Parameter("email", EMAIL)
_RECIPIENTS = Parameter("recipients", ListOf(STR))
_SUBJECT, _BODY = Parameter("subject", STR), Parameter("body", STR)


def mail_tools(settings: MailSettings, trust: Trust, state: Path) -> list[Tool]:
    """The tools of one mailbox. `trust` says which `mail:ADDRESS` sources are trusted; `state` is our folder for the label ledger.

    Raises:
        ConfigError: the user's own addresses are missing or no plain addresses.
    """
    if not settings.addresses or not all(map(plain_address, settings.addresses)):
        raise ConfigError("mail: addresses must name at least one address of your own, each like name@example.com")
    mail = _Mail(settings, trust, state)
    alone = threading.RLock()  # what is kept of the mailbox is used by one call at a time
    return [
        one_at_a_time(each, alone) for each in (*_reading_tools(mail), *_writing_tools(mail), *_keeping_tools(mail))
    ]


class _Mail:
    """What the tools do, each by its name."""

    def __init__(self, settings: MailSettings, trust: Trust, state: Path) -> None:
        self.settings = settings
        self.store = MailStore(settings)
        self.labels = MailLabels(self.store, trust, state / "mail-labels.json")
        self.moves = Backups(state / "mail-moves", self.labels.trust)

    def search_emails(self, call: ToolCall, args: Args) -> Labelled:
        query, sender = str(args.get("query") or ""), str(args.get("sender") or "")
        is_listing = not query.strip() and not sender.strip()
        among = self.store.inbox() if is_listing else self.store.everywhere()
        return self._matching(call, among, query, sender)

    def get_unread_emails(self, call: ToolCall, args: Args) -> Labelled:
        unread = [seen for seen in self.store.inbox() if seen.entry.is_unread]
        return self._matching(call, unread, str(args.get("query") or ""), str(args.get("sender") or ""))

    def _matching(self, call: ToolCall, among: list[Seen], query: str, sender: str) -> Labelled:
        if not query.strip() and not sender.strip():
            return self._listing(call, among, self.labels.picked_by_store())
        # Names of senders are their own words too; which addresses wrote is the store's knowledge.
        pick = self.labels.picked(among, PRIVATE if query.strip() else PUBLIC)
        return self._listing(call, [seen for seen in among if matches(seen, query, sender)], pick)

    def read_email(self, call: ToolCall, args: Args) -> Labelled:
        return self.labels.email(self._named(args, "email_id"), call.now.tzinfo)

    def get_thread(self, call: ToolCall, args: Args) -> Labelled:
        # Which messages belong together stands in headers that people wrote, of every message that may be one of them.
        start = self._named(args, "email")
        among = self.store.among_threads()
        found = thread_of(start, among)
        pick = self.labels.linked([start, *among], found)
        return self.labels.listing(found[-MOST_RESULTS:], call.now.tzinfo, pick)

    def send_email(self, call: ToolCall, args: Args) -> Labelled:
        return self._write(call, args, self._letter(args, "send_email"), "send_email")

    def draft_email(self, call: ToolCall, args: Args) -> Labelled:
        return self._write(call, args, self._letter(args, "draft_email"), "draft_email")

    def undo_draft(self, call: ToolCall, args: Args, _outcome: Plain) -> None:
        seen = self.store.put_by(self.settings.drafts, _key("draft_email", call, args))
        if seen is None:
            raise ToolError("draft_email: the draft is not among the drafts any more, so nothing was undone")
        self.store.move(seen, self.settings.trash)

    def reply_to_email(self, call: ToolCall, args: Args) -> Labelled:
        seen = self._named(args, "email")
        plan = reply_plan(self.store, seen)
        before = (*seen.message.references, *([seen.message.in_reply_to] if not seen.message.references else []))
        letter = Letter(plan.recipients, plan.subject, str(args["body"]), seen.message.message_id, before)
        return self._write(call, args, letter, "reply_to_email", self.labels.of(seen).content)

    def reply_receivers(self, args: Args) -> Receivers:
        return reply_plan(self.store, self._named(args, "email")).receivers

    def answered(self, args: Args) -> Labelled:
        """The text of the mail that is answered."""
        seen = self._named(args, "email")
        return Labelled(seen.message.body, self.labels.of(seen).content)

    def repeated(self, args: Args) -> Label:
        """The label of the subject that a reply repeats. Whoever the user wrote it to has read it."""
        repeated = reply_plan(self.store, self._named(args, "email")).repeats
        found = self.labels.of(repeated).content
        if not self.store.is_sent_by_user(repeated):
            return found
        return label(
            found.data, choice=found.choice, bits=found.bits, readers=readers_of(repeated), intact=found.intact
        )

    def addressed(self) -> frozenset[str]:
        """To whom the user wrote, and the user's own addresses. A mail of ours counts if nobody's words had a say in who gets it."""
        ours = self.labels.ledger.names()
        sent = (each for each in self.store.sent_by_user() if self._is_addressed_by_user(each, ours))
        return self.settings.own.union(address.lower() for seen in sent for address in seen.recipients)

    def _is_addressed_by_user(self, seen: Seen, ours: frozenset[str]) -> bool:
        message_id = seen.message.message_id
        return message_id not in ours or self.labels.ledger.label_of(_to(message_id), b"", _UNKNOWN).is_trusted

    def sending(self, _call: ToolCall, _args: Args) -> Prospect:
        """Which of the user's addresses writes."""
        return Prospect(account=self.settings.addresses[0])

    def replying(self, _call: ToolCall, args: Args) -> Prospect:
        """What is worked out of the mail that is answered, and that it still is that one."""
        seen = self._named(args, "email")
        plan = reply_plan(self.store, seen)
        head = f"To: {', '.join(plan.recipients)}\nSubject: {plan.subject}\n"
        state = f"{seen.entry.id} {hashlib.sha256(self.store.raw(seen)).hexdigest()}"
        return Prospect("the head of the reply", None, head, state=state, account=self.settings.addresses[0])

    def trashing(self, _call: ToolCall, args: Args) -> Prospect:
        """Which mail it is, and where it lies."""
        seen = self._named(args, "email")
        message = seen.message
        who = f"From: {message.from_address}\nSubject: {' '.join(message.subject.split())}\n"
        before, after = (f"{who}Folder: {folder}\n" for folder in (seen.entry.folder, self.settings.trash))
        state = f"{seen.entry.id} {hashlib.sha256(self.store.raw(seen)).hexdigest()}"
        return Prospect("the mailbox", before, after, names_in(self.labels.of(seen).content), state=state)

    def forward_email(self, call: ToolCall, args: Args) -> Labelled:
        # The record itself is what goes out, not what the store holds now: its labels were checked.
        email, note = args["email"], str(args.get("note") or "")
        if not isinstance(email, dict) or not {"sender", "subject", "timestamp", "body"} <= email.keys():
            raise ToolError("forward_email: email must be a mail that was found or read before")
        names = email.get("attachments")
        original = quoted(
            {
                "From": str(email["sender"]),
                "Date": str(email["timestamp"]),
                "Subject": str(email["subject"]),
                "Attachments, not forwarded": ", ".join(map(str, names)) if isinstance(names, list) else "",
            },
            str(email["body"]),
        )
        body = f"{note}\n\n{original}\n" if note else f"{original}\n"
        recipients = checked_recipients(args["recipients"], "forward_email")
        subject = prefixed_subject("Fwd:", str(email["subject"]))
        return self._write(call, args, Letter(recipients, subject, body), "forward_email")

    def trash_email(self, call: ToolCall, args: Args) -> Labelled:
        seen = self._named(args, "email")
        self.labels.move(call.labels.get("email", _UNKNOWN))
        self.moves.keep(_move(seen.entry.id), b"", Kept(seen.entry.folder.encode(), None))
        self.store.move(seen, self.settings.trash)
        return _DONE

    def undo_trash(self, _call: ToolCall, args: Args, _outcome: Plain) -> None:
        seen = self._named(args, "email")
        kept = self.moves.latest(_move(seen.entry.id), b"")
        if kept is None or kept.before is None or seen.entry.folder != self.settings.trash:
            raise ToolError("trash_email: the mail is not in the trash as it was left, so nothing was undone")
        self.store.move(seen, kept.before.decode())
        self.moves.drop_latest(_move(seen.entry.id), b"")

    def undo_sent(self, tool: str) -> Callable[[ToolCall, Args, Plain], None]:
        """`undo=` of a tool that sends, while what it sent is held: it becomes a draft."""

        def undo(call: ToolCall, args: Args, _outcome: Plain) -> None:
            seen = self.store.put_by(self.settings.held, _key(tool, call, args))
            if seen is None:
                raise ToolError(f"{tool}: the mail is not held any more, it has left, so nothing was undone")
            self.store.move(seen, self.settings.drafts)

        return undo

    def was_written(self, tool: str) -> Callable[[ToolCall, Args], bool | None]:
        """`happened=` of a tool that writes a message: it lies somewhere, or nobody began to write it.

        Of one that was begun and lies nowhere it cannot be told whether it was delivered and removed.
        """

        def happened(call: ToolCall, args: Args) -> bool | None:
            key = _key(tool, call, args)
            if self.store.holds(key):
                return True
            message_id = f"<{key}@{domain_of(self.settings)}>"
            is_begun = message_id in self.labels.ledger.names()
            return None if is_begun and not self.store.mailbox.is_unfinished(key) else False

        return happened

    def was_trashed(self, _call: ToolCall, args: Args) -> bool | None:
        """`happened=` of the tool that moves a mail to the trash; to move it there again does nothing."""
        return self._named(args, "email").entry.folder == self.settings.trash

    def _listing(self, call: ToolCall, found: list[Seen], pick: Listing) -> Labelled:
        return self.labels.listing(found[:MOST_RESULTS], call.now.tzinfo, pick)

    def _named(self, args: Args, parameter: str) -> Seen:
        return self.store.find(_id_in(args, parameter))

    @staticmethod
    def _letter(args: Args, tool: str) -> Letter:
        recipients = checked_recipients(args["recipients"], tool)
        return Letter(recipients, checked_subject(args["subject"], tool), str(args["body"]))

    def _write(self, call: ToolCall, args: Args, letter: Letter, tool: str, more: Label = NOTHING) -> Labelled:
        # One effect is one message, so one that is carried out again after a crash writes nothing twice.
        key = _key(tool, call, args)
        message_id = f"<{key}@{domain_of(self.settings)}>"
        raw = written(self.settings, letter, message_id, call.now)
        given = [*call.labels.values()] or [_UNKNOWN]
        made = construct(*given, more)
        self.labels.ledger.record(message_id, raw, join(made, self.labels.ledger.label_of(message_id, raw, made)))
        target = call.labels.get("email" if tool == "reply_to_email" else "recipients", _UNKNOWN)
        self.labels.ledger.record(_to(message_id), b"", target)
        is_draft = tool == "draft_email"
        sent = self.settings.outbox if self.settings.hold is None else self.settings.held
        self.store.append(self.settings.drafts if is_draft else sent, raw, "DS" if is_draft else "S", key)
        return _DONE


def in_words(time: timedelta) -> str:
    """A length of time, in its largest whole unit."""
    seconds = int(time.total_seconds())
    size, name = next((size, name) for size, name in _UNITS if seconds % size == 0)
    count = seconds // size
    return f"{count} {name}{'s' * (count != 1)}"


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def _id_in(args: Args, parameter: str) -> str:
    given = args[parameter]
    found = given.get("id") if isinstance(given, dict) else given
    if not isinstance(found, str):
        raise ToolError(f"mail: {parameter} must be a mail that was found or read before")
    return found


def _key(tool: str, call: ToolCall, args: Args) -> str:
    return message_key(tool, call.key) if call.key else _digest([tool, [call.now.isoformat(), args]])


def message_key(tool: str, effect: str) -> str:
    """The key of the message that an effect with this key wrote by this tool."""
    return _digest([tool, effect])


def _digest(content: Plain) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _to(message_id: str) -> str:
    """The ledger's name for whom a message of ours is addressed to."""
    return f"{message_id}//to"


def _move(email_id: str) -> str:
    return f"trash_email {email_id}"


_DELIVERED = (STORE, UNVERIFIED)
"""Who decides what lies in the mailbox at all: whoever can put a message there."""
_DONE = Labelled(None, label([STORE]))
_UNKNOWN = label([UNVERIFIED], readers=PRIVATE, steer=PRIVATE)
_LETTER_ROLES = {"recipients": Role.TARGET, "subject": Role.CONTENT, "body": Role.CONTENT}


def _reading_tools(mail: _Mail) -> list[Tool]:
    query = Parameter("query", STR, has_default=True, default="")
    sender = Parameter("sender", STR, has_default=True, default="")
    query_roles = {"query": Role.QUERY, "sender": Role.QUERY}
    emails = ListOf(EMAIL)
    return [
        _reading(
            Signature(
                "search_emails",
                (query, sender),
                emails,
                f"newest first, at most {MOST_RESULTS}; sender is a name or address; empty query and sender gives all emails",
            ),
            mail.search_emails,
            query_roles,
        ),
        _reading(
            Signature("get_unread_emails", (query, sender), emails, "newest first"),
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


_USUALLY = {"read_email": mail_labels.usually_read, "get_thread": mail_labels.usual_thread}


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
        usually=_USUALLY.get(signature.name, mail_labels.usually_found),
        fails_by=_DELIVERED,
    )


def _writing_tools(mail: _Mail) -> list[Tool]:
    to_recipients = receivers_in("recipients")
    note = Parameter("note", STR, has_default=True, default="")
    sending = [
        _sending(
            Signature("send_email", (_RECIPIENTS, _SUBJECT, _BODY), NONE, "recipients are email addresses"),
            mail.send_email,
            _LETTER_ROLES,
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
            Signature("forward_email", (_EMAIL, _RECIPIENTS, note), NONE, "passes the email on"),
            mail.forward_email,
            {"email": Role.CONTENT, "recipients": Role.TARGET, "note": Role.CONTENT},
            to_recipients,
            "forward a mail",
        ),
    ]
    hold = mail.settings.hold
    return [
        replace(
            each,
            undo=None if hold is None else mail.undo_sent(each.name),
            undoable_for="" if hold is None else f"for {in_words(hold)} after it is sent: it is held for so long",
            # Whose mail it is belongs to what a grant is for: another account is another tool.
            version=_digest([each.version, mail.settings.addresses[0]])[:16],
            happened=mail.was_written(each.name),
            prospect=mail.replying if each.name == "reply_to_email" else mail.sending,
            usual_receivers=usual_receivers_of_a_reply if each.name == "reply_to_email" else None,
            quotable=("body", mail.answered) if each.name == "reply_to_email" else None,
            carries=("subject", mail.repeated) if each.name == "reply_to_email" else None,
            quotes=frozenset({"email"}) if each.name == "forward_email" else frozenset(),
            knows=mail.addressed if each.name == "send_email" else None,
        )
        for each in sending
    ]


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
        fails_by=_DELIVERED,
        may_be_granted=True,
        is_independent=True,
    )


def _handles(roles: Mapping[str, Role]) -> frozenset[str]:
    """A mail that says what is read or answered is taken by its id; one that is forwarded goes out with its words."""
    return frozenset(name for name, role in roles.items() if name == "email" and role is Role.TARGET)


def _keeping_tools(mail: _Mail) -> list[Tool]:
    draft = Signature("draft_email", (_RECIPIENTS, _SUBJECT, _BODY), NONE, "keeps it, unsent")
    trash = Signature("trash_email", (_EMAIL,), NONE, "moves it to the trash")
    return [
        Tool(
            signature=draft,
            run=mail.draft_email,
            roles=_LETTER_ROLES,
            reads=None,
            changes="drafts",
            receivers=nobody,
            undo=mail.undo_draft,
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
            happened=mail.was_trashed,
            picks=False,
            version=_version(trash),
            summary=lambda args: "move a mail to the trash",
            prospect=mail.trashing,
            handles=frozenset({"email"}),
            fails_by=_DELIVERED,
            may_be_granted=True,
            is_independent=True,
        ),
    ]


def _version(signature: Signature) -> str:
    here = sys.modules[__name__]
    return version_of(
        signature, here, addresses, folding, mail_labels, mail_search, mail_writing, mailbox, maildir, mbox, message
    )
