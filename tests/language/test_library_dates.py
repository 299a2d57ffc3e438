"""`datetime`: Python's results, the run's start for a clock, no zone of the machine, exact labels."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.library_world import (
    CLOCK,
    CONSTANTS,
    GUESS,
    MAIL,
    READ,
    START,
    attribute_of,
    called,
    data_of,
    machine_for,
    method_of,
    plain,
    value_of,
)
from tests.language.moments import EAST, MOMENTS, failure, moments

from armslength.errors import ProgramFailed
from armslength.labels import NOTHING, construct
from armslength.language.operations.moments import moment_arithmetic, moment_format, moment_unary
from armslength.values import Value, make, unwrap

_spans = st.timedeltas()


# Making moments


@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        ("datetime", (2026, 11, 30), {}),
        ("datetime", (2026, 11, 30, 9, 15, 1, 2, EAST), {}),
        ("datetime", (), {"year": 2026, "month": 2, "day": 28, "tzinfo": None}),
        ("date", (2026, 11), {"day": 30}),
        ("time", (), {}),
        ("time", (9,), {"minute": 30, "tzinfo": UTC}),
        ("timedelta", (), {}),
        ("timedelta", (1, 2.5), {"weeks": -1, "hours": True, "milliseconds": 0.5}),
        ("timezone", (timedelta(hours=-3),), {}),
        ("timezone", (timedelta(hours=1), "home"), {}),
    ],
)
def test_constructors_are_pythons(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    """By place and by name, with and without what may be missing."""
    made = plain(f"datetime.{name}", *args, **named)
    assert made == getattr(__import__("datetime"), name)(*args, **named)
    assert str(made) == str(getattr(__import__("datetime"), name)(*args, **named))


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("datetime", (2026, 2, 30), ("value", "there is no such moment")),
        ("datetime", (10**30, 1, 1), ("value", "there is no such moment")),
        ("datetime", (2026, 1.0, 1), ("type", "the arguments do not fit datetime")),
        ("datetime", ("\x07\xea\x0b\x1e\x00\x00\x00\x00\x00\x00",), ("type", "the arguments do not fit datetime")),
        ("datetime", (2026, 1), ("type", "the arguments do not fit datetime")),
        ("date", (2026, 1, 1, 1), ("type", "the arguments do not fit date")),
        ("time", (24,), ("value", "there is no such moment")),
        ("time", (1, 1, 1, 1, 1), ("type", "the arguments do not fit time")),
        ("timedelta", (10**12,), ("value", "there is no such moment")),
        ("timedelta", (float("nan"),), ("value", "there is no such moment")),
        ("timedelta", (float("inf"),), ("value", "there is no such moment")),
        ("timedelta", ("1",), ("type", "the arguments do not fit timedelta")),
        ("timezone", (timedelta(days=1),), ("value", "there is no such moment")),
        ("timezone", (1,), ("type", "the arguments do not fit timezone")),
    ],
)
def test_what_is_no_moment_fails(name: str, args: tuple[Any, ...], expected: tuple[str, str]) -> None:
    """Too large, of another kind, too many: each is a failure of the program."""
    assert failure(lambda: called(f"datetime.{name}", *args)) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("datetime", "2026-11-30T09:15:00+05:30"),
        ("datetime", "20261130T0915Z"),
        ("datetime", "2026-11-30"),
        ("date", "2026-11-30"),
        ("date", "2026-W01-1"),
        ("time", "09:15:00.5"),
    ],
)
def test_iso_texts_are_read_as_python_reads_them(path: str, text: str) -> None:
    """`fromisoformat` of the three."""
    python = {"datetime": datetime, "date": date, "time": time}[path]
    assert plain(f"datetime.{path}.fromisoformat", text) == python.fromisoformat(text)
    assert failure(lambda: called(f"datetime.{path}.fromisoformat", f"{text}x")) == (
        "value",
        "there is no such moment",
    )


def test_dates_and_times_are_combined() -> None:
    """A date, or the date of a moment, with a time and perhaps another zone."""
    day, at = date(2026, 1, 2), time(9, tzinfo=EAST)
    assert plain("datetime.datetime.combine", day, at) == datetime.combine(day, at)
    assert plain("datetime.datetime.combine", MOMENTS[0], at, tzinfo=UTC) == datetime.combine(day, at, UTC).replace(
        year=2026, month=11, day=30
    )
    assert plain("datetime.datetime.combine", day, at, None) == datetime.combine(day, at, None)
    assert failure(lambda: called("datetime.datetime.combine", at, day)) == (
        "type",
        "the arguments do not fit combine",
    )


# The clock


def test_now_is_the_start_of_the_run() -> None:
    """`now`, `today` and `utcnow` all are, with the label that the host gave it."""
    naive = START.replace(tzinfo=None)
    assert plain("datetime.datetime.now") == plain("datetime.datetime.today") == naive
    assert plain("datetime.datetime.now", UTC) == START
    assert plain("datetime.datetime.now", tz=EAST) == START
    assert str(plain("datetime.datetime.now", EAST)) == str(START.astimezone(EAST))
    assert plain("datetime.datetime.utcnow") == naive
    assert plain("datetime.date.today") == START.date()
    for path in ("datetime.now", "datetime.today", "datetime.utcnow", "date.today"):
        assert called(f"datetime.{path}").label.data == CLOCK.data


@pytest.mark.parametrize(
    "act",
    [
        lambda: method_of(MOMENTS[0], "astimezone", UTC),
        lambda: method_of(MOMENTS[1], "astimezone"),
        lambda: method_of(MOMENTS[0], "timestamp"),
        lambda: called("datetime.datetime.fromtimestamp", 0),
        lambda: called("datetime.datetime.fromtimestamp", 0, None),
    ],
)
def test_the_machines_zone_is_never_used(act: Callable[[], object]) -> None:
    """Where Python would look up the zone of the machine, the program fails and is told what to write."""
    assert failure(act) == (
        "value",
        "this has no time zone, and the machine's is not used; give it one with replace(tzinfo=...)",
    )


@pytest.mark.parametrize("seconds", [0, 1.5, -1, 1_796_000_000, True, 1e10])
def test_timestamps_with_a_zone_are_pythons(seconds: float) -> None:
    """From seconds to a moment and back."""
    there = datetime.fromtimestamp(seconds, EAST)
    here = called("datetime.datetime.fromtimestamp", seconds, EAST)
    assert str(data_of(here)) == str(there)
    assert data_of(method_of(here, "timestamp")) == there.timestamp()
    assert plain("datetime.datetime.utcfromtimestamp", seconds) == datetime.fromtimestamp(seconds, UTC).replace(
        tzinfo=None
    )


@pytest.mark.parametrize("seconds", [1e18, 10**30, float("nan"), float("inf"), -1e300])
def test_timestamps_beyond_the_years_fail(seconds: float) -> None:
    """There is no such moment."""
    assert failure(lambda: called("datetime.datetime.fromtimestamp", seconds, UTC)) == (
        "value",
        "there is no such moment",
    )


def test_a_zone_of_the_host_is_not_handed_out() -> None:
    """A moment may come with a zone that knows more than an offset; the program sees its time and no object of the host."""
    berlin = datetime(2026, 7, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    assert data_of(attribute_of(berlin, "hour")) == 9
    assert data_of(method_of(berlin, "utcoffset")) == timedelta(hours=2)
    assert failure(lambda: attribute_of(berlin, "tzinfo")) == ("type", "this time zone is not part of the language")


# Attributes and methods

_ATTRIBUTES = {
    datetime: "year month day hour minute second microsecond tzinfo",
    date: "year month day",
    time: "hour minute second microsecond tzinfo",
    timedelta: "days seconds microseconds",
}
_METHODS = {
    datetime: "weekday isoweekday isocalendar toordinal date time timetz utcoffset tzname isoformat",
    date: "weekday isoweekday isocalendar toordinal isoformat",
    time: "utcoffset isoformat",
    timedelta: "total_seconds",
}


@pytest.mark.parametrize("moment", [*MOMENTS, timedelta(days=-3, seconds=7)], ids=str)
def test_attributes_and_methods_are_pythons(moment: Any) -> None:
    """All that take no argument."""
    for name in _ATTRIBUTES[type(moment)].split():
        assert data_of(attribute_of(moment, name)) == getattr(moment, name)
    for name in _METHODS[type(moment)].split():
        assert data_of(method_of(moment, name)) == getattr(moment, name)()


@pytest.mark.parametrize(
    ("moment", "name", "args", "named"),
    [
        (MOMENTS[0], "isoformat", (" ",), {}),
        (MOMENTS[0], "isoformat", (), {"sep": "_", "timespec": "minutes"}),
        (MOMENTS[6], "isoformat", (), {"timespec": "hours"}),
        (MOMENTS[0], "replace", (2027,), {"hour": 0, "tzinfo": EAST}),
        (MOMENTS[1], "replace", (), {"tzinfo": None}),
        (MOMENTS[3], "replace", (), {"day": 31}),
        (MOMENTS[5], "replace", (23, 59), {}),
        (MOMENTS[1], "astimezone", (UTC,), {}),
        (MOMENTS[1], "timestamp", (), {}),
    ],
)
def test_methods_with_arguments_are_pythons(
    moment: Any, name: str, args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """By place and by name."""
    assert data_of(method_of(moment, name, *args, **named)) == getattr(moment, name)(*args, **named)


@pytest.mark.parametrize(
    ("moment", "name", "args", "expected"),
    [
        (MOMENTS[1], "replace", (2023,), ("value", "there is no such moment")),
        (MOMENTS[0], "replace", ("2027",), ("type", "the arguments do not fit replace")),
        (MOMENTS[0], "isoformat", ("--",), ("type", "these do not go together")),
        (MOMENTS[0], "isoformat", (" ", "days"), ("value", "there is no such moment")),
        (MOMENTS[0], "isoformat", (1,), ("type", "the arguments do not fit isoformat")),
        (MOMENTS[0], "weekday", (1,), ("type", "the arguments do not fit weekday")),
        (datetime.max.replace(tzinfo=UTC), "astimezone", (EAST,), ("value", "there is no such moment")),
    ],
)
def test_methods_that_do_not_fit_fail(moment: Any, name: str, args: tuple[Any, ...], expected: tuple[str, str]) -> None:
    """Values that are not there, and arguments of another kind."""
    assert failure(lambda: method_of(moment, name, *args)) == expected


def test_constants_are_pythons() -> None:
    """The ends of what there is, and UTC."""
    python = {"datetime": datetime, "date": date, "time": time, "timedelta": timedelta, "timezone": timezone}
    module = {"datetime.UTC": UTC, "datetime.MINYEAR": 1, "datetime.MAXYEAR": 9999}
    for name, constant in CONSTANTS.items():
        if not name.startswith("datetime."):
            continue
        _, kind, *rest = name.split(".")
        assert constant == (getattr(python[kind], rest[0]) if rest else module[name])


# Arithmetic

_OPERATORS: list[tuple[ast.operator, Callable[[Any, Any], Any]]] = [
    (ast.Add(), operator.add), (ast.Sub(), operator.sub), (ast.Mult(), operator.mul), (ast.Div(), operator.truediv),
    (ast.FloorDiv(), operator.floordiv), (ast.Mod(), operator.mod), (ast.Pow(), operator.pow),
]  # fmt: skip
_operands = st.one_of(
    moments,
    st.dates(),
    st.times(),
    _spans,
    st.integers(-50, 50),
    st.floats(),
    st.booleans(),
    st.integers(),
    st.just(UTC),
)


@given(st.sampled_from(_OPERATORS), _operands, _operands)
def test_arithmetic_of_moments_is_pythons(pair: tuple[ast.operator, Callable[[Any, Any], Any]], a: Any, b: Any) -> None:
    """Every operator on every two operands: the same result and type, or a failure where Python raises; numbers are left alone."""
    sign, python = pair
    machine = machine_for()
    if not isinstance(a, date | time | timedelta | timezone) and not isinstance(b, date | time | timedelta | timezone):
        assert moment_arithmetic(machine, sign, value_of(a), value_of(b)) is None
        return
    expected = code = None
    try:
        expected = repr(python(a, b))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        code = {"TypeError": "type", "ZeroDivisionError": "zero"}.get(type(error).__name__, "value")
    if code is not None:
        assert failure(lambda: moment_arithmetic(machine, sign, value_of(a), value_of(b)))[0] == code
        return
    found = moment_arithmetic(machine, sign, value_of(a), value_of(b))
    assert found is not None
    assert repr(data_of(found)) == expected


@pytest.mark.parametrize("other", ["%s", [1], None, {}])
def test_texts_and_containers_are_not_added_to_moments(other: Any) -> None:
    """A text on the left is formatted, which is not this file's business; the others do not go together."""
    if isinstance(other, str):
        assert moment_arithmetic(machine_for(), ast.Mod(), value_of(other), value_of(MOMENTS[0])) is None
    else:
        expected = ("type", "these do not go together")
        assert (
            failure(lambda: moment_arithmetic(machine_for(), ast.Add(), value_of(other), value_of(timedelta(1))))
            == expected
        )
        assert (
            failure(lambda: moment_arithmetic(machine_for(), ast.Add(), value_of(MOMENTS[0]), value_of(other)))
            == expected
        )


