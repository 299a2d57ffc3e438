"""Calendars on a server: found, created, answered, changed, cancelled and taken back; nothing is overwritten, nothing made twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.servers.dav_hostile import CALENDAR, Hostile, answer, multistatus, response
from tests.servers.dav_radicale import Radicale
from tests.tools.dav.conftest import event, settings_for

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL, PRIVATE, Label, Readers, Source, label
from armslength.tools.base import NOBODY, Prospect, Receivers, Role, Tool, ToolCall
from armslength.tools.calendar.agenda import CalendarAccount
from armslength.tools.calendar.caldav import served_calendar_tools
from armslength.tools.calendar.tools import STORE
from armslength.values import Labelled, Plain

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=BERLIN)
UNVERIFIED = Source("calendar:unverified")
SAYS_BO = Source("store:calendar:bo@example.com", is_trusted=True)
"""Keeps an event here that names him as its organizer, where his mail stays here."""
EVIL = Source("mail:evil@example.com")
KIM = "kim@example.com"
MORNING = ("DTSTART:20261201T080000Z", "DTEND:20261201T090000Z")
INVITED = (
    "ORGANIZER;CN=Bo:mailto:Bo@example.com",
    'ATTENDEE;CN="Kim: K";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:Kim@example.com',
    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.com",
)
OWN = ("ORGANIZER:mailto:kim@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:anna@example.com")


class Desk:
    """One account's tools, made anew for each call so that nothing lives in memory, except where it must."""

    def __init__(self, server: Radicale, path: str, state: Path, **changed: object) -> None:
        self.server, self.path, self.state = server, path, state
        settings = settings_for(server.url.rstrip("/") + path)
        self.accounts = [CalendarAccount("", settings, (KIM,), **changed)]  # type: ignore[arg-type]  # as its fields are

    def tool(self, name: str) -> Tool:
        tools = served_calendar_tools(self.accounts, trust_nobody, self.state, BERLIN)
        return next(each for each in tools if each.name == name)

    def search(self, **args: Plain) -> Labelled:
        return self.tool("search_calendar_events").run(ToolCall({}, NOW), dict(args))

    def found(self, **args: Plain) -> list[dict[str, Plain]]:
        found = self.search(**args).plain()
        assert isinstance(found, list)
        return [each for each in found if isinstance(each, dict)]

    def one(self, query: str = "") -> dict[str, Plain]:
        (found,) = self.found(query=query)
        return found

    def shown(self) -> list[tuple[str, str, str]]:
        return [(str(each["title"]), str(each["start"]), str(each["end"])) for each in self.found()]

    def do(self, name: str, key: str = "key", labels: dict[str, Label] | None = None, **args: Plain) -> None:
        given = dict.fromkeys(args, LITERAL) | (labels or {})
        self.tool(name).run(ToolCall(given, NOW, key), dict(args))

    def undo(self, name: str, key: str = "key", **args: Plain) -> None:
        undo = self.tool(name).undo
        assert undo is not None
        undo(ToolCall({}, NOW, key), dict(args), None)

    def happened(self, name: str, key: str = "key", **args: Plain) -> bool | None:
        happened = self.tool(name).happened
        assert happened is not None
        return happened(ToolCall({}, NOW, key), dict(args))

    def prospect(self, name: str, **args: Plain) -> Prospect:
        prospect = self.tool(name).prospect
        assert prospect is not None
        return prospect(ToolCall({}, NOW, "key"), dict(args))

    def put(self, name: str, *lines: str, around: str = "") -> None:
        self.server.put(f"{self.path}{name}.ics", event(name, *lines, around=around))

    def overwrite(self, name: str, *lines: str) -> None:
        """Another program changes an event that we made."""
        self.server.put(f"{self.path}{name}.ics", event(f"{name}@armslength", *lines))

    def text(self, name: str) -> str:
        status, body = self.server.ask("GET", f"{self.path}{name}.ics")
        assert status == 200
        return body.decode().replace("\r\n ", "").replace("\r\n", "\n")

    def names(self) -> list[str]:
        """The names of what lies there, by another program."""
        _, body = self.server.ask("PROPFIND", self.path, "", Depth="1")
        return sorted(re.findall(r"([^/<>]+)\.ics</", body.decode()))


