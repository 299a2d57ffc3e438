"""`datetime`: dates, times, spans of time and fixed offsets. Whatever is made of a moment is row "construct".

Nothing here reads a clock or a zone of the machine: `now()` and `today()` are the start of the run, which the host gives with its
label, and what would need the machine's zone fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from armslength.labels import NOTHING
from armslength.language.machine import Machine
from armslength.language.operations import date_texts
from armslength.language.operations.library.arguments import Attribute, Builtin, Method, bind, label_of, misfit, text_in
from armslength.language.operations.moments import formatted_moment
from armslength.values import Moment, Raw, TupleObject, Value, make, unwrap

_NO_ZONE = "this has no time zone, and the machine's is not used; give it one with replace(tzinfo=...)"
_NOT_THERE = "there is no such moment"


def _made(machine: Machine, compute: Callable[[], object], *values: Value | None) -> Value:
    """What Python's own type gives: row "construct" over these values.

    Raises:
        ProgramFailed: there is no such moment, or it is made of something else.
    """
    label = label_of(machine, *values)
    try:
        result = compute()
    except (ValueError, OverflowError):
        raise machine.failed("value", _NOT_THERE, label) from None
    except ZeroDivisionError:
        raise machine.failed("zero", "division by zero", label) from None
    except TypeError:
        raise machine.failed("type", "these do not go together", label) from None
    match result:
        case tuple():
            return make(TupleObject([make(part, label) for part in result], label), NOTHING)
        case tzinfo() if type(result) is not timezone:
            raise machine.failed("type", "this time zone is not part of the language", label)
        case None | bool() | int() | float() | str() | datetime() | date() | time() | timedelta() | timezone():
            return make(result, label)
        case _:
            raise machine.failed("type", "these do not go together", label)


def _raw_of(machine: Machine, name: str, allowed: tuple[type, ...], value: Value) -> Raw:
    """The data of an argument of one of these types.

    Raises:
        ProgramFailed: it is of another one.
    """
    raw = unwrap(value)
    if type(raw) not in allowed:
        raise misfit(machine, name, value)
    return raw


_WHOLE, _NUMBER, _ZONE = (int, bool), (int, bool, float), (timezone, type(None))
_TYPES: dict[str, tuple[type, ...]] = {
    "tzinfo": _ZONE, "tz": _ZONE, "offset": (timedelta,), "name": (str,), "sep": (str,), "timespec": (str,),
}  # fmt: skip
"""What arguments of these names are; the others are numbers."""


def _arguments(
    machine: Machine, name: str, wanted: str, args: Sequence[Value], named: Mapping[str, Value]
) -> tuple[dict[str, Raw], list[Value]]:
    """The data of the arguments that were given, by name, and their values."""
    given = dict(zip(wanted.replace("?", "").split(), bind(machine, name, wanted, args, named), strict=True))
    number = _NUMBER if name == "timedelta" else _WHOLE
    there = {part: value for part, value in given.items() if value is not None}
    raws = {part: _raw_of(machine, name, _TYPES.get(part, number), value) for part, value in there.items()}
    return raws, list(there.values())


# Making moments

_CLOCK = "hour? minute? second? microsecond? tzinfo?"
_PARTS = {
    "datetime": f"year month day {_CLOCK}",
    "date": "year month day",
    "time": _CLOCK,
    "timedelta": "days? seconds? microseconds? milliseconds? minutes? hours? weeks?",
    "timezone": "offset name?",
}
_PYTHON: dict[str, Callable[..., Moment]] = {
    "datetime": datetime, "date": date, "time": time, "timedelta": timedelta, "timezone": timezone,
}  # fmt: skip


def _constructor(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        raws, values = _arguments(machine, name, _PARTS[name], args, named)
        return _made(machine, lambda: _PYTHON[name](**raws), *values)

    return builtin


def _from_text(python: Callable[[str], Moment]) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        (given,) = bind(machine, "fromisoformat", "date_string", args, named)
        text = text_in(machine, "fromisoformat", given)
        machine.spend(len(text))
        return _made(machine, lambda: python(text), given)

    return builtin


_READING, _DIRECTIVE = 500, 300
"""What a format that is read counts as, and each directive in it: a pattern is made of them."""


def _strptime(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" over text and format.

    Raises:
        ProgramFailed: the text does not have this format, or the format is not part of the language.
    """
    given, form = bind(machine, "strptime", "date_string format", args, named)
    text, pattern = text_in(machine, "strptime", given), text_in(machine, "strptime", form)
    label = label_of(machine, given, form)
    if max(len(text), len(pattern)) > date_texts.MAX_FORMAT:
        raise machine.failed("value", "the text or the format of a date is too long", label)
    machine.spend(len(text) + len(pattern) + _READING + _DIRECTIVE * pattern.count("%"))
    try:
        found = date_texts.read(text, pattern)
    except KeyError:
        raise machine.failed("value", "strptime does not take this format", label) from None
    except (ValueError, OverflowError):
        raise machine.failed("value", _NOT_THERE, label) from None
    if found is None:
        raise machine.failed("value", "the text does not have this format", label)
    return make(found, label)


