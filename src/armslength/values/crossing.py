"""Into the labelled world by `admit`, out of it by `release` and its permit; and the copy that nothing changes any more."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from typing import Literal

from armslength.labels import Label, construct
from armslength.schema import RecordType
from armslength.values.keys import key_of
from armslength.values.objects import (
    BuiltinObject,
    DictObject,
    Entry,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    Plain,
    RecordObject,
    Scalar,
    SetObject,
    TupleObject,
    Value,
    kind,
    make,
    restrict,
    unwrap,
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Plain data with a label at each node, outside the language: what comes in by `admit` and leaves by `release`.

    `data` is a scalar, a tuple of items, or named parts (a record of type `record`, else a dict). A container's label speaks for
    the reference and the shape.
    """

    data: Scalar | tuple[Labelled, ...] | dict[str, Labelled] = field(repr=False)
    label: Label
    record: RecordType | None = None

    def plain(self) -> Plain:
        """The data without labels: JSON's shapes."""
        match self.data:
            case tuple():
                return [item.plain() for item in self.data]
            case dict():
                return {name: part.plain() for name, part in self.data.items()}
            case _:
                return self.data


def admit(given: Labelled) -> Value:
    """The value of what came from outside. Its lists and dicts are frozen: changing one needs a copy.

    Raises:
        TypeError: data of no type in the allow-list, or a record with other fields than declared.
    """
    match given.data:
        case tuple():
            return make(ListObject(map(admit, given.data), given.label, is_frozen=True), given.label)
        case dict() as named if given.record is not None:
            names = [field.name for field in given.record.fields]
            if sorted(names) != sorted(named):
                raise TypeError(f"a {given.record.name} with other fields than declared")
            fields = {name: admit(named[name]) for name in names}
            return make(RecordObject(given.record, fields, is_frozen=True), given.label)
        case dict() as named:
            made = DictObject(given.label, is_frozen=True)
            entries = [Entry(make(name, given.label), admit(part)) for name, part in named.items()]
            made.entries = {key_of(entry.key): entry for entry in entries}
            return make(made, given.label)
        case scalar:
            return make(scalar, given.label)


@dataclass(frozen=True, slots=True)
class Permit:
    """Why a value may leave: the rule's name and who decided."""

    rule: str
    decided_by: Literal["policy", "person", "clearance"]


def release(value: Value, permit: Permit) -> Labelled:
    """The only way out of the labelled world: a deep copy, still labelled so that it can be marked. `permit` says who let it go.

    Raises:
        TypeError: there is no permit, the value holds itself, or it is no data (a function, a match, an exception).
    """
    if type(permit) is not Permit:
        raise TypeError("nothing is released without a permit")
    return _labelled(value, _DEEPEST)


_DEEPEST = 100


def _labelled(value: Value, depth: int) -> Labelled:
    if depth == 0:
        raise TypeError("a value that holds itself, or is nested too deep, cannot leave")
    raw = unwrap(value)
    match raw:
        case ListObject() | TupleObject():
            items = tuple(_labelled(item, depth - 1) for item in raw.items)
            return Labelled(items, construct(value.label, raw.shape))
        case SetObject():
            members = tuple(_labelled(item, depth - 1) for item in raw.entries.values())
            return Labelled(members, construct(value.label, raw.shape))
        case DictObject():
            keys = [entry.key.label for entry in raw.entries.values()]
            named = {str(_plain(entry.key)): _labelled(entry.value, depth - 1) for entry in raw.entries.values()}
            return Labelled(named, construct(value.label, raw.shape, *keys))
        case RecordObject():
            fields = {name: _labelled(field, depth - 1) for name, field in raw.fields.items()}
            return Labelled(fields, value.label, raw.type)
        case IteratorObject():
            rest = tuple(_labelled(item, depth - 1) for item in reversed(raw.left))
            return Labelled(rest, construct(value.label, raw.shape))
        case MemberObject():
            return _labelled(restrict(raw.value, value.label), depth - 1)
        case MatchObject() | ErrorObject() | FunctionObject() | MethodObject() | BuiltinObject():
            raise TypeError(f"a {kind(value)} cannot leave")
        case datetime() | date() | time():
            return Labelled(raw.isoformat(), value.label)
        case timedelta() | timezone():
            return Labelled(str(raw), value.label)
        case _:
            return Labelled(raw, value.label)


def _plain(key: Value) -> object:
    """A key without its label; of a member its value, as everywhere."""
    raw = unwrap(key)
    match raw:
        case TupleObject():
            return tuple(map(_plain, raw.items))
        case MemberObject():
            return _plain(raw.value)
        case _:
            return raw


def frozen_copy(value: Value) -> Value:
    """A deep copy that nothing the program does later can change; labels as they are.

    Raises:
        TypeError: the value holds itself, is nested too deep, or is no data.
    """
    return _frozen(value, _DEEPEST)


def _frozen(value: Value, depth: int) -> Value:
    if depth == 0:
        raise TypeError("a value that holds itself, or is nested too deep, cannot leave")
    raw = unwrap(value)
    match raw:
        case ListObject():
            return make(
                ListObject((_frozen(item, depth - 1) for item in raw.items), raw.shape, is_frozen=True), value.label
            )
        case TupleObject():
            return make(TupleObject((_frozen(item, depth - 1) for item in raw.items), raw.shape), value.label)
        case SetObject():
            members = SetObject(raw.shape)
            members.entries = {key: _frozen(item, depth - 1) for key, item in raw.entries.items()}
            return make(members, value.label)
        case DictObject():
            copied = DictObject(raw.shape, is_frozen=True)
            copied.entries = {
                key: Entry(_frozen(entry.key, depth - 1), _frozen(entry.value, depth - 1))
                for key, entry in raw.entries.items()
            }
            return make(copied, value.label)
        case RecordObject():
            fields = {name: _frozen(field, depth - 1) for name, field in raw.fields.items()}
            return make(RecordObject(raw.type, fields, is_frozen=True), value.label)
        case IteratorObject():
            rest = (_frozen(item, depth - 1) for item in reversed(raw.left))
            return make(ListObject(rest, raw.shape, is_frozen=True), value.label)
        case MatchObject() | ErrorObject() | FunctionObject() | MethodObject() | BuiltinObject():
            raise TypeError(f"a {kind(value)} cannot leave")
        case _:
            return value
