"""A preview held against what really happened: what it missed, and what of its predictions did not come."""

from __future__ import annotations

from dataclasses import dataclass, field

from armslength.agent.planning.preview import Foretold
from armslength.app import Assistant, Result
from armslength.errors import ProgramRefused

Place = tuple[int, int, str]


@dataclass
class Compared:
    """One run. `missed`: place and rule of what objected and was not foreseen, or the place alone of an effect that was not.

    `unexpected`: places that asked, or were denied, and were foreseen only as a perhaps. `expected`, `came`: the places that were
    expected to ask, and those of them that did. `reached`: the places that effects came from.
    """

    missed: list[tuple[Place, str]] = field(default_factory=list)
    unexpected: set[Place] = field(default_factory=set)
    expected: set[Place] = field(default_factory=set)
    came: set[Place] = field(default_factory=set)
    reached: set[Place] = field(default_factory=set)


def compare(assistant: Assistant, result: Result, *, pasted: str | None = None, is_strict: bool = False) -> Compared:
    """The preview of the program of a run against the run's decisions."""
    try:
        foretold = assistant.preview(result.outcome.program, pasted=pasted, is_strict=is_strict)
    except ProgramRefused:
        return Compared()
    return held_against(foretold, result)


def held_against(foretold: tuple[Foretold, ...], result: Result) -> Compared:
    """What of it came, and what came beside it."""
    by_place = {(each.line, each.column, each.tool): each for each in foretold}
    compared = Compared(expected={place for place, each in by_place.items() if each.verdict != "allow"})
    for pending in result.outcome.effects:
        site = pending.effect.site
        place = (site.line, site.column, pending.effect.tool.name)
        compared.reached.add(place)
        known = by_place.get(place)
        if known is None:
            compared.missed.append((place, ""))
        elif pending.decision.verdict != "allow":
            rules = {reason.rule for reason in pending.decision.reasons}
            compared.missed += [(place, rule) for rule in sorted(rules - known.foreseen)]
            if known.verdict == "allow":
                compared.unexpected.add(place)
    compared.came = compared.expected & {
        (pending.effect.site.line, pending.effect.site.column, pending.effect.tool.name)
        for pending in result.outcome.effects
        if pending.decision.verdict != "allow"
    }
    return compared