@pytest.fixture
def desk(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> Desk:
    """An empty calendar on the server."""
    return Desk(server, collection(), tmp_path)


def _args(**changed: Plain) -> dict[str, Plain]:
    made: dict[str, Plain] = {"title": "Tea", "start": "2026-12-01 15:00", "end": "2026-12-01 16:00"}
    return made | {"participants": [], "location": "", "description": ""} | changed


def test_what_an_invitation_says_is_unverified(desk: Desk) -> None:
    """Its texts, times, organizer and answers are whoever's who wrote it; its id and calendar are the store's."""
    desk.put("inv", *INVITED, *MORNING, "SUMMARY:Chess", "LOCATION:Club", "DESCRIPTION:Bring\\, a board")
    (found,) = desk.search().data  # type: ignore[misc]  # a list of one
    own, said = found.label, found.data["title"].label
    assert (own.data, own.readers, own.is_chosen) == ({STORE}, PRIVATE, True)
    assert (said.data, said.readers, said.is_chosen) == ({STORE, UNVERIFIED, SAYS_BO}, PRIVATE, False)
    labels = {name: part.label for name, part in found.data.items()}
    assert {name for name, each in labels.items() if each is own} == {"id", "calendar"}
    assert {name for name, each in labels.items() if each is said} == set(labels) - {"id", "calendar"}
    plain = found.plain()
    assert {name: plain[name] for name in plain if name != "id"} == {
        "title": "Chess",
        "start": "2026-12-01 09:00",
        "end": "2026-12-01 10:00",
        "participants": ["Kim@example.com", "bo@example.com"],
        "location": "Club",
        "description": "Bring, a board",
        "organizer": "Bo@example.com",
        "answer": "needs-action",
        "calendar": "",
    }


ZONE = """BEGIN:VTIMEZONE
TZID:Club time
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:-0500
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
"""


def test_zones_floating_times_and_days(desk: Desk) -> None:
    """Olson names, zones that the text defines, times of nowhere, whole days, and a series that stays at one hour over the change of clocks."""
    desk.put("olson", "SUMMARY:olson", "DTSTART;TZID=America/New_York:20261201T090000", "DURATION:PT1H")
    desk.put("own", "SUMMARY:own", "DTSTART;TZID=Club time:20261202T090000", "DURATION:PT1H", around=ZONE)
    desk.put("floating", "SUMMARY:floating", "DTSTART:20261203T090000", "DURATION:PT1H")
    desk.put("day", "SUMMARY:day", "DTSTART;VALUE=DATE:20261204")
    desk.put(
        "series",
        "SUMMARY:series",
        "DTSTART;TZID=Europe/Berlin:20270320T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY;COUNT=3",
    )
    assert desk.shown() == [
        ("olson", "2026-12-01 15:00", "2026-12-01 16:00"),
        ("own", "2026-12-02 15:00", "2026-12-02 16:00"),
        ("floating", "2026-12-03 09:00", "2026-12-03 10:00"),
        ("day", "2026-12-04 00:00", "2026-12-05 00:00"),
        ("series", "2027-03-20 09:00", "2027-03-20 10:00"),
        ("series", "2027-03-27 09:00", "2027-03-27 10:00"),
        ("series", "2027-04-03 09:00", "2027-04-03 10:00"),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("DTSTART:20261201T000000Z", "RRULE:FREQ=SECONDLY;COUNT=86400"),
        (
            "DTSTART:20261201T000000Z",
            "RDATE:" + ",".join(f"20261202T{n // 3600:02}{n // 60 % 60:02}{n % 60:02}Z" for n in range(86_400)),
        ),
    ],
    ids=["a rule", "a list"],
)
def test_an_event_with_86400_times_hides_no_other(liar: Hostile, tmp_path: Path, lines: tuple[str, ...]) -> None:
    """A rule for each second is not followed; of a list of times at most 1,000 are shown, and the other events are."""
    given = {"tea": event("tea", "SUMMARY:Tea", *MORNING), "bomb": event("bomb", "SUMMARY:bomb", *lines)}
    tag = "<d:getetag>&quot;1&quot;</d:getetag>"
    liar.says["PROPFIND /cal/"] = [multistatus(response("/cal/", CALENDAR))]
    liar.says["REPORT /cal/"] = [
        multistatus(*(response(f"/cal/{name}.ics", tag) for name in given), token="t"),
        multistatus(
            *(
                response(f"/cal/{name}.ics", f"{tag}<c:calendar-data>{text}</c:calendar-data>")
                for name, text in given.items()
            )
        ),
    ]
    settings = settings_for(f"{liar.url}cal/")
    (search, *_) = served_calendar_tools([CalendarAccount("", settings, (KIM,))], trust_nobody, tmp_path, BERLIN)
    found = search.run(ToolCall({}, NOW), {}).plain()
    assert isinstance(found, list)
    titles = [each["title"] for each in found if isinstance(each, dict)]
    assert titles.count("Tea") == 1
    assert titles.count("bomb") <= 1_000


# Creating


