"""Laws of the engine: no rule widens what may happen, no part that is missing lets something through, and no answer is no."""

from __future__ import annotations

import json
from dataclasses import replace

import cedarpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.policy.making import (
    ACTIONS,
    POLICIES,
    STRICTNESS,
    VOCABULARY,
    act,
    content,
    own,
    part_of_default,
    rule,
    target,
)

from armslength.app.policies import default_rules, default_text
from armslength.labels import LITERAL, NOTHING, PRIVATE, REQUEST, Label, Readers, Source, label
from armslength.policy import engine
from armslength.policy.engine import Action, Argument, Decision, Group, Policy, PolicySettings, Rules
from armslength.policy.facts import ROLES, entities_of, request_of
from armslength.policy.rules import read_rules
from armslength.policy.schema import OF_A_CALL, OF_AN_ARGUMENT, OF_THE_USER

CONDITIONS = [
    "", "when { context.strict }", "unless { context.argument.chosen }", 'when { context.argument.role == Role::"target" }',
    "unless { context.argument.readers.containsAll(context.receivers) }", "when { context.control.bits > 2 }",
    'when { context.argument.sources.contains(Source::"mail:unverified") }', 'unless { context.only_groups.contains(Group::"family") }',
    'when { context.argument.groups.contains(Group::"work") }', 'when { context.receivers.contains(Receiver::"kim@b.example") }',
    "when { context.arguments has body && context.arguments.body.trusted }", "when { principal.addresses.containsAny(context.receivers) }",
    "when { context.argument.bits + 9223372036854775807 > 5 }",
]  # fmt: skip
ADDED = st.lists(st.tuples(st.sampled_from(CONDITIONS), st.sampled_from(["ask", "deny"])), min_size=1, max_size=4)
DECLARED = st.sampled_from([*ROLES, "undeclared"])
FACTS = st.tuples(st.booleans(), st.booleans(), st.sampled_from([0, 24, 1_000]))
SAID = st.builds(
    lambda said, family, work: replace(said, groups=(Group("family", family), Group("work", work)), addresses=("kim@b.example",)),
    POLICIES, st.sampled_from([(), ("kim@b.example",), ("*",)]), st.sampled_from([(), ("mail:*",), ("*@b.example",)]),
)  # fmt: skip


@given(ACTIONS, SAID, ADDED)
def test_a_rule_more_never_widens(action: Action, settings: PolicySettings, added: list[tuple[str, str]]) -> None:
    """Whatever rules a user writes, a decision is the same or stricter, and names every rule that spoke before if it is the same."""
    text = "".join(
        rule(rest, verdict=verdict).replace('@id("own")', f'@id("own{number}")')
        for number, (rest, verdict) in enumerate(added)
    )
    before, after = Policy(default_rules(), settings).decide(action), Policy(own(text), settings).decide(action)
    assert STRICTNESS[after.verdict] >= STRICTNESS[before.verdict]
    if after.verdict == before.verdict != "allow":
        spoke = {reason.rule for reason in after.reasons}
        assert "policy-error" in spoke or {reason.rule for reason in before.reasons} <= spoke


@given(ACTIONS, SAID, ADDED, st.data())
def test_a_role_that_nobody_declared_is_never_looser(
    action: Action, settings: PolicySettings, added: list[tuple[str, str]], drawn: st.DataObject
) -> None:
    """Whatever the call, its labels and the rules, and whichever role its other arguments have: declaring one only takes questions away."""
    is_known, is_alike, told = drawn.draw(FACTS)
    action = replace(action, are_known=is_known, is_alike=is_alike, told=told)
    arguments = tuple(replace(each, role=drawn.draw(DECLARED)) for each in action.arguments)  # type: ignore[arg-type]
    assume(arguments)
    place = drawn.draw(st.integers(0, len(arguments) - 1))
    text = "".join(
        rule(rest, verdict=verdict).replace('@id("own")', f'@id("own{number}")')
        for number, (rest, verdict) in enumerate(added)
    )
    policy = Policy(own(text) if drawn.draw(st.booleans()) else default_rules(), settings)

    def decided(role: str) -> Decision:
        judged = replace(arguments[place], role=role)  # type: ignore[arg-type]
        return policy.decide(replace(action, arguments=(*arguments[:place], judged, *arguments[place + 1 :])))

    undeclared = decided("undeclared")
    for role in ROLES:
        declared = decided(role)
        assert STRICTNESS[undeclared.verdict] >= STRICTNESS[declared.verdict]
        if undeclared.verdict == declared.verdict != "allow":
            spoke = {reason.rule for reason in undeclared.reasons}
            assert "policy-error" in spoke or {reason.rule for reason in declared.reasons} <= spoke


@given(ACTIONS, SAID, st.sets(st.integers(0, 20)))
def test_whatever_rule_is_missing_something_is_decided(
    action: Action, settings: PolicySettings, left_out: set[int]
) -> None:
    """A set with any part removed decides; without the permit everything is denied."""
    rules = part_of_default(*left_out)
    decision = Policy(rules, settings).decide(action)
    assert decision.verdict in STRICTNESS
    if not any(each.verdict == "allow" for each in rules.listed):
        assert decision.verdict != "allow"


def test_without_any_rule_nothing_is_allowed() -> None:
    """Nobody said that it may happen."""
    decision = Policy(Rules(()), PolicySettings()).decide(act(content(LITERAL)))
    assert (decision.verdict, [(each.rule, each.text) for each in decision.reasons]) == (
        "deny",
        [("nothing-permits", "no rule permits it")],
    )


