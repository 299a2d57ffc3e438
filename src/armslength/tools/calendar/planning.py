"""An event as a program describes it, checked, and its line for the approval screen."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from armslength.errors import ToolError
from armslength.tools.text.addresses import uri_address
from armslength.values import Plain

TEXTS = ("title", "location", "description")
_TIME = "%Y-%m-%d %H:%M"


@dataclass(frozen=True, slots=True, repr=False)
class Planned:
    """An event to be made: local times, naive; addresses in lower case."""

    title: str
    start: datetime
    end: datetime
    participants: tuple[str, ...]
    location: str
    description: str


def planned_event(args: dict[str, Plain]) -> Planned:
    """The event that a call describes.

    Raises:
        ToolError: a text holds control characters, a time or an address is none, or the event ends before it begins.
    """
    texts = {name: checked_text(args, name) for name in TEXTS}
    if not texts["title"].strip():
        raise ToolError("calendar: the event has no title; give one")
    start, end = time_in(args, "start"), time_in(args, "end")
    if end <= start:
        raise ToolError("calendar: end is not after start; exchange them or give a later end")
    return Planned(start=start, end=end, participants=addresses_in(args, "participants"), **texts)


def checked_text(args: dict[str, Plain], name: str) -> str:
    """A text of a call, its line ends LF.

    Raises:
        ToolError: it holds control characters, or line breaks where it is no description.
    """
    text = str(args.get(name, "")).replace("\r\n", "\n")
    allowed = "\n\t" if name == "description" else ""
    if any(unicodedata.category(char) == "Cc" and char not in allowed for char in text):
        raise ToolError(f"calendar: {name} holds control characters or line breaks; leave them out")
    return text


def addresses_in(args: dict[str, Plain], name: str) -> tuple[str, ...]:
    """The addresses of a call, each once, in lower case.

    Raises:
        ToolError: one is none.
    """
    listed = args.get(name) or []
    found: list[str] = []
    for ordinal, given in enumerate(listed if isinstance(listed, list) else [listed], 1):
        address = uri_address(given)
        if address is None:
            raise ToolError(f"calendar: participant {ordinal} is no e-mail address; give one like kim@example.com")
        found.append(address)
    return tuple(dict.fromkeys(found))


def time_in(args: dict[str, Plain], name: str) -> datetime:
    """A local time of a call, naive.

    Raises:
        ToolError: it is none.
    """
    text = str(args.get(name, "")).strip()
    if re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", text, re.ASCII):
        try:
            return datetime.strptime(text, _TIME)  # noqa: DTZ007  # local times are naive
        except ValueError:
            pass
    raise ToolError(f'calendar: {name} is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30')


def day_line(start: datetime, end: datetime, title: str) -> str:
    """A line on one event of a day."""
    ends = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%H:%M} to {ends} {' '.join(title.split())}\n"
