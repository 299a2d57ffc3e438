"""What stands on the left: names, several at once, items, slices."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from armslength.labels import construct
from armslength.language.machine import Machine
from armslength.language.operations.elements import sequence, walk_label
from armslength.language.operations.walking import walk_all
from armslength.language.operations.writing import write_item
from armslength.language.reading.refused import refuse
from armslength.language.running.compiler import Compiler, Store
from armslength.language.running.slices import compile_bounds, write_slice
from armslength.values import Frame, Value, Variable


def compile_target(c: Compiler, node: ast.expr) -> Store:
    """Assigns a value to a name, to several, to an item or a slice.

    Raises (when it runs):
        ProgramFailed: the parts do not match, or the item cannot be written.
    """
    match node:
        case ast.Name():
            return store_in(c.machine, c.variable(node))
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return _unpacking(c, parts)
        case ast.Subscript(value=container, slice=ast.Slice() as bounds):
            return _slice(c, container, bounds)
        case ast.Subscript(value=container, slice=key):
            return _item(c, container, key)
        case _:
            raise refuse(node, "this cannot be assigned to", "assign to a name")


def store_in(machine: Machine, variable: Variable) -> Store:
    """Assigns to a variable. The value carries its own label; the regions around add theirs when they end."""
    name, depth = variable.name, variable.depth

    def store(frame: Frame, value: Value) -> None:
        if frame.doubts or frame.reached:
            machine.store(frame, name, value)
        else:
            frame.names[name] = value

    def store_outside(frame: Frame, value: Value) -> None:
        store(frame.up(depth), value)

    return store if depth == 0 else store_outside


def _item(c: Compiler, container: ast.expr, key: ast.expr) -> Store:
    machine, owner, at = c.machine, c.expression(container), c.expression(key)

    def store(frame: Frame, value: Value) -> None:
        target = owner(frame)
        write_item(machine, target, at(frame), value)

    return store


def _slice(c: Compiler, container: ast.expr, bounds: ast.Slice) -> Store:
    machine, owner, window = c.machine, c.expression(container), compile_bounds(c, bounds)

    def store(frame: Frame, value: Value) -> None:
        target = owner(frame)
        write_slice(machine, target, window(frame), value)

    return store


def _unpacking(c: Compiler, parts: Sequence[ast.expr]) -> Store:
    starred = [number for number, part in enumerate(parts) if isinstance(part, ast.Starred)]
    if len(starred) > 1:
        raise refuse(parts[starred[1]], "only one * may stand on the left", "take the rest once")
    stores = [compile_target(c, part.value if isinstance(part, ast.Starred) else part) for part in parts]
    machine, count = c.machine, len(parts)

    def store(frame: Frame, value: Value) -> None:
        for target, item in zip(stores, _parts(machine, value, count, starred), strict=True):
            target(frame, item)

    return store


def _parts(machine: Machine, value: Value, count: int, starred: Sequence[int]) -> list[Value]:
    """As many parts as there are targets; what a `*` takes is a new list whose shape is the whole's."""
    label = walk_label(value)
    machine.may_raise(label)
    items = walk_all(machine, value)
    if len(items) < count - 1 if starred else len(items) != count:
        reason = "there are too few parts to unpack" if starred else f"there are not {count} parts to unpack"
        raise machine.failed("value", reason, label)
    if not starred:
        return items
    start = starred[0]
    end = len(items) - (count - 1 - start)
    return [*items[:start], sequence(items[start:end], construct(label)), *items[end:]]
