"""The calendar: repetitions, zones and broken files; labels of invitations; events that are made and taken back."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL, PRIVATE, SATURATED, Label, Source, label
from armslength.tools.base import Receivers, Role, Tool, ToolCall
from armslength.tools.calendar.ics import Flaw, read_entries
from armslength.tools.calendar.tools import EVENT, STORE, calendar_flaws, calendar_tools
from armslength.values import Labelled, Plain

FILES = Path(__file__).parent.parent / "fixtures" / "ics"
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=BERLIN)
UNVERIFIED, LISTED = Source("calendar:unverified"), Source("listed:calendar:*")
EVIL = Source("mail:evil@example.com")


class Desk:
    """A calendar with its tools, fresh for each call so that nothing lives in memory."""

    def __init__(self, path: Path, state: Path) -> None:
        self.path, self.state = path, state

    def tool(self, name: str) -> Tool:
        return next(each for each in calendar_tools(self.path, trust_nobody, self.state, BERLIN) if each.name == name)

    def search(self, **args: Plain) -> Labelled:
        return self.tool("search_calendar_events").run(ToolCall({}, NOW), dict(args))

    def shown(self, **args: Plain) -> list[tuple[str, str, str]]:
        found = self.search(**args).plain()
        assert isinstance(found, list)
        return [(str(each["title"]), str(each["start"]), str(each["end"])) for each in found if isinstance(each, dict)]

    def create(self, labels: dict[str, Label] | None = None, **args: Plain) -> None:
        given = dict.fromkeys(args, LITERAL) | (labels or {})
        self.tool("create_calendar_event").run(ToolCall(given, NOW), dict(args))

    def undo(self, **args: Plain) -> None:
        undo = self.tool("create_calendar_event").undo
        assert undo is not None
        undo(ToolCall({}, NOW), dict(args), None)


@pytest.fixture(params=["file", "folder"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """An empty calendar: one file, or a folder of them."""
    return Desk(tmp_path / ("calendar.ics" if request.param == "file" else "calendar"), tmp_path / "state")


def _calendar(tmp_path: Path, *events: str, before: str = "") -> Desk:
    body = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    path = tmp_path / "calendar.ics"
    path.write_bytes(f"BEGIN:VCALENDAR\nVERSION:2.0\n{before}{body}END:VCALENDAR\n".replace("\n", "\r\n").encode())
    return Desk(path, tmp_path / "state")


def test_what_an_invitation_says_is_unverified(tmp_path: Path) -> None:
    """Every text is whoever's who wrote it; the id is the store's; which events there are is anybody's."""
    desk = _calendar(
        tmp_path,
        "UID:1\nSUMMARY:Project kickoff\nDTSTART:20261201T090000Z\nDTEND:20261201T100000Z\nLOCATION:Room 1\n"
        "DESCRIPTION:Bring\\, things\nATTENDEE;CN=Kim:mailto:kim@example.com\nATTENDEE:MAILTO:eve@example.com\nATTENDEE:urn:x",
    )
    choice = [LISTED]
    own = label([STORE], choice=choice, bits=SATURATED, readers=PRIVATE)
    said = label([STORE, UNVERIFIED], choice=choice, bits=SATURATED, readers=PRIVATE)
    found = desk.search(query="", date="")
    assert isinstance(found.data, tuple)
    key = found.data[0].data["id"].data  # type: ignore[index,call-overload]

    participants = tuple(Labelled(address, said) for address in ("kim@example.com", "eve@example.com"))
    record = {
        "id": Labelled(key, own),
        "title": Labelled("Project kickoff", said),
        "start": Labelled("2026-12-01 10:00", said),
        "end": Labelled("2026-12-01 11:00", said),
        "participants": Labelled(participants, said),
        "location": Labelled("Room 1", said),
        "description": Labelled("Bring, things", said),
    }
    shape = label([STORE], choice=choice, bits=SATURATED, readers=PRIVATE, intact=False)
    assert found == Labelled((Labelled(record, own, EVENT),), shape)
    assert (own.is_chosen, said.is_chosen, shape.is_chosen) == (True, False, False)
    assert isinstance(key, str)
    assert len(key) == 12


