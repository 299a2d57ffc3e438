"""AgentDojo's mailbox as tools: who wrote each mail is its source, and what the provider records of it is the provider's.

The provider authenticates senders, so each mail has its sender as its source, as in our own mail tools; the same names, too: `mail:ADDRESS`,
`mailbox:*` for all who can put a mail here, `mail:*` for all whose words were looked through. Mails that the user sent are the user's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentdojo.default_suites.v1.tools.email_client import EmailContact, Inbox
from agentdojo.default_suites.v1.tools.types import CalendarEvent, Email

from armslength.errors import ToolError
from armslength.labels import PRIVATE, PUBLIC, Label, Readers, Source, construct, label, steered
from armslength.schema import NONE, STR, Field, ListOf, Menu, OptionalOf, Origin, RecordType
from armslength.tools.base import ByArguments, Prospect, Role, Tool, ToolCall, receivers_in
from armslength.tools.listing import Listing, listing_among
from armslength.tools.mail.labels import DELIVERY, EVERYBODY, usual_mail
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain
from bench.dojo.tools.shared import Args, Provider, described, done, listed, plain, record, record_of
from bench.dojo.tools.stores import Store, completed, lines, shown, told

MOMENT = '"YYYY-MM-DD HH:MM"'
EVENT = described(record_of(CalendarEvent), start_time=MOMENT, participants="email addresses")
ATTACHMENT = RecordType(
    "Attachment",
    (
        Field("type", Menu(("file", "event"))),
        Field("file_id", OptionalOf(STR), has_default=True, doc="of a file"),
        Field("event_details", OptionalOf(EVENT), has_default=True, doc="of an event"),
    ),
)
"""AgentDojo takes dicts of two forms, `{"type": "file", "file_id": ...}` and `{"type": "event", "event_details": ...}`, and gives ids and
events: this one type is both, so that a program may write the dict or pass on what a mail had."""
EMAIL = described(record_of(Email, attachments=ListOf(ATTACHMENT)), sender="an email address", timestamp=MOMENT)
CONTACT = record_of(EmailContact)
_MAIL = Origin("mail")
_SEARCHED = (DELIVERY, EVERYBODY)


class Mailbox:
    """The inbox of a run's environment."""

    def __init__(self, provider: Provider, attached: Callable[[str], Label] | None = None) -> None:
        """`attached`: the label of the drive's file of an id, as it goes out; None where there is no drive."""
        self.provider, self.store = provider, Store(provider, "mail")
        self._attached = attached

    @property
    def has_no_files(self) -> bool:
        """Whether there is no drive whose files could be attached."""
        return self._attached is None

    @property
    def inbox(self) -> Inbox:
        """AgentDojo's inbox."""
        found: Inbox = self.provider.world.environment.inbox
        return found

    @property
    def account(self) -> str:
        """The user's own address."""
        return str(self.inbox.account_email).lower()

    def content(self, mail: Email) -> Label:
        """What a mail says is its authenticated sender's. Its sender and all it is addressed to have it already."""
        default = self.provider.by(f"mail:{mail.sender.lower()}", readers=_parties(mail))
        return self.store.label_of(mail.id_, default)

    def labelled(self, mail: Email, pick: Label) -> Labelled:
        """The record of a mail. `pick` is what a listing adds to each of its labels."""
        known, content = steered(self.store.known, pick), steered(self.content(mail), pick)
        is_own = mail.sender.lower() == self.account
        # Whom a mail is addressed to is its sender's to write; of sent mail it is the user's own doing.
        addressed = content if self.store.is_own(mail.id_) or not is_own else known
        fields = {
            **dict.fromkeys(("id_", "status", "read", "timestamp"), known),  # the provider's own records
            "sender": steered(label([self.store.source], readers=_parties(mail)), pick),  # it authenticates them
            **dict.fromkeys(("recipients", "cc", "bcc"), addressed),
            **dict.fromkeys(("subject", "body", "attachments"), content),  # what people wrote
        }
        parts = plain(mail)
        parts["attachments"] = [_attachment(each) for each in mail.attachments]
        return record(parts, EMAIL, known, fields)

    def listing(self, mails: list[Email], pick: Listing) -> Labelled:
        """The list of these mails."""
        return listed([self.labelled(mail, pick.gain) for mail in mails], pick.shape)

    def among_delivered(self) -> Listing:
        """All who can put a mail here decide which mails there are. When each came and from whom, the provider knows."""
        return self.store.listing([DELIVERY], steer=PUBLIC)

    def among_own(self) -> Listing:
        """What the user sent or drafted: nobody else can add to it."""
        return self.store.listing([], steer=PUBLIC)

    def searched(self, args: Args) -> Listing:
        """What a search adds: the words of all mails decide if it looks for words; the user's own mails alone if it looks for those."""
        is_own = str(args.get("sender") or "").lower() == self.account
        if is_own or not str(args.get("query") or ""):
            return self.among_own() if is_own else self.among_delivered()
        return self.store.listing(_SEARCHED, steer=PRIVATE)

    def contact(self, contact: EmailContact, pick: Listing) -> Labelled:
        """The list of contacts is made of the mails' addresses: senders are authenticated, and whom the user wrote to he chose.

        An address that stands only among the recipients of others' mails is the word of those who wrote it there.
        """
        address = contact.email.lower()
        naming = [mail for mail in self.inbox.initial_emails if address in _parties_of(mail)]
        is_known = any(address == mail.sender.lower() or mail.sender.lower() == self.account for mail in naming)
        writers = [f"mail:{mail.sender.lower()}" for mail in naming]
        its = self.store.known if is_known and naming else self.provider.by(*(writers or ["mail:unverified"]))
        its = steered(its, pick.gain)
        return record(contact, CONTACT, its, {"email": its, "name": its})

    def among_contacts(self) -> Listing:
        """Whoever delivers a mail is listed, and whom it is addressed to."""
        return self.store.listing(_SEARCHED, steer=PRIVATE)

    def addressed(self) -> frozenset[str]:
        """To whom the user wrote before this run, and the user's own address."""
        mails = self.inbox.emails.values()
        sent = (each for each in mails if each.sender.lower() == self.account and not self.store.is_own(each.id_))
        return frozenset({self.account}).union(*(_parties_of(mail) for mail in sent))

    def names(self) -> dict[str, str]:
        """The names that the list of contacts has for those, by address."""
        known = self.addressed()
        return {each.email.lower(): each.name for each in self.inbox.contact_list if each.email.lower() in known}

    def noted(self, call: ToolCall, *more: Label) -> None:
        """This call sent the latest mail; `more` went into it beside the arguments."""
        self.store.made(list(self.inbox.emails)[-1], call, *more)

    def going_out(self, args: Args) -> Label:
        """The label of the files that go out with a mail: the arguments hold their ids alone."""
        files = [str(each["file_id"]) for each in _attachments(args) if isinstance(each, dict) and "file_id" in each]
        if not files:
            return label()
        if self._attached is None:
            return label([Source("file:*")], readers=PRIVATE)
        return construct(*map(self._attached, files)) if len(files) > 1 else self._attached(files[0])


