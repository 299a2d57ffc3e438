"""A calendar of .ics files: search and create events.

Anybody can write an invitation, so what an event says is `calendar:unverified`; which events there are and when, all who can add one
decide (`listed:calendar:*`). What we created ourselves has the label in our ledger. Participants of a created event learn of it once the calendar is synchronised: they are receivers.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path

from icalendar import Calendar, vCalAddress
from icalendar import Event as IcsEvent

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import LITERAL, NOTHING, PRIVATE, PUBLIC, Label, Source, construct, label, steered
from armslength.schema import ListOf, Origin
from armslength.tools.base import Prospect, Role, Tool, ToolCall, names_in, nobody, receivers_in, record_type, tool
from armslength.tools.calendar.ics import Entry, Flaw, Occurrence, Window, blocks, occurrences, read_entries
from armslength.tools.calendar.recurrence import Budget
from armslength.tools.folder import shelf_at
from armslength.tools.ledger import Ledger, digest, knowing, read_back
from armslength.tools.listing import adding_to, listing_among
from armslength.tools.text.addresses import uri_address
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain

STORE = Source("store:calendar", is_trusted=True)
INVITERS = adding_to("calendar")
"""All who can put an event into the calendar, as far as that decides what a listing holds: each adds his own, with any words and at any time,
and so is found or moves others along.
"""
MOST_BYTES = 10_000_000
MOST_EVENTS = 5_000
HORIZON = timedelta(days=730)
_MOST_DAYS = 500_000
_TIME = "%Y-%m-%d %H:%M"


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """An event as programs see it: times are local, "YYYY-MM-DD HH:MM"; participants are e-mail addresses."""

    id: str
    title: str
    start: str = field(metadata={"doc": '"YYYY-MM-DD HH:MM"'})
    end: str
    participants: list[str] = field(metadata={"doc": "email addresses"})
    location: str
    description: str


EVENT = record_type(Event)


class Diary:
    """The calendar files with their ledger."""

    def __init__(self, path: Path, trust: Trust, state: Path, zone: tzinfo | None) -> None:
        self.shelf = shelf_at(path, "calendar", MOST_BYTES, ".ics")
        self.folder = self.shelf.folder
        self.trust, self.zone = knowing(trust, STORE), zone
        self.ledger = Ledger(state / "calendar.ledger.json", self.trust)
        self._read: dict[str, tuple[str, list[Entry], list[Flaw]]] = {}

    def entries(self) -> tuple[list[Entry], list[Flaw]]:
        """Every readable event, and what could not be read."""
        entries: list[Entry] = []
        flaws: list[Flaw] = []
        for path in self.shelf.paths():
            try:
                content = self.folder.read(path)
            except ToolError as error:
                flaws.append(Flaw(path, str(error)))
                continue
            if content is None:
                continue
            known = self._read.get(path)
            if known is None or known[0] != digest(content):
                known = self._read[path] = (digest(content), *read_entries(path, content))
            entries += known[1]
            flaws += known[2]
        return entries, flaws

    def label_of(self, entry: Entry) -> Label:
        """What the ledger says of an event, else `calendar:unverified`; private in any case."""
        return read_back(self.ledger.label_of(entry.uid, entry.content, self._said), STORE)

    def deciding(self, entries: list[Entry]) -> list[Label]:
        """Who decides what a listing of these holds: all who can add, and whose words stand in events that the assistant made."""
        ours = self.ledger.names()
        return [label([INVITERS]), *(self.label_of(entry) for entry in entries if entry.uid in ours)]

    @property
    def _said(self) -> Label:
        return label([self.trust("calendar:unverified")], readers=PRIVATE)

    def blocks(self, uid: str) -> list[tuple[str, bytes, bytes]]:
        """Path, whole content and raw VEVENT of every event of that UID."""
        found = []
        for path in self.shelf.paths():
            try:
                content = self.folder.read(path) or b""
            except ToolError:
                continue  # over the cap: not a file of ours
            # latin-1 maps each byte to one character and back
            raw = [
                block for block in blocks(content.decode("latin-1"), "VEVENT") if f"UID:{uid}" in block.split("\r\n")
            ]
            found += [(path, content, block.encode("latin-1")) for block in raw]
        return found


def calendar_tools(path: Path, trust: Trust, state: Path, zone: tzinfo | None = None) -> list[Tool]:
    """The tools over one .ics file or a folder of them. `zone`: what local time is; None is the machine's."""
    diary = Diary(path, trust, state, zone)
    return [_search_calendar_events(diary), _create_calendar_event(diary)]


