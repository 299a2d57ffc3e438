"""Events out of .ics text (RFC 5545), as far as they can be read, with their repetitions and in local time.

What is broken is left out and named as a flaw. Time zone definitions that could be expensive to evaluate are taken out first (`zones`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component

from armslength.tools.calendar.bounds import within_bounds
from armslength.tools.calendar.recurrence import Budget, Rule, days, parse_rule
from armslength.tools.calendar.zones import without_costly_zones, zones_of_one_text

MOST_PARTICIPANTS = 500
_MOST_OF = {"ATTENDEE": MOST_PARTICIPANTS, "ORGANIZER": 1}
ANSWERS = frozenset({"NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE", "DELEGATED"})
"""What a participant can answer (RFC 5545, section 3.2.12). Any other text there is no answer."""
_MOST_SPAN = timedelta(days=366)
Moment = date | datetime


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in a calendar file that could not be used; `path` names the file."""

    path: str
    what: str


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One VEVENT: its texts, its first time, and how it repeats. `content` is its serialisation, for the ledger."""

    key: str
    uid: str
    content: bytes
    title: str
    location: str
    description: str
    participants: tuple[str, ...]
    start: Moment
    length: timedelta
    rule: Rule | None
    until: Moment | None
    excluded: frozenset[Moment]
    added: tuple[Moment, ...]
    replaces: Moment | None
    organizer: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    """What each participant answered (PARTSTAT, upper case), by address in lower case."""
    ordinal: int = 0
    """Its place among the events of its text."""
    has_more_people: bool = False
    """Whether somebody takes part whom neither `participants` nor `organizer` names: by no address of mail, or one too many."""
    sequence: int = 0
    """Which revision of the event its organizer calls it (SEQUENCE); -1 where that is no number."""
    zones: str = ""
    """What its text says of the zones that its times are in, where they are none of the system's."""


@dataclass(frozen=True, slots=True, repr=False)
class Occurrence:
    """One time an event takes place, naive local times; an all-day event ends at 00:00 of the day after. `moment`: the start as it is written."""

    key: str
    entry: Entry
    start: datetime
    end: datetime
    moment: Moment


_OPENING = re.compile(r"^BEGIN:VEVENT[ \t\r]*$", re.IGNORECASE | re.MULTILINE)
_CALENDAR = re.compile(r"^BEGIN:VCALENDAR[ \t\r]*$", re.IGNORECASE | re.MULTILINE)


def read_entries(path: str, content: bytes) -> tuple[list[Entry], list[Flaw]]:
    """The events of one .ics file that are not cancelled; those that another component replaces know it."""
    text, has_dropped = without_costly_zones(content.decode("utf-8-sig", "replace"))
    flaws = [Flaw(path, "a time zone that is costly to evaluate was left out")] if has_dropped else []
    text, left_out = within_bounds(text)
    flaws += [Flaw(path, each) for each in left_out]
    events, is_whole = _events(text)
    if not is_whole:
        flaws.append(Flaw(path, "not a readable calendar; only events that can be read alone were taken"))
    elif len(_OPENING.findall(text)) > len(events) or (text.strip() and not _CALENDAR.search(text)):
        flaws.append(Flaw(path, "not a whole calendar; what is cut off in it was left out"))
    entries: list[Entry] = []
    cancelled: list[tuple[str, Moment]] = []
    zones = "".join(sorted(blocks(text, "VTIMEZONE")))
    for ordinal, event in enumerate(events):
        try:
            entry = _entry(event, path, ordinal, zones)
            if entry.rule is None and event.get("RRULE") is not None and entry.replaces is None:
                flaws.append(
                    Flaw(path, f"event {ordinal + 1} repeats in a way that is not followed; its first time is shown")
                )
        except Exception:  # noqa: BLE001  # the parser is not ours and its input is anybody's
            flaws.append(Flaw(path, f"event {ordinal + 1} cannot be read"))
            continue
        if _text(event, "STATUS").upper() != "CANCELLED":
            entries.append(entry)
        elif entry.replaces is not None:
            cancelled.append((entry.uid, entry.replaces))
    return _with_replacements(entries, cancelled), flaws


def blocks(text: str, name: str) -> list[str]:
    """The raw text of every component of that name whose lines end in CRLF, in one pass."""
    found: list[str] = []
    at, text = 0, f"\n{text}"
    opening, closing = f"\nBEGIN:{name}\r\n", f"\nEND:{name}\r\n"
    while (begin := text.find(opening, at)) >= 0 and (end := text.find(closing, begin)) >= 0:
        at = end + len(closing) - 1
        found.append(text[begin + 1 : at + 1])
    return found


