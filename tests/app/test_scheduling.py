"""Requests that begin by themselves: at their time, once each, durable like any run, with nobody's mail deciding over more than that."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from bench.home.world import JULIA, NOW, Home, Person, rules, statuses

from armslength.app import load_settings
from armslength.app.notifying import Notify
from armslength.app.scheduling import Schedule
from armslength.app.tasks import Task
from armslength.app.working import Worked, Worker
from armslength.errors import ConfigError, OperatorError
from armslength.store.keeping import DatabaseRuns
from armslength.store.occasions import Occasions
from armslength.store.sqlite import SqliteRuns
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.watching import Marks, has_come, marks

ROOT = Path(__file__).parents[2]
APPEND = 'append_to_file(filename="todo.txt", text="one\\n")'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A small home."""
    return Home(tmp_path / "home")


@pytest.fixture
def runs(tmp_path: Path) -> DatabaseRuns:
    """Runs on disk."""
    return SqliteRuns(tmp_path / "runs.sqlite")


@pytest.fixture(autouse=True)
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local time has a summer."""
    import time as clock

    monkeypatch.setenv("TZ", "Europe/Berlin")
    clock.tzset()
    yield
    monkeypatch.undo()
    clock.tzset()


def local(text: str) -> datetime:
    """A moment in local time."""
    return datetime.fromisoformat(text).astimezone()


@pytest.mark.parametrize(
    ("last", "now", "due"),
    [
        ("2026-11-30T07:00", "2026-11-30T07:29", None),
        ("2026-11-30T07:00", "2026-11-30T07:30", "2026-11-30T07:30"),
        ("2026-11-30T07:30", "2026-11-30T09:00", None),
        ("2026-11-23T07:30", "2026-11-30T09:00", "2026-11-30T07:30"),
        ("2026-11-23T07:30", "2026-12-01T07:00", "2026-11-30T07:30"),
        ("2026-11-23T07:30", "2026-12-02T09:00", None),
    ],
)
def test_the_latest_time_that_came_counts(last: str, now: str, due: str | None) -> None:
    """On Mondays at half past seven: once however many were missed, and not a day late."""
    found = Task("t", "x", at=time(7, 30), days=frozenset({0})).due(local(last), local(now))
    assert found == (None if due is None else local(due))


@pytest.mark.parametrize(("day", "times"), [("2026-03-29", 1), ("2026-10-25", 1), ("2026-06-01", 1)])
def test_a_change_of_the_clocks_neither_leaves_out_nor_doubles(day: str, times: int) -> None:
    """Half past two does not exist on one Sunday and comes twice on another."""
    task, last = Task("t", "x", at=time(2, 30)), local(f"{day}T00:00")
    found = 0
    now = last
    while now < local(f"{day}T23:00"):
        now = (now.astimezone(UTC) + timedelta(minutes=5)).astimezone()
        if (due := task.due(last, now)) is not None:
            found, last = found + 1, due
    assert found == times


def schedule(
    home: Home, runs: DatabaseRuns, task: Task, program: list[str], now: datetime = NOW
) -> tuple[Schedule, list[Worked]]:
    """A schedule of one task, and what is told of its runs."""
    heard: list[Worked] = []
    assistant = replace(home.assistant(program, runs=runs), now=now.astimezone)
    mail = MailSettings(path=home.path / "mail", addresses=("me@example.com",))
    occasions = Occasions(home.path / "schedule.sqlite")
    return Schedule(
        assistant, [task], occasions, partial(marks, [mail], home.path), lambda _task, worked: heard.append(worked)
    ), heard


def test_a_task_begins_at_its_next_time_and_once(home: Home, runs: DatabaseRuns) -> None:
    """The first look begins nothing of what was before it."""
    task = Task("t", "Do it", every=timedelta(hours=1))
    home.file("todo.txt", "")
    assert schedule(home, runs, task, [])[0].begin_what_is_due() == 0
    later = NOW + timedelta(hours=1)
    made, heard = schedule(home, runs, task, [APPEND], later)
    assert (made.begin_what_is_due(), made.begin_what_is_due()) == (1, 0)
    assert [each.ending for each in heard] == ["done"]
    begun = runs.entries(heard[0].run)[0]
    assert (begun["occasion"], begun["task"], begun["request"]) == ("clock", "t", "Do it")


def test_what_was_written_down_and_not_begun_is_begun(home: Home, runs: DatabaseRuns) -> None:
    """Whoever was killed between the two loses nothing."""
    task = Task("t", "Do it", every=timedelta(hours=1))
    Occasions(home.path / "schedule.sqlite").came("t", NOW, {}, begins=True)
    made, heard = schedule(home, runs, task, [APPEND])
    assert (made.begin_what_is_due(), made.begin_what_is_due(), len(heard)) == (1, 0, 1)


def test_a_process_that_is_killed_leaves_a_run_that_is_gone_on_with_and_no_second_one(
    home: Home, runs: DatabaseRuns, tmp_path: Path
) -> None:
    """SIGKILL while the planner writes: the time is spent, the run is a worker's, and its effect is done once."""
    home.file("todo.txt", "")
    Occasions(home.path / "schedule.sqlite").came("morning", NOW - timedelta(days=1), {}, begins=False)
    ended = subprocess.run(
        [sys.executable, ROOT / "tests" / "app" / "scheduled_child.py", home.path, tmp_path / "runs.sqlite"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
        check=False,
        timeout=120,
    )
    assert ended.returncode == -9
    assert [run.state for run in runs.listed()] == ["cut off"]
    at = (NOW.astimezone() - timedelta(minutes=1)).time().replace(second=0, microsecond=0)
    made, _ = schedule(home, runs, Task("morning", "Do it", at=at), [])
    assert made.begin_what_is_due() == 0
    Worker(home.assistant([APPEND], runs=runs), lambda _worked: None).once()
    assert [run.state for run in runs.listed()] == ["done"]
    assert (home.path / "files" / "todo.txt").read_text("utf-8") == "one\n"


def test_two_workers_begin_it_once(home: Home, runs: DatabaseRuns) -> None:
    """The second finds the schedule in use and begins nothing."""
    made, _ = schedule(home, runs, Task("t", "Do it", every=timedelta(minutes=1)), [])
    with Occasions(home.path / "schedule.sqlite").alone() as is_alone:
        assert is_alone
        assert made.begin_what_is_due() == 0
    assert Occasions(home.path / "schedule.sqlite").last("t") is None


def test_what_fails_while_the_schedule_is_held_is_not_said_of_the_schedule(home: Home) -> None:
    """An error of a run or of a notice names its own place, and the lock is free again."""
    occasions = Occasions(home.path / "schedule.sqlite")
    with pytest.raises(ConnectionResetError), occasions.alone():
        raise ConnectionResetError
    with occasions.alone() as is_alone:
        assert is_alone


def test_a_question_of_a_run_that_began_by_itself_waits(home: Home, runs: DatabaseRuns) -> None:
    """Nobody is there, and no is not said for them."""
    home.verified("hi")
    program = 'send_email(["bob@else.example"], "Hi", search_emails()[0].body)'
    Occasions(home.path / "schedule.sqlite").came("t", NOW - timedelta(hours=2), {}, begins=False)
    made, heard = schedule(home, runs, Task("t", "Do it", every=timedelta(hours=1)), [program])
    made.begin_what_is_due()
    assert ([each.ending for each in heard], [run.state for run in runs.listed()]) == (["waiting"], ["waiting"])
    assert home.outbox() == []


def test_a_task_whose_question_waits_begins_no_other_run(home: Home, runs: DatabaseRuns) -> None:
    """A week away is one question; what came due meanwhile is made up for when it is answered."""
    home.verified("hi")
    program = 'send_email(["bob@else.example"], "Hi", search_emails()[0].body)'
    task = Task("t", "Do it", every=timedelta(hours=1))
    Occasions(home.path / "schedule.sqlite").came("t", NOW - timedelta(hours=2), {}, begins=False)
    assert schedule(home, runs, task, [program])[0].begin_what_is_due() == 1
    later = NOW + timedelta(hours=5)
    assert schedule(home, runs, task, [], later)[0].begin_what_is_due() == 0
    (run,) = runs.listed()
    home.assistant([], runs=runs).resume(run.name, approver=Person([False]))
    assert schedule(home, runs, task, [program], later)[0].begin_what_is_due() == 1


ADDRESS = JULIA.partition("<")[2].rstrip(">")
WATCH = Task("w", "Tell Julia that mail came", every=timedelta(minutes=10), on_mail=True)
TELL = f'send_email(["{ADDRESS}"], "Hi", "mail came")'


def watching(home: Home, runs: DatabaseRuns, program: str) -> tuple[Schedule, list[Worked]]:
    """The inbox was looked at, and then a mail came."""
    home.deliver("before")
    schedule(home, runs, WATCH, [])[0].begin_what_is_due()
    home.deliver("after")
    return schedule(home, runs, WATCH, [program], NOW + timedelta(minutes=10))


def test_a_watch_begins_when_mail_came_and_not_for_what_was_there(home: Home, runs: DatabaseRuns) -> None:
    """Once for all that came, and again only for what comes later."""
    home.file("todo.txt", "")
    made, heard = watching(home, runs, APPEND)
    assert (made.begin_what_is_due(), [each.ending for each in heard]) == (1, ["done"])
    later, _ = schedule(home, runs, WATCH, [], NOW + timedelta(minutes=20))
    assert later.begin_what_is_due() == 0


def test_a_server_that_lets_nobody_in_is_told_once_and_stops_no_other_task(home: Home, runs: DatabaseRuns) -> None:
    """A password that was changed elsewhere: the watch has not looked, so it misses nothing, and what is due by the clock begins."""

    def refused(_now: datetime) -> Marks:
        raise OperatorError("mail.imap: the server refused the password")

    clock = Task("c", "Do it", every=timedelta(hours=1))
    home.file("todo.txt", "")
    first, _ = schedule(home, runs, WATCH, [])
    replace(first, tasks=[WATCH, clock]).begin_what_is_due()
    made, heard = schedule(home, runs, WATCH, [APPEND], NOW + timedelta(hours=1))
    made = replace(made, tasks=[WATCH, clock], marked=refused)
    assert (made.begin_what_is_due(), made.begin_what_is_due()) == (1, 0)
    assert [each.ending for each in heard] == ["failed", "done"]
    assert heard[0].why == "mail.imap: the server refused the password"
    home.deliver("meanwhile")
    later, began = schedule(home, runs, WATCH, [APPEND], NOW + timedelta(hours=2))
    assert (later.begin_what_is_due(), [each.ending for each in began]) == (1, ["done"])


@pytest.mark.parametrize(("before", "now"), [("b", "a"), ("a", "b")])
def test_a_mail_of_the_same_moment_counts_whatever_its_id(before: str, now: str) -> None:
    """A server's ids have no order."""
    at = NOW.isoformat()
    assert has_come({"": (at, before)}, {"": (at, now)})
    assert not has_come({"": (at, now)}, {"": (at, now)})


def test_a_flood_of_mail_begins_no_flood_of_runs(home: Home, runs: DatabaseRuns) -> None:
    """So often at most, whatever comes meanwhile."""
    home.file("todo.txt", "")
    watching(home, runs, APPEND)[0].begin_what_is_due()
    home.deliver("again")
    soon, _ = schedule(home, runs, WATCH, [], NOW + timedelta(minutes=19))
    assert soon.begin_what_is_due() == 0


def test_whoever_sends_a_mail_decides_that_a_watch_begins_and_so_steers_what_it_sends(
    home: Home, runs: DatabaseRuns
) -> None:
    """A fixed text to a friend is sent unasked at the user's word; where a mail began the run, that it is sent tells that one came."""
    home.verified("hi", sender=JULIA)
    asked = home.assistant([TELL]).ask("Do it", approver=Person())
    assert statuses(asked) == [("send_email", "done")]
    sent = len(home.outbox())
    made, heard = watching(home, runs, TELL)
    made.begin_what_is_due()
    assert [each.ending for each in heard] == ["waiting"]
    result = home.assistant([], runs=runs).resume(heard[0].run, approver=Person([False]))
    assert ("steer-not-readable" in rules(result), len(home.outbox())) == (True, sent)


def test_the_planner_of_a_watch_reads_what_that_of_a_request_does(home: Home, runs: DatabaseRuns) -> None:
    """Nothing of the mail that began it, not even that there was one."""
    home.file("todo.txt", "")
    home.assistant([APPEND], runs=runs).ask(WATCH.request, approver=Person())
    before = home.told()
    made, _ = watching(home, runs, APPEND)
    made.begin_what_is_due()
    assert home.told() == before != ""


def test_a_failure_before_the_run_waits_for_the_next_time(home: Home, runs: DatabaseRuns) -> None:
    """A model that is not there is not asked again every two seconds."""
    Occasions(home.path / "schedule.sqlite").came("t", NOW - timedelta(hours=2), {}, begins=False)
    made, heard = schedule(home, runs, Task("t", "Do it", every=timedelta(hours=1)), [])
    assert (made.begin_what_is_due(), [each.ending for each in heard]) == (1, ["failed"])
    assert made.begin_what_is_due() == 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('request = "x"', 'schedule.t.at must be given, such as "07:30"; or instead of it every, such as "2h", or on_mail = true'),
        ('request = "x"\nat = "7:30"', 'schedule.t.at must be a time of the day in quotes, as hours from 00 to 23 and minutes, such as "07:30"'),
        ('request = "x"\nat = 07:30:00', 'schedule.t.at must be a time of the day in quotes, as hours from 00 to 23 and minutes, such as "07:30"'),
        ('request = "x"\nat = "07:30"\non_mail = true', 'schedule.t.at must be given, such as "07:30"; or instead of it every, such as "2h", or on_mail = true'),
        ('at = "07:30"', "schedule.t.request must be given: what you want, in your own words"),
        ('request = "x"\nat = "07:30"\ndays = ["monday"]', "schedule.t.days must be a list of mon, tue, wed, thu, fri, sat, sun"),
        ('request = "x"\nwhen = "now"', "schedule.t.at must be given"),
    ],
)  # fmt: skip
def test_a_wrong_task_is_refused(tmp_path: Path, lines: str, message: str) -> None:
    """A task that is misunderstood would begin at another time, or never."""
    file = tmp_path / "config.toml"
    file.write_text(f"[schedule.t]\n{lines}\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(file)
    assert str(caught.value).startswith(f"{file}: {message}")


def test_a_command_is_told_that_there_is_something_and_not_what(tmp_path: Path) -> None:
    """The task's name and the run's."""
    line = tmp_path / "line"
    Notify((sys.executable, "-c", f"import sys; open({str(line)!r}, 'w').write(sys.argv[1])")).tell("morning", "r1")
    assert line.read_text() == "morning: there is something to look at; armslength show r1"


def test_a_command_that_fails_is_one_line() -> None:
    """What it printed is not repeated."""
    with pytest.raises(OperatorError, match=r"^notify: the command could not be run \(FileNotFoundError\)$"):
        Notify(("no-such-program",)).tell("morning", "r1")


def test_a_web_hook_gets_the_same_and_no_redirect_is_followed() -> None:
    """It learns when runs end; of what was read nothing goes there, and nowhere else."""
    got: list[tuple[str, str]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that the library calls
            got.append((self.path, self.rfile.read(int(self.headers["content-length"])).decode()))
            self.send_response(307 if self.path == "/away" else 204)
            if self.path == "/away":
                self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        Notify(webhook=f"{url}/hook").tell("morning", "r1")
        with pytest.raises(OperatorError, match=r"^notify: 127\.0\.0\.1 answered 307$"):
            Notify(webhook=f"{url}/away").tell("morning", "r1")
        server.shutdown()
    assert [(path, json.loads(text)) for path, text in got] == [
        ("/hook", {"task": "morning", "run": "r1"}),
        ("/away", {"task": "morning", "run": "r1"}),
    ]


def test_a_web_hook_that_is_not_there_is_one_line() -> None:
    """Its host is named, its path and token are not."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(
        OperatorError, match=r"^notify: 127\.0\.0\.1: cannot be reached \(ConnectionRefusedError\); try again later$"
    ):
        Notify(webhook=f"http://127.0.0.1:{port}/secret").tell("morning", "r1")


@pytest.mark.parametrize(
    "url", ["http://hooks.example/x", "https://me:secret@hooks.example/x", "ftp://hooks.example", "x"]
)
def test_a_web_hook_elsewhere_is_https(tmp_path: Path, url: str) -> None:
    """Its host is the user's own choice; who is on the way is not."""
    file = tmp_path / "config.toml"
    file.write_text(f'[notify]\nwebhook = "{url}"\n')
    with pytest.raises(ConfigError, match=r"notify\.webhook must be a URL"):
        load_settings(file)
