"""The decision over effects: each rule as a row, and that more sources or fewer readers never loosen it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policy.making import (
    ACTIONS,
    KIM,
    LABELS,
    MAIL,
    POLICIES,
    ROLES,
    STORE,
    STRICTNESS,
    act,
    content,
    decide,
    target,
)

from armslength.labels import LITERAL, PASTED, PRIVATE, QUARANTINED, Label, Source, label, steered, steering
from armslength.policy.engine import Action, Argument, Decision, PolicySettings, Reason, at_sink, name_sources

WORDS = label([MAIL])
"""Somebody's words that everybody may read."""
PICKED = label([STORE], choice=[MAIL], bits=9)
"""Picked whole from what a store knows, by whoever writes into it."""
SPELLED = label([STORE], choice=[MAIL], bits=9, intact=False)


TABLE: list[tuple[str, Action, PolicySettings, str, list[str]]] = [
    ("an undoable change to the user's own place", act(target(LITERAL), content(WORDS)), PolicySettings(), "allow", ["nothing-objects"]),
    ("a change that cannot be undone", act(target(LITERAL), is_undoable=False), PolicySettings(), "ask", ["cannot-be-undone"]),
    ("the inverse of an effect", act(target(LITERAL), is_undoable=False, takes_back=True), PolicySettings(), "ask", ["takes-back"]),
    ("a target that somebody wrote", act(target(WORDS)), PolicySettings(), "ask", ["target-untrusted"]),
    ("a target picked whole", act(target(PICKED)), PolicySettings(), "allow", ["nothing-objects"]),
    ("a target spelled by choices", act(target(SPELLED)), PolicySettings(), "ask", ["target-untrusted"]),
    ("a query that somebody wrote, without receivers", act(Argument("q", "query", WORDS)), PolicySettings(), "allow", ["nothing-objects"]),
    ("a query that somebody wrote, with receivers", act(Argument("q", "query", WORDS), receivers=("a",)), PolicySettings(), "ask", ["content-untrusted"]),
    ("the user's words to whom the program names", act(target(LITERAL), content(LITERAL), receivers=("kim@b.example",), is_undoable=False), PolicySettings(), "allow", ["nothing-objects"]),
    ("words of others, sent as the user's", act(content(WORDS), receivers=("kim@b.example",)), PolicySettings(), "ask", ["content-untrusted"]),
    ("what the receiver may read", act(content(label([STORE], readers=KIM)), receivers=("kim@b.example",)), PolicySettings(), "allow", ["nothing-objects"]),
    ("what the receiver may not read", act(content(label([STORE], readers=KIM)), receivers=("kim@b.example", "eve@c.example")), PolicySettings(), "ask", ["not-a-reader"]),
    ("a target that the receiver may not read", act(target(label([STORE], readers=PRIVATE, intact=False)), receivers=("a",)), PolicySettings(), "ask", ["not-a-reader"]),
    ("a private thing to a stranger whom words name", act(target(WORDS), content(label([STORE], readers=PRIVATE)), receivers=("a",)), PolicySettings(), "deny", ["private-to-a-stranger"]),
    ("a private thing to a look-alike that the user's words name", act(target(LITERAL), content(label([STORE], readers=PRIVATE)), receivers=("a",), is_alike=True), PolicySettings(), "ask", ["to-a-look-alike", "not-a-reader"]),
    ("an address that a model made of several", act(target(label([QUARANTINED, MAIL, Source("store:contacts", is_trusted=True)], readers=PRIVATE, intact=False)), receivers=("a",)), PolicySettings(), "deny", ["link-made-of-several"]),
    ("a private file that an unverified mail picked", act(target(LITERAL), content(label([Source("file:a")], choice=[MAIL, QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private file that an event picked", act(target(LITERAL), content(label([Source("file:a")], choice=[Source("calendar:unverified"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private file that a page nobody vouches for picked", act(target(LITERAL), content(label([Source("file:a")], choice=[Source("web:unverified"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private file that a text picked which the user handed over", act(target(LITERAL), content(label([Source("file:a")], choice=[PASTED, QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private file that words of a server's tool picked", act(target(LITERAL), content(label([Source("file:a")], choice=[Source("mcp:desk/search"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private mail that an event picked", act(target(LITERAL), content(label([Source("mail:x@a")], choice=[Source("calendar:unverified"), Source("mailbox:*"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private event that an event picked", act(target(LITERAL), content(label([Source("calendar:unverified")], choice=[Source("calendar:unverified"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "ask", ["not-a-reader", "content-untrusted"]),
    ("a private file that a listing and another's mail picked", act(target(LITERAL), content(label([Source("file:a")], choice=[Source("mail:x@a"), Source("mailbox:*"), Source("mail:*"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "ask", ["not-a-reader", "content-untrusted"]),
    ("a private file that a host picked beside a mail that nobody vouches for", act(target(LITERAL), content(label([Source("file:a")], choice=[MAIL, Source("web:evil.example"), QUARANTINED], bits=1, readers=PRIVATE)), receivers=("evil.example",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private mail that an unverified mail picked", act(target(LITERAL), content(label([Source("mail:x@a")], choice=[MAIL, QUARANTINED], bits=1, readers=PRIVATE)), receivers=("k@a",)), PolicySettings(), "ask", ["not-a-reader", "content-untrusted"]),
    ("words of a model behind marks", act(target(LITERAL), Argument("body", "content", label([QUARANTINED]), is_quoted=True), receivers=("a",)), PolicySettings(), "ask", ["content-untrusted"]),
    ("words of somebody behind marks", act(target(LITERAL), Argument("body", "content", WORDS, is_quoted=True), receivers=("a",)), PolicySettings(), "allow", ["nothing-objects"]),
    ("a private thing to a look-alike", act(target(label([STORE])), content(label([STORE], readers=PRIVATE)), receivers=("a",), is_alike=True), PolicySettings(), "deny", ["private-to-a-look-alike"]),
    ("nothing private to a look-alike", act(target(LITERAL), content(LITERAL), receivers=("a",), is_alike=True), PolicySettings(), "ask", ["to-a-look-alike"]),
    ("a private thing that its receiver picked", act(target(LITERAL), content(label([STORE], choice=[Source("mail:a")], bits=9, readers=PRIVATE)), receivers=("a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private thing that the host picked where it goes", act(target(LITERAL), content(label([STORE], choice=[Source("web:a")], bits=9, readers=PRIVATE)), receivers=("a",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a private thing that a member picked whom it goes to", act(target(LITERAL), content(label([STORE], choice=[Source("slack:Bob")], bits=9, readers=PRIVATE)), receivers=("slack:Bob",)), PolicySettings(), "deny", ["chosen-by-its-receiver"]),
    ("a link made of several", act(target(LITERAL), Argument("body", "content", label([QUARANTINED, Source("file:a"), Source("file:b")], readers=PRIVATE, intact=False), has_links=True), receivers=("a",)), PolicySettings(), "deny", ["link-made-of-several"]),
    ("a link made of one's words out of a listing", act(target(LITERAL), Argument("body", "content", label([QUARANTINED, Source("slack:Bob"), Source("listed:slack:*")], readers=PRIVATE, intact=False), has_links=True), receivers=("a",)), PolicySettings(), "ask", ["not-a-reader", "content-untrusted"]),
    ("a link made of several out of a listing", act(target(LITERAL), Argument("body", "content", label([QUARANTINED, Source("slack:Bob"), Source("slack:Eve"), Source("listed:slack:*")], readers=PRIVATE, intact=False), has_links=True), receivers=("a",)), PolicySettings(), "deny", ["link-made-of-several"]),
    ("a target that words of others picked", act(target(label([STORE], choice=[MAIL], bits=9)), receivers=("a",)), PolicySettings(), "ask", ["target-picked"]),
    ("a private thing that the program names", act(target(LITERAL), content(label([Source("file:a")], readers=PRIVATE)), receivers=("a",), are_known=True), PolicySettings(), "allow", ["nothing-objects"]),
    ("steering within the budget", act(content(label([STORE], choice=[STORE], steer=PRIVATE)), receivers=("a",), told=24), PolicySettings(), "allow", ["nothing-objects"]),
    ("steering beyond the budget", act(content(label([STORE], choice=[STORE], steer=PRIVATE)), receivers=("a",), told=25), PolicySettings(), "ask", ["steer-not-readable"]),
    ("to the user alone", act(target(LITERAL), content(label([MAIL], readers=PRIVATE)), receivers=("a",)), PolicySettings(addresses=("A",)), "allow", ["nothing-objects"]),
    ("content steered by secrets", act(content(label([STORE], choice=[STORE], steer=PRIVATE)), receivers=("a",)), PolicySettings(), "ask", ["steer-not-readable"]),
    ("a branch on secrets", act(content(LITERAL), control=label(steer=PRIVATE), receivers=("a",)), PolicySettings(), "ask", ["steer-not-readable"]),
    ("a branch on public words", act(content(LITERAL), control=steering(WORDS, 1), receivers=("a",)), PolicySettings(), "allow", ["nothing-objects"]),
    ("many branches on public words", act(content(LITERAL), control=steering(WORDS, 9), receivers=("a",)), PolicySettings(), "ask", ["control-untrusted"]),
    ("many branches, without receivers", act(content(LITERAL), control=steering(WORDS, 9)), PolicySettings(), "allow", ["nothing-objects"]),
    ("receivers that the tool cannot name", act(content(LITERAL), receivers=None), PolicySettings(), "ask", ["receivers-unknown"]),
    ("receivers that the message names", act(content(LITERAL), receivers=("a",), are_vouched=False), PolicySettings(), "ask", ["receivers-unvouched"]),
    ("somebody's formula in the user's table", act(target(LITERAL), Argument("text", "content", WORDS, acts=True)), PolicySettings(), "ask", ["acts-when-opened"]),
    ("a sender who is called as a formula, in it", act(target(LITERAL), Argument("text", "content", label([Source("store:mail", is_trusted=True)], readers=PRIVATE), acts=True)), PolicySettings(), "ask", ["acts-when-opened"]),
    ("the user's own formula", act(target(LITERAL), Argument("text", "content", LITERAL, acts=True)), PolicySettings(), "allow", ["nothing-objects"]),
    ("a small planner that sends", act(content(LITERAL), receivers=("a",)), PolicySettings(asks_before_sending=True), "ask", ["small-planner"]),
    ("a small planner that only changes", act(content(LITERAL)), PolicySettings(asks_before_sending=True), "allow", ["nothing-objects"]),
    ("strict", act(content(LITERAL)), PolicySettings(asks_always=True), "ask", ["strict"]),
    ("confined data to a receiver", act(content(WORDS), receivers=("a",)), PolicySettings(this_machine_only=("mail:*",)), "deny", ["this-machine-only"]),
    ("confined data to an unknown receiver", act(content(WORDS), receivers=None), PolicySettings(this_machine_only=("mail:*",)), "deny", ["this-machine-only"]),
    ("confined choice", act(content(PICKED), receivers=("a",)), PolicySettings(this_machine_only=("mail:*",)), "deny", ["this-machine-only"]),
    ("confined control", act(content(LITERAL), control=steering(WORDS, 1), receivers=("a",)), PolicySettings(this_machine_only=("mail:unverified",)), "deny", ["this-machine-only"]),
    ("confined data that stays", act(content(WORDS)), PolicySettings(this_machine_only=("mail:*",)), "allow", ["nothing-objects"]),
    ("an unknown role", act(Argument("x", "whatever", LITERAL)), PolicySettings(), "deny", ["unknown-role"]),  # type: ignore[arg-type]
    ("denied and asked", act(target(WORDS), receivers=("a",)), PolicySettings(this_machine_only=("*",), asks_always=True), "deny", ["this-machine-only"]),
]  # fmt: skip


@pytest.mark.parametrize(("action", "settings", "verdict", "spoke"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])  # fmt: skip
def test_each_rule_speaks_where_it_should(
    action: Action, settings: PolicySettings, verdict: str, spoke: list[str]
) -> None:
    """The verdict and the names of all rules that objected, in order."""
    decision = decide(action, settings)
    assert (decision.verdict, [reason.rule for reason in decision.reasons]) == (verdict, spoke)


def test_each_rule_is_in_the_table() -> None:
    """No rule goes without a row."""
    named = {rule for row in TABLE for rule in row[4]}
    assert named == {
        "this-machine-only", "unknown-role", "target-untrusted", "receivers-unknown", "receivers-unvouched", "not-a-reader",
        "steer-not-readable", "content-untrusted", "control-untrusted", "cannot-be-undone", "takes-back", "small-planner", "strict", "nothing-objects",
        "private-to-a-stranger", "private-to-a-look-alike", "chosen-by-its-receiver", "link-made-of-several", "target-picked", "to-a-look-alike",
        "acts-when-opened",
    }  # fmt: skip


def test_reasons_name_place_and_source() -> None:
    """The lines that a person reads."""
    decision = decide(
        act(target(WORDS), content(label([MAIL], readers=PRIVATE)), receivers=("a",), are_known=True), PolicySettings()
    )
    assert decision == Decision(
        "ask",
        (
            Reason("target-untrusted", "to, which decides who or what is affected, was written by mail:unverified"),
            Reason("not-a-reader", "body holds what a was not a reader of so far"),
            Reason("content-untrusted", "body would be sent as yours, and holds words of mail:unverified"),
        ),
    )


def test_what_a_model_made_of_several_is_called_what_it_is() -> None:
    """A link where one stands in it; a sum that goes to a strange account is no link, and the line does not say so."""
    made = label([QUARANTINED, Source("slack:Bob"), Source("slack:Eve")], readers=PRIVATE, intact=False)
    linked = act(target(LITERAL), Argument("body", "content", made, has_links=True), receivers=("a",))
    paid = act(target(LITERAL), Argument("amount", "target", made), receivers=("account:a",))
    assert [decide(each, PolicySettings()).reasons for each in (linked, paid)] == [
        (
            Reason(
                "link-made-of-several",
                "body holds a link, and a model made it of words of quarantined, slack:Bob, slack:Eve; ask about one of them",
                "body",
            ),
        ),
        (
            Reason(
                "link-made-of-several",
                "amount, which decides who or what is affected, was made by a model of words of quarantined, slack:Bob, slack:Eve, and you never "
                "dealt with account:a; name it yourself, or ask about one of them",
                "amount",
            ),
        ),
    ]


def test_names_of_sources() -> None:
    """Untrusted ones in order; where there is none, that is said."""
    assert name_sources([Source("web:b"), STORE, Source("web:a")]) == "web:a, web:b"
    assert name_sources([STORE]) == "trusted sources"


@pytest.mark.parametrize(
    ("pattern", "is_confined"),
    [("mail:Boss@Corp.example", True), ("mail:*@corp.example", True), ("*", True), ("m*", True), ("*@corp.example", True), ("mail:", True),
     ("file:*", False), ("mailbox:*", False), ("web:a.example", False)],
)  # fmt: skip
def test_everybodys_mail_is_confined_if_anybodys_is(pattern: str, *, is_confined: bool) -> None:
    """A source that stands for many fits a pattern that could fit one of them."""
    everybody = label([STORE], choice=[Source("mail:*")], bits=1)
    assert PolicySettings(this_machine_only=(pattern,)).is_confined(everybody) is is_confined


def test_of_very_many_sources_the_first_are_named() -> None:
    """Those that may be anybody stand among them; how many more there are is said."""
    many = [Source(f"mail:a{number:03}@b.example") for number in range(300)]
    named = ", ".join(["mail:unverified", "quarantined", *(source.name for source in many[:10])])
    assert name_sources([*many, Source("quarantined"), Source("mail:unverified")]) == f"{named} and 290 more"


def _worse(given_label: Label, more: Label) -> Label:
    """More sources in data and choice, fewer readers, less intact."""
    return label(
        given_label.data | more.data, choice=given_label.choice | more.choice, bits=max(given_label.bits, more.bits),
        readers=given_label.readers.intersect(more.readers), steer=given_label.steer.intersect(more.steer),
        intact=given_label.intact and more.intact,
    )  # fmt: skip


@given(ACTIONS, POLICIES, LABELS, st.integers(0, 3))
def test_more_sources_and_fewer_readers_never_loosen(
    action: Action, settings: PolicySettings, more: Label, where: int
) -> None:
    """Whatever is added to one argument or to the control context: no question becomes an allowance, no denial a question."""
    arguments = list(action.arguments)
    if where < len(arguments):
        arguments[where] = replace(arguments[where], label=_worse(arguments[where].label, more))
        changed = replace(action, arguments=tuple(arguments))
    else:
        changed = replace(action, control=_worse(action.control, more))
    assert STRICTNESS[decide(changed, settings).verdict] >= STRICTNESS[decide(action, settings).verdict]


@given(ACTIONS, POLICIES)
def test_a_stricter_setting_never_loosens(action: Action, settings: PolicySettings) -> None:
    """Each setting only adds questions or denials; fewer facts known of a tool only add questions."""
    before = STRICTNESS[decide(action, settings).verdict]
    for stricter in (
        replace(settings, asks_always=True),
        replace(settings, asks_before_sending=True),
        replace(settings, this_machine_only=("*",)),
    ):
        assert STRICTNESS[decide(action, stricter).verdict] >= before
    assert STRICTNESS[decide(replace(action, receivers=None), settings).verdict] >= min(before, 1)
    assert STRICTNESS[decide(replace(action, are_vouched=False), settings).verdict] >= before


@given(ACTIONS, POLICIES, ROLES.filter(lambda role: role == "odd"))
def test_an_unknown_role_is_a_denial(action: Action, settings: PolicySettings, role: str) -> None:
    """Whatever else is known of the effect."""
    odd = Argument("odd", role, LITERAL)  # type: ignore[arg-type]
    assert decide(replace(action, arguments=(*action.arguments, odd)), settings).verdict == "deny"


@given(LABELS, LABELS)
def test_an_argument_leaves_with_its_control(given_label: Label, control: Label) -> None:
    """What steered the call steers what it carries."""
    assert at_sink(given_label, control) is steered(given_label, control)
