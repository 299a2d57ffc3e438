"""What is there on disk before a run and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import getaddresses
from pathlib import Path
from typing import cast

from icalendar import Calendar


@dataclass(frozen=True, slots=True)
class Letter:
    """A message that we wrote."""

    receivers: frozenset[str]
    answers: str
    text: str
    attachments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the calendar, its times local."""

    title: str
    start: datetime
    end: datetime
    participants: frozenset[str]
    location: str
    text: str


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a run may change, apart from our own state."""

    outbox: tuple[Letter, ...]
    drafts: tuple[Letter, ...]
    events: tuple[Entry, ...]
    files: Mapping[str, str]
    places: Mapping[str, str]
    """The folder of each received mail, by its id."""
    posts: tuple[str, ...]


def state_of(home: Path) -> State:
    """What is there now."""
    mail = home / "mail"
    return State(
        tuple(map(_letter, _messages(mail / ".Outbox"))),
        tuple(map(_letter, _messages(mail / ".Drafts"))),
        tuple(_entries(home / "calendar")),
        {
            path.relative_to(home / "files").as_posix(): path.read_text("utf-8")
            for path in sorted((home / "files").rglob("*"))
            if path.is_file()
        },
        dict(_places(mail)),
        tuple(path.read_text("utf-8") for path in sorted((home / "standin" / "slack").iterdir())),
    )


def _messages(folder: Path) -> Iterator[EmailMessage]:
    for path in sorted([*folder.glob("cur/*"), *folder.glob("new/*")]):
        yield cast("EmailMessage", message_from_bytes(path.read_bytes(), policy=default))


def _letter(message: EmailMessage) -> Letter:
    body = message.get_body(("plain",))
    text = "" if body is None else str(body.get_content())
    parties = getaddresses([str(each) for name in ("To", "Cc", "Bcc") for each in message.get_all(name, [])])
    return Letter(
        frozenset(address.lower() for _, address in parties if address),
        str(message.get("In-Reply-To", "")).strip(),
        f"{message.get('Subject', '')}\n{text}",
        tuple(each.get_filename() or "" for each in message.iter_attachments()),
    )


def _places(mail: Path) -> Iterator[tuple[str, str]]:
    for folder in [mail, *(each for each in mail.iterdir() if each.name.startswith("."))]:
        if folder.name in {".Outbox", ".Drafts"}:
            continue
        for message in _messages(folder):
            yield str(message["Message-ID"]).strip(), "" if folder == mail else folder.name[1:]


def _entries(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*.ics")):
        for event in Calendar.from_ical(path.read_bytes()).walk("VEVENT"):
            found = event.get("ATTENDEE", [])
            guests = found if isinstance(found, list) else [found]
            texts = [str(event.get(name, "")) for name in ("SUMMARY", "LOCATION", "DESCRIPTION")]
            yield Entry(
                texts[0],
                _local(event["DTSTART"].dt),
                _local(event["DTEND"].dt),
                frozenset(str(guest).lower().removeprefix("mailto:") for guest in guests),
                texts[1],
                "\n".join(texts),
            )


def _local(moment: datetime) -> datetime:
    return moment.astimezone().replace(tzinfo=None)