def test_a_query_keeps_what_steered_it_private(tmp_path: Path) -> None:
    """That a word fits tells of the contents."""
    desk = _calendar(tmp_path, "UID:1\nSUMMARY:Yoga class\nDTSTART:20261201T090000Z", "UID:2\nDTSTART:20261201T090000Z")

    found = desk.search(query="CLASS yoga")

    assert desk.shown(query="CLASS yoga") == [("Yoga class", "2026-12-01 10:00", "2026-12-01 10:00")]
    assert isinstance(found.data, tuple)
    assert (found.label.steer, found.label.readers, found.data[0].label.steer) == (PRIVATE, PRIVATE, PRIVATE)


def test_an_empty_calendar_is_still_anybodys(tmp_path: Path) -> None:
    """That there is no event could have been otherwise by anybody's invitation."""
    assert Desk(tmp_path / "none.ics", tmp_path).search() == Labelled(
        (), label([STORE], choice=[LISTED], bits=SATURATED, readers=PRIVATE, intact=False)
    )


def test_only_events_from_today_on_unless_a_date_is_given(tmp_path: Path) -> None:
    """Sorted by start; a date also finds what lasts over it, all-day events end at midnight."""
    desk = _calendar(
        tmp_path,
        "UID:1\nSUMMARY:later\nDTSTART:20270105T080000Z\nDURATION:PT30M",
        "UID:2\nSUMMARY:past\nDTSTART:20261129T080000Z\nDTEND:20261129T090000Z",
        "UID:3\nSUMMARY:this morning\nDTSTART;TZID=Europe/Berlin:20261130T070000",
        "UID:4\nSUMMARY:trip\nDTSTART;VALUE=DATE:20261128\nDTEND;VALUE=DATE:20261201",
        "UID:5\nSUMMARY:day\nDTSTART;VALUE=DATE:20261201",
        "UID:6\nSUMMARY:floating\nDTSTART:20261201T230000\nDTEND:20261202T010000",
    )

    assert desk.shown() == [
        ("this morning", "2026-11-30 07:00", "2026-11-30 07:00"),
        ("day", "2026-12-01 00:00", "2026-12-02 00:00"),
        ("floating", "2026-12-01 23:00", "2026-12-02 01:00"),
        ("later", "2027-01-05 09:00", "2027-01-05 09:30"),
    ]
    assert [title for title, _, _ in desk.shown(date="2026-11-30")] == ["trip", "this morning"]
    assert [title for title, _, _ in desk.shown(date="2026-12-01")] == ["day", "floating"]
    assert [title for title, _, _ in desk.shown(date="2026-12-02")] == ["floating"]
    assert [title for title, _, _ in desk.shown(date="2026-11-29")] == ["trip", "past"]


@pytest.mark.parametrize(
    "date", ["tomorrow", "2026-02-30", "2026-1-1", "01.12.2026", "2026-12-01T00:00", "２０２６-12-01"]
)
def test_a_date_that_is_none_is_refused(tmp_path: Path, date: str) -> None:
    """The message gives the form and no value."""
    with pytest.raises(ToolError) as caught:
        Desk(tmp_path, tmp_path / "state").search(date=date)
    assert str(caught.value) == 'calendar: date is no day of the form "YYYY-MM-DD"; write it like 2026-12-31'


def test_repetitions_keep_their_local_time_over_the_change_of_clocks(tmp_path: Path) -> None:
    """Weekly at 9 in New York, seen from Berlin: the weeks between the two changes are an hour off."""
    desk = _calendar(
        tmp_path,
        "UID:1\nSUMMARY:call\nDTSTART;TZID=America/New_York:20260101T090000\nDURATION:PT1H\n"
        "RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20270401T130000Z",
    )

    starts = [start for _, start, _ in desk.shown()]

    assert (starts[0], starts[-1], len(starts)) == ("2026-12-03 15:00", "2027-04-01 15:00", 18)
    assert [start for start in starts if not start.endswith("15:00")] == [
        "2027-03-18 14:00",
        "2027-03-25 14:00",
    ]