def test_an_event_is_created_with_its_participants(desk: Desk) -> None:
    """Who invites is the account's first address; texts are escaped, long lines folded, times are in UTC."""
    desk.do(
        "create_calendar_event",
        **_args(participants=["Anna@Example.com"], description="a; b, c\nd\\n", location="Ä" * 60),
    )
    found = desk.one()
    assert {name: found[name] for name in ("participants", "organizer", "answer", "location", "description")} == {
        "participants": ["anna@example.com"],
        "organizer": KIM,
        "answer": "",
        "location": "Ä" * 60,
        "description": "a; b, c\nd\\n",
    }
    text = desk.text(desk.names()[0])
    assert "ATTENDEE;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT;RSVP=TRUE:mailto:anna@example.com\n" in text
    assert "DTSTART:20261201T140000Z\nDTEND:20261201T150000Z\n" in text


def test_midnight_to_midnight_is_whole_days(desk: Desk) -> None:
    """As a search shows them."""
    desk.do("create_calendar_event", **_args(start="2026-12-24 00:00", end="2026-12-27 00:00"))
    assert "DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227\n" in desk.text(desk.names()[0])
    assert desk.shown() == [("Tea", "2026-12-24 00:00", "2026-12-27 00:00")]


def test_one_effect_makes_one_event(desk: Desk) -> None:
    """Carried out again it finds its own; another effect with the same words makes another."""
    desk.do("create_calendar_event", "one", **_args())
    desk.do("create_calendar_event", "one", **_args())
    assert len(desk.names()) == 1
    desk.do("create_calendar_event", "two", **_args())
    assert len(desk.names()) == 2


def test_what_lies_where_an_event_should_is_not_overwritten(desk: Desk) -> None:
    """Something else under that name stays, and that is told."""
    desk.do("create_calendar_event", "one", **_args())
    (name,) = desk.names()
    desk.overwrite(name, *MORNING, "SUMMARY:Other")
    with pytest.raises(ToolError) as caught:
        desk.do("create_calendar_event", "one", **_args())
    assert str(caught.value) == "calendar: something else lies where the event should, so nothing was overwritten"
    assert desk.one()["title"] == "Other"


def test_whether_an_effect_happened_is_looked_up(desk: Desk) -> None:
    """Not begun, done, and gone again; what somebody else made of it cannot be told."""
    create = "create_calendar_event"
    assert desk.happened(create, **_args()) is False
    desk.do(create, **_args())
    assert desk.happened(create, **_args()) is True
    event_id = {"id": desk.one()["id"]}
    desk.do("change_calendar_event", "change", event=event_id, title="Coffee")
    assert desk.happened("change_calendar_event", "change") is True
    (name,) = desk.names()
    desk.overwrite(name, *MORNING, "SUMMARY:Other")
    assert desk.happened("change_calendar_event", "change") is None
    assert desk.happened(create, **_args()) is None
    desk.server.remove(f"{desk.path}{name}.ics")
    assert desk.happened(create, **_args()) is False


def test_what_we_created_keeps_its_label(desk: Desk) -> None:
    """A clean event is the store's; one with words of a mail is that mail's; one that somebody changed is anybody's as well."""
    desk.do("create_calendar_event", "clean", **_args())
    desk.do("create_calendar_event", "evil", {"title": label([EVIL], readers=PRIVATE)}, **_args(title="Evil"))
    said = {str(each.plain()["title"]): each.data["title"].label.data for each in desk.search().data}  # type: ignore[union-attr]
    assert said["Tea"] == {STORE}
    assert EVIL in said["Evil"]
    for name in desk.names():
        desk.server.put(f"{desk.path}{name}.ics", desk.text(name).replace("SUMMARY:", "SUMMARY:x"))
    said = {str(each.plain()["title"]): each.data["title"].label.data for each in desk.search().data}  # type: ignore[union-attr]
    assert UNVERIFIED in said["xTea"]
    assert said["xEvil"] >= {EVIL, UNVERIFIED}


