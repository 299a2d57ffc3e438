"""The elements that a loop goes through: row "iterate". Used by `for` and by comprehensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armslength.labels import NOTHING, Label
from armslength.language.machine import Machine, Region
from armslength.language.operations.elements import reading, walk_label
from armslength.language.operations.walking import begin_walk, walk
from armslength.values import DictObject, ListObject, SetObject, TupleObject, Value, restrict, unwrap


def guarded_walk(machine: Machine, region: Region, iterable: Value) -> Iterator[Value]:
    """Each element, after "is there a next" has guarded the region; once more after the last.

    The region holds the iterable meanwhile, as no name need lead to it. A shape that a pass of the loop upgrades guards the next one.

    Raises:
        ProgramFailed: it has no elements.
    """
    held = region.held
    region.held = (*held, iterable)
    raw = unwrap(iterable)
    if isinstance(raw, ListObject | TupleObject):
        yield from _followed(machine, region, iterable, raw)
    elif isinstance(raw, DictObject | SetObject):
        held_now = (
            [entry.key for entry in raw.entries.values()] if isinstance(raw, DictObject) else raw.entries.values()
        )
        yield from _gone_through(machine, region, iterable, raw, list(held_now))
    else:
        for element in walk(machine, iterable):
            machine.guard(region, walk_label(iterable))
            yield element
    machine.guard(region, walk_label(iterable))
    region.held = held


def _followed(machine: Machine, region: Region, iterable: Value, raw: ListObject | TupleObject) -> Iterator[Value]:
    """The elements of a list that may grow, and whose shape may be upgraded, meanwhile."""
    begin_walk(machine, iterable)
    guard = gain = NOTHING
    shape: Label | None = None
    position = 0
    while position < len(raw.items):
        if raw.shape is not shape:
            shape, guard, gain = raw.shape, walk_label(iterable).guards, reading(iterable)
        if guard is not NOTHING:
            machine.gain(region, guard)
        item = raw.items[position]
        position += 1
        yield item if gain is NOTHING else restrict(item, gain)


def _gone_through(
    machine: Machine, region: Region, iterable: Value, raw: DictObject | SetObject, items: Sequence[Value]
) -> Iterator[Value]:
    """What a dict or set holds now. Its shape may be upgraded meanwhile."""
    begin_walk(machine, iterable)
    guard = gain = NOTHING
    shape: Label | None = None
    for item in items:
        if raw.shape is not shape:
            shape, guard, gain = raw.shape, walk_label(iterable).guards, reading(iterable)
        if guard is not NOTHING:
            machine.gain(region, guard)
        yield item if gain is NOTHING else restrict(item, gain)