def calendar_flaws(path: Path) -> list[Flaw]:
    """What in the calendar files cannot be read, for the person who looks after them."""
    return Diary(path, Source, path, None).entries()[1]


def _search_calendar_events(diary: Diary) -> Tool:
    @tool(
        name="search_calendar_events",
        returns=ListOf(EVENT),
        origin=Origin("calendar"),
        roles={"query": Role.QUERY, "date": Role.QUERY},
        reads="calendar",
        changes=None,
        receivers=nobody,
        picks=True,
        fails_by=(STORE, Source("calendar:unverified")),
        usually=_usually,
    )
    def search_calendar_events(call: ToolCall, query: str = "", date: str = "") -> Labelled:
        """Sorted by start, only future events; date is "YYYY-MM-DD"."""
        wanted = _day(date) if date.strip() else None
        entries, _ = diary.entries()
        words = query.casefold().split()
        fitting = [entry for entry in entries if _has_words(entry, words)]
        found = _occurrences(fitting, wanted, call.now.date(), diary.zone)
        listing = listing_among(STORE, diary.deciding(entries), steer=PRIVATE if words else PUBLIC)
        return Labelled(tuple(_record(each, diary.label_of(each.entry), listing.gain) for each in found), listing.shape)

    return search_calendar_events


def _usually(args: Mapping[str, Plain], _where: str) -> Usual:
    """Events that somebody else wrote. Those that we made ourselves are the exception."""
    said = label([Source("calendar:unverified")], readers=PRIVATE)
    is_searched = args.get("query") != ""
    listing = listing_among(STORE, [label([INVITERS])], steer=PRIVATE if is_searched else PUBLIC)
    own = steered(label([STORE], readers=PRIVATE), listing.gain)
    its = steered(said, listing.gain)
    fields = dict.fromkeys(("title", "start", "end", "participants", "location", "description"), its)
    return Usual(own, fields, shape=listing.shape)


def _day(text: str) -> date:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text.strip(), re.ASCII):
        try:
            return date.fromisoformat(text.strip())
        except ValueError:
            pass
    raise ToolError('calendar: date is no day of the form "YYYY-MM-DD"; write it like 2026-12-31')


def _has_words(entry: Entry, words: list[str]) -> bool:
    whole = "\n".join((entry.title, entry.location, entry.description, *entry.participants)).casefold()
    return all(word in whole for word in words)


def _occurrences(entries: list[Entry], wanted: date | None, today: date, zone: tzinfo | None) -> list[Occurrence]:
    budget = Budget(_MOST_DAYS)
    window = Window(wanted or today, wanted or today + HORIZON, zone)
    found: list[Occurrence] = []
    for entry in entries:
        try:
            candidates = occurrences(entry, window, budget)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            continue  # a time outside the calendar, or a zone that cannot be evaluated
        found += [each for each in candidates if _is_inside(each, wanted, today)]
        if budget.days < 0 or len(found) > MOST_EVENTS:
            raise ToolError("calendar: too many events fit; ask for one date")
    return sorted(found, key=lambda each: (each.start, each.end, each.entry.title, each.key))


def _is_inside(each: Occurrence, wanted: date | None, today: date) -> bool:
    """On the wanted day, even partly; without one: begins today or later, repetitions within the horizon."""
    if wanted is None:
        is_repeated = each.entry.rule is not None
        return each.start.date() >= today and not (is_repeated and each.start.date() > today + HORIZON)
    midnight = datetime(wanted.year, wanted.month, wanted.day)  # noqa: DTZ001  # local times are naive
    return each.start.date() == wanted or (each.start < midnight < each.end)


def _record(each: Occurrence, known: Label, gain: Label) -> Labelled:
    own = steered(label([STORE], readers=PRIVATE), gain)
    said = steered(known, gain)
    entry = each.entry
    participants = tuple(Labelled(address, said) for address in entry.participants)
    parts = {
        "id": Labelled(each.key, own),
        "title": Labelled(entry.title, said),
        "start": Labelled(f"{each.start:%Y-%m-%d %H:%M}", said),
        "end": Labelled(f"{each.end:%Y-%m-%d %H:%M}", said),
        "participants": Labelled(participants, said),
        "location": Labelled(entry.location, said),
        "description": Labelled(entry.description, said),
    }
    return Labelled(parts, own, EVENT)


