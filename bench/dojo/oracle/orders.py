"""Answers about a mail that asks its reader to do things (workspace 13 and 19): its items, and what belongs to each."""

from __future__ import annotations

import re
from typing import Any

from bench.dojo.oracle.ideas import fresh_ideas
from bench.dojo.oracle.rendered import fields, records

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ITEM = re.compile(r"^\s*(?:[-*]\s*)?\d+\.\s+(.*)$", re.MULTILINE)
_FILE = re.compile(r"[\w-]+\.(?:docx|xlsx|pptx|pdf|txt|csv|md)\b")
_QUOTED = re.compile(r"""["“]([^"”]+)["”]|'([^']+)'""")
_NAMED = re.compile(r"\b(?i:to|with|invite|add|and)\s+([A-Z]\w+(?: [A-Z]\w+)*)")
_PERSON = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
_SCORE = re.compile(r"^([A-Z]\w+ [A-Z]\w+),[^,\s]+@[^,\s]+,(\d+),", re.MULTILINE)
_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_HOUR = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_KINDS = (
    ("send_email", r"\b(?:send|write|forward)\b.*\be?-?mail\b|\be?mail\s+(?:me|\S+@)"),
    ("reschedule_event", r"\b(?:reschedule|move|postpone)\b"),
    ("cancel_event", r"\bcancel\b"),
    ("add_participants", r"\b(?:invite|add)\b.*\bto\b.*\b(?:event|meeting|appointment)\b"),
    ("create_event", r"\b(?:create|schedule|book|set up)\b.*\b(?:event|meeting|appointment)\b"),
    ("delete_email", r"\bdelete\b.*\be?-?mail\b"),
    ("delete_file", r"\bdelete\b.*\bfile\b"),
    ("share_file", r"\bshare\b"),
    ("append_to_file", r"\b(?:add|append)\b.*\bto\b.*\bfile\b"),
    ("create_file", r"\b(?:create|write|make)\b.*\bfile\b"),
)


def orders(data: str) -> list[str]:
    """The numbered items of the mail's body, with its sender's address where it says "me"."""
    mail = fields(data)
    return [re.sub(r"\bme\b", mail["sender"], item.strip()) for item in _ITEM.findall(mail["body"])]


def kind(data: str) -> str:
    """What is done, by its verb and what that is done to."""
    flat = " ".join(data.split())
    return next((name for name, words in _KINDS if re.search(words, flat, re.IGNORECASE)), "other")


def people(data: str) -> list[str]:
    """The addresses in the action, else the names of those to whom something is done."""
    action = _action(data)
    return list(dict.fromkeys(_ADDRESS.findall(action))) or _NAMED.findall(action)


def letter(data: str) -> dict[str, Any]:
    """Subject and body as far as the text has them. What it says stands elsewhere is named, not made up."""
    action = _action(data)
    subject = re.search(r"""["“']([^"”']+)["”'] as (?:the|its) subject""", action)
    wanted = re.search(r"\bwith (the .*?)\.(?:\s|$)", action, re.DOTALL)
    is_sent_along = re.search(r"\battach", action, re.IGNORECASE)
    return {
        "subject": subject[1] if subject else "",
        "body": f"You asked for {wanted[1]}." if wanted else action,
        "file": file_name(action) or None if is_sent_along else None,
    }


def letter_from_files(data: str) -> dict[str, Any]:
    """The same, with the scores of those whom the action names, as a file of the rows name, address, score has them."""
    letter_alone = letter(data)
    names = _PERSON.findall(" ".join(_action(data).split()))
    rows = dict(reversed(_SCORE.findall("\n".join(file["content"] for file in records(fields(data)["files"])))))
    scores = [f"{name}: {rows[name]}" for name in names if name in rows]
    return {
        "subject": letter_alone["subject"],
        "body": "\n".join(scores) or letter_alone["body"],
        "attach": letter_alone["file"] is not None,
    }


def file_name(data: str) -> str:
    """The first file that the action names."""
    named = _FILE.search(data)
    return named[0] if named else ""


def permission(data: str) -> str:
    """To write only where the action says so."""
    return "rw" if re.search(r"\b(?:write|edit|rw)\b", _action(data), re.IGNORECASE) else "r"


def addition(data: str) -> str:
    """What the action quotes to be added; where it asks for suggestions, two."""
    action = _action(data)
    if re.search(r"\bsuggest\b.*\bactivities\b", action, re.DOTALL):
        return "\n".join(f"- {idea}" for idea in fresh_ideas(data))
    return _quoted(action)


def new_file(data: str) -> dict[str, str]:
    """Name and content of a file that is to be made."""
    action = _action(data)
    return {"filename": file_name(action), "content": _quoted(action)}


def title(data: str) -> str:
    """What the action quotes, be it an event's title or a mail's subject."""
    return _quoted(data)


def event(data: str) -> dict[str, Any]:
    """What the event is called; an action says nothing more of it in words that are told apart."""
    place = re.search(r"\bat the ([\w' ]+)", _action(data))
    return {"title": _quoted(_action(data)), "description": "", "location": place[1].strip() if place else None}


def moment(data: str) -> dict[str, int]:
    """When; nothing but noughts where the action does not say it."""
    action = _action(data)
    day, hour = _DAY.search(action), _HOUR.search(action)
    year, month, number = map(int, day.groups()) if day else (0, 0, 0)
    hours, minutes = map(int, hour.groups()) if hour else (0, 0)
    return {"year": year, "month": month, "day": number, "hour": hours, "minute": minutes}


def span(data: str) -> dict[str, int]:
    """When, and how long: an hour where it is not said."""
    long = re.search(r"\b(\d+)[ -](minute|hour)", _action(data))
    minutes = 60 if long is None else int(long[1]) * (60 if long[2] == "hour" else 1)
    return {**moment(data), "minutes": minutes}


def _action(data: str) -> str:
    """The action alone, of it and the mail in which it stood."""
    return fields(data).get("action", data)


def _quoted(text: str) -> str:
    found = _QUOTED.search(text)
    return "" if found is None else found[1] or found[2]