def _combine(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    day, at, zone = bind(machine, "combine", "date time tzinfo?", args, named)
    if day is None or at is None:
        raise misfit(machine, "combine", day, at)
    first, second = unwrap(day), unwrap(at)
    if not isinstance(first, date) or not isinstance(second, time):
        raise misfit(machine, "combine", day, at)
    if zone is None:
        return _made(machine, lambda: datetime.combine(first, second), day, at)
    third = unwrap(zone)
    if third is not None and not isinstance(third, timezone):
        raise misfit(machine, "combine", zone)
    return _made(machine, lambda: datetime.combine(first, second, third), day, at, zone)


def _from_timestamp(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    given, zone = bind(machine, "fromtimestamp", "timestamp tz?", args, named)
    seconds = _seconds(machine, given)
    raw = None if zone is None else unwrap(zone)
    if not isinstance(raw, timezone):
        raise machine.failed("value", _NO_ZONE, label_of(machine, given, zone))
    return _made(machine, lambda: (_EPOCH + seconds).astimezone(raw), given, zone)


def _from_utc(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (given,) = bind(machine, "utcfromtimestamp", "timestamp", args, named)
    seconds = _seconds(machine, given)
    return _made(machine, lambda: (_EPOCH + seconds).replace(tzinfo=None), given)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _seconds(machine: Machine, given: Value | None) -> timedelta:
    raw = None if given is None else unwrap(given)
    if not isinstance(raw, bool | int | float):
        raise misfit(machine, "fromtimestamp", given)
    try:
        return timedelta(seconds=raw)
    except (ValueError, OverflowError):
        raise machine.failed("value", _NOT_THERE, label_of(machine, given)) from None


# The start of the run


def _start(machine: Machine) -> tuple[Value, datetime]:
    value = machine.host.now()
    raw = unwrap(value)
    if not isinstance(raw, datetime):
        raise machine.failed("value", "the run has no start", value.label)
    return value, raw


def _now(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (zone,) = bind(machine, "now", "tz?", args, named)
    start, raw = _start(machine)
    wanted = None if zone is None else unwrap(zone)
    if wanted is None:
        return _made(machine, lambda: raw.replace(tzinfo=None), start, zone)
    if not isinstance(wanted, timezone):
        raise misfit(machine, "now", zone)
    if raw.utcoffset() is None:
        raise machine.failed("value", "the start of the run has no time zone", start.label)
    return _made(machine, lambda: raw.astimezone(wanted), start, zone)


def _today(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    bind(machine, "today", "", args, named)
    start, raw = _start(machine)
    return _made(machine, raw.date, start)


def _utcnow(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    bind(machine, "utcnow", "", args, named)
    now = _now(machine, [make(UTC, NOTHING)], {})
    raw = unwrap(now)
    return _made(machine, lambda: raw.replace(tzinfo=None) if isinstance(raw, datetime) else raw, now)


def _local_now(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    bind(machine, "today", "", args, named)
    return _now(machine, [], {})


FUNCTIONS: dict[str, Builtin] = {
    **{f"datetime.{name}": _constructor(name) for name in _PARTS},
    "datetime.datetime.now": _now, "datetime.datetime.today": _local_now, "datetime.datetime.utcnow": _utcnow,
    "datetime.date.today": _today,
    "datetime.datetime.fromisoformat": _from_text(datetime.fromisoformat),
    "datetime.date.fromisoformat": _from_text(date.fromisoformat),
    "datetime.time.fromisoformat": _from_text(time.fromisoformat),
    "datetime.datetime.strptime": _strptime, "datetime.datetime.combine": _combine,
    "datetime.datetime.fromtimestamp": _from_timestamp, "datetime.datetime.utcfromtimestamp": _from_utc,
}  # fmt: skip
"""The constructors of `datetime`, and what is called on its classes."""

CONSTANTS: dict[str, Raw] = {
    "datetime.timezone.utc": UTC, "datetime.UTC": UTC,
    "datetime.MINYEAR": 1, "datetime.MAXYEAR": 9999,
    "datetime.datetime.min": datetime.combine(date.min, time.min),
    "datetime.datetime.max": datetime.combine(date.max, time.max),
    "datetime.date.min": date.min, "datetime.date.max": date.max,
    "datetime.time.min": time.min, "datetime.time.max": time.max,
    "datetime.timedelta.min": timedelta.min, "datetime.timedelta.max": timedelta.max,
    "datetime.timedelta.resolution": timedelta.resolution,
}  # fmt: skip
"""Its constants."""

# Methods and attributes

_METHOD_ARGUMENTS: dict[tuple[str, str], str] = {
    **{(kind, name): "" for kind in ("datetime", "date") for name in ("weekday", "isoweekday", "isocalendar", "toordinal")},
    **{("datetime", name): "" for name in ("date", "time", "timetz", "utcoffset", "tzname")},
    **{("time", name): "" for name in ("utcoffset", "tzname")},
    ("timedelta", "total_seconds"): "",
    ("datetime", "isoformat"): "sep? timespec?",
    ("date", "isoformat"): "",
    ("time", "isoformat"): "timespec?",
    ("datetime", "replace"): "year? month? day? hour? minute? second? microsecond? tzinfo?",
    ("date", "replace"): "year? month? day?",
    ("time", "replace"): "hour? minute? second? microsecond? tzinfo?",
}  # fmt: skip
"""The methods that are Python's own, and their arguments."""


def _method(kind: str, name: str, wanted: str) -> Method:
    def method(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        raws, values = _arguments(machine, name, wanted, args, named)
        raw = _moment(machine, owner, kind)
        return _made(machine, lambda: _plain_tuple(getattr(raw, name)(**raws)), owner, *values)

    return method


def _plain_tuple(result: object) -> object:
    """`isocalendar` gives a tuple with names; here it has none."""
    return tuple(result) if isinstance(result, tuple) else result


def _moment(machine: Machine, owner: Value, *kinds: str) -> Moment:
    """The data of a moment of one of these kinds.

    Raises:
        ProgramFailed: it is none.
    """
    raw = unwrap(owner)
    if not isinstance(raw, Moment) or type(raw).__name__ not in kinds:
        raise misfit(machine, "a method of dates", owner)
    return raw


def _strftime(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (form,) = bind(machine, "strftime", "format", args, named)
    raw, label = _moment(machine, owner, "datetime", "date", "time"), label_of(machine, owner, form)
    if isinstance(raw, timedelta | timezone):
        raise misfit(machine, "strftime", owner, form)
    return make(formatted_moment(machine, raw, text_in(machine, "strftime", form), label), label)


def _timestamp(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    bind(machine, "timestamp", "", args, named)
    raw = _moment(machine, owner, "datetime")
    if not isinstance(raw, datetime) or raw.utcoffset() is None:
        raise machine.failed("value", _NO_ZONE, owner.label)
    return _made(machine, raw.timestamp, owner)


def _astimezone(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (zone,) = bind(machine, "astimezone", "tz?", args, named)
    raw, wanted = _moment(machine, owner, "datetime"), None if zone is None else unwrap(zone)
    if wanted is not None and not isinstance(wanted, timezone):
        raise misfit(machine, "astimezone", zone)
    if not isinstance(raw, datetime) or raw.utcoffset() is None or wanted is None:
        raise machine.failed("value", _NO_ZONE, label_of(machine, owner, zone))
    return _made(machine, lambda: raw.astimezone(wanted), owner, zone)


METHODS: dict[tuple[str, str], Method] = {
    **{(kind, name): _method(kind, name, wanted) for (kind, name), wanted in _METHOD_ARGUMENTS.items()},
    **{(kind, "strftime"): _strftime for kind in ("datetime", "date", "time")},
    ("datetime", "timestamp"): _timestamp,
    ("datetime", "astimezone"): _astimezone,
}
"""The methods of moments."""

_DAY, _TIME = ("year", "month", "day"), ("hour", "minute", "second", "microsecond", "tzinfo")


def _attribute(kind: str, name: str) -> Attribute:
    def attribute(machine: Machine, owner: Value) -> Value:
        machine.may_raise(owner.label)
        raw = _moment(machine, owner, kind)
        return _made(machine, lambda: getattr(raw, name), owner)

    return attribute


ATTRIBUTES: dict[tuple[str, str], Attribute] = {
    **{("datetime", name): _attribute("datetime", name) for name in (*_DAY, *_TIME)},
    **{("date", name): _attribute("date", name) for name in _DAY},
    **{("time", name): _attribute("time", name) for name in _TIME},
    **{("timedelta", name): _attribute("timedelta", name) for name in ("days", "seconds", "microseconds")},
}
"""What stands after a dot of a moment without being called."""
