"""`value.name`: fields of records, and the parts of moments, members and exceptions. One allow-list; the last branch refuses."""

from __future__ import annotations

from armslength.labels import LITERAL, NOTHING, picking
from armslength.language.machine import Machine
from armslength.language.operations.elements import read_field
from armslength.language.operations.library import ATTRIBUTES
from armslength.language.operations.methods import has_method
from armslength.values import (
    ErrorObject,
    MemberObject,
    MethodObject,
    RecordObject,
    TupleObject,
    Value,
    kind,
    make,
    restrict,
    unwrap,
)


def read_attribute(machine: Machine, owner: Value, name: str) -> Value:
    """The part of that name; a field keeps its label and takes what the reference hands on.

    Raises:
        ProgramFailed: there is none.
    """
    raw = unwrap(owner)
    if type(raw) is RecordObject and name in raw.fields:
        return read_field(machine, owner, name)
    match raw, name:
        case MemberObject(), "value":
            machine.may_raise(owner.label)
            return restrict(raw.value, picking(owner.label))
        case MemberObject(), "name":
            machine.may_raise(owner.label)
            return restrict(make(raw.name, LITERAL), picking(owner.label))
        case ErrorObject(), "args":
            machine.may_raise(owner.label)
            return make(
                TupleObject([restrict(each, picking(owner.label)) for each in raw.arguments], owner.label), NOTHING
            )
    part = ATTRIBUTES.get((kind(owner), name))
    if part is None and has_method(owner, name):
        return make(MethodObject(owner, name), NOTHING)
    if part is None:
        return read_field(machine, owner, name)
    machine.may_raise(owner.label)
    return part(machine, owner)
