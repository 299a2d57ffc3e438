"""Texts of calendars changed line by line: what is not meant stays, what is written reads back, and nothing breaks out."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar
from tests.tools.dav.conftest import event

from armslength.errors import ToolError
from armslength.tools.calendar.bounds import MOST_CHARACTERS, MOST_LINES, MOST_LISTED, MOST_VALUES
from armslength.tools.calendar.changing import Clock, answered_event
from armslength.tools.calendar.comparing import core_of, whole_of, words_of
from armslength.tools.calendar.editing import (
    Property,
    day_property,
    read_calendar,
    read_property,
    text_property,
    unescaped,
    utc_property,
    written_calendar,
)
from armslength.tools.calendar.ics import Flaw, read_entries

CLOCK = Clock(datetime(2026, 11, 30, tzinfo=UTC), UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"], include_characters="\n\t"), max_size=200)


def _wire(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


@given(TEXTS)
def test_a_text_reads_back(text: str) -> None:
    """By our own reading and by another's, whatever is in it; no line is longer than 75 octets."""
    calendar = read_calendar(_wire(event("a", "DTSTART:20261201T090000Z")))
    calendar.components("VEVENT")[0].put("DESCRIPTION", text_property("DESCRIPTION", text))
    written = written_calendar(calendar)
    assert max(map(len, written.split(b"\r\n"))) <= 75
    again = read_calendar(written).components("VEVENT")
    assert [unescaped(each.value) for each in again[0].properties("DESCRIPTION")] == [text]
    (theirs,) = Calendar.from_ical(written.decode()).walk("VEVENT")
    assert str(theirs["DESCRIPTION"]) == text
    assert [component.name for component in Calendar.from_ical(written.decode()).walk()] == ["VCALENDAR", "VEVENT"]


@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: _wire(event("a", text))))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """What is no calendar is one error; comparing never fails."""
    try:
        calendar = read_calendar(content)
    except ToolError:
        pass
    else:
        assert read_calendar(written_calendar(calendar)) == calendar
    assert whole_of(content) == whole_of(content)
    assert core_of(content) == core_of(content)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR\n",
        "BEGIN:VCALENDAR\n",
        "BEGIN:VCARD\nEND:VCARD\n",
        "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 20 + "END:VEVENT\n" * 20 + "END:VCALENDAR\n",
    ],
)
def test_a_damaged_text_is_not_changed(text: str) -> None:
    """Cut off, crossed, twice, or something else."""
    with pytest.raises(ToolError, match="is damaged, so nothing was changed"):
        read_calendar(_wire(text))


def test_properties_are_read_with_their_parameters() -> None:
    """Quoted ones hold what means something outside; a line that is none is kept and never taken for one."""
    read = read_property('attendee;cn="A: B; C";PartStat=DECLINED:mailto:a@b')
    assert read == Property("ATTENDEE", (("CN", '"A: B; C"'), ("PARTSTAT", "DECLINED")), "mailto:a@b")
    assert read is not None and read.line() == 'ATTENDEE;CN="A: B; C";PARTSTAT=DECLINED:mailto:a@b'
    assert [read_property(line) for line in ("", "no property", 'A;B="c:d', "A;=b:c")] == [None] * 4


def test_an_answer_of_somebody_elses_component_is_left() -> None:
    """Another event of the same text, and an alarm's own recipient, are not the invitation's participants."""
    inside = (
        "ATTENDEE:mailto:me@example.com\nBEGIN:VALARM\nACTION:EMAIL\nATTENDEE:mailto:me@example.com\nEND:VALARM\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:other\nATTENDEE:mailto:me@example.com"
    )
    text = _wire(event("a", inside))
    made = answered_event(text, "a", frozenset({"me@example.com"}), "DECLINED", CLOCK).decode()
    assert made.count("PARTSTAT=DECLINED") == 1
    with pytest.raises(ToolError, match="not among those who are invited"):
        answered_event(text, "a", frozenset({"you@example.com"}), "DECLINED", CLOCK)


def test_the_method_of_a_message_is_not_kept() -> None:
    """What lies in a calendar has none."""
    text = event("a", "ATTENDEE:mailto:me@example.com").replace("VERSION:2.0\n", "VERSION:2.0\nMETHOD:REQUEST\n")
    made = answered_event(_wire(text), "a", frozenset({"me@example.com"}), "ACCEPTED", CLOCK)
    assert b"METHOD" not in made


WRITTEN = event(
    "a", "DTSTART:20261201T090000Z", "SUMMARY:a\\, b", 'ATTENDEE;CN="K";PARTSTAT=ACCEPTED:mailto:k@example.com', "X-A:1"
)


