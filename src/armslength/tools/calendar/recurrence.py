"""The days on which an event repeats (RFC 5545, section 3.3.10), bounded in work for any rule.

A rule is expanded period by period (day, week, month, year), each period's days are filtered by the BY parts, and each day looked at is
charged to a budget. Rules that repeat within a day, and BY parts that the RFC forbids for their frequency, are refused.
"""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Frequency = Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class Budget:
    """How many days may still be looked at, over all rules of one search."""

    def __init__(self, days: int) -> None:
        self.days = days

    def charge(self, days: int) -> bool:
        """Whether `days` more could be paid for."""
        self.days -= days
        return self.days >= 0


@dataclass(frozen=True, slots=True)
class NthWeekday:
    """A weekday (0 is Monday), every one (`nth` 0) or the nth of the month or year, from the end if negative."""

    nth: int
    weekday: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A recurrence rule by days. UNTIL is the caller's, who knows the time zone."""

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    months: tuple[int, ...] = ()
    weeks: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    weekdays: tuple[NthWeekday, ...] = ()
    positions: tuple[int, ...] = ()
    week_start: int = 0


_FREQUENCIES: dict[str, Frequency] = {"DAILY": "DAILY", "WEEKLY": "WEEKLY", "MONTHLY": "MONTHLY", "YEARLY": "YEARLY"}
_KNOWN = frozenset(
    "FREQ INTERVAL COUNT UNTIL BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYSETPOS WKST".split()
)  # fmt: skip
_MOST_VALUES = 400


def parse_rule(parts: Mapping[str, Sequence[object]]) -> Rule:
    """The rule of an RRULE's parts, each a sequence of values as `icalendar` gives them.

    Raises:
        ValueError: a part is unknown, out of range, or not allowed with this frequency.
    """
    unknown = set(parts) - _KNOWN
    if unknown:
        raise ValueError("a rule repeats within the day, or has unknown parts")
    frequency = _FREQUENCIES.get(str(_one(parts, "FREQ")))
    if frequency is None:
        raise ValueError("a rule repeats within the day, or has no frequency")
    rule = Rule(
        frequency=frequency,
        interval=_positive(parts, "INTERVAL") or 1,
        count=_positive(parts, "COUNT"),
        months=_numbers(parts, "BYMONTH", 1, 12),
        weeks=_numbers(parts, "BYWEEKNO", -53, 53),
        year_days=_numbers(parts, "BYYEARDAY", -366, 366),
        month_days=_numbers(parts, "BYMONTHDAY", -31, 31),
        weekdays=tuple(_weekday(str(given)) for given in _many(parts, "BYDAY")),
        positions=_numbers(parts, "BYSETPOS", -366, 366),
        week_start=_weekday(str(_one(parts, "WKST") or "MO")).weekday,
    )
    if rule.weeks and (frequency != "YEARLY" or rule.week_start != 0):
        raise ValueError("BYWEEKNO is read in yearly rules with weeks from Monday only")
    if frequency in ("DAILY", "WEEKLY") and (rule.year_days or any(each.nth for each in rule.weekdays)):
        raise ValueError("BYYEARDAY and the nth weekday need a monthly or yearly rule")
    return rule


def _many(parts: Mapping[str, Sequence[object]], name: str) -> Sequence[object]:
    found = parts.get(name, ())
    values = found if isinstance(found, list | tuple) else [found]
    if len(values) > _MOST_VALUES:
        raise ValueError(f"{name} has too many values")
    return values


def _one(parts: Mapping[str, Sequence[object]], name: str) -> object:
    values = _many(parts, name)
    if len(values) > 1:
        raise ValueError(f"{name} is given twice")
    return values[0] if values else None


def _positive(parts: Mapping[str, Sequence[object]], name: str) -> int | None:
    value = _one(parts, name)
    if value is None:
        return None
    if not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} is no positive number")
    return int(value)


def _numbers(parts: Mapping[str, Sequence[object]], name: str, least: int, most: int) -> tuple[int, ...]:
    numbers = []
    for value in _many(parts, name):
        if not isinstance(value, int) or not least <= value <= most or value == 0:
            raise ValueError(f"{name} is out of range")
        numbers.append(int(value))
    return tuple(numbers)


def _weekday(text: str) -> NthWeekday:
    day, number = text[-2:].upper(), text[:-2]
    if day not in WEEKDAYS or len(number) > 3:
        raise ValueError("no weekday")
    nth = int(number) if number else 0
    if abs(nth) > 53:
        raise ValueError("no such weekday")
    return NthWeekday(nth, WEEKDAYS.index(day))


