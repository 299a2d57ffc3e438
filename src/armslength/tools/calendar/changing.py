"""What each change makes of an event's text: answered, moved, renamed, taken out of a series. Nothing here asks a server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from armslength.errors import ToolError
from armslength.tools.calendar.editing import (
    Component,
    Property,
    address_of,
    answered,
    asked_again,
    attendee,
    day_property,
    read_calendar,
    text_property,
    unescaped,
    utc_property,
    written_calendar,
)
from armslength.tools.calendar.ics import Moment, Occurrence
from armslength.tools.calendar.planning import Planned

_FIELDS = {"title": "SUMMARY", "location": "LOCATION", "description": "DESCRIPTION"}


@dataclass(frozen=True, slots=True)
class Clock:
    """`now`: the start of the run; `zone`: what local time is, None for the machine's."""

    now: datetime
    zone: tzinfo | None

    def aware(self, moment: datetime) -> datetime:
        """A naive local time with its zone."""
        return moment.astimezone() if self.zone is None else moment.replace(tzinfo=self.zone)


def new_event(planned: Planned, uid: str, organizer: str, clock: Clock) -> bytes:
    """A calendar with the one event. `organizer`: who invites, if there is anybody to invite.

    Raises:
        ToolError: there is, and nobody invites.
    """
    event = Component("VEVENT")
    made = [Property("UID", (), uid), utc_property("DTSTAMP", clock.now), *_times(planned.start, planned.end, clock)]
    for name, text in (("title", planned.title), ("location", planned.location), ("description", planned.description)):
        if text:
            made.append(text_property(_FIELDS[name], text))
    others = [address for address in planned.participants if address != organizer]
    if others:
        if not organizer:
            raise ToolError("calendar: nobody is there to invite them: user.addresses names no address of yours")
        made.append(Property("ORGANIZER", (), f"mailto:{organizer}"))
        made += [attendee(address) for address in others]
    event.parts = [each.line() for each in made]
    head = [Property("VERSION", (), "2.0").line(), Property("PRODID", (), "-//armslength//calendar//EN").line()]
    return written_calendar(Component("VCALENDAR", [*head, event]))


def _times(start: datetime, end: datetime, clock: Clock) -> list[Property]:
    """From midnight to midnight is whole days; else it is two moments."""
    if _is_midnight(start, end):
        return [day_property("DTSTART", start.date()), day_property("DTEND", end.date())]
    return [utc_property("DTSTART", clock.aware(start)), utc_property("DTEND", clock.aware(end))]


def _is_midnight(*moments: datetime) -> bool:
    return all((each.hour, each.minute) == (0, 0) for each in moments)


def answered_event(content: bytes, uid: str, own: frozenset[str], answer: str, clock: Clock) -> bytes:
    """The invitation with the answer of whoever has one of these addresses, in the series and in each changed time of it.

    Raises:
        ToolError: nobody of them is invited, or it cannot be read.
    """
    calendar = read_calendar(content)
    is_found = False
    for event in calendar.components("VEVENT"):
        listed = list(event.properties("ATTENDEE"))
        if uid_of(event) != uid or not any(address_of(each) in own for each in listed):
            continue
        is_found = True
        event.put("ATTENDEE", *(answered(each, answer) if address_of(each) in own else each for each in listed))
        event.put("DTSTAMP", utc_property("DTSTAMP", clock.now))
    if not is_found:
        raise ToolError("answer_invitation: you are not among those who are invited; nothing was answered")
    return _without_method(calendar)


@dataclass(frozen=True, slots=True, repr=False)
class Change:
    """What is to be otherwise; None and nothing leave it."""

    texts: dict[str, str]
    start: datetime | None
    end: datetime | None
    more: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether all stays."""
        return not (self.texts or self.start or self.end or self.more)


def changed_event(content: bytes, at: Occurrence, change: Change, clock: Clock, *, is_one: bool) -> bytes:
    """The event with the change. `at`: the time of it that is meant; `is_one`: that one time of a series, which gets a component of its own.

    Raises:
        ToolError: it cannot be read, or would end before it begins.
    """
    calendar = read_calendar(content)
    event = _override(calendar, at) if is_one else _component(calendar, at)
    for name, text in change.texts.items():
        event.put(_FIELDS[name], text_property(_FIELDS[name], text))
    if "description" in change.texts:
        event.put("X-ALT-DESC")  # the earlier one, as HTML
    if change.start is not None or change.end is not None:
        _move(event, at, change, clock, is_series=not is_one and at.entry.rule is not None)
    if change.more:
        known = {address_of(each) for each in event.properties("ATTENDEE")}
        added = [attendee(address) for address in change.more if address not in known]
        event.put("ATTENDEE", *event.properties("ATTENDEE"), *added)
    _touch(event, clock.now)
    return _without_method(calendar)


def without_occurrence(content: bytes, at: Occurrence, clock: Clock) -> bytes:
    """The series without this one time (EXDATE; RFC 5545, section 3.8.5.1).

    Raises:
        ToolError: it cannot be read.
    """
    calendar = read_calendar(content)
    event = _component(calendar, at)
    if at.entry.replaces is None:
        master, gone = event, _moment_property("EXDATE", at.moment, event, at)
    else:
        named = next(event.properties("RECURRENCE-ID"))
        master = _master(calendar, at.entry.uid)
        gone = Property("EXDATE", tuple(each for each in named.parameters if each[0] in {"TZID", "VALUE"}), named.value)
        calendar.parts.remove(event)
    master.put("EXDATE", *master.properties("EXDATE"), gone)
    _touch(master, clock.now)
    return _without_method(calendar)


def addresses_of_all(content: bytes) -> frozenset[str]:
    """Everybody in any event of the text, cancelled or not to be read otherwise, in lower case.

    Raises:
        ToolError: it cannot be read.
    """
    events = read_calendar(content).components("VEVENT")
    found = (
        address_of(each) for event in events for name in ("ATTENDEE", "ORGANIZER") for each in event.properties(name)
    )
    return frozenset(found) - {""}


def check_alone(content: bytes, uid: str) -> None:
    """That nothing else lies in the text.

    Raises:
        ToolError: something does, and would go with it.
    """
    calendar = read_calendar(content)
    parts = [each for each in calendar.parts if isinstance(each, Component) and each.name != "VTIMEZONE"]
    if any(each.name != "VEVENT" or uid_of(each) != uid for each in parts):
        raise ToolError("calendar: other things lie in one text with the event, so it was not taken out; do it by hand")


def raised(content: bytes, over: bytes) -> bytes:
    """The text with a SEQUENCE above the other's, so that a return to it counts as newer (RFC 5546, section 2.1.4)."""
    calendar, other = read_calendar(content), read_calendar(over)
    highest = max((_sequence(each) for each in other.components("VEVENT")), default=0)
    for event in calendar.components("VEVENT"):
        if next(event.properties("ORGANIZER"), None) is not None:
            event.put("SEQUENCE", Property("SEQUENCE", (), str(highest + 1)))
    return written_calendar(calendar)


