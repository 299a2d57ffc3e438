"""Which rules may object to a call of which not all is known yet: the same rules, evaluated by the same engine, with facts left open.

Cedar's partial evaluation answers for each rule that it holds, that it does not, or what is left of it to find out. It is an experimental
part of Cedar, and decides nothing here: a run is decided by `Policy.decide` alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cedarpy import is_authorized_partial

from armslength.policy.action import Action
from armslength.policy.compiled import compiled_for, entities_for
from armslength.policy.engine import Policy
from armslength.policy.facts import request_of

POLICY_ERROR = "policy-error"
_OF_RECEIVERS = frozenset({"receivers", "receivers_known", "vouched", "groups", "only_groups"})
_OF_WHOSE = frozenset({"sources", "groups", "only_groups"})
_FIXED = frozenset({"name", "role"})


@dataclass(frozen=True, slots=True)
class Open:
    """What is not known of an action. Where an argument or the control is, so are all facts of it.

    `made`: arguments that the program alone made; their labels here have all of which they may be made.
    """

    arguments: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    control: bool = False
    receivers: bool = False
    has_receivers: bool = False


@dataclass(frozen=True, slots=True)
class May:
    """A rule that may object."""

    rule: str
    verdict: str


def may_object(policy: Policy, action: Action, left_open: Open) -> tuple[May, ...]:
    """Every rule that objects to some call that this one may turn out to be. `action` holds what is known of it."""
    compiled = compiled_for(policy.rules, action)
    request = request_of(action, policy.settings, compiled.named)
    answered = is_authorized_partial(
        {
            **{part: _uid(request[part]) for part in ("principal", "action", "resource")},
            "context": _opened(request["context"], left_open),
        },
        compiled.policies,
        entities_for(action.tool, policy.settings),
    )
    found = answered.diagnostics
    keys = {*found.reasons, *found.nontrivial_residuals}
    spoken = [compiled.spoken[key] for key in keys if key in compiled.spoken]
    rules = {
        each.rule.name: May(each.rule.name, each.rule.verdict) for each in sorted(spoken, key=lambda each: each.place)
    }
    listed = tuple(each for each in rules.values() if each.verdict != "allow")
    return (*listed, May(POLICY_ERROR, "deny")) if found.errors else listed


def _opened(context: Mapping[str, Any], left_open: Open) -> dict[str, Any]:
    opened = dict(context)
    for name in context:
        if (left_open.receivers and name in _OF_RECEIVERS) or (left_open.has_receivers and name == "has_receivers"):
            opened[name] = _unknown(name)
    # Who of the receivers the configuration lets learn something stands in an argument's readers.
    if "arguments" in context:
        opened["arguments"] = {
            name: _of_argument(name, facts, left_open) for name, facts in context["arguments"].items()
        }
    if "control" in context and left_open.control:
        opened["control"] = {name: _unknown(f"control {name}") for name in context["control"]}
    return opened


def _of_argument(argument: str, facts: Mapping[str, Any], left_open: Open) -> dict[str, Any]:
    if argument in left_open.arguments:
        return {name: fact if name in _FIXED else _unknown(f"{argument} {name}") for name, fact in facts.items()}
    if argument in left_open.made:
        # A group with none of all that it may be made of has none of what it is made of.
        is_open = {name: name in _OF_WHOSE and not (name == "groups" and fact == []) for name, fact in facts.items()}
        return {name: _unknown(f"{argument} {name}") if is_open[name] else fact for name, fact in facts.items()}
    return dict(facts)


def _unknown(name: str) -> dict[str, Any]:
    return {"__extn": {"fn": "unknown", "arg": name}}


def _uid(entity: Mapping[str, str]) -> str:
    return f"{entity['type']}::{json.dumps(entity['id'], ensure_ascii=True)}"
