"""Messages that we write, and to whom a reply goes.

No text from outside reaches a header unchecked: addresses are plain ones, a subject has no line breaks, ids that are quoted are of one form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr

from armslength.errors import ToolError
from armslength.tools.base import UNKNOWN, Receivers
from armslength.tools.mail.search import MailStore
from armslength.tools.mail.seen import Seen
from armslength.tools.mail.settings import MailSettings
from armslength.tools.text.addresses import plain_address
from armslength.values import Plain

_MOST_RECIPIENTS = 100
_LONGEST_SUBJECT = 500
_MOST_REFERENCES = 20
_WIRE = SMTP.clone(linesep="\n", cte_type="7bit")
_CONTENT_HEADERS = ("Content-Type", "Content-Transfer-Encoding", "MIME-Version")
_BREAK = re.compile("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@\[\]:-]{3,250}>")


@dataclass(frozen=True, slots=True, repr=False)
class Letter:
    """What is written into a message. `answers` is the id of the message it follows, `references` those before it, oldest first."""

    recipients: tuple[str, ...]
    subject: str
    body: str
    answers: str = ""
    references: tuple[str, ...] = ()


def checked_recipients(given: object, tool: str) -> tuple[str, ...]:
    """The recipients of a call, each once, as written.

    Raises:
        ToolError: there are none, too many, or one is no plain address.
    """
    listed = given if isinstance(given, list) else [given]
    if not 1 <= len(listed) <= _MOST_RECIPIENTS:
        raise ToolError(f"{tool}: {len(listed)} recipients; give 1 to {_MOST_RECIPIENTS}")
    found: dict[str, str] = {}
    for place, text in enumerate(listed, 1):
        address = plain_address(text)
        if address is None:
            raise ToolError(f"{tool}: recipient {place} is not one plain address; write it like name@example.com")
        found.setdefault(address.lower(), address)
    return tuple(found.values())


def checked_subject(given: object, tool: str) -> str:
    """The subject of a call.

    Raises:
        ToolError: it holds a line break of any kind, or is too long.
    """
    subject = str(given)
    if _BREAK.search(subject):
        raise ToolError(f"{tool}: the subject holds a line break; give one line of text")
    if len(subject) > _LONGEST_SUBJECT:
        raise ToolError(f"{tool}: the subject is longer than {_LONGEST_SUBJECT} characters; shorten it")
    return subject


def prefixed_subject(prefix: str, subject: str) -> str:
    """A subject that came from a mail, with `Re: ` or `Fwd: ` before it once, on one line."""
    line = " ".join(_BREAK.sub(" ", subject).split())
    bare = line[len(prefix) :].lstrip() if line.lower().startswith(prefix.lower()) else line
    return f"{prefix} {bare}".strip()[:_LONGEST_SUBJECT]


def domain_of(settings: MailSettings) -> str:
    """The domain of the user's first address, lower case."""
    return settings.addresses[0].rpartition("@")[2].lower()


def written(settings: MailSettings, letter: Letter, message_id: str, moment: datetime) -> bytes:
    """The bytes of a message from the user, ASCII, lines ended by LF. `moment` becomes its date.

    Raises:
        ToolError: what came out does not have exactly the headers that were put in.
    """
    headers = {
        "From": formataddr((" ".join(_writable(settings.name).split()), settings.addresses[0]), "utf-8"),
        "To": ",\n ".join(letter.recipients),
        "Subject": _encoded_subject(_writable(letter.subject)),
        "Date": format_datetime(moment if moment.tzinfo is not None else moment.astimezone()),
        "Message-ID": message_id,
    }
    if _MESSAGE_ID.fullmatch(letter.answers):
        before = [each for each in letter.references if _MESSAGE_ID.fullmatch(each) and each != letter.answers]
        headers["In-Reply-To"] = letter.answers
        headers["References"] = "\n ".join([*before[-_MOST_REFERENCES:], letter.answers])
    head = "".join(f"{name}: {text}\n" for name, text in headers.items())
    raw = head.encode("ascii", "replace") + _content(letter.body)
    if message_from_bytes(raw).keys() != [*headers, *_CONTENT_HEADERS]:
        raise ToolError("mail: the message could not be written with the headers it should have; nothing was stored")
    return raw