def test_excluded_added_moved_and_cancelled_times(tmp_path: Path) -> None:
    """EXDATE, RDATE and RECURRENCE-ID as RFC 5545 has them; a cancelled event is not there."""
    desk = _calendar(
        tmp_path,
        "UID:1\nSUMMARY:daily\nDTSTART;TZID=Europe/Berlin:20261201T100000\nRRULE:FREQ=DAILY;COUNT=5\n"
        "EXDATE;TZID=Europe/Berlin:20261202T100000\nRDATE;TZID=Europe/Berlin:20261210T110000",
        "UID:1\nSUMMARY:moved\nRECURRENCE-ID;TZID=Europe/Berlin:20261203T100000\nDTSTART;TZID=Europe/Berlin:20261203T180000",
        "UID:1\nSTATUS:CANCELLED\nRECURRENCE-ID:20261204T090000Z\nDTSTART:20261204T090000Z",
        "UID:2\nSUMMARY:off\nSTATUS:CANCELLED\nDTSTART:20261201T100000Z",
        "UID:3\nSUMMARY:days\nDTSTART;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;UNTIL=20261203\nEXDATE;VALUE=DATE:20261202",
    )

    assert [(title, start) for title, start, _ in desk.shown()] == [
        ("days", "2026-12-01 00:00"),
        ("daily", "2026-12-01 10:00"),
        ("days", "2026-12-03 00:00"),
        ("moved", "2026-12-03 18:00"),
        ("daily", "2026-12-05 10:00"),
        ("daily", "2026-12-10 11:00"),
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=MINUTELY;INTERVAL=1",
        "FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,1,2,3;BYSECOND=0,1,2,3",
        "FREQ=DAILY;FREQ=SECONDLY;X-Y=Z",
    ],
)
def test_a_rule_that_repeats_within_the_day_is_shown_once(tmp_path: Path, rule: str) -> None:
    """A bomb of 86,400 events a day is one event and a flaw."""
    desk = _calendar(tmp_path, f"UID:1\nSUMMARY:bomb\nDTSTART:20261201T090000Z\nRRULE:{rule}")

    assert desk.shown() == [("bomb", "2026-12-01 10:00", "2026-12-01 10:00")]


def test_a_daily_event_is_followed_for_two_years(tmp_path: Path) -> None:
    """Beyond the horizon only a date shows it."""
    desk = _calendar(tmp_path, "UID:1\nSUMMARY:daily\nDTSTART:20200101T090000\nRRULE:FREQ=DAILY")

    starts = [start for _, start, _ in desk.shown()]

    assert (starts[0], starts[-1], len(starts)) == ("2026-11-30 09:00", "2028-11-29 09:00", 731)
    assert desk.shown(date="2050-01-01") == [("daily", "2050-01-01 09:00", "2050-01-01 09:00")]


def test_more_events_than_anybody_reads_are_refused(tmp_path: Path) -> None:
    """Nothing is cut silently: the person is told to ask for less."""
    desk = _calendar(tmp_path, *(f"UID:{n}\nDTSTART:20261201T0{n}0000\nRRULE:FREQ=DAILY" for n in range(8)))

    with pytest.raises(ToolError, match=r"^calendar: too many events fit; ask for one date$"):
        desk.search()
    assert len(desk.shown(date="2027-01-01")) == 8


def test_a_counted_rule_from_long_ago_hides_no_other_event(tmp_path: Path) -> None:
    """Whoever invites to it would else end each search; counting its days from the year 1 on ends at a bound of its own."""
    endless = "DTSTART:00010101T090000\nRRULE:FREQ=DAILY;COUNT=3000000"
    desk = _calendar(tmp_path, f"UID:1\n{endless}\nSUMMARY:endless", "UID:2\nDTSTART:20261202T090000\nSUMMARY:dentist")
    assert desk.shown() == [("dentist", "2026-12-02 09:00", "2026-12-02 09:00")]
    assert desk.shown(date="2026-12-02") == desk.shown()

    desk = _calendar(tmp_path, *(f"UID:{n}\n{endless}" for n in range(50)))
    with pytest.raises(ToolError, match=r"^calendar: too many events fit; ask for one date$"):
        desk.search()


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYDAY=1SU;BYMONTHDAY=28",
        "FREQ=YEARLY;BYMONTH=13;BYDAY=1SU",
        "FREQ=SECON\r\n DLY",
    ],
)
def test_a_zone_that_is_costly_to_evaluate_is_left_out(tmp_path: Path, rule: str) -> None:
    """A time zone's own rule is a bomb as well; the event is then read without the zone."""
    zone = (
        "BEGIN:VTIMEZONE\nTZID:Weird\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n"
        f"RRULE:{rule}\nEND:STANDARD\nEND:VTIMEZONE\n"
    )
    desk = _calendar(tmp_path, "UID:1\nSUMMARY:x\nDTSTART;TZID=Weird:20261201T100000", before=zone)

    assert desk.shown() == [("x", "2026-12-01 10:00", "2026-12-01 10:00")]
    assert calendar_flaws(desk.path) == [Flaw("calendar.ics", "a time zone that is costly to evaluate was left out")]


