"""The elements that a loop goes through: row "iterate". Used by `for` and by comprehensions."""

from __future__ import annotations

from collections.abc import Iterator

from armslength.labels import NOTHING
from armslength.language.machine import Machine, Region
from armslength.language.operations.elements import walk, walk_label
from armslength.values import DictObject, IteratorObject, ListObject, SetObject, TupleObject, Value, unwrap

_SHAPED = (ListObject, TupleObject, DictObject, SetObject, IteratorObject)


def guarded_walk(machine: Machine, region: Region, iterable: Value) -> Iterator[Value]:
    """Each element, after "is there a next" has guarded the region; once more after the last.

    The region holds the iterable meanwhile, as no name need lead to it. A shape that a pass of the loop upgrades guards the next one.

    Raises:
        ProgramFailed: it has no elements.
    """
    region.held.append(iterable)
    raw = unwrap(iterable)
    if isinstance(raw, _SHAPED):
        shape, label = raw.shape, walk_label(iterable)
        is_silent = label.steers[1] is NOTHING
        for element in walk(machine, iterable):
            if raw.shape is not shape:
                shape, label = raw.shape, walk_label(iterable)
                is_silent = label.steers[1] is NOTHING
            if not is_silent:
                machine.guard(region, label)
            yield element
    else:
        for element in walk(machine, iterable):
            machine.guard(region, walk_label(iterable))
            yield element
    machine.guard(region, walk_label(iterable))
    region.held.pop()
