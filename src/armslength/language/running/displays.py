"""Lists, tuples, sets and dicts as they are written: elements keep their labels, shapes are made of the shapes that a `*` brings."""

from __future__ import annotations

import ast

from armslength.labels import NOTHING, construct
from armslength.language.machine import Machine
from armslength.language.operations.elements import read, sequence, walk_label
from armslength.language.operations.walking import walk_all
from armslength.language.operations.writing import add, put
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.values import (
    DictObject,
    Frame,
    SetObject,
    TupleObject,
    Value,
    make,
    unwrap,
)


def compile_list_display(c: Compiler, node: ast.List) -> Evaluate:
    """`[a, b]`."""
    machine = c.machine
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return _starred(c, node)
    items = [c.expression(item) for item in node.elts]

    def run(frame: Frame) -> Value:
        machine.spend_elements(len(items))
        return sequence([item(frame) for item in items], NOTHING)

    return run


def compile_tuple_display(c: Compiler, node: ast.Tuple) -> Evaluate:
    """`(a, b)`."""
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return _starred(c, node)
    items = [c.expression(item) for item in node.elts]
    return lambda frame: make(TupleObject([item(frame) for item in items], NOTHING), NOTHING)


def _starred(c: Compiler, node: ast.List | ast.Tuple) -> Evaluate:
    """`[*these, that]`: elements keep their labels, the shape is made of the shapes."""
    machine, is_list = c.machine, isinstance(node, ast.List)
    items = [
        (c.expression(item.value), True) if isinstance(item, ast.Starred) else (c.expression(item), False)
        for item in node.elts
    ]

    def run(frame: Frame) -> Value:
        listed: list[Value] = []
        shape = NOTHING
        for evaluate, is_several in items:
            value = evaluate(frame)
            if is_several:
                shape = construct(shape, walk_label(value))
                listed.extend(walk_all(machine, value))
            else:
                listed.append(value)
        machine.spend_elements(len(listed))
        return sequence(listed, shape) if is_list else make(TupleObject(listed, shape), NOTHING)

    return run


def compile_set_display(c: Compiler, node: ast.Set) -> Evaluate:
    """`{a, b}`: each member is added."""
    machine = c.machine
    items = [
        (c.expression(item.value), True) if isinstance(item, ast.Starred) else (c.expression(item), False)
        for item in node.elts
    ]

    def run(frame: Frame) -> Value:
        made = SetObject(NOTHING)
        for evaluate, is_several in items:
            value = evaluate(frame)
            if is_several:
                made.shape = construct(made.shape, walk_label(value))
            for member in walk_all(machine, value) if is_several else [value]:
                add(machine, made, member)
        return make(made, NOTHING)

    return run


def compile_dict_display(c: Compiler, node: ast.Dict) -> Evaluate:
    """`{a: b, **c}`: each entry is stored (row "keyed write")."""
    machine = c.machine
    entries = [
        (None if key is None else c.expression(key), c.expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def run(frame: Frame) -> Value:
        made = DictObject(NOTHING)
        for key, value in entries:
            if key is None:
                _put_all(machine, made, value(frame))
            else:
                at = key(frame)
                put(machine, made, at, value(frame))
        return make(made, NOTHING)

    return run


def _put_all(machine: Machine, made: DictObject, given: Value) -> None:
    """`{**given}`: its entries, and its shape."""
    raw = unwrap(given)
    machine.may_raise(given.label)
    if not isinstance(raw, DictObject):
        raise machine.failed("type", "** takes a dict", given.label)
    made.shape = construct(made.shape, given.label, raw.shape)
    for entry in list(raw.entries.values()):
        put(machine, made, read(entry.key, given), read(entry.value, given))
