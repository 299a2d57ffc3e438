"""The rules as Cedar evaluates them for one shape of call: a tool with these arguments. Made once for each shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cedarpy import Entities, PolicySet

from armslength.policy.action import SHOW_TO_MODEL, Action
from armslength.policy.facts import entities_of, plain_text, roles_as
from armslength.policy.rules import Rule, Rules
from armslength.policy.settings import PolicySettings
from armslength.policy.trees import Tree, attributes_of, policy_set, put_to

_MOST_SHAPES = 512


@dataclass(frozen=True, slots=True)
class Spoken:
    """A rule, and the argument that it was put to, if it is about each; `place` is its place in the order of reasons."""

    place: int
    rule: Rule
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class Compiled:
    """What Cedar evaluates. `spoken`: what each of its policies is; `named`: the facts that a request must hold."""

    policies: PolicySet
    spoken: Mapping[str, Spoken]
    named: frozenset[str]


Shape = tuple[tuple[str, tuple[str, ...]], ...]
"""Of each argument its name, and the roles as which it is judged."""


def compiled_for(rules: Rules, action: Action) -> Compiled:
    """The rules for a call of this shape."""
    shape = tuple((plain_text(argument.name), roles_as(argument.role)) for argument in action.arguments)
    return _compiled(rules, shape, is_effect=action.tool != SHOW_TO_MODEL)


@lru_cache(maxsize=_MOST_SHAPES)
def _compiled(rules: Rules, shape: Shape, *, is_effect: bool) -> Compiled:
    policies: dict[str, Tree] = {}
    spoken: dict[str, Spoken] = {}
    concerned = [rule for rule in rules.listed if is_effect or rule.names_an_action or rule.verdict == "allow"]
    for place, rule in enumerate(concerned):
        for argument, role, tree in _put(rule, shape):
            key = f"{place}" if argument is None else f"{place}/{argument}/{role}"
            policies[key], spoken[key] = tree, Spoken(place, rule, argument)
    named = frozenset[str]().union(*map(attributes_of, policies.values()))
    return Compiled(policy_set(policies), spoken, named)


def _put(rule: Rule, shape: Shape) -> Iterator[tuple[int | None, str, Tree]]:
    """The rule for each argument. One whose role nobody declared has every role: it objects if it would in any of them."""
    if not rule.is_per_argument:
        yield None, "", rule.tree
        return
    for number, (name, roles) in enumerate(shape):
        for role in roles:
            yield number, role, put_to(rule.tree, name, role)


@lru_cache(maxsize=_MOST_SHAPES)
def entities_for(tool: str, settings: PolicySettings) -> Entities:
    """What Cedar knows of the user and the tool."""
    return Entities.from_json_str(json.dumps(entities_of(tool, settings)))
