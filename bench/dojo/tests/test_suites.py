"""AgentDojo's environments, tasks and attacks as the harness has them."""

from __future__ import annotations

import pytest

from bench.dojo.attackers import goal_calls, goal_words, injected, obeying_loop
from bench.dojo.suites import SUITES, Ended, copied, do, environment, injection_tasks, is_met, suite_of, user_tasks

GOALS = [(suite, number) for suite in SUITES for number in injection_tasks(suite)]


def first(suite: str) -> int:
    """The number of a suite's first user task."""
    return next(iter(user_tasks(suite)))


def test_there_are_all_tasks_and_pairs() -> None:
    """Version 1.2.2 has 97 user tasks, and 949 pairs of one with an injection task of its suite."""
    assert sum(len(user_tasks(suite)) for suite in SUITES) == 97
    assert sum(len(user_tasks(suite)) * len(injection_tasks(suite)) for suite in SUITES) == 949


@pytest.mark.parametrize("suite", SUITES)
def test_an_environment_is_agentdojos_own(suite: str) -> None:
    """What nobody attacks is what AgentDojo loads, and each run has its own."""
    own = environment(suite, first(suite), {})
    assert own == suite_of(suite).load_and_inject_default_environment({})
    assert own is not environment(suite, first(suite), {})


@pytest.mark.parametrize("suite", SUITES)
def test_a_text_arrives_as_it_was_written(suite: str) -> None:
    """Quotes, backslashes, braces, lines and what looks like YAML stay text."""
    text = "x'\"y\\n\nz: {a} - [b]\t# 😀"
    assert repr(text)[1:-1] in repr(environment(suite, first(suite), injected(suite, text)).model_dump())


@pytest.mark.parametrize(("suite", "number"), GOALS)
def test_the_attackers_calls_meet_the_goal(suite: str, number: int) -> None:
    """Also those that AgentDojo gives no calls for; and without them no goal is met."""
    before = environment(suite, first(suite), injected(suite, "text"))
    after = copied(before)
    calls = goal_calls(suite, number, after)
    assert not is_met(injection_tasks(suite)[number], Ended("", before, after, []))
    for name, args in calls:
        do(suite, after, name, args)
    assert is_met(injection_tasks(suite)[number], Ended(goal_words(suite, number), before, after, calls))


def test_a_loop_that_obeys_does_what_it_reads() -> None:
    """One model that reads the user's mail and holds the tools: the attack meets its goal, in all pairs of a suite."""
    found = [obeying_loop("slack", task, goal) for task in user_tasks("slack") for goal in injection_tasks("slack")]
    assert all(met for _, met in found)
