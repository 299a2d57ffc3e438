"""What would change a decision: true of each, since each is decided anew."""

from __future__ import annotations

from hypothesis import given, settings
from tests.policy.making import ACTIONS, KIM, MAIL, POLICIES, STRICTNESS, act, content, own, rule, target

from armslength.app.policies import default_rules
from armslength.labels import LITERAL, NOTHING, PRIVATE, Readers, Source, label, steering
from armslength.policy.action import action_from_json, action_to_json
from armslength.policy.engine import Action, Argument, Group, Policy, PolicySettings
from armslength.policy.explaining import what_would_change

WRITER = Source("mail:kim@b.example")
SHIPPED = Policy(default_rules(), PolicySettings())


def found(policy: Policy, action: Action) -> list[tuple[str, str]]:
    return [(each.decision.verdict, " and ".join(each.said)) for each in what_would_change(policy, action)]


def test_a_trusted_source() -> None:
    """The setting is given as it is written."""
    words = label([WRITER], readers=KIM)
    assert found(SHIPPED, act(content(words), receivers=("kim@b.example",))) == [
        ("allow", 'mail:kim@b.example were trusted: [trust] sources = ["mail:kim@b.example"]'),
        ("allow", "body held only what the program itself says"),
    ]


def test_nobody_can_trust_anybody() -> None:
    """Sources that stand for anybody are not offered."""
    words = label([MAIL, Source("quarantined"), Source("mail:*")], readers=KIM)
    assert [said for _, said in found(SHIPPED, act(content(words), receivers=("kim@b.example",)))] == [
        "body held only what the program itself says",
    ]


def test_a_reader() -> None:
    """Of what an argument holds, by its label or by a setting."""
    secret = label([Source("store:files", is_trusted=True)], readers=PRIVATE)
    assert found(SHIPPED, act(content(secret), receivers=("kim@b.example",))) == [
        ("allow", "kim@b.example could read what body holds: as a party of it, or by [privacy.may_learn]"),
        ("allow", '[privacy.may_learn] let "kim@b.example" learn what comes of store:files'),
    ]


def test_a_receiver_less() -> None:
    """Where there are several."""
    secret = label([Source("store:files", is_trusted=True)], readers=KIM)
    assert ("allow", "it did not go to eve@c.example") in found(
        SHIPPED, act(content(secret), receivers=("kim@b.example", "eve@c.example"))
    )


def test_what_does_not_depend_on_words() -> None:
    """Settings, what the tool declares, who vouches, what decided."""
    assert found(SHIPPED, act(target(LITERAL), is_undoable=False)) == [("allow", "it could be undone")]
    assert found(SHIPPED, act(target(LITERAL), receivers=("a",), are_vouched=False))[0] == (
        "allow", "its receivers came of your own words, the address book or a verified sender",
    )  # fmt: skip
    strict = Policy(default_rules(), PolicySettings(asks_always=True))
    assert found(strict, act(target(LITERAL)))[0] == ("allow", "it was not asked with --strict")
    small = Policy(default_rules(), PolicySettings(asks_before_sending=True))
    assert found(small, act(target(LITERAL), receivers=("a",)))[0] == (
        "allow",
        "a larger model wrote the program: is_small = false",
    )
    bank = Policy(default_rules(), PolicySettings(this_machine_only=("mail:kim*",)))
    picked = label([Source("store:mail", is_trusted=True)], choice=[WRITER], bits=1)
    assert found(bank, act(content(picked), receivers=("a",)))[0] == (
        "allow",
        '"mail:kim*" were not in [privacy] this_machine_only',
    )
    often = act(content(LITERAL), control=steering(label([WRITER]), 9), receivers=("a",))
    assert ("allow", "no words of others decided whether it happens") in found(SHIPPED, often)
    secretly = act(content(LITERAL), control=label(steer=PRIVATE), receivers=("a",))
    assert ("allow", "nothing that its receivers may not read decided about it") in found(SHIPPED, secretly)


def test_a_group() -> None:
    """Only where a rule asks for it."""
    rules = own(rule('unless { context.only_groups.contains(Group::"family") }', verdict="deny"))
    policy = Policy(rules, PolicySettings(groups=(Group("family", ("eva@home.example",)), Group("work", ()))))
    assert found(policy, act(content(LITERAL), receivers=("kim@b.example",))) == [
        ("allow", "kim@b.example were in the group family")
    ]
    assert ("deny", '"eva@home.example" were not in the group family') in found(
        policy, act(content(LITERAL), receivers=("eva@home.example",))
    )


def test_several_changes_where_one_does_not_do() -> None:
    """The last line names all that it takes."""
    action = act(
        target(label([WRITER], readers=PRIVATE)), content(label([MAIL], readers=PRIVATE)), receivers=("eve@c.example",)
    )
    *single, last = what_would_change(SHIPPED, action)
    assert {each.decision.verdict for each in single} == {"ask"}
    assert (last.decision.verdict, len(last.said) > 1) == ("allow", True)


def test_what_is_allowed_could_be_otherwise() -> None:
    """What would make it a question."""
    assert found(SHIPPED, act(target(LITERAL))) == [
        ("ask", "to held words of somebody unknown"),
        ("ask", "it could not be undone"),
    ]
    said = {said for _, said in found(SHIPPED, act(content(LITERAL), receivers=("a",)))}
    assert said == {
        "body held words of somebody unknown", "only you could read body", "the tool could not say who learns of it",
        "nobody vouched for its receivers",
    }  # fmt: skip


@settings(max_examples=40)
@given(ACTIONS, POLICIES)
def test_each_change_matters(action: Action, said: PolicySettings) -> None:
    """Of what is allowed each is a no or a question; of the rest none is stricter than what was decided."""
    policy = Policy(default_rules(), said)
    before = policy.decide(action)
    for each in what_would_change(policy, action):
        if before.verdict == "allow":
            assert each.decision.verdict != "allow"
        else:
            assert STRICTNESS[each.decision.verdict] <= STRICTNESS[before.verdict]


@given(ACTIONS, POLICIES)
def test_an_action_of_the_journal_is_decided_as_it_was(action: Action, said: PolicySettings) -> None:
    """All that a rule sees is kept."""

    def trust(name: str) -> Source:
        return Source(name, is_trusted=name.startswith("store:") or name in {"user", "program"})

    policy = Policy(default_rules(), said)
    assert policy.decide(action_from_json(action_to_json(action), trust)) == policy.decide(action)


def test_readers_and_nothing_else() -> None:
    """A change to one argument leaves the others as they are."""
    kept = Argument("note", "content", label([Source("store:files", is_trusted=True)], readers=Readers(frozenset())))
    action = act(content(label([WRITER], readers=KIM)), kept, control=NOTHING, receivers=("kim@b.example",))
    assert {verdict for verdict, said in found(SHIPPED, action) if said.startswith("body")} == {"ask"}
