"""What was said yes to beforehand: it answers questions and nothing else, and any source, receiver or version more is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.policy.making import ACTIONS, KIM, POLICIES, act, content, decide, own, rule, target

from armslength.labels import LITERAL, NOTHING, PRIVATE, PUBLIC, Label, Source, label
from armslength.policy.engine import Action, Argument, Decision, Policy, PolicySettings
from armslength.policy.grants import Endorsement, Grant, Live, Sources, Subject, is_authenticated, spared, would_spare

ASKS = PolicySettings()
JULIA, EVE = Source("mail:julia@a.example"), Source("mail:eve@c.example")
NOTES, STORE = Source("file:notes.txt"), Source("store:files", is_trusted=True)
WORDS = label([JULIA], readers=PRIVATE)
CHECKED = st.frozensets(
    st.sampled_from([JULIA, EVE, NOTES, STORE, Source("web:a.example"), Source("tool:read_file")]), max_size=2
)


def subject(action: Action, *, version: str = "1", **values: str) -> Subject:
    """An effect of a tool that may be granted."""
    return Subject(action, version, may_be_granted=True, values=values)


def send(
    body: Label, *, to: Label = LITERAL, control: Label = NOTHING, receivers: tuple[str, ...] = ("kim@b.example",)
) -> Action:
    """A mail to somebody who was no reader of it."""
    return act(target(to), content(body), control=control, receivers=receivers, changes="outbox", is_undoable=False)


def narrowest(action: Action, settings: PolicySettings = ASKS, **values: str) -> list[Live]:
    """What a person could say yes to about this effect, named by its kind."""
    what = subject(action, **values)
    found = would_spare(decide(action, settings), what, settings)
    return [Live(type(each).__name__, each) for each in found]


def after(
    action: Action, live: list[Live], settings: PolicySettings = ASKS, *, version: str = "1", **values: str
) -> Decision:
    """What is decided where this counts."""
    return spared(decide(action, settings), subject(action, version=version, **values), live, settings)


MAIL_OF_JULIA = narrowest(send(WORDS))


def test_a_grant_allows_the_effect_that_it_was_made_of_and_says_so() -> None:
    """The reasons stay, so that it can be seen what would have been asked."""
    decision = after(send(WORDS), MAIL_OF_JULIA)
    assert (decision.verdict, decision.granted) == ("allow", ("Grant",))
    assert [reason.rule for reason in decision.reasons] == ["not-a-reader", "content-untrusted"]


@given(ACTIONS, POLICIES, st.booleans())
def test_a_grant_never_changes_a_denial_or_what_is_allowed(action: Action, settings: PolicySettings, may: bool) -> None:  # noqa: FBT001
    """Only a question can be answered, and what allowed it is named if and only if it was."""
    what = replace(subject(action), may_be_granted=may)
    decision = decide(action, settings)
    everything = [Live("Grant", each) for each in would_spare(replace(decision, verdict="ask"), what, settings)]
    found = spared(decision, what, everything, settings)
    assert found.reasons == decision.reasons
    if decision.verdict != "ask" or settings.asks_always or not may:
        assert found == decision
    assert bool(found.granted) is (found.verdict != decision.verdict)


@st.composite
def _labels(draw: st.DrawFn) -> Label:
    return label(
        draw(CHECKED), choice=draw(CHECKED), bits=draw(st.integers(0, 9)), readers=draw(st.sampled_from([PUBLIC, PRIVATE, KIM])),
        steer=draw(st.sampled_from([PUBLIC, PRIVATE])), intact=draw(st.booleans()),
    )  # fmt: skip


SENDS = st.builds(
    lambda body, to, control, who: send(body, to=to, control=control, receivers=who),
    _labels(), _labels(), _labels(), st.sampled_from([("kim@b.example",), ("eve@c.example", "kim@b.example"), ("eve@c.example",)]),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(SENDS, SENDS)
def test_whatever_is_wider_than_the_grant_is_asked_about(first: Action, second: Action) -> None:
    """Where a grant made of one effect allows another, no argument has a source, and nobody learns of it, that the first had not."""
    given_then = narrowest(first)
    assume(given_then and decide(second, ASKS).verdict == "ask")
    if after(second, given_then).verdict != "allow":
        return
    assert set(second.receivers or ()) <= set(first.receivers or ())
    for before, now in zip(
        (*first.arguments, Argument("", "content", first.control)),
        (*second.arguments, Argument("", "content", second.control)),
        strict=True,
    ):
        assert {each.name for each in now.label.data} <= {each.name for each in before.label.data | before.label.choice}
        assert {each.name for each in now.label.choice} <= {
            each.name for each in before.label.data | before.label.choice
        }


@given(SENDS)
def test_no_offer_names_whoever_may_be_anybody(action: Action) -> None:
    """What a tool's failing says is a choice of few bits, and listed; all other sources were checked by somebody."""
    for live in narrowest(action):
        assert isinstance(live.covers, Grant)
        for each in (*live.covers.sources.values(), live.covers.control):
            assert all(is_authenticated(Source(name, is_trusted=name.startswith("store:"))) for name in each.data)


