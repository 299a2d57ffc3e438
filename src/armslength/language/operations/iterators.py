"""What is used up by walking: `iter next map filter reversed enumerate zip`. All are computed at once, and give an `IteratorObject`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from armslength.labels import NOTHING, SATURATED, Label, construct, made_of, steered, steering
from armslength.language.machine import Machine
from armslength.language.operations.calling import call_for_each
from armslength.language.operations.elements import mingle, read, walk_label
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import truth, truth_label
from armslength.values import (
    DictObject,
    IteratorObject,
    ListObject,
    TupleObject,
    Value,
    make,
    restrict,
    unwrap,
    upgrade,
)


def iterator(items: Iterable[Value], shape: Label) -> Value:
    """A new iterator over these. The reference to it is new and says nothing."""
    return make(IteratorObject(items, shape), NOTHING)


def make_iterator(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`iter`: over a copy of what is there now; an iterator is its own."""
    if isinstance(unwrap(args[0]), IteratorObject):
        return args[0]
    return iterator(walk_all(machine, args[0]), walk_label(args[0]))


def take_next(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`next`: row "select"; the shape decides which is next, and whether there is one."""
    source = args[0]
    raw = unwrap(source)
    if not isinstance(raw, IteratorObject):
        raise machine.failed("type", "next takes an iterator; write iter(x)", source.label)
    shape = walk_label(source)
    machine.may_raise(shape)
    gain = steering(shape, 1) if len(args) == 2 else NOTHING
    mingle(machine, source, args[1:], gain)
    if raw.left:
        return restrict(read(raw.left.pop(), source), gain)
    if len(args) == 2:
        return restrict(args[1], gain)
    raise machine.failed("stop", "there is no next element", shape)


def map_each(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`map`: what the function gives; the shape is constructed of all shapes."""
    rows, shape = _rows(machine, args[1:])
    results = call_for_each(machine, args[0], rows, shape)
    machine.spend_elements(len(results))
    return iterator(results, shape)


def filter_each(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`filter`: elements keep their labels; the shape takes what each test decided, and so does all that could be in or out."""
    function, source = args
    items, shape = walk_all(machine, source), walk_label(source)
    tests = items
    if unwrap(function) is not None:
        tests = call_for_each(machine, function, [[item] for item in items], shape)
    gain = steering(function.label, 1)
    for test in tests:
        gain = steered(gain, steering(truth_label(test), 1))
    machine.spread(items, gain)
    kept = [item for item, test in zip(items, tests, strict=True) if truth(test)]
    return iterator(kept, made_of(steered(shape, gain)))


def reverse(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`reversed`: elements keep their labels."""
    if not isinstance(unwrap(args[0]), str | ListObject | TupleObject | DictObject):
        raise machine.failed("type", "reversed takes a list, a tuple, a text or a dict", args[0].label)
    return iterator(walk_all(machine, args[0])[::-1], walk_label(args[0]))


def count_each(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`enumerate`: pairs of an index, which has row "size", and the element, which keeps its label."""
    start = args[1] if len(args) == 2 else named.get("start", make(0, NOTHING))
    first = unwrap(start)
    if not isinstance(first, int):
        raise machine.failed("type", "enumerate does not take this", start.label)
    shape = walk_label(args[0])
    counted = construct(shape, start.label)
    items = walk_all(machine, args[0])
    machine.spend_elements(3 * len(items))
    pairs = [make(TupleObject([make(first + i, counted), item], NOTHING), NOTHING) for i, item in enumerate(items)]
    return iterator(pairs, shape)


def zip_all(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`zip`: tuples of elements; the shape is constructed of all shapes."""
    strict = named.get("strict")
    rows, shape = _rows(machine, args, strict)
    machine.spend_elements(len(rows) * (len(args) + 1))
    return iterator([make(TupleObject(row, NOTHING), NOTHING) for row in rows], shape)


def _rows(machine: Machine, columns: Sequence[Value], strict: Value | None = None) -> tuple[list[list[Value]], Label]:
    """One element of each, until one has no more; and what decided how many.

    An iterator gives only what is taken, one that stands here twice gives in turn; and what each has left is decided by all.

    Raises:
        ProgramFailed: one has no elements, or `strict` and they are not of one length.
    """
    shape = construct(*map(walk_label, columns))
    gain = NOTHING
    for column in columns:
        gain = steered(gain, steering(walk_label(column), SATURATED))
    used = [raw for raw in map(unwrap, columns) if isinstance(raw, IteratorObject)]
    for column in columns:
        mingle(machine, column, (), gain)
    left = [_left(machine, column) for column in columns]
    rows, is_even = _in_turn(machine, columns, left)
    upgrade(used, gain)
    if strict is not None:
        machine.may_raise(construct(shape, truth_label(strict)))
        if truth(strict) and not is_even:
            raise machine.failed("value", "these are not of one length", shape, strict.label)
    return rows, shape


def _left(machine: Machine, column: Value) -> list[Value]:
    raw = unwrap(column)
    return raw.left if isinstance(raw, IteratorObject) else walk_all(machine, column)[::-1]


def _in_turn(machine: Machine, columns: Sequence[Value], left: list[list[Value]]) -> tuple[list[list[Value]], bool]:
    """The rows, and whether all ended together."""
    rows: list[list[Value]] = []
    while columns:
        row: list[Value] = []
        for column, items in zip(columns, left, strict=True):
            if not items:
                return rows, not row and not any(left)
            item = items.pop()
            row.append(read(item, column) if isinstance(unwrap(column), IteratorObject) else item)
        machine.spend_elements(len(row))
        rows.append(row)
    return rows, True
