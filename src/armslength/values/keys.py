"""What a dict or set finds a value by: a form of it that nobody can choose so that Python's dicts find it slowly.

Python's hash of a number is the number itself, and of a tuple or a span of time a sum of such: whoever writes the numbers decides which
of them meet in a dict, and each look-up then goes through all of these. So numbers are mixed with one that only this process knows, and
the rest is a text, whose hash Python mixes likewise. A long text is its digest: finding a key never compares more than `LONGEST` characters.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from hashlib import blake2b
from typing import Final

from armslength.values.objects import Key, MemberObject, Moment, Raw, TupleObject, Value, kind, unwrap

FEW: Final = 4_096
"""Whole numbers from 0 up to here are found as they are: so few of them meet that it is of no account."""
LARGE: Final = 1 << 60
"""Whole numbers from here on, on either side of 0, are found by their text."""
MIXED: Final = LARGE + hash("what whole numbers are mixed with") % LARGE
"""Of this process alone; nothing that a program sees depends on it. What is mixed with it is none of the few."""
LONGEST: Final = 1_024
"""Longer texts are found by their digest."""


def key_of(value: Value) -> Key:
    """What a dict or set finds `value` by: the same for two values just if they are equal.

    Raises:
        TypeError: the value is not hashable in the language.
    """
    raw = unwrap(value)
    if isinstance(raw, MemberObject) and raw.is_mixed:
        return key_of(raw.value)
    if type(raw) is str and len(raw) <= LONGEST:
        return raw
    number = int(raw) if isinstance(raw, float) and raw.is_integer() else raw
    if isinstance(number, int) and -LARGE < number < LARGE:
        return int(number) if 0 <= number < FEW else number ^ MIXED
    written = _written(value)
    return (_digest(written) if len(written) > LONGEST else written).encode("utf-8", "surrogatepass")


def _digest(text: str) -> str:
    return "#" + blake2b(text.encode("utf-8", "surrogatepass")).hexdigest()


def _written(value: Value) -> str:
    """A text that is the same for the same key, and different for any other, also within a tuple."""
    raw: Raw = unwrap(value)
    match raw:
        case str():
            return f"'{len(raw)}:{raw}" if len(raw) <= LONGEST else _digest(f"'{raw}")
        case None:
            return "None"
        case int():
            return f"{raw:x}"
        case float():
            return _written_float(raw)
        case TupleObject():
            return f"({','.join([_written(item) for item in raw.items])})"
        case MemberObject():
            return _written(raw.value) if raw.is_mixed else f"{raw.enumeration}.{raw.name}"
        case datetime() | date() | time() | timedelta() | timezone():
            return f"{kind(value)} {_written_moment(raw)}"
        case _:
            raise TypeError(f"unhashable type: {kind(value)}")


def _written_float(raw: float) -> str:
    if raw.is_integer():
        return f"{int(raw):x}"
    return raw.hex() if raw == raw else f"nan {id(raw)}"  # noqa: PLR0124 - to Python each nan is a key of its own


_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


def _written_moment(raw: Moment) -> str:
    """Two with zones are the same if they mean the same moment; one with a zone and one without never are."""
    match raw:
        case datetime() if raw.utcoffset() is not None:
            return f"at {_written_moment(raw - _BEGINNING)}"
        case time() if (offset := raw.utcoffset()) is not None:
            seconds = raw.hour * 3_600 + raw.minute * 60 + raw.second - offset.days * 86_400 - offset.seconds
            return f"at {seconds} {raw.microsecond}"
        case datetime() | date() | time():
            return raw.isoformat()
        case timedelta():
            return f"{raw.days} {raw.seconds} {raw.microseconds}"
        case timezone():
            return _written_moment(raw.utcoffset(None))
