"""What would change a decision: the same call decided again with one fact changed at a time, and with as many as it takes to be allowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from armslength.policy.action import STRICTNESS, Action, Decision
from armslength.policy.changes import Change, changes
from armslength.policy.engine import Policy


@dataclass(frozen=True, slots=True)
class Changed:
    """What the decision would be if these were otherwise."""

    said: tuple[str, ...]
    decision: Decision


def what_would_change(policy: Policy, action: Action) -> tuple[Changed, ...]:
    """Each single change that makes the verdict another or takes a reason away, those that allow first.

    Where none of them allows, what together does comes last, if anything does.
    """
    decided = policy.decide(action)
    found = [
        Changed((change.said,), after)
        for change in _changes(policy, action)
        if _matters(decided, after := _after(policy, action, [change]))
    ]
    found.sort(key=lambda each: (STRICTNESS[each.decision.verdict], len(each.decision.reasons)))
    if decided.verdict != "allow" and not any(each.decision.verdict == "allow" for each in found):
        together = _together(policy, action)
        return (*found, *([] if together is None else [together]))
    return tuple(found)


def _changes(policy: Policy, action: Action) -> list[Change]:
    return changes(policy.rules, action, policy.settings)


def _after(policy: Policy, action: Action, made: Iterable[Change]) -> Decision:
    settings = policy.settings
    for change in made:
        action, settings = change.make(action, settings)
    return replace(policy, settings=settings).decide(action)


def _matters(before: Decision, after: Decision) -> bool:
    """Of what is not allowed, only what brings it nearer to that: no rule speaks that did not before."""
    if before.verdict == "allow":
        return after.verdict != "allow"
    is_nearer = {reason.rule for reason in after.reasons} <= {reason.rule for reason in before.reasons}
    return _weight(after) < _weight(before) and (is_nearer or after.verdict != before.verdict)


def _weight(decision: Decision) -> tuple[int, int]:
    return STRICTNESS[decision.verdict], len(decision.reasons)


def _together(policy: Policy, action: Action) -> Changed | None:
    """Change by change, each the one that helps most, until it is allowed."""
    made: list[Change] = []
    decided = policy.decide(action)
    while decided.verdict != "allow":
        tried = [
            (_weight(_after(policy, action, [*made, each])), place)
            for place, each in enumerate(_changes(policy, action))
        ]
        best, place = min(tried, default=((9, 9), 0))
        if best >= _weight(decided):
            return None
        made.append(_changes(policy, action)[place])
        decided = _after(policy, action, made)
    return Changed(tuple(change.said for change in made), decided)