def test_a_zone_of_the_files_own_is_used(tmp_path: Path) -> None:
    """Plain yearly rules are evaluated."""
    zone = (
        "BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0500\nTZOFFSETTO:+0500\n"
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nEND:STANDARD\nEND:VTIMEZONE\n"
    )
    desk = _calendar(tmp_path, "UID:1\nSUMMARY:x\nDTSTART;TZID=Office:20261201T100000", before=zone)

    assert desk.shown() == [("x", "2026-12-01 06:00", "2026-12-01 06:00")]


@pytest.mark.parametrize(
    ("name", "titles", "flaws"),
    [
        ("timezoned", ["artsprint 2012"], []),
        ("bom_calendar", [], []),
        ("broken_dtstart", [], ["event 1 cannot be read"]),
        ("broken_ical", [], ["event 1 cannot be read"]),
        ("invalid_duration", ["Event with an impractical duration"], []),
        ("parsing_error", [""], ["event 2 cannot be read"]),
        ("fuzz_testcase_invalid_month", [], ["not a readable calendar; only events that can be read alone were taken"]),
        ("multiple_calendar_components", ["Christmas Day", "Boxing Day", "Christmas again!"], []),
        ("issue_218_bad_tzid", ["TESTIN"], []),
        ("issue_1081_event_with_rrule", ["Test Event"], []),
        ("issue_156_RDATE_with_PERIOD_TZID_khal", ["Event"], []),
        ("issue_322_expected_calendar", [], ["event 1 cannot be read"]),
        ("issue_526_calendar_with_events", [" Some event ':'", " Some other event"], []),
        ("pacific_fiji", ["an event with a custom tz name"], []),
        ("small_bad_calendar", [], ["not a whole calendar; what is cut off in it was left out"]),
    ],
)
def test_calendars_that_others_wrote(name: str, titles: list[str], flaws: list[str]) -> None:
    """Read as far as they can be; the rest is a named flaw."""
    entries, found = read_entries("a.ics", (FILES / f"{name}.ics").read_bytes())

    assert ([entry.title for entry in entries], [flaw.what for flaw in found]) == (titles, flaws)


