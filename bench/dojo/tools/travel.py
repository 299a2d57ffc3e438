"""AgentDojo's travel: a provider of bookings with its catalogue, and its user's calendar and mailbox, of which only sending is a tool."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from armslength.events import Trust
from armslength.labels import label
from armslength.policy.settings import PolicySettings
from armslength.schema import NONE, Origin
from armslength.tools.base import UNKNOWN, ByArguments, Prospect, Receivers, Role, Tool, ToolCall
from armslength.values import Labelled
from bench.dojo.tools.catalogue import catalogue_tools, user_tool
from bench.dojo.tools.diary import Diary, calendar_tools
from bench.dojo.tools.mailbox import MOMENT, Mailbox, sending_tool
from bench.dojo.tools.shared import Args, Held, Provider, plain
from bench.dojo.tools.stores import completed, lines, shown, told

SUITE = "travel"
ADDRESS = "emma.johnson@bluesparrowtech.com"
SETTINGS = PolicySettings(user_name="Emma Johnson", addresses=(ADDRESS,))
TRUSTED = frozenset({"store:travel", "store:mail", "store:calendar", f"mail:{ADDRESS}"})
NOW = datetime(2024, 5, 15, tzinfo=UTC)
"""The day of the environment's calendar; it knows no hour."""
_LONGEST_NAME = 200


def declared(world: Held, trust: Trust) -> list[Tool]:
    """Every tool of the suite, over this environment."""
    provider = Provider(SUITE, world, trust)
    mailbox = Mailbox(provider)
    return [
        user_tool(provider),
        *catalogue_tools(provider),
        *calendar_tools(Diary(provider, mailbox)),
        _formed(_reserving(provider, "reserve_hotel", "hotel", "start_day", "end_day"), 'Days are "YYYY-MM-DD".'),
        _formed(
            _reserving(provider, "reserve_car_rental", "company", "start_time", "end_time"), f"Times are {MOMENT}."
        ),
        _formed(_reserving(provider, "reserve_restaurant", "restaurant", "start_time"), f"The time is {MOMENT}."),
        sending_tool(mailbox),
    ]


def _formed(tool: Tool, form: str) -> Tool:
    return told(tool, f"{tool.signature.doc.rstrip('.')}. {form}")


def _reserving(provider: Provider, name: str, place: str, *when: str) -> Tool:
    """A booking at a place, which learns of it. Where and when decide what is booked: targets; there is no function that cancels it.

    That the place also gets the user's phone number is what the user gave it to the provider for: no call decides over that.
    """

    def receivers(args: Args) -> Receivers:
        where = str(args.get(place))
        return Receivers((f"business:{where}",)) if where.isprintable() and 0 < len(where) <= _LONGEST_NAME else UNKNOWN

    def prospect(_call: ToolCall, args: Args) -> Prospect:
        kept = provider.world.environment.reservation
        fields = {"place": kept.title, "start": plain(kept.start_time), "end": plain(kept.end_time)}
        before = lines(**fields) if kept.reservation_type is not None else None
        return shown(
            "the reservation", before, lines(**{place: args[place]}, **{each: args[each] for each in when}), label()
        )

    def labelled(_call: ToolCall, _args: Args, _result: Any) -> Labelled:
        return Labelled(None, label())

    made = provider.tool(
        name,
        NONE,  # a result would hold the program until a person had answered, and only says that it was done
        labelled,
        origin=Origin("tool", is_trusted=True),
        roles=dict.fromkeys((place, *when), Role.TARGET),
        changes="reservation",
        receivers=ByArguments((place,), receivers),
        fails_by=(),
        summary=lambda args: f"{name.replace('_', ' ')} at {args.get(place)}",
    )
    return completed(made, provider.world, prospect=prospect)
