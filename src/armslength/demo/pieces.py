"""What a home is made of: a Maildir, calendar files, an address book. Everything written is a function of the arguments alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from icalendar import Calendar, vCalAddress
from icalendar import Event as IcsEvent

_WIRE = SMTP.clone(linesep="\n", max_line_length=78)


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that a mail carries."""

    name: str
    mime: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to be put into a Maildir. `sender`: `Name <address>`; `ago`: how long before now it was delivered.

    `html` alone makes an HTML-only mail, `text` with it an alternative. `verified_by`: the server whose genuine result is put on top.
    `headers`: further fields, before all others but that result. `answers`: the slug of the mail that it follows.
    """

    slug: str
    sender: str
    subject: str
    text: str = ""
    ago: timedelta = timedelta()
    html: str = ""
    is_unread: bool = False
    folder: str = ""
    to: str = ""
    cc: str = ""
    verified_by: str = ""
    answers: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    attached: tuple[Attached, ...] = ()
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """An event to be put into a calendar. `start` is local to the machine; participants are addresses."""

    slug: str
    title: str
    start: datetime
    length: timedelta
    participants: tuple[str, ...] = ()
    location: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """An entry of the address book."""

    name: str
    email: str
    phone: str = ""


def message_id(slug: str) -> str:
    """The Message-ID of the mail of that slug."""
    return f"<{slug}@mail.example.com>"


def write_maildir(folder: Path, mails: Sequence[Mail], now: datetime, owner: str) -> None:
    """A Maildir with these mails. Unread ones lie in `new`, read ones in `cur` with the flag S; `owner` is the address they go to."""
    for name in {"", *(mail.folder for mail in mails)}:
        for inner in ("cur", "new", "tmp"):
            (_place(folder, name) / inner).mkdir(parents=True, exist_ok=True)
    for number, mail in enumerate(mails, 1):
        delivered = now - mail.ago
        unique = f"{int(delivered.timestamp())}.M{number:06}P1.home"
        path = Path("new") / unique if mail.is_unread else Path("cur") / f"{unique}:2,S"
        raw = _raw(mail, delivered, owner) if mail.raw is None else mail.raw
        (_place(folder, mail.folder) / path).write_bytes(raw)


def _place(folder: Path, name: str) -> Path:
    return folder / f".{name}" if name else folder


def _raw(mail: Mail, delivered: datetime, owner: str) -> bytes:
    message = EmailMessage(policy=_WIRE)
    address = mail.sender.rpartition("<")[2].rstrip(">")
    if mail.verified_by:
        domain = address.rpartition("@")[2]
        message["Authentication-Results"] = f"{mail.verified_by}; dmarc=pass header.from={domain}"
    for name, text in mail.headers:
        message[name] = text
    message["From"] = mail.sender
    message["To"] = mail.to or owner
    if mail.cc:
        message["Cc"] = mail.cc
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(delivered)
    message["Message-ID"] = message_id(mail.slug)
    if mail.answers:
        message["In-Reply-To"] = message["References"] = message_id(mail.answers)
    if mail.html and not mail.text:
        message.set_content(mail.html, subtype="html")
    else:
        message.set_content(mail.text)
        if mail.html:
            message.add_alternative(mail.html, subtype="html")
    for each in mail.attached:
        main, _, sub = each.mime.partition("/")
        message.add_attachment(each.content, maintype=main, subtype=sub, filename=each.name)
    if message.is_multipart():
        message.set_boundary(f"=={mail.slug}==")  # the one that would be drawn by chance otherwise
    return message.as_bytes()


def write_calendar(file: Path, meetings: Iterable[Meeting]) -> None:
    """One .ics file with these events."""
    calendar = Calendar()
    calendar.add("PRODID", "-//example//home//EN")
    calendar.add("VERSION", "2.0")
    for meeting in meetings:
        event = IcsEvent()
        event.add("UID", f"{meeting.slug}@calendar.example.com")
        event.add("DTSTAMP", meeting.start.astimezone(UTC))
        event.add("DTSTART", meeting.start.astimezone(UTC))
        event.add("DTEND", (meeting.start + meeting.length).astimezone(UTC))
        event.add("SUMMARY", meeting.title)
        if meeting.location:
            event.add("LOCATION", meeting.location)
        if meeting.description:
            event.add("DESCRIPTION", meeting.description)
        for address in meeting.participants:
            event.add("ATTENDEE", vCalAddress(f"mailto:{address}"))
        calendar.add_component(event)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(calendar.to_ical())


def write_contacts(file: Path, people: Iterable[Person]) -> None:
    """One .vcf file with these people."""
    cards = []
    for person in people:
        given, _, family = person.name.partition(" ")
        lines = ["BEGIN:VCARD", "VERSION:3.0", f"FN:{person.name}", f"N:{family};{given};;;", f"EMAIL:{person.email}"]
        lines += [f"TEL:{person.phone}"] if person.phone else []
        cards += [*lines, "END:VCARD", ""]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\r\n".join(cards), "utf-8")


def write_files(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Text files by name."""
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
