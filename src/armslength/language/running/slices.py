"""Slices: reading is in `elements`; here their bounds, writing and deleting."""

from __future__ import annotations

import ast
from collections.abc import Callable

from armslength.labels import NOTHING, construct
from armslength.language.machine import Machine
from armslength.language.operations.elements import Bounds, mingle, slice_item, walk_label
from armslength.language.operations.methods import call_method
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import unmixed
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.values import Frame, ListObject, Value, make, unwrap


def compile_bounds(c: Compiler, node: ast.Slice) -> Callable[[Frame], Bounds]:
    """Start, end and step, each if it stands there."""
    parts: list[Evaluate | None] = [
        None if part is None else c.expression(part) for part in (node.lower, node.upper, node.step)
    ]

    def run(frame: Frame) -> Bounds:
        lower, upper, step = (None if part is None else part(frame) for part in parts)
        return lower, upper, step

    return run


def write_slice(machine: Machine, container: Value, bounds: Bounds, value: Value) -> None:
    """`container[a:b] = value`: what is before, the new elements, what is after. The shape takes those of all three.

    Raises:
        ProgramFailed: it is no list that can change, or a step stands there.
    """
    raw = unwrap(container)
    lower, upper, step = (None if bound is None else unmixed(bound) for bound in bounds)
    labels = [container.label, walk_label(container), walk_label(value), *(b.label for b in bounds if b is not None)]
    machine.may_raise(*labels)
    if not isinstance(raw, ListObject) or raw.is_frozen or (step is not None and unwrap(step) is not None):
        raise machine.failed("type", "only a slice without a step, of a list that can change, can be written", *labels)
    lower, upper = _where(lower, 0), _where(upper, len(raw.items))
    coming = walk_all(machine, value)
    mingle(machine, container, coming)
    before = slice_item(machine, container, (None, lower if lower is not None else make(0, NOTHING), None))
    after = _after(machine, container, lower, upper)
    whole = before
    for piece in (coming_list(coming, value), after):
        call_method(machine, whole, "extend", [piece], {})
    made = unwrap(whole)
    if isinstance(made, ListObject):
        raw.items, raw.shape = made.items, made.shape


def _where(bound: Value | None, otherwise: int) -> Value | None:
    """A bound whose value is None is the end of the list, where it decided so."""
    return bound if bound is None or unwrap(bound) is not None else make(otherwise, bound.label)


def coming_list(items: list[Value], value: Value) -> Value:
    """The new elements as a list of their own, with the shape of what they came from."""
    return make(ListObject(items, walk_label(value)), NOTHING)


def _after(machine: Machine, container: Value, lower: Value | None, upper: Value | None) -> Value:
    """What stands behind the slice: from its end, but never before its start."""
    if upper is None:
        return make(ListObject([], NOTHING), NOTHING)
    first, last = (unwrap(lower) if lower is not None else 0), unwrap(upper)
    raw = unwrap(container)
    if not isinstance(first, int) or not isinstance(last, int) or not isinstance(raw, ListObject):
        raise machine.failed("type", "the bounds of a slice are integers", container.label, upper.label)
    window = range(len(raw.items))[first:last]
    at = construct(walk_label(container), upper.label, *([] if lower is None else [lower.label]))
    return slice_item(machine, container, (make(max(window.start, window.stop), at), None, None))