def test_a_copy_of_our_event_by_somebody_else_is_not_ours(desk: Desk) -> None:
    """An invitation with the UID of an event that we made has other words, and so another label."""
    desk.do("create_calendar_event", **_args())
    (name,) = desk.names()
    desk.server.put(f"{desk.path}{name}.ics", event(f"{name}@armslength", *INVITED, *MORNING, "SUMMARY:Evil"))
    (found,) = desk.search().data  # type: ignore[misc]  # a list of one
    assert UNVERIFIED in found.data["title"].label.data


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"title": " "}, "calendar: the event has no title; give one"),
        (
            {"title": "a\r\nATTENDEE:mailto:evil@example.com"},
            "calendar: title holds control characters or line breaks; leave them out",
        ),
        ({"location": "a\x0bb"}, "calendar: location holds control characters or line breaks; leave them out"),
        (
            {"participants": ["a@b?cc=evil@example.com"]},
            "calendar: participant 1 is no e-mail address; give one like kim@example.com",
        ),
        ({"end": "2026-12-01 15:00"}, "calendar: end is not after start; exchange them or give a later end"),
        (
            {"start": "soon"},
            'calendar: start is no time of the form "YYYY-MM-DD HH:MM"; write it like 2026-12-31 09:30',
        ),
    ],
)
def test_what_is_no_event_is_refused(desk: Desk, changed: dict[str, Plain], told: str) -> None:
    """Before anything is sent."""
    with pytest.raises(ToolError) as caught:
        desk.do("create_calendar_event", **_args(**changed))
    assert (str(caught.value), desk.names()) == (told, [])


def test_texts_break_out_of_no_line(desk: Desk) -> None:
    """A description with all that means something in the format is one text."""
    evil = 'x\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:evil\\n;,:"' + "\u2028y"
    desk.do("create_calendar_event", **_args(description=evil))
    assert desk.one()["description"] == evil


def test_without_an_address_nobody_is_invited(desk: Desk) -> None:
    """Who invites must be somebody."""
    desk.accounts = [CalendarAccount("", desk.accounts[0].server)]
    with pytest.raises(ToolError, match="nobody is there to invite them"):
        desk.do("create_calendar_event", **_args(participants=["anna@example.com"]))
    desk.do("create_calendar_event", **_args())
    assert len(desk.found()) == 1


# Who learns of it


def test_participants_and_whoever_shares_the_calendar_are_receivers(desk: Desk) -> None:
    """Of a new event by the arguments alone; of one that is there by what stands in it, vouched for only if nobody else wrote it."""
    desk.accounts = [CalendarAccount("", desk.accounts[0].server, (KIM,), ("eva@example.com",))]
    create = desk.tool("create_calendar_event")
    assert create.receivers(_args(participants=["Anna@example.com"])) == Receivers(
        ("anna@example.com", "eva@example.com")
    )
    assert create.receivers(_args(participants=["no address"])).names is None
    assert not create.is_looked_up
    desk.do("create_calendar_event", **_args(participants=["anna@example.com"]))
    ours: dict[str, Plain] = {"event": {"id": desk.one("Tea")["id"]}}
    more = ours | {"add_participants": ["bo@example.com"]}
    change = desk.tool("change_calendar_event")
    assert change.receivers(ours) == Receivers(("anna@example.com", "eva@example.com"))
    assert change.receivers(more) == Receivers(("anna@example.com", "bo@example.com", "eva@example.com"))
    assert change.carries is not None and change.carries[1](ours).data == {STORE}
    desk.put("inv", *INVITED, *MORNING, "SUMMARY:Chess")
    theirs: dict[str, Plain] = {"event": {"id": desk.one("Chess")["id"]}}
    answer = desk.tool("answer_invitation")
    assert answer.receivers(theirs) == Receivers(("bo@example.com", "eva@example.com"), are_vouched=False)
    assert answer.carries is None
    assert change.carries[1](ours).readers == Readers(frozenset({"anna@example.com", KIM}))
    theirs_whole = change.carries[1](theirs)
    assert (theirs_whole.data, theirs_whole.readers) == ({STORE, UNVERIFIED, SAYS_BO}, PRIVATE)
    assert theirs_whole.choice == frozenset()
    desk.put("odd", *OWN, *MORNING, "SUMMARY:Odd", "ATTENDEE:mailto:a@b?cc=evil@example.com")
    assert change.receivers({"event": {"id": desk.one("Odd")["id"]}}).names is None


def test_an_event_that_claims_to_be_ours_vouches_for_nobody(desk: Desk) -> None:
    """Anybody can name the user as organizer: who takes part is asked about."""
    desk.put("claimed", *OWN, *MORNING, "SUMMARY:Claimed")
    found = desk.tool("change_calendar_event").receivers({"event": {"id": desk.one()["id"]}})
    assert found == Receivers(("anna@example.com",), are_vouched=False)


def test_roles_say_what_decides(desk: Desk) -> None:
    """Which event, who takes part, and in which calendar are targets; the rest is content."""
    assert desk.tool("change_calendar_event").roles == {
        "event": Role.TARGET,
        "title": Role.CONTENT,
        "start": Role.CONTENT,
        "end": Role.CONTENT,
        "location": Role.CONTENT,
        "description": Role.CONTENT,
        "add_participants": Role.TARGET,
        "whole_series": Role.TARGET,
    }
    assert desk.tool("answer_invitation").roles == {"event": Role.TARGET, "answer": Role.CONTENT}
    assert {desk.tool(name).handles for name in ("answer_invitation", "cancel_calendar_event")} == {
        frozenset({"event"})
    }


