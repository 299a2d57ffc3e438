"""`strftime` and `strptime`: Python's results, and no format that depends on the machine."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.library_world import (
    called,
    data_of,
    machine_for,
    method_of,
    plain,
    value_of,
)
from tests.language.moments import MOMENTS, failure, moments, zones

from armslength.errors import ProgramFailed
from armslength.language.operations import date_texts
from armslength.language.operations.moments import moment_format

# Formats

_SAME = [each for each in "m d H I M S f j p A a B b w u U W V z % e T R y".split() if each]


@given(
    st.datetimes(min_value=datetime.fromisoformat("1000-01-01"), timezones=zones),
    st.sampled_from([*_SAME, "Y", "G", "F", "D", "h"]),
)
def test_strftime_is_pythons(moment: datetime, directive: str) -> None:
    """Each directive of the table, in any zone, from the year 1000 on."""
    assert data_of(method_of(moment, "strftime", f"<%{directive}>")) == moment.strftime(f"<%{directive}>")


@given(moments, st.sampled_from(_SAME))
def test_strftime_is_pythons_in_early_years_too(moment: datetime, directive: str) -> None:
    """All but the year itself, which has four digits here."""
    assert data_of(method_of(moment, "strftime", f"%{directive}")) == moment.strftime(f"%{directive}")
    assert data_of(method_of(moment, "strftime", "%Y")) == moment.isoformat()[:4]


@pytest.mark.parametrize("directive", ["-m", "-d", "-H", "-I", "-M", "-S", "-j"])
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_zeros_can_be_left_out(moment: Any, directive: str) -> None:
    """`%-d` and its like are what the C library of Linux gives."""
    assert data_of(method_of(moment, "strftime", f"%{directive}")) == moment.strftime(f"%{directive}")


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_dates_and_times_have_formats_too(moment: Any) -> None:
    """A date is at midnight, a time is on the first day of 1900; f-strings and strftime agree."""
    form = "%d.%m. %H:%M %p 100%%"
    assert data_of(method_of(moment, "strftime", form)) == moment.strftime(form)
    formatted = moment_format(machine_for(), value_of(moment), form)
    assert formatted is not None
    assert data_of(formatted) == format(moment, form)


@pytest.mark.parametrize("form", ["%c", "%x", "%X", "%Z", "%s", "%", "%-A", "%-", "%Q", "%E", "x%"])
def test_formats_that_depend_on_the_machine_fail(form: str) -> None:
    """No locale, no zone name, no seconds in the machine's zone."""
    expected = ("format", "this format of a date is not part of the language")
    assert failure(lambda: method_of(MOMENTS[0], "strftime", form)) == expected
    assert failure(lambda: moment_format(machine_for(), value_of(MOMENTS[0]), form)) == expected


def test_a_format_is_bounded() -> None:
    """A longer one is no format of a date."""
    assert failure(lambda: method_of(MOMENTS[0], "strftime", "x" * 201)) == (
        "format",
        "the format of a date is too long",
    )
    assert moment_format(machine_for(), value_of(timedelta(1)), "%d") is None
    assert moment_format(machine_for(), value_of(1), "%d") is None


# strptime

_TEXTS = [
    ("1/2/24 5:06 PM", "%m/%d/%y %I:%M %p"),
    ("30 Nov 2026", "%d %b %Y"),
    ("november  30, 2026", "%B %d, %Y"),
    ("Mon, 30 Nov 2026 09:15:00 +0530", "%a, %d %b %Y %H:%M:%S %z"),
    ("2026-11-30T09:15:00.5Z", "%Y-%m-%dT%H:%M:%S.%f%z"),
    ("2026-11-30 -05:30", "%Y-%m-%d %z"),
    ("12 AM", "%I %p"),
    ("12 PM", "%I %p"),
    ("12", "%I"),
    ("13 PM", "%H %p"),
    ("2024 366", "%Y %j"),
    ("2023 366", "%Y %j"),
    ("2024 60 3", "%Y %j %m"),
    ("69 1", "%y %d"),
    ("68 1", "%y %d"),
    ("100%", "%y0%%"),
    ("20261130", "%Y%m%d"),
    ("", ""),
    ("1\n2", "%d %m"),
    ("Friday", "%A"),
    ("9.30", "%H.%M"),
    ("(x) 5", "(X) %d"),
    ("2026-1-5", "%Y-%m-%d"),
    ("29 Feb 2023", "%d %b %Y"),
    ("29 Feb", "%d %b"),
    ("2026-13-01", "%Y-%m-%d"),
    ("2026-11-30 ", "%Y-%m-%d"),
    ("  1", "%d"),
    ("x", "%d"),
    ("0000", "%Y"),
    ("9999 366", "%Y %j"),
    ("+05:3000", "%z"),
    ("+0530:00", "%z"),
    ("+9959", "%z"),
    ("+05:30:15.25", "%z"),
]


@pytest.mark.parametrize(("text", "form"), _TEXTS)
def test_strptime_is_pythons(text: str, form: str) -> None:
    """What Python reads is read to the same moment, and what it does not read fails."""
    try:
        expected = datetime.strptime(text, form)  # noqa: DTZ007 - as a program writes it
    except (ValueError, OverflowError):
        assert failure(lambda: called("datetime.datetime.strptime", text, form))[0] == "value"
    else:
        assert repr(plain("datetime.datetime.strptime", text, form)) == repr(expected)


@given(
    st.datetimes(timezones=zones),
    st.permutations(["%Y", "%m", "%d", "%H", "%M", "%S", "%f", "%z"]),
    st.text(" -:/x.", min_size=1, max_size=2),
)
def test_what_strftime_writes_strptime_reads(moment: datetime, parts: list[str], between: str) -> None:
    """In any order, with signs between the parts."""
    form = between.join(parts if moment.tzinfo else [part for part in parts if part != "%z"])
    text = data_of(method_of(moment, "strftime", form))
    assert plain("datetime.datetime.strptime", text, form) == moment


@pytest.mark.parametrize("form", ["%d %d", "%Z", "%c", "%-d", "%U", "%", "%G"])
def test_formats_that_strptime_does_not_take_fail(form: str) -> None:
    """Directives outside the table, and one that stands twice."""
    assert failure(lambda: called("datetime.datetime.strptime", "1 1", form)) == (
        "value",
        "strptime does not take this format",
    )


def test_texts_of_dates_are_bounded() -> None:
    """A longer text is no date."""
    expected = ("value", "the text or the format of a date is too long")
    assert failure(lambda: called("datetime.datetime.strptime", "1" * 201, "%d")) == expected
    assert failure(lambda: called("datetime.datetime.strptime", "1", " " * 201)) == expected


@given(st.text(max_size=8), st.lists(st.sampled_from([*date_texts._READ, "%", " ", "-"]), max_size=8))
def test_any_text_is_read_or_fails(text: str, names: list[str]) -> None:
    """No format lets an exception of Python out."""
    form = "".join(f"%{name}" if name in date_texts._READ else name for name in names)
    code = "read"
    try:
        called("datetime.datetime.strptime", text, form)
    except ProgramFailed as failed:
        code = failed.code
    assert code in ("read", "value")
