"""Statements: what each does to names, control and the world outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from armslength.errors import ProgramRefused
from armslength.language.elements import walk, walk_label
from armslength.language.expressions import assign, evaluate
from armslength.language.machine import Machine
from armslength.language.operators import binary, render, text_label, truth, truth_label
from armslength.values import make


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
    """`x += y` is `x = x + y`: a list gets a new one."""
    if not isinstance(node.target, ast.Name):
        raise ProgramRefused(machine.line, "only a name can stand on the left here", "write target = value in full")
    before = machine.load(node.target.id)
    machine.store(node.target.id, binary(machine, node.op, before, evaluate(machine, node.value)))


def _if(machine: Machine, node: ast.If) -> None:
    test = evaluate(machine, node.test)
    with machine.region(node):
        machine.guard(truth_label(test))
        execute(machine, node.body if truth(test) else node.orelse)


def _for(machine: Machine, node: ast.For) -> None:
    iterable = evaluate(machine, node.iter)
    with machine.region(node):
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
