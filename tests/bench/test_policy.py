"""The bench of the policy: it measures what it says."""

from __future__ import annotations

import cedarpy
from bench.speed.policy import BOUND, CALLS, bare, measured

from armslength.app.policies import default_rules
from armslength.policy.engine import Policy, PolicySettings


def test_the_calls_are_what_their_names_say() -> None:
    """Each verdict, and which of them are held to the bound."""
    policy = Policy(default_rules(), PolicySettings())
    assert {name: policy.decide(action).verdict for name, action in CALLS.items()} == {
        "a change, two arguments": "allow",
        "a mail, three arguments": "ask",
        "words of others, four arguments": "ask",
        "to a hundred receivers": "ask",
    }
    assert all(len(CALLS[name].arguments) <= 4 for name in BOUND)


def test_the_bare_answer_is_an_answer() -> None:
    """What everything is compared with allows."""
    answered = bare()()
    assert isinstance(answered, cedarpy.AuthzResult)
    assert answered.allowed


def test_a_row_is_measured() -> None:
    """All of its numbers are times."""
    row = measured("a change, two arguments", 1)
    assert min(row.microseconds, row.bare, row.first, row.with_a_hundred) > 0
    assert row.ratio == row.microseconds / row.bare
