"""The campaign of random policies: it holds, it meets what it is to meet, and it notices a decision that becomes wider."""

from __future__ import annotations

from typing import Any

import pytest
from tests.policy.campaign import STRICTER, Tally

from armslength.app.policies import default_text
from armslength.policy import engine
from armslength.policy.action import Decision, Reason
from armslength.policy.engine import Policy
from armslength.policy.rules import read_rules

POLICIES, FEW = 80, 15


def tallied(policies: int) -> Tally:
    tally = Tally()
    for number in range(policies):
        tally.check(number)
    return tally


def test_no_rule_more_widens_a_random_policy() -> None:
    """Each way of becoming stricter comes about, every shipped rule that asks or denies speaks, and few rules are refused as they are read."""
    tally = tallied(POLICIES)
    assert tally.wider == []
    assert tally.changes.keys() >= STRICTER
    shipped = {rule.name for rule in read_rules(default_text(), "d", is_default=True)}
    assert shipped | {"own", "policy-error"} <= tally.spoke.keys() | {"nothing-objects"}
    assert tally.refused < POLICIES


def test_a_question_that_comes_before_a_denial_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With it, a rule more that asks would let a person allow what was denied."""

    def objected(policy: Policy, action: Any, spoken: list[Any]) -> Decision:
        verdicts = [each.rule.verdict for each in spoken]
        return Decision("ask" if "ask" in verdicts else "deny", ())

    monkeypatch.setattr(engine.Policy, "_objected", objected)
    assert any("deny -> ask" in each for each in tallied(FEW).wider)


def test_a_reason_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is told of each rule that spoke, whatever was added."""

    def reasons(policy: Policy, action: Any, spoken: Any) -> tuple[Reason, ...]:
        return tuple(Reason(each.rule.name, "") for each in list(spoken)[-1:])

    monkeypatch.setattr(engine.Policy, "_reasons", reasons)
    assert any("no word of" in each for each in tallied(FEW).wider)
