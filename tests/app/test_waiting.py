"""Runs that wait for a person: nothing is held and nothing settled meanwhile; answered, they are gone on with by whoever is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import NOW, Home, Person, statuses
from bench.server import Server

from armslength.agent.approving.approval import Screen
from armslength.app import beginning
from armslength.app.assistant import Assistant
from armslength.app.talk import Talk
from armslength.app.waiting import NobodyNow
from armslength.app.working import Worked, Worker
from armslength.errors import CannotResume, ConfigError, ModelUnreachable, OperatorError, Waits
from armslength.models.base import ModelRequest
from armslength.store.keeping import DatabaseRuns
from armslength.store.postgres import PostgresRuns
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel

SEND = 'send_email(recipients=["kim@example.com"], subject="Hi", body=read_pasted_text())\nanswer("sent")'
APPEND = 'append_to_file(filename="todo.txt", text="milk")\nanswer("noted")'


@pytest.fixture(params=["sqlite", "postgresql"])
def runs(request: pytest.FixtureRequest, tmp_path: Path) -> DatabaseRuns:
    """Where runs are kept."""
    if request.param == "sqlite":
        return SqliteRuns(tmp_path / "state" / "runs.sqlite")
    server: Server = request.getfixturevalue("postgresql")
    return PostgresRuns(server.database(), tmp_path / "state")


def waiting(home: Home, runs: DatabaseRuns, program: str = SEND) -> str:
    """A run that waits; its name."""
    with pytest.raises(Waits) as caught:
        home.assistant(program, runs=runs).ask("Do it", pasted="pasted words", approver=NobodyNow(), is_strict=True)
    return caught.value.run


def handles() -> int:
    """Open files and connections of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def states(runs: DatabaseRuns) -> list[str]:
    """Of all runs."""
    return [run.state for run in runs.listed()]


def worked(assistant: Assistant) -> list[Worked]:
    """What a worker hears of in one round."""
    heard = list[Worked]()
    Worker(assistant, heard.append).once()
    return heard


def test_a_run_that_waits_holds_and_settles_nothing(home: Home, runs: DatabaseRuns) -> None:
    """No lease, no thread, no file; no answer is in its journal, nothing was done; it says since when, and how to go on."""
    waiting(home, runs)
    before = handles(), threading.active_count()
    run = waiting(home, runs)
    assert (handles(), threading.active_count()) == before
    assert states(runs) == ["waiting", "waiting"]
    assert all(each.since for each in runs.listed())
    kinds = [entry["kind"] for entry in runs.entries(run)]
    assert {"approval", "started", "end", "cancelled", "failed"} & set(kinds) == set()
    assert (home.outbox(), runs.verify()) == ([], [])
    runs.take(run).close()
    assert (
        str(Waits(run))
        == f"the run {run} waits for you; armslength resume {run} shows its question at a terminal, with --page in a browser"
    )


def test_it_goes_on_when_somebody_is_there(home: Home, runs: DatabaseRuns) -> None:
    """After any number of times that nobody was; the same question, and the end is that of a run that never waited."""
    run = waiting(home, runs)
    for _ in range(2):
        with pytest.raises(Waits):
            home.assistant([], runs=runs).resume(run, approver=NobodyNow())
        assert states(runs) == ["waiting"]
    person = Person([True])
    result = home.assistant([], runs=runs).resume(run, approver=person)
    assert (result.text, statuses(result), len(person.screens)) == ("sent", [("send_email", "done")], 1)
    assert (len(home.outbox()), states(runs), runs.verify()) == (1, ["done"], [])


def test_no_program_catches_it(home: Home, runs: DatabaseRuns) -> None:
    """A question in the middle, within a try that takes whatever it can."""
    program = (
        'append_to_file(filename="todo.txt", text="one")\n'
        'try:\n    answer(read_file(filename="todo.txt").content)\nexcept Exception:\n    answer("caught")'
    )
    run = waiting(home, runs, program)
    result = home.assistant([], runs=runs).resume(run, approver=Person([True]))
    assert result.text.startswith("one")


def test_what_could_not_go_on_later_takes_it_for_a_no(home: Home, runs: DatabaseRuns, tmp_path: Path) -> None:
    """Journals in memory, requests of a conversation, the taking back of a run."""
    result = home.assistant(SEND).ask("Do it", pasted="x", approver=NobodyNow(), is_strict=True)
    assert result.outcome.ending == "declined"
    talk = Talk(home.assistant(SEND, runs=runs), tmp_path / "conversations", 8, is_strict=True)
    assert talk.ask("Do it", pasted="x", approver=NobodyNow()).outcome.ending == "declined"
    done = home.assistant(APPEND, runs=runs).ask("Do it", approver=Person([True]))
    undone = home.assistant([], runs=runs).undo(done.run, approver=NobodyNow())
    assert (undone.count, "waiting" in states(runs)) == (0, False)