def sending_tool(mailbox: Mailbox) -> Tool:
    """`send_email`: the addresses in three parameters decide who learns of it; what is attached goes out beside the arguments."""
    provider = mailbox.provider

    def labelled(call: ToolCall, args: Args, _result: Any) -> Labelled:
        mailbox.noted(call, mailbox.going_out(args))
        return Labelled(None, label())

    made = provider.tool(
        "send_email",
        NONE,  # a result would hold the program until a person had answered, and is what it was given
        labelled,
        origin=_MAIL,
        roles={
            **dict.fromkeys(("recipients", "cc", "bcc"), Role.TARGET),
            **dict.fromkeys(("subject", "body", "attachments"), Role.CONTENT),
        },
        reads=None if mailbox.has_no_files else "files",  # what goes out when one is attached
        changes="mail",
        receivers=addressees("recipients", "cc", "bcc"),
        fails_by=(),
        summary=lambda _args: "send a mail",
        parameters={"attachments": OptionalOf(ListOf(ATTACHMENT))},
    )
    return completed(
        # its line goes on with what it returns, which is nothing here
        told(made, "Sends an email with the given `body` to the given `address`."),
        provider.world,
        run=lambda call, args: made.run(
            call, {**args, "attachments": _attachments(args)} if args.get("attachments") else args
        ),
        carries=("attached_files", mailbox.going_out),
        knows=mailbox.addressed,
        prospect=lambda _call, _args: Prospect(account=mailbox.account),
        may_be_granted=True,
        is_independent=True,
    )


def mail_tools(mailbox: Mailbox) -> list[Tool]:
    """Every mail tool of the workspace."""
    return [sending_tool(mailbox), _delete_email(mailbox), *_reading_tools(mailbox), *_contact_tools(mailbox)]


def addressees(*parameters: str) -> ByArguments:
    """`receivers=` of addresses in these parameters, of which some may be left out."""
    resolve = receivers_in(*parameters)
    return ByArguments(
        parameters, lambda args: resolve({**args, **{name: args.get(name) or [] for name in parameters}})
    )


def _reading_tools(mailbox: Mailbox) -> list[Tool]:
    """Reading marks mails as read: the provider's bookkeeping, on which no other call depends, so these tools change nothing."""

    def reading(name: str, pick: Callable[[Args], Listing], **parts: Any) -> Tool:
        return mailbox.provider.tool(
            name,
            ListOf(EMAIL),
            lambda _call, args, result: mailbox.listing(result, pick(args)),
            origin=_MAIL,
            roles={"query": Role.QUERY, "sender": Role.QUERY} if name == "search_emails" else {},
            reads="mail",
            picks=True,
            fails_by=(mailbox.store.source, *_SEARCHED) if name == "search_emails" else (),
            usually=parts["usually"],
        )

    delivered = listing_among(mailbox.store.source, [label([DELIVERY])], steer=PUBLIC)
    return [
        reading("get_unread_emails", lambda _args: mailbox.among_delivered(), usually=_usual(delivered)),
        reading("get_sent_emails", lambda _args: mailbox.among_own(), usually=_usual_own(mailbox)),
        reading("get_received_emails", lambda _args: mailbox.among_delivered(), usually=_usual(delivered)),
        reading("get_draft_emails", lambda _args: mailbox.among_own(), usually=_usual_own(mailbox)),
        told(
            reading("search_emails", mailbox.searched, usually=_usually_found(mailbox)),
            # the whole sentence, of which a line has the first half
            "Searches for emails in the inbox that contain the given query in the subject or body. If `sender` is provided, only emails from "
            "that address are searched.",
        ),
    ]


