"""Which events fit a search, and when they take place, bounded in work for any event."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo

from armslength.errors import ToolError
from armslength.tools.calendar.ics import Entry, Occurrence, Window, occurrences
from armslength.tools.calendar.recurrence import Budget

MOST_EVENTS = 5_000
MOST_TIMES = 1_000
"""Of one event: one that takes place more often hides no other."""
HORIZON = timedelta(days=730)
_MOST_DAYS, _MOST_DAYS_OF_ONE = 500_000, 20_000
"""Looked at for the repetitions of all events, and of one: 54 years of days. An event that takes more is left out, and hides no other."""


def day_in(text: str) -> date:
    """The day of a search.

    Raises:
        ToolError: it is none.
    """
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text.strip(), re.ASCII):
        try:
            return date.fromisoformat(text.strip())
        except ValueError:
            pass
    raise ToolError('calendar: date is no day of the form "YYYY-MM-DD"; write it like 2026-12-31')


def has_words(entry: Entry, words: list[str]) -> bool:
    """Whether each of these words, case-folded, stands somewhere in what an event says."""
    whole = "\n".join((entry.title, entry.location, entry.description, *entry.participants)).casefold()
    return all(word in whole for word in words)


def taking_place(entries: list[Entry], wanted: date | None, today: date, zone: tzinfo | None) -> list[Occurrence]:
    """When events take place, sorted by start: on the wanted day, without one from today on.

    Raises:
        ToolError: there are too many.
    """
    left = Budget(_MOST_DAYS)
    window = Window(wanted or today, wanted or today + HORIZON, zone)
    found: list[Occurrence] = []
    for entry in entries:
        own = Budget(_MOST_DAYS_OF_ONE)
        try:
            candidates = occurrences(entry, window, own)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            continue  # a time outside the calendar, or a zone that cannot be evaluated
        left.charge(_MOST_DAYS_OF_ONE - max(own.days, 0))
        if own.days >= 0:
            found += [each for each in candidates if _is_inside(each, wanted, today)][:MOST_TIMES]
        if left.days < 0 or len(found) > MOST_EVENTS:
            raise ToolError("calendar: too many events fit; ask for one date")
    return sorted(found, key=lambda each: (each.start, each.end, each.entry.title, each.key))


def _is_inside(each: Occurrence, wanted: date | None, today: date) -> bool:
    """On the wanted day, even partly; without one: begins today or later, repetitions within the horizon."""
    if wanted is None:
        is_repeated = each.entry.rule is not None
        return each.start.date() >= today and not (is_repeated and each.start.date() > today + HORIZON)
    midnight = datetime(wanted.year, wanted.month, wanted.day)  # noqa: DTZ001  # local times are naive
    return each.start.date() == wanted or (each.start < midnight < each.end)
