"""Runs on disk through the library's face: gone on with, refused where they departed, taken back, and what an old journal is worth."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from bench.home.world import NOW, Home, Person, says, statuses
from tests.app.keeping import APPEND, Died, again, carried_out, dying_before

from armslength.agent.approving.approval import Screen
from armslength.app import Result
from armslength.app.kept import Kept
from armslength.app.settings import Settings
from armslength.errors import CannotResume, ConfigError, ModelNonsense, OperatorError, ToolError
from armslength.language import Limits
from armslength.store.journal import asked_anew, of_the_run
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel
from armslength.tools.base import Role, ToolCall, nobody, tool

SEND = 'send_email(recipients=["kim@example.com"], subject="Hi", body=read_pasted_text())\nanswer("sent")'


class Dying:
    """Whoever is asked when the process dies."""

    def approve(self, screen: Screen) -> bool:
        raise Died


@pytest.fixture
def runs(tmp_path: Path) -> SqliteRuns:
    """Where runs are kept."""
    return SqliteRuns(tmp_path / "state" / "runs.sqlite")


def cut_off(home: Home, program: str, runs: SqliteRuns, *, pasted: str | None = None) -> str:
    """A run whose process dies while a person is asked; its name."""
    with pytest.raises(Died):
        home.assistant(program, runs=runs).ask("Do it", pasted=pasted, approver=Dying(), is_strict=True)
    return runs.names()[-1]


def test_a_waiting_run_asks_again_and_comes_to_its_end(home: Home, runs: SqliteRuns) -> None:
    """The same screen; the pasted text, the strictness and the program are those of the beginning."""
    run = cut_off(home, SEND, runs, pasted="pasted words")
    assert [each.state for each in runs.listed()] == ["waiting"]
    person = Person([True])
    result = again(home, runs).resume(run, approver=person)
    assert (result.run, result.text, statuses(result)) == (run, "sent", [("send_email", "done")])
    assert len(person.screens) == 1
    assert "pasted words" in home.outbox()[0]
    assert [each.state for each in runs.listed()] == ["done"]
    assert runs.verify() == []


def test_a_no_after_going_on_is_a_no(home: Home, runs: SqliteRuns) -> None:
    """Nobody there is a no, too."""
    run = cut_off(home, SEND, runs, pasted="x")
    result = again(home, runs).resume(run)
    assert (result.outcome.ending, home.outbox()) == ("declined", [])


def test_what_has_ended_is_not_gone_on_with(home: Home, runs: SqliteRuns) -> None:
    """Nothing of it happens twice."""
    result = home.assistant(APPEND, runs=runs).ask("Do it")
    with pytest.raises(OperatorError) as caught:
        again(home, runs).resume(result.run)
    assert str(caught.value) == f"the run {result.run} has ended already (done); armslength why {result.run} shows it"
    assert home.everything()["files/todo.txt"] == b"milk"


def test_a_run_that_went_on_is_replayed_as_one(home: Home, runs: SqliteRuns) -> None:
    """As if it had never been cut off."""
    run = cut_off(home, SEND, runs, pasted="x")
    result = again(home, runs).resume(run, approver=Person([True]))
    replayed = again(home, runs).replay(runs.entries(run))
    assert (replayed.text, statuses(replayed)) == (result.text, statuses(result))


def test_limits_are_those_of_the_beginning(home: Home, runs: SqliteRuns) -> None:
    """A count that would stop it today does not stop what began under another."""
    run = cut_off(home, SEND, runs, pasted="x")
    strict = replace(again(home, runs), limits=Limits(steps=1))
    assert strict.resume(run, approver=Person([True])).outcome.ending == "done"


@pytest.mark.parametrize("change", ["trust", "tool"])
def test_a_run_that_departs_is_refused_and_stays(home: Home, runs: SqliteRuns, change: str) -> None:
    """The configuration trusts somebody else, or a tool is another: one line, nothing done, nothing noted, and the old one still goes on."""
    home.verified("words", subject="S")
    program = (
        'm = search_emails(sender="Julia")[0]\nsend_email(recipients=["kim@example.com"], subject="Hi", body=m.body)'
    )
    run = cut_off(home, program, runs)
    before = of_the_run(runs.entries(run))
    before = before[: len(before) - asked_anew(before)]
    whole = again(home, runs)
    other = again(Home(home.path, trusted=frozenset({"mail:julia@example.com"})), runs)
    if change == "tool":
        other = replace(whole, tools=[replace(each, version="other") for each in whole.tools])
    with pytest.raises(CannotResume) as caught:
        other.resume(run, approver=Person([True]))
    assert str(caught.value).startswith("this run would go on otherwise than it began (with ")
    assert str(caught.value).endswith(f"; undo the change, or end the run: armslength cancel {run}")
    assert (of_the_run(runs.entries(run)), home.outbox()) == (before, [])
    assert ([each.state for each in runs.listed()], runs.verify()) == (["waiting"], [])
    assert whole.resume(run, approver=Person([True])).outcome.ending == "done"
    assert len(home.outbox()) == 1


def test_an_effect_that_cannot_be_told_waits_for_a_person(home: Home, runs: SqliteRuns) -> None:
    """The tool says nothing: the run stops, says so, and goes on with what the person found out."""
    done: list[str] = []

    @tool(name="post", changes="board", receivers=nobody, roles={"text": Role.CONTENT})
    def post(text: str) -> None:
        done.append(text)
        if len(done) == 1:
            raise Died

    run = dying_before(home, runs, post, 'post(text="a")\npost(text="b")')
    for _ in range(2):
        with pytest.raises(CannotResume) as caught:
            again(home, runs).resume(run)
        assert str(caught.value) == (
            "post was begun when the run was cut off, and whether it got done cannot be told; look for yourself, then resume "
            "with --it-happened or --it-did-not"
        )
    assert ([each.state for each in runs.listed()], done) == (["cut off"], ["a"])
    result = again(home, runs).resume(run, happened=True)
    assert (statuses(result), done) == ([("post", "done"), ("post", "done")], ["a", "b"])
    found = [entry for entry in runs.entries(run) if entry["kind"] == "found"]
    assert [(entry["happened"], entry["by_person"]) for entry in found] == [(True, True)]


def test_what_a_person_says_did_not_happen_is_done(home: Home, runs: SqliteRuns) -> None:
    """Once."""
    done: list[str] = []

    @tool(name="post", changes="board", receivers=nobody, roles={"text": Role.CONTENT})
    def post(text: str) -> None:
        if not done:
            done.append("tried")
            raise Died
        done.append(text)

    run = dying_before(home, runs, post, 'post(text="a")')
    assert statuses(again(home, runs).resume(run, happened=False)) == [("post", "done")]
    assert done == ["tried", "a"]


@pytest.mark.parametrize(("says_what", "expected"), [(True, ["a"]), (False, ["a", "a"])])
def test_the_tool_is_asked(home: Home, runs: SqliteRuns, says_what: bool, expected: list[str]) -> None:  # noqa: FBT001  # a parameter of the test
    """By the key of the effect, which is that of the first time."""
    done, keys = list[str](), list[str]()

    def happened(call: ToolCall, args: dict[str, object]) -> bool:
        keys.append(call.key)
        return says_what

    @tool(name="post", changes="board", receivers=nobody, roles={"text": Role.CONTENT}, happened=happened)
    def post(call: ToolCall, text: str) -> None:
        done.append(text)
        keys.append(call.key)
        if len(done) == 1:
            raise Died

    run = dying_before(home, runs, post, 'post(text="a")')
    assert statuses(again(home, runs).resume(run)) == [("post", "done")]
    assert (done, len(set(keys))) == (expected, 1)


@pytest.mark.parametrize("answer", [None, "yes", 1])
def test_only_a_clear_word_counts(home: Home, runs: SqliteRuns, answer: object) -> None:
    """Anything but True and False, and a tool that fails, cannot tell."""

    def happened(_call: ToolCall, _args: dict[str, object]) -> bool:
        if answer is None:
            raise ToolError("x")
        return answer  # type: ignore[return-value]  # the mistake itself

    @tool(name="post", changes="board", receivers=nobody, happened=happened)
    def post() -> None:
        raise Died

    run = dying_before(home, runs, post, "post()")
    with pytest.raises(CannotResume):
        again(home, runs).resume(run)


def test_a_result_that_is_lost_is_not_made_up(home: Home, runs: SqliteRuns) -> None:
    """The effect got done, and the program needs what it gave."""

    @tool(name="post", changes="board", receivers=nobody, happened=lambda _call, _args: True)
    def post() -> str:
        raise Died

    run = dying_before(home, runs, post, "answer(post())")
    with pytest.raises(CannotResume) as caught:
        again(home, runs).resume(run)
    assert str(caught.value) == (
        "post got done when the run was cut off, but what it gave is lost; cancel the run, and ask for the rest"
    )


def test_a_store_that_changed_while_the_run_waited_refuses_the_effect(home: Home, runs: SqliteRuns) -> None:
    """What was decided on is asked for again when it goes on: the name now means another file."""
    home.file("todo.md", "")
    run = cut_off(home, 'write_file(filename="todo", text="x")', runs)
    (home.path / "files" / "todo.md").rename(home.path / "files" / "todo.org")
    result = again(home, runs).resume(run, approver=Person([True]))
    assert result.outcome.ending == "denied"
    assert "since something changed meanwhile" in result.outcome.message
    assert home.everything()["files/todo.org"] == b""


def test_a_failed_model_ends_the_run(home: Home, runs: SqliteRuns) -> None:
    """It is no run that was cut off."""
    with pytest.raises(ModelNonsense):
        home.assistant([], runs=runs).ask("Do it")
    assert [(each.state, each.ending) for each in runs.listed()] == [("failed", "stopped")]


def test_journals_in_memory_are_not_gone_on_with(home: Home) -> None:
    """One line."""
    with pytest.raises(ConfigError) as caught:
        home.assistant([]).resume("x")
    assert str(caught.value) == "the journals of this assistant are kept in memory; give it runs=SqliteRuns(path)"


# Journals of an earlier version


def old_entries(result: Result, runs: SqliteRuns) -> list[dict[str, object]]:
    """The journal of a run as the version before would have written it."""
    entries = json.loads(json.dumps(runs.entries(result.run)))
    for entry in entries:
        match entry["kind"]:
            case "begun":
                for name in ("format", "version", "limits", "request"):
                    del entry[name]
            case "decision":
                del entry["digest"]
                for name in ("version", "summary", "labels", "described"):
                    del entry["effect"][name]
    return list(entries)


def test_an_old_journal_is_replayed_and_listed(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """It lies beside the database, and says too little of its effects to take them back."""
    result = carried_out(home, runs, f"answer(today())\n{APPEND}")
    entries = old_entries(result, runs)
    replayed = again(home, runs).replay(entries)
    assert (replayed.text, statuses(replayed)) == (result.text, statuses(result))
    old = tmp_path / "state" / "runs" / "20200101-000000-1.jsonl"
    old.parent.mkdir()
    old.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    kept = Kept(Settings(state=tmp_path / "state"))
    assert kept.names() == [old.stem, result.run]
    assert [(each.name, each.state) for each in kept.listed()] == [(old.stem, "done"), (result.run, "done")]
    assert kept.entries(old.stem) == entries
    with pytest.raises(OperatorError) as caught:
        kept.verify(old.stem)
    assert str(caught.value) == (
        f"the run {old.stem} was written by an earlier version, which left nothing to verify it by"
    )
    assert kept.purge(NOW + timedelta(days=9000)) == [old.stem, result.run]
    assert kept.names() == []


def test_a_run_that_is_not_there(tmp_path: Path) -> None:
    """One line."""
    with pytest.raises(OperatorError) as caught:
        Kept(Settings(state=tmp_path)).entries("x")
    assert str(caught.value) == "there is no run x; armslength runs lists them"


def test_a_cancelled_run_has_ended(home: Home, runs: SqliteRuns, tmp_path: Path) -> None:
    """It is not gone on with, and not cancelled twice."""
    run = cut_off(home, SEND, runs, pasted="x")
    kept = Kept(Settings(state=tmp_path / "state"))
    kept.cancel(run)
    assert [each.state for each in kept.listed()] == ["cancelled"]
    for use in (lambda: kept.cancel(run), lambda: again(home, runs).resume(run)):
        with pytest.raises(OperatorError) as caught:
            use()
        assert str(caught.value) == f"the run {run} has ended already (cancelled); armslength why {run} shows it"
    assert home.outbox() == []


def test_a_run_of_a_conversation_is_not_gone_on_with(home: Home, runs: SqliteRuns) -> None:
    """Its names are elsewhere."""
    opened = runs.begin(NOW)
    opened.note("begun", {"run": opened.run, "is_strict": False, "format": 2, "request": "x", "in_conversation": True})
    opened.close()
    with pytest.raises(CannotResume, match=f"^{opened.run} is a part of a conversation"):
        again(home, runs).resume(opened.run)


def test_nothing_is_known_of_a_run_that_wrote_nothing(home: Home, runs: SqliteRuns) -> None:
    """It can only be asked again."""
    opened = runs.begin(NOW)
    opened.close()
    with pytest.raises(CannotResume) as caught:
        again(home, runs).resume(opened.run)
    assert str(caught.value) == (
        f"{opened.run} was cut off before anything of it was written down; ask again, and cancel it"
    )


def test_a_model_that_is_asked_in_the_middle_is_asked_once(home: Home, runs: SqliteRuns) -> None:
    """What the journal has is not asked for again, what it lacks is."""
    died = ScriptedModel(lambda _request: (_ for _ in ()).throw(Died))
    assistant = replace(home.assistant('answer(quarantined("?", "x"))', runs=runs), quarantined=died)
    with pytest.raises(Died):
        assistant.ask("Do it")
    run = runs.names()[-1]
    other = home.assistant([], says("y"), runs=runs)
    assert other.resume(run).text == "⟦y⟧¹\n  ¹ words of quarantined; nobody checked them"
    assert (len(home.planner.requests), len(home.quarantined.requests)) == (0, 1)