# Answering


def test_an_invitation_is_answered_in_place(desk: Desk) -> None:
    """The user's own line changes in the series and in its changed times, and nothing of anybody else's."""
    zone = "BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
    desk.put("inv", *INVITED, *MORNING, "SUMMARY:Chess", "X-THEIRS;A=B:c\\,d", "DESCRIPTION:line\\nline", around=zone)
    found = desk.one()
    before = desk.text("inv")
    desk.do("answer_invitation", event={"id": found["id"]}, answer="accepted")
    assert desk.one()["answer"] == "accepted"
    gone = {line for line in before.split("\n") if line not in desk.text("inv").split("\n")}
    come = {line for line in desk.text("inv").split("\n") if line not in before.split("\n")}
    assert gone == {
        'ATTENDEE;CN="Kim: K";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:Kim@example.com',
        "DTSTAMP:20261101T090000Z",
    }
    assert come == {'ATTENDEE;CN="Kim: K";PARTSTAT=ACCEPTED:mailto:Kim@example.com', "DTSTAMP:20261130T080000Z"}
    (record,) = desk.search().data  # type: ignore[misc]  # a list of one
    assert record.data["title"].label.data >= {STORE, UNVERIFIED}
    desk.undo("answer_invitation")
    assert desk.one()["answer"] == "needs-action"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("SUMMARY:mine",), "nobody else invites to this event, so there is nothing to answer"),
        (OWN, "nobody else invites to this event, so there is nothing to answer"),
        (
            ("ORGANIZER:mailto:bo@example.com", "ATTENDEE:mailto:eva@example.com"),
            "you are not among those who are invited; nothing was answered",
        ),
    ],
)
def test_what_is_no_invitation_is_not_answered(desk: Desk, lines: tuple[str, ...], told: str) -> None:
    """One's own event, and one to which others are invited."""
    desk.put("x", *lines, *MORNING)
    with pytest.raises(ToolError) as caught:
        desk.do("answer_invitation", event={"id": desk.one()["id"]}, answer="accepted")
    assert str(caught.value) == f"answer_invitation: {told}"


# Changing and cancelling


def test_an_event_of_ones_own_is_changed_and_given_back(desk: Desk) -> None:
    """What is given changes, the length stays, whoever comes is asked again; undoing leaves what there was, as a newer version."""
    desk.put("own", *OWN, *MORNING, "SUMMARY:Tea", "SEQUENCE:3", "X-OTHER:kept")
    event_id: dict[str, Plain] = {"id": desk.one()["id"]}
    desk.do(
        "change_calendar_event",
        event=event_id,
        title="Coffee",
        start="2026-12-02 17:00",
        add_participants=["bo@example.com"],
    )
    found = desk.one()
    assert (found["title"], found["start"], found["end"]) == ("Coffee", "2026-12-02 17:00", "2026-12-02 18:00")
    text = desk.text("own")
    assert "SEQUENCE:4\n" in text and "X-OTHER:kept\n" in text
    assert "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:anna@example.com\n" in text
    assert found["participants"] == ["anna@example.com", "bo@example.com"]
    desk.undo("change_calendar_event")
    assert desk.shown() == [("Tea", "2026-12-01 09:00", "2026-12-01 10:00")]
    assert "SEQUENCE:5\n" in desk.text("own") and "PARTSTAT=ACCEPTED" in desk.text("own")


def test_an_event_of_somebody_elses_is_not_changed(desk: Desk) -> None:
    """Nor cancelled: it is answered."""
    desk.put("inv", *INVITED, *MORNING)
    event_id = {"id": desk.one()["id"]}
    for name, args in (("change_calendar_event", {"title": "x"}), ("cancel_calendar_event", {})):
        with pytest.raises(ToolError) as caught:
            desk.do(name, event=event_id, **args)
        assert str(caught.value) == f"{name}: somebody else invites to this event; answer the invitation instead"


