"""Dates as text: `strftime` and `strptime` by one table of directives, in English, with nothing of the machine's locale or zone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone

MAX_FORMAT = 200
"""Characters of a format, and of a text that is read by one."""

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS = "January February March April May June July August September October November December".split()
_EPOCH_YEAR = 1900


def _offset(moment: datetime) -> str:
    """`+0200`, with seconds and their parts only where there are some; nothing without a zone."""
    offset = moment.utcoffset()
    if offset is None:
        return ""
    sign, left = ("-", -offset) if offset < timedelta(0) else ("+", offset)
    minutes, rest = divmod(left, timedelta(minutes=1))
    text = f"{sign}{minutes // 60:02}{minutes % 60:02}"
    if rest:
        text += f"{rest.seconds:02}" + (f".{rest.microseconds:06}" if rest.microseconds else "")
    return text


def _week(moment: datetime, first: int) -> int:
    """The week of the year, counted from its first day of that number; the days before are week 0."""
    return (moment.timetuple().tm_yday + 6 - (moment.weekday() - first) % 7) // 7


_WRITE: dict[str, Callable[[datetime], str]] = {
    "Y": lambda m: f"{m.year:04}",
    "y": lambda m: f"{m.year % 100:02}",
    "m": lambda m: f"{m.month:02}",
    "d": lambda m: f"{m.day:02}",
    "H": lambda m: f"{m.hour:02}",
    "I": lambda m: f"{m.hour % 12 or 12:02}",
    "M": lambda m: f"{m.minute:02}",
    "S": lambda m: f"{m.second:02}",
    "f": lambda m: f"{m.microsecond:06}",
    "j": lambda m: f"{m.timetuple().tm_yday:03}",
    "p": lambda m: "AM" if m.hour < 12 else "PM",
    "A": lambda m: _DAYS[m.weekday()],
    "a": lambda m: _DAYS[m.weekday()][:3],
    "B": lambda m: _MONTHS[m.month - 1],
    "b": lambda m: _MONTHS[m.month - 1][:3],
    "h": lambda m: _MONTHS[m.month - 1][:3],
    "w": lambda m: str(m.isoweekday() % 7),
    "u": lambda m: str(m.isoweekday()),
    "U": lambda m: f"{_week(m, 6):02}",
    "W": lambda m: f"{_week(m, 0):02}",
    "V": lambda m: f"{m.isocalendar().week:02}",
    "G": lambda m: f"{m.isocalendar().year:04}",
    "z": _offset,
    "e": lambda m: f"{m.day:2}",
    "F": lambda m: f"{m.year:04}-{m.month:02}-{m.day:02}",
    "T": lambda m: f"{m.hour:02}:{m.minute:02}:{m.second:02}",
    "R": lambda m: f"{m.hour:02}:{m.minute:02}",
    "D": lambda m: f"{m.month:02}/{m.day:02}/{m.year % 100:02}",
    "%": lambda m: "%",
}
_NUMBERS = frozenset("ymdHIMSj")
"""Those that `%-` writes without the zeros before them."""


def written(moment: datetime | date | time, form: str) -> str | None:
    """The text of a moment in a format; None if the format has a directive that is not in the table."""
    whole = _whole(moment)
    pieces: list[str] = []
    at = 0
    while (sign := form.find("%", at)) >= 0:
        pieces.append(form[at:sign])
        is_short = form.startswith("-", sign + 1)
        at = sign + 2 + is_short
        name = form[at - 1 : at]
        if name not in _WRITE or (is_short and name not in _NUMBERS):
            return None
        text = _WRITE[name](whole)
        pieces.append(text.lstrip("0") or "0" if is_short else text)
    return "".join([*pieces, form[at:]])


def _whole(moment: datetime | date | time) -> datetime:
    """Date and time: a date is at midnight, a time is on the first day of 1900, as in Python."""
    match moment:
        case datetime():
            return moment
        case date():
            return datetime(moment.year, moment.month, moment.day)  # noqa: DTZ001 - a date has no zone
        case time():
            return datetime.combine(date(_EPOCH_YEAR, 1, 1), moment)


def _names(names: list[str]) -> str:
    return "|".join(names)


_READ: dict[str, str] = {
    "Y": r"[0-9]{4}",
    "y": r"[0-9]{2}",
    "m": r"1[0-2]|0[1-9]|[1-9]",
    "d": r"3[01]|[12][0-9]|0[1-9]|[1-9]| [1-9]",
    "H": r"2[0-3]|[01][0-9]|[0-9]",
    "I": r"1[0-2]|0[1-9]|[1-9]",
    "M": r"[0-5][0-9]|[0-9]",
    "S": r"[0-5][0-9]|[0-9]",
    "f": r"[0-9]{1,6}",
    "j": r"36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0[1-9][0-9]|00[1-9]|[1-9][0-9]|0[1-9]|[1-9]",
    "p": r"AM|PM",
    "A": _names(_DAYS),
    "a": _names([day[:3] for day in _DAYS]),
    "B": _names(_MONTHS),
    "b": _names([month[:3] for month in _MONTHS]),
    "z": r"(?-i:Z)|[+-][0-9]{2}:?[0-5][0-9](?::?[0-5][0-9](?:\.[0-9]{1,6})?)?",
}
"""What each directive reads. Each stands at most once in a format, so that there are few ways to read a text."""


def read(text: str, form: str) -> datetime | None:
    """The moment that a text means in a format; None if it means none.

    Raises:
        KeyError: the format has a directive that is not in the table, or one of them twice.
        ValueError: there is no such day.
        OverflowError: nor such a year.
    """
    found = re.compile(_pattern(form), re.IGNORECASE).fullmatch(text)
    return None if found is None else _moment(found.groupdict())


def _pattern(form: str) -> str:
    pieces: list[str] = []
    met: set[str] = set()
    for piece in re.findall(r"%.|\s+|[^%\s]+|%", form, re.DOTALL):
        name = piece[1:]
        if not piece.startswith("%"):
            pieces.append(r"\s+" if piece.isspace() else re.escape(piece))
        elif name == "%":
            pieces.append("%")
        elif name in met:
            raise KeyError(name)
        else:
            met.add(name)
            pieces.append(f"(?P<{name}>{_READ[name]})")
    return "".join(pieces)


def _moment(parts: dict[str, str]) -> datetime:
    year, month, day = _EPOCH_YEAR, int(parts.get("m", 1)), int(parts.get("d", 1))
    if "Y" in parts:
        year = int(parts["Y"])
    elif "y" in parts:
        short = int(parts["y"])
        year = short + (1900 if short >= 69 else 2000)
    for name, length in (("B", None), ("b", 3)):
        if name in parts:
            month = 1 + [each[:length].lower() for each in _MONTHS].index(parts[name].lower())
    found = date(year, month, day) if "j" not in parts else date(year, 1, 1) + timedelta(days=int(parts["j"]) - 1)
    at = time(
        _hour(parts),
        int(parts.get("M", 0)),
        int(parts.get("S", 0)),
        int(parts.get("f", "0").ljust(6, "0")),
        _zone(parts["z"]) if "z" in parts else None,
    )
    return datetime.combine(found, at)


def _hour(parts: dict[str, str]) -> int:
    if "I" not in parts:
        return int(parts.get("H", 0))
    return int(parts["I"]) % 12 + (12 if parts.get("p", "").upper() == "PM" else 0)


def _zone(text: str) -> timezone:
    if text == "Z":
        return UTC
    has_colons = text[3:4] == ":"
    digits = text[1:].replace(":", "")
    whole, _, part = digits.partition(".")
    if text.count(":") != (len(whole) // 2 - 1 if has_colons else 0):
        raise ValueError("colons between some parts only")
    hours, minutes, seconds = (int(whole[at : at + 2] or 0) for at in (0, 2, 4))
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds, microseconds=int(part.ljust(6, "0")))
    return timezone(-offset if text[0] == "-" else offset)
