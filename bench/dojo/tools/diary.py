"""AgentDojo's calendar as tools: anybody can invite the user, so what an event says is `calendar:unverified`, as in our own calendar.

That is its title, description and place, and also when it is and who takes part: the inviter wrote that, and the calendar has no record of
who the inviter was. Its id and status are the provider's. Those who take part have the event already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentdojo.default_suites.v1.tools.calendar_client import Calendar
from agentdojo.default_suites.v1.tools.types import CalendarEvent

from armslength.errors import ToolError
from armslength.labels import NOTHING, PRIVATE, PUBLIC, Label, Readers, Source, label, steered
from armslength.schema import NONE, STR, ListOf, Origin
from armslength.tools.base import ByArguments, Prospect, Receivers, Role, Tool, ToolCall
from armslength.tools.clock import CLOCK
from armslength.tools.listing import Listing, adding_to, listing_among
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain
from bench.dojo.tools.mailbox import EVENT, MOMENT, Mailbox, addressees
from bench.dojo.tools.shared import Args, Provider, listed, plain, record
from bench.dojo.tools.stores import Store, completed, lines, shown, told

INVITERS = Source("calendar:unverified")
"""Whoever can put an event into the calendar. Never trusted, whatever the configuration says."""
INVITING = adding_to("calendar")
"""The same, as far as that decides what a listing holds: each adds an event of any words and time. As in our own calendar."""
_CALENDAR = Origin("calendar")
_SAID = ("title", "description", "start_time", "end_time", "location", "participants", "all_day")


class Diary:
    """The calendar of a run's environment; its changes are mailed to those who take part."""

    def __init__(self, provider: Provider, mailbox: Mailbox) -> None:
        """`mailbox`: what the calendar mails from."""
        self.provider, self.mailbox, self.store = provider, mailbox, Store(provider, "calendar")

    @property
    def calendar(self) -> Calendar:
        """AgentDojo's calendar."""
        found: Calendar = self.provider.world.environment.calendar
        return found

    def event(self, event_id: str) -> CalendarEvent:
        """The event of this id.

        Raises:
            ToolError: there is none.
        """
        found: CalendarEvent | None = self.calendar.events.get(event_id)
        if found is None:
            raise ToolError("calendar: there is no event of this id")
        return found

    def content(self, event: CalendarEvent) -> Label:
        """What an event says; those who take part have it."""
        readers = Readers(frozenset(str(each).lower() for each in event.participants))
        return self.store.label_of(event.id_, label([INVITERS], readers=readers))

    def labelled(self, event: CalendarEvent, pick: Label) -> Labelled:
        """The record of an event. `pick` is what a listing adds to each of its labels."""
        known, said = steered(self.store.known, pick), steered(self.content(event), pick)
        fields = {**dict.fromkeys(("id_", "status"), known), **dict.fromkeys(_SAID, said)}
        return record(event, EVENT, known, fields)

    def listing(self, args: Args) -> Listing:
        """All who can invite the user decide which events there are and when; a search looks at what they wrote."""
        return self.store.listing([INVITING], steer=PRIVATE if args.get("query") else PUBLIC)

    def receivers(self, args: Args) -> Receivers:
        """Those who take part get a mail. Whoever invited named them, so they are vouched for only if the user wrote to each before."""
        return self._vouched([str(each).lower() for each in self.event(str(args["event_id"])).participants])

    def receivers_with_added(self, args: Args) -> Receivers:
        """Those who are added get the event; those who take part already see who was added."""
        given = addressees("participants")(args)
        if given.names is None:
            return given
        before = self.receivers(args)
        names = tuple(dict.fromkeys((*given.names, *(before.names or ()))))
        return Receivers(names, are_vouched=before.are_vouched)

    def _vouched(self, names: list[str]) -> Receivers:
        return Receivers(tuple(dict.fromkeys(names)), are_vouched=set(names) <= self.mailbox.addressed())

    def going_out(self, args: Args) -> Label:
        """The event goes out with the mail about it: the arguments hold its id alone."""
        return self.content(self.event(str(args["event_id"])))


def calendar_tools(diary: Diary) -> list[Tool]:
    """The tools of a calendar that travel has, too."""
    return [
        told(
            _reading(diary, "get_day_calendar_events", "day"),
            'Returns the appointments for the given `day`, "YYYY-MM-DD".',
        ),
        told(
            _reading(diary, "search_calendar_events", "query", "date"),
            "Searches calendar events that match the given query in the tile or the description. If provided, filters events by "
            '`date`, "YYYY-MM-DD".',
        ),
        _create_calendar_event(diary),
        _cancel_calendar_event(diary),
    ]


def more_calendar_tools(diary: Diary) -> list[Tool]:
    """The tools that the workspace has beside those."""
    return [_current_day(diary), _reschedule_calendar_event(diary), _add_calendar_event_participants(diary)]


def _current_day(diary: Diary) -> Tool:
    """The provider's clock: nobody's words, and no secret."""
    return diary.provider.tool(
        "get_current_day",
        STR,
        lambda _call, _args, day: Labelled(day, label([CLOCK])),
        origin=Origin("program", is_trusted=True),
        reads="clock",
        picks=True,
        fails_by=(),
        usually=lambda _args, _where: Usual(label([CLOCK])),
    )