def test_what_was_changed_meanwhile_is_not_overwritten(desk: Desk) -> None:
    """Neither after a person was asked, nor by undoing, nor by a server that gives both the same entity tag."""
    desk.put("own", *OWN, *MORNING, "SUMMARY:Tea")
    tools = {each.name: each for each in served_calendar_tools(desk.accounts, trust_nobody, desk.state, BERLIN)}
    change, call = tools["change_calendar_event"], ToolCall(dict.fromkeys(("event", "title"), LITERAL), NOW, "key")
    args: dict[str, Plain] = {"event": {"id": desk.one()["id"]}, "title": "Coffee"}
    assert change.prospect is not None
    seen = change.prospect(call, dict(args))
    assert (seen.place, seen.account) == (
        "an event in the calendar; this server sends no mail of it: write to them yourself",
        KIM,
    )
    assert seen.before is not None and seen.after is not None
    assert (seen.before.split("\n")[0], seen.after.split("\n")[0]) == ("Title: Tea", "Title: Coffee")
    assert seen.whose == ("calendar:unverified",)
    desk.put("own", *OWN, *MORNING, "SUMMARY:Theirs")
    with pytest.raises(ToolError, match="was changed meanwhile, so nothing was overwritten"):
        change.run(call, dict(args))
    assert change.prospect(call, dict(args)).state != seen.state
    change.run(call, dict(args))
    desk.put("own", *OWN, *MORNING, "SUMMARY:Theirs again")
    with pytest.raises(ToolError, match="was changed since, so nothing was undone"):
        desk.undo("change_calendar_event")
    assert desk.one()["title"] == "Theirs again"


def test_a_cancelled_event_comes_back(desk: Desk) -> None:
    """As it was, with its label; unless something lies there by then."""
    desk.do("create_calendar_event", "made", **_args())
    (name,) = desk.names()
    desk.do("cancel_calendar_event", event={"id": desk.one()["id"]})
    assert (desk.names(), desk.happened("cancel_calendar_event")) == ([], True)
    desk.undo("cancel_calendar_event")
    (found,) = desk.search().data  # type: ignore[misc]  # a list of one
    assert found.data["title"] == Labelled("Tea", found.data["title"].label)
    assert found.data["title"].label.data == {STORE}
    with pytest.raises(ToolError, match="was changed since"):
        desk.undo("cancel_calendar_event")
    assert desk.names() == [name]


def test_what_lies_beside_an_event_does_not_go_with_it(liar: Hostile, tmp_path: Path) -> None:
    """A text that holds two events is not removed for one of them."""
    both = event("own", *OWN, *MORNING, "SUMMARY:Tea").replace(
        "END:VCALENDAR",
        "BEGIN:VEVENT\nUID:other\nDTSTAMP:20261101T090000Z\nDTSTART:20261201T090000Z\nEND:VEVENT\nEND:VCALENDAR",
    )
    tag = "<d:getetag>&quot;1&quot;</d:getetag>"
    liar.says["PROPFIND /cal/"] = [multistatus(response("/cal/", CALENDAR))]
    whole = response("/cal/own.ics", f"{tag}<c:calendar-data>{both}</c:calendar-data>")
    liar.says["REPORT /cal/"] = [
        multistatus(response("/cal/own.ics", tag), token="t"),
        multistatus(whole),
        multistatus(token="t"),
    ]
    liar.says["GET /cal/own.ics"] = [answer("200 OK", both, 'ETag: "1"')]
    desk = Desk(Radicale(liar.port, None), "/cal/", tmp_path)
    with pytest.raises(ToolError, match="other things lie in one text with the event"):
        desk.do("cancel_calendar_event", event={"id": desk.one("tea")["id"]})
    assert liar.asked("DELETE") == 0


def test_another_form_of_the_description_goes_with_it(desk: Desk) -> None:
    """The HTML that another program made of the earlier words does not stay beside the new ones."""
    desk.put("own", *OWN, *MORNING, "DESCRIPTION:old words", "X-ALT-DESC;FMTTYPE=text/html:<b>old words</b>")
    desk.do("change_calendar_event", event={"id": desk.one()["id"]}, description="new words")
    assert "old words" not in desk.text("own")
    assert desk.one()["description"] == "new words"


SERIES = (
    "SUMMARY:Choir",
    "DTSTART;TZID=Europe/Berlin:20261201T190000",
    "DTEND;TZID=Europe/Berlin:20261201T210000",
    "RRULE:FREQ=WEEKLY;COUNT=4",
)


