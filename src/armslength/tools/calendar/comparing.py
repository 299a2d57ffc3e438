"""Whether two .ics texts say the same: a server may write what it was given in other words, and note things of its own beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

from armslength.errors import ToolError
from armslength.tools.calendar.editing import Component, Property, address_of, read_calendar, read_property, unescaped
from armslength.tools.calendar.ics import ANSWERS, Entry, Moment, read_entries

_NOTED = frozenset({"DTSTAMP", "LAST-MODIFIED", "CREATED", "PRODID", "VERSION", "CALSCALE", "METHOD", "SEQUENCE"})
"""What says when, how often and by which program it was written, and nothing of the event."""
_CORE = frozenset(
    "UID SUMMARY LOCATION DESCRIPTION DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID STATUS ORGANIZER ATTENDEE".split()
)
"""What is shown of an event, and decides when it is and who takes part."""
_PEOPLE = ("ORGANIZER", "ATTENDEE")
_ANSWERS = {"PARTSTAT": ANSWERS, "RSVP": frozenset({"TRUE", "FALSE"})}
"""By which parameters it is answered, and the words for it: anything else there was written by somebody."""
_OF_SERVERS = frozenset({"SCHEDULE-STATUS", "SCHEDULE-AGENT"})


def whole_of(content: bytes) -> str:
    """A digest of all that a text says, however it is written, and of when its events are."""
    return _digest([*sorted(_said(content, core=False)), *_when(content)])


def core_of(content: bytes) -> str:
    """A digest of what its events show: what a server noted beside that makes no difference."""
    return _digest([*sorted(_said(content, core=True)), *_when(content)])


def _when(content: bytes) -> list[str]:
    """When those events are whose times are in zones that the text defines."""
    entries = read_entries("", content)[0] if b"VTIMEZONE" in content.upper() else []
    return sorted("\v".join([each.uid, *_times(each)]) for each in entries if each.zones)


def words_of(entry: Entry) -> bytes:
    """All that one event says but for what was answered to it: participants answer, and write nothing by that.

    Where its times are in zones that its text defines, also when it is by that: a zone alone moves it.
    """
    return _words_of(entry.content) + "\n".join(["", *_times(entry)] if entry.zones else []).encode("utf-8", "replace")


def _times(entry: Entry) -> Iterator[str]:
    """Its moments in UTC; of one that repeats, which it does in its zone, also what that is."""
    try:
        moments = [entry.start, entry.until, *entry.added, *sorted(entry.excluded, key=str)]
        yield from (_instant(each) for each in moments)
        yield str(entry.length)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        yield entry.zones  # a zone that cannot be evaluated
    if entry.rule is not None:
        yield entry.zones


def _instant(moment: Moment | None) -> str:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC).isoformat()
    return "" if moment is None else moment.isoformat()


@lru_cache(maxsize=8_192)
def _words_of(event: bytes) -> bytes:
    return "\n".join(sorted(_said(_alone(event), core=False, are_answers_in=False))).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=8_192)
def people_of(event: bytes) -> tuple[str, ...]:
    """Who invites to one VEVENT and who takes part, with all that is said of each but what was answered."""
    calendar = read_calendar(_alone(event))
    people = (each for part in calendar.components("VEVENT") for name in _PEOPLE for each in part.properties(name))
    return tuple(sorted(_whole_line(each, are_answers_in=False) for each in people))


def _alone(event: bytes) -> bytes:
    return b"BEGIN:VCALENDAR\r\n" + event.strip() + b"\r\nEND:VCALENDAR\r\n"


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _said(content: bytes, *, core: bool, are_answers_in: bool = True) -> Iterator[str]:
    try:
        calendar = read_calendar(content)
    except ToolError:
        yield hashlib.sha256(content).hexdigest()  # no calendar: it says its bytes
        return
    for event in calendar.components("VEVENT"):
        yield "\v".join(sorted(_lines(event, core=core, are_answers_in=are_answers_in)))
    if not core:
        others = [
            each
            for each in calendar.parts
            if not (isinstance(each, Component) and each.name in {"VEVENT", "VTIMEZONE"})
        ]
        yield "\v".join(sorted(_lines(Component("", others), core=False)))


def _lines(component: Component, *, core: bool, are_answers_in: bool = True) -> Iterator[str]:
    for each in component.parts:
        if isinstance(each, Component):
            if not core:
                yield f"{each.name}\f" + "\f".join(sorted(_lines(each, core=False)))
            continue
        found = read_property(each)
        if found is None:
            yield each
        elif core and found.name in _CORE:
            yield _core_line(found)
        elif not core and found.name not in _NOTED:
            yield _whole_line(found, are_answers_in=are_answers_in)


def _core_line(found: Property) -> str:
    if found.name in {"ATTENDEE", "ORGANIZER"}:
        answer = found.parameter("PARTSTAT").upper() or "NEEDS-ACTION"
        return f"{found.name} {address_of(found) or found.value} {answer if found.name == 'ATTENDEE' else ''}"
    return f"{found.name} {found.parameter('TZID')} {unescaped(found.value.strip())}"


def _whole_line(found: Property, *, are_answers_in: bool) -> str:
    said = [(name, value.strip('"')) for name, value in found.parameters if name not in _OF_SERVERS]
    kept = [each for each in said if are_answers_in or each[1].upper() not in _ANSWERS.get(each[0], frozenset())]
    parameters = sorted("=".join(each) for each in kept)
    return f"{found.name};{';'.join(parameters)}:{unescaped(found.value.strip())}"
