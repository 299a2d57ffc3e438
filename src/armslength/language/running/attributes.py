"""`value.name`: fields of records, and the parts of moments, members and exceptions. One allow-list; the last branch refuses."""

from __future__ import annotations

from armslength.labels import NOTHING, picking
from armslength.language.machine import Machine
from armslength.language.operations.elements import read_field
from armslength.language.operations.library import ATTRIBUTES
from armslength.language.operations.methods import has_method, kind_of
from armslength.values import (
    MethodObject,
    RecordObject,
    Value,
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
    part = ATTRIBUTES.get((kind_of(owner), name))
    if part is not None:
        machine.may_raise(owner.label)
        return part(machine, owner)
    if has_method(owner, name):
        machine.may_raise(owner.label)
        return restrict(make(MethodObject(owner, name), NOTHING), picking(owner.label))
    return read_field(machine, owner, name)
