"""The tools over calendars on servers as they are declared: search, create, answer an invitation, change and cancel.

Whoever takes part in an event learns of it, for the server may write to them: participants are receivers. Those that an event itself names
are vouched for only where nobody else wrote it.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path

from armslength.events import Trust
from armslength.labels import PRIVATE, PUBLIC, Label, Source, join, label, steered
from armslength.schema import BOOL, NONE, STR, ListOf, Menu, Origin, Parameter, Signature
from armslength.tools.annotations import record_type
from armslength.tools.base import ByArguments, Role, Tool, ToolCall, nobody, one_at_a_time, version_of
from armslength.tools.calendar import agenda as agenda_room
from armslength.tools.calendar import (
    bounds,
    changing,
    comparing,
    drawing,
    editing,
    finding,
    ics,
    invited,
    planning,
    steps,
    work,
)
from armslength.tools.calendar.agenda import Agenda, CalendarAccount, Placed
from armslength.tools.calendar.finding import day_in, has_words, taking_place
from armslength.tools.calendar.ics import Occurrence
from armslength.tools.calendar.invited import nobody_invited
from armslength.tools.calendar.tools import INVITERS, STORE
from armslength.tools.calendar.work import Args, CalendarWork
from armslength.tools.dav import collection, connection, copy, discovery, multistatus, places, xml
from armslength.tools.ledger import digest
from armslength.tools.listing import listing_among
from armslength.tools.mail.invitations import Invitations
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain

_SERVERS = (collection, connection, copy, discovery, multistatus, places, xml)
"""The code that asks servers."""
_LOOKED_UP = (STORE, Source("calendar:unverified"))
"""Who decides what lies in a calendar at all: whoever can put an event there."""
_SAID = ("title", "start", "end", "participants", "location", "description", "organizer", "answer")


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """An event as programs see it: times are local, "YYYY-MM-DD HH:MM"; participants and organizer are e-mail addresses.

    `answer`: the user's own, where somebody else invites; `calendar`: of which account it is.
    """

    id: str
    title: str
    start: str = field(metadata={"doc": '"YYYY-MM-DD HH:MM"'})
    end: str
    participants: list[str] = field(metadata={"doc": "email addresses"})
    location: str
    description: str
    organizer: str = field(metadata={"doc": "an email address"})
    answer: str = field(metadata={"doc": '"needs-action" while an invitation waits for yours'})
    calendar: str


EVENT = record_type(Event)
_EVENT = Parameter("event", EVENT)


def served_calendar_tools(
    accounts: list[CalendarAccount],
    trust: Trust,
    state: Path,
    zone: tzinfo | None = None,
    invitations: Invitations = nobody_invited,
) -> list[Tool]:
    """The tools over one account or several, of which the first is written to if a call names no other. Nothing is contacted yet.

    `invitations`: of whom the mail knows what he said of an event.

    Raises:
        ConfigError: an account cannot be used, or two have one name.
    """
    agenda = Agenda(accounts, trust, state, zone, invitations)
    doing = CalendarWork(agenda, state)
    alone = threading.RLock()  # what is kept of the calendars is used by one call at a time
    tools = [_search(agenda), _create(agenda, doing), _answer(doing), _change(doing), _cancel(doing)]
    whose = [[each.name, each.server.url, each.server.user, each.writes, *each.addresses] for each in accounts]
    # Whose calendar it is belongs to what a yes is for: another account is another tool.
    return [
        one_at_a_time(replace(each, version=digest(json.dumps([each.version, whose]).encode())[:16]), alone)
        for each in tools
    ]


def _calendar(agenda: Agenda, *, default: str | None = None) -> tuple[Parameter, ...]:
    """The parameter that names a calendar, where there are several. `default`: what its absence means, instead of the first."""
    names = tuple(each.settings.name for each in agenda.accounts)
    if len(names) < 2:
        return ()
    every = names if default is None else (default, *names)
    return (Parameter("calendar", Menu(every), has_default=True, default=every[0]),)


def _search(agenda: Agenda) -> Tool:
    which = _calendar(agenda, default="")
    asked = (_text("query"), _text("date"), *which)
    signature = Signature(
        "search_calendar_events",
        asked,
        ListOf(EVENT),
        'Sorted by start, only future events; date is "YYYY-MM-DD"',
        origin=Origin("calendar"),
    )

    def run(call: ToolCall, args: Args) -> Labelled:
        text = str(args.get("date") or "")
        wanted = day_in(text) if text.strip() else None
        words = str(args.get("query") or "").casefold().split()
        events = agenda.events(str(args.get("calendar") or ""))
        places = {id(each.entry): each for each in events}
        fitting = [each.entry for each in events if has_words(each.entry, words)]
        found = taking_place(fitting, wanted, call.now.date(), agenda.zone)
        listing = agenda.listing(events, PRIVATE if words else PUBLIC)
        records = (_record(each, places[id(each.entry)], agenda, listing.gain) for each in found)
        return Labelled(tuple(records), listing.shape)

    return Tool(
        signature=signature,
        run=run,
        roles={each.name: Role.QUERY for each in asked},
        reads="calendar",
        changes=None,
        receivers=nobody,
        undo=None,
        picks=True,
        version=_version(signature),
        fails_by=_LOOKED_UP,
        usually=_usually,
    )


def _text(name: str) -> Parameter:
    return Parameter(name, STR, has_default=True, default="")


def _usually(args: Mapping[str, Plain], _where: str) -> Usual:
    """Events that somebody else wrote. Those that we made ourselves are the exception."""
    said = label([Source("calendar:unverified")], readers=PRIVATE)
    listing = listing_among(STORE, [label([INVITERS])], steer=PUBLIC if args.get("query") == "" else PRIVATE)
    own = steered(label([STORE], readers=PRIVATE), listing.gain)
    return Usual(own, dict.fromkeys(_SAID, steered(said, listing.gain)), shape=listing.shape)


def _record(each: Occurrence, placed: Placed, agenda: Agenda, gain: Label) -> Labelled:
    """An answer is compared with nothing that its organizer or we wrote: whoever can put an event there may have put it."""
    own = steered(label([STORE], readers=PRIVATE), gain)
    known = agenda.label_of(each.entry)
    said, answered = steered(known, gain), steered(join(known, agenda.others), gain)
    entry, account = each.entry, placed.account.settings
    answers = [answer.lower() for address, answer in entry.answers if address in account.addresses]
    is_invited = bool(entry.organizer) and entry.organizer.lower() not in account.addresses
    parts = {
        "id": Labelled(each.key, own),
        "title": Labelled(entry.title, said),
        "start": Labelled(f"{each.start:%Y-%m-%d %H:%M}", said),
        "end": Labelled(f"{each.end:%Y-%m-%d %H:%M}", said),
        "participants": Labelled(tuple(Labelled(address, said) for address in entry.participants), said),
        "location": Labelled(entry.location, said),
        "description": Labelled(entry.description, said),
        "organizer": Labelled(entry.organizer, said),
        "answer": Labelled(answers[0] if answers else "", answered) if is_invited else Labelled("", said),
        "calendar": Labelled(account.name, own),
    }
    return Labelled(parts, own, EVENT)


_CONTENT = dict.fromkeys(("title", "start", "end", "location", "description"), Role.CONTENT)


def _create(agenda: Agenda, doing: CalendarWork) -> Tool:
    which = _calendar(agenda)
    people = Parameter("participants", ListOf(STR), has_default=True, default=())
    signature = Signature(
        "create_calendar_event",
        (
            Parameter("title", STR),
            Parameter("start", STR),
            Parameter("end", STR),
            people,
            _text("location"),
            _text("description"),
            *which,
        ),
        NONE,
        'Create an event; start and end are "YYYY-MM-DD HH:MM", both at 00:00 for whole days; participants are invited',
    )
    made = _effect(signature, doing.create, _CONTENT | {each.name: Role.TARGET for each in (people, *which)})
    return replace(
        made,
        receivers=ByArguments(("participants", *(each.name for each in which)), doing.invited),
        undo=doing.undo,
        undo_prospect=doing.undoing,
        happened=doing.happened,
        prospect=doing.creating,
        may_be_granted=True,
        is_independent=True,
        summary=doing.creates,
    )


def _answer(doing: CalendarWork) -> Tool:
    """What goes out is the answer, and the words of the invitation, which are its organizer's."""
    signature = Signature(
        "answer_invitation",
        (_EVENT, Parameter("answer", Menu(("accepted", "declined", "tentative")))),
        NONE,
        "answers the organizer of an event; a repeated one as a whole",
    )
    made = _effect(signature, doing.answer, {"event": Role.TARGET, "answer": Role.CONTENT})
    return replace(
        made,
        receivers=doing.organizing,
        undo=doing.undo,
        undo_prospect=doing.undoing,
        happened=doing.happened,
        prospect=doing.answering,
        summary=doing.answers,
    )