def days(rule: Rule, start: date, first: date, last: date, budget: Budget) -> Iterator[date]:
    """The days from `first` to `last` (both included) on which an event that starts on `start` repeats, in order.

    Without COUNT the periods before `first` are not looked at. Stops early, without a sign, where `budget` ends: the caller looks.
    """
    ordinal = 0 if rule.count is not None or first <= start else max(0, _periods_between(rule, start, first) - 1)
    counted = 0
    while (period := _period(rule, start, ordinal)) is not None and period[0] <= last:
        if not budget.charge(len(period)):
            return
        matching = [day for day in period if _matches(rule, start, day)]
        for day in _positioned(rule, matching):
            if day < start:
                continue
            counted += 1
            if day > last or (rule.count is not None and counted > rule.count):
                return
            if day >= first:
                yield day
        ordinal += 1


def _periods_between(rule: Rule, start: date, day: date) -> int:
    """How many whole steps of the rule lie between `start` and `day`, at most one too many."""
    months = (day.year - start.year) * 12 + day.month - start.month
    gone = {
        "DAILY": (day - start).days,
        "WEEKLY": (day - start).days // 7,
        "MONTHLY": months,
        "YEARLY": day.year - start.year,
    }
    return gone[rule.frequency] // rule.interval


def _period(rule: Rule, start: date, ordinal: int) -> list[date] | None:
    """The days of the rule's period number `ordinal`, from 0; None past the end of the calendar."""
    step = ordinal * rule.interval
    try:
        match rule.frequency:
            case "DAILY":
                return [start + timedelta(days=step)]
            case "WEEKLY":
                monday = start.toordinal() - (start.weekday() - rule.week_start) % 7 + 7 * step
                return [date.fromordinal(monday + offset) for offset in range(7)]
            case "MONTHLY":
                years, month = divmod(start.month - 1 + step, 12)
                year = start.year + years
                return [date(year, month + 1, 1 + offset) for offset in range(monthrange(year, month + 1)[1])]
            case "YEARLY":
                year = start.year + step
                return [
                    date(year, month, 1 + offset)
                    for month in _months_looked_at(rule, start)
                    for offset in range(monthrange(year, month)[1])
                ]
    except (ValueError, OverflowError):
        return None


def _months_looked_at(rule: Rule, start: date) -> tuple[int, ...]:
    """The months of a yearly rule that any day can match in."""
    if rule.months:
        return tuple(sorted(set(rule.months)))
    is_like_start = not (rule.weeks or rule.year_days or rule.month_days or rule.weekdays)
    return (start.month,) if is_like_start else tuple(range(1, 13))


def _year_length(year: int) -> int:
    return 366 if isleap(year) else 365


def _positioned(rule: Rule, matching: list[date]) -> list[date]:
    if not rule.positions:
        return matching
    length = len(matching)
    chosen = {position - 1 if position > 0 else length + position for position in rule.positions}
    return [day for index, day in enumerate(matching) if index in chosen]


def _matches(rule: Rule, start: date, day: date) -> bool:
    """Whether all BY parts allow the day; where there are none, it repeats what `start` is in its period."""
    if rule.months and day.month not in rule.months:
        return False
    if not (rule.weeks or rule.year_days or rule.month_days or rule.weekdays):
        return _like_start(rule, start, day)
    return (
        (not rule.weeks or _in_weeks(rule.weeks, day))
        and (not rule.year_days or _counts(rule.year_days, day.timetuple().tm_yday, _year_length(day.year)))
        and (not rule.month_days or _counts(rule.month_days, day.day, monthrange(day.year, day.month)[1]))
        and (not rule.weekdays or any(_is_weekday(rule, each, day) for each in rule.weekdays))
    )


def _like_start(rule: Rule, start: date, day: date) -> bool:
    match rule.frequency:
        case "DAILY":
            return True
        case "WEEKLY":
            return day.weekday() == start.weekday()
        case "MONTHLY":
            return day.day == start.day
        case "YEARLY":
            return day.day == start.day and (bool(rule.months) or day.month == start.month)


def _counts(wanted: tuple[int, ...], position: int, length: int) -> bool:
    return position in wanted or position - length - 1 in wanted


def _in_weeks(wanted: tuple[int, ...], day: date) -> bool:
    year, week, _ = day.isocalendar()
    weeks = date(year, 12, 28).isocalendar().week
    return _counts(wanted, week, weeks)


def _is_weekday(rule: Rule, wanted: NthWeekday, day: date) -> bool:
    if day.weekday() != wanted.weekday:
        return False
    if not wanted.nth:
        return True
    if rule.frequency == "MONTHLY" or rule.months:
        position, length = day.day, monthrange(day.year, day.month)[1]
    else:
        position, length = day.timetuple().tm_yday, _year_length(day.year)
    nth = (position - 1) // 7 + 1 if wanted.nth > 0 else -((length - position) // 7 + 1)
    return nth == wanted.nth
