"""What a tool passes over because it cannot be read, said to the person who can repair it."""

from __future__ import annotations

from armslength.app import Settings
from armslength.errors import ToolError
from armslength.surfaces.output import complain, tame_line
from armslength.tools.calendar.tools import calendar_flaws

SEARCH = "search_calendar_events"
_MOST = 3
"""Said after a request; `armslength config` says all."""


def flaw_lines(settings: Settings) -> list[str]:
    """A line for each thing in the calendar that cannot be read; nothing where there is no calendar."""
    if settings.calendar is None:
        return []
    try:
        flaws = calendar_flaws(settings.calendar)
    except ToolError as error:
        return [str(error)]
    return [f"calendar: {tame_line(flaw.path)}: {flaw.what}" for flaw in flaws]


def tell_flaws(settings: Settings, program: str) -> None:
    """After a request that looked into the calendar: what it cannot have found, on standard error."""
    if SEARCH not in program:
        return
    lines = flaw_lines(settings)
    for line in lines[:_MOST]:
        complain(f"{line}; the answer may lack it")
    if len(lines) > _MOST:
        complain(f"calendar: {len(lines) - _MOST:,} more like these; armslength config names them")