def _change(doing: CalendarWork) -> Tool:
    more = Parameter("add_participants", ListOf(STR), has_default=True, default=())
    series = Parameter("whole_series", BOOL, has_default=True, default=False)
    signature = Signature(
        "change_calendar_event",
        (_EVENT, *map(_text, ("title", "start", "end", "location", "description")), more, series),
        NONE,
        "changes what is given of an event of the user's own; of a repeated one that one time, or the whole series",
    )
    roles = _CONTENT | {"event": Role.TARGET, "add_participants": Role.TARGET, "whole_series": Role.TARGET}
    made = _effect(signature, doing.change, roles)
    return replace(
        made,
        receivers=doing.concerned,
        undo=doing.undo,
        undo_prospect=doing.undoing,
        happened=doing.happened,
        prospect=doing.changing,
        carries=("words", doing.carried),
        summary=lambda _args: "change a calendar event",
    )


def _cancel(doing: CalendarWork) -> Tool:
    series = Parameter("whole_series", BOOL, has_default=True, default=False)
    signature = Signature(
        "cancel_calendar_event",
        (_EVENT, series),
        NONE,
        "takes an event of the user's own out of the calendar; of a repeated one that one time, or the whole series",
    )
    made = _effect(signature, doing.cancel, {"event": Role.TARGET, "whole_series": Role.TARGET})
    return replace(
        made,
        receivers=doing.concerned,
        undo=doing.undo,
        undo_prospect=doing.undoing,
        happened=doing.happened,
        prospect=doing.cancelling,
        carries=("words", doing.carried),
        summary=lambda _args: "cancel a calendar event",
    )


def _effect(signature: Signature, do: Callable[[ToolCall, Args], None], roles: Mapping[str, Role]) -> Tool:
    """A tool that changes a calendar; who learns of it and how it is taken back is said by each."""

    def run(call: ToolCall, args: Args) -> Labelled:
        do(call, args)
        return Labelled(None, label([STORE]))

    return Tool(
        signature=signature,
        run=run,
        roles=roles,
        reads="calendar",
        changes="calendar",
        receivers=nobody,
        undo=None,
        picks=False,
        version=_version(signature),
        handles=frozenset({"event"}) & {each.name for each in signature.parameters},
        fails_by=_LOOKED_UP,
    )


def _version(signature: Signature) -> str:
    here = sys.modules[__name__]
    return version_of(
        signature,
        here,
        agenda_room,
        bounds,
        changing,
        comparing,
        drawing,
        editing,
        finding,
        ics,
        invited,
        planning,
        steps,
        work,
        *_SERVERS,
    )