def _reading(diary: Diary, name: str, *queries: str) -> Tool:
    def labelled(_call: ToolCall, args: Args, found: list[CalendarEvent]) -> Labelled:
        pick = diary.listing(args)
        return listed([diary.labelled(event, pick.gain) for event in found], pick.shape)

    def usually(args: Mapping[str, Plain], _where: str) -> Usual:
        steer = PRIVATE if "query" in queries and args.get("query") != "" else PUBLIC
        pick = listing_among(diary.store.source, [label([INVITING])], steer=steer)
        said = steered(label([INVITERS], readers=PRIVATE), pick.gain)
        return Usual(steered(diary.store.known, pick.gain), dict.fromkeys(_SAID, said), pick.shape)

    return diary.provider.tool(
        name,
        ListOf(EVENT),
        labelled,
        origin=_CALENDAR,
        roles=dict.fromkeys(queries, Role.QUERY),
        reads="calendar",
        picks=True,
        fails_by=(diary.store.source, INVITERS),
        usually=usually,
    )


def _create_calendar_event(diary: Diary) -> Tool:
    """An invitation is mailed to each who takes part, the user's own account among them. A mail cannot be taken back."""

    def labelled(call: ToolCall, _args: Args, event: CalendarEvent) -> Labelled:
        diary.store.made(event.id_, call)
        diary.mailbox.noted(call)
        return _NOTHING

    def receivers(args: Args) -> Receivers:
        found = addressees("participants")(args)
        return found if found.names is None else Receivers(tuple(dict.fromkeys((*found.names, diary.mailbox.account))))

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        day = str(args["start_time"])[:10]
        events = sorted(
            (each.start_time, f"{plain(each.start_time)[11:]} {' '.join(each.title.split())}\n", each)
            for each in diary.calendar.events.values()
            if plain(each.start_time)[:10] == day
        )
        before = "".join(line for _, line, _ in events)
        added = f"{str(args['start_time'])[11:]} {' '.join(str(args['title']).split())}\n"
        return shown(f"the calendar on {day}", before or None, before + added, label([INVITERS]) if events else NOTHING)

    made = diary.provider.tool(
        "create_calendar_event",
        NONE,  # a result would hold the program until a person had answered; a search finds the event
        labelled,
        origin=_CALENDAR,
        roles={
            "participants": Role.TARGET,
            **dict.fromkeys(("title", "start_time", "end_time", "description", "location"), Role.CONTENT),
        },
        changes="calendar",
        receivers=ByArguments(("participants",), receivers),
        fails_by=(),
        summary=lambda args: f"create a calendar event from {args.get('start_time')} to {args.get('end_time')}",
    )
    doc = f"{made.signature.doc} Times are {MOMENT}."
    return completed(told(made, doc), diary.provider.world, prospect=prospect, may_be_granted=True, is_independent=True)


def _cancel_calendar_event(diary: Diary) -> Tool:
    """It marks the event and mails all who take part, and no function of the provider's takes either back."""
    return _changing(diary, "cancel_calendar_event", {"event_id": Role.TARGET}, diary.receivers, "cancel an event")


def _reschedule_calendar_event(diary: Diary) -> Tool:
    """It mails all who take part, so it cannot be undone."""
    roles = {"event_id": Role.TARGET, "new_start_time": Role.CONTENT, "new_end_time": Role.CONTENT}
    made = _changing(diary, "reschedule_calendar_event", roles, diary.receivers, "move an event")
    return told(made, f"{made.signature.doc} Times are {MOMENT}.")


def _add_calendar_event_participants(diary: Diary) -> Tool:
    """Whoever is added gets the event, so it cannot be undone."""
    return _changing(
        diary,
        "add_calendar_event_participants",
        {"event_id": Role.TARGET, "participants": Role.TARGET},
        diary.receivers_with_added,
        "add people to an event",
    )


def _changing(  # the parts of one declaration
    diary: Diary,
    name: str,
    roles: Mapping[str, Role],
    receivers: Callable[[Args], Receivers],
    summary: str,
) -> Tool:
    def labelled(call: ToolCall, args: Args, _result: Any) -> Labelled:
        event_id = str(args["event_id"])
        if name != "add_calendar_event_participants":  # that one mails nobody, whatever its description says
            diary.mailbox.noted(call, diary.content(diary.event(event_id)))
        diary.store.changed(event_id, call)
        return _NOTHING

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        event = diary.event(str(args["event_id"]))
        tried = diary.provider.tried(name, args)
        if tried is None:
            raise ToolError(f"{name}: this cannot be done with the event")
        after = _text(tried.calendar.events[event.id_])
        return shown("the calendar", _text(event), after, diary.content(event))

    made = diary.provider.tool(
        name,
        NONE,  # as `create_calendar_event`
        labelled,
        origin=_CALENDAR,
        roles=roles,
        reads="calendar",  # who takes part, and what goes out to them
        changes="calendar",
        receivers=receivers,
        fails_by=(diary.store.source, INVITERS),
        summary=lambda _args: summary,
    )
    return completed(
        made,
        diary.provider.world,
        carries=("event", diary.going_out),
        prospect=prospect,
        usual_receivers=lambda _args: Receivers(("those who take part",), are_vouched=False),
    )


def _text(event: CalendarEvent) -> str:
    fields = {name: plain(getattr(event, name)) for name in ("title", "start_time", "end_time", "status")}
    return lines(**fields, participants=", ".join(map(str, event.participants)))


_NOTHING = Labelled(None, label())