def test_an_answer_is_carried_out_by_a_worker(home: Home, runs: DatabaseRuns) -> None:
    """Whoever answers does nothing of it; whoever does it asks nobody."""
    run, refused = waiting(home, runs), waiting(home, runs)
    person = Person([True, False])
    for each in (run, refused):
        assert home.assistant([], runs=runs).answer(each, approver=person) is None
    assert (states(runs), home.outbox()) == (["answered", "answered"], [])
    heard = worked(home.assistant([], runs=runs))
    assert [(each.run, each.ending) for each in heard] == [(run, "done"), (refused, "declined")]
    assert (len(home.outbox()), len(person.screens), states(runs)) == (1, 2, ["done", "failed"])
    assert worked(home.assistant([], runs=runs)) == []
    assert runs.verify() == []


def test_only_what_waits_is_answered(home: Home, runs: DatabaseRuns) -> None:
    """Neither what has ended nor what is not there; and who cannot answer leaves it waiting."""
    run = waiting(home, runs)
    with pytest.raises(Waits):
        home.assistant([], runs=runs).answer(run, approver=NobodyNow())
    home.assistant([], runs=runs).resume(run, approver=Person([True]))
    for name, said in (
        (run, f"the run {run} waits for no answer; armslength runs lists those that do"),
        ("x", "there is no run x; armslength runs lists them"),
    ):
        with pytest.raises(OperatorError) as caught:
            home.assistant([], runs=runs).answer(name, approver=Person([True]))
        assert str(caught.value) == said


def test_what_changed_since_the_answer_is_refused(home: Home, runs: DatabaseRuns) -> None:
    """The yes was for a file as it was shown."""
    home.file("todo.txt", "- old\n")
    run = waiting(home, runs, 'write_file(filename="todo.txt", text="new")')
    home.assistant([], runs=runs).answer(run, approver=Person([True]))
    home.file("todo.txt", "- something else\n")
    (heard,) = worked(home.assistant([], runs=runs))
    assert (heard.run, heard.ending) == (run, "denied")
    assert home.everything()["files/todo.txt"] == b"- something else\n"


def test_what_changed_before_the_answer_is_shown(home: Home, runs: DatabaseRuns) -> None:
    """The screen after a week is drawn from how things are then."""
    home.file("todo.txt", "- old\n")
    run = waiting(home, runs, 'write_file(filename="todo.txt", text="new")')
    home.file("todo.txt", "- something else\n")
    person = Person([True])
    home.assistant([], runs=runs).resume(run, approver=person)
    assert "something else" in person.screens[0].text
    assert home.everything()["files/todo.txt"] == b"new"


