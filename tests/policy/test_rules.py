"""Rules as they are read: what is wrong in a file is an error with its line, and nothing is left out in silence."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policy.making import FILE, PART, act, own, rule

from armslength.app.policies import default_rules, default_text
from armslength.errors import ConfigError
from armslength.labels import LITERAL
from armslength.policy.engine import Argument, Policy, PolicySettings
from armslength.policy.rules import PLACEHOLDER, in_general, read_rules
from armslength.policy.text import MOST_CHARACTERS

WRONG = {
    "another word for forbid": ('@id("a") @ask("why")\nforbd (principal, action, resource);', "line 2: invalid policy effect: forbd; a rule begins with forbid"),
    "no name": ('@ask("why")\nforbid (principal, action, resource);', 'line 1: a rule begins with its name, such as @id("no-files-to-slack")'),
    "a name of blanks": ('@id(" ") @ask("why")\nforbid (principal, action, resource);', 'line 1: a rule begins with its name, such as @id("no-files-to-slack")'),
    "no verdict": ('@id("a")\nforbid (principal, action, resource);', 'line 1: a: a forbid says what it leads to and why, with either @ask("why") or @deny("why")'),
    "two verdicts": ('@id("a") @ask("x") @deny("y")\nforbid (principal, action, resource);', 'line 1: a: a forbid says what it leads to and why, with either @ask("why") or @deny("why")'),
    "a forbid that allows": ('@id("a") @allow("x")\nforbid (principal, action, resource);', 'line 1: a: a forbid says what it leads to and why, with either @ask("why") or @deny("why")'),
    "a permit": (
        '@id("a") @allow("x")\npermit (principal, action, resource);',
        "line 1: a: what nothing forbids is permitted already, so a permit has no effect; write forbid, or to loosen something use [trust] or [privacy.may_learn] in the configuration",
    ),
    "an annotation that says nothing": ('@id("a")\n@ask("x")\n@warn("y")\nforbid (principal, action, resource);', "line 3: a: @warn says nothing here; there are: @id, @ask, @deny"),
    "no reason": ('@id("a") @ask("")\nforbid (principal, action, resource);', "line 1: a: its reason is one line of text that a person reads"),
    "a reason of two lines": ('@id("a") @ask("x\\ny")\nforbid (principal, action, resource);', "line 1: a: its reason is one line of text that a person reads"),
    "a reason with an escape sequence": ('@id("a") @ask("\\u{1b}[2J")\nforbid (principal, action, resource);', "line 1: a: its reason is one line of text that a person reads"),
    "a misspelt place in the reason": (
        '@id("a") @ask("{strager}")\nforbid (principal, action, resource);',
        "line 1: a: {strager} in its reason stands for nothing; there are: argument, deciders, receivers, sources, store, strangers, tool",
    ),
    "an argument where there is none": ('@id("a") @ask("{sources}")\nforbid (principal, action, resource);', "line 1: a: {sources} is of one argument, and the rule does not name context.argument"),
    "a template": ('@id("a") @ask("x")\nforbid (principal == ?principal, action, resource);', "line 1: ?principal and ?resource stand for nothing here; leave them out"),
    "no end": ('// mine\n@id("a") @ask("x")\nforbid (principal, action, resource)\n', "line 2: the rule that begins here does not end with ;"),
    "an open text": ('@id("a") @ask("x)\nforbid (principal, action, resource);', "line 1: invalid token; see the rules of default.cedar for the form"),
    "half a name": (rule("when {\n context.argument. }"), "line 4: unexpected token `}`; see the rules of default.cedar for the form"),
    "a missing mark": (rule("when {\n context.strict context.undoable\n}"), "line 4: unexpected token `context`; see the rules of default.cedar for the form"),
    "a missing variable": ('@id("a") @ask("x")\nforbid (principal, action);', "line 2: this policy is missing the `resource` variable in the scope; see the rules of default.cedar for the form"),
    "a method that is not there": (rule('when {\n context.receivers.contans(Receiver::"x") }'), "line 4: `contans` is not a valid method; there are: contains, containsAll, containsAny, isEmpty"),
    "a record as a whole": (
        rule("when { context.arguments.body == context.arguments.note }"),
        "line 1: own: context.arguments.body cannot be used as a whole; name one of its attributes, such as context.argument.sources",
    ),
    "whether there is an argument": (
        rule("when { context has argument }"),
        "line 1: own: context has argument cannot be used as a whole; name one of its attributes, such as context.argument.sources",
    ),
    "brackets that Cedar's parser would not survive": (rule(f"when {{\n {'(' * 5000}true{')' * 5000} }}"), "line 4: brackets are nested too deep; write several rules"),
    "a chain that is too long": (rule(f"when {{ {' && '.join(['context.strict'] * 80)} }}"), "line 1: this rule is too long a chain of && or ||; write several rules"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_in_a_file_is_said_with_its_line(text: str, said: str) -> None:
    """The whole message."""
    with pytest.raises(ConfigError) as caught:
        read_rules(text, FILE)
    assert str(caught.value) == f"{FILE}: {said}"


def test_a_name_of_a_shipped_rule_is_taken() -> None:
    """Two rules of one name would be taken for one another in every journal."""
    for name in ("target-untrusted", "policy-error"):
        with pytest.raises(ConfigError) as caught:
            own(f'\n@id("{name}") @deny("x") forbid (principal, action, resource);')
        assert str(caught.value) == f"{FILE}: line 2: {name} is the name of a shipped rule; give another"


def test_a_file_that_is_too_long_is_refused() -> None:
    """A policy that nobody reads is none."""
    with pytest.raises(ConfigError, match="longer than 500,000 characters"):
        read_rules("/" * (MOST_CHARACTERS + 1), FILE)


def test_comments_texts_and_empty_files() -> None:
    """A semicolon or a slash within a text ends nothing, a rule within a comment is none."""
    text = '// @id("no") forbid;\n@id("a") @ask("one; // two") forbid (principal, action, resource); // ;\n\n@id("b") @deny("x") forbid (principal, action, resource);'
    assert [(each.name, each.verdict, each.reason, each.statement.line) for each in read_rules(text, FILE)] == [
        ("a", "ask", "one; // two", 2),
        ("b", "deny", "x", 4),
    ]
    assert read_rules("", FILE) == ()


def test_every_shipped_rule_has_a_name_a_verdict_and_a_reason() -> None:
    """And the last one is the only permit, so that all of them are asked before it."""
    listed = default_rules().listed
    assert [each.verdict for each in listed].count("allow") == 1
    assert listed[-1].verdict == "allow"
    assert all(each.name and each.reason for each in listed)


def test_no_rule_names_a_tool() -> None:
    """Rules that know the tools of a benchmark, or its words, decide about nothing else: the shipped ones name groups of actions only."""
    named = {name for each in default_rules().listed for name in PART.findall(str(each.tree["action"]))}
    assert named == {"every effect", "give to a model"}
    words = {
        token.text.strip('"')
        for each in default_rules().listed
        for token in each.statement.tokens
        if token.text[0] == '"'
    }
    reasons = {each.reason for each in default_rules().listed}
    names = {each.name for each in default_rules().listed}
    assert words - reasons - names == {"every effect", "give to a model", "unknown", "target"}


@given(
    st.integers(0, 4000), st.sampled_from(["", ";", '"', "{", ")", "\\", "//", "@", "\x00", "é", "permit", "::", " "])
)
def test_a_damaged_file_is_our_error_or_rules(place: int, put: str) -> None:
    """Wherever something is cut out or put in, no other exception comes out."""
    text = default_text()
    for damaged in (text[:place] + put + text[place + 1 :], text[:place], put + text[place:]):
        with contextlib.suppress(ConfigError):
            read_rules(damaged, FILE, is_default=True)


def test_a_rule_is_put_to_each_argument() -> None:
    """Name and role are those of the argument."""
    rules = own(
        rule(
            'when { context.argument.role == Role::"content" && context.argument.name != "note" }',
            reason="{argument} of {tool}",
        )
    )
    arguments = [
        Argument("to", "target", LITERAL),
        Argument("body", "content", LITERAL),
        Argument("note", "content", LITERAL),
    ]
    decision = Policy(rules, PolicySettings()).decide(act(*arguments, tool="send"))
    assert [(reason.rule, reason.text) for reason in decision.reasons] == [("own", "body of send")]


def test_each_shipped_reason_is_a_sentence_before_there_is_a_call() -> None:
    """Nothing between braces is left; a place that stands for nothing stays as it is."""
    assert not [rule.name for rule in default_rules().listed if PLACEHOLDER.search(in_general(rule.reason))]
    assert in_general("{argument} was written by {sources}, {other}") == "an argument was written by others, {other}"
