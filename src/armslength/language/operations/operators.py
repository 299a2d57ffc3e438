"""Operators: `DRAFTS` has a function for each binary one. Row `construct`: the result is made of its operands.

Comparison is in `comparing`. The label is made from all operands before anything else can fail.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import NOTHING, Label, construct, keying
from armslength.language.machine import Machine
from armslength.language.operations import setwise
from armslength.language.operations.elements import by_references, mingle, sequence, walk_label
from armslength.language.operations.moments import moment_arithmetic, moment_unary
from armslength.language.operations.templates import percent
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import sequence_items, shape_of, truth, truth_label, unmixed
from armslength.values import DictObject, ListObject, MemberObject, Raw, SetObject, TupleObject, Value, make, unwrap

Draft = Callable[[Machine, Raw, Label, Raw, Label], tuple[Raw, Label]]
"""What a binary operator makes of two operands, each as data and label: data and label, of which `make` makes the value."""

_MANY = 1_000_000
"""An exponent or a shift beyond this passes every limit."""
_SMALL = 1 << 31
"""What an operation on integers below this makes has no more digits than any limit allows."""
_LEAST = -_SMALL
_NUMBERS = frozenset({bool, int, float})


def binary(machine: Machine, sign: ast.operator, left: Value, right: Value) -> Value:
    """`left sign right`: row "construct". Sequences keep the label of each element.

    Raises:
        ProgramFailed: the operands do not fit, or the arithmetic has no result.
    """
    return make(*DRAFTS[type(sign)](machine, unwrap(left), left.label, unwrap(right), right.label))


def _arithmetic(kind: type[ast.operator], sign: str, python: Callable[..., object]) -> Draft:
    can_grow = kind in (ast.Pow, ast.LShift)

    def draft(machine: Machine, a: Raw, by_a: Label, b: Raw, by_b: Label) -> tuple[Raw, Label]:
        label = by_a.constructs[by_b]
        if label.guards is not NOTHING:
            machine.risk(label.guards)
        is_small = type(a) is int and type(b) is int and _LEAST < a < _SMALL and _LEAST < b < _SMALL
        if is_small or (type(a) in _NUMBERS and type(b) in _NUMBERS):
            if can_grow or not is_small:
                bound_digits(machine, kind, a, b)
            try:
                return python(a, b), label  # type: ignore[return-value]  # what is no real number is no raw data
            except (ArithmeticError, ValueError, TypeError) as error:
                raise _no_result(machine, sign, error, label) from None
        if type(a) is str and type(b) is str and kind is ast.Add:
            machine.spend(len(a) + len(b))
            return a + b, label
        found = _of_others(machine, kind, make(a, by_a), make(b, by_b))
        if found is None:
            raise machine.failed("type", f"{sign} does not take these operands", by_a, by_b)
        of_kind = by_references(found, by_a, by_b)
        return unwrap(of_kind), of_kind.label

    return draft


def _no_result(machine: Machine, sign: str, error: Exception, label: Label) -> ProgramFailed:
    match error:
        case ZeroDivisionError():
            return machine.failed("zero", "division by zero", label)
        case OverflowError():
            return machine.failed("value", "the number is too large", label)
        case ValueError():
            return machine.failed("value", f"{sign} has no result that is a real number", label)
        case _:
            return machine.failed("type", f"{sign} does not take these operands", label)


def _power(a: Any, b: Any) -> object:
    result = a**b
    if isinstance(result, complex):
        raise ValueError("no real number")
    return result


def bound_digits(machine: Machine, kind: type[ast.operator], a: object, b: object) -> None:
    """Count the digits of what two integers make, before it is made.

    Raises:
        LimitReached: there are too many.
    """
    if not isinstance(a, int) or not isinstance(b, int):
        return
    if kind is ast.Mult:
        bits = a.bit_length() + b.bit_length()
    elif kind is ast.Pow:
        bits = math.ceil(math.log2(abs(a)) * min(max(b, 0), _MANY)) if abs(a) > 1 else 1
    elif kind is ast.LShift:
        bits = a.bit_length() + min(max(b, 0), _MANY) if a else 1
    else:
        bits = max(a.bit_length(), b.bit_length()) + 1
    if bits > machine.limits.digits * 3.33:
        raise LimitReached(machine.line, "digits")
    machine.spend(bits // 32)
    if kind in (ast.FloorDiv, ast.Mod):
        machine.spend(max(a.bit_length() - b.bit_length(), 0) * b.bit_length() // 100_000)


# What else an operator takes, by kinds of operands; None if it does not


def _sum(machine: Machine, left: Value, right: Value) -> Value | None:
    match unwrap(left), unwrap(right):
        case (ListObject(), ListObject()) | (TupleObject(), TupleObject()):
            return _concatenate(machine, left, right)
        case _:
            return None


def _product(machine: Machine, left: Value, right: Value) -> Value | None:
    match unwrap(left), unwrap(right):
        case str(text), int(times):
            return make(_repeat(machine, text, times), construct(left.label, right.label))
        case int(times), str(text):
            return make(_repeat(machine, text, times), construct(left.label, right.label))
        case ((ListObject() | TupleObject()), int()):
            return _repeat_items(machine, left, right)
        case int(), ListObject() | TupleObject():
            return _repeat_items(machine, right, left)
        case _:
            return None


def _union(machine: Machine, left: Value, right: Value) -> Value | None:
    if isinstance(unwrap(left), DictObject) and isinstance(unwrap(right), DictObject):
        made = setwise.copy_dict(machine, left)
        setwise.merge(machine, made, right)
        return made
    return _of_sets(setwise.united)(machine, left, right)


def _of_sets(operation: setwise.SetOperation) -> Callable[[Machine, Value, Value], Value | None]:
    def combine(machine: Machine, left: Value, right: Value) -> Value | None:
        if isinstance(unwrap(left), SetObject) and isinstance(unwrap(right), SetObject):
            return setwise.combined(machine, operation, left, [right])
        return None

    return combine


_SPECIAL: dict[type[ast.operator], Callable[[Machine, Value, Value], Value | None]] = {
    ast.Add: _sum,
    ast.Mult: _product,
    ast.BitOr: _union,
    ast.BitAnd: _of_sets(setwise.met),
    ast.BitXor: _of_sets(setwise.apart),
    ast.Sub: _of_sets(setwise.without),
}


def _of_others(machine: Machine, kind: type[ast.operator], left: Value, right: Value) -> Value | None:
    """Whatever is not two numbers or two texts; members of an enumeration may count as such. None if there is no such operation."""
    a, b = unwrap(left), unwrap(right)
    if kind is ast.Mod and isinstance(a, str):
        return percent(machine, left, right)
    if any(isinstance(raw, MemberObject) and raw.is_mixed for raw in (a, b)):
        return binary(machine, kind(), unmixed(left), unmixed(right))
    if kind in _SPECIAL:
        found = _SPECIAL[kind](machine, left, right)
        if found is not None:
            return found
    return moment_arithmetic(machine, kind(), left, right)


def _repeat(machine: Machine, text: str, times: int) -> str:
    if not text or times <= 0:
        return ""
    machine.spend(len(text) * times)
    return text * times


def _concatenate(machine: Machine, left: Value, right: Value) -> Value:
    items = [*sequence_items(left), *sequence_items(right)]
    machine.spend_elements(len(items))
    shape = construct(left.label, right.label, shape_of(left), shape_of(right))
    if isinstance(unwrap(left), TupleObject):
        return make(TupleObject(items, shape), shape)
    return make(ListObject(items, shape), NOTHING)


def _repeat_items(machine: Machine, repeated: Value, number: Value) -> Value:
    times, items = unwrap(number), sequence_items(repeated)
    count = max(times, 0) if isinstance(times, int) and items else 0
    machine.spend_elements(len(items) * count)
    gain = keying(number.label, 1)  # zero times, none of them is in the result
    shape = construct(repeated.label, shape_of(repeated), number.label, gain)
    mingle(machine, repeated, (), gain)
    if isinstance(unwrap(repeated), TupleObject):
        return make(TupleObject(items * count, shape), NOTHING)
    return make(ListObject(items * count, shape), NOTHING)


DRAFTS: dict[type[ast.operator], Draft] = {
    kind: _arithmetic(kind, sign, python)
    for kind, sign, python in (
        (ast.Add, "+", operator.add),
        (ast.Sub, "-", operator.sub),
        (ast.Mult, "*", operator.mul),
        (ast.Div, "/", operator.truediv),
        (ast.FloorDiv, "//", operator.floordiv),
        (ast.Mod, "%", operator.mod),
        (ast.Pow, "**", _power),
        (ast.BitOr, "|", operator.or_),
        (ast.BitAnd, "&", operator.and_),
        (ast.BitXor, "^", operator.xor),
        (ast.LShift, "<<", operator.lshift),
        (ast.RShift, ">>", operator.rshift),
    )
}
"""A function for each binary operator."""


# In place


def augmented(machine: Machine, sign: ast.operator, before: Value, value: Value) -> Value:
    """What `x sign= value` assigns to x: `x sign value`; but a list, dict or set changes itself, as in Python, and is assigned again.

    What a tool returned gives way to a new list.

    Raises:
        ProgramFailed: the operands do not fit, or the arithmetic has no result.
    """
    raw, kind = unwrap(before), type(sign)
    match raw:
        case ListObject() if kind is ast.Add:
            return _extended(machine, before, raw, value)
        case ListObject() if kind is ast.Mult and not raw.is_frozen:
            made = unwrap(binary(machine, sign, before, value))
            if isinstance(made, ListObject):
                raw.items, raw.shape = made.items, made.shape
            return before
        case DictObject() if kind is ast.BitOr and not raw.is_frozen:
            machine.may_raise(before.label, value.label)
            setwise.merge(machine, before, value)
            return before
        case SetObject() if kind in _SET_OPERATIONS and isinstance(unwrap(value), SetObject):
            machine.may_raise(before.label, value.label)
            setwise.change(machine, _SET_OPERATIONS[kind], before, [value])
            return before
        case _:
            return binary(machine, sign, before, value)


_SET_OPERATIONS: dict[type[ast.operator], setwise.SetOperation] = {
    ast.BitOr: setwise.united,
    ast.BitAnd: setwise.met,
    ast.BitXor: setwise.apart,
    ast.Sub: setwise.without,
}


def _extended(machine: Machine, before: Value, raw: ListObject, value: Value) -> Value:
    machine.may_raise(before.label, value.label)
    if raw.is_frozen:
        before = by_references(sequence(walk_all(machine, before), walk_label(before)), before.label)
    extend(machine, before, value)
    return before


def extend(machine: Machine, target: Value, source: Value) -> None:
    """All elements of the source after those of a list: they keep their labels, the shape is constructed with the source's.

    Raises:
        ProgramFailed: the source has no elements.
    """
    shape = walk_label(source)
    items = walk_all(machine, source)
    mingle(machine, target, items)
    raw = unwrap(target)
    if isinstance(raw, ListObject):
        raw.shape = construct(raw.shape, shape)
        raw.items.extend(items)


# One operand


def unary(machine: Machine, sign: ast.unaryop, operand: Value) -> Value:
    """`not x` (row "test"), `-x`, `+x`, `~x` (row "construct").

    Raises:
        ProgramFailed: the operand is no number.
    """
    return UNARY[type(sign)](machine, operand)


def _not(machine: Machine, operand: Value) -> Value:
    return make(not truth(operand), truth_label(operand))


def _sign(
    sign: type[ast.unaryop], python: Callable[..., object], takes: frozenset[type], reason: str
) -> Callable[[Machine, Value], Value]:
    def operation(machine: Machine, operand: Value) -> Value:
        operand = unmixed(operand)
        label = construct(operand.label)
        if label.guards is not NOTHING:
            machine.may_raise(operand.label)
        raw = unwrap(operand)
        if type(raw) not in takes:
            turned = moment_unary(machine, sign(), operand)
            if turned is not None:
                return turned
            raise machine.failed("type", reason, operand.label)
        try:
            return make(python(raw), label)  # type: ignore[arg-type]  # a number or a duration
        except OverflowError:
            raise machine.failed("value", "there is no such moment", operand.label) from None

    return operation


_SIGNED = frozenset({bool, int, float})
UNARY: dict[type[ast.unaryop], Callable[[Machine, Value], Value]] = {
    ast.Not: _not,
    ast.USub: _sign(ast.USub, operator.neg, _SIGNED, "- and + take a number"),
    ast.UAdd: _sign(ast.UAdd, operator.pos, _SIGNED, "- and + take a number"),
    ast.Invert: _sign(ast.Invert, operator.invert, frozenset({bool, int}), "~ takes a whole number"),
}
"""A function for each operator of one operand."""