def test_another_version_goes_on_with_it(home: Home, runs: DatabaseRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal says which one began it, and which one went on."""
    with monkeypatch.context() as patched:
        patched.setattr(beginning, "version", lambda: "0.0.1")
        run = waiting(home, runs)
    assert home.assistant([], runs=runs).resume(run, approver=Person([True])).outcome.ending == "done"
    versions = [entry["version"] for entry in runs.entries(run) if entry["kind"] in {"begun", "resumed"}]
    assert versions[0] == "0.0.1"
    assert "0.0.1" not in versions[1:]


def test_another_format_is_not_guessed(home: Home, runs: DatabaseRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays as it is, for the version that knows it."""
    with monkeypatch.context() as patched:
        patched.setattr(beginning, "FORMAT", 99)
        patched.setattr(beginning, "version", lambda: "9.9")
        run = waiting(home, runs)
    before = runs.entries(run)
    with pytest.raises(CannotResume) as caught:
        home.assistant([], runs=runs).resume(run, approver=Person([True]))
    assert str(caught.value) == (
        f"{run} was begun by armslength 9.9, whose journals this version does not go on with; use that one, or cancel it and ask again"
    )
    assert (runs.entries(run), states(runs), home.outbox()) == (before, ["waiting"], [])


def test_twenty_wait_and_one_worker_carries_them_out(home: Home, runs: DatabaseRuns) -> None:
    """In their order, each once."""
    names = [waiting(home, runs) for _ in range(20)]
    for name in names:
        home.assistant([], runs=runs).answer(name, approver=Person([True]))
    heard = worked(home.assistant([], runs=runs))
    assert heard == [Worked(name, "done") for name in names]
    assert (len(home.outbox()), set(states(runs)), runs.verify()) == (20, {"done"}, [])


class Died(BaseException):
    """The process ends here."""


def dying(home: Home, runs: DatabaseRuns, stop: Callable[[ModelRequest], str]) -> Assistant:
    """An assistant whose reader stops the process."""
    return replace(home.assistant('answer(quarantined("?", "x"))', runs=runs), quarantined=ScriptedModel(stop))


def cut_off(home: Home, runs: DatabaseRuns) -> str:
    """A run whose process died while the quarantined model was asked."""

    def die(request: ModelRequest) -> str:
        raise Died

    with pytest.raises(Died):
        dying(home, runs, die).ask("Do it")
    return runs.names()[-1]


def test_a_worker_comes_to_a_question_and_leaves_it(home: Home, runs: DatabaseRuns) -> None:
    """The run waits for a person; the worker goes on with the next one."""

    class Dying:
        def approve(self, screen: Screen) -> bool:
            raise Died

    with pytest.raises(Died):
        home.assistant(SEND, runs=runs).ask("Do it", pasted="x", approver=Dying(), is_strict=True)
    opened = runs.take(runs.names()[-1])
    opened.note("resumed", {"void": 0})  # and another process was killed before it came to the question again
    opened.close()
    run, other = runs.names()[-1], cut_off(home, runs)
    heard = worked(home.assistant([], '{"answer": "y"}', runs=runs))
    assert heard == [Worked(run, "waiting"), Worked(other, "done")]
    assert states(runs) == ["waiting", "done"]


def test_what_a_worker_cannot_go_on_with_is_said_once(home: Home, runs: DatabaseRuns) -> None:
    """It is left to a person, and the others are done."""
    opened = runs.begin(NOW)
    opened.note("begun", {"run": opened.run, "in_conversation": True})
    opened.close()
    other = cut_off(home, runs)
    heard = list[Worked]()
    worker = Worker(home.assistant([], '{"answer": "y"}', runs=runs), heard.append)
    assert [worker.once(), worker.once()] == [2, 0]
    assert [(each.run, each.ending) for each in heard] == [(opened.run, "cannot go on"), (other, "done")]
    assert heard[0].why.startswith(f"{opened.run} is a part of a conversation")


def test_a_run_that_fails_does_not_end_its_worker(home: Home, runs: DatabaseRuns) -> None:
    """Its planner's model is gone; it has failed, and is not tried again."""

    class Dying:
        def approve(self, screen: Screen) -> bool:
            raise Died

    def gone(request: ModelRequest) -> str:
        raise ModelUnreachable("the model is not there")

    def die(request: ModelRequest) -> str:
        raise Died

    with pytest.raises(Died):
        replace(home.assistant([], runs=runs), planner=ScriptedModel(die)).ask("Do it")
    heard = worked(replace(home.assistant([], runs=runs), planner=ScriptedModel(gone)))
    assert heard == [Worked(runs.names()[0], "failed", "the model is not there")]
    assert states(runs) == ["failed"]


def test_whoever_ends_a_worker_cancels_nobodys_run(home: Home, runs: DatabaseRuns) -> None:
    """Ctrl-C in the middle of a run leaves it cut off, for the next worker."""
    run = cut_off(home, runs)

    def interrupt(request: ModelRequest) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worked(dying(home, runs, interrupt))
    assert states(runs) == ["cut off"]
    assert worked(home.assistant([], '{"answer": "y"}', runs=runs)) == [Worked(run, "done")]


def test_a_worker_that_is_stopped_begins_nothing(home: Home, runs: DatabaseRuns) -> None:
    """The run under way comes to its end, the next one stays."""
    first, _second = cut_off(home, runs), cut_off(home, runs)
    heard = list[Worked]()
    worker = Worker(home.assistant([], '{"answer": "y"}', runs=runs), heard.append)

    def told(one: Worked) -> None:
        heard.append(one)
        worker.stopped.set()

    worker.told = told
    worker.until_stopped(0.01)
    assert heard == [Worked(first, "done")]
    assert states(runs) == ["done", "cut off"]


def test_a_worker_needs_kept_journals(home: Home) -> None:
    """What is in memory is gone with its process."""
    with pytest.raises(ConfigError) as caught:
        worked(home.assistant([]))
    assert str(caught.value) == "the journals of this assistant are kept in memory, so there is nothing to go on with"
