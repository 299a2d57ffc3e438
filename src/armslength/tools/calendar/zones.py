"""Time zones that an .ics text defines (VTIMEZONE, RFC 5545, section 3.6.5): those that are cheap to evaluate, for that text alone.

The parser keeps each zone by its name for the whole process, so the first text to define one would say what the name means in all others.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from icalendar.timezone import tzp

_alone = threading.RLock()


@contextmanager
def zones_of_one_text() -> Iterator[None]:
    """Within the block the parser knows the system's zones and those that it reads there; nobody else reads meanwhile."""
    with _alone:
        tzp.use_zoneinfo()  # forgets what earlier texts defined
        yield


_MOST_YEARS, _MOST_ZONE_YEARS = 20_000, 3_000
"""For which rules are followed, in all zones of a text and in one: each year of each rule costs some 50 µs. Zones of Outlook begin in 1601."""
_MOST_PERIODS, _MOST_ZONE_PERIODS = 2_000, 200
"""Each is looked at for each time of an event."""
_LAST_YEAR = 2040
"""A rule without an end is followed until an event; most are before this."""
_LINE = re.compile(r"\r\n|\n|\r")
_FOLD = re.compile(r"(?<!\n)\n+[ \t]")
"""From the first of several line ends: tried from each of them, many would take the square."""
_EDGE = re.compile(r"(?:BEGIN|END)\s*[:;]", re.IGNORECASE)
_PLAIN_EDGE = re.compile(r"(?:BEGIN|END):[A-Z0-9-]+", re.ASCII)
_MONTH = r"BYMONTH=(?:1[0-2]|[1-9])"
_PLAIN = r"INTERVAL=1|UNTIL=[0-9TZ]+|WKST=[A-Z]{2}"
_MONTH_DAY = r"(?:[1-9]|1\d|2[0-8])"
_CHEAP_RULE = re.compile(
    rf"RRULE:FREQ=YEARLY(?:;(?:{_PLAIN}|{_MONTH}|BYDAY=[+-]?[1-4]?[A-Z]{{2}}))*"
    rf"|RRULE:FREQ=YEARLY(?:;(?:{_PLAIN}|{_MONTH}|BYDAY=[A-Z]{{2}}|BYMONTHDAY={_MONTH_DAY}(?:,{_MONTH_DAY})*))*",
    re.ASCII,
)
"""Rules that are met in most years. One that never is would be followed to the year 9999 at each look at the zone."""
_START = re.compile(r"DTSTART(?:;VALUE=DATE-TIME)?:(\d{4})\d{4}T\d{6}", re.ASCII)
_UNTIL = re.compile(r";UNTIL=(\d{4})", re.ASCII)


def without_costly_zones(text: str) -> tuple[str, bool]:
    """The text unfolded, without VTIMEZONEs that are costly to evaluate, and whether one was dropped."""
    kept: list[str] = []
    zone: list[str] | None = None
    has_dropped, years, periods = False, 0, 0
    for line in _lines(text):
        if line == "BEGIN:VTIMEZONE" and zone is None:
            zone = []
        if zone is None:
            kept.append(line)
            continue
        zone.append(line)
        if line == "END:VTIMEZONE":
            cost = _cost_of(zone)
            if cost is not None and years + cost[0] <= _MOST_YEARS and periods + cost[1] <= _MOST_PERIODS:
                years, periods = years + cost[0], periods + cost[1]
                kept.extend(zone)
            else:
                has_dropped = True
            zone = None
    return "\r\n".join(kept), has_dropped or zone is not None


def _lines(text: str) -> Iterator[str]:
    """The unfolded lines. Where a component begins or ends stands in one spelling: the parser reads more of them, so others are left out."""
    for line in _FOLD.sub("", "\n".join(_LINE.split(text))).split("\n"):
        if _EDGE.match(line) is None:
            yield line
        elif _PLAIN_EDGE.fullmatch(plain := line.strip().upper()):
            yield plain


def _cost_of(zone: list[str]) -> tuple[int, int] | None:
    """The years for which its rules are followed, and its periods (STANDARD, DAYLIGHT). None: it is no plain zone, or of too many."""
    years = periods = 0
    period: list[str] | None = None
    for line in (each.strip().upper() for each in zone[1:-1]):
        if _EDGE.match(line) and line.startswith("BEGIN"):
            if period is not None or line == "BEGIN:VTIMEZONE":
                return None
            period, periods = [], periods + 1
        elif _EDGE.match(line) and period is not None:
            followed = _years_of(period)
            if followed is None:
                return None
            years, period = years + followed, None
        elif period is not None:
            period.append(line)
        elif line.startswith("RRULE"):
            return None
    fits = period is None and years <= _MOST_ZONE_YEARS and periods <= _MOST_ZONE_PERIODS
    return (years, periods) if fits else None


def _years_of(period: list[str]) -> int | None:
    """For how many years the rules of a period are followed; None: one is not plain, or it does not say plainly when it begins."""
    rules = [line for line in period if line.startswith("RRULE")]
    starts = [_START.fullmatch(line) for line in period if line.startswith("DTSTART")]
    if not rules:
        return 0
    if len(starts) != 1 or starts[0] is None or not all(map(_CHEAP_RULE.fullmatch, rules)):
        return None
    ends = [max([int(each) for each in _UNTIL.findall(rule)] or [_LAST_YEAR]) for rule in rules]
    return sum(max(min(end, _LAST_YEAR) - int(starts[0][1]), 0) + 1 for end in ends)