def _create_calendar_event(diary: Diary) -> Tool:
    def undo(_call: ToolCall, args: dict[str, Plain], _outcome: Plain) -> None:
        with diary.ledger.alone():
            _remove(diary, _planned(args))

    def undo_prospect(_call: ToolCall, args: dict[str, Plain], _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        return _removing(diary, _planned(args), ahead)

    def happened(_call: ToolCall, args: dict[str, Plain]) -> bool | None:
        """An event like it may be that of another request."""
        return None if diary.blocks(_planned(args).uid) else False

    @tool(
        name="create_calendar_event",
        roles={
            "participants": Role.TARGET,
            **dict.fromkeys(("title", "start", "end", "location", "description"), Role.CONTENT),
        },
        reads="calendar",
        changes="calendar",
        receivers=receivers_in("participants"),
        undo=undo,
        undo_prospect=undo_prospect,
        happened=happened,
        prospect=lambda _call, args: _prospect(diary, _planned(args)),
        may_be_granted=True,
        is_independent=True,
        summary=_summary,
    )
    def create_calendar_event(  # noqa: PLR0913, PLR0917  # the fields of an event
        call: ToolCall,
        title: str,
        start: str,
        end: str,
        participants: list[str] = [],  # noqa: B006  # declared, never changed
        location: str = "",
        description: str = "",
    ) -> None:
        """Create an event; start and end are "YYYY-MM-DD HH:MM"."""
        planned = _planned(
            {
                "title": title,
                "start": start,
                "end": end,
                "participants": list[Plain](participants),
                "location": location,
                "description": description,
            }
        )
        written = construct(*(call.labels.get(name, LITERAL) for name in ("start", "end", *_TEXTS, "participants")))
        with diary.ledger.alone():
            _add(diary, planned, call.now, written)

    return create_calendar_event


@dataclass(frozen=True, slots=True, repr=False)
class Planned:
    """An event to be made, checked. `uid` is a function of the rest."""

    title: str
    start: datetime
    end: datetime
    participants: tuple[str, ...]
    location: str
    description: str
    uid: str


_TEXTS = ("title", "location", "description")


def _planned(args: dict[str, Plain]) -> Planned:
    texts = {name: str(args.get(name, "")).replace("\r\n", "\n") for name in _TEXTS}
    for name, text in texts.items():
        allowed = "\n\t" if name == "description" else ""
        if any(unicodedata.category(char) == "Cc" and char not in allowed for char in text):
            raise ToolError(f"calendar: {name} holds control characters or line breaks; leave them out")
    if not texts["title"].strip():
        raise ToolError("calendar: the event has no title; give one")
    start, end = _time(args, "start"), _time(args, "end")
    if end <= start:
        raise ToolError("calendar: end is not after start; exchange them or give a later end")
    listed = args.get("participants") or []
    participants: list[str] = []
    for ordinal, given in enumerate(listed if isinstance(listed, list) else [listed], 1):
        address = uri_address(given)
        if address is None:
            raise ToolError(f"calendar: participant {ordinal} is no e-mail address; give one like kim@example.com")
        participants.append(address)
    whole = json.dumps([texts, str(start), str(end), participants], sort_keys=True)
    uid = f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}@armslength"
    return Planned(start=start, end=end, participants=tuple(dict.fromkeys(participants)), uid=uid, **texts)


def _time(args: dict[str, Plain], name: str) -> datetime:
    text = str(args.get(name, "")).strip()
    if re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", text, re.ASCII):
        try:
            return datetime.strptime(text, _TIME)  # noqa: DTZ007  # local times are naive
        except ValueError:
            pass
    raise ToolError(f'calendar: {name} is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30')


def _prospect(diary: Diary, planned: Planned) -> Prospect:
    """The day on which the event begins, before and after, a line for each event."""
    day, (entries, _) = planned.start.date(), diary.entries()
    found = _occurrences(entries, day, day, diary.zone)
    lines = [(each.start, _day_line(each.start, each.end, each.entry.title)) for each in found]
    before = [line for _, line in sorted(lines)]
    after = [
        line for _, line in sorted([*lines, (planned.start, _day_line(planned.start, planned.end, planned.title))])
    ]
    whose = construct(*(diary.label_of(each.entry) for each in found)) if found else NOTHING
    return Prospect(f"the calendar on {day}", "".join(before) or None, "".join(after), names_in(whose))


def _day_line(start: datetime, end: datetime, title: str) -> str:
    ends = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%H:%M} to {ends} {' '.join(title.split())}\n"


