"""What the mail tools do, each by its name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import NOTHING, PRIVATE, PUBLIC, Label, construct, join, label
from armslength.tools.backups import Backups, Kept
from armslength.tools.base import Prospect, Receivers, ToolCall, UndoProspect, names_in
from armslength.tools.listing import Listing
from armslength.tools.mail.accounts import Accounts
from armslength.tools.mail.catalogue import MOST_RESULTS, Looked
from armslength.tools.mail.labels import ANYBODY, STORE, UNVERIFIED, MailLabels, readers_of
from armslength.tools.mail.leaving import Leaving
from armslength.tools.mail.search import Scope
from armslength.tools.mail.seen import Seen, by_age
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.submitting import Envelope
from armslength.tools.mail.writing import (
    Letter,
    ReplyPlan,
    checked_recipients,
    checked_subject,
    domain_of,
    prefixed_subject,
    quoted,
    reply_plan,
    written,
)
from armslength.values import Labelled, Plain

Args = dict[str, Plain]
Undo = Callable[[ToolCall, Args, Plain], None]


class MailWork:
    """What the tools do, each by its name. All raise ToolError where they cannot."""

    def __init__(self, settings: Sequence[MailSettings], trust: Trust, state: Path) -> None:
        """`settings`: of each account. `state`: the folder of the label ledger, and of where trashed mail lay.

        The accounts have one ledger: what one of them sends to another keeps its label there.
        """
        self.accounts = Accounts(settings, state)
        self.labels = MailLabels(self.accounts, trust, state / "mail-labels.json")
        self.moves = Backups(state / "mail-moves", self.labels.trust)
        self.leaving = Leaving(state)

    def search_emails(self, call: ToolCall, args: Args) -> Labelled:
        """Mails that fit, or all of the inbox."""
        query, sender = str(args.get("query") or ""), str(args.get("sender") or "")
        is_listing = not query.strip() and not sender.strip()
        return self._matching(call, args, "inbox" if is_listing else "everywhere")

    def get_unread_emails(self, call: ToolCall, args: Args) -> Labelled:
        """Of the inbox, those that were not read."""
        return self._matching(call, args, "unread")

    def _matching(self, call: ToolCall, args: Args, scope: Scope) -> Labelled:
        query, sender = str(args.get("query") or ""), str(args.get("sender") or "")
        stores = self.accounts.looked_through(args.get("account"))
        found = [seen for store in stores for seen in store.search(scope, query, sender)]
        if not query.strip() and not sender.strip():
            return self._listing(call, found, self.labels.picked_by_store())
        # Names of senders are their own words too; which addresses wrote is the store's knowledge.
        ours = self.labels.ledger.names()
        looked = [store.looked(scope, ours) for store in stores]
        return self._listing(call, found, self.labels.picked(looked, PRIVATE if query.strip() else PUBLIC))

    def read_email(self, call: ToolCall, args: Args) -> Labelled:
        """One mail by its id."""
        return self.labels.email(self._named(args, "email_id"), call.now.tzinfo)

    def bytes_of(self, args: Args) -> tuple[bytes, Label]:
        """The bytes of a mail, and the label of what people wrote in it."""
        seen = self._named(args, "email")
        return self.accounts.raw(seen), self.labels.of(seen).content

    def get_thread(self, call: ToolCall, args: Args) -> Labelled:
        """The mails that belong together with one."""
        # Which messages belong together stands in headers that people wrote, of every message that may be one of them.
        start = self._named(args, "email")
        store = self.accounts.of(start)
        found, ours = store.thread(start), self.labels.ledger.names()
        itself = Looked(start.is_verified, ours & {start.message.message_id})
        pick = self.labels.linked(store.looked("threads", ours).and_also(itself), found)
        return self.labels.listing(found[-MOST_RESULTS:], call.now.tzinfo, pick)

    def send_email(self, call: ToolCall, args: Args) -> Labelled:
        """A new mail."""
        return self._write(call, args, self._letter(args, "send_email"), "send_email")

    def draft_email(self, call: ToolCall, args: Args) -> Labelled:
        """The same, unsent."""
        return self._write(call, args, self._letter(args, "draft_email"), "draft_email")

    def undo_draft(self, call: ToolCall, args: Args, _outcome: Plain) -> None:
        """The draft goes to the trash."""
        drafted = self._drafted(call, args)
        store = self.accounts.of(drafted)
        store.move(drafted, store.settings.trash)

    def undo_draft_prospect(self, call: ToolCall, args: Args, _outcome: Plain, _ahead: Sequence[Prospect]) -> Prospect:
        """What that would find and leave."""
        drafted = self._drafted(call, args)
        return self._moving(drafted, self.accounts.of(drafted).settings.trash)

    def _drafted(self, call: ToolCall, args: Args) -> Seen:
        seen = self.accounts.put_by(_key("draft_email", call, args))
        if seen is None:
            raise ToolError(
                "draft_email: the draft is not among the drafts of any account that is configured now, so nothing was undone"
            )
        return seen

    def reply_to_email(self, call: ToolCall, args: Args) -> Labelled:
        """An answer to its sender, in its thread."""
        seen = self._named(args, "email")
        plan = reply_plan(self.accounts.of(seen), seen)
        before = (*seen.message.references, *([seen.message.in_reply_to] if not seen.message.references else []))
        letter = Letter(plan.recipients, plan.subject, str(args["body"]), seen.message.message_id, before)
        return self._write(call, args, letter, "reply_to_email", self.labels.of(seen).content)

    def reply_receivers(self, args: Args) -> Receivers:
        """Whom an answer would go to."""
        return self._plan(args).receivers

    def _plan(self, args: Args) -> ReplyPlan:
        seen = self._named(args, "email")
        return reply_plan(self.accounts.of(seen), seen)

    def answered(self, args: Args) -> Labelled:
        """The text of the mail that is answered."""
        seen = self._named(args, "email")
        return Labelled(seen.message.body, self.labels.of(seen).content)

    def repeated(self, args: Args) -> Label:
        """The label of the subject that a reply repeats. Whoever the user wrote it to has read it."""
        repeated = self._plan(args).repeats
        found = self.labels.of(repeated).content
        if not self.accounts.is_sent_by_user(repeated):
            return found
        return label(
            found.data, choice=found.choice, bits=found.bits, readers=readers_of(repeated), intact=found.intact
        )

    def addressed(self) -> frozenset[str]:
        """To whom the user wrote, and the user's own addresses. A mail of ours counts if nobody's words had a say in who gets it."""
        ours = self.labels.ledger.names()
        everything = (seen for store in self.accounts.stores for seen in store.sent_by_user())
        sent = (each for each in everything if self._is_addressed_by_user(each, ours))
        return self.accounts.own.union(address.lower() for seen in sent for address in seen.recipients)

    def called(self, address: str) -> frozenset[str]:
        """The names that whoever verifiably writes from this address gives himself."""
        stores = self.accounts.stores
        return frozenset(seen.message.from_name for store in stores for seen in store.verified_from(address)) - {""}

    def _is_addressed_by_user(self, seen: Seen, ours: frozenset[str]) -> bool:
        message_id = seen.message.message_id
        return message_id not in ours or self.labels.ledger.label_of(_to(message_id), b"", _UNKNOWN).is_trusted

    def sending(self, _call: ToolCall, args: Args) -> Prospect:
        """Which of the user's addresses writes."""
        return Prospect(account=self._writer(args).addresses[0])

    def _writer(self, args: Args) -> MailSettings:
        """The account that writes: that of the mail that is answered, else the one that the call names."""
        if "email" in args and "recipients" not in args:
            return self.accounts.of(self._named(args, "email")).settings
        return self.accounts.named(args.get("account")).settings

    def replying(self, _call: ToolCall, args: Args) -> Prospect:
        """What is worked out of the mail that is answered, and that it still is that one."""
        seen = self._named(args, "email")
        store = self.accounts.of(seen)
        plan = reply_plan(store, seen)
        head = f"To: {', '.join(plan.recipients)}\nSubject: {plan.subject}\n"
        state = f"{seen.id} {hashlib.sha256(store.raw(seen)).hexdigest()}"
        return Prospect("the head of the reply", None, head, state=state, account=store.settings.addresses[0])

    def trashing(self, _call: ToolCall, args: Args) -> Prospect:
        """Which mail it is, and where it lies."""
        seen = self._named(args, "email")
        return self._moving(seen, self.accounts.of(seen).settings.trash)

    def _moving(self, seen: Seen, to: str) -> Prospect:
        message = seen.message
        who = f"From: {message.from_address}\nSubject: {' '.join(message.subject.split())}\n"
        before, after = (f"{who}Folder: {folder}\n" for folder in (seen.entry.folder, to))
        state = f"{seen.id} {hashlib.sha256(self.accounts.raw(seen)).hexdigest()}"
        return Prospect("the mailbox", before, after, names_in(self.labels.of(seen).content), state=state)

    def forward_email(self, call: ToolCall, args: Args) -> Labelled:
        """A mail passed on as a marked quotation."""
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
        """A mail goes to the trash; where it lay is kept."""
        seen = self._named(args, "email")
        self.labels.move(call.labels.get("email", _UNKNOWN))
        self.moves.keep(_move(seen.id), b"", Kept(seen.entry.folder.encode(), None))
        store = self.accounts.of(seen)
        store.move(seen, store.settings.trash)
        return _DONE

    def undo_trash(self, _call: ToolCall, args: Args, _outcome: Plain) -> None:
        """It goes back there."""
        seen, folder = self._trashed(args)
        self.accounts.of(seen).move(seen, folder)
        self.moves.drop_latest(_move(seen.id), b"")

    def undo_trash_prospect(self, _call: ToolCall, args: Args, _outcome: Plain, _ahead: Sequence[Prospect]) -> Prospect:
        """What that would find and leave."""
        return self._moving(*self._trashed(args))

    def _trashed(self, args: Args) -> tuple[Seen, str]:
        """The mail and the folder that it came from."""
        seen = self._named(args, "email")
        kept = self.moves.latest(_move(seen.id), b"")
        if kept is None or kept.before is None or seen.entry.folder != self.accounts.of(seen).settings.trash:
            raise ToolError("trash_email: the mail is not in the trash as it was left, so nothing was undone")
        return seen, kept.before.decode()

    def undo_sent(self, tool: str) -> Undo:
        """`undo=` of a tool that sends, while what it sent is held: it becomes a draft."""

        def undo(call: ToolCall, args: Args, _outcome: Plain) -> None:
            held = self._held(tool, call, args)
            self.leaving.take_back(self.accounts.of(held), held, _key(tool, call, args))

        return undo

    def undo_sent_prospect(self, tool: str) -> UndoProspect:
        """What that would find and leave."""

        def prospect(call: ToolCall, args: Args, _outcome: Plain, _ahead: Sequence[Prospect]) -> Prospect:
            held = self._held(tool, call, args)
            return self._moving(held, self.accounts.of(held).settings.drafts)

        return prospect

    def _held(self, tool: str, call: ToolCall, args: Args) -> Seen:
        seen = self.accounts.put_by(_key(tool, call, args), is_held=True)
        if seen is None:
            raise ToolError(f"{tool}: the mail is not held any more, it has left, so nothing was undone")
        return seen

    def was_written(self, tool: str) -> Callable[[ToolCall, Args], bool | None]:
        """`happened=` of a tool that writes a message: it lies somewhere or left, or nobody began to write or to send it.

        Of one that was begun and lies nowhere it cannot be told whether it was delivered and removed; nor of one whose end a server got
        without answering.
        """

        def happened(call: ToolCall, args: Args) -> bool | None:
            key = _key(tool, call, args)
            stores = self.accounts.stores
            if any(store.holds(key) for store in stores):
                return True
            left = self.leaving.has_left(key)
            if left is not False or (tool != "draft_email" and self._writer(args).leaves_at_once_by_server):
                return left
            known = self.labels.ledger.names()
            if not any(f"<{key}@{domain_of(store.settings)}>" in known for store in stores):
                return False
            return False if any(store.mailbox.is_unfinished(key) for store in stores) else None

        return happened

    def was_trashed(self, _call: ToolCall, args: Args) -> bool | None:
        """`happened=` of the tool that moves a mail to the trash; to move it there again does nothing."""
        seen = self._named(args, "email")
        return seen.entry.folder == self.accounts.of(seen).settings.trash

    def _listing(self, call: ToolCall, found: list[Seen], pick: Listing) -> Labelled:
        newest = sorted(found, key=by_age, reverse=True)[:MOST_RESULTS]
        return self.labels.listing(newest, call.now.tzinfo, pick)

    def _named(self, args: Args, parameter: str) -> Seen:
        return self.accounts.find(_id_in(args, parameter))

    @staticmethod
    def _letter(args: Args, tool: str) -> Letter:
        recipients = checked_recipients(args["recipients"], tool)
        return Letter(recipients, checked_subject(args["subject"], tool), str(args["body"]))

    def _write(self, call: ToolCall, args: Args, letter: Letter, tool: str, more: Label = NOTHING) -> Labelled:
        # One effect is one message, so one that is carried out again after a crash writes nothing twice.
        key = _key(tool, call, args)
        settings = self._writer(args)
        message_id = f"<{key}@{domain_of(settings)}>"
        raw = written(settings, letter, message_id, call.now)
        given = [*call.labels.values()] or [_UNKNOWN]
        made = construct(*given, more)
        self.labels.ledger.record(message_id, raw, join(made, self.labels.ledger.label_of(message_id, raw, made)))
        target = call.labels.get("email" if tool == "reply_to_email" else "recipients", _UNKNOWN)
        self.labels.ledger.record(_to(message_id), b"", target)
        store = self.accounts.named(settings.account)
        if tool == "draft_email":
            store.append(settings.drafts, raw, "DS", key)
        else:
            self.leaving.send(store, key, Envelope(settings.addresses[0], letter.recipients, raw))
        return _DONE


def _id_in(args: Args, parameter: str) -> str:
    given = args[parameter]
    found = given.get("id") if isinstance(given, dict) else given
    if not isinstance(found, str):
        raise ToolError(f"mail: {parameter} must be a mail that was found or read before")
    return found


def _key(tool: str, call: ToolCall, args: Args) -> str:
    return message_key(tool, call.key) if call.key else digest_of([tool, [call.now.isoformat(), args]])


def message_key(tool: str, effect: str) -> str:
    """The key of the message that an effect with this key wrote by this tool."""
    return digest_of([tool, effect])


def digest_of(content: Plain) -> str:
    """The beginning of the SHA-256 of something as JSON, in hexadecimal."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _to(message_id: str) -> str:
    """The ledger's name for whom a message of ours is addressed to."""
    return f"{message_id}//to"


def _move(email_id: str) -> str:
    return f"trash_email {email_id}"


_DONE = Labelled(None, label([STORE]))
_UNKNOWN = label([UNVERIFIED, ANYBODY], readers=PRIVATE, steer=PRIVATE)
