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
_BEFORE = frozenset({"undoable", "takes_back", "small_planner", "strict", "at_once", "may_be_told"})
"""Facts of a call that its declaration and the configuration tell. Of all others, also of those that are not named here, a store may tell."""
_BY_LABEL = frozenset({"whole", "exact", "named", "mixed", "by_model", "receivers_chose", "quoted", "links", "own"})
"""Facts of an argument that its label tells, or that matter only where its label says that others wrote it."""
_OF_RECEIVERS = frozenset({"receivers", "receivers_known", "vouched", "groups", "only_groups"})
_OF_WHOSE = frozenset({"sources", "groups", "only_groups"})
_OF_A_LABEL = _OF_WHOSE | {"choice", "bits", "trusted", "chosen", "public", "readers", "steer_public", "steer"}
_FIXED = frozenset({"name", "role"})


@dataclass(frozen=True, slots=True)
class Open:
    """What is not known of an action. Where an argument or the control is, so are all facts of it.

    `made`: arguments that the program alone made; their labels here have all of which they may be made. `acting`: arguments that a program
    which opens what is written may carry out.
    """

    arguments: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    acting: frozenset[str] = frozenset()
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
    """The facts of a request, with those unknown that are not told before. Unknown is whatever is not known to be told."""
    opened: dict[str, Any] = {}
    for name, fact in context.items():
        match name:
            case "arguments":
                opened[name] = {each: _of_argument(each, facts, left_open) for each, facts in fact.items()}
            case "control":
                kept = frozenset() if left_open.control else _OF_A_LABEL
                opened[name] = {
                    each: value if each in kept else _unknown(f"{name} {each}") for each, value in fact.items()
                }
            case "has_receivers":
                opened[name] = _unknown(name) if left_open.has_receivers else fact
            case (
                "known" | "alike" | "named" | "said" | "private" | "told"
            ):  # of arguments and receivers together, and of what happened before
                is_open = left_open.arguments or left_open.control or left_open.receivers
                opened[name] = _unknown(name) if is_open else fact
            case _:
                is_told = name in _BEFORE or (name in _OF_RECEIVERS and not left_open.receivers)
                opened[name] = fact if is_told else _unknown(name)
    return opened


def _of_argument(argument: str, facts: Mapping[str, Any], left_open: Open) -> dict[str, Any]:
    kept = _FIXED if argument in left_open.arguments else _FIXED | _OF_A_LABEL | _BY_LABEL
    if argument in left_open.made:
        # A group with none of all that it may be made of has none of what it is made of.
        kept -= _OF_WHOSE if facts.get("groups") else _OF_WHOSE - {"groups"}
    if argument not in left_open.acting:
        kept |= {"acts"}
    return {name: fact if name in kept else _unknown(f"{argument} {name}") for name, fact in facts.items()}


def _unknown(name: str) -> dict[str, Any]:
    return {"__extn": {"fn": "unknown", "arg": name}}


def _uid(entity: Mapping[str, str]) -> str:
    return f"{entity['type']}::{json.dumps(entity['id'], ensure_ascii=True)}"
