"""`try`, `raise` and `assert`.

A `try` is a region from its beginning to the end of its `finally`: whatever its body may raise on untrusted operands stays in the context
until then (rule 4). What a program can catch is its own failures, and those of tools and models; a limit, a refusal by policy or person,
and what belongs to a call made before the `try` cannot be caught.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from armslength.errors import ModelError, ProgramFailed, ToolError
from armslength.labels import Label, construct, steered, steering
from armslength.language.machine import OUTSIDE, Cause, Kind, Machine, Region
from armslength.language.operations.wholes import render, text_label, truth, truth_label
from armslength.language.reading.classes import exception_name
from armslength.language.running.compiler import Compiler, Evaluate, Execute, Signal
from armslength.values import ErrorObject, Frame, Value, Variable, make, unwrap

Catchable = ProgramFailed | ToolError | ModelError
_KINDS_OF_FAILURE = 3
"""Bits for which exception an operation raised, beside that it did: an operation raises one of at most eight."""


@dataclass(frozen=True, slots=True)
class _Handler:
    """Takes exceptions of these kinds (all, if None) and binds `variable`."""

    kinds: tuple[str, ...] | None
    variable: Variable | None
    body: Execute


def compile_try(c: Compiler, node: ast.Try) -> Execute:
    """The body, then a handler or `else`, then `finally`; all in one region."""
    machine, effects = c.machine, c.effects(node)
    body, orelse, final = c.block(node.body), c.block(node.orelse), c.block(node.finalbody)
    handlers = [_handler(c, handler) for handler in node.handlers]

    def run(frame: Frame) -> Signal | None:
        region = machine.enter(Kind.TRY, frame, effects)
        failure: Catchable | None = None
        signal: Signal | None = None
        try:
            machine.capture(region)
            try:
                signal = _attempt(machine, region, frame, body, orelse)
            except (ProgramFailed, ToolError, ModelError) as error:
                signal, failure = _handle(machine, region, frame, error, handlers)
            machine.stop_catching(region)
            last = final(frame)
            if last is None and failure is not None:
                raise again(machine, failure)
            return signal if last is None else last
        finally:
            machine.stop_catching(region)
            machine.leave(region)

    return run


def _attempt(machine: Machine, region: Region, frame: Frame, body: Execute, orelse: Execute) -> Signal | None:
    """The body, and all calls made in it to their end; what it raises is the region's, what `else` raises is not."""
    machine.catching.append(region)
    signal = body(frame)
    for kept in region.promises:
        _ = kept.label
    machine.stop_catching(region)
    return orelse(frame) if signal is None else signal


def _handle(
    machine: Machine, region: Region, frame: Frame, error: Catchable, handlers: Sequence[_Handler]
) -> tuple[Signal | None, Catchable | None]:
    """How the handler that takes it left, or what is to be raised after `finally`."""
    is_own = machine.stop_catching(region) and not (error.is_late and error.born_in is not region)
    if not is_own:
        return None, error
    decided_by = _decided_by(error)
    machine.gain(region, steering(decided_by, _KINDS_OF_FAILURE))
    for handler in handlers:
        if _takes(machine, handler, error):
            region.has_caught = True
            machine.handled.append(error)
            try:
                return _run_handler(machine, frame, handler, error, decided_by), None
            except (ProgramFailed, ToolError, ModelError) as other:
                return None, other
            finally:
                machine.handled.pop()
    return None, error


def _run_handler(
    machine: Machine, frame: Frame, handler: _Handler, error: Catchable, decided_by: Label
) -> Signal | None:
    if handler.variable is None:
        return handler.body(frame)
    home, name = frame.up(handler.variable.depth), handler.variable.name
    machine.store(home, name, make(_error_object(error, decided_by), steered(construct(decided_by), machine.control)))
    try:
        return handler.body(frame)
    finally:
        home.names.pop(name, None)


def _decided_by(error: Catchable) -> Label:
    cause = _cause(error)
    return OUTSIDE if cause is None else cause.decided_by


