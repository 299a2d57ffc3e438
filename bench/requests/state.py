"""What a home holds on disk, read without the package's own readers, and what of it has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes
from email.policy import default as mail_policy
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from icalendar import Calendar

Disk = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail that was put into the outbox; addresses in lower case."""

    to: tuple[str, ...]
    subject: str
    body: str
    is_reply: bool


@dataclass(frozen=True, slots=True)
class Made:
    """An event that was not there before; times are naive and local."""

    title: str
    start: datetime
    end: datetime
    participants: tuple[str, ...]
    location: str


@dataclass(frozen=True, slots=True)
class Posted:
    """A message in a Slack channel, its name without #."""

    channel: str
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """All that differs. `files`: content before (None: new) and after, by name. `other`: whatever no request asks for, by path."""

    sent: tuple[Sent, ...] = ()
    made: tuple[Made, ...] = ()
    posted: tuple[Posted, ...] = ()
    files: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    other: tuple[str, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """Which fields hold something."""
        return frozenset(name for name in ("sent", "made", "posted", "files", "other") if getattr(self, name))


def disk_of(home: Path) -> Disk:
    """Every file but the assistant's own state, by path."""
    found = {path.relative_to(home).as_posix(): path for path in home.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith("state/")}


def changes_between(before: Disk, after: Disk) -> Changes:
    """What became of a home."""
    sent: list[Sent] = []
    made: list[Made] = []
    posted: list[Posted] = []
    files: dict[str, tuple[str | None, str]] = {}
    other: list[str] = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        top = name.partition("/")[0]
        if new is None:
            other.append(f"{name} is gone")
        elif name.startswith("mail/.Outbox/") and old is None:
            sent.append(read_mail(new))
        elif top == "calendar":
            made += _new_events(old or b"", new, other)
        elif name.startswith("standin/slack/"):
            posted += _new_messages(name, old or b"", new, other)
        elif top == "files":
            files[name.removeprefix("files/")] = (None if old is None else old.decode(), new.decode())
        else:
            other.append(f"{name} {'is new' if old is None else 'changed'}")
    return Changes(tuple(sent), tuple(made), tuple(posted), files, tuple(other))


def read_mail(raw: bytes) -> Sent:
    """A message of the outbox."""
    message = message_from_bytes(raw, policy=mail_policy)
    addresses = getaddresses([str(message.get(name, "")) for name in ("To", "Cc", "Bcc")])
    body = message.get_body(("plain",))
    return Sent(
        to=tuple(address.lower() for _, address in addresses if address),
        subject=str(message["Subject"] or ""),
        body="" if body is None else body.get_content(),
        is_reply=message["In-Reply-To"] is not None,
    )


def _new_events(old: bytes, new: bytes, other: list[str]) -> list[Made]:
    before, after = (_events(content) for content in (old, new))
    other += [f"the event {uid} is not what it was" for uid in before if before[uid] != after.get(uid)]
    return [made for uid, made in after.items() if uid not in before]


def _events(content: bytes) -> dict[str, Made]:
    if not content:
        return {}
    found = {}
    for event in Calendar.from_ical(content).walk("VEVENT"):
        attendees = event.get("ATTENDEE", [])
        listed = attendees if isinstance(attendees, list) else [attendees]
        found[str(event["UID"])] = Made(
            str(event["SUMMARY"]),
            _local(event.decoded("DTSTART")),
            _local(event.decoded("DTEND")),
            tuple(str(each).lower().removeprefix("mailto:") for each in listed),
            str(event.get("LOCATION", "")),
        )
    return found


def _local(moment: Any) -> datetime:
    return datetime.fromisoformat(moment.isoformat()).astimezone().replace(tzinfo=None)


def _new_messages(name: str, old: bytes, new: bytes, other: list[str]) -> list[Posted]:
    if not new.startswith(old):
        other.append(f"{name} was rewritten")
        return []
    lines = [json.loads(line) for line in new[len(old) :].splitlines() if line.strip()]
    return [Posted(str(line["channel"]).lstrip("#"), str(line["text"])) for line in lines]