def test_spans_of_time_have_signs() -> None:
    """`-x` and `+x`; the other moments have none."""
    machine, span = machine_for(), timedelta(days=-2, hours=1)
    for sign, expected in ((ast.USub(), -span), (ast.UAdd(), span)):
        found = moment_unary(machine, sign, value_of(span))
        assert found is not None
        assert data_of(found) == expected
    assert moment_unary(machine, ast.USub(), value_of(1)) is None
    assert failure(lambda: moment_unary(machine, ast.USub(), value_of(MOMENTS[0]))) == (
        "type",
        "- and + take a number or a timedelta",
    )
    assert failure(lambda: moment_unary(machine, ast.USub(), value_of(timedelta.max))) == (
        "value",
        "there is no such moment",
    )


# Labels


def _labelled(act: Callable[[Value], Value | None], value: Any) -> Any:
    found = act(value_of(value, MAIL))
    assert found is not None
    return found.label


def test_a_date_of_untrusted_numbers_is_untrusted() -> None:
    """Row "construct" over all parts; the reference system had such dates trusted."""
    made = called("datetime.date", value_of(2026, MAIL), value_of(1, READ), value_of(2, GUESS))
    assert made.label is construct(MAIL, READ, GUESS)
    assert called("datetime.timedelta", days=value_of(1, MAIL)).label is construct(MAIL)
    assert called("datetime.datetime.strptime", value_of("1", MAIL), value_of("%d", READ)).label is construct(
        MAIL, READ
    )
    assert called("datetime.date.fromisoformat", value_of("2026-01-02", MAIL)).label is construct(MAIL)
    combined = called(
        "datetime.datetime.combine", value_of(MOMENTS[3], MAIL), value_of(MOMENTS[5], READ), value_of(UTC, GUESS)
    )
    assert combined.label is construct(MAIL, READ, GUESS)
    assert called("datetime.datetime.fromtimestamp", value_of(1, MAIL), value_of(UTC, READ)).label is construct(
        MAIL, READ
    )


