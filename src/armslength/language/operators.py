"""Arithmetic, comparison, truth and text of values, each with the label of its row in the design's table.

Rows: `construct` for what is made of its operands, `test` for what is only a bool. Every function takes values and gives a value; the
label is made from all operands before anything else can fail.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from armslength.errors import LimitReached
from armslength.labels import NOTHING, Label, construct, steering, tested
from armslength.language.machine import Machine
from armslength.values import (
    Container,
    DictObject,
    IteratorObject,
    ListObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    children,
    make,
    parts,
    unwrap,
)

_MANY = 1_000_000
"""An exponent beyond this passes every limit."""
_NUMBER = (bool, int, float)
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
}


def binary(machine: Machine, operator: ast.operator, left: Value, right: Value) -> Value:
    """`left operator right`: row "construct". Sequences keep the label of each element.

    Raises:
        ProgramFailed: the operands do not fit, or the arithmetic has no result.
    """
    machine.may_raise(left.label, right.label)
    a, b = unwrap(left), unwrap(right)
    label = construct(left.label, right.label)
    match operator, a, b:
        case (_, bool() | int() | float(), bool() | int() | float()):
            return make(_arithmetic(machine, operator, a, b, label), label)
        case (ast.Add(), str(), str()):
            machine.spend(len(a) + len(b))
            return make(a + b, label)
        case (ast.Mult(), str(text), int(times)) | (ast.Mult(), int(times), str(text)):
            return make(_repeat(machine, text, times), label)
        case (ast.Add(), ListObject(), ListObject()) | (ast.Add(), TupleObject(), TupleObject()):
            return _concatenate(machine, left, right)
        case (ast.Mult(), ListObject() | TupleObject(), int()):
            return _repeat_items(machine, left, right)
        case (ast.Mult(), int(), ListObject() | TupleObject()):
            return _repeat_items(machine, right, left)
        case _:
            raise machine.failed("type", f"{_sign(operator)} does not take these operands", left.label, right.label)


def _sign(operator: ast.operator) -> str:
    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
    return signs[type(operator)]


def _arithmetic(machine: Machine, operator: ast.operator, a: float, b: float, label: Label) -> float:
    _bound_digits(machine, operator, a, b)
    try:
        result = _ARITHMETIC[type(operator)](a, b)
    except ZeroDivisionError:
        raise machine.failed("value", "division by zero", label) from None
    except OverflowError:
        raise machine.failed("value", "the number is too large", label) from None
    if isinstance(result, complex):
        raise machine.failed("value", "the result is no real number", label)
    return result


def _bound_digits(machine: Machine, operator: ast.operator, a: float, b: float) -> None:
    if not isinstance(a, int) or not isinstance(b, int):
        return
    match operator:
        case ast.Mult():
            bits = a.bit_length() + b.bit_length()
        case ast.Pow():
            bits = math.ceil(math.log2(abs(a)) * min(max(b, 0), _MANY)) if abs(a) > 1 else 1
        case _:
            bits = max(a.bit_length(), b.bit_length()) + 1
    if bits > machine.limits.digits * 3.33:
        raise LimitReached(machine.line, "digits")
    machine.spend(bits // 32)


def _repeat(machine: Machine, text: str, times: int) -> str:
    if not text or times <= 0:
        return ""
    machine.spend(len(text) * times)
    return text * times


def _concatenate(machine: Machine, left: Value, right: Value) -> Value:
    a, b = unwrap(left), unwrap(right)
    if isinstance(a, TupleObject) and isinstance(b, TupleObject):
        machine.spend_elements(len(a.items) + len(b.items))
        shape = construct(left.label, a.shape, right.label, b.shape)
        return make(TupleObject((*a.items, *b.items), shape), shape)
    items = [*sequence_items(left), *sequence_items(right)]
    machine.spend_elements(len(items))
    shape = construct(left.label, right.label, shape_of(left), shape_of(right))
    return make(ListObject(items, shape), NOTHING)


def _repeat_items(machine: Machine, repeated: Value, number: Value) -> Value:
    times, items = unwrap(number), sequence_items(repeated)
    count = max(times, 0) if isinstance(times, int) and items else 0
    machine.spend_elements(len(items) * count)
    shape = construct(repeated.label, shape_of(repeated), number.label)
    machine.spread(items, steering(number.label, 1))  # zero times, none of them is in the result
    if isinstance(unwrap(repeated), TupleObject):
        return make(TupleObject(items * count, shape), NOTHING)
    return make(ListObject(items * count, shape), NOTHING)


def shape_of(value: Value) -> Label:
    """The label of a container's shape; a record's and a scalar's shape is the reference's own label."""
    raw = unwrap(value)
    return (
        raw.shape
        if isinstance(raw, ListObject | TupleObject | DictObject | SetObject | IteratorObject)
        else value.label
    )


def sequence_items(value: Value) -> list[Value]:
    """The elements of a list or tuple as they are stored."""
    raw = unwrap(value)
    return list(raw.items) if isinstance(raw, ListObject | TupleObject) else []


def unary(machine: Machine, operator: ast.unaryop, operand: Value) -> Value:
    """`not x` (row "test"), `-x`, `+x` (row "construct").

    Raises:
        ProgramFailed: the operand is no number.
    """
    if isinstance(operator, ast.Not):
        return make(not truth(operand), truth_label(operand))
    machine.may_raise(operand.label)
    raw = unwrap(operand)
    if not isinstance(raw, _NUMBER):
        raise machine.failed("type", "- and + take a number", operand.label)
    return make(-raw if isinstance(operator, ast.USub) else +raw, construct(operand.label))


def truth(value: Value) -> bool:
    """Whether Python takes it as true. Whoever branches on this guards with `truth_label`."""
    raw = unwrap(value)
    match raw:
        case ListObject() | TupleObject():
            return bool(raw.items)
        case DictObject() | SetObject():
            return bool(raw.entries)
        case RecordObject():
            return True
        case _:
            return bool(raw)


def truth_label(value: Value) -> Label:
    """Row "test" of one operand: the reference and the shape."""
    return tested(value.label, shape_of(value))


def compare(machine: Machine, operator: ast.cmpop, left: Value, right: Value) -> Value:
    """One link of a comparison: row "test" over all that was compared.

    Raises:
        ProgramFailed: the operands have no order, or the right one holds nothing.
    """
    compared = [*parts(left), *parts(right)]
    machine.spend(len(compared))
    label = tested(*compared)
    if not isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        machine.may_raise(label)
    match operator:
        case ast.Eq():
            return make(comparable(machine, left) == comparable(machine, right), label)
        case ast.NotEq():
            return make(comparable(machine, left) != comparable(machine, right), label)
        case ast.Is() | ast.IsNot():
            same = _is_same(left, right)
            return make(same if isinstance(operator, ast.Is) else not same, label)
        case ast.In() | ast.NotIn():
            held = _holds(machine, left, right, label)
            return make(held if isinstance(operator, ast.In) else not held, label)
        case _:
            return make(_ordered(machine, operator, left, right, label), label)


def _is_same(left: Value, right: Value) -> bool:
    a, b = unwrap(left), unwrap(right)
    if isinstance(a, Container) or isinstance(b, Container):
        return a is b
    return type(a) is type(b) and a == b


def _holds(machine: Machine, item: Value, container: Value, label: Label) -> bool:
    held, raw = unwrap(item), unwrap(container)
    match raw:
        case str() if isinstance(held, str):
            machine.spend(len(raw) // 16)
            return held in raw
        case ListObject() | TupleObject():
            machine.spend(4 * len(raw.items))
            return comparable(machine, item) in [comparable(machine, element) for element in sequence_items(container)]
        case DictObject() | SetObject():
            wanted = comparable(machine, item)
            try:
                return wanted in raw.entries
            except TypeError:
                raise machine.failed("type", "this cannot be a key", label) from None
        case _:
            raise machine.failed("type", "in does not take these operands", label)


def _ordered(machine: Machine, operator: ast.cmpop, left: Value, right: Value, label: Label) -> bool:
    a, b = comparable(machine, left), comparable(machine, right)
    try:
        match operator:
            case ast.Lt():
                return bool(a < b)  # type: ignore[operator]  # unorderable operands raise, as in Python
            case ast.LtE():
                return bool(a <= b)  # type: ignore[operator]  # likewise
            case ast.Gt():
                return bool(a > b)  # type: ignore[operator]  # likewise
            case _:
                return bool(a >= b)  # type: ignore[operator]  # likewise
    except TypeError:
        raise machine.failed("type", "these have no order", label) from None


class _Unordered:
    """A dict, set or record being compared: equal or not, never less."""

    __slots__ = ("content",)

    def __init__(self, content: object) -> None:
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unordered) and self.content == other.content

    __hash__ = None  # type: ignore[assignment]  # not a key


def comparable(machine: Machine, value: Value) -> object:
    """Plain data that compares as the value does in Python; for this module and sorting only, never kept.

    Raises:
        LimitReached: nested too deep.
    """
    spend_whole(machine, value)
    return _comparable(value)


def _comparable(value: Value) -> object:
    raw = unwrap(value)
    match raw:
        case ListObject():
            return [_comparable(item) for item in raw.items]
        case TupleObject():
            return tuple(_comparable(item) for item in raw.items)
        case DictObject():
            return _Unordered({key: _comparable(entry.value) for key, entry in raw.entries.items()})
        case SetObject():
            return _Unordered(set(raw.entries))
        case RecordObject():
            return _Unordered((raw.type.name, {name: _comparable(field) for name, field in raw.fields.items()}))
        case _:
            return raw


def spend_whole(machine: Machine, value: Value) -> None:
    """Count the elements that a copy of `value` has, an object that is met twice twice, before anything makes that copy.

    Raises:
        LimitReached: there are too many, or they are nested too deep (a list that holds itself is).
    """
    if isinstance(unwrap(value), Container):
        machine.spend_elements(_whole(machine, value, {}, machine.limits.depth)[0])


def _whole(machine: Machine, value: Value, known: dict[int, tuple[int, int]], depth: int) -> tuple[int, int]:
    """Elements of a copy, and levels below. Each object is gone through once."""
    raw = unwrap(value)
    if not isinstance(raw, Container):
        return 1, 0
    if depth == 0:
        raise LimitReached(machine.line, "depth")
    found = known.get(id(raw))
    if found is None:
        below = [_whole(machine, child, known, depth - 1) for child in children(raw)]
        found = 1 + sum(size for size, _ in below), 1 + max((levels for _, levels in below), default=0)
        known[id(raw)] = found
    if found[1] > depth:
        raise LimitReached(machine.line, "depth")
    return found


def render(machine: Machine, value: Value, *, quoted: bool = False) -> str:
    """The text of a value, as `str` (or, quoted, `repr`) gives it; its label is `construct(*parts(value))`.

    Raises:
        LimitReached: nested too deep, or too long.
    """
    spend_whole(machine, value)
    raw = unwrap(value)
    text = raw if isinstance(raw, str) and not quoted else _quoted(machine, value)
    machine.spend(len(text))
    return text


def _quoted(machine: Machine, value: Value) -> str:
    raw = unwrap(value)

    def inner(item: Value) -> str:
        return _quoted(machine, item)

    match raw:
        case str():
            machine.spend(len(raw))
            return repr(raw)
        case ListObject():
            return f"[{', '.join(map(inner, raw.items))}]"
        case TupleObject(items=(only,)):
            return f"({inner(only)},)"
        case TupleObject():
            return f"({', '.join(map(inner, raw.items))})"
        case SetObject():
            return f"{{{', '.join(map(inner, raw.entries.values()))}}}" if raw.entries else "set()"
        case DictObject():
            return f"{{{', '.join(f'{inner(e.key)}: {inner(e.value)}' for e in raw.entries.values())}}}"
        case RecordObject():
            named = ", ".join(f"{name}={inner(field)}" for name, field in raw.fields.items())
            return f"{raw.type.name}({named})"
        case _:
            return str(raw)


def text_label(value: Value) -> Label:
    """Row "construct" over a value and all that it holds."""
    return construct(*parts(value))
