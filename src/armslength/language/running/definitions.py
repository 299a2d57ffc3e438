"""Functions as they are defined: their code, and the value that holds it."""

from __future__ import annotations

import ast
from collections.abc import Callable

from armslength.labels import LITERAL
from armslength.language.reading.scopes import Function
from armslength.language.running.compiler import Compiler, Evaluate, Returned
from armslength.language.running.functions import CompiledCode, Parameters
from armslength.values import (
    Frame,
    FunctionObject,
    Value,
    make,
)


def compile_lambda(c: Compiler, node: ast.Lambda) -> Evaluate:
    """A function of one expression."""
    body, cost = c.part(node.body)
    code = compile_code(c, node, "lambda", lambda frame: Returned(body(frame)), cost)
    return define(c, node, code)


def compile_code(c: Compiler, node: Function, name: str, run: Callable[[Frame], object], cost: int) -> CompiledCode:
    """The code of a function, whose body is `run`."""
    scope, arguments = c.analysis.scopes.functions[node], node.args
    parameters = Parameters(
        tuple(each.arg for each in (*arguments.posonlyargs, *arguments.args)),
        None if arguments.vararg is None else arguments.vararg.arg,
        tuple(each.arg for each in arguments.kwonlyargs),
    )
    return CompiledCode(name, parameters, tuple(scope.free), tuple(scope.assigned), c.analysis.calls[node], run, cost)  # type: ignore[arg-type]


def define(c: Compiler, node: Function, code: CompiledCode) -> Evaluate:
    """The function as a value: its defaults are computed here, and it keeps the frame."""
    arguments = node.args
    last = code.parameters.positional[len(code.parameters.positional) - len(arguments.defaults) :]
    defaults = dict(zip(last, map(c.expression, arguments.defaults), strict=True))
    for name, default in zip(code.parameters.named, arguments.kw_defaults, strict=True):
        if default is not None:
            defaults[name] = c.expression(default)

    def run(frame: Frame) -> Value:
        computed = {name: default(frame) for name, default in defaults.items()}
        return make(FunctionObject(code, frame, computed), LITERAL)

    return run
