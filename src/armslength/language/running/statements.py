"""Statements: from a node to a closure that runs it and tells how it left."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from armslength.labels import NOTHING
from armslength.language.machine import Kind
from armslength.language.operations.elements import read_item, sequence
from armslength.language.operations.operators import augmented
from armslength.language.operations.writing import delete_item, write_item
from armslength.language.reading.refused import refuse
from armslength.language.running.compiler import (
    LEAVE_LOOP,
    NEXT_PASS,
    NO_VALUE,
    Compiler,
    Evaluate,
    Execute,
    Returned,
    Signal,
    Store,
)
from armslength.language.running.definitions import compile_code, define
from armslength.language.running.handling import compile_assert, compile_raise, compile_try
from armslength.language.running.loops import guarded_walk
from armslength.language.running.matching import compile_match
from armslength.language.running.names import seeking
from armslength.language.running.slices import compile_bounds, write_slice
from armslength.language.running.targets import compile_target, store_in
from armslength.values import Frame


def _expression(c: Compiler, node: ast.Expr) -> Execute:
    evaluate = c.expression(node.value)

    def run(frame: Frame) -> Signal | None:
        evaluate(frame)
        return None

    return run


# Assignment


def _assign(c: Compiler, node: ast.Assign) -> Execute:
    evaluate, stores = c.expression(node.value), [compile_target(c, target) for target in node.targets]
    if len(stores) == 1:
        return _stored(evaluate, stores[0])

    def run(frame: Frame) -> Signal | None:
        value = evaluate(frame)
        for store in stores:
            store(frame, value)
        return None

    return run


def _annotated(c: Compiler, node: ast.AnnAssign) -> Execute:
    if node.value is None:
        return _nothing(c, node)
    return _stored(c.expression(node.value), compile_target(c, node.target))


def _stored(evaluate: Evaluate, store: Store) -> Execute:
    def run(frame: Frame) -> Signal | None:
        store(frame, evaluate(frame))
        return None

    return run


def _augmented(c: Compiler, node: ast.AugAssign) -> Execute:
    """`x += y` is `x = x + y`, but what can change does so in place, as in Python; what a tool returned gives way to a new one."""
    if isinstance(node.target, ast.Subscript):
        return _augmented_item(c, node, node.target)
    name = node.target
    if not isinstance(name, ast.Name):
        raise refuse(node, "only a name or an item can stand on the left here", "write target = value in full")
    machine, operator = c.machine, node.op
    load, evaluate, store = _load(c, name), c.expression(node.value), store_in(c.machine, c.variable(name))

    def run(frame: Frame) -> Signal | None:
        before = load(frame)
        store(frame, augmented(machine, operator, before, evaluate(frame)))
        return None

    return run


def _augmented_item(c: Compiler, node: ast.AugAssign, target: ast.Subscript) -> Execute:
    machine, operator = c.machine, node.op
    owner, key, evaluate = c.expression(target.value), c.expression(target.slice), c.expression(node.value)

    def run(frame: Frame) -> Signal | None:
        container = owner(frame)
        at = key(frame)
        before = read_item(machine, container, at)
        write_item(machine, container, at, augmented(machine, operator, before, evaluate(frame)))
        return None

    return run


def _load(c: Compiler, node: ast.Name) -> Evaluate:
    seek, variable = seeking(c, node), c.variable(node)
    return lambda frame: seek(frame.up(variable.depth), variable.name)


def _delete(c: Compiler, node: ast.Delete) -> Execute:
    """A name loses its value; an item is taken out as `pop` does."""
    deletions = [
        _deletion(c, part)
        for target in node.targets
        for part in (target.elts if isinstance(target, ast.Tuple | ast.List) else [target])
    ]

    def run(frame: Frame) -> Signal | None:
        for delete in deletions:
            delete(frame)
        return None

    return run


def _deletion(c: Compiler, node: ast.expr) -> Callable[[Frame], None]:
    machine = c.machine
    match node:
        case ast.Name(id=name):
            seek = seeking(c, node)

            def forget(frame: Frame) -> None:
                seek(frame, name)
                del frame.names[name]

            return forget
        case ast.Subscript(value=container, slice=ast.Slice() as bounds):
            owner, window = c.expression(container), compile_bounds(c, bounds)

            def cut(frame: Frame) -> None:
                target = owner(frame)
                write_slice(machine, target, window(frame), sequence([], NOTHING))

            return cut
        case ast.Subscript(value=container, slice=key):
            owner, at = c.expression(container), c.expression(key)

            def take_out(frame: Frame) -> None:
                target = owner(frame)
                delete_item(machine, target, at(frame))

            return take_out
        case _:
            raise refuse(node, "del takes names and items", "write del x, or del d[key]")


# Branches and loops


def _if(c: Compiler, node: ast.If) -> Execute:
    """A guard that cannot steer needs no region: only guards, and what loops, calls and `try` keep, raise the context."""
    machine, effects, condition = c.machine, c.effects(node), c.condition(node.test)
    then, other = c.block(node.body), c.block(node.orelse)

    def run(frame: Frame) -> Signal | None:
        is_true, label = condition(frame)
        branch = then if is_true else other
        if label.guards is NOTHING:
            return branch(frame)
        region = machine.enter(Kind.BRANCH, frame, effects)
        try:
            machine.guard(region, label)
            return branch(frame)
        finally:
            machine.leave(region)

    return run


def _for(c: Compiler, node: ast.For) -> Execute:
    machine, effects = c.machine, c.effects(node)
    evaluate, store = c.expression(node.iter), compile_target(c, node.target)
    body, orelse = c.block(node.body), c.block(node.orelse)
    line = node.lineno

    def run(frame: Frame) -> Signal | None:
        iterable = evaluate(frame)
        region = machine.enter(Kind.LOOP, frame, effects)
        try:
            for element in guarded_walk(machine, region, iterable):
                store(frame, element)
                signal = body(frame)
                if signal is LEAVE_LOOP:
                    return None
                if signal is not None and signal is not NEXT_PASS:
                    return signal
                machine.line = line
            return orelse(frame)
        finally:
            machine.leave(region)

    return run


def _while(c: Compiler, node: ast.While) -> Execute:
    """Each test is a guard."""
    machine, effects = c.machine, c.effects(node)
    condition, cost = c.condition_part(node.test)
    body, orelse = c.block(node.body), c.block(node.orelse)
    line = node.lineno

    def run(frame: Frame) -> Signal | None:
        region = machine.enter(Kind.LOOP, frame, effects)
        try:
            while True:
                machine.line = line
                machine.step(cost)
                is_true, label = condition(frame)
                machine.guard(region, label)
                if not is_true:
                    return orelse(frame)
                signal = body(frame)
                if signal is LEAVE_LOOP:
                    return None
                if signal is not None and signal is not NEXT_PASS:
                    return signal
        finally:
            machine.leave(region)

    return run


def _break(c: Compiler, node: ast.Break) -> Execute:
    return lambda frame: LEAVE_LOOP


def _continue(c: Compiler, node: ast.Continue) -> Execute:
    return lambda frame: NEXT_PASS


# Functions


def _return(c: Compiler, node: ast.Return) -> Execute:
    if node.value is None:
        nothing = Returned(NO_VALUE)
        return lambda frame: nothing
    evaluate = c.expression(node.value)
    return lambda frame: Returned(evaluate(frame))


def _function(c: Compiler, node: ast.FunctionDef) -> Execute:
    code = compile_code(c, node, node.name, c.block(node.body), 1)
    defined, store = define(c, node, code), store_in(c.machine, c.variable(node))

    def run(frame: Frame) -> Signal | None:
        store(frame, defined(frame))
        return None

    return run


def _nothing(c: Compiler, node: ast.stmt) -> Execute:
    """`pass`, imports, declarations, and classes, which were read before the run."""
    return lambda frame: None


STATEMENTS: Mapping[type[ast.AST], Callable[..., Execute]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.Match: compile_match,
    ast.Try: compile_try,
    ast.Raise: compile_raise,
    ast.Assert: compile_assert,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.FunctionDef: _function,
    ast.Return: _return,
    ast.Pass: _nothing,
    ast.ClassDef: _nothing,
    ast.Import: _nothing,
    ast.ImportFrom: _nothing,
    ast.Nonlocal: _nothing,
}
