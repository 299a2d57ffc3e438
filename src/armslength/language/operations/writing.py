"""Writing into containers: row "keyed write" and rule 6."""

from __future__ import annotations

from collections.abc import Sequence

from armslength.labels import NOTHING, Label, bits_for, keying
from armslength.language.machine import ELEMENT, Machine
from armslength.language.operations.elements import (
    FROZEN,
    hashable,
    key_label,
    keyed,
    mingle,
    spend_moved,
    spread_held,
    walk_label,
)
from armslength.language.operations.wholes import unmixed
from armslength.values import (
    DictObject,
    Entry,
    Key,
    ListObject,
    SetObject,
    Value,
    unwrap,
    upgrade_shape,
)


def write_item(machine: Machine, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`: row "keyed write".

    Raises:
        ProgramFailed: it cannot be changed, or there is no such place.
    """
    raw = unwrap(container)
    if type(raw) is DictObject and not raw.is_frozen:
        _write_entry(machine, container, raw, key, value)
        return
    key = unmixed(key)
    at, by = unwrap(key), key_label(machine, key)
    decided = walk_label(container).constructs[by]
    if decided.guards is not NOTHING:
        machine.risk(decided.guards)
        mingle(machine, container, (value,))
    match raw:
        case ListObject() | DictObject() if raw.is_frozen:
            raise machine.failed("frozen", FROZEN, decided)
        case ListObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", decided)
            _note_write(machine, raw, len(raw.items), by, (value,))
            raw.items[at] = value
        case _:
            raise machine.failed("type", "this cannot be changed so", decided)


def _write_entry(machine: Machine, container: Value, raw: DictObject, key: Value, value: Value) -> None:
    found, by = keyed(machine, key)
    gain = container.label.constructs[raw.shape].constructs[by].guards
    if gain is not NOTHING:
        machine.risk(gain)
        mingle(machine, container, (value,))
    _store(machine, raw, found, key, by, value)


def put(machine: Machine, target: DictObject, key: Value, value: Value) -> None:
    """Store under a key. A new untrusted key makes the shape data; an old one leaves its choice there."""
    found, by = keyed(machine, key)
    _store(machine, target, found, key, by, value)


def _store(machine: Machine, target: DictObject, found: Key, key: Value, by: Label, value: Value) -> None:
    machine.size_left -= ELEMENT
    if machine.size_left < 0:
        machine.stop()
    old = target.entries.get(found)
    if by.guards is not NOTHING:
        _note_write(machine, target, len(target.entries), by, (value,))
    if old is None:
        target.shape = target.shape.constructs[by]
        target.entries[found] = Entry(key, value)
    else:
        target.entries[found] = Entry(old.key, value)


def add(machine: Machine, target: SetObject, member: Value) -> None:
    """Add to a set: like a new key."""
    found, by = keyed(machine, member)
    machine.spend_elements(1)
    target.shape = target.shape.constructs[by]
    target.entries.setdefault(found, member)


def delete_item(machine: Machine, container: Value, key: Value) -> None:
    """`del container[key]`: row "keyed write".

    Raises:
        ProgramFailed: it cannot be changed, or there is no such element.
    """
    key = unmixed(key)
    raw, at, by = unwrap(container), unwrap(key), key_label(machine, key)
    decided = walk_label(container).constructs[by]
    machine.may_raise(decided)
    mingle(machine, container)
    match raw:
        case ListObject() | DictObject() if raw.is_frozen:
            raise machine.failed("frozen", FROZEN, decided)
        case ListObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", decided)
            _note_write(machine, raw, len(raw.items), by)
            spend_moved(machine, raw, at)
            del raw.items[at]
        case DictObject():
            found = hashable(machine, key)
            if found not in raw.entries:
                raise machine.failed("key", "there is no such key", decided)
            _note_write(machine, raw, len(raw.entries), by)
            forget(raw, found)
        case _:
            raise machine.failed("type", "nothing can be deleted from this so", decided)


def forget(target: DictObject | SetObject, found: Key) -> None:
    """Take an entry away, if it is there. Python keeps its place free for good, and every walk goes over it: so the others move together."""
    entries = target.entries
    entries.pop(found, None)
    if len(entries) % _OFTEN == 0 and entries.__sizeof__() > _SPARSE * (len(entries) + _OFTEN):
        target.entries = type(entries)(entries)  # type: ignore[arg-type]  # of the same type


_OFTEN = 64
_SPARSE = 256
"""Bytes that an entry takes where most places are free; about 100 are usual."""


def _note_write(
    machine: Machine, target: ListObject | DictObject, size: int, key: Label, coming: Sequence[Value] = ()
) -> None:
    """What a key chose to replace or to take away: the shape takes its steering, and all that could have been meant."""
    gain = keying(key, bits_for(max(size, 2)))
    if gain is not NOTHING:
        upgrade_shape(target, gain)
        spread_held(machine, target, coming, gain)