@pytest.mark.parametrize("place", range(len(read_rules(default_text(), "d", is_default=True)) - 1))
def test_each_shipped_rule_is_needed(place: int) -> None:
    """Without it some call in the table of decisions comes out otherwise, unless another policy of its name says the same."""
    from tests.policy.test_engine import TABLE

    rules = part_of_default(place)
    name = default_rules().listed[place].name
    changed = [row for row in TABLE if name in row[4] and Policy(rules, row[2]).decide(row[1]).verdict != row[3]]
    assert changed


def test_a_rule_that_cannot_be_evaluated_denies() -> None:
    """Cedar passes over such a rule, which would let through what it is there to stop."""
    rules = own(rule("when { context.argument.bits + 9223372036854775807 > 5 }"))
    fine, wrong = (
        content(LITERAL),
        content(label([Source("store:mail", is_trusted=True)], choice=[Source("mail:*")], bits=3)),
    )
    assert Policy(rules, PolicySettings()).decide(act(target(LITERAL), wrong)).reasons == (
        engine.Reason("policy-error", "the rule own cannot be evaluated"),
    )
    assert Policy(rules, PolicySettings()).decide(act(target(LITERAL), wrong)).verdict == "deny"
    assert Policy(rules, PolicySettings()).decide(act(target(LITERAL), fine)).reasons[0].rule == "own"


@pytest.mark.parametrize(
    "answer",
    [{"decision": "NoDecision"}, {"decision": "Deny"}, {"decision": "Allow", "diagnostics": {"errors": ["x"]}}],
)
def test_only_allow_allows(answer: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """No decision, a denial without a reason and an answer with an error refuse."""
    monkeypatch.setattr(engine, "is_authorized", lambda *_: cedarpy.AuthzResult(answer))
    assert Policy(default_rules(), PolicySettings()).decide(act(content(LITERAL))).verdict == "deny"


def test_names_from_outside_are_names() -> None:
    """Quotation marks, line ends, half characters: they are compared as they are, and end no decision."""
    for name in ('a"b', "a\nb", "\\", "\x00", "\ud800", "é\u202e", '"}) };', "x" * 10_000):
        words = content(label([Source(name)], readers=Readers(frozenset({name}))))
        decision = Policy(default_rules(), PolicySettings()).decide(
            act(words, receivers=(name,), tool=name, changes=name)
        )
        assert [reason.rule for reason in decision.reasons] == ["content-untrusted"]


FULL = frozenset(OF_A_CALL) | frozenset(OF_AN_ARGUMENT) | {"arguments"}


@given(ACTIONS, SAID)
def test_what_a_rule_can_see_is_of_the_declared_type(action: Action, settings: PolicySettings) -> None:
    """The facts of any action, all of them, pass Cedar's own check against the schema that the rules were checked against."""
    arguments = tuple(
        replace(argument, name=name, role=argument.role if argument.role != "odd" else "content")
        for argument, name in zip(action.arguments, ("to", "body", "note"), strict=False)
    )
    rest = tuple(Argument(name, "content", NOTHING) for name in ("to", "body")[len(arguments) :])
    action = replace(action, tool="send", arguments=(*arguments, *rest), changes="outbox")
    request = request_of(action, settings, FULL)
    request["context"]["argument"] = request["context"]["arguments"]["to"]
    entities = json.dumps(entities_of("send", settings))
    allowing = cedarpy.PolicySet.from_str("permit(principal, action, resource);")
    answered = cedarpy.is_authorized(request, allowing, entities, VOCABULARY.schema)
    assert (answered.decision, answered.diagnostics.errors) == (cedarpy.Decision.Allow, [])


def test_every_fact_is_named_in_the_schema() -> None:
    """And the other way round: what can be named is in a request that names it."""
    context = request_of(act(target(REQUEST), tool="send"), PolicySettings(), FULL)["context"]
    assert set(context) == {*OF_A_CALL, "arguments"} - {"argument"}
    assert set(context["arguments"]["to"]) == set(OF_AN_ARGUMENT)
    assert set(OF_THE_USER) == {"name", "addresses"}


def test_data_for_a_model_is_decided_by_the_same_rules() -> None:
    """A provider elsewhere gets nothing that stays here, one on this machine gets it; rules about effects have no say in it."""
    policy = Policy(own(rule("")), PolicySettings(this_machine_only=("mail:*",), asks_always=True))
    mail: Label = label([Source("mail:kim@b.example")], readers=PRIVATE)
    assert policy.decide_showing(mail, "cloud", is_local=False).verdict == "deny"
    assert policy.decide_showing(mail, "here", is_local=True).verdict == "allow"
    assert policy.decide_showing(REQUEST, "cloud", is_local=False).verdict == "allow"


def test_a_rule_of_the_users_can_be_about_models() -> None:
    """It says so in its head; nobody can be asked there, so anything but allow keeps the data here."""
    head = 'principal, action == Action::"give to a model", resource'
    rules = own(
        rule('when { context.argument.sources.contains(Source::"pasted") && context.has_receivers }', head=head)
    )
    pasted = label([Source("pasted")], readers=PRIVATE)
    assert Policy(rules, PolicySettings()).decide_showing(pasted, "cloud", is_local=False).verdict == "ask"
    assert Policy(rules, PolicySettings()).decide(act(Argument("words", "content", pasted))).verdict == "allow"