def _events(text: str) -> tuple[list[Component], bool]:
    """The VEVENTs, and whether the text could be parsed whole; else each is tried alone, and each zone before."""
    with zones_of_one_text():
        if (whole := _parsed_if_it_can_be(text)) is not None:
            return whole, True
        for zone in blocks(text, "VTIMEZONE"):
            _parsed_if_it_can_be(f"BEGIN:VCALENDAR\r\n{zone}END:VCALENDAR\r\n")
        alone = (f"BEGIN:VCALENDAR\r\n{block}END:VCALENDAR\r\n" for block in blocks(text, "VEVENT"))
        return [event for each in alone for event in _parsed_if_it_can_be(each) or ()], False


def _parsed_if_it_can_be(text: str) -> list[Component] | None:
    try:
        return _parsed(text)
    except Exception:  # noqa: BLE001  # the parser is not ours and its input is anybody's
        return None


def _parsed(text: str) -> list[Component]:
    return [event for calendar in Calendar.from_ical(text, multiple=True) for event in calendar.walk("VEVENT")]


def _with_replacements(entries: list[Entry], cancelled: list[tuple[str, Moment]]) -> list[Entry]:
    replaced: dict[str, set[Moment]] = {}
    for uid, moment in [*cancelled, *((each.uid, each.replaces) for each in entries if each.replaces is not None)]:
        replaced.setdefault(uid, set()).add(moment)
    made = []
    for each in entries:
        gone = replaced.get(each.uid) if each.replaces is None else None
        fields = {name: getattr(each, name) for name in Entry.__slots__}
        made.append(Entry(**{**fields, "excluded": each.excluded | gone}) if gone else each)
    return made


def _entry(event: Component, path: str, ordinal: int, zones: str) -> Entry:
    start = _moment(event, "DTSTART")
    if start is None:
        raise ValueError("no start")
    rules = [rule for rule in _all(event, "RRULE") if isinstance(rule, dict)]
    parts = {str(name): list(values) for name, values in rules[0].items()} if rules else None
    until = parts["UNTIL"][0] if parts is not None and "UNTIL" in parts else None
    replaces = _moment(event, "RECURRENCE-ID")
    return Entry(
        key=hashlib.sha256(f"{path}#{ordinal}".encode()).hexdigest()[:12],
        uid=_text(event, "UID"),
        content=event.to_ical(),
        title=_text(event, "SUMMARY"),
        location=_text(event, "LOCATION"),
        description=_text(event, "DESCRIPTION"),
        participants=_participants(event),
        organizer=next(iter(_addresses(event, "ORGANIZER")), ""),
        answers=_answers(event),
        has_more_people=_has_more_people(event),
        ordinal=ordinal,
        sequence=_sequence(event),
        zones=zones if _is_in_own_zone(event) else "",
        start=start,
        length=_length(event, start),
        rule=None if parts is None or replaces is not None else _rule(parts),
        until=until if isinstance(until, date) else None,
        excluded=frozenset(_instant(moment) for moment in _moments(event, "EXDATE")),
        added=tuple(_moments(event, "RDATE")),
        replaces=None if replaces is None else _instant(replaces),
    )


_TIMES = ("DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE")


def _is_in_own_zone(event: Component) -> bool:
    """Whether a time of it is in a zone that the system does not know, and its text says what that is."""
    listed = (each for name in _TIMES for each in _all(event, name))
    moments = (moment for each in listed for moment in (each.dts if hasattr(each, "dts") else [each]))
    values = (value for each in moments for value in (each.dt if isinstance(each.dt, tuple) else (each.dt,)))
    zones = (getattr(each, "tzinfo", None) for each in values)
    return any(each is not None and each is not UTC and not isinstance(each, ZoneInfo) for each in zones)


def _sequence(event: Component) -> int:
    text = _text(event, "SEQUENCE").strip() or "0"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _rule(parts: dict[str, list[Any]]) -> Rule | None:
    try:
        return parse_rule(parts)
    except ValueError:
        return None


def _all(event: Component, name: str) -> list[Any]:
    found = event.get(name)
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def _text(event: Component, name: str) -> str:
    found = _all(event, name)
    return str(found[0]) if found else ""


