"""docs/policy.md: its rules load, its settings and cases are understood, and no shipped rule, fact or word of a reason is left out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tests.policy.making import own

from armslength.agent.runs.trust import trust_of
from armslength.app import load_settings, tools_of
from armslength.app.policies import default_rules, rules_of, vocabulary_of
from armslength.app.wiring import policy_without_models
from armslength.errors import ConfigError
from armslength.policy.cases import read_cases
from armslength.policy.engine import Policy
from armslength.policy.rules import PLACEHOLDERS
from armslength.policy.schema import OF_A_CALL, OF_A_LABEL, OF_THE_USER

PAGE = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")


def block(language: str, number: int) -> str:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[number]


def test_every_rule_has_its_row_in_order() -> None:
    """With the verdict that it has."""
    rows = re.findall(r"^\| `([a-z-]+)` \| (allow|ask|deny) \|", PAGE, re.MULTILINE)
    assert rows == list(dict.fromkeys((rule.name, rule.verdict) for rule in default_rules().listed))


def test_all_that_a_rule_can_see_is_named() -> None:
    """In code font, in one of the tables; and what stands for something in a reason."""
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    named = {word for code in re.findall(r"`([^`]+)`", prose) for word in re.findall(r"\w+", code)}
    assert {*OF_A_CALL, *OF_A_LABEL, *OF_THE_USER, *PLACEHOLDERS} - named == set()


def test_its_examples_work_together(tmp_path: Path) -> None:
    """Settings, rules and the case, in one configuration; the error is the one that is shown."""
    for name in ("Mail/cur", "Mail/new", "Mail/tmp", "Notes", "Calendar"):
        (tmp_path / name).mkdir(parents=True)
    places = '[user]\naddresses = ["ada@example.com"]\n[mail]\npath = "Mail"\n[files]\npath = "Notes"\n[calendar]\npath = "Calendar"\n[models.planner]\nprovider = "openai"\n'
    file = tmp_path / "config.toml"
    file.write_text(f'state = "state"\n{block("toml", 0)}\n{block("toml", 1)}\n{places}')
    (tmp_path / "policy.cedar").write_text(block("cedar", 0))
    settings = load_settings(file)
    rules = rules_of(settings, tools_of(settings))
    assert [rule.name for rule in rules.listed[-2:]] == ["work-stays-at-work", "foreign-subject"]
    (case,) = read_cases(
        tomllib.loads(block("toml", 2)), "x", vocabulary_of(settings, tools_of(settings)), trust_of(settings.trusted)
    )
    decision = Policy(rules, policy_without_models(settings, is_strict=False)).decide(case.action)
    assert case.misses(decision) == ""
    (tmp_path / "policy.cedar").write_text(block("cedar", 0).replace('"work") }\nunless', '"wrok") }\nunless'))
    with pytest.raises(ConfigError) as caught:
        rules_of(settings, tools_of(settings))
    assert f"armslength: {caught.value}".replace(f"{tmp_path}/", "") == block("text", 0).strip()


def test_the_words_of_a_reason_are_put_in() -> None:
    """Each of those that the page lists."""
    from tests.policy.making import act

    from armslength.labels import PRIVATE, Source, label, steering
    from armslength.policy.engine import Argument, PolicySettings

    reason = " ".join(f"{name}={{{name}}}" for name in sorted(PLACEHOLDERS))
    words = label([Source("mail:kim@b.example")], readers=PRIVATE)
    rules = own(
        f'@id("own") @deny("{reason}")\nforbid (principal, action, resource) unless {{ context.argument.trusted }};'
    )
    action = act(
        Argument("body", "content", words),
        control=steering(label([Source("web:a")]), 9),
        receivers=("eve@c.example",),
        tool="send",
        changes="outbox",
    )
    assert Policy(rules, PolicySettings()).decide(action).reasons[0].text == (
        "argument=body deciders=web:a receivers=eve@c.example sources=mail:kim@b.example store=outbox strangers=eve@c.example tool=send"
    )
