"""Rules that may object: the same as those that do where all is known, and no fewer where something is left open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.policy.making import READERS, SOURCES, act, content, own, rule, target

from armslength.labels import LITERAL, PROGRAM, Label, Source, label
from armslength.policy.engine import Action, Group, Policy, PolicySettings
from armslength.policy.foretelling import Open, may_object

OWN = own(
    rule("when { context.argument.trusted && context.argument.bits < 3 && !context.argument.public }")
    + rule('when { context.groups.contains(Group::"work") }').replace("own", "other")
    + rule('unless { context.arguments has body && context.arguments.body.sources.contains(Source::"mail:unverified") }',
           head='principal, action == Action::"send", resource').replace("own", "third")
)  # fmt: skip
POLICY = Policy(OWN, PolicySettings(groups=(Group("work", ("*@b.example",)),), this_machine_only=("web:*",)))
LABELS = st.builds(
    lambda data, choice, bits, readers, steer, intact: label(
        data, choice=choice, bits=bits, readers=readers, steer=steer, intact=intact
    ),
    SOURCES, SOURCES, st.integers(0, 9), READERS, READERS, st.booleans(),
)  # fmt: skip
RECEIVERS = st.sampled_from([None, (), ("kim@b.example",), ("eve@c.example",), ("kim@b.example", "eve@c.example")])


def names(action: Action, left_open: Open) -> set[str]:
    """The rules that may object."""
    return {each.rule for each in may_object(POLICY, action, left_open)}


def objecting(action: Action) -> set[str]:
    """The rules that object."""
    decided = POLICY.decide(action)
    return set() if decided.verdict == "allow" else {reason.rule for reason in decided.reasons}


@given(to=LABELS, body=LABELS, control=LABELS, receivers=RECEIVERS, vouched=st.booleans(), undoable=st.booleans())
def test_where_all_is_known_nothing_else_may_object(
    *, to: Label, body: Label, control: Label, receivers: tuple[str, ...] | None, vouched: bool, undoable: bool
) -> None:
    """The decision names those of the strictest verdict; beside them only milder ones may."""
    action = act(
        target(to), content(body), control=control, receivers=receivers, are_vouched=vouched, is_undoable=undoable
    )
    may = may_object(POLICY, action, Open())
    strictest = [each for each in may if each.verdict == "deny"] or list(may)
    assert {each.rule for each in strictest} == objecting(action)


@given(to=LABELS, body=LABELS, control=LABELS, receivers=RECEIVERS, vouched=st.booleans())
def test_what_is_left_open_hides_no_rule(
    *, to: Label, body: Label, control: Label, receivers: tuple[str, ...] | None, vouched: bool
) -> None:
    """Of an action of which nothing is known but its tool and shape, each that it may turn out to be is foreseen."""
    nothing_known = act(target(LITERAL), content(LITERAL))
    all_open = Open(frozenset({"to", "body"}), control=True, receivers=True, has_receivers=True)
    turned_out = act(target(to), content(body), control=control, receivers=receivers, are_vouched=vouched)
    assert objecting(turned_out) <= names(nothing_known, all_open)
    body_open = Open(frozenset({"body"}))
    assert objecting(act(target(to), content(body), receivers=receivers, are_vouched=vouched)) <= names(
        act(target(to), content(LITERAL), receivers=receivers, are_vouched=vouched), body_open
    )


def test_what_is_known_takes_rules_away() -> None:
    """Words of the program for a known receiver: nothing but a rule about that receiver."""
    action = act(target(LITERAL), content(LITERAL), receivers=("eve@c.example",), is_undoable=False)
    assert names(action, Open()) == set()
    assert names(action, Open(frozenset({"body"}))) >= {"not-a-reader", "content-untrusted"}
    assert "target-untrusted" not in names(action, Open(frozenset({"body"})))
    assert "control-untrusted" in names(action, Open(control=True))


def test_an_argument_that_the_program_made_has_its_words_alone() -> None:
    """Of which of them is not known; that nobody else wrote it is."""
    made = label([PROGRAM, Source("clock", is_trusted=True)], intact=False)
    action = act(content(made), receivers=("kim@b.example",))
    assert names(action, Open(made=frozenset({"body"}))) == {"other"}
