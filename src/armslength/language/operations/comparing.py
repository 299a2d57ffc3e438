"""Comparison: row "test" over all that was compared.

`COMPARISONS` has a function for each operator; `comparable` is the plain data by which values are equal and ordered.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from typing import Any

from armslength.labels import NOTHING, Label, bits_for, steering, tested
from armslength.language.machine import Machine
from armslength.language.operations.elements import mingle, spend_key
from armslength.language.operations.wholes import shape_of, spend_whole, unmixed
from armslength.values import (
    PLAIN,
    BuiltinObject,
    Container,
    DictObject,
    IteratorObject,
    ListObject,
    MemberObject,
    Raw,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    key_of,
    make,
    opened,
    parts,
    unwrap,
    upgrade,
)

_NUMBERS = frozenset({bool, int, float})
Comparison = Callable[[Machine, Raw, Label, Raw, Label], tuple[bool, Label]]
"""What a comparison of two operands, each as data and label, tells, and the label of that: row "test"."""
_Compared = Callable[[Machine, Value, Value], tuple[bool, Label]]
"""The same of two values."""


def compare(machine: Machine, sign: ast.cmpop, left: Value, right: Value) -> Value:
    """One link of a comparison.

    Raises:
        ProgramFailed: the operands have no order, or the right one holds nothing.
    """
    return make(*COMPARISONS[type(sign)](machine, *opened(left), *opened(right)))


def compared_label(machine: Machine, left: Value, right: Value) -> Label:
    """Row "test" over both sides and all that they hold."""
    if type(unwrap(left)) in PLAIN and type(unwrap(right)) in PLAIN:
        return left.label.tests[right.label]
    return tested(*dict.fromkeys([*parts(left, machine.spend), *parts(right, machine.spend)]))


def _equality(*, is_equal: bool) -> Comparison:
    def comparison(machine: Machine, a: Raw, by_a: Label, b: Raw, by_b: Label) -> tuple[bool, Label]:
        if (type(a) is int and type(b) is int) or _is_simple(machine, a, b):
            return (a == b) is is_equal, by_a.tests[by_b]
        left, right = make(a, by_a), make(b, by_b)
        label = compared_label(machine, left, right)
        same = comparable(machine, left) == comparable(machine, right)
        return same is is_equal, label

    return comparison


def _order(compares: Callable[[Any, Any], object]) -> Comparison:
    def comparison(machine: Machine, a: Raw, by_a: Label, b: Raw, by_b: Label) -> tuple[bool, Label]:
        if (type(a) is int and type(b) is int) or _is_simple(machine, a, b):
            label = by_a.tests[by_b]
            gain = label.guards
            if gain is not NOTHING:
                machine.risk(gain)
            return bool(compares(a, b)), label
        left, right = make(a, by_a), make(b, by_b)
        label = compared_label(machine, left, right)
        machine.may_raise(label)
        try:
            return bool(compares(comparable(machine, left), comparable(machine, right))), label
        except TypeError:
            raise machine.failed("type", "these have no order", label) from None

    return comparison


def _is_simple(machine: Machine, a: Raw, b: Raw) -> bool:
    """Whether these are two numbers or two texts, which Python may compare as they are. Texts are counted."""
    if type(a) in _NUMBERS:
        return type(b) in _NUMBERS
    if type(a) is not str or type(b) is not str:
        return False
    machine.spend(len(a) // 64 + len(b) // 64)
    return True


def _of_values(compared: _Compared) -> Comparison:
    """What looks at more than data and labels."""
    return lambda machine, a, by_a, b, by_b: compared(machine, make(a, by_a), make(b, by_b))


def _identity(*, is_same: bool) -> _Compared:
    """Which object a reference leads to is what its own label says."""

    def comparison(machine: Machine, left: Value, right: Value) -> tuple[bool, Label]:
        return _is_same(machine, left, right) is is_same, tested(left.label, right.label)

    return comparison


def _is_same(machine: Machine, left: Value, right: Value) -> bool:
    a, b = unwrap(left), unwrap(right)
    match a, b:
        case MemberObject(), MemberObject():
            return (a.enumeration, a.name) == (b.enumeration, b.name)
        case BuiltinObject(), BuiltinObject():
            return a.name == b.name
        case _ if isinstance(a, Container) or isinstance(b, Container):
            return a is b
        case str(), str():
            return _is_simple(machine, a, b) and a == b
        case _:
            return type(a) is type(b) and a == b


def _membership(*, is_in: bool) -> _Compared:
    def comparison(machine: Machine, item: Value, container: Value) -> tuple[bool, Label]:
        label = _membership_label(machine, item, container)
        if label.guards is not NOTHING:
            machine.may_raise(label)
        return _holds(machine, item, container, label) is is_in, label

    return comparison


def _membership_label(machine: Machine, item: Value, container: Value) -> Label:
    """Whether a key is there is decided by the keys alone, and these are in the shape."""
    if isinstance(unwrap(container), DictObject | SetObject):
        return tested(container.label, shape_of(container), *parts(item, machine.spend))
    return compared_label(machine, item, container)


def _holds(machine: Machine, item: Value, container: Value, label: Label) -> bool:
    held, raw = unwrap(unmixed(item)), unwrap(unmixed(container))
    match raw:
        case str() if isinstance(held, str):
            machine.spend(len(raw) // 16)
            return held in raw
        case ListObject() | TupleObject():
            machine.spend(4 * len(raw.items))
            return comparable(machine, item) in [comparable(machine, element) for element in raw.items]
        case DictObject() | SetObject():
            return _has_key(machine, item, raw, label)
        case IteratorObject():
            return _is_left(machine, item, container, raw)
        case _:
            raise machine.failed("type", "in does not take these operands", label)


def _has_key(machine: Machine, item: Value, raw: DictObject | SetObject, label: Label) -> bool:
    if isinstance(raw, SetObject) and isinstance(unwrap(item), SetObject):
        return False  # Python looks for a frozen copy, and no member is one
    spend_key(machine, item)
    try:
        return key_of(item) in raw.entries
    except TypeError:
        raise machine.failed("type", "this cannot be a key", label) from None


def _is_left(machine: Machine, item: Value, container: Value, raw: IteratorObject) -> bool:
    """Uses the iterator up to the first that is equal: how far, is decided by all that was compared."""
    machine.spend(4 * len(raw.left))
    gain = steering(compared_label(machine, item, container), bits_for(len(raw.left) + 1))
    mingle(machine, container, (), gain)
    upgrade([raw], gain)
    wanted = comparable(machine, item)
    while raw.left:
        found = comparable(machine, raw.left.pop())
        if found is wanted or found == wanted:
            return True
    return False


COMPARISONS: dict[type[ast.cmpop], Comparison] = {
    ast.Eq: _equality(is_equal=True),
    ast.NotEq: _equality(is_equal=False),
    ast.Lt: _order(operator.lt),
    ast.LtE: _order(operator.le),
    ast.Gt: _order(operator.gt),
    ast.GtE: _order(operator.ge),
    ast.Is: _of_values(_identity(is_same=True)),
    ast.IsNot: _of_values(_identity(is_same=False)),
    ast.In: _of_values(_membership(is_in=True)),
    ast.NotIn: _of_values(_membership(is_in=False)),
}
"""A function for each operator of a comparison."""


# Plain data that compares as values do


class _Unordered:
    """A dict or record being compared: equal or not, never less."""

    __slots__ = ("content",)

    def __init__(self, content: object) -> None:
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unordered) and self.content == other.content

    __hash__ = None  # type: ignore[assignment]  # not a key


class _Members:
    """A set being compared: less is within."""

    __slots__ = ("keys",)

    def __init__(self, keys: Iterable[object]) -> None:
        self.keys = frozenset(keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Members) and self.keys == other.keys

    def __lt__(self, other: object) -> bool:
        return self.keys < other.keys if isinstance(other, _Members) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.keys <= other.keys if isinstance(other, _Members) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.keys > other.keys if isinstance(other, _Members) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.keys >= other.keys if isinstance(other, _Members) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # not a key


def comparable(machine: Machine, value: Value) -> object:
    """Plain data that compares as the value does in Python; for this module and sorting only, never kept.

    Raises:
        LimitReached: nested too deep.
    """
    raw = unwrap(value)
    if type(raw) is int:
        return raw
    spend_whole(machine, value)
    return _comparable(machine, value)


def _comparable(machine: Machine, value: Value) -> object:
    raw = unwrap(value)
    match raw:
        case str():
            machine.spend(len(raw) // 32)
            return raw
        case ListObject():
            return [_comparable(machine, item) for item in raw.items]
        case TupleObject():
            return tuple([_comparable(machine, item) for item in raw.items])
        case DictObject():
            return _Unordered({key: _comparable(machine, entry.value) for key, entry in raw.entries.items()})
        case SetObject():
            return _Members(raw.entries)
        case RecordObject():
            fields = {name: _comparable(machine, field) for name, field in raw.fields.items()}
            return _Unordered((raw.type.name, fields))
        case MemberObject():
            named = _Unordered(("member", raw.enumeration, raw.name))
            return _comparable(machine, raw.value) if raw.is_mixed else named
        case BuiltinObject():
            return _Unordered(("function", raw.name))
        case _:
            return raw
