"""Methods of records: a dict of the fields, and a copy with other fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armslength.labels import LITERAL, NOTHING, SATURATED, construct, picking, steering
from armslength.language.machine import Machine
from armslength.language.operations.elements import by_references, read, sequence
from armslength.language.operations.methods.arguments import Method, misfit, none
from armslength.language.operations.wholes import spend_whole
from armslength.language.operations.writing import put
from armslength.values import (
    DictObject,
    Entry,
    ListObject,
    RecordObject,
    TupleObject,
    Value,
    make,
    restrict,
    unwrap,
)


def _record_of(machine: Machine, owner: Value) -> RecordObject:
    raw = unwrap(owner)
    if not isinstance(raw, RecordObject):
        raise misfit(machine, "a record's method", owner)
    return raw


def _dump(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Fields keep their labels; which names there are is decided by the reference alone."""
    none(machine, "model_dump", args, named)
    _record_of(machine, owner)
    spend_whole(machine, owner)
    return _dumped(machine, owner)


def _dumped(machine: Machine, value: Value) -> Value:
    """A record as a dict, also within lists, tuples and dicts."""
    raw = unwrap(value)
    match raw:
        case RecordObject():
            made = DictObject(construct(value.label))
            for name, field in raw.fields.items():
                put(machine, made, make(name, LITERAL), restrict(_dumped(machine, field), picking(value.label)))
            return by_references(make(made, NOTHING), value.label)
        case ListObject() | TupleObject():
            items = [_dumped(machine, read(item, value)) for item in raw.items]
            return by_references(sequence(items, construct(value.label, raw.shape), like=raw), value.label)
        case DictObject():
            copied = DictObject(construct(value.label, raw.shape))
            copied.entries = {
                key: Entry(read(entry.key, value), _dumped(machine, read(entry.value, value)))
                for key, entry in raw.entries.items()
            }
            return by_references(make(copied, NOTHING), value.label)
        case _:
            return value


def _copy(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`model_copy(update={...})`: the fields named there are its values; the names are the program's or data that chose them."""
    update = named.get("update")
    raw = _record_of(machine, owner)
    if args or set(named) - {"update"}:
        raise misfit(machine, "model_copy", owner, *args, *named.values())
    fields = {name: restrict(field, picking(owner.label)) for name, field in raw.fields.items()}
    reference = owner.label
    if update is not None and unwrap(update) is not None:
        given = unwrap(update)
        if not isinstance(given, DictObject):
            raise misfit(machine, "model_copy", owner, update)
        decided = construct(update.label, given.shape)
        machine.may_raise(decided)
        if set(given.entries) - set(fields):
            raise machine.failed("key", f"{raw.type.name} has no such field", decided)
        reference = construct(owner.label, decided)
        machine.spread([*fields.values(), update], steering(decided, SATURATED))  # each may be in or out
        fields.update({str(name): read(entry.value, update) for name, entry in given.entries.items()})
    return make(RecordObject(raw.type, fields), reference)


METHODS: dict[tuple[str, str], Method] = {
    ("record", "model_dump"): _dump,
    ("record", "dict"): _dump,
    ("record", "model_copy"): _copy,
    ("record", "copy"): _copy,
}
