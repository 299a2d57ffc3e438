"""Requests that begin by themselves, at a time or when mail came: the tables `[schedule.NAME]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from armslength.app.table import Table

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_WRITTEN = 'a time of the day in quotes, as hours from 00 to 23 and minutes, such as "07:30"'
_LEAST = timedelta(minutes=1)
_USUAL = timedelta(minutes=10)
_LATE = timedelta(hours=24)
"""So late, at most, is something begun that was due while nothing was at work."""


@dataclass(frozen=True, slots=True)
class Task:
    """A request and when it begins: at a time of these days (0 is Monday), every so often, or when mail came, so often at most."""

    name: str
    request: str
    at: time | None = None
    days: frozenset[int] = frozenset(range(7))
    every: timedelta | None = None
    on_mail: bool = False

    @property
    def when(self) -> str:
        """In words."""
        if self.at is None:
            minutes = int((self.every or _USUAL).total_seconds()) // 60
            return f"when mail came, every {minutes} min at most" if self.on_mail else f"every {minutes} min"
        days = "every day" if len(self.days) == len(DAYS) else ", ".join(DAYS[day] for day in sorted(self.days))
        return f"{days} at {self.at:%H:%M}"

    def due(self, last: datetime, now: datetime) -> datetime | None:
        """The latest time after `last`, not after `now` and not too long ago, at which it begins; None if there is none.

        For one that waits for mail: whether it is time to look. Both are aware, in local time.
        """
        if self.at is None:
            return now if now - last >= (self.every or _USUAL) else None
        times = [each for each in self._times(now) if last < each <= now and now - each <= _LATE]
        return max(times, default=None)

    def following(self, last: datetime, now: datetime) -> datetime:
        """The next time at which it begins, or looks for mail."""
        if self.at is None:
            return max(now, last + (self.every or _USUAL))
        return next(each for each in self._times(now) if each > now)

    def _times(self, now: datetime) -> Iterator[datetime]:
        """Around now, earliest first. A time that a change of the clocks leaves out is an hour later; one that comes twice is its first."""
        assert self.at is not None
        for ahead in range(-2, 9):
            day = (now + timedelta(days=ahead)).date()
            if day.weekday() in self.days:
                yield datetime.combine(day, self.at).astimezone()


def tasks_in(table: Table) -> tuple[Task, ...]:
    """The tasks, in the file's order.

    Raises:
        ConfigError: one has no request, no time or two, or something is not what it must be.
    """
    return tuple(_task(table, name) for name in table.tables())


def _task(table: Table, name: str) -> Task:
    below = table.table(name)
    request, on_mail = below.text("request").strip(), below.switch("on_mail")
    at, every = _at(below), below.duration("every")
    if not request:
        raise below.wrong("request", "given: what you want, in your own words")
    if (at is None) is (every is None and not on_mail) or (at is not None and (every is not None or on_mail)):
        raise below.wrong("at", 'given, such as "07:30"; or instead of it every, such as "2h", or on_mail = true')
    if every is not None and every < _LEAST:
        raise below.wrong("every", "a minute or more")
    return Task(name, request, at, _days(below), every, on_mail)


def _at(table: Table) -> time | None:
    text = table.text("at", _WRITTEN)
    found = _TIME.fullmatch(text)
    if text and found is None:
        raise table.wrong("at", _WRITTEN)
    return None if found is None else time(int(found[1]), int(found[2]))


def _days(table: Table) -> frozenset[int]:
    named = table.texts("days") or DAYS
    if not set(named) <= set(DAYS):
        raise table.wrong("days", f"a list of {', '.join(DAYS)}")
    return frozenset(DAYS.index(day) for day in named)