def test_one_time_of_a_series_is_changed(desk: Desk) -> None:
    """It gets a component of its own, which can be changed again and taken back; the others stay."""
    desk.put("choir", *SERIES)
    second = desk.found()[1]
    assert str(second["id"]).endswith("-20261208")
    desk.do("change_calendar_event", "one", event={"id": second["id"]}, start="2026-12-09 18:00", title="Concert")
    assert desk.shown() == [
        ("Choir", "2026-12-01 19:00", "2026-12-01 21:00"),
        ("Concert", "2026-12-09 18:00", "2026-12-09 20:00"),
        ("Choir", "2026-12-15 19:00", "2026-12-15 21:00"),
        ("Choir", "2026-12-22 19:00", "2026-12-22 21:00"),
    ]
    desk.do("change_calendar_event", "two", event={"id": desk.one("concert")["id"]}, location="Hall")
    assert (desk.one("concert")["location"], len(desk.found())) == ("Hall", 4)
    desk.do("cancel_calendar_event", "three", event={"id": desk.one("concert")["id"]})
    assert [start[:10] for _, start, _ in desk.shown()] == ["2026-12-01", "2026-12-15", "2026-12-22"]
    for name, key in (
        ("cancel_calendar_event", "three"),
        ("change_calendar_event", "two"),
        ("change_calendar_event", "one"),
    ):
        desk.undo(name, key)
    assert [start[:10] for _, start, _ in desk.shown()] == ["2026-12-01", "2026-12-08", "2026-12-15", "2026-12-22"]


def test_whoever_comes_to_one_time_of_a_series_learns_of_all_of_it(desk: Desk) -> None:
    """A server tells everybody in the text: those of a time that was changed apart are receivers of what happens to the whole."""
    apart = (
        "END:VEVENT\nBEGIN:VEVENT\nUID:choir\nDTSTAMP:20261101T090000Z\nSUMMARY:Concert\n"
        "RECURRENCE-ID;TZID=Europe/Berlin:20261208T190000\nDTSTART;TZID=Europe/Berlin:20261209T190000\n"
        "ORGANIZER:mailto:kim@example.com\nATTENDEE:mailto:guest@example.com"
    )
    desk.put("choir", *SERIES, *OWN, apart)
    series: dict[str, Plain] = {"id": desk.found(query="choir")[0]["id"]}
    concert: dict[str, Plain] = {"id": desk.one("concert")["id"]}
    for name in ("change_calendar_event", "cancel_calendar_event"):
        for event_id in (series, concert):
            found = desk.tool(name).receivers({"event": event_id, "whole_series": True})
            assert found == Receivers(("anna@example.com", "guest@example.com"), are_vouched=False)
    with pytest.raises(ToolError, match="was changed apart from its series"):
        desk.do("change_calendar_event", event=concert, title="x", whole_series=True)
    desk.put("choir", *SERIES, *OWN, f"{apart}\nSTATUS:CANCELLED")
    series = {"id": desk.found(query="choir")[0]["id"]}
    with pytest.raises(ToolError, match="somebody takes part in a way that cannot be read"):
        desk.do("cancel_calendar_event", event=series, whole_series=True)
    desk.put("choir", *SERIES, *OWN)
    desk.do("cancel_calendar_event", "again", event=series, whole_series=True)
    assert desk.names() == []


def test_one_time_of_a_series_is_cancelled(desk: Desk) -> None:
    """In the zone of the series; what does not take place any more is not found."""
    desk.put("choir", *SERIES)
    second: dict[str, Plain] = {"id": desk.found()[1]["id"]}
    desk.do("cancel_calendar_event", event=second)
    assert "EXDATE;TZID=Europe/Berlin:20261208T190000\n" in desk.text("choir")
    assert [start[:10] for _, start, _ in desk.shown()] == ["2026-12-01", "2026-12-15", "2026-12-22"]
    with pytest.raises(ToolError, match="does not take place then any more"):
        desk.do("cancel_calendar_event", "again", event=second)
    desk.undo("cancel_calendar_event")
    assert len(desk.found()) == 4


def test_a_whole_series_keeps_its_days_and_its_zone(desk: Desk) -> None:
    """Its hour moves, over the change of clocks too; its days do not."""
    desk.put("choir", *SERIES)
    third: dict[str, Plain] = {"id": desk.found()[2]["id"]}
    desk.do("change_calendar_event", event=third, start="2026-12-15 20:00", whole_series=True)
    assert "DTSTART;TZID=Europe/Berlin:20261201T200000\nDTEND;TZID=Europe/Berlin:20261201T220000\n" in desk.text(
        "choir"
    )
    assert {start[11:] for _, start, _ in desk.shown()} == {"20:00"}
    with pytest.raises(ToolError, match="a whole series stays on its days"):
        desk.do("change_calendar_event", "other", event=third, start="2026-12-16 20:00", whole_series=True)
    desk.do("cancel_calendar_event", "gone", event=third, whole_series=True)
    assert desk.found() == []


