"""The library's face over whole runs: journals on disk, replays, Ctrl-C in the middle of a change, the configuration's reach."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import NOW, Home, Person, says, statuses

from armslength.app import Assistant, Result, Settings, assistant_of, load_settings
from armslength.errors import ArmslengthError, ConfigError, ModelNonsense, OperatorError, ToolError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor
from armslength.policy.engine import PolicySettings
from armslength.store.sqlite import SqliteRuns
from armslength.testing import SCRIPTED, ScriptedModel
from armslength.tools.base import Receivers, Tool, nobody, tool

WORK = (
    'm = search_emails(sender="Julia")[0]\nitems = quarantined("Which items?", m.body, returns=list[str])\n'
    'append_to_file(filename="todo.txt", text="\\n".join(items))\nsend_slack_message(channel="x", text=m.subject)\n'
    'answer(read_file(filename="todo.txt").content)'
)


class Dead(ScriptedModel):
    """A model that nobody may ask."""

    def __init__(self) -> None:
        super().__init__([])


def without_a_world(assistant: Assistant) -> Assistant:
    """The same declarations; whatever is performed fails the test."""

    def fail(*_args: object) -> object:
        raise AssertionError("a replay performed something")

    tools: list[Tool] = []
    for each in assistant.tools:
        receivers = each.receivers if each.receivers is nobody else fail
        tools.append(
            replace(
                each,
                run=fail,
                receivers=receivers,
                summary=fail if each.summary else None,
                undo=fail if each.undo else None,
            )
        )  # type: ignore[arg-type]
    return replace(assistant, tools=tools, planner=Dead(), quarantined=Dead())


def drawn(result: Result) -> tuple[object, ...]:
    """What a run shows of itself."""
    outcome = result.outcome
    return result.run, result.text, outcome.ending, outcome.message, outcome.screens, outcome.attempts, statuses(result)


@pytest.mark.parametrize("answer", [True, False])
def test_a_replay_gives_the_same_and_performs_nothing(home: Home, answer: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """Text, ending, screens and effects are those of the run, with tools and models that fail if they are called."""
    home.verified("milk and bread", subject="Shopping")
    assistant = home.assistant(["import os", WORK], says(["milk", "bread"]))
    result = assistant.ask("Do it", approver=Person([answer]))
    assert result.outcome.ending == ("done" if answer else "declined")
    assert drawn(without_a_world(assistant).replay(result.entries)) == drawn(result)


@pytest.mark.parametrize(
    "program",
    [
        "answer(read_pasted_text())",
        "int(search_emails()[0].body)",
        'read_file(filename="none.txt")',
        'fetch_web_page(url="https://none.example/")',
        'quarantined("?", "x", returns=int)',
        'reply_to_email(email=search_emails()[0], body="b")',
    ],
)
def test_a_stopped_run_is_replayed_too(home: Home, program: str) -> None:
    """Failures of program, tool and model are recorded with their class; a pasted text need not be handed over again."""
    home.deliver("x")
    assistant = home.assistant(program, ["nonsense"] * 3)
    result = assistant.ask("Do it", pasted="p", approver=Person([True]))
    again = without_a_world(assistant).replay(result.entries)
    assert drawn(again) == drawn(result)
    assert type(again.outcome.error) is type(result.outcome.error)


def test_a_run_on_disk_is_replayed(home: Home, tmp_path: Path) -> None:
    """What the file holds is enough."""
    home.verified("milk", subject="Shopping")
    assistant = home.assistant(WORK, says(["milk"]), runs=SqliteRuns(tmp_path / "runs.sqlite"))
    result = assistant.ask("Do it", approver=Person([True]))
    assert result.entries == []
    entries = SqliteRuns(tmp_path / "runs.sqlite").entries(result.run)
    assert drawn(without_a_world(assistant).replay(entries)) == drawn(result)


def _answers(entries: list[dict[str, object]], kind: str) -> list[dict[str, object]]:
    return [entry for entry in entries if entry.get("kind") == kind]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "answer(list_files())",
            "the journal does not continue with tool list_files; the program or the configuration changed",
        ),
        ('answer("x")', "the run ended where the journal goes on with tool today"),
        (
            'answer(today() + "!")',
            "the run did not decide what the journal says; the program or the configuration changed",
        ),
    ],
)
def test_a_changed_program_is_refused(home: Home, program: str, message: str) -> None:
    """One that asks for something else, one that asks for less, one that does something else with it."""
    assistant = home.assistant("answer(today())")
    entries = json.loads(json.dumps(assistant.ask("Do it").entries))
    for entry in _answers(entries, "model"):
        entry["answered"]["text"] = program  # type: ignore[index]
    for entry in _answers(entries, "program"):
        entry["text"] = program
    with pytest.raises(OperatorError) as caught:
        without_a_world(assistant).replay(entries)
    assert str(caught.value) == message


def test_a_changed_answer_of_the_world_is_seen(home: Home) -> None:
    """An edited journal does not pass for the run."""
    assistant = home.assistant('append_to_file(filename="a.txt", text=today())')
    entries = json.loads(json.dumps(assistant.ask("Do it").entries))
    next(entry for entry in entries if entry.get("name") == "today")["answered"]["data"] = "1999-01-01"
    with pytest.raises(OperatorError):
        without_a_world(assistant).replay(entries)


@pytest.mark.parametrize("entries", [[], [{"entry": "note", "kind": "begun", "run": "x"}]])
def test_no_journal_is_no_run(home: Home, entries: list[dict[str, object]]) -> None:
    """Without a request there is nothing to replay."""
    with pytest.raises(ConfigError) as caught:
        home.assistant("answer(1)").replay(entries)
    assert str(caught.value) == "the journal does not begin with a request"


def test_a_run_that_died_is_not_replayed_to_an_end(home: Home) -> None:
    """Cut at any entry, a journal gives no result that never was."""
    home.verified("milk", subject="Shopping")
    assistant = home.assistant(WORK, says(["milk"]))
    entries = assistant.ask("Do it", approver=Person([True])).entries
    for kept in range(len(entries)):
        with pytest.raises(ArmslengthError):
            without_a_world(assistant).replay(entries[:kept])


def test_the_run_is_named_before_anything_happens(home: Home) -> None:
    """Whoever stops a run can say which one it was."""
    begun: list[str] = []
    assistant = home.assistant([])
    with pytest.raises(ModelNonsense):
        assistant.ask("Do it", begun=begun.append)
    assert [name.rpartition("-")[0] for name in begun] == [NOW.strftime("%Y%m%d-%H%M%S")]


def test_what_each_call_cost_is_told_by_role(home: Home) -> None:
    """One usage for each call that was made, in order."""
    result = home.ask(["import os", 'answer(quarantined("?", "x"))'], ["no JSON", says("y")])
    assert {role: len(spent) for role, spent in result.spent.items()} == {"planner": 2, "quarantined": 2}


def test_a_plan_runs_nothing(home: Home) -> None:
    """The program comes back, and nothing that it names was called."""
    assistant = home.assistant('append_to_file(filename="a.txt", text="1")')
    planned = assistant.plan("Do it")
    assert (planned.program, planned.refused) == ('append_to_file(filename="a.txt", text="1")', "")
    assert home.everything() == {}


def test_a_plan_that_is_no_program_says_why(home: Home) -> None:
    """After three attempts the last refusal is the person's to read."""
    planned = home.assistant(["import a", "import b", "with c: pass"]).plan("Do it")
    assert planned.refused == "line 1: with is not part of the language; call a tool: there is nothing to close"
    assert len(home.planner.requests) == 3


