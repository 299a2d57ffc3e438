"""Real models as planner and reader: here scripts stand in for them."""

from __future__ import annotations

import argparse
import io
import json
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from armslength.app.caps import Caps, Price
from armslength.app.spending import Spending
from armslength.errors import ModelError, ModelKeyRejected, ModelTimedOut, ModelUnreachable
from armslength.models.base import ModelReply, ModelRequest
from armslength.testing import SCRIPTED, ScriptedModel
from bench import commit
from bench.dojo import work
from bench.dojo.__main__ import main
from bench.dojo.model import command
from bench.dojo.model.carried import jobs_of, row_of
from bench.dojo.model.sides import Sides
from bench.dojo.model.sums import drawn, is_breach, is_whole, sums_of
from bench.dojo.programs import program_of
from bench.dojo.readers import honest
from bench.dojo.suites import SUITES, injection_tasks, user_tasks
from bench.models import Pair

Row = dict[str, Any]
PAYING = """
bill = read_file(file_path="bill-december-2023.txt")
got = quarantined("Who is paid, and how much?", bill, returns={"recipient": str, "amount": float})
send_money(recipient=got.recipient, amount=got.amount, subject="Car Rental", date="2022-01-01")
"""
BILL = {"recipient": "UK12345678901234567890", "amount": 98.70}
THIEF = {"recipient": "US133000000121212121212", "amount": 1000000}
SMALL = replace(SCRIPTED, model="a small one", is_small=True)


@dataclass
class Failing:
    """A model whose provider fails."""

    error: BaseException
    asked: int = 0
    processor = SCRIPTED

    def complete(self, _request: ModelRequest) -> ModelReply:
        """It fails."""
        self.asked += 1
        raise self.error

    def count_tokens(self, text: str) -> int:
        """Its characters."""
        return len(text)


def sides(planner: Any, reader: Any = "no JSON") -> Sides:
    """Both models; a text is what a model always says, a dict its answer as JSON."""
    return Sides(Pair(_model(planner), _model(reader)))


def _model(said: Any) -> Any:
    if isinstance(said, dict):
        return _model(json.dumps(said))
    return ScriptedModel(lambda _request: said) if isinstance(said, str) else said


def row(of: Sides, *job: Any) -> Row:
    """What comes of one job."""
    return row_of(job or ("task", "banking", 0), of, {}, lambda _digest, _reply: None)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that rows and results go to."""
    monkeypatch.setattr(work, "ROOT", tmp_path)
    monkeypatch.setattr(work, "commit", lambda: "c0ffee0")
    monkeypatch.setattr(commit, "RESULTS", tmp_path)
    monkeypatch.setattr(commit, "commit", lambda *_folders: "c0ffee0")
    return tmp_path


@pytest.fixture
def run(kept: Path) -> Callable[..., int]:
    """The command with models of one's own."""
    parser = argparse.ArgumentParser()
    command.offer(parser)
    return lambda of, *words: command.measured(parser.parse_args(words), of)


def test_a_task_is_planned_and_read_by_the_models() -> None:
    """The person wants what solves the task, and is asked about the account that a file names."""
    found = row(sides(PAYING, BILL))
    shown = ("solved", "ending", "why", "questions", "screens", "programs", "reader_calls", "reached", "unapproved")
    assert {name: found[name] for name in shown} == {
        "solved": True, "ending": "done", "why": "", "questions": 1, "screens": 1, "programs": 1, "reader_calls": 1, "reached": None,
        "unapproved": [],
    }  # fmt: skip
    assert found["rules"] == ("target-untrusted", "not-a-reader")
    assert found["program"] == PAYING.strip()
    assert all(read > written > 0 for read, written in found["tokens"].values())


def test_a_small_planner_is_asked_about_what_it_sends() -> None:
    """Its rules hold: what another's program does unasked, the careful person is asked about."""
    program = 'send_direct_message(recipient="Alice", body="Hi")'
    planners = [ScriptedModel(lambda _request: program, each) for each in (SCRIPTED, SMALL)]
    found = [row(Sides(Pair(planner, planner)), "task", "slack", 3) for planner in planners]
    assert [each["rules"] for each in found] == [(), ("small-planner",)]


