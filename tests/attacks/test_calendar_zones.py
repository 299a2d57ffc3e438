"""Invitations that define time zones: to move what others wrote, to take time, and to be read otherwise than they were looked at."""

from __future__ import annotations

import time
from datetime import UTC, date
from pathlib import Path

import pytest
from bench.home.world import Home

from armslength.tools.calendar.finding import taking_place
from armslength.tools.calendar.ics import local, read_entries

OFTEN = "RRULE:FREQ=YEARLY;BYMONTH=1;BYDAY=1SU\r\n"
SHOW = "answer('; '.join(f'{e.title} {e.start}' for e in search_calendar_events(date='2026-12-02')))"
COSTLY = "a time zone that is costly to evaluate was left out"


def period(start: str = "19700101T000000", offset: str = "+0100", rule: str = "") -> str:
    """A part of a zone."""
    return (
        f"BEGIN:STANDARD\r\nDTSTART:{start}\r\nTZOFFSETFROM:{offset}\r\nTZOFFSETTO:{offset}\r\n{rule}END:STANDARD\r\n"
    )


def zone(name: str, *periods: str) -> str:
    """A zone of these parts."""
    return f"BEGIN:VTIMEZONE\r\nTZID:{name}\r\n{''.join(periods)}END:VTIMEZONE\r\n"


def event(name: str, uid: str = "1") -> str:
    """An event at ten in the zone of that name."""
    return f"BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:{uid}\r\nDTSTART;TZID={name}:20261202T100000\r\nEND:VEVENT\r\n"


def calendar(*parts: str) -> bytes:
    """An .ics text of these components."""
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{''.join(parts)}END:VCALENDAR\r\n".encode()


def test_a_zone_of_an_invitation_moves_no_event_of_others(tmp_path: Path) -> None:
    """Two texts define a zone by one name: each is read with its own, whichever was read first."""
    home = Home(tmp_path)
    folder = tmp_path / "calendar"
    (folder / "a-invitation.ics").write_bytes(calendar(zone("Corp", period(offset="+0900")), event("Corp", "theirs")))
    (folder / "b-own.ics").write_bytes(calendar(zone("Corp", period(offset="+0100")), event("Corp", "own")))
    for _ in range(2):
        shown = home.ask(SHOW).text
        assert "own 2026-12-02 09:00" in shown
        assert "theirs 2026-12-02 01:00" in shown


def test_a_zone_that_another_text_defined_is_not_known() -> None:
    """An event in a zone that its text does not define is at the local time that it says."""
    read_entries("a.ics", calendar(zone("Elsewhere", period(offset="+0900")), event("Elsewhere")))
    (found,) = read_entries("b.ics", calendar(event("Elsewhere")))[0]
    assert f"{local(found.start, UTC):%H:%M}" == "10:00"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([zone("Z", *[period("00010101T000000", rule=OFTEN)] * 30)], id="from-the-year-one"),
        pytest.param([zone("Z", *[period(rule=OFTEN)] * 3_000)], id="many-rules"),
        pytest.param([zone("Z", *[period()] * 3_000)], id="many-periods"),
        pytest.param(
            [zone(f"Z{n}", *[period("16010101T000000", rule=OFTEN)] * 4) for n in range(400)], id="many-zones"
        ),
    ],
)
def test_a_zone_bomb_costs_no_time(parts: list[str]) -> None:
    """A few kilobytes whose zones take seconds to minutes to be followed are read without them."""
    begun = time.process_time()
    entries, flaws = read_entries("a.ics", calendar(*parts, event("Z0"), event("Z")))
    taking_place(entries, None, date(2026, 12, 1), UTC)
    assert time.process_time() - begun < 3
    assert [each.what for each in flaws] == [COSTLY]
    assert len(entries) == 2


def test_a_broken_text_of_many_zones_and_events_is_read_once() -> None:
    """Where a text cannot be parsed whole each event is tried alone: the zones are not parsed again for each of them."""
    names = [f"Z{n}" for n in range(200)]
    zones = [zone(name, period(offset="+0500")) for name in names]
    begun = time.process_time()
    entries, _ = read_entries("a.ics", calendar(*zones, *map(event, names, names), "X\r\nBEGIN:X\r\n"))
    assert time.process_time() - begun < 4
    assert {f"{local(each.start, UTC):%H:%M}" for each in entries} == {"05:00"}
    assert len(entries) == 200


@pytest.mark.parametrize(
    ("plain", "spelled"),
    [
        ("BEGIN:VTIMEZONE", "BEGIN;X=1:VTIMEZONE"),
        ("BEGIN:VTIMEZONE", "BEGIN :VTIMEZONE"),
        ("BEGIN:VTIMEZONE", "BEGIN:VTIMEZONE\r\nBEGIN:VTIMEZONE\r\nTZID:Y\r\nEND:VTIMEZONE"),
        ("BEGIN:STANDARD", "X-A:1\r END:VTIMEZONE\r\nBEGIN:STANDARD"),
        ("END:STANDARD", "BEGIN:DAYLIGHT\r\nEND:DAYLIGHT\r\nEND:STANDARD"),
        ("DTSTART:0001", 'DTSTART;X="a:1970":0001'),
        ("RRULE:", "RRULE;X=1:"),
    ],
)
def test_a_zone_that_is_spelled_otherwise_is_looked_at_all_the_same(plain: str, spelled: str) -> None:
    """What our look at a zone and the parser read differently would let a costly one through."""
    name = f"Z{spelled.encode().hex()}"
    hidden = zone(name, *[period("00010101T000000", rule=OFTEN)] * 12).replace(plain, spelled)
    begun = time.process_time()
    entries, _ = read_entries("a.ics", calendar(hidden, event(name)))
    taking_place(entries, None, date(2026, 12, 1), UTC)
    assert time.process_time() - begun < 0.5