def test_no_offer_is_for_whatever_lies_in_a_store() -> None:
    """`store:files` is all that the assistant wrote there: no author of content; a target that was picked whole may be of a store."""
    written = label([STORE], readers=PRIVATE)
    beside = label([JULIA, STORE], readers=PRIVATE)
    assert [narrowest(send(each)) for each in (written, beside)] == [[], []]
    wide = Grant(
        "tool",
        "1",
        "outbox",
        {name: Sources(frozenset({JULIA.name, STORE.name}), frozenset()) for name in ("to", "body")},
        Sources(frozenset(), frozenset({STORE.name})),
        frozenset({"kim@b.example"}),
        is_undoable=False,
    )
    given_before = [Live("Grant", wide)]
    assert [after(send(each), given_before).verdict for each in (written, beside, WORDS)] == ["ask", "ask", "allow"]
    assert after(send(WORDS, to=label([STORE], readers=PRIVATE)), given_before).verdict == "allow"
    assert after(send(WORDS, control=label(choice=[STORE], bits=9, steer=PRIVATE)), given_before).verdict == "ask"


WIDER = {
    "a source more in the words": send(label([JULIA, EVE], readers=PRIVATE)),
    "a look-alike sender": send(label([Source("mail:juIia@a.example")], readers=PRIVATE)),
    "an unverified sender": send(label([Source("mail:unverified")], readers=PRIVATE)),
    "all senders": send(label([Source("mail:*")], readers=PRIVATE)),
    "words of the quarantined model": send(label([JULIA, Source("quarantined")], readers=PRIVATE)),
    "somebody else's choice": send(label([JULIA], choice=[EVE], bits=1, readers=PRIVATE)),
    "a choice of anybody's": send(label([JULIA], choice=[Source("mail:unverified")], bits=1, readers=PRIVATE)),
    "a choice of the quarantined model": send(label([JULIA], choice=[Source("quarantined")], bits=1, readers=PRIVATE)),
    "somebody else's control": send(WORDS, control=label(choice=[EVE], bits=1)),
    "the address written by the sender": send(WORDS, to=WORDS),
    "a receiver more": send(WORDS, receivers=("kim@b.example", "eve@c.example")),
    "another receiver": send(WORDS, receivers=("eve@c.example",)),
    "unknown receivers": replace(send(WORDS), receivers=None),
    "receivers for whom nobody vouches": replace(send(WORDS), are_vouched=False),
    "another store": replace(send(WORDS), changes="slack"),
    "another tool": replace(send(WORDS), tool="reply"),
    "an argument more": replace(send(WORDS), arguments=(*send(WORDS).arguments, Argument("note", "content", LITERAL))),
}  # fmt: skip


@pytest.mark.parametrize("action", WIDER.values(), ids=WIDER.keys())
def test_one_thing_that_differs_is_asked_about(action: Action) -> None:
    """Each of these alone, with all else as it was granted."""
    assert after(action, MAIL_OF_JULIA).verdict in {"ask", "deny"}


def test_what_can_be_taken_back_no_more_is_asked_about() -> None:
    """A mail that was held was granted; one that leaves at once is more."""
    held = replace(send(WORDS), is_undoable=True)
    assert after(held, narrowest(held)).verdict == "allow"
    assert after(send(WORDS), narrowest(held)).verdict == "ask"
    assert after(held, MAIL_OF_JULIA).verdict == "allow"


def test_another_version_of_the_tool_is_asked_about() -> None:
    """It may do something else by now."""
    assert after(send(WORDS), MAIL_OF_JULIA, version="2").verdict == "ask"


def test_in_strict_mode_grants_do_not_count() -> None:
    """Then everything is asked about."""
    strict = PolicySettings(asks_always=True)
    assert after(send(WORDS), MAIL_OF_JULIA, strict).verdict == "ask"
    assert narrowest(send(WORDS), strict) == []