def uid_of(event: Component) -> str:
    """Its UID."""
    return unescaped(event.value("UID"))


def _component(calendar: Component, at: Occurrence) -> Component:
    """The component that the entry was read from."""
    events = calendar.components("VEVENT")
    if at.entry.ordinal < len(events) and uid_of(events[at.entry.ordinal]) == at.entry.uid:
        return events[at.entry.ordinal]
    raise ToolError("calendar: the event does not stand there whole, so nothing was changed")


def _master(calendar: Component, uid: str) -> Component:
    found = [each for each in calendar.components("VEVENT") if uid_of(each) == uid and not each.value("RECURRENCE-ID")]
    if len(found) != 1:
        raise ToolError("calendar: the series does not stand there once and whole, so nothing was changed")
    return found[0]


def _override(calendar: Component, at: Occurrence) -> Component:
    """The component of the one time, made of the series' own where there is none yet."""
    event = _component(calendar, at)
    if at.entry.replaces is not None:
        return event
    made = Component("VEVENT", [each for each in event.parts if isinstance(each, str)])
    for name in ("RRULE", "RDATE", "EXDATE", "EXRULE", "DTEND", "DURATION"):
        made.put(name)
    made.put("DTSTART", _moment_property("DTSTART", at.moment, event, at))
    made.put("DTEND", _moment_property("DTEND", at.moment + at.entry.length, event, at))
    made.put("RECURRENCE-ID", _moment_property("RECURRENCE-ID", at.moment, event, at))
    calendar.parts.insert(calendar.parts.index(event) + 1, made)
    return made


def _move(event: Component, at: Occurrence, change: Change, clock: Clock, *, is_series: bool) -> None:
    """New times. A series keeps its zone, so that it stays at one time of the day; what lasts keeps its length."""
    start = change.start or at.start
    end = change.end or start + (at.end - at.start)
    if end <= start:
        raise ToolError("calendar: end is not after start; exchange them or give a later end")
    if is_series:
        if start.date() != at.start.date() or isinstance(at.moment, datetime) is _is_midnight(start, end):
            raise ToolError(
                "calendar: a whole series stays on its days; change one time of it, or cancel it and create another"
            )
        first = at.entry.start
        made = [
            _moment_property(name, first + by, event, at)
            for name, by in (("DTSTART", start - at.start), ("DTEND", end - at.start))
        ]
    else:
        made = _times(start, end, clock)
    event.put("DURATION")
    event.put("DTSTART", made[0])
    event.put("DTEND", made[1])
    event.put("ATTENDEE", *map(asked_again, event.properties("ATTENDEE")))


def _moment_property(name: str, moment: Moment, event: Component, at: Occurrence) -> Property:
    """A moment in the form in which the event gives its own start: a day, UTC, floating, or in its zone."""
    if not isinstance(moment, datetime):
        return day_property(name, moment)
    own = next(event.properties("DTSTART"), None)
    zone = "" if own is None or own.value.strip().endswith("Z") else own.parameter("TZID")
    if moment.tzinfo is None:
        return Property(name, (), f"{moment:%Y%m%dT%H%M%S}")
    first = at.entry.start
    if zone and isinstance(first, datetime) and first.tzinfo is not None:
        inside = moment.astimezone(first.tzinfo)
        return Property(name, (("TZID", f'"{zone}"' if set(zone) & set(":;,") else zone),), f"{inside:%Y%m%dT%H%M%S}")
    return utc_property(name, moment)


def _touch(event: Component, now: datetime) -> None:
    event.put("DTSTAMP", utc_property("DTSTAMP", now))
    event.put("LAST-MODIFIED", utc_property("LAST-MODIFIED", now))
    if next(event.properties("ORGANIZER"), None) is not None:
        event.put("SEQUENCE", Property("SEQUENCE", (), str(_sequence(event) + 1)))


def _sequence(event: Component) -> int:
    text = event.value("SEQUENCE")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _without_method(calendar: Component) -> bytes:
    """What lies in a calendar has no METHOD (RFC 4791, section 4.1)."""
    calendar.put("METHOD")
    return written_calendar(calendar)
