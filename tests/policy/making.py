"""Actions, tools and rule sets for the tests of the policy."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from armslength.app.policies import default_rules, default_text
from armslength.app.table import KINDS, SINGLE
from armslength.labels import NOTHING, PUBLIC, Label, Readers, Source, label
from armslength.policy.engine import Action, Argument, Decision, Policy, PolicySettings, Rules
from armslength.policy.naming import check_names
from armslength.policy.rules import read_rules, together
from armslength.policy.schema import Declared, Parameter, Vocabulary

MAIL = Source("mail:unverified")
STORE = Source("store:mail", is_trusted=True)
KIM = Readers(frozenset({"kim@b.example"}))
FILE = "own.cedar"

SEND = Declared(
    "send",
    (Parameter("to", "target", False), Parameter("body", "content", False), Parameter("note", "content", True)),
    "outbox", False, True, True,
)  # fmt: skip
KEEP = Declared(
    "keep", (Parameter("place", "target", False), Parameter("text", "content", False)), "files", True, False, True
)
LOOK = Declared("look", (Parameter("what", "query", False),), None, False, False, False)
VOCABULARY = Vocabulary((SEND, KEEP, LOOK), ("family", "work"), KINDS, SINGLE)


def act(
    *arguments: Argument,
    control: Label = NOTHING,
    receivers: tuple[str, ...] | None = (),
    tool: str = "tool",
    **more: object,
) -> Action:
    """An undoable change without receivers, unless said otherwise."""
    facts: dict[str, object] = {"are_vouched": True, "changes": "files", "is_undoable": True, **more}
    return Action(tool, arguments, control, receivers, **facts)  # type: ignore[arg-type]


def target(given_label: Label) -> Argument:
    return Argument("to", "target", given_label)


def content(given_label: Label) -> Argument:
    return Argument("body", "content", given_label)


def decide(action: Action, settings: PolicySettings) -> Decision:
    """By the shipped policy."""
    return Policy(default_rules(), settings).decide(action)


def rule(rest: str, *, verdict: str = "ask", reason: str = "why", head: str = "principal, action, resource") -> str:
    """A rule of the user's, named `own`, over three lines."""
    return f'@id("own") @{verdict}("{reason}")\nforbid ({head})\n{rest};\n'


def own(text: str) -> Rules:
    """The shipped rules and these, checked against the tools above."""
    found = read_rules(text, FILE)
    check_names(found, VOCABULARY)
    return together(default_rules(), found)


def part_of_default(*left_out: int) -> Rules:
    """The shipped rules without those at these places."""
    listed = read_rules(default_text(), "default.cedar", is_default=True)
    return Rules(tuple(each for place, each in enumerate(listed) if place not in left_out))


SOURCES = st.frozensets(
    st.sampled_from([MAIL, Source("web:a.example"), Source("quarantined"), STORE, Source("user", is_trusted=True)]), max_size=3
)  # fmt: skip
READERS = st.one_of(st.just(PUBLIC), st.frozensets(st.sampled_from(["kim@b.example", "eve@c.example"])).map(Readers))
LABELS = st.builds(
    lambda data, choice, bits, readers, steer, intact: label(data, choice=choice, bits=bits, readers=readers, steer=steer, intact=intact),
    SOURCES, SOURCES, st.integers(0, 9), READERS, READERS, st.booleans(),
)  # fmt: skip
ROLES = st.sampled_from(["target", "content", "query", "odd"])
ACTIONS = st.builds(
    lambda arguments, control, receivers, vouched, undoable: act(
        *(Argument(f"a{place}", role, each) for place, (role, each) in enumerate(arguments)),
        control=control, receivers=receivers, are_vouched=vouched, is_undoable=undoable,
    ),
    st.lists(st.tuples(ROLES, LABELS), max_size=3), LABELS,
    st.one_of(st.none(), st.lists(st.sampled_from(["kim@b.example", "eve@c.example"]), max_size=2, unique=True).map(tuple)),
    st.booleans(), st.booleans(),
)  # fmt: skip
POLICIES = st.builds(PolicySettings, st.sampled_from([(), ("mail:*",), ("*",)]), st.booleans(), st.booleans())
STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}


PART = re.compile(r"'id': '([^']*)'")
"""The names of entities in a rule's head, in Cedar's JSON form."""
