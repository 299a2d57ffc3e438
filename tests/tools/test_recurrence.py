"""Recurrence rules by days, against python-dateutil as the oracle."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from dateutil.rrule import DAILY, MONTHLY, WEEKLY, YEARLY, rrule, weekday
from hypothesis import given, settings
from hypothesis import strategies as st

from armslength.tools.calendar.recurrence import Budget, NthWeekday, Rule, days, parse_rule

_ORACLE = {"DAILY": DAILY, "WEEKLY": WEEKLY, "MONTHLY": MONTHLY, "YEARLY": YEARLY}


@st.composite
def _rules(draw: st.DrawFn) -> Rule:
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    # dateutil intersects plain and nth weekdays where the RFC unites them: a rule has the one kind or the other.
    has_nth = frequency in ("MONTHLY", "YEARLY") and draw(st.booleans())
    weekdays = st.builds(NthWeekday, st.integers(-5, 5).filter(bool) if has_nth else st.just(0), st.integers(0, 6))
    some = st.booleans()

    def several(values: st.SearchStrategy[int], most: int = 3) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=1, max_size=most, unique=True))) if draw(some) else ()

    return Rule(
        frequency=frequency,
        interval=draw(st.integers(1, 4)),
        count=draw(st.none() | st.integers(1, 30)),
        months=several(st.integers(1, 12)),
        weeks=several(st.integers(1, 53)) if frequency == "YEARLY" else (),
        year_days=several(st.integers(-366, 366).filter(bool), 20) if frequency == "YEARLY" else (),
        month_days=several(st.integers(-31, 31).filter(bool)),
        weekdays=tuple(draw(st.lists(weekdays, max_size=3, unique=True))),
        positions=several(st.integers(-4, 4).filter(bool)) if draw(some) else (),
        week_start=0 if frequency == "YEARLY" else draw(st.integers(0, 6)),
    )


def _by_oracle(rule: Rule, start: date, first: date, last: date) -> list[date]:
    found = rrule(
        _ORACLE[rule.frequency],
        dtstart=datetime.combine(start, time()),
        interval=rule.interval,
        count=rule.count,
        until=datetime.combine(last, time()) if rule.count is None else None,
        bymonth=rule.months or None,
        byweekno=rule.weeks or None,
        byyearday=rule.year_days or None,
        bymonthday=rule.month_days or None,
        byweekday=[weekday(each.weekday, each.nth or None) for each in rule.weekdays] or None,
        bysetpos=rule.positions or None,
        wkst=rule.week_start,
    )
    inside = found.between(datetime.combine(first, time()), datetime.combine(last, time()), inc=True)
    return [day.date() for day in inside]


@settings(max_examples=40, deadline=None)
@given(_rules(), st.dates(date(2019, 1, 1), date(2026, 12, 31)), st.dates(date(2024, 1, 1), date(2028, 1, 1)))
def test_a_rule_repeats_on_the_days_that_dateutil_finds(rule: Rule, start: date, first: date) -> None:
    """Whatever the BY parts, interval, count and window, the days are dateutil's."""
    last = date(first.year + 2, 6, 30)

    assert list(days(rule, start, first, last, Budget(1_000_000))) == _by_oracle(rule, start, first, last)


def test_a_rule_that_never_matches_ends_with_the_window() -> None:
    """30 February costs the days of the window, not those up to the year 9999."""
    budget = Budget(2_000)
    rule = parse_rule({"FREQ": ["YEARLY"], "BYMONTH": [2], "BYMONTHDAY": [30]})

    assert list(days(rule, date(2020, 1, 1), date(2026, 1, 1), date(2027, 12, 31), budget)) == []
    assert budget.days == 2_000 - (28 + 28 + 28)


def test_a_spent_budget_ends_the_expansion() -> None:
    """A counted rule from long ago stops when its days are used up, and the budget says so."""
    budget = Budget(5)
    rule = parse_rule({"FREQ": ["DAILY"], "COUNT": [100_000]})

    found = list(days(rule, date(2026, 1, 1), date(2026, 1, 1), date(2026, 12, 31), budget))

    assert found == [date(2026, 1, day) for day in range(1, 6)]
    assert budget.days < 0


def test_the_last_day_of_the_calendar_is_no_error() -> None:
    """A rule that runs past the year 9999 ends there."""
    rule = parse_rule({"FREQ": ["YEARLY"]})

    found = list(days(rule, date(9998, 5, 1), date(9998, 1, 1), date(9999, 12, 31), Budget(10_000)))

    assert found == [date(9998, 5, 1), date(9999, 5, 1)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"FREQ": ["SECONDLY"]}, "a rule repeats within the day, or has no frequency"),
        ({"FREQ": ["HOURLY"]}, "a rule repeats within the day, or has no frequency"),
        ({}, "a rule repeats within the day, or has no frequency"),
        ({"FREQ": ["DAILY"], "BYMINUTE": list(range(60))}, "a rule repeats within the day, or has unknown parts"),
        ({"FREQ": ["DAILY"], "X-EVIL": [1]}, "a rule repeats within the day, or has unknown parts"),
        ({"FREQ": ["DAILY"], "INTERVAL": [0]}, "INTERVAL is no positive number"),
        ({"FREQ": ["DAILY"], "COUNT": [1, 2]}, "COUNT is given twice"),
        ({"FREQ": ["DAILY"], "BYMONTH": [13]}, "BYMONTH is out of range"),
        ({"FREQ": ["MONTHLY"], "BYDAY": ["XX"]}, "no weekday"),
        ({"FREQ": ["MONTHLY"], "BYDAY": ["99MO"]}, "no such weekday"),
        ({"FREQ": ["MONTHLY"], "BYWEEKNO": [1]}, "BYWEEKNO is read in yearly rules with weeks from Monday only"),
        ({"FREQ": ["WEEKLY"], "BYDAY": ["1MO"]}, "BYYEARDAY and the nth weekday need a monthly or yearly rule"),
        ({"FREQ": ["YEARLY"], "BYYEARDAY": [1] * 401}, "BYYEARDAY has too many values"),
    ],
)
def test_a_rule_outside_the_language_is_refused(parts: dict[str, list[object]], message: str) -> None:
    """Frequencies below the day, unknown parts and values out of range are refused with the reason."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        parse_rule(parts)
