"""Walking containers: row "iterate"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armslength.labels import NOTHING, construct
from armslength.language.machine import Machine
from armslength.language.operations.elements import mingle, read, reading, size_of, walk_label
from armslength.language.operations.wholes import unmixed
from armslength.values import (
    DictObject,
    IteratorObject,
    ListObject,
    SetObject,
    TupleObject,
    Value,
    make,
    restrict,
    unwrap,
)


def walk(machine: Machine, iterable: Value) -> Iterator[Value]:
    """The elements one by one, each read through reference and shape. An iterator loses each element before it is given.

    Raises:
        ProgramFailed: it has no elements to walk.
    """
    iterable = unmixed(iterable)
    begin_walk(machine, iterable)
    raw = unwrap(iterable)
    match raw:
        case ListObject() | TupleObject():
            return _copied(iterable, raw, raw.items)
        case IteratorObject():
            return _used_up(iterable, raw)
        case str():
            label = construct(iterable.label)
            return (make(character, label) for character in raw)
        case DictObject():
            machine.spend(len(raw.entries) // _COPIED)
            return _copied(iterable, raw, [entry.key for entry in raw.entries.values()])
        case SetObject():
            machine.spend(len(raw.entries) // _COPIED)
            return _copied(iterable, raw, list(raw.entries.values()))
        case _:
            raise machine.failed("type", "this has no elements to go through", iterable.label)


_COPIED = 8
"""So many elements that a walk sets aside, whether it comes to them or not, count as one character."""


def begin_walk(machine: Machine, iterable: Value) -> None:
    """A walk may fail, by what is walked; and what a list or an iterator holds takes what decides how far it goes."""
    machine.may_raise(iterable.label)
    if isinstance(unwrap(iterable), ListObject | TupleObject | IteratorObject):
        mingle(machine, iterable)


def _used_up(iterable: Value, raw: IteratorObject) -> Iterator[Value]:
    while raw.left:
        yield read(raw.left.pop(), iterable)


def _copied(
    iterable: Value, raw: ListObject | TupleObject | DictObject | SetObject, items: Sequence[Value]
) -> Iterator[Value]:
    """What it holds now; its shape may be upgraded meanwhile."""
    shape, gain = raw.shape, reading(iterable)
    for item in items:
        if raw.shape is not shape:
            shape, gain = raw.shape, reading(iterable)
        yield item if gain is NOTHING else restrict(item, gain)


def walk_all(machine: Machine, iterable: Value) -> list[Value]:
    """All elements at once, as `walk` gives them. What is done with each may fail, so whether there is one is told by failing."""
    machine.may_raise(walk_label(iterable))
    machine.spend_elements(size_of(iterable))
    return list(walk(machine, iterable))
