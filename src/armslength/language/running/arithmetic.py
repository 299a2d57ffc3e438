"""Whole numbers: what an expression of variables and literals makes of their labels is remembered, and only the data computed anew.

The label of `x * 2 + 1` depends on the label of x and not on its data (row "construct"; for a comparison row "test"). So the operators
make it once, of the labels at hand, and as long as these are the same ones the numbers are computed by themselves. Everything else (other
types, large numbers, a division by zero, a name without a value) takes the ordinary way.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from armslength.labels import LITERAL, NOTHING, Label
from armslength.language.machine import Machine
from armslength.language.operations.comparing import COMPARISONS
from armslength.language.operations.operators import DRAFTS
from armslength.language.running.compiler import Compiler
from armslength.values import Frame, Raw, opened

Result = TypeVar("Result", bound=Raw)
Numbers = Callable[[int, int], int]
"""What an expression makes of the numbers under its one or two names."""

_SIGNS: Mapping[type[ast.AST], Numbers] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_SMALL = 1 << 31
_MOST_LEAVES = 16
"""Of so many numbers below `_SMALL` the operators here make none that has more digits than any limit allows."""


def remembering(
    c: Compiler, node: ast.BinOp | ast.Compare, ordinary: Callable[[Frame], tuple[Result, Label]]
) -> Callable[[Frame], tuple[Result, Label]]:
    """The same as `ordinary`, faster for small whole numbers whose labels are those of the last time."""
    match _names(c, node):
        case [name]:
            return _of_one(c, node, name, ordinary)
        case [first, second]:
            return _of_two(c, node, first, second, ordinary)
        case _:
            return ordinary


def _of_one(
    c: Compiler, node: ast.expr, name: str, ordinary: Callable[[Frame], tuple[Result, Label]]
) -> Callable[[Frame], tuple[Result, Label]]:
    machine, compute = c.machine, _computed(c, node, (name,))
    known: Label | None = None
    label, gain, noting = NOTHING, NOTHING, _noting(c)

    def run(frame: Frame) -> tuple[Result, Label]:
        nonlocal known, label, gain
        value = frame.names.get(name)
        if value is None or frame.doubts:
            return ordinary(frame)
        a, by = opened(value)
        if type(a) is not int or not -_SMALL < a < _SMALL:
            return ordinary(frame)
        try:
            result = compute(a, a)
        except ZeroDivisionError:
            return ordinary(frame)
        if by is not known:
            label, gain = _labelled(c, noting, node, {name: (a, by)})
            known = by
        if gain is not NOTHING:
            machine.risk(gain)
        return result, label  # type: ignore[return-value]  # a number, or whether

    return run


def _of_two(
    c: Compiler, node: ast.expr, first: str, second: str, ordinary: Callable[[Frame], tuple[Result, Label]]
) -> Callable[[Frame], tuple[Result, Label]]:
    machine, compute = c.machine, _computed(c, node, (first, second))
    known: tuple[Label, Label] | None = None
    label, gain, noting = NOTHING, NOTHING, _noting(c)

    def run(frame: Frame) -> tuple[Result, Label]:
        nonlocal known, label, gain
        one, other = frame.names.get(first), frame.names.get(second)
        if one is None or other is None or frame.doubts:
            return ordinary(frame)
        a, by_a = opened(one)
        b, by_b = opened(other)
        if type(a) is not int or type(b) is not int or not (-_SMALL < a < _SMALL and -_SMALL < b < _SMALL):
            return ordinary(frame)
        try:
            result = compute(a, b)
        except ZeroDivisionError:
            return ordinary(frame)
        if known is None or by_a is not known[0] or by_b is not known[1]:
            label, gain = _labelled(c, noting, node, {first: (a, by_a), second: (b, by_b)})
            known = by_a, by_b
        if gain is not NOTHING:
            machine.risk(gain)
        return result, label  # type: ignore[return-value]  # a number, or whether

    return run


# The label, made by the operators


def _noting(c: Compiler) -> Machine:
    """A machine beside the one that runs: in no `try`, so that its halt takes what the operators tell it of failing."""
    return Machine(c.analysis, c.machine.host, c.machine.limits)


def _labelled(
    c: Compiler, noting: Machine, node: ast.expr, found: Mapping[str, tuple[Raw, Label]]
) -> tuple[Label, Label]:
    """The label of the result, and what decides whether there is one."""
    noting.halt, noting.size_left = NOTHING, noting.limits.size

    def made_of(part: ast.expr) -> tuple[Raw, Label]:
        match part:
            case ast.Constant(value=int(number)):
                return number, LITERAL
            case ast.BinOp(left=left, op=sign, right=right):
                return DRAFTS[type(sign)](noting, *made_of(left), *made_of(right))
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                return COMPARISONS[type(sign)](noting, *made_of(left), *made_of(right))
            case _:
                return found[c.variable(part).name]

    return made_of(node)[1], noting.halt


# The data


def _names(c: Compiler, node: ast.expr) -> list[str] | None:
    """The one or two variables of this scope that an expression has, if it is made of these, whole numbers and a few operators alone."""
    leaves = list(_leaves(node))
    names: dict[str, None] = {}
    for leaf in leaves:
        match leaf:
            case ast.Constant(value=number) if type(number) is int and -_SMALL < number < _SMALL:
                pass
            case ast.Name() if leaf in c.analysis.scopes.variables and c.variable(leaf).depth == 0:
                names[c.variable(leaf).name] = None
            case _:
                return None
    return list(names) if 1 <= len(names) <= 2 and len(leaves) <= _MOST_LEAVES else None


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]) if (
            type(sign) in _SIGNS
        ):
            yield from _leaves(left)
            yield from _leaves(right)
        case _:
            yield node


def _computed(c: Compiler, node: ast.expr, names: Sequence[str]) -> Numbers:
    match node:
        case ast.Constant(value=int(number)):
            return lambda a, b: number
        case (
            ast.BinOp(left=left, op=sign, right=ast.Constant(value=int(number)))
            | ast.Compare(left=left, ops=[sign], comparators=[ast.Constant(value=int(number))])
        ):
            compute, whole = _SIGNS[type(sign)], _computed(c, left, names)
            if isinstance(left, ast.Name) and c.variable(left).name == names[0]:
                return lambda a, b: compute(a, number)
            return lambda a, b: compute(whole(a, b), number)
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
            compute, one, other = _SIGNS[type(sign)], _computed(c, left, names), _computed(c, right, names)
            return lambda a, b: compute(one(a, b), other(a, b))
        case _:
            return (lambda a, b: a) if c.variable(node).name == names[0] else (lambda a, b: b)
