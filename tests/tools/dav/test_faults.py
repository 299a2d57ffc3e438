"""What goes wrong in the middle of a change: one clear error, no half state, nothing made twice, and what cannot be told is said."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.servers.dav_hostile import CALENDAR, Hostile, answer, multistatus, response
from tests.servers.dav_radicale import PASSWORD, Radicale
from tests.tools.dav.conftest import event, settings_for
from tests.tools.dav.test_caldav import KIM, MORNING, NOW, OWN, Desk, _args

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL
from armslength.tools.base import ToolCall
from armslength.tools.calendar.agenda import Agenda, CalendarAccount
from armslength.tools.calendar.changing import Clock, new_event
from armslength.tools.calendar.planning import planned_event

ROOT = Path(__file__).parents[3]
NAME = "2c70e12b7a0646f92279f427c7b38e73"
"""By the key of the effect, `key`."""
TAG = "<d:getetag>&quot;1&quot;</d:getetag>"


def _drop(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Le")


def _desk(liar: Hostile, state: Path, *lines: str) -> Desk:
    """A calendar of a lying server with one event, `own`."""
    text = event("own", *OWN, *MORNING, *lines)
    liar.says["PROPFIND /cal/"] = [multistatus(response("/cal/", CALENDAR))]
    whole = response("/cal/own.ics", f"{TAG}<c:calendar-data>{text}</c:calendar-data>")
    liar.says["REPORT /cal/"] = [
        multistatus(response("/cal/own.ics", TAG), token="t"),
        multistatus(whole),
        multistatus(token="t"),
    ]
    liar.says["GET /cal/own.ics"] = [answer("200 OK", text, 'ETag: "1"')]
    return Desk(Radicale(liar.port, None), "/cal/", state)


def _made() -> str:
    from tests.tools.dav.test_caldav import BERLIN

    return new_event(planned_event(_args()), f"{NAME}@armslength", KIM, Clock(NOW, BERLIN)).decode()


def test_a_lost_answer_is_found_out(liar: Hostile, tmp_path: Path) -> None:
    """The server made the event and its answer broke off: it is there, so it is done, and done once."""
    desk = _desk(liar, tmp_path)
    liar.says[f"PUT /cal/{NAME}.ics"] = [_drop]
    liar.says[f"GET /cal/{NAME}.ics"] = [answer("200 OK", _made(), 'ETag: "1"')]
    desk.do("create_calendar_event", **_args())
    assert desk.happened("create_calendar_event", **_args()) is True


def test_a_change_that_was_not_made_is_an_error(liar: Hostile, tmp_path: Path) -> None:
    """The answer broke off and nothing is there: the error says so, and the effect did not happen."""
    desk = _desk(liar, tmp_path)
    liar.says[f"PUT /cal/{NAME}.ics"] = [_drop]
    with pytest.raises(ToolError) as caught:
        desk.do("create_calendar_event", **_args())
    assert str(caught.value) == (
        f"calendar.work: the connection to http://localhost:{liar.port} broke off in the middle of an answer; try again"
    )
    assert desk.happened("create_calendar_event", **_args()) is False


def test_what_cannot_be_told_is_said(liar: Hostile, tmp_path: Path) -> None:
    """Neither the change nor looking for it is answered."""
    desk = _desk(liar, tmp_path)
    liar.says[f"PUT /cal/{NAME}.ics"] = [_drop]
    liar.says[f"GET /cal/{NAME}.ics"] = [_drop]
    with pytest.raises(ToolError, match="whether the event was changed cannot be told, so look for yourself"):
        desk.do("create_calendar_event", **_args())


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("507 Insufficient Storage", "it was not written (HTTP 507): the server has no room left; make some"),
        ("403 Forbidden", "it was not written (HTTP 403): the server does not allow it with this account"),
        ("404 Not Found", "it was not written (HTTP 404): it is not there any more"),
    ],
)
def test_a_server_that_refuses_makes_nothing(liar: Hostile, tmp_path: Path, status: str, told: str) -> None:
    """A full one, one that does not allow it, one whose calendar is gone."""
    desk = _desk(liar, tmp_path)
    liar.says[f"PUT /cal/{NAME}.ics"] = [answer(status)]
    with pytest.raises(ToolError) as caught:
        desk.do("create_calendar_event", **_args())
    assert str(caught.value) == f"calendar.work: {told}"


def test_a_tag_that_stays_while_the_words_change_does_not_deceive(liar: Hostile, tmp_path: Path) -> None:
    """What a person saw is bound by its bytes as well: a server that gives other words the same entity tag changes nothing by that."""
    from tests.tools.dav.test_caldav import BERLIN

    from armslength.tools.calendar.caldav import served_calendar_tools

    desk = _desk(liar, tmp_path, "SUMMARY:Tea")
    tools = {each.name: each for each in served_calendar_tools(desk.accounts, trust_nobody, tmp_path, BERLIN)}
    change, call = tools["change_calendar_event"], ToolCall(dict.fromkeys(("event", "title"), LITERAL), NOW, "key")
    args = {"event": {"id": desk.one()["id"]}, "title": "Coffee"}
    assert change.prospect is not None
    change.prospect(call, dict(args))
    other = event("own", *OWN, *MORNING, "SUMMARY:Tea", "DESCRIPTION:other words")
    liar.says["GET /cal/own.ics"] = [answer("200 OK", other, 'ETag: "1"')]
    with pytest.raises(ToolError, match="was changed meanwhile, so nothing was overwritten"):
        change.run(call, dict(args))
    assert liar.asked("PUT") == 0


def test_participants_that_come_between_are_not_told(liar: Hostile, tmp_path: Path) -> None:
    """Whom a change goes to was decided by what was listed: where the event has others by now, it is not changed."""
    desk = _desk(liar, tmp_path, "SUMMARY:Tea")
    more = event("own", *OWN, *MORNING, "SUMMARY:Tea", "ATTENDEE:mailto:mallory@evil.example")
    liar.says["GET /cal/own.ics"] = [answer("200 OK", more, 'ETag: "2"')]
    with pytest.raises(ToolError, match="is not there any more as it was"):
        desk.do("change_calendar_event", event={"id": desk.one()["id"]}, title="Coffee")
    assert liar.asked("PUT") == 0


def test_an_event_without_a_strong_tag_is_not_changed(liar: Hostile, tmp_path: Path) -> None:
    """Nor cancelled."""
    desk = _desk(liar, tmp_path, "SUMMARY:Tea")
    liar.says["GET /cal/own.ics"] = [answer("200 OK", event("own", *OWN, *MORNING, "SUMMARY:Tea"), 'ETag: W/"1"')]
    for name, args in (("change_calendar_event", {"title": "Coffee"}), ("cancel_calendar_event", {})):
        with pytest.raises(ToolError, match="no strong ETag"):
            desk.do(name, event={"id": desk.one()["id"]}, **args)
    assert liar.asked("PUT") + liar.asked("DELETE") == 0


def test_which_of_several_calendars_is_written_to_is_never_guessed(liar: Hostile, tmp_path: Path) -> None:
    """All of an account are read; the one that is written to is named, and named once."""
    home = multistatus(
        *(
            response(f"/home/{name}/", CALENDAR.replace("Work", title))
            for name, title in (("a", "A"), ("b", "B"), ("c", "B"))
        )
    )
    liar.says["PROPFIND /"] = [
        multistatus(response("/", "<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>"))
    ]
    liar.says["PROPFIND /home/"] = [home]
    for writes, path in (("A", "/home/a/"), ("B", None), ("", None), ("C", None)):
        account = CalendarAccount("", settings_for(liar.url), (KIM,), writes=writes)
        (served,) = Agenda([account], trust_nobody, tmp_path, None).accounts
        assert len(served.all()) == 3
        if path is not None:
            assert served.written().path == path
            continue
        with pytest.raises(ToolError) as caught:
            served.written()
        assert str(caught.value) == (
            "calendar.work: which of its 3 calendars is written to is not said; name one in calendar.work.writes"
        )


CHILD = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo
from tests.tools.dav.conftest import settings_for
from armslength.events import trust_nobody
from armslength.labels import LITERAL
from armslength.tools.base import ToolCall
from armslength.tools.calendar.agenda import CalendarAccount
from armslength.tools.calendar.caldav import served_calendar_tools
from armslength.tools.dav.collection import Collection

done = Collection.create

def create(*args):
    if sys.argv[3] == "after":
        done(*args)
    os.kill(os.getpid(), signal.SIGKILL)

Collection.create = create
zone = ZoneInfo("Europe/Berlin")
tools = served_calendar_tools([CalendarAccount("", settings_for(sys.argv[1]), ("kim@example.com",))], trust_nobody, Path(sys.argv[2]), zone)
args = {"title": "Tea", "start": "2026-12-01 15:00", "end": "2026-12-01 16:00", "participants": [], "location": "", "description": ""}
tool = next(each for each in tools if each.name == "create_calendar_event")
tool.run(ToolCall(dict.fromkeys(args, LITERAL), datetime(2026, 11, 30, 9, 0, tzinfo=zone), "key"), args)
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_around_the_change_it_is_made_once(
    server: Radicale, collection: Callable[..., str], tmp_path: Path, moment: str
) -> None:
    """Whoever goes on is told whether the event is there, and with it or without there is one in the end."""
    path = collection()
    url = server.url.rstrip("/") + path
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    child = subprocess.run(
        [sys.executable, "-c", CHILD, url, str(tmp_path), moment], env=environment, cwd=ROOT, check=False, timeout=120
    )
    assert child.returncode == -signal.SIGKILL
    desk = Desk(server, path, tmp_path)
    assert desk.happened("create_calendar_event", **_args()) is (moment == "after")
    assert desk.names() == ([NAME] if moment == "after" else [])
    desk.do("create_calendar_event", **_args())
    assert desk.names() == [NAME]
    desk.undo("create_calendar_event")
    assert desk.names() == []


def test_the_password_is_nowhere(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """Not in what is kept, not in an error."""
    desk = Desk(server, collection(), tmp_path)
    desk.do("create_calendar_event", **_args())
    assert len(desk.found()) == 1
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Tea" in kept
    assert PASSWORD.encode() not in kept