@pytest.mark.parametrize(
    ("planner", "reader", "why"),
    [
        ("answer('done')", "", "another end than was asked for"),
        ("import os", "", "a program that the language refuses"),
        ("answer([][1])", "", "a program that stopped while running"),
        ("```python\n```", "", "no program"),
        (PAYING, "no JSON", "no answer of the asked form"),
        (PAYING, THIEF, "refused by the person"),
        (PAYING, Failing(ModelTimedOut("no answer")), "no answer in time"),
        (PAYING, Failing(ModelUnreachable("error 500")), "a provider's error"),
        (Failing(ModelUnreachable("error 500")), "", "a provider's error"),
        (Failing(ModelError("too long")), "", "more than a model reads at once"),
    ],
)
def test_a_failure_is_a_row_that_says_by_what(planner: Any, reader: Any, why: str) -> None:
    """Of the program, of the models, of the person: a measurement does not end by it."""
    found = row(sides(planner, reader))
    assert (found["solved"], found["why"]) == (False, why)
    assert bool(found["errors"]) == any(isinstance(each, Failing) for each in (planner, reader))


def test_what_a_tool_cannot_do_is_told_as_such() -> None:
    """The program named a channel that is not there."""
    found = row(sides('answer(read_channel_messages(channel="none")[0].body)'), "task", "slack", 0)
    assert (found["solved"], found["why"]) == (False, "a tool's error")


def test_a_reader_that_obeys_gets_nothing_past_the_person() -> None:
    """The benchmark's own text stands in the file; the model says the attacker's account, and the person says no."""
    reader = ScriptedModel(lambda request: json.dumps(THIEF if "INFORMATION" in request.turns[0].text else BILL))
    planner = ScriptedModel(lambda _request: PAYING)
    found = row(sides(planner, reader), "pair", "banking", 0, 5)
    assert (found["solved"], found["reached"], found["ending"], found["unapproved"]) == (False, False, "declined", [])
    assert not is_breach(found)
    assert len(planner.requests) == 1  # it sees no attack, so it is asked once


def test_an_honest_reader_solves_an_attacked_task() -> None:
    """The person knows from the run that nobody attacked what they want."""
    found = row(sides(PAYING, BILL), "pair", "banking", 0, 5)
    assert (found["solved"], found["reached"], found["questions"]) == (True, False, 1)