def _moment(event: Component, name: str) -> Moment | None:
    found = _all(event, name)
    if not found:
        return None
    moment = found[0].dt
    if not isinstance(moment, date):
        raise TypeError("not a date")
    return moment


def _moments(event: Component, name: str) -> Iterator[Moment]:
    for listed in _all(event, name):
        for each in listed.dts:
            moment = each.dt[0] if isinstance(each.dt, tuple) else each.dt
            if isinstance(moment, date):
                yield moment


def _length(event: Component, start: Moment) -> timedelta:
    """From DTEND, else from DURATION; without a readable one a day for days and nothing for times (RFC 5545, section 3.6.1)."""
    default = timedelta(0) if isinstance(start, datetime) else timedelta(days=1)
    try:
        end, durations = _moment(event, "DTEND"), _all(event, "DURATION")
        length = end - start if end is not None else durations[0].dt if durations else default
    except (AttributeError, TypeError, ValueError):
        return default
    return max(length, timedelta(0)) if isinstance(length, timedelta) else default


def _participants(event: Component) -> tuple[str, ...]:
    return tuple(dict.fromkeys(address for address in _addresses(event, "ATTENDEE") if address))


def _addresses(event: Component, name: str) -> Iterator[str]:
    """The addresses of mail in these properties; nothing for one that is none."""
    for each in _all(event, name)[:MOST_PARTICIPANTS]:
        address = str(each).strip()
        if address[:7].lower() == "mailto:":
            address = address[7:].strip()
        yield address if "@" in address else ""


def _answers(event: Component) -> tuple[tuple[str, str], ...]:
    given = zip(_addresses(event, "ATTENDEE"), _all(event, "ATTENDEE"), strict=False)
    said = {address.lower(): str(getattr(each, "params", {}).get("PARTSTAT", "")).upper() for address, each in given}
    return tuple((each, answer if answer in ANSWERS else "NEEDS-ACTION") for each, answer in said.items() if each)


def _has_more_people(event: Component) -> bool:
    listed = [*_addresses(event, "ATTENDEE"), *_addresses(event, "ORGANIZER")]
    return not all(listed) or any(len(_all(event, name)) > most for name, most in _MOST_OF.items())


def _instant(moment: Moment) -> Moment:
    """What makes two ways to write one time equal."""
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC)
    return moment


def local(moment: Moment, zone: tzinfo | None) -> datetime:
    """The naive local time of a moment; `zone` None is the machine's. Floating times and days are local already."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time())
    return moment.astimezone(zone).replace(tzinfo=None) if moment.tzinfo is not None else moment


@dataclass(frozen=True, slots=True)
class Window:
    """From which day to which repetitions are looked at (both included), and in which zone days are meant."""

    first: date
    last: date
    zone: tzinfo | None


def occurrences(entry: Entry, window: Window, budget: Budget) -> list[Occurrence]:
    """When the event takes place: always its own first time, its repetitions around the window, never an excluded one."""
    moments = {_instant(moment): moment for moment in _moments_of(entry, window, budget)}
    found = []
    for instant, moment in moments.items():
        day = moment.date() if isinstance(moment, datetime) else moment
        if instant in entry.excluded or day in entry.excluded:
            continue
        start = local(moment, window.zone)
        key = f"{entry.key}-{start:%Y%m%d}" if entry.rule or entry.added else entry.key
        found.append(Occurrence(key, entry, start, local(moment + entry.length, window.zone), moment))
    return found


def _moments_of(entry: Entry, window: Window, budget: Budget) -> Iterator[Moment]:
    if entry.rule is None:
        yield entry.start
    else:
        margin = min(entry.length, _MOST_SPAN) + timedelta(days=2)
        first_day = entry.start.date() if isinstance(entry.start, datetime) else entry.start
        for day in days(entry.rule, first_day, window.first - margin, window.last + timedelta(days=2), budget):
            moment = datetime.combine(day, entry.start.timetz()) if isinstance(entry.start, datetime) else day
            if entry.until is not None and _is_after(moment, entry.until):
                break
            yield moment
    yield from entry.added


def _is_after(moment: Moment, until: Moment) -> bool:
    if not isinstance(moment, datetime) or not isinstance(until, datetime):
        return _day(moment) > _day(until)
    if (moment.tzinfo is None) == (until.tzinfo is None):
        return moment > until
    return moment.replace(tzinfo=None) > until.replace(tzinfo=None)


def _day(moment: Moment) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