def test_parts_of_a_moment_are_made_of_it() -> None:
    """Attributes, methods with their arguments, formats, arithmetic."""
    owner = value_of(MOMENTS[0], MAIL)
    assert attribute_of(owner, "year").label is construct(MAIL)
    assert method_of(owner, "replace", value_of(2027, READ)).label is construct(MAIL, READ)
    assert method_of(owner, "strftime", value_of("%d", READ)).label is construct(MAIL, READ)
    assert method_of(owner, "weekday").label is construct(MAIL)
    week = unwrap(method_of(owner, "isocalendar"))
    assert (week.shape, {part.label for part in week.items}) == (construct(MAIL), {construct(MAIL)})
    assert _labelled(lambda value: moment_format(machine_for(), value, "%d"), MOMENTS[0]) is construct(MAIL)
    assert _labelled(lambda value: moment_unary(machine_for(), ast.USub(), value), timedelta(1)) is construct(MAIL)
    later = moment_arithmetic(machine_for(), ast.Add(), owner, value_of(timedelta(1), READ))
    assert later is not None
    assert later.label is construct(MAIL, READ)
    aware = method_of(value_of(MOMENTS[1], MAIL), "astimezone", value_of(UTC, READ))
    assert aware.label is construct(MAIL, READ)
    assert method_of(aware, "timestamp").label is construct(construct(MAIL, READ))