def test_a_broken_or_large_file_does_not_hide_the_others(tmp_path: Path) -> None:
    """It is skipped with a flaw; links are not followed."""
    folder = tmp_path / "calendar"
    folder.mkdir()
    (folder / "a.ics").write_bytes(b"\xff\xfe\x00")
    (folder / "b.ics").write_bytes(b"x" * 10_000_001)
    (folder / "c.ics").write_text(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:here\nDTSTART:20261201T100000\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    (folder / "d.ics").symlink_to(FILES / "timezoned.ics")
    (folder / "e.txt").write_text("x")
    desk = Desk(folder, tmp_path / "state")

    assert desk.shown() == [("here", "2026-12-01 10:00", "2026-12-01 10:00")]
    assert calendar_flaws(folder) == [
        Flaw("a.ics", "not a readable calendar; only events that can be read alone were taken"),
        Flaw("b.ics", "calendar: the file is over the limit of 10,000,000 bytes"),
    ]


PLAN: dict[str, Plain] = {
    "title": "Retro; part 1, with ÄÖÜ",
    "start": "2027-07-01 15:00",
    "end": "2027-07-01 16:00",
    "participants": ["kim@example.com", "Eve@Example.com"],
    "location": "Room 2",
    "description": "Line one\nBEGIN:VEVENT\nSUMMARY:not an event\nEND:VEVENT\n" + "long " * 40,
}


def test_an_event_is_made_and_read_back_with_the_labels_of_what_was_written(desk: Desk) -> None:
    """No text of it can break out of its line; what a mail wrote stays the mail's."""
    desk.create({"description": label([EVIL])}, **PLAN)

    found = desk.search()

    (record,) = found.plain()  # type: ignore[misc]
    assert record | {"id": ""} == {**PLAN, "id": "", "participants": ["kim@example.com", "eve@example.com"]}
    assert isinstance(found.data, tuple)
    title = found.data[0].data["title"].label  # type: ignore[index,call-overload]
    assert title.data == {STORE, EVIL, LISTED}
    assert found.label.choice == {STORE, EVIL, LISTED}


def test_an_event_of_trusted_words_is_trusted_until_it_is_edited(desk: Desk) -> None:
    """The ledger vouches for the bytes that we wrote and no others."""
    desk.create(title="Lunch", start="2026-12-01 12:00", end="2026-12-01 13:00")

    def data_of_title() -> frozenset[Source]:
        found = desk.search()
        assert isinstance(found.data, tuple)
        return found.data[0].data["title"].label.data  # type: ignore[index,call-overload,no-any-return]

    assert data_of_title() == {STORE}
    (path,) = [desk.path] if desk.path.is_file() else desk.path.iterdir()
    path.write_bytes(path.read_bytes().replace(b"Lunch", b"Brunch"))
    assert data_of_title() == {STORE, UNVERIFIED, LISTED}


def test_an_event_that_is_edited_decides_no_more_than_one_that_is_added(desk: Desk) -> None:
    """Whoever can add an event decides what a listing holds; that he edited one of ours adds nobody to that, for the others in it."""
    for title in ("Lunch", "Dinner"):
        desk.create(title=title, start="2026-12-01 12:00", end="2026-12-01 13:00")
    for path in [desk.path] if desk.path.is_file() else list(desk.path.iterdir()):
        path.write_bytes(path.read_bytes().replace(b"Lunch", b"Brunch"))
    found = desk.search()
    assert isinstance(found.data, tuple)
    titles = {each.data["title"].data: each.data["title"].label for each in found.data}  # type: ignore[index,call-overload]
    assert (found.label.choice, titles["Dinner"].data, titles["Dinner"].choice) == (
        {STORE, LISTED},
        {STORE},
        {STORE, LISTED},
    )
    assert UNVERIFIED in titles["Brunch"].data


def test_a_made_event_is_taken_back(desk: Desk) -> None:
    """Other events stay byte for byte; made twice it is taken back twice."""
    desk.create(title="Other", start="2026-12-02 12:00", end="2026-12-02 13:00")
    paths = [desk.path] if desk.path.is_file() else list(desk.path.iterdir())
    before = {path: path.read_bytes() for path in paths}
    desk.create(**PLAN)
    desk.create(**PLAN)
    assert len(desk.shown()) == 3

    desk.undo(**PLAN)
    assert len(desk.shown()) == 2
    desk.undo(**PLAN)

    assert {path: path.read_bytes() for path in ([desk.path] if desk.path.is_file() else desk.path.iterdir())} == before
    with pytest.raises(ToolError, match=r"^calendar: the event is not there any more, so nothing was undone$"):
        desk.undo(**PLAN)


def test_an_event_that_was_changed_is_not_taken_back(desk: Desk) -> None:
    """Someone's later edit is not lost."""
    desk.create(**PLAN)
    (path,) = [desk.path] if desk.path.is_file() else desk.path.iterdir()
    edited = path.read_bytes().replace(b"Room 2", b"Room 3")
    path.write_bytes(edited)

    with pytest.raises(
        ToolError, match=r"^calendar: the event was changed since, so nothing was undone; delete it by hand$"
    ):
        desk.undo(**PLAN)
    assert path.read_bytes() == edited


def test_an_event_is_added_without_touching_the_rest_of_the_file(tmp_path: Path) -> None:
    """The bytes before and after it are the same; a file that is no calendar is left alone."""
    path = tmp_path / "calendar.ics"
    before = (FILES / "timezoned.ics").read_bytes()
    path.write_bytes(before)
    Desk(path, tmp_path / "state").create(title="x", start="2026-12-01 12:00", end="2026-12-01 13:00")
    after = path.read_bytes()
    begin = before.rfind(b"END:VCALENDAR")
    assert (after.startswith(before[:begin]), after.endswith(before[begin:]), len(after) > len(before)) == (
        True,
        True,
        True,
    )

    path.write_bytes(b"not a calendar")
    with pytest.raises(
        ToolError, match=r"^calendar: the file is damaged, so nothing was added; repair it or point to another one$"
    ):
        Desk(path, tmp_path / "state").create(title="x", start="2026-12-01 12:00", end="2026-12-01 13:00")
    assert path.read_bytes() == b"not a calendar"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": " "}, "the event has no title; give one"),
        ({"title": "a\nb"}, "title holds control characters or line breaks; leave them out"),
        ({"location": "a\x1b[2J"}, "location holds control characters or line breaks; leave them out"),
        ({"title": "a\x9b2J"}, "title holds control characters or line breaks; leave them out"),
        ({"description": "a\x00"}, "description holds control characters or line breaks; leave them out"),
        ({"start": "tomorrow"}, 'start is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30'),
        ({"end": "2027-02-30 10:00"}, 'end is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30'),
        ({"end": "2027-07-01T16:00"}, 'end is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30'),
        ({"end": "2027-07-01 15:00"}, "end is not after start; exchange them or give a later end"),
        (
            {"participants": ["kim@example.com", "Kim"]},
            "participant 2 is no e-mail address; give one like kim@example.com",
        ),
        (
            {"participants": ["a@x.org\r\nATTENDEE:b@x.org"]},
            "participant 1 is no e-mail address; give one like kim@example.com",
        ),
        *(
            ({"participants": [address]}, "participant 1 is no e-mail address; give one like kim@example.com")
            for address in (
                "a@x.org, b@x.org",
                "\u212aim@x.org",
                "kim@x.org\x1c",
                "b%40y.org?cc=a@x.org",
                "a#b@x.org",
                "a@x..org",
            )
        ),
    ],
)
def test_an_event_that_cannot_be_meant_is_refused(desk: Desk, change: dict[str, Plain], message: str) -> None:
    """Nothing is written; the message names the parameter and no value."""
    with pytest.raises(ToolError) as caught:
        desk.create(**{**PLAN, **change})
    assert str(caught.value) == f"calendar: {message}"
    assert not desk.path.exists()