def _content(body: str) -> bytes:
    content = EmailMessage(policy=_WIRE)
    text = _writable(body)
    is_unusual = any(unicodedata.category(character) == "Cc" and character not in "\t\n" for character in text)
    content.set_content(text, cte="quoted-printable" if is_unusual else None)
    return content.as_bytes()


def _encoded_subject(subject: str) -> str:
    # RFC 2047: what looks like an encoded word is encoded itself, so that it reads as it was written.
    is_plain = subject.isascii() and subject.isprintable() and "=?" not in subject
    return Header(subject, "us-ascii" if is_plain else "utf-8", header_name="Subject").encode(linesep="\n")


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def quoted(headings: Mapping[str, str], body: str) -> str:
    """A message as a marked quotation: each line, its headings too, behind `> `. Empty headings are left out."""
    named = [f"{name}: {' '.join(text.split())}" for name, text in headings.items() if text]
    lines = ["Forwarded message", *named, "", *body.splitlines()]
    return "\n".join(f"> {line}".rstrip(" ") for line in lines)


@dataclass(frozen=True, slots=True, repr=False)
class ReplyPlan:
    """To whom a reply goes, and the message whose subject it repeats. `are_vouched`: by a verified sender, or by the user who wrote to them.

    `called`: the name that the sender of the answered mail gives himself, or his address where he gives none; empty where the user wrote it.
    """

    recipients: tuple[str, ...]
    repeats: Seen
    are_vouched: bool
    called: str = ""

    @property
    def subject(self) -> str:
        """The subject of the reply."""
        return prefixed_subject("Re:", self.repeats.message.subject)

    @property
    def receivers(self) -> Receivers:
        """The same for the policy, lower case."""
        names = tuple(address.lower() for address in self.recipients)
        return Receivers(names, are_vouched=self.are_vouched, called=" ".join(self.called.split()))


def reply_plan(store: MailStore, seen: Seen) -> ReplyPlan:
    """The reply to a message: to its sender, and to those in its To and Cc to whom the user wrote earlier in the thread.

    Reply-To is never looked at.

    Raises:
        ToolError: the message is from no one plain address.
    """
    if store.is_sent_by_user(seen):
        return _again(seen, store.settings.own)
    sender = plain_address(seen.message.from_address)
    if sender is None:
        raise ToolError("reply_to_email: the mail is not from one plain address; write to the person with send_email")
    earlier, called = store.written_before(seen), seen.message.from_name.strip() or sender
    if seen.is_verified:
        known = {address.lower() for each in earlier for address in each.recipients}
        others = _others(seen, sender, known - store.settings.own) if seen.is_whole else []
        return ReplyPlan((sender, *others), seen, are_vouched=True, called=called)
    before = [each for each in earlier if sender.lower() in map(str.lower, each.recipients)]
    if before:
        # An unverified mail is readable by the user alone: subject and company are those of what the user wrote last.
        others = _others(seen, sender, set(map(str.lower, before[-1].recipients)) - store.settings.own)
        return ReplyPlan((sender, *others), before[-1], are_vouched=True, called=called)
    is_own = sender.lower() in store.settings.own
    return ReplyPlan((sender,), seen, are_vouched=is_own, called=called)


def _others(seen: Seen, sender: str, known: set[str]) -> list[str]:
    named = {each.lower(): each for each in map(plain_address, seen.recipients) if each}
    return [each for lower, each in named.items() if lower in known and lower != sender.lower()]


def _again(seen: Seen, own: frozenset[str]) -> ReplyPlan:
    recipients = [each for each in map(plain_address, seen.recipients) if each and each.lower() not in own]
    if not recipients:
        raise ToolError("reply_to_email: the mail names no other plain address; write to the person with send_email")
    return ReplyPlan(tuple(recipients), seen, are_vouched=True)


def usual_receivers_of_a_reply(args: dict[str, Plain]) -> Receivers:
    """Its mail's sender, where that one is verified."""
    email = args.get("email")
    sender = email.get("sender") if isinstance(email, dict) else None
    return Receivers((sender.lower(),)) if isinstance(sender, str) else UNKNOWN
