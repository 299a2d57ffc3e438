"""Statements: what each does to names, control and the world outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from armslength.errors import ProgramRefused
from armslength.language.elements import read_item, sequence, walk, walk_all, walk_label, write_item
from armslength.language.expressions import assign, evaluate
from armslength.language.machine import Machine
from armslength.language.methods import call_method
from armslength.language.operators import binary, render, text_label, truth, truth_label
from armslength.values import ListObject, Value, make, unwrap


class _Break(Exception):
    """`break`, on its way to its loop."""


class _Continue(Exception):
    """`continue`, on its way to its loop."""


def execute(machine: Machine, body: Sequence[ast.stmt]) -> None:
    """Run statements in order.

    Raises:
        ProgramFailed: an operation has no result, or the program raised.
        LimitReached: a count ran out.
    """
    for statement in body:
        machine.step(statement)
        executor = _EXECUTORS.get(type(statement))
        if executor is None:
            raise ProgramRefused(
                machine.line,
                f"{type(statement).__name__} is not part of the language",
                "write it with simpler statements",
            )
        executor(machine, statement)


def _expression(machine: Machine, node: ast.Expr) -> None:
    evaluate(machine, node.value)


def _assign(machine: Machine, node: ast.Assign) -> None:
    value = evaluate(machine, node.value)
    for target in node.targets:
        assign(machine, target, value)


def _annotated(machine: Machine, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(machine, node.target, evaluate(machine, node.value))


def _augmented(machine: Machine, node: ast.AugAssign) -> None:
    """`x += y` is `x = x + y`, but a list that can change does so in place, as in Python; what a tool returned gives way to a new one."""
    match node.target:
        case ast.Name(id=name):
            before = machine.load(name)
            machine.store(name, _combined(machine, node.op, before, evaluate(machine, node.value)))
        case ast.Subscript(value=container, slice=key):
            owner, at = evaluate(machine, container), evaluate(machine, key)
            before = read_item(machine, owner, at)
            write_item(machine, owner, at, _combined(machine, node.op, before, evaluate(machine, node.value)))
        case _:
            raise ProgramRefused(machine.line, "only a name can stand on the left here", "write target = value in full")


def _combined(machine: Machine, operator: ast.operator, before: Value, value: Value) -> Value:
    raw = unwrap(before)
    if isinstance(raw, ListObject) and isinstance(operator, ast.Add):
        target = sequence(walk_all(machine, before), walk_label(before)) if raw.is_frozen else before
        call_method(machine, target, "extend", [value], {})
        return target
    result = binary(machine, operator, before, value)
    repeated = unwrap(result)
    if not isinstance(raw, ListObject) or raw.is_frozen or not isinstance(repeated, ListObject):
        return result
    raw.items, raw.shape = repeated.items, repeated.shape
    return before


def _if(machine: Machine, node: ast.If) -> None:
    test = evaluate(machine, node.test)
    with machine.region(node):
        machine.guard(truth_label(test))
        execute(machine, node.body if truth(test) else node.orelse)


def _for(machine: Machine, node: ast.For) -> None:
    iterable = evaluate(machine, node.iter)
    with machine.region(node):
        machine.hold(iterable)
        try:
            for element in walk(machine, iterable):
                machine.step(node)
                machine.guard(walk_label(iterable))
                assign(machine, node.target, element)
                _pass(machine, node.body)
            machine.guard(walk_label(iterable))
        except _Break:
            return


def _pass(machine: Machine, body: Sequence[ast.stmt]) -> None:
    """One pass of a loop."""
    try:
        execute(machine, body)
    except _Continue:
        return


def _break(machine: Machine, node: ast.Break) -> None:
    raise _Break


def _continue(machine: Machine, node: ast.Continue) -> None:
    raise _Continue


def _raise(machine: Machine, node: ast.Raise) -> None:
    payload = None
    if isinstance(node.exc, ast.Call) and node.exc.args:
        message = evaluate(machine, node.exc.args[0])
        payload = make(render(machine, message), text_label(message))
    raise machine.failed("raised", "the program stopped itself", payload=payload)


def _nothing(machine: Machine, node: ast.stmt) -> None:
    """`pass`, and schema classes, which were read before the run."""


_EXECUTORS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Raise: _raise,
    ast.Pass: _nothing,
    ast.ClassDef: _nothing,
}
