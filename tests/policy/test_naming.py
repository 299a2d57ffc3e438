"""Names in rules: what is not there is an error when the rules are loaded, with its line and what it should be."""

from __future__ import annotations

import pytest
from tests.policy.making import FILE, KEEP, LOOK, SEND, VOCABULARY, own, rule

from armslength.app.policies import default_rules
from armslength.errors import ConfigError
from armslength.policy.naming import check_names
from armslength.policy.schema import Declared, Parameter, Vocabulary

ONLY_SEND = 'principal, action == Action::"send", resource'
WRONG = {
    "a tool": (rule("", head='principal, action == Action::"sned", resource'), "line 2: own: no tool in use is named sned; did you mean send?"),
    "a tool that is nothing like another": (
        rule("", head='principal, action == Action::"xyz", resource'),
        "line 2: own: no tool in use is named xyz; there are: send, keep, undo_keep, give to a model, every effect",
    ),
    "a tool that only reads": (rule("", head='principal, action == Action::"look", resource'), "line 2: own: look only reads, so nothing is decided about it; name an effect"),
    "a parameter": (rule("when {\n context.arguments.bdoy.chosen }", head=ONLY_SEND), "line 4: own: bdoy is no parameter of a tool that the rule is about; did you mean body?"),
    "a parameter that is asked for": (
        rule("when {\n context.arguments has bdoy && context.arguments.bdoy.chosen }"),
        "line 4: own: bdoy is no parameter of a tool that the rule is about; did you mean body?",
    ),
    "a parameter of another tool": (
        rule("when { context.arguments.text.chosen }", head=ONLY_SEND),
        "line 3: own: text is no parameter of a tool that the rule is about; there are: body, note, to",
    ),
    "a parameter that not every tool has": (
        rule("when {\n context.arguments.body.chosen }"),
        "line 4: own: keep has no parameter body; name the tools that have it in the rule's head, or write context.arguments has body && before",
    ),
    "a parameter that may be left out": (
        rule("when {\n context.arguments.note.chosen }", head=ONLY_SEND),
        "line 4: own: send can be called without note; write context.arguments has note && before",
    ),
    "an attribute of an argument": (rule("when { context.argument.chosne }"), "line 3: own: chosne is no attribute of context.argument; did you mean chosen?"),
    "an attribute of a named argument": (rule("when { context.arguments.body.reader }", head=ONLY_SEND), "line 3: own: reader is no attribute of context.arguments.body; did you mean readers?"),
    "an attribute of the control context": (rule("when { context.control.role }"), "line 3: own: role is no attribute of context.control; there are: sources, choice, bits, trusted, chosen, public, readers, steer_public, steer, groups, only_groups"),
    "an attribute of the call": (rule("when { context has undoabel }"), "line 3: own: undoabel is no attribute of context; did you mean undoable?"),
    "an attribute of the user": (rule("when { principal.adresses.isEmpty() }"), "line 3: own: adresses is no attribute of principal; did you mean addresses?"),
    "a group": (rule('when { context.groups.contains(Group::"famly") }'), 'line 3: own: there is no Group::"famly"; did you mean family?'),
    "a store": (rule("", head='principal, action, resource == Store::"flies"'), 'line 2: own: there is no Store::"flies"; did you mean files?'),
    "the role of one argument": (
        rule('when { context.arguments.to.role == Role::"target" }', head='principal, action == Action::"send", resource'),
        "line 3: own: a rule is put to each argument by its role, so ask for context.argument.role",
    ),
    "a role": (rule('when { context.argument.role == Role::"traget" }'), 'line 3: own: there is no Role::"traget"; did you mean target?'),
    "a user": (rule("", head='principal == User::"me", action, resource'), 'line 2: own: there is no User::"me"; there are: you'),
    "a type": (rule('when { context.groups.contains(Grop::"family") }'), "line 3: own: Grop is no type; did you mean Group?"),
    "a type that is asked for": (rule("", head="principal is Usr, action, resource"), "line 2: own: Usr is no type; did you mean User?"),
    "a source": (rule('when { context.argument.sources.contains(Source::"mial:x") }'), 'line 3: own: Source::"mial:x" names no source; did you mean mail:…?'),
    "a pattern of sources": (
        rule('when { context.argument.sources.contains(Source::"mail:*@b.example") }'),
        'line 3: own: Source::"mail:*@b.example" is one name, not a pattern; make a group of it in [groups], and write Group::"..."',
    ),
    "a pattern of receivers": (
        rule('when { context.receivers.contains(Receiver::"*@b.example") }'),
        'line 3: own: Receiver::"*@b.example" is one name, not a pattern; make a group of it in [groups], and write Group::"..."',
    ),
    "a receiver that cannot be": (
        rule('when { context.receivers.contains(Receiver::"Kim@b.example") }'),
        'line 3: own: Receiver::"Kim@b.example" never occurs, receivers are in lower case; did you mean kim@b.example?',
    ),
    "a text for a source": (rule('when { context.argument.sources.contains("mail:x") }'), "line 1: own: the types String and Source are not compatible"),
    "a receiver for a source": (rule('when { context.argument.sources.contains(Receiver::"x") }'), "line 1: own: the types Receiver and Source are not compatible"),
    "a number for a truth": (rule("when { context.argument.bits }"), "line 1: own: unexpected type: expected Bool but saw Long"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_name_that_is_not_there(text: str, said: str) -> None:
    """The whole message."""
    with pytest.raises(ConfigError) as caught:
        own(text)
    assert str(caught.value) == f"{FILE}: {said}"


RIGHT = {
    "all there is of an argument": "when { context.argument.bits > 3 && context.argument.trusted && context.argument.public && context.argument.steer_public }",
    "sets of an argument": "when { context.argument.sources.isEmpty() || context.argument.choice.isEmpty() || context.argument.readers.isEmpty() || context.argument.steer.isEmpty() }",
    "groups": 'when { context.argument.groups.contains(Group::"work") && !context.argument.only_groups.contains(Group::"family") }',
    "a parameter that is asked for": "when { context.arguments has body && context.arguments.body.chosen }",
    "by a text": 'when { context["arguments"] has "body" && !context.arguments["body"].chosen }',
    "the user": 'when { principal in Group::"family" && principal.addresses.containsAll(context.receivers) && principal.name like "A*" }',
    "the call": 'when { resource == Store::"nothing" && context.vouched && !context.undoable && context.receivers_known && context.has_receivers }',
    "an inverse": 'when { action in [Action::"undo_keep", Action::"keep"] }',
    "everybody's mail": 'when { context.argument.choice.contains(Source::"mail:*") }',
}  # fmt: skip


@pytest.mark.parametrize("rest", RIGHT.values(), ids=RIGHT.keys())
def test_what_a_rule_can_say(rest: str) -> None:
    """Each is taken."""
    assert own(rule(rest)).listed[-1].name == "own"


def test_the_shipped_rules_are_right_with_any_tools() -> None:
    """They name no tool, parameter or group of anybody's, so they need no check when they are loaded."""
    for tools in ((KEEP,), (SEND, KEEP, LOOK)):
        check_names(default_rules().listed, Vocabulary(tools, (), ("mail",), ("user",)))


def test_odd_names_of_tools_make_a_schema() -> None:
    """Whatever a server calls its tools and stores."""
    odd = Declared(
        'a "b"\n\\', (Parameter('x" y', "target", False), Parameter("in", "content", True)), 'st"ore', True, True, True
    )
    vocabulary = Vocabulary((odd,), ("a group",), ("mail",), ("user",))
    assert 'action "a \\u{22}b\\u{22}\\u{a}\\u{5c}" in ["every effect"]' in vocabulary.text
    check_names(default_rules().listed, vocabulary)


def test_the_same_file_is_right_or_wrong_by_the_tools_in_use() -> None:
    """A rule about a tool that is not configured any more is no rule in waiting."""
    text = rule("", head=ONLY_SEND)
    assert own(text)
    rules = own(text).listed[-1:]
    with pytest.raises(ConfigError, match="no tool in use is named send"):
        check_names(rules, Vocabulary((KEEP,), (), VOCABULARY.kinds, VOCABULARY.single))