def test_what_stays_on_this_machine_is_denied_all_the_same() -> None:
    """A denial is no question."""
    assert after(send(WORDS), MAIL_OF_JULIA, PolicySettings(this_machine_only=("mail:*",))).verdict == "deny"


def test_a_small_planner_and_a_rule_of_the_users_ask_all_the_same() -> None:
    """They ask about something else than sources and receivers."""
    assert after(send(WORDS), MAIL_OF_JULIA, PolicySettings(asks_before_sending=True)).verdict == "ask"
    decision = Policy(own(rule("when { context.has_receivers }")), ASKS).decide(replace(send(WORDS), tool="send"))
    live = [Live("Grant", replace(MAIL_OF_JULIA[0].covers, tool="send"))]
    assert spared(decision, subject(replace(send(WORDS), tool="send")), live, ASKS).verdict == "ask"


def test_what_destroys_or_pays_is_never_granted() -> None:
    """No inverse and nobody who learns of it; or its tool does not declare that it does neither."""
    destroys = act(target(WORDS), is_undoable=False)
    assert narrowest(destroys, to='"x"') == []
    wide = Grant(
        "tool",
        "1",
        "files",
        {"to": Sources(frozenset({JULIA.name}), frozenset())},
        Sources(frozenset(), frozenset()),
        frozenset(),
        is_undoable=False,
    )
    assert after(destroys, [Live("Grant", wide)]).verdict == "ask"
    undeclared = replace(subject(send(WORDS)), may_be_granted=False)
    assert spared(decide(send(WORDS), ASKS), undeclared, MAIL_OF_JULIA, ASKS).verdict == "ask"


def test_that_a_call_works_may_be_listed_as_a_choice_of_few_bits_only() -> None:
    """As data, or where it was chosen many times over, nobody knows who said it."""
    doubt = Source("tool:read_file")
    once = send(label([JULIA], choice=[doubt], bits=1, readers=PRIVATE))
    assert [each.name for each in narrowest(once)] == ["Grant"]
    assert after(once, MAIL_OF_JULIA).verdict == "ask"
    assert narrowest(send(label([JULIA], choice=[doubt], bits=9, readers=PRIVATE))) == []
    assert narrowest(send(label([JULIA, doubt], readers=PRIVATE))) == []


KEEP = act(target(label([Source("mail:unverified")], readers=PRIVATE)))


def test_an_endorsed_value_is_taken_as_chosen_whoever_wrote_it() -> None:
    """It was seen whole: exactly these bytes, in this role, of this tool."""
    live = narrowest(KEEP, to='"todo.txt"')
    assert [each.covers for each in live] == [Endorsement("tool", "1", "to", '"todo.txt"')]
    decision = after(KEEP, live, to='"todo.txt"')
    assert (decision.verdict, decision.granted) == ("allow", ("Endorsement",))


@pytest.mark.parametrize(("value", "version", "name"), [('"todo.txt "', "1", "to"), ('["todo.txt"]', "1", "to"), ('"todo.txt"', "2", "to"), ('"todo.txt"', "1", "from")])  # fmt: skip
def test_an_endorsement_dies_on_any_change(value: str, version: str, name: str) -> None:
    """Other bytes, another version, another parameter."""
    action = replace(KEEP, arguments=(replace(KEEP.arguments[0], name=name),))
    assert after(action, narrowest(KEEP, to='"todo.txt"'), version=version, **{name: value}).verdict == "ask"


def test_an_endorsement_never_widens_readers() -> None:
    """Who may read it is another question."""
    action = send(LITERAL, to=label([EVE], readers=PRIVATE))
    live = [Live("Endorsement", Endorsement("tool", "1", "to", '"kim@b.example"'))]
    decision = after(action, live, to='"kim@b.example"')
    assert (decision.verdict, [reason.rule for reason in decision.reasons]) == (
        "ask",
        ["target-untrusted", "not-a-reader"],
    )


def test_two_targets_need_two_endorsements() -> None:
    """One of them is not the other; and neither is offered alone, since it would not have spared the question."""
    action = replace(KEEP, arguments=(KEEP.arguments[0], replace(KEEP.arguments[0], name="other")))
    one, two = (Live(name, Endorsement("tool", "1", name, '"x"')) for name in ("to", "other"))
    assert after(action, [one], to='"x"', other='"x"').verdict == "ask"
    assert after(action, [one, two], to='"x"', other='"x"').granted == ("to", "other")
    assert narrowest(action, to='"x"', other='"x"') == []


def test_a_long_value_is_not_offered() -> None:
    """Nobody compares it at a glance."""
    assert narrowest(KEEP, to=f'"{"x" * 400}"') == []
