"""Sets and dicts joined, met and subtracted: whoever could be in one of them decides who is in the result.

A set's shape holds the labels of all its members (`elements.add`), so the result's shape is constructed of the shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armslength.labels import NOTHING, SATURATED, construct, steering
from armslength.language.machine import Machine
from armslength.language.operations.elements import mingle, read, walk_label
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import unmixed
from armslength.language.operations.writing import add, put
from armslength.values import DictObject, Entry, Key, SetObject, Value, make, unwrap

Members = dict[Key, Value]
SetOperation = Callable[[Members, Members], Members]


def united(a: Members, b: Members) -> Members:
    """In one of them; of equal members, the first's."""
    return a | without(b, a)


def met(a: Members, b: Members) -> Members:
    """In both of them; of equal members, the smaller set's, as in Python."""
    fewer, more = (a, b) if len(a) < len(b) else (b, a)
    return {key: member for key, member in fewer.items() if key in more}


def _met_walked(a: Members, b: Members) -> Members:
    return {key: member for key, member in b.items() if key in a}


def without(a: Members, b: Members) -> Members:
    """In the first and not in the second."""
    return {key: member for key, member in a.items() if key not in b}


def apart(a: Members, b: Members) -> Members:
    """In just one of them."""
    return without(a, b) | without(b, a)


def combined(machine: Machine, operation: SetOperation, left: Value, others: Sequence[Value]) -> Value:
    """A new set of what the operation leaves of the left one and the others, which may be anything that can be walked.

    Raises:
        ProgramFailed: one of the others has no elements, or one that is no key.
    """
    members, shape = _members(left), walk_label(left)
    machine.spend_elements(len(members))
    for other in others:
        given = as_set(machine, other)
        coming = _members(given)
        machine.spend_elements(len(coming))
        applied = _met_walked if operation is met and given is not other else operation
        members, shape = applied(members, coming), construct(shape, walk_label(given))
    made = SetObject(shape)
    made.entries = members
    return make(made, NOTHING)


def change(machine: Machine, operation: SetOperation, target: Value, others: Sequence[Value]) -> None:
    """The same, in place."""
    changed, made = unwrap(target), unwrap(combined(machine, operation, target, others))
    if isinstance(changed, SetObject) and isinstance(made, SetObject):
        changed.entries, changed.shape = made.entries, made.shape


def as_set(machine: Machine, value: Value) -> Value:
    """The value itself if it is a set, else a set of its elements.

    Raises:
        ProgramFailed: it has no elements, or one that is no key.
    """
    value = unmixed(value)
    if isinstance(unwrap(value), SetObject):
        return value
    made = SetObject(walk_label(value))
    for member in walk_all(machine, value):
        add(machine, made, member)
    return make(made, NOTHING)


def _members(value: Value) -> Members:
    raw = unwrap(value)
    if not isinstance(raw, SetObject):
        return {}
    return {key: read(member, value) for key, member in raw.entries.items()}


# Dicts


def copy_dict(machine: Machine, owner: Value) -> Value:
    """A new dict with the same entries, which can be changed.

    Raises:
        ProgramFailed: it is no dict.
    """
    raw = unwrap(owner)
    if not isinstance(raw, DictObject):
        raise machine.failed("type", "this is no dict", owner.label)
    copied = DictObject(construct(owner.label, raw.shape))
    machine.spend_elements(len(raw.entries))
    copied.entries = {
        key: Entry(read(entry.key, owner), read(entry.value, owner)) for key, entry in raw.entries.items()
    }
    return make(copied, NOTHING)


def merge(machine: Machine, target: Value, source: Value) -> None:
    """Row "keyed write" for each entry of a dict, or each pair of anything else that can be walked.

    What the target holds may be replaced or not, so it takes what decides which keys come.

    Raises:
        ProgramFailed: there is something that is no pair, or no key.
    """
    source = unmixed(source)
    into, given = unwrap(target), unwrap(source)
    if not isinstance(into, DictObject):
        raise machine.failed("type", "this is no dict", target.label)
    shape = walk_label(source)
    if isinstance(given, DictObject):
        pairs = [(read(entry.key, source), read(entry.value, source)) for entry in given.entries.values()]
    else:
        pairs = [_pair(machine, pair) for pair in walk_all(machine, source)]
    values = [value for _, value in pairs]
    mingle(machine, target, values, steering(shape, SATURATED))
    into.shape = construct(into.shape, shape)
    for key, value in pairs:
        put(machine, into, key, value)


def _pair(machine: Machine, pair: Value) -> tuple[Value, Value]:
    pair = unmixed(pair)
    shape = walk_label(pair)
    machine.may_raise(shape)
    parts = walk_all(machine, pair)
    if len(parts) != 2:
        raise machine.failed("value", "a dict is made of pairs", shape)
    return parts[0], parts[1]