@pytest.mark.parametrize(
    ("changed", "whole", "core", "words"),
    [
        (lambda text: text.replace("\n", "\r\n"), True, True, True),
        (
            lambda text: text.replace("SUMMARY:a\\, b\n", "").replace("UID:a\n", "SUMMARY:a\\,\n  b\nUID:a\n"),
            True,
            True,
            True,
        ),
        (lambda text: text.replace('CN="K";PARTSTAT=ACCEPTED', "PARTSTAT=ACCEPTED;CN=K"), True, True, True),
        (
            lambda text: text.replace("DTSTAMP:20261101T090000Z", "DTSTAMP:20261102T090000Z\nSEQUENCE:4"),
            True,
            True,
            True,
        ),
        (lambda text: text.replace("PARTSTAT=ACCEPTED", "PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0"), True, True, True),
        (lambda text: text.replace("PARTSTAT=ACCEPTED", "PARTSTAT=DECLINED"), False, False, True),
        (lambda text: text.replace("X-A:1", "X-A:2"), False, True, False),
        (lambda text: text.replace("a\\, b", "a\\, c"), False, False, False),
        (lambda text: text.replace("k@example.com", "m@example.com"), False, False, False),
        (lambda text: text.replace("T090000Z\nSUMMARY", "T100000Z\nSUMMARY"), False, False, False),
    ],
)
def test_what_makes_a_difference(changed: object, whole: bool, core: bool, words: bool) -> None:  # noqa: FBT001  # a table
    """Folding, order, spelling and what servers note make none; an answer is no word; all else is."""
    assert callable(changed)
    other = changed(WRITTEN)
    assert other != WRITTEN

    def said(text: str) -> tuple[str, str, bytes]:
        (entry,) = read_entries("", text.encode())[0]
        return whole_of(text.encode()), core_of(text.encode()), words_of(entry)

    assert tuple(map(lambda one, two: one == two, said(WRITTEN), said(other))) == (whole, core, words)


def test_times_are_written_as_they_are_meant() -> None:
    """Moments in UTC, days as days."""
    moment = datetime.fromisoformat("2026-07-01T00:30:00+02:00")
    assert utc_property("DTSTART", moment).line() == "DTSTART:20260630T223000Z"
    assert day_property("DTSTART", date(2026, 7, 1)).line() == "DTSTART;VALUE=DATE:20260701"


def test_long_lists_of_times_are_cut() -> None:
    """Of each event so many are read, over all its lists, and the rest is named; another event's list is its own."""
    days = ",".join(["20261202T000000Z"] * 1_500)
    texts = [event("a", "DTSTART:20261201T000000Z", f"RDATE:{days}", f"EXDATE:{days}").replace("END:VCALENDAR\n", "")]
    texts += [event("b", "DTSTART:20261201T000000Z", f"RDATE:{days}").partition("PRODID:-//test//EN\n")[2]]
    entries, flaws = read_entries("x", _wire("".join(texts)))
    assert [len(each.added) for each in entries] == [1_500, 1_500]
    assert flaws == [Flaw("x", f"an event lists more than {MOST_LISTED:,} times; the rest was left out")]


LONG = f"a line of more than {MOST_VALUES:,} characters was left out"


@pytest.mark.parametrize(
    ("lines", "left_out"),
    [
        pytest.param(["CATEGORIES:" + "a," * MOST_VALUES], [LONG], id="values"),
        pytest.param(["RRULE:FREQ=DAILY;BYDAY=" + "MO," * MOST_VALUES + "MO"], [LONG], id="rule"),
        pytest.param(["ATTENDEE" + ";X=1" * MOST_VALUES + ":mailto:a@example.com"], [LONG], id="parameters"),
        pytest.param(["X-ALT-DESC:" + "a" * 50_000], [], id="long-text"),
        pytest.param(
            ["DESCRIPTION:" + "a" * MOST_CHARACTERS],
            [f"a line of more than {MOST_CHARACTERS:,} characters was left out"],
            id="too-long-text",
        ),
        pytest.param(
            ["RDATE:" + "20261202T090000Z," * MOST_LISTED + "20261203T090000Z"],
            [f"an event lists more than {MOST_LISTED:,} times; the rest was left out"],
            id="times",
        ),
    ],
)
def test_a_line_that_costs_much_is_left_out(lines: list[str], left_out: list[str]) -> None:
    """The event is read without it, and a flaw says so; another such line in its place makes it another event."""
    start = "DTSTART:20261201T090000Z"
    entries, flaws = read_entries("x", event("a", start, "SUMMARY:Tea", *lines).encode())
    assert ([each.title for each in entries], [each.what for each in flaws]) == (["Tea"], left_out)
    changed = [line[:-1] + "X" for line in lines]
    (other,) = read_entries("x", event("a", start, "SUMMARY:Tea", *changed).encode())[0]
    assert words_of(other) != words_of(entries[0]) or left_out[:1] == [
        f"an event lists more than {MOST_LISTED:,} times; the rest was left out"
    ]


def test_an_event_of_very_many_lines_hides_no_other() -> None:
    """It is left out, and so are lines that belong to no event; a list of things to do is none."""
    start = "DTSTART:20261201T090000Z"
    todo = "BEGIN:VTODO\n" + "COMMENT:a\n" * 30_000 + "END:VTODO\n"
    many = f"BEGIN:VEVENT\nUID:b\n{start}\n" + "COMMENT:a\n" * MOST_LINES + "END:VEVENT\n"
    entries, flaws = read_entries("x", event("a", start, around=todo + many).encode())
    assert [each.uid for each in entries] == ["a"]
    assert [each.what for each in flaws] == [f"an event of more than {MOST_LINES:,} lines was left out"]
    entries, flaws = read_entries("x", event("a", start, around="X-A:1\n" * 30_000).encode())
    assert [each.uid for each in entries] == ["a"]
    assert flaws[0].what == "more than 20,000 lines belong to no event; the rest was left out"
