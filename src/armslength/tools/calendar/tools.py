"""A calendar of .ics files: search and create events.

Anybody can write an invitation, so what an event says is `calendar:unverified`; which events there are and when, all who can add one
decide (`listed:calendar:*`). What we created ourselves has the label in our ledger. Participants of a created event learn of it once the
calendar is synchronised: they are receivers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from icalendar import Calendar, vCalAddress
from icalendar import Event as IcsEvent

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import LITERAL, NOTHING, PRIVATE, PUBLIC, Label, Source, construct, label, steered
from armslength.schema import ListOf, Origin
from armslength.tools.annotations import record_type
from armslength.tools.base import Prospect, Role, Tool, ToolCall, names_in, nobody, receivers_in, tool
from armslength.tools.calendar.finding import day_in, has_words, taking_place
from armslength.tools.calendar.ics import Entry, Flaw, Occurrence, blocks, read_entries
from armslength.tools.calendar.planning import TEXTS, Planned, day_line, planned_event
from armslength.tools.claims import claim
from armslength.tools.folder import shelf_at
from armslength.tools.ledger import Ledger, digest, knowing, read_back
from armslength.tools.listing import adding_to, listing_among
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain

STORE = Source("store:calendar", is_trusted=True)
INVITERS = adding_to("calendar")
"""All who can put an event into the calendar, as far as that decides what a listing holds: each adds his own, with any words and at any time,
and so is found or moves others along.
"""
MOST_BYTES = 10_000_000


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


def claimed(entry: Entry) -> tuple[Source, ...]:
    """Whose an event says that it is; nobody's, if it names no organizer: the user's own have none."""
    return (claim("calendar", entry.organizer),) if entry.organizer else ()


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
        return read_back(self.ledger.label_of(entry.uid, entry.content, self._said(entry)), STORE)

    def deciding(self, entries: list[Entry]) -> list[Label]:
        """Who decides what a listing of these holds: all who can add, and whose words stand in events that the assistant made.

        Whoever can add one may as well change one of ours: that others' words stand in it too says no more.
        """
        ours = self.ledger.names()
        written = [self.label_of(entry) for entry in entries if entry.uid in ours]
        others = frozenset[Source]().union(*(each.data | each.choice for each in written)) - {
            self.trust("calendar:unverified")
        }
        return [label([INVITERS, *others])]

    def _said(self, entry: Entry) -> Label:
        return label([self.trust("calendar:unverified"), *claimed(entry)], readers=PRIVATE)

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
        wanted = day_in(date) if date.strip() else None
        entries, _ = diary.entries()
        words = query.casefold().split()
        fitting = [entry for entry in entries if has_words(entry, words)]
        found = taking_place(fitting, wanted, call.now.date(), diary.zone)
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
            _remove(diary, planned_event(args))

    def undo_prospect(_call: ToolCall, args: dict[str, Plain], _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        return _removing(diary, planned_event(args), ahead)

    def happened(_call: ToolCall, args: dict[str, Plain]) -> bool | None:
        """An event like it may be that of another request."""
        return None if diary.blocks(_uid(planned_event(args))) else False

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
        prospect=lambda _call, args: _prospect(diary, planned_event(args)),
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
        planned = planned_event(
            {
                "title": title,
                "start": start,
                "end": end,
                "participants": list[Plain](participants),
                "location": location,
                "description": description,
            }
        )
        written = construct(*(call.labels.get(name, LITERAL) for name in ("start", "end", *TEXTS, "participants")))
        with diary.ledger.alone():
            _add(diary, planned, call.now, written)

    return create_calendar_event


@dataclass(frozen=True, slots=True, repr=False)
class _Made:
    """An event that we wrote, and the file that it stands in."""

    uid: str
    path: str
    content: bytes
    raw: bytes


def _uid(planned: Planned) -> str:
    """A function of all the rest: an event like it has the same."""
    texts = {name: getattr(planned, name) for name in TEXTS}
    whole = json.dumps([texts, str(planned.start), str(planned.end), planned.participants], sort_keys=True)
    return f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}@armslength"


def _prospect(diary: Diary, planned: Planned) -> Prospect:
    """The day on which the event begins, before and after, a line for each event."""
    day, (entries, _) = planned.start.date(), diary.entries()
    found = taking_place(entries, day, day, diary.zone)
    lines = [(each.start, day_line(each.start, each.end, each.entry.title)) for each in found]
    before = [line for _, line in sorted(lines)]
    after = [line for _, line in sorted([*lines, (planned.start, day_line(planned.start, planned.end, planned.title))])]
    whose = construct(*(diary.label_of(each.entry) for each in found)) if found else NOTHING
    return Prospect(f"the calendar on {day}", "".join(before) or None, "".join(after), names_in(whose))


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
    uid, number = _uid(planned), 1
    while diary.blocks(uid):
        number += 1
        uid = _uid(planned).replace("@", f"-{number}@")
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
    _made(diary, planned, sum(each.state == _uid(planned) for each in ahead))
    day = _prospect(diary, planned)
    mine = [each.after for each in ahead if each.place == day.place]
    lines = ((mine[-1] if mine else day.before) or "").splitlines(keepends=True)
    gone = day_line(planned.start, planned.end, planned.title)
    rest = [*lines[: lines.index(gone)], *lines[lines.index(gone) + 1 :]] if gone in lines else lines
    return Prospect(day.place, "".join(lines) or None, "".join(rest) or None, day.whose, state=_uid(planned))


def _remove(diary: Diary, planned: Planned) -> None:
    """Take the latest event of this plan out again, if it still is what we wrote."""
    made = _made(diary, planned, 0)
    rest = made.content.replace(made.raw, b"")
    if diary.shelf.only is None and not re.search(rb"^BEGIN:V(?!CALENDAR)", rest, re.MULTILINE):
        diary.folder.remove(made.path)
    else:
        diary.folder.write(made.path, rest)
    diary.ledger.forget(made.uid)


def _made(diary: Diary, planned: Planned, later: int) -> _Made:
    """The latest event of this plan but so many later ones, if it still is what we wrote."""
    uid, number = _uid(planned), 1
    latest: list[tuple[str, list[tuple[str, bytes, bytes]]]] = []
    while (blocks := diary.blocks(uid)) or number == 1:
        latest.append((uid, blocks))
        number += 1
        uid = _uid(planned).replace("@", f"-{number}@")
    uid, found = latest[-1 - later] if later < len(latest) else (uid, [])
    if len(found) != 1:
        raise ToolError("calendar: the event is not there any more, so nothing was undone")
    path, content, raw = found[0]
    entries, _ = read_entries(path, b"BEGIN:VCALENDAR\r\n" + raw + b"END:VCALENDAR\r\n")
    if len(entries) != 1 or not diary.ledger.holds(uid, entries[0].content):
        raise ToolError("calendar: the event was changed since, so nothing was undone; delete it by hand")
    return _Made(uid, path, content, raw)


def _summary(args: dict[str, Plain]) -> str:
    """When it is, and how many take part. A file tells nobody; whoever synchronises it may."""
    listed = args.get("participants") or []
    invited = len(listed) if isinstance(listed, list) else 1
    people = "" if not invited else f"; it names {invited} participant{'s' * (invited > 1)}, and no mail of it is sent"
    return f"create a calendar event from {args.get('start')} to {args.get('end')}{people}"
