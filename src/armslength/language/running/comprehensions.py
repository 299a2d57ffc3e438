"""Comprehensions and generator expressions: loops in an expression. One region each; an untrusted `if` or iterable is a guard."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from armslength.labels import NOTHING, Label, made_of, steered
from armslength.language.machine import ELEMENT, Kind, Region
from armslength.language.operations.elements import add, put, sequence
from armslength.language.running.compiler import Compiler, Evaluate
from armslength.language.running.loops import guarded_walk
from armslength.language.running.targets import compile_target
from armslength.values import DictObject, Frame, IteratorObject, SetObject, Value, make

Keyed = TypeVar("Keyed", SetObject, DictObject)
Emit = Callable[[Frame], None]
Loops = Callable[[Frame, Region, Value, Emit], None]
"""Runs the loops over a first iterable; at each pass of the innermost one the names are set and the last argument is called."""


def compile_list(c: Compiler, node: ast.ListComp) -> Evaluate:
    """`[… for …]`: elements keep their labels, the shape takes what the region gained."""
    items = _compile_items(c, node)

    def run(frame: Frame) -> Value:
        listed, gain = items(frame)
        return sequence(listed, made_of(gain))

    return run


def compile_generator(c: Compiler, node: ast.GeneratorExp) -> Evaluate:
    """`(… for …)`: computed at once, used up by walking."""
    items = _compile_items(c, node)

    def run(frame: Frame) -> Value:
        listed, gain = items(frame)
        return make(IteratorObject(listed, made_of(gain)), NOTHING)

    return run


def _compile_items(c: Compiler, node: ast.ListComp | ast.GeneratorExp) -> Callable[[Frame], tuple[list[Value], Label]]:
    machine, effects = c.machine, c.effects(node)
    first = c.expression(node.generators[0].iter)
    loops = _compile_loops(c, node.generators)
    element, cost = c.part(node.elt)

    def run(frame: Frame) -> tuple[list[Value], Label]:
        items: list[Value] = []

        def emit(frame: Frame) -> None:
            machine.steps_left -= cost
            machine.size_left -= ELEMENT
            if machine.steps_left < 0 or machine.size_left < 0:
                machine.stop()
            items.append(element(frame))

        iterable = first(frame)
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            loops(frame, region, iterable, emit)
        finally:
            gain = machine.leave(region)
        return items, gain

    return run


def compile_set(c: Compiler, node: ast.SetComp) -> Evaluate:
    """`{… for …}`: row "keyed write" for each member."""
    element, cost = c.part(node.elt)

    def make_emit(made: SetObject) -> Emit:
        def emit(frame: Frame) -> None:
            c.machine.step(cost)
            add(c.machine, made, element(frame))

        return emit

    return _compile_keyed(c, node, lambda: SetObject(NOTHING), make_emit)


def compile_dict(c: Compiler, node: ast.DictComp) -> Evaluate:
    """`{…: … for …}`: row "keyed write" for each entry."""
    key, key_cost = c.part(node.key)
    value, value_cost = c.part(node.value)

    def make_emit(made: DictObject) -> Emit:
        def emit(frame: Frame) -> None:
            c.machine.step(key_cost + value_cost)
            at = key(frame)
            put(c.machine, made, at, value(frame))

        return emit

    return _compile_keyed(c, node, lambda: DictObject(NOTHING), make_emit)


def _compile_keyed(
    c: Compiler, node: ast.SetComp | ast.DictComp, new: Callable[[], Keyed], make_emit: Callable[[Keyed], Emit]
) -> Evaluate:
    machine, effects = c.machine, c.effects(node)
    first = c.expression(node.generators[0].iter)
    loops = _compile_loops(c, node.generators)

    def run(frame: Frame) -> Value:
        made = new()
        iterable = first(frame)
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            loops(frame, region, iterable, make_emit(made))
        finally:
            gain = machine.leave(region)
        made.shape = made_of(steered(made.shape, gain))
        return make(made, NOTHING)

    return run


def _compile_loops(c: Compiler, generators: list[ast.comprehension]) -> Loops:
    inner: Loops | None = None
    for number in reversed(range(len(generators))):
        iterable = c.expression(generators[number].iter) if number else None
        inner = _compile_loop(c, generators[number], iterable, inner)
    if inner is None:
        raise TypeError("a comprehension without a loop")
    return inner


def _compile_loop(c: Compiler, node: ast.comprehension, own: Evaluate | None, inner: Loops | None) -> Loops:
    machine = c.machine
    store = compile_target(c, node.target)
    conditions = [c.condition_part(condition) for condition in node.ifs]

    def passes(frame: Frame, region: Region) -> bool:
        for condition, cost in conditions:
            machine.step(cost)
            is_true, label = condition(frame)
            if label.steers[1] is not NOTHING:
                machine.guard(region, label)
            if not is_true:
                return False
        return True

    def run(frame: Frame, region: Region, first: Value, emit: Emit) -> None:
        for element in guarded_walk(machine, region, first if own is None else own(frame)):
            machine.step()
            store(frame, element)
            if conditions and not passes(frame, region):
                continue
            if inner is None:
                emit(frame)
            else:
                inner(frame, region, first, emit)

    return run