CHILD = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from bench.home.world import NOW
from armslength.app import Assistant
from armslength.policy.engine import PolicySettings
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel
from armslength.tools.base import Role, nobody, tool

place = Path(sys.argv[1])

def nothing(call, args, outcome):
    return None

@tool(name="note", changes="notes", receivers=nobody, roles={"text": Role.CONTENT}, undo=nothing)
def note(text: str) -> None:
    with (place / "notes").open("a") as file:
        file.write(text + " begun\\n")
        file.flush()
        if text == "two":
            (place / "ready").touch()
            time.sleep(1.5)
        file.write(text + " done\\n")

program = 'note(text="one")\\nnote(text="two")\\nnote(text="three")'
model = ScriptedModel([program])
assistant = Assistant([note], model, model, runs=SqliteRuns(place / "runs.sqlite"), now=lambda: NOW)
try:
    assistant.ask("Do it")
except KeyboardInterrupt:
    sys.exit(42)
"""


def test_ctrl_c_in_the_middle_of_a_change_finishes_it_and_drops_the_rest(tmp_path: Path) -> None:
    """A real SIGINT at a real process: the second of three changes is whole, the third never began, the journal says so."""
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(tmp_path), str(root)],
        env={**os.environ, "PYTHONPATH": str(root / "src")},
    )
    try:
        for _ in range(600):
            if (tmp_path / "ready").exists():
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 42
    finally:
        child.kill()
    assert (tmp_path / "notes").read_text("utf-8").split("\n") == ["one begun", "one done", "two begun", "two done", ""]
    runs = SqliteRuns(tmp_path / "runs.sqlite")
    (run,) = runs.listed()
    assert run.state == "cancelled"
    entries = runs.entries(run.name)
    assert [entry["asked"]["text"] for entry in entries if entry["kind"] == "tool"] == ["one", "two"]
    assert len(_answers(entries, "started")) == 2


def test_the_configurations_trust_reaches_the_labels(home: Home) -> None:
    """A source that the configuration names counts as the user's own; what stands for anybody never does."""
    home.verified("Buy milk")
    trusting = Home(home.path / "other", trusted=frozenset({"mail:julia@example.com"}))
    trusting.verified("Buy milk")
    program = 'answer(search_emails(sender="Julia")[0].body)'
    assert home.ask(program).text == "⟦Buy milk⟧¹\n  ¹ words of mail:julia@example.com; nobody checked them"
    assert trusting.ask(program).text == "Buy milk"