def _usual(pick: Listing) -> Callable[[Mapping[str, Plain], str], Usual]:
    def usually(_args: Mapping[str, Plain], where: str) -> Usual:
        return _as_here(usual_mail(where, pick))

    return usually


def _usual_own(mailbox: Mailbox) -> Callable[[Mapping[str, Plain], str], Usual]:
    said = mailbox.provider.by(f"mail:{mailbox.account}")
    fields = {**dict.fromkeys(("subject", "body", "attachments"), said)}
    return lambda _args, _where: Usual(mailbox.store.known, fields, known_as={"recipients": "somebody you wrote to"})


def _usually_found(mailbox: Mailbox) -> Callable[[Mapping[str, Plain], str], Usual]:
    def usually(args: Mapping[str, Plain], where: str) -> Usual:
        searched = [DELIVERY] if args.get("query") == "" else list(_SEARCHED)
        steer = PUBLIC if args.get("query") == "" else PRIVATE
        return _as_here(usual_mail(where, listing_among(mailbox.store.source, [label(searched)], steer=steer)))

    return usually


def _as_here(usual: Usual) -> Usual:
    """The labels of our own mail's fields, by this provider's names for them."""
    its = usual.fields["body"]
    return Usual(
        usual.whole,
        {
            **dict.fromkeys(("recipients", "cc", "bcc", "subject", "body", "attachments"), its),
            "sender": usual.fields["sender"],
        },
        usual.shape,
        usual.known_as,
    )


def _delete_email(mailbox: Mailbox) -> Tool:
    """The provider has no function that takes a mail out of the trash again, so this cannot be undone."""

    def labelled(call: ToolCall, args: Args, result: Any) -> Labelled:
        mailbox.store.moved(call)
        return done(call, args, result)

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        mail = mailbox.inbox.emails.get(str(args["email_id"]))
        if mail is None:
            raise ToolError("delete_email: there is no mail of this id")
        text = lines(From=mail.sender, Subject=mail.subject, Date=plain(mail.timestamp))
        return shown("the mailbox", text, None, mailbox.content(mail))

    made = mailbox.provider.tool(
        "delete_email",
        NONE,
        labelled,
        origin=_MAIL,
        roles={"email_id": Role.TARGET},
        changes="mail",
        fails_by=(mailbox.store.source, DELIVERY),
        summary=lambda _args: "delete a mail",
    )
    return completed(made, mailbox.provider.world, prospect=prospect, is_independent=True)


def _contact_tools(mailbox: Mailbox) -> list[Tool]:
    pick = listing_among(mailbox.store.source, [label(_SEARCHED)], steer=PRIVATE)
    usual = Usual(
        steered(mailbox.store.known, pick.gain), shape=pick.shape, known_as={"email": "somebody in the contacts"}
    )

    def labelled(_call: ToolCall, _args: Args, found: list[EmailContact]) -> Labelled:
        gained = mailbox.among_contacts()
        return listed([mailbox.contact(each, gained) for each in found], gained.shape)

    def searching(name: str) -> Tool:
        made = mailbox.provider.tool(
            name,
            ListOf(CONTACT),
            labelled,
            origin=Origin("contacts"),
            roles={"query": Role.QUERY},
            reads="mail",
            picks=True,
            fails_by=(mailbox.store.source, *_SEARCHED),
            usually=lambda _args, _where: usual,
        )
        return completed(made, mailbox.provider.world, names=mailbox.names)

    return [searching("search_contacts_by_name"), searching("search_contacts_by_email")]


def _parties_of(mail: Email) -> frozenset[str]:
    return frozenset(str(each).lower() for each in (mail.sender, *mail.recipients, *mail.cc, *mail.bcc))


def _parties(mail: Email) -> Readers:
    return Readers(_parties_of(mail))


def _attachment(given: Any) -> dict[str, Any]:
    if isinstance(given, CalendarEvent):
        return {"type": "event", "file_id": None, "event_details": plain(given)}
    return {"type": "file", "file_id": str(given), "event_details": None}


def _attachments(args: Args) -> list[Plain]:
    """The attachments as AgentDojo takes them: without the field that the other form has."""
    given = args.get("attachments")
    found = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return [{name: part for name, part in each.items() if part is not None} for each in found]