def test_what_undoing_would_find_and_leave(desk: Desk) -> None:
    """Two changes of one event, taken back one after the other; what stands in the way is said before anybody is asked."""
    desk.put("own", *OWN, *MORNING, "SUMMARY:Tea")
    event_id: dict[str, Plain] = {"id": desk.one()["id"]}
    for key, title in (("one", "Coffee"), ("two", "Milk")):
        desk.do("change_calendar_event", key, event=event_id, title=title)
    undoing = desk.tool("change_calendar_event").undo_prospect
    assert undoing is not None
    second = undoing(ToolCall({}, NOW, "two"), {}, None, ())
    first = undoing(ToolCall({}, NOW, "one"), {}, None, (second,))
    titles = [(str(each.before).split("\n")[0], str(each.after).split("\n")[0]) for each in (second, first)]
    assert titles == [("Title: Milk", "Title: Coffee"), ("Title: Coffee", "Title: Tea")]
    with pytest.raises(ToolError, match="was changed since"):
        undoing(ToolCall({}, NOW, "one"), {}, None, ())
    desk.undo("change_calendar_event", "two")
    desk.undo("change_calendar_event", "one")
    assert desk.one()["title"] == "Tea"
    with pytest.raises(ToolError, match="nothing is kept of that change"):
        undoing(ToolCall({}, NOW, "never"), {}, None, ())


# Several


def test_a_program_says_which_calendar(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """All are searched, one by its name; the first is written to if nothing is said."""
    paths = [collection(), collection()]
    accounts = [
        CalendarAccount(name, settings_for(server.url.rstrip("/") + path, setting=f"calendar.{name}"), (KIM,))
        for name, path in zip(("work", "home"), paths, strict=True)
    ]
    desk = Desk(server, paths[0], tmp_path)
    desk.accounts = accounts
    desk.do("create_calendar_event", "one", **_args(title="Work"))
    desk.do("create_calendar_event", "two", **_args(title="Home", calendar="home"))
    assert [(each["title"], each["calendar"]) for each in desk.found()] == [("Home", "home"), ("Work", "work")]
    assert [each["title"] for each in desk.found(calendar="home")] == ["Home"]
    with pytest.raises(ToolError, match="there is no calendar of that name"):
        desk.do("create_calendar_event", "three", **_args(calendar="club"))
    desk.do("cancel_calendar_event", "four", event={"id": desk.one("home")["id"]})
    desk.undo("cancel_calendar_event", "four")
    assert len(desk.found()) == 2
    created = desk.prospect("create_calendar_event", **_args(title="More", calendar="home"))
    assert (created.place, created.before, created.after) == (
        'the calendar "home" on 2026-12-01',
        "15:00 to 16:00 Home\n",
        "15:00 to 16:00 Home\n15:00 to 16:00 More\n",
    )


def test_another_account_is_another_tool(desk: Desk) -> None:
    """A yes beforehand, bound to a tool's version, is for this calendar of this user's and no other."""
    versions = {desk.tool("create_calendar_event").version}
    account = desk.accounts[0]
    for other in (replace(account.server, url="http://localhost:1/"), replace(account.server, user="bo")):
        desk.accounts = [replace(account, server=other)]
        versions.add(desk.tool("create_calendar_event").version)
    desk.accounts = [replace(account, addresses=("bo@example.com",))]
    versions.add(desk.tool("create_calendar_event").version)
    assert len(versions) == 4
    desk.accounts = [account]
    assert desk.tool("create_calendar_event").version in versions


def test_nobody_is_the_default_receiver(desk: Desk) -> None:
    """An event without participants in a calendar that nobody shares has no receivers."""
    assert desk.tool("create_calendar_event").receivers(_args()) == NOBODY


def _zone(offset: str) -> str:
    period = f"BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\n"
    return f"BEGIN:VTIMEZONE\nTZID:Here\n{period}END:VTIMEZONE\n"


@pytest.mark.parametrize("more", [(), ("RRULE:FREQ=DAILY;COUNT=3",)], ids=["once", "repeated"])
def test_attack_a_zone_alone_moves_what_we_changed(desk: Desk, more: tuple[str, ...]) -> None:
    """Not a word of the event is another, only what its zone means: it was changed since, and what lies there is not overwritten."""
    desk.put("tea", "DTSTART;TZID=Here:20261201T090000", "DURATION:PT1H", *more, "SUMMARY:Tea", around=_zone("+0100"))
    args: dict[str, Plain] = {"event": {"id": desk.found()[0]["id"]}, "title": "Coffee", "whole_series": True}
    desk.do("change_calendar_event", **args)
    kept = desk.text("tea")
    desk.server.put(f"{desk.path}tea.ics", kept.replace("+0100", "+0900"))
    with pytest.raises(ToolError, match="changed since"):
        desk.undo("change_calendar_event", **args)
    desk.server.put(f"{desk.path}tea.ics", kept)
    desk.undo("change_calendar_event", **args)
    assert "SUMMARY:Tea" in desk.text("tea")