def test_now_in_an_untrusted_zone_is_untrusted() -> None:
    """The zone is a part of what it gives."""
    assert called("datetime.datetime.now", value_of(EAST, MAIL)).label is construct(CLOCK, MAIL)
    assert called("datetime.datetime.now").label is construct(CLOCK)


@pytest.mark.parametrize(
    "act",
    [
        lambda machine: attribute_of(value_of(MOMENTS[0], MAIL), "day", machine=machine),
        lambda machine: moment_arithmetic(machine, ast.Add(), value_of(MOMENTS[0], MAIL), value_of(timedelta(1))),
        lambda machine: moment_format(machine, value_of(MOMENTS[0], MAIL), "%d"),
        lambda machine: moment_unary(machine, ast.USub(), value_of(timedelta(1), MAIL)),
    ],
)
def test_what_may_fail_on_untrusted_parts_raises_halt(act: Callable[[Any], object]) -> None:
    """Also where this one does not fail."""
    machine = machine_for()
    act(machine)
    assert machine.halt.choice == MAIL.data


def test_a_failure_on_untrusted_parts_is_not_told() -> None:
    """The planner hears of it only if all parts are trusted."""
    with pytest.raises(ProgramFailed) as failed:
        called("datetime.date", value_of(0, MAIL), 1, 1)
    assert not failed.value.is_trusted
    with pytest.raises(ProgramFailed) as failed:
        called("datetime.date", make(0, NOTHING), 1, 1)
    assert failed.value.is_trusted
