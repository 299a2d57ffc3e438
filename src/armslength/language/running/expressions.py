"""Expressions: from a node to a closure that computes its value. The tables of all of them, and here operators and what chooses.

Names, displays, fields and items, f-strings, comprehensions, lambdas and calls have files of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from armslength.labels import NOTHING, Label, tested
from armslength.language.machine import Kind
from armslength.language.operations.comparing import COMPARISONS, compare
from armslength.language.operations.operators import DRAFTS, unary
from armslength.language.operations.wholes import truth, truth_label
from armslength.language.running.arithmetic import remembering
from armslength.language.running.calls import compile_call
from armslength.language.running.compiler import NO_VALUE, Compiler, Condition, Drafted, Evaluate, truth_of
from armslength.language.running.comprehensions import compile_dict, compile_generator, compile_list, compile_set
from armslength.language.running.definitions import compile_lambda
from armslength.language.running.displays import (
    compile_dict_display,
    compile_list_display,
    compile_set_display,
    compile_tuple_display,
)
from armslength.language.running.names import compile_constant, compile_name, compile_named, draft_constant, draft_name
from armslength.language.running.parts import compile_attribute, compile_subscript, draft_attribute
from armslength.language.running.texts import compile_formatted, compile_joined
from armslength.values import (
    Frame,
    Raw,
    Value,
    make,
    unwrap,
)

# Operators


def _binary(c: Compiler, node: ast.BinOp) -> Evaluate:
    draft = _drafted(c, node)

    def run(frame: Frame) -> Value:
        raw, label = draft(frame)
        return make(raw, label)

    return run


def _drafted(c: Compiler, node: ast.BinOp) -> Drafted:
    machine, draft = c.machine, DRAFTS[type(node.op)]
    left, right = c.draft(node.left), c.draft(node.right)

    def run(frame: Frame) -> tuple[Raw, Label]:
        a, by_a = left(frame)
        b, by_b = right(frame)
        return draft(machine, a, by_a, b, by_b)

    return remembering(c, node, run)


def _unary(c: Compiler, node: ast.UnaryOp) -> Evaluate:
    machine, operator, operand = c.machine, node.op, c.expression(node.operand)
    return lambda frame: unary(machine, operator, operand(frame))


def _and_or(c: Compiler, node: ast.BoolOp) -> Evaluate:
    """`and`, `or`: each operand guards those after it. The region begins at the first guard that can steer."""
    machine, effects, stops_at = c.machine, c.effects(node), isinstance(node.op, ast.Or)
    operands = [c.expression(operand) for operand in node.values]

    def run(frame: Frame) -> Value:
        value = operands[0](frame)
        for number, operand in enumerate(operands[1:], start=1):
            if truth_label(value).guards is not NOTHING:
                return rest(frame, value, number)
            if truth(value) is stops_at:
                return value
            value = operand(frame)
        return value

    def rest(frame: Frame, value: Value, number: int) -> Value:
        region = machine.enter(Kind.EXPRESSION, frame, effects)
        try:
            for operand in operands[number:]:
                machine.guard(region, truth_label(value))
                if truth(value) is stops_at:
                    break
                value = operand(frame)
        finally:
            value = machine.leave_with(region, value)
        return value

    return run


def _ternary(c: Compiler, node: ast.IfExp) -> Evaluate:
    machine, effects = c.machine, c.effects(node)
    condition, then, other = c.condition(node.test), c.expression(node.body), c.expression(node.orelse)

    def run(frame: Frame) -> Value:
        is_true, label = condition(frame)
        branch = then if is_true else other
        if label.guards is NOTHING:
            return branch(frame)
        region, value = machine.enter(Kind.EXPRESSION, frame, effects), NO_VALUE
        try:
            machine.guard(region, label)
            value = branch(frame)
        finally:
            value = machine.leave_with(region, value)
        return value

    return run


def _compare(c: Compiler, node: ast.Compare) -> Evaluate:
    """A chain is the `and` of its links; all operands are computed first."""
    if len(node.ops) == 1:
        told = _told(c, node)
        return lambda frame: make(*told(frame))
    machine = c.machine
    operands = [c.expression(operand) for operand in (node.left, *node.comparators)]

    def run(frame: Frame) -> Value:
        values = [operand(frame) for operand in operands]
        links = [compare(machine, op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)]
        return make(all(unwrap(link) for link in links), tested(*(link.label for link in links)))

    return run


def _told(c: Compiler, node: ast.Compare) -> Condition:
    """What a comparison tells, without a value of it."""
    if len(node.ops) > 1:
        return truth_of(_compare(c, node))
    machine, comparison = c.machine, COMPARISONS[type(node.ops[0])]
    left, right = c.draft(node.left), c.draft(node.comparators[0])

    def run(frame: Frame) -> tuple[bool, Label]:
        a, by_a = left(frame)
        b, by_b = right(frame)
        return comparison(machine, a, by_a, b, by_b)

    return remembering(c, node, run)


def _denied(c: Compiler, node: ast.UnaryOp) -> Condition:
    """`not` is the other truth with the same label."""
    if not isinstance(node.op, ast.Not):
        return truth_of(_unary(c, node))
    condition = c.condition(node.operand)

    def run(frame: Frame) -> tuple[bool, Label]:
        is_true, label = condition(frame)
        return not is_true, label

    return run


DRAFTED: Mapping[type[ast.AST], Callable[..., Drafted]] = {
    ast.Constant: draft_constant,
    ast.Name: draft_name,
    ast.BinOp: _drafted,
    ast.Attribute: draft_attribute,
}
CONDITIONS: Mapping[type[ast.AST], Callable[..., Condition]] = {ast.Compare: _told, ast.UnaryOp: _denied}

EXPRESSIONS: Mapping[type[ast.AST], Callable[..., Evaluate]] = {
    ast.Constant: compile_constant,
    ast.Name: compile_name,
    ast.NamedExpr: compile_named,
    ast.List: compile_list_display,
    ast.Tuple: compile_tuple_display,
    ast.Set: compile_set_display,
    ast.Dict: compile_dict_display,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _and_or,
    ast.Compare: _compare,
    ast.IfExp: _ternary,
    ast.Attribute: compile_attribute,
    ast.Subscript: compile_subscript,
    ast.JoinedStr: compile_joined,
    ast.FormattedValue: compile_formatted,
    ast.ListComp: compile_list,
    ast.SetComp: compile_set,
    ast.DictComp: compile_dict,
    ast.GeneratorExp: compile_generator,
    ast.Call: compile_call,
    ast.Lambda: compile_lambda,
}