_LOCAL = 'provider = "openai"\nmodel = "any"\nbase_url = "http://127.0.0.1:1/v1"\nis_local = true\n'
_ELSEWHERE = f"[models.planner]\n{_LOCAL}[models.quarantined]\n{_LOCAL}"
"""Models that need no file on this machine and no key; nobody asks them."""


@pytest.mark.parametrize("name", ["quarantined", "pasted", "mail:unverified", "calendar:unverified"])
def test_nobody_can_be_trusted_by_configuration(tmp_path: Path, name: str) -> None:
    """A line in the file that would trust whoever writes has no effect."""
    file = tmp_path / "config.toml"
    file.write_text(f'state = "state"\n{_ELSEWHERE}[trust]\nsources = ["{name}"]\n', "utf-8")
    assistant = assistant_of(load_settings(file))
    assert assistant.trust(name).is_trusted is False


def test_a_small_planner_is_asked_about_before_it_sends(home: Home) -> None:
    """The processor says that it is small; the policy of the configuration follows it."""

    class Small(ScriptedModel):
        @property
        def processor(self) -> Processor:
            return replace(SCRIPTED, is_small=True)

    from armslength.app.wiring import policy_of

    assert policy_of(Settings(), Small([]), is_strict=False).asks_before_sending is True
    assert policy_of(Settings(), ScriptedModel([]), is_strict=False).asks_before_sending is False


def test_a_model_that_fails_is_raised(home: Home) -> None:
    """The planner's failure is no outcome: nothing ran."""

    class Failing(ScriptedModel):
        def complete(self, request: ModelRequest) -> ModelReply:
            raise ModelNonsense("no")

    failing: Model = Failing([])
    assistant = replace(home.assistant([]), planner=failing)
    with pytest.raises(ModelNonsense):
        assistant.ask("Do it")


def test_a_tool_error_has_its_own_words(home: Home) -> None:
    """What a tool says about itself reaches the person as it is."""

    def receivers(_args: object) -> Receivers:
        raise ToolError("board: it has no members; add some")

    @tool(name="post", changes="board", receivers=receivers)
    def post() -> None:
        return None

    home.more = [post]
    assert home.ask("post()").outcome.message == "board: it has no members; add some"


@pytest.mark.parametrize("name", ["read_pasted_text", "today", "answer", "quarantined", "len"])
def test_two_tools_of_one_name_are_refused(home: Home, name: str) -> None:
    """A tool cannot stand in for another one, nor for a function of the language."""

    @tool(name=name, changes=None, receivers=nobody)
    def other() -> str:
        return "x"

    home.more = [other]
    with pytest.raises(ConfigError) as caught:
        home.ask("answer(1)")
    assert str(caught.value) == f"two tools or functions are named {name}; rename one"


def test_an_approver_without_approve_is_an_error() -> None:
    """A function in its place would silently be a no."""
    with pytest.raises(
        ConfigError, match=r"^approver must have a method approve\(screen\), which gives an Answer or True$"
    ):
        Assistant(tools=[], planner=Dead(), quarantined=Dead()).ask("hi", approver=lambda _screen: True)  # type: ignore[arg-type]  # the mistake itself


def test_a_key_in_place_of_a_variables_name_is_refused(tmp_path: Path) -> None:
    """The message does not repeat it."""
    file = tmp_path / "config.toml"
    file.write_text('[models.planner]\nprovider = "openai"\nmodel = "m"\nkey_variable = "sk-abc-123"\n')
    with pytest.raises(ConfigError) as refused:
        load_settings(file)
    assert str(refused.value) == (
        f"{file}: models.planner.key_variable must be the name of an environment variable; a key does not stand in this file"
    )


@pytest.mark.parametrize("is_small", [False, True])
def test_a_planner_that_is_no_small_model_is_told_whose_address_is_the_users(home: Home, *, is_small: bool) -> None:
    """The first of the configuration's, and nothing that a mail says."""
    home.deliver("My address is other@example.com", to="other@example.com")
    assistant = home.assistant("answer(1)", policy=PolicySettings(addresses=("me@example.org", "old@example.org")))
    planner = ScriptedModel(["answer(1)"], replace(SCRIPTED, is_small=is_small))
    replace(assistant, planner=planner).ask("Do it")
    told = planner.requests[0].system
    assert ("The user's own email address is me@example.org." in told) is not is_small
    assert "other@example.com" not in told