def _error_object(error: Catchable, decided_by: Label) -> ErrorObject:
    cause = _cause(error)
    if cause is None:
        return ErrorObject("RuntimeError", (make("a call failed", decided_by),))
    return ErrorObject(cause.name, cause.arguments)


def _takes(machine: Machine, handler: _Handler, error: Catchable) -> bool:
    cause = _cause(error)
    name = "RuntimeError" if cause is None else cause.name
    classes = machine.analysis.classes
    return handler.kinds is None or any(classes.is_kind_of(name, kind) for kind in handler.kinds)


def _handler(c: Compiler, node: ast.ExceptHandler) -> _Handler:
    listed = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    kinds = tuple(map(exception_name, listed))
    variable = c.variable(node) if node.name else None
    return _Handler(None if node.type is None else kinds, variable, c.block(node.body))


def compile_raise(c: Compiler, node: ast.Raise) -> Execute:
    """An exception with its message, one that was caught, or the one that is being handled."""
    match node.exc:
        case None:
            return _again(c.machine)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _new(c, name, [c.expression(argument) for argument in args])
        case ast.Name(id=name) as raised if raised in c.analysis.scopes.variables:
            return _caught(c.machine, c.expression(raised))
        case ast.Name(id=name):
            return _new(c, name, [])
    raise TypeError("a raise that was not checked")


def _again(machine: Machine) -> Execute:
    def run(frame: Frame) -> Signal | None:
        if not machine.handled:
            raise machine.failed("type", "there is no exception that could be raised again")
        raise again(machine, machine.handled[-1])

    return run


def again(machine: Machine, error: Catchable) -> Catchable:
    """The same failure, raised here: whether the planner may hear of it depends on what led here as well."""
    cause = _cause(error)
    if cause is None or not isinstance(error, ProgramFailed):
        return error
    machine.line = error.line
    payload = error.payload if isinstance(error.payload, Value) else None
    return machine.raised(
        cause.name, cause.arguments, code=error.code, reason=error.reason, decided_by=cause.decided_by, payload=payload
    )


def _cause(error: Catchable) -> Cause | None:
    """Of the program's own failure; tools and models give none."""
    return error.cause if isinstance(error, ProgramFailed) and isinstance(error.cause, Cause) else None


def _new(c: Compiler, name: str, arguments: Sequence[Evaluate]) -> Execute:
    machine = c.machine

    def run(frame: Frame) -> Signal | None:
        raise _raised(machine, name, tuple(argument(frame) for argument in arguments))

    return run


def _caught(machine: Machine, value: Evaluate) -> Execute:
    def run(frame: Frame) -> Signal | None:
        raw_value = value(frame)
        raw = unwrap(raw_value)
        machine.may_raise(raw_value.label)
        if not isinstance(raw, ErrorObject):
            raise machine.failed("type", "only an exception can be raised", raw_value.label)
        raise _raised(machine, raw.name, raw.arguments, raw_value.label)

    return run


def _raised(machine: Machine, name: str, arguments: tuple[Value, ...], *decided_by: Label) -> ProgramFailed:
    """The program's own failure. What the user is shown is its message; its label keeps the message's."""
    payload = make(render(machine, arguments[0]), text_label(machine, arguments[0])) if arguments else None
    labels = construct(machine.control, *decided_by)
    return machine.raised(
        name, arguments, code="raised", reason="the program stopped itself", decided_by=labels, payload=payload
    )


def compile_assert(c: Compiler, node: ast.Assert) -> Execute:
    """Like a test with `raise AssertionError` behind it."""
    machine, condition = c.machine, c.expression(node.test)
    message = None if node.msg is None else c.expression(node.msg)

    def run(frame: Frame) -> Signal | None:
        test = condition(frame)
        decided_by = truth_label(test)
        machine.may_raise(decided_by)
        if truth(test):
            return None
        said = () if message is None else (message(frame),)
        payload = make(render(machine, said[0]), text_label(machine, said[0])) if said else None
        raise machine.raised(
            "AssertionError", said, code="assert", reason="what the program asserts does not hold",
            decided_by=construct(decided_by), payload=payload,
        )  # fmt: skip

    return run
