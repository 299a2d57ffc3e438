"""Names and constants, and what is assigned within an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable

from armslength.labels import LITERAL, NOTHING, Label
from armslength.language.running.calls import members
from armslength.language.running.compiler import Compiler, Drafted, Evaluate
from armslength.language.running.functions import constant
from armslength.language.running.targets import store_in
from armslength.values import (
    Frame,
    Raw,
    TupleObject,
    Value,
    make,
    opened,
)


def compile_constant(c: Compiler, node: ast.Constant) -> Evaluate:
    """A literal."""
    value = make(node.value, LITERAL)  # type: ignore[arg-type]  # syntax.py admits five literal types
    return lambda frame: value


def draft_constant(c: Compiler, node: ast.Constant) -> Drafted:
    """The same as data and label."""
    draft = opened(compile_constant(c, node)(c.machine.program))
    return lambda frame: draft


def compile_name(c: Compiler, node: ast.Name) -> Evaluate:
    """A variable; else a function of the language that is passed on, a constant, or the members of an enumeration."""
    variable = c.analysis.scopes.variables.get(node)
    if variable is None:
        value = _known(c, node)
        return lambda frame: value
    name, depth, seek = variable.name, variable.depth, seeking(c, node)

    def load(frame: Frame) -> Value:
        value = frame.names.get(name)
        return seek(frame, name) if value is None or frame.doubts else value

    return load if depth == 0 else lambda frame: load(frame.up(depth))


def draft_name(c: Compiler, node: ast.Name) -> Drafted:
    """The same as data and label."""
    variable = c.analysis.scopes.variables.get(node)
    if variable is None or variable.depth:
        evaluate = compile_name(c, node)
        return lambda frame: opened(evaluate(frame))
    name, seek = variable.name, seeking(c, node)

    def run(frame: Frame) -> tuple[Raw, Label]:
        value = frame.names.get(name)
        return opened(seek(frame, name) if value is None or frame.doubts else value)

    return run


def seeking(c: Compiler, node: ast.Name) -> Callable[[Frame, str], Value]:
    """What is done where the value of a name is not simply there."""
    return c.machine.load if node in c.analysis.unsure else c.machine.load_sure


def _known(c: Compiler, node: ast.Name) -> Value:
    if node in c.analysis.functions:
        return constant(c.analysis.functions[node])
    return make(TupleObject(members(c.analysis.classes.enumerations[node.id]).values(), NOTHING), NOTHING)


def compile_named(c: Compiler, node: ast.NamedExpr) -> Evaluate:
    """`name := value`."""
    evaluate, store = c.expression(node.value), store_in(c.machine, c.variable(node.target))

    def run(frame: Frame) -> Value:
        value = evaluate(frame)
        store(frame, value)
        return value

    return run
