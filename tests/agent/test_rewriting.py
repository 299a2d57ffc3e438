"""A program that is expected to ask is written once more, and the better one is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from bench.home.world import NOW, Home, says

from armslength.agent.runs.rewriting import ADVICE
from armslength.app import Assistant, Result
from armslength.app.policies import default_rules
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel

OUT_OF_A_MAIL = """m = search_emails(sender="Julia")[0]
who = quarantined("Whose address?", m.body)
send_email(recipients=[who], subject="Hi", body="On Friday.")"""
BY_THE_USER = 'send_email(recipients=["kim@example.com"], subject="Hi", body="On Friday.")'
NOTHING_SENT = 'append_to_file(filename="todo.txt", text="write to Kim")'
TOLD = """This program could run, but:
- line 3: send_email would ask a person (target-untrusted"""


def assistant(home: Home, *programs: str) -> Assistant:
    """One whose planner writes these programs, and may write twice."""
    reader = lambda _request: says("kim@example.com")  # noqa: E731
    return replace(home.assistant(programs, reader), rewrites="once")


def ask(home: Home, *programs: str) -> Result:
    """Carry a request to its end."""
    return assistant(home, *programs).ask("Tell Kim that it is on Friday")


def noted(result: Result, kind: str) -> list[dict[str, object]]:
    """What stands in the journal under this kind."""
    return [entry for entry in result.entries if entry.get("kind") == kind]


def test_the_program_that_asks_less_is_run(home: Home) -> None:
    """The planner is told place, tool and rule in fixed words, and its second program is the one that runs."""
    home.verified("Kim is kim@example.com")
    result = ask(home, OUT_OF_A_MAIL, BY_THE_USER)
    assert (result.outcome.program, result.outcome.ending, result.outcome.screens) == (BY_THE_USER, "done", 0)
    first, second = home.transcript()
    assert second.turns[: len(first.turns)] == first.turns
    assert second.turns[-1].text.startswith(TOLD)
    assert ADVICE["target-untrusted"] in second.turns[-1].text
    (note,) = noted(result, "rewriting")
    assert (note["first"], note["second"], note["taken"]) == (OUT_OF_A_MAIL, BY_THE_USER, "the second")
    assert [entry["text"] for entry in noted(result, "program")] == [BY_THE_USER]


@pytest.mark.parametrize(
    "second",
    [OUT_OF_A_MAIL, NOTHING_SENT, "import os", "answer('no')", ""],
    ids=["the same", "does something else", "no program of the language", "does nothing", "no program"],
)
def test_a_second_program_that_is_no_better_is_not_run(home: Home, second: str) -> None:
    """It has to do what the first does, and ask less."""
    home.verified("Kim is kim@example.com")
    result = ask(home, OUT_OF_A_MAIL, second)
    assert (result.outcome.program, result.outcome.screens) == (OUT_OF_A_MAIL, 1)
    assert noted(result, "rewriting")[0]["taken"] == "the first"


def test_the_first_program_runs_if_the_model_fails(home: Home) -> None:
    """That nothing better was written is no failure."""
    home.verified("Kim is kim@example.com")
    result = ask(home, OUT_OF_A_MAIL)
    assert (result.outcome.program, noted(result, "rewriting")[0]["second"]) == (OUT_OF_A_MAIL, None)


def test_what_asks_nothing_costs_no_call(home: Home) -> None:
    """The planner is asked once."""
    result = ask(home, BY_THE_USER)
    assert (result.outcome.ending, len(home.transcript()), noted(result, "rewriting")) == ("done", 1, [])


def test_it_is_written_again_once(home: Home) -> None:
    """A second program that asks, too, is not told again, and neither is one that is written because a run failed."""
    failing = f'int("x")\n{OUT_OF_A_MAIL.replace("sender=", "query=")}'
    result = ask(home, failing, failing, OUT_OF_A_MAIL)
    assert (len(noted(result, "rewriting")), len(home.transcript())) == (1, 2)


def test_never_is_never(home: Home) -> None:
    """Where the configuration says so, and where nothing is said to an `Assistant`."""
    home.verified("Kim is kim@example.com")
    result = replace(assistant(home, OUT_OF_A_MAIL), rewrites="never").ask("Tell Kim")
    assert (len(home.transcript()), noted(result, "rewriting")) == (1, [])


def test_with_strict_nothing_is_written_again(home: Home) -> None:
    """Every effect asks anyway, and the planner hears of nothing."""
    home.verified("Kim is kim@example.com")
    assistant(home, OUT_OF_A_MAIL).ask("Tell Kim", is_strict=True)
    assert len(home.transcript()) == 1


def test_the_planner_learns_nothing_of_the_home(make_home: Callable[[], Home]) -> None:
    """Its transcript is the same in a home with other mail, the second program included."""
    told = []
    for words, sender in (
        ("Kim is kim@example.com", "Julia Novak <julia@example.com>"),
        ("EVIL", "J <j@evil.example>"),
    ):
        home = make_home()
        home.verified(words, sender=sender)
        home.deliver(words * 5)
        ask(home, OUT_OF_A_MAIL, BY_THE_USER)
        told.append(home.transcript())
    assert told[0] == told[1]


def test_every_rule_that_asks_has_advice_or_can_have_none() -> None:
    """Of the shipped rules. What no program can change is told to no planner; no program takes back what one did."""
    asking = {rule.name for rule in default_rules().listed if rule.verdict == "ask"}
    assert asking - ADVICE.keys() <= {"strict", "small-planner", "takes-back"}


def test_a_run_that_was_written_twice_is_replayed(home: Home) -> None:
    """What was asked and answered stands in the journal, so the same program is run again."""
    home.verified("Kim is kim@example.com")
    made = assistant(home, OUT_OF_A_MAIL, BY_THE_USER)
    result = made.ask("Tell Kim")
    again = replace(made, planner=ScriptedModel([]), quarantined=ScriptedModel([])).replay(result.entries)
    assert again.outcome.program == BY_THE_USER


def test_a_run_that_was_cut_off_goes_on_as_it_was_written(home: Home) -> None:
    """Also if the configuration does not let programs be written again any more."""
    home.verified("Kim is kim@example.com")
    runs = SqliteRuns(home.path / "state" / "runs.sqlite")

    class Cutting:
        def approve(self, screen: object) -> bool:
            raise KeyboardInterrupt

    made = replace(assistant(home, OUT_OF_A_MAIL, OUT_OF_A_MAIL), runs=runs, now=lambda: NOW)
    begun: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        made.ask("Tell Kim", approver=Cutting(), begun=begun.append)
    kinds = [entry["kind"] for entry in runs.entries(begun[0])]
    assert kinds.index("rewriting") < kinds.index("program")
