"""Which effects fall when others are refused: those that were thought of as coming after them.

A change builds on the earlier ones to its store, unless both their tools say that each call stands by itself (`Tool.is_independent`), as
two mails in one outbox do.
"""

from __future__ import annotations

from collections.abc import Sequence

from armslength.agent.effects.effects import Effect, Pending


def follows(later: Effect, earlier: Effect) -> bool:
    """Whether the later of two effects of a queue builds on the earlier."""
    is_same_place = later.tool.changes == earlier.tool.changes
    return is_same_place and not (later.tool.is_independent and earlier.tool.is_independent)


def falling_with(effects: Sequence[Effect], refused: set[int]) -> set[int]:
    """The places of those that do not happen where these places are refused: what follows on them, and on what falls."""
    gone = set(refused)
    for place, effect in enumerate(effects):
        if place not in gone and any(follows(effect, effects[each]) for each in gone if each < place):
            gone.add(place)
    return gone - refused


def drop_what_follows(batch: Sequence[Pending]) -> None:
    """What was refused takes with it what follows on it and still waits."""
    refused = {place for place, pending in enumerate(batch) if pending.status == "declined"}
    for place in falling_with([pending.effect for pending in batch], refused):
        if batch[place].status == "waiting":
            batch[place].status, batch[place].note = "dropped", "it comes after what you refused, at the same place"


def unasked_with(batch: Sequence[Pending], asked: Pending) -> tuple[Effect, ...]:
    """What needs no yes and falls where this is refused, so that its item can say so."""
    place = next(number for number, pending in enumerate(batch) if pending is asked)
    falling = falling_with([pending.effect for pending in batch], {place})
    return tuple(batch[each].effect for each in sorted(falling) if batch[each].decision.verdict == "allow")