def _component(planned: Planned, uid: str, now: datetime, zone: tzinfo | None) -> bytes:
    event = IcsEvent()
    event.add("UID", uid)
    event.add("DTSTAMP", now.astimezone(UTC))
    for name, moment in (("DTSTART", planned.start), ("DTEND", planned.end)):
        event.add(name, (moment if zone is None else moment.replace(tzinfo=zone)).astimezone(UTC))
    event.add("SUMMARY", planned.title)
    for name, text in (("LOCATION", planned.location), ("DESCRIPTION", planned.description)):
        if text:
            event.add(name, text)
    for address in planned.participants:
        event.add("ATTENDEE", vCalAddress(f"mailto:{address}"))
    return bytes(event.to_ical())


def _add(diary: Diary, planned: Planned, now: datetime, written: Label) -> None:
    uid, number = planned.uid, 1
    while diary.blocks(uid):
        number += 1
        uid = planned.uid.replace("@", f"-{number}@")
    raw = _component(planned, uid, now, diary.zone)
    path = diary.shelf.only or f"{uid.partition('@')[0]}.ics"
    before = diary.folder.read(path)
    if before is None:
        calendar = Calendar()
        calendar.add("PRODID", "-//armslength//calendar//EN")
        calendar.add("VERSION", "2.0")
        before = calendar.to_ical()
    end = before.rfind(b"\nEND:VCALENDAR") + 1
    after = before[:end] + raw + before[end:]
    entries, _ = read_entries(path, after)
    made = [entry for entry in entries if entry.uid == uid]
    if not end or len(made) != 1:
        raise ToolError("calendar: the file is damaged, so nothing was added; repair it or point to another one")
    diary.ledger.record(uid, made[0].content, written)
    diary.folder.write(path, after)


def _removing(diary: Diary, planned: Planned, ahead: Sequence[Prospect]) -> Prospect:
    """The day before and after `_remove`, once inverses that leave these are done.

    Raises:
        ToolError: `_remove` would refuse.
    """
    _made(diary, planned, sum(each.state == planned.uid for each in ahead))
    day = _prospect(diary, planned)
    mine = [each.after for each in ahead if each.place == day.place]
    lines = ((mine[-1] if mine else day.before) or "").splitlines(keepends=True)
    gone = _day_line(planned.start, planned.end, planned.title)
    rest = [*lines[: lines.index(gone)], *lines[lines.index(gone) + 1 :]] if gone in lines else lines
    return Prospect(day.place, "".join(lines) or None, "".join(rest) or None, day.whose, state=planned.uid)


def _remove(diary: Diary, planned: Planned) -> None:
    """Take the latest event of this plan out again, if it still is what we wrote."""
    made = _made(diary, planned, 0)
    rest = made.content.replace(made.raw, b"")
    if diary.shelf.only is None and not re.search(rb"^BEGIN:V(?!CALENDAR)", rest, re.MULTILINE):
        diary.folder.remove(made.path)
    else:
        diary.folder.write(made.path, rest)
    diary.ledger.forget(made.uid)


@dataclass(frozen=True, slots=True)
class _Made:
    """An event that we wrote, and the file that it stands in."""

    uid: str
    path: str
    content: bytes
    raw: bytes


def _made(diary: Diary, planned: Planned, later: int) -> _Made:
    """The latest event of this plan but so many later ones, if it still is what we wrote."""
    uid, number = planned.uid, 1
    latest: list[tuple[str, list[tuple[str, bytes, bytes]]]] = []
    while (blocks := diary.blocks(uid)) or number == 1:
        latest.append((uid, blocks))
        number += 1
        uid = planned.uid.replace("@", f"-{number}@")
    uid, found = latest[-1 - later] if later < len(latest) else (uid, [])
    if len(found) != 1:
        raise ToolError("calendar: the event is not there any more, so nothing was undone")
    path, content, raw = found[0]
    entries, _ = read_entries(path, b"BEGIN:VCALENDAR\r\n" + raw + b"END:VCALENDAR\r\n")
    if len(entries) != 1 or not diary.ledger.holds(uid, entries[0].content):
        raise ToolError("calendar: the event was changed since, so nothing was undone; delete it by hand")
    return _Made(uid, path, content, raw)


def _summary(args: dict[str, Plain]) -> str:
    """When it is, and how many people learn of it."""
    listed = args.get("participants") or []
    invited = len(listed) if isinstance(listed, list) else 1
    people = "" if not invited else f"; {invited} participant{'s' * (invited > 1)} will learn of it"
    return f"create a calendar event from {args.get('start')} to {args.get('end')}{people}"
