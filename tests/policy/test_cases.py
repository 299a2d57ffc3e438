"""Cases that people write: labels in words, and what is not understood is said."""

from __future__ import annotations

import tomllib

import pytest
from tests.policy.making import MAIL, VOCABULARY

from armslength.agent.runs.trust import trust_of
from armslength.app.policies import default_rules
from armslength.errors import ConfigError
from armslength.labels import LITERAL, NOTHING, PRIVATE, PUBLIC, QUARANTINED, REQUEST, Readers, Source, label, steered
from armslength.policy.cases import Case, read_cases
from armslength.policy.engine import Policy, PolicySettings
from armslength.policy.schema import is_a_source
from armslength.policy.wording import label_in_words

TRUST = trust_of(frozenset({"mail:boss@b.example"}))
KIM = Source("mail:kim@b.example")
EVERYBODY = Source("mail:*")
WORDS = {
    "program": LITERAL,
    "user": REQUEST,
    "mail:boss@b.example": label([Source("mail:boss@b.example", is_trusted=True)], readers=PRIVATE),
    "mail:kim@b.example, quarantined": label([KIM, QUARANTINED], readers=PRIVATE),
    "mail:unverified; readers everybody": label([MAIL], readers=PUBLIC),
    "mail:kim@b.example; readers you, Kim@b.example; steer you": label([KIM], readers=Readers(frozenset({"kim@b.example"})), steer=PRIVATE),
    "program; picked by mail:*": label(LITERAL.data, choice=[EVERYBODY], bits=9),
    "program; steered by mail:* in 3 bits": label(LITERAL.data, choice=[EVERYBODY], bits=3, intact=False),
    "program; steered by mail:*; readers kim@b.example": label(LITERAL.data, choice=[EVERYBODY], bits=9, intact=False, readers=Readers(frozenset({"kim@b.example"}))),
    "program; picked by mail:* in 1 bit; steered by pasted in 2 bits": label(LITERAL.data, choice=[EVERYBODY, Source("pasted")], bits=2, intact=False),
}  # fmt: skip


@pytest.mark.parametrize("words", WORDS)
def test_a_label_in_words(words: str) -> None:
    """Each part of it."""
    assert label_in_words(words, TRUST, lambda name: is_a_source(name, VOCABULARY)) is WORDS[words]


def cases(text: str) -> tuple[Case, ...]:
    return read_cases(tomllib.loads(text), "cases.toml", VOCABULARY, TRUST)


GOOD = """
[[case]]
name = "minutes to Kim"
call = "send"
receivers = ["Kim@b.example"]
happens = "steered by mail:* in 1 bit"
expect = "ask"
rules = ["content-untrusted"]
[case.arguments]
to = "program"
body = "mail:unverified; readers everybody"

[[case]]
call = "keep"
strict = true
expect = "deny"
arguments = { place = "program", text = "mail:unverified" }

[[case]]
call = "send"
receivers = "unknown"
vouched = false
expect = "ask"
rules = ["strict"]
arguments = { to = "program", body = "program" }
"""


def test_a_case_is_a_call() -> None:
    """Roles, store and whether it can be undone are the tool's; what decides that it happens steers every argument."""
    first, second, third = cases(GOOD)
    control = steered(label(LITERAL.data, choice=[EVERYBODY], bits=1, intact=False), NOTHING)
    assert first.action.control is control
    assert first.action.arguments[1].label is steered(label([MAIL]), control)
    assert (first.name, first.action.receivers, first.action.changes, first.action.is_undoable) == (
        "minutes to Kim",
        ("kim@b.example",),
        "outbox",
        False,
    )
    assert (second.name, second.is_strict, second.action.receivers, second.action.is_undoable) == (
        "case 2",
        True,
        (),
        True,
    )
    assert (third.action.receivers, third.action.are_vouched) == (None, False)


def test_what_a_case_misses() -> None:
    """The verdict, or the rules, in words."""
    policy = Policy(default_rules(), PolicySettings())
    assert [case.misses(policy.decide(case.action)) for case in cases(GOOD)] == [
        "",
        "expected deny, got allow by nothing-objects",
        "expected ask by strict, got ask by receivers-unknown",
    ]


KEEP = '[[case]]\ncall = "keep"\nexpect = "ask"\n'
WRONG = {
    "nothing": ("", "cases.toml: cases are tables [[case]], and nothing else stands in the file"),
    "another table": ("[cases]\na = 1\n", "cases.toml: cases are tables [[case]], and nothing else stands in the file"),
    "no table": ("case = [1]", "cases.toml: case 1: is a table [[case]]"),
    "an unknown key": (f'{KEEP}expected = "ask"\n', "cases.toml: case 1: expected is nothing that a case says; did you mean expect?"),
    "no call": ("[[case]]\nname = 'x'\n", "cases.toml: case 1: says no call"),
    "a misspelt call": ('[[case]]\ncall = "kepe"\n', "cases.toml: case 1: kepe is no effect of a tool in use; did you mean keep?"),
    "a read": ('[[case]]\ncall = "look"\n', "cases.toml: case 1: look is no effect of a tool in use; there are: send, keep, undo_keep, give to a model"),
    "no expectation": ('[[case]]\ncall = "keep"\n', "cases.toml: case 1: says no expect"),
    "another verdict": ('[[case]]\ncall = "keep"\nexpect = "maybe"\n', "cases.toml: case 1: expect must be one of allow, ask, deny"),
    "a missing argument": (KEEP, 'cases.toml: case 1: keep needs place, text; give whose words it holds, such as place = "program"'),
    "a misspelt argument": (f'{KEEP}arguments = {{ plaec = "program" }}', "cases.toml: case 1: plaec is no argument of keep; did you mean place?"),
    "an argument that is no text": (f"{KEEP}arguments = {{ place = 1, text = 2 }}", 'cases.toml: case 1: place is a text that says whose words it holds, such as "program"'),
    "no source": (f'{KEEP}arguments = {{ place = "mial:x", text = "program" }}', "cases.toml: case 1: place: 'mial:x' names no source"),
    "odd words": (
        f'{KEEP}arguments = {{ place = "program; chosen by me", text = "program" }}',
        "cases.toml: case 1: place: 'chosen by me'; after the sources come picked by, steered by ... in N bits, readers and steer, each once",
    ),
    "no receivers": (
        '[[case]]\ncall = "send"\nexpect = "ask"\narguments = { to = "program", body = "program" }',
        'cases.toml: case 1: send has receivers; write receivers = ["kim@b.example"], or "unknown"',
    ),
    "a wrong type": (f'{KEEP}vouched = "yes"\narguments = {{ place = "program", text = "program" }}', "cases.toml: case 1: vouched must be true or false"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_in_a_case(text: str, said: str) -> None:
    """The whole message."""
    with pytest.raises(ConfigError) as caught:
        cases(text)
    assert str(caught.value) == said
