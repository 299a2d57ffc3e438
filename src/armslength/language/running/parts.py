"""`a.b` and `a[b]`: fields, elements and slices."""

from __future__ import annotations

import ast

from armslength.labels import NOTHING, Label
from armslength.language.operations.elements import field, field_draft, pick, read_item, sequence, slice_item
from armslength.language.operations.wholes import text_label
from armslength.language.running.attributes import read_attribute
from armslength.language.running.calls import members
from armslength.language.running.compiler import Compiler, Drafted, Evaluate
from armslength.language.running.functions import constant
from armslength.language.running.slices import compile_bounds
from armslength.values import (
    Frame,
    Raw,
    RecordObject,
    Value,
    make,
    opened,
    unwrap,
)


def compile_attribute(c: Compiler, node: ast.Attribute) -> Evaluate:
    """A field; or what a dotted name of the language stands for."""
    known = _dotted(c, node)
    if known is not None:
        return lambda frame: known
    machine, name, owner = c.machine, node.attr, c.draft(node.value)

    def run(frame: Frame) -> Value:
        raw, label = owner(frame)
        if type(raw) is RecordObject and name in raw.fields:
            return field(machine, raw, label, name)
        return read_attribute(machine, make(raw, label), name)

    return run


def draft_attribute(c: Compiler, node: ast.Attribute) -> Drafted:
    """The same as data and label."""
    known = _dotted(c, node)
    if known is not None:
        draft = opened(known)
        return lambda frame: draft
    machine, name, owner = c.machine, node.attr, c.draft(node.value)

    def run(frame: Frame) -> tuple[Raw, Label]:
        raw, label = owner(frame)
        if type(raw) is RecordObject and name in raw.fields:
            return field_draft(machine, raw, label, name)
        return opened(read_attribute(machine, make(raw, label), name))

    return run


def _dotted(c: Compiler, node: ast.Attribute) -> Value | None:
    """A constant or function of the language, or a member of an enumeration, that a dotted name stands for."""
    if node in c.analysis.functions:
        return constant(c.analysis.functions[node])
    enumeration, _, member = (c.analysis.naming.path(node) or "").partition(".")
    if not member or "." in member:
        return None
    return members(c.analysis.classes.enumerations[enumeration])[member]


def compile_subscript(c: Compiler, node: ast.Subscript) -> Evaluate:
    """An element, a slice, or a member of an enumeration by its name."""
    machine = c.machine
    match node.value:
        case ast.Name(id=name) if name in c.analysis.classes.enumerations:
            return _member_by_name(c, node, name)
    owner = c.expression(node.value)
    if isinstance(node.slice, ast.Slice):
        window = compile_bounds(c, node.slice)

        def cut(frame: Frame) -> Value:
            container = owner(frame)
            return slice_item(machine, container, window(frame))

        return cut
    key = c.expression(node.slice)

    def run(frame: Frame) -> Value:
        container = owner(frame)
        return read_item(machine, container, key(frame))

    return run


def _member_by_name(c: Compiler, node: ast.Subscript, name: str) -> Evaluate:
    """`Color["RED"]`: picked by the name."""
    machine, key = c.machine, c.expression(node.slice)
    known = members(c.analysis.classes.enumerations[name])

    def run(frame: Frame) -> Value:
        wanted = key(frame)
        label = text_label(machine, wanted)
        machine.may_raise(label)
        found = known.get(str(unwrap(wanted)))
        if found is None:
            raise machine.failed("key", f"{name} has no member of this name", label)
        listed = list(known.values())
        return pick(machine, found, sequence(listed, NOTHING), label)

    return run