def test_the_declarations(desk: Desk) -> None:
    """Participants are targets and receivers; searching is no effect."""
    search, create = desk.tool("search_calendar_events"), desk.tool("create_calendar_event")

    assert (search.picks, search.is_effect, search.reads) == (True, False, "calendar")
    assert search.roles == {"query": Role.QUERY, "date": Role.QUERY}
    assert (create.changes, create.is_effect, create.receivers(PLAN)) == (
        "calendar",
        True,
        Receivers(("kim@example.com", "eve@example.com")),
    )
    assert create.roles == {
        "participants": Role.TARGET,
        **dict.fromkeys(("title", "start", "end", "location", "description"), Role.CONTENT),
    }
    assert create.summary is not None
    assert create.summary(PLAN) == (
        "create a calendar event from 2027-07-01 15:00 to 2027-07-01 16:00; it names 2 participants, and no mail of it is sent"
    )


_LINES = [
    "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE", "END:VTIMEZONE", "TZID:X", "UID:1",
    "DTSTART:20261201T100000", "DTSTART;TZID=X:20261201T100000", "DTSTART;VALUE=DATE:20261201", "DTEND:00010101T000000Z",
    "DURATION:-P9999999D", "RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;BYDAY=0MO", "RDATE:x", "EXDATE:20261201T100000Z",
    "RECURRENCE-ID:20261201", "ATTENDEE:", "SUMMARY", " folded", "X:\x00", "RRULE:UNTIL=1",
]  # fmt: skip


@given(st.lists(st.sampled_from(_LINES), max_size=25))
def test_any_calendar_is_read_or_has_flaws(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    """No file makes the search fail with anything but one of our errors."""
    desk = Desk(tmp_path_factory.mktemp("any") / "calendar.ics", tmp_path_factory.getbasetemp() / "none")
    desk.path.write_text("\r\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR", ""]))
    with suppress(ToolError):
        desk.search()
    assert all(flaw.path == "calendar.ics" for flaw in calendar_flaws(desk.path))


@pytest.mark.parametrize(
    ("text", "is_flawed"),
    [
        ("", False),
        ("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", False),
        ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTART:20261201T120000Z\r\n", True),
        (
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTART:20261201T120000Z\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n",
            True,
        ),
        ("no calendar at all\r\n", True),
        ("\0\0\0\0", True),
    ],
)
def test_a_calendar_that_is_cut_off_has_a_flaw(tmp_path: Path, text: str, is_flawed: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """What is lost is never passed over in silence; an empty calendar is none that is damaged."""
    (tmp_path / "a.ics").write_text(text)
    assert bool(calendar_flaws(tmp_path)) is is_flawed
