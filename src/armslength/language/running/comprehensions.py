"""Comprehensions and generator expressions: loops in an expression. One region each; an untrusted `if` or iterable is a guard."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeVar

from armslength.labels import NOTHING
from armslength.language.machine import ELEMENT, Kind, Region
from armslength.language.operations.writing import add, put
from armslength.language.running.compiler import Compiler, Condition, Evaluate
from armslength.language.running.loops import guarded_walk
from armslength.language.running.targets import compile_target
from armslength.values import DictObject, Frame, IteratorObject, ListObject, SetObject, Value, make

Made = TypeVar("Made", ListObject, SetObject, DictObject)
Pass = Callable[[Frame, Region, Made], None]
"""What is done in each pass of a loop: the inner loops, or one more for what is made."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def compile_list(c: Compiler, node: ast.ListComp) -> Evaluate:
    """`[… for …]`: elements keep their labels, the shape takes what the region gained."""
    listed = _compile_items(c, node)
    return lambda frame: make(listed(frame), NOTHING)


def compile_generator(c: Compiler, node: ast.GeneratorExp) -> Evaluate:
    """`(… for …)`: computed at once, used up by walking."""
    listed = _compile_items(c, node)

    def run(frame: Frame) -> Value:
        made = listed(frame)
        return make(IteratorObject(made.items, made.shape), NOTHING)

    return run


def _compile_items(c: Compiler, node: ast.ListComp | ast.GeneratorExp) -> Callable[[Frame], ListObject]:
    machine = c.machine
    element, cost = c.part(node.elt)

    def emit(frame: Frame, region: Region, made: ListObject) -> None:
        machine.steps_left -= cost
        machine.size_left -= ELEMENT
        if machine.steps_left < 0 or machine.size_left < 0:
            machine.stop()
        made.items.append(element(frame))

    collect = _compile_region(c, node, emit)
    return lambda frame: collect(frame, ListObject((), NOTHING))


def compile_set(c: Compiler, node: ast.SetComp) -> Evaluate:
    """`{… for …}`: row "keyed write" for each member."""
    machine = c.machine
    element, cost = c.part(node.elt)

    def emit(frame: Frame, region: Region, made: SetObject) -> None:
        machine.step(cost)
        add(machine, made, element(frame))

    collect = _compile_region(c, node, emit)
    return lambda frame: make(collect(frame, SetObject(NOTHING)), NOTHING)


def compile_dict(c: Compiler, node: ast.DictComp) -> Evaluate:
    """`{…: … for …}`: row "keyed write" for each entry."""
    machine = c.machine
    key, key_cost = c.part(node.key)
    value, value_cost = c.part(node.value)

    def emit(frame: Frame, region: Region, made: DictObject) -> None:
        machine.step(key_cost + value_cost)
        at = key(frame)
        put(machine, made, at, value(frame))

    collect = _compile_region(c, node, emit)
    return lambda frame: make(collect(frame, DictObject(NOTHING)), NOTHING)


def _compile_region(c: Compiler, node: Comprehension, emit: Pass[Made]) -> Callable[[Frame, Made], Made]:
    """All loops, in one region; gives what they made. The first iterable is computed before."""
    machine, effects = c.machine, c.effects(node)
    outermost, *inner = node.generators
    first = c.expression(outermost.iter)
    each = emit
    for generator in reversed(inner):
        each = _inner_loop(c, generator, each)
    loop = _compile_loop(c, outermost, each)

    def run(frame: Frame, made: Made) -> Made:
        iterable = first(frame)
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            loop(frame, region, iterable, made)
        finally:
            machine.leave_made(region, made)
        return made

    return run


def _inner_loop(c: Compiler, node: ast.comprehension, each: Pass[Made]) -> Pass[Made]:
    iterable, loop = c.expression(node.iter), _compile_loop(c, node, each)
    return lambda frame, region, made: loop(frame, region, iterable(frame), made)


def _compile_loop(
    c: Compiler, node: ast.comprehension, each: Pass[Made]
) -> Callable[[Frame, Region, Value, Made], None]:
    machine, store = c.machine, compile_target(c, node.target)
    conditions, costs = _conditions(c, node.ifs)
    cost = 1 + costs

    def run(frame: Frame, region: Region, iterable: Value, made: Made) -> None:
        for element in guarded_walk(machine, region, iterable):
            machine.steps_left -= cost
            if machine.steps_left < 0:
                machine.stop()
            store(frame, element)
            for condition in conditions:
                is_true, label = condition(frame)
                if label.guards is not NOTHING:
                    machine.gain(region, label.guards)
                if not is_true:
                    break
            else:
                each(frame, region, made)

    return run


def _conditions(c: Compiler, nodes: Sequence[ast.expr]) -> tuple[list[Condition], int]:
    """What each `if` decides; it guards what comes after it. And what all of them cost."""
    conditions = [c.condition_part(node) for node in nodes]
    return [condition for condition, _ in conditions], sum(cost for _, cost in conditions)