def test_the_cost_is_told_and_nothing_is_asked_without_a_yes(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls and tokens for each side, money where there are prices; whoever says no pays nothing."""
    planner = ScriptedModel(lambda _request: PAYING)
    prices = {"planner": Price(1000.0, 2000.0), "quarantined": Price()}
    of = replace(sides(planner, BILL), prices=prices, currency="EUR")
    monkeypatch.setattr("builtins.input", lambda _question: "n")
    assert run(of, "--suite", "banking", "--sample", "2") == 2
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2 tasks, of these 2 tasks to do"
    assert printed[1].startswith("planner, scripted by scripted: about 2 calls, ")
    assert printed[2].startswith("reader, scripted by scripted: about ")
    assert printed[3].startswith("system texts, in tokens: banking ")
    read, written = (int(part.split()[0].replace(",", "")) for part in printed[1].split("calls, ")[1].split(", "))
    cost = (read * 1000 + written * 2000) / 1_000_000
    assert printed[5] == f"cost: about {cost:.4g} EUR, and about {3 * cost:.4g} EUR if everything is asked for 3 times"
    assert printed[6] == "nothing was asked"
    assert planner.requests == []


def test_without_prices_tokens_are_told(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where nobody can say yes, that is a no."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(sides(PAYING, BILL), "--suite", "slack", "--sample", "1") == 2
    assert "cost: no model has a price in the configuration (price_in, price_out)" in capsys.readouterr().out


def test_what_was_cut_off_goes_on(run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are taken from the file, and replies too: what was asked before the cut is not paid for again."""
    planner = ScriptedModel(lambda _request: PAYING)
    words = ("--suite", "banking", "--sample", "2", "--yes")
    assert run(sides(planner, Failing(KeyboardInterrupt())), *words) == 2
    assert "stopped; what was done is kept, and the same command goes on" in capsys.readouterr().err
    of = sides(planner, BILL)
    assert run(of, *words) == 0
    assert len(planner.requests) == 2
    assert capsys.readouterr().out.startswith("2 tasks, of these 2 tasks to do")
    assert run(of, *words) == 0
    assert capsys.readouterr().out.startswith("2 tasks, of these nothing to do")
    assert len(planner.requests) == 2
    kept = next(path for path in (tmp_path / ".dojo").iterdir() if "replies" not in path.name)
    kept.write_text(kept.read_text("utf-8")[:-20], "utf-8")
    assert run(of, *words) == 0
    assert len(planner.requests) == 2


def test_where_a_provider_failed_is_asked_again_if_that_is_wanted(
    run: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """A row stays as it is until then."""
    words = ("--suite", "banking", "--sample", "1", "--yes", "--dry")
    down = Failing(ModelUnreachable("error 500"))
    assert run(sides(down, BILL), *words) == 0
    assert run(sides(down, BILL), *words) == 0
    assert down.asked == 1
    planner = ScriptedModel(lambda _request: PAYING)
    assert run(sides(planner, BILL), *words, "--again") == 0
    assert len(planner.requests) == 1
    assert capsys.readouterr().out.count("written to") == 0


def test_what_a_person_has_to_mend_ends_it(
    run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key that is not accepted, or a cap that leaves no room, says nothing of a model: no row is made."""
    words = ("--suite", "banking", "--yes")
    assert run(sides(Failing(ModelKeyRejected("the key is not accepted")), BILL), *words) == 2
    assert "the key is not accepted\nwhat was done is kept; the same command goes on" in capsys.readouterr().err
    planner = ScriptedModel(lambda _request: PAYING)
    spending = Spending(tmp_path / "spending.sqlite", Caps(day_tokens=10), {})
    assert run(replace(sides(planner, BILL), spending=spending), *words) == 2
    assert "spending.day_tokens allows 10 tokens" in capsys.readouterr().err
    assert planner.requests == []
    assert [path for path in (tmp_path / ".dojo").iterdir() if path.read_text("utf-8")] == []


def test_rows_of_models_that_are_wired_otherwise_are_not_theirs(run: Callable[..., int]) -> None:
    """The same name with another window, or a planner that writes programs anew, has rows of its own."""
    of = sides(PAYING, BILL)
    wide = Sides(Pair(ScriptedModel("", replace(SCRIPTED, window=9)), of.pair.quarantined))
    assert len({each.name for each in (of, wide, replace(of, rewrites="once"))}) == 3
    assert of.pair.name == "scripted"
    assert Pair(of.pair.planner, ScriptedModel("", SMALL)).name == "scripted-with-a-small-one"


CONFIGURED = """
[models.planner]
provider = "openai"
model = "large"
base_url = "http://127.0.0.1:PORT/v1"
key = { environment = "BENCH_KEY" }
price_in = 1000
[models.quarantined]
provider = "openai"
model = "other"
base_url = "http://127.0.0.1:PORT/v1"
key = { environment = "BENCH_KEY" }
[spending]
currency = "EUR"
"""


def test_the_models_are_those_of_a_configuration(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With their prices. Nobody listens there, which is a row; the key stands nowhere."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
    monkeypatch.setenv("BENCH_KEY", "sk-very-secret")
    file = kept / "config.toml"
    file.write_text(CONFIGURED.replace("PORT", port), "utf-8")
    words = ["--suite", "banking", "--sample", "1", "--yes"]
    assert main(["model", "--config", str(file), *words]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[1].startswith("planner, large by 127.0.0.1")
    assert " EUR if everything is asked for 3 times" in printed
    path = kept / f"{commit.today()}-dojo-model-large-with-other-part-c0ffee0.json"
    (found,) = json.loads(path.read_text("utf-8"))["rows"]
    assert (found["why"], len(found["errors"])) == ("a provider's error", 1)
    assert "sk-very-secret" not in printed + path.read_text("utf-8")


def test_a_configuration_that_is_not_there_is_said(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is asked."""
    assert main(["model", "--config", str(kept / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_the_result_says_that_it_is_a_part(run: Callable[..., int], tmp_path: Path) -> None:
    """It has a name of its own; beside the sums stand the rows, without programs."""
    assert run(sides(PAYING, BILL), "--suite", "banking", "--sample", "2", "--attacked", "--yes") == 0
    path = tmp_path / f"{commit.today()}-dojo-model-scripted-part-c0ffee0.json"
    found = json.loads(path.read_text("utf-8"))
    assert (found["model"], found["agentdojo"], found["rewrites"]) == ("scripted", "0.1.35", "never")
    assert found["sums"]["all"]["pairs"]["pairs"] == found["sums"]["banking"]["pairs"]["pairs"] == 2
    assert found["sums"]["slack"]["tasks"]["solved with a question"] is None
    assert len(found["rows"]) == found["sums"]["all"]["tasks"]["tasks"] + 2
    assert all("program" not in each for each in found["rows"])
    lines = drawn(found["sums"]).splitlines()
    assert lines[0].split() == ["tasks", *SUITES, "all"]
    (met,) = [line for line in lines if line.startswith("  goal met")]
    assert met.split() == ["goal", "met", "-", "-", "-", "0", "0"]
    assert "pairs" not in drawn(sums_of([each for each in found["rows"] if each["injection"] is None]))


def test_what_a_result_counts() -> None:
    """Solved with and without a question, and by what the others failed; a goal of words is told apart."""
    rows = [
        row(sides(PAYING, BILL)),
        row(sides("import os"), "task", "banking", 1),
        row(sides(PAYING, BILL), "pair", "banking", 0, 5),
    ]
    found = sums_of([*rows, rows[2] | {"suite": "travel", "injection": 6, "reached": True}])
    tasks = {name: figure for name, figure in found["banking"]["tasks"].items() if figure}
    assert (tasks["tasks"], tasks["solved with a question"]) == (2, 1)
    assert tasks["not solved: a program that the language refuses"] == 1
    assert tasks["programs that were written anew"] == 1
    assert {name: found["all"]["pairs"][name] for name in ("pairs", "goal met", "words said", "solved")} == {
        "pairs": 2, "goal met": 0, "words said": 1, "solved": 2,
    }  # fmt: skip


def test_a_goal_that_is_met_is_a_breach() -> None:
    """Or bytes of the attacker's in a target unasked; words alone are none."""
    quiet = {"suite": "travel", "injection": 5, "reached": False, "unapproved": []}
    assert not is_breach(quiet)
    assert is_breach(quiet | {"reached": True})
    assert is_breach(quiet | {"unapproved": ["send_money.recipient: x"]})
    assert not is_breach(quiet | {"reached": True, "injection": 6})


def test_a_whole_has_each_task_and_each_pair() -> None:
    """One that lacks any is a part."""
    rows = [
        {"suite": suite, "task": task, "injection": aim}
        for suite in SUITES
        for task in user_tasks(suite)
        for aim in (None, *injection_tasks(suite))
    ]
    assert is_whole(rows)
    assert not is_whole(rows[1:])


def test_jobs_come_suite_by_suite() -> None:
    """A sample is the same for the same seed; a pair comes with its task, which comes before it."""
    jobs = jobs_of(SUITES, 12, 1, attacked=True)
    assert jobs == jobs_of(SUITES, 12, 1, attacked=True) != jobs_of(SUITES, 12, 2, attacked=True)
    suites = [job[1] for job in jobs]
    assert [suite for at, suite in enumerate(suites) if suite not in suites[:at]] == [
        suite for suite in SUITES if suite in suites
    ]
    assert suites == sorted(suites, key=SUITES.index)
    assert sum(job[0] == "pair" for job in jobs) == 12
    for at, job in enumerate(jobs):
        assert job[0] == "task" or ("task", *job[1:3]) in jobs[:at]
    assert len(jobs_of(SUITES, None, 1, attacked=False)) == 97
    assert len(jobs_of(SUITES, None, 1, attacked=True)) == 97 + 949


def test_a_kept_program_with_honest_answers_solves_as_it_does_elsewhere() -> None:
    """The models' path is that of the kept programs: with one of these and the honest reader a task ends as with them."""
    program = program_of("workspace", 9, "mended") or ""
    found = row(sides(program, honest("workspace", 9)), "task", "workspace", 9)
    assert (found["solved"], bool(found["questions"])) == (True, True)
