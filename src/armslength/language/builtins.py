"""The language's own functions: one allow-list, each with the row of the design's table that labels its result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from armslength.labels import NOTHING, SATURATED, construct, join, steered, steering, tested
from armslength.language.elements import add, mingle, put, read, read_item, sequence, walk_all, walk_label
from armslength.language.machine import Machine
from armslength.language.methods import copy_dict
from armslength.language.operators import binary, comparable, render, sequence_items, shape_of, text_label, truth
from armslength.language.ordering import arranged, compared
from armslength.language.syntax import MAX_DIGITS
from armslength.values import (
    Container,
    DictObject,
    ListObject,
    SetObject,
    TupleObject,
    Value,
    make,
    restrict,
    unwrap,
)

Builtin = Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]


def call_builtin(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Call one of `BUILTINS`.

    Raises:
        ProgramFailed: the arguments do not fit.
    """
    machine.may_raise(*(value.label for value in (*args, *named.values())))
    least, most, keywords = _ARGUMENTS.get(name, (0, 1, frozenset(named)))
    if not least <= len(args) <= most or set(named) - keywords:
        raise machine.failed("type", f"the arguments do not fit {name}", *(v.label for v in (*args, *named.values())))
    return BUILTINS[name](machine, args, named)


def _misfit(machine: Machine, name: str, *values: Value) -> Exception:
    return machine.failed("type", f"{name} does not take this", *(value.label for value in values))


def _len(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "size"."""
    raw = unwrap(args[0])
    match raw:
        case str():
            size = len(raw)
        case ListObject() | TupleObject():
            size = len(raw.items)
        case DictObject() | SetObject():
            size = len(raw.entries)
        case _:
            raise _misfit(machine, "len", args[0])
    return make(size, walk_label(args[0]))


def _str(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    if not args:
        return make("", NOTHING)
    return make(render(machine, args[0]), text_label(args[0]))


def _int(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"; may raise on the operand."""
    raw = unwrap(args[0]) if args else 0
    label = construct(*(value.label for value in args))
    try:
        match raw:
            case str() if len(raw) <= MAX_DIGITS:
                return make(int(raw), label)
            case bool() | int() | float():
                return make(int(raw), label)
            case _:
                raise _misfit(machine, "int", *args)
    except (ValueError, OverflowError):
        raise machine.failed("value", "int found no whole number", label) from None


def _float(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"; may raise on the operand."""
    raw = unwrap(args[0]) if args else 0.0
    label = construct(*(value.label for value in args))
    try:
        match raw:
            case str() if len(raw) <= MAX_DIGITS:
                return make(float(raw), label)
            case bool() | int() | float():
                return make(float(raw), label)
            case _:
                raise _misfit(machine, "float", *args)
    except (ValueError, OverflowError):
        raise machine.failed("value", "float found no number", label) from None


def _bool(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "test"."""
    if not args:
        return make(False, NOTHING)
    return make(truth(args[0]), tested(args[0].label, shape_of(args[0])))


def _list(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A copy: each element keeps its label."""
    if not args:
        return sequence([], NOTHING)
    return sequence(walk_all(machine, args[0]), walk_label(args[0]))


def _tuple(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A copy: each element keeps its label."""
    if not args:
        return make(TupleObject([], NOTHING), NOTHING)
    return make(TupleObject(walk_all(machine, args[0]), walk_label(args[0])), NOTHING)


def _set(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "keyed write" for each member."""
    made = SetObject(walk_label(args[0]) if args else NOTHING)
    for member in walk_all(machine, args[0]) if args else []:
        add(machine, made, member)
    return make(made, NOTHING)


def _dict(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """A copy of a dict, or row "keyed write" for each pair."""
    made = DictObject(NOTHING)
    if args:
        raw = unwrap(args[0])
        if isinstance(raw, DictObject):
            copied = unwrap(copy_dict(machine, args[0], raw))
            made = copied if isinstance(copied, DictObject) else made
        else:
            made.shape = walk_label(args[0])
            for pair in walk_all(machine, args[0]):
                put(machine, made, *_pair(machine, pair))
    for key, value in named.items():
        put(machine, made, make(key, NOTHING), value)
    return make(made, NOTHING)


def _pair(machine: Machine, pair: Value) -> tuple[Value, Value]:
    if len(sequence_items(pair)) != 2:
        raise machine.failed("type", "dict takes pairs", pair.label, shape_of(pair))
    return read_item(machine, pair, make(0, NOTHING)), read_item(machine, pair, make(1, NOTHING))


def _sorted(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "select": each place is steered by all that were compared."""
    items, gain = arranged(machine, walk_all(machine, args[0]), named.get("reverse"))
    machine.spread(items, gain)
    return sequence(items, walk_label(args[0]))


def _extreme(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        from_one = len(args) == 1
        items = walk_all(machine, args[0]) if from_one else list(args)
        shape = walk_label(args[0]) if from_one else NOTHING
        machine.may_raise(shape)
        candidates = [*items, *named.values()]
        gain = join(compared(candidates), steering(shape, 1))
        if not items:
            if "default" not in named:
                raise machine.failed("value", f"{name} of nothing", shape)
            machine.spread(candidates, gain)
            return restrict(named["default"], gain)
        keys = [comparable(machine, item) for item in items]
        machine.may_raise(*map(text_label, items))
        try:
            chosen = (min if name == "min" else max)(range(len(items)), key=keys.__getitem__)  # type: ignore[arg-type]  # may raise
        except TypeError:
            raise machine.failed("type", "these have no order", *map(text_label, items)) from None
        machine.spread(candidates, gain)
        return restrict(items[chosen], gain)

    return builtin


def _sum(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    total = args[1] if len(args) == 2 else named.get("start", make(0, NOTHING))
    if isinstance(unwrap(total), str):
        raise _misfit(machine, "sum", total)
    total = make(unwrap(total), construct(total.label, walk_label(args[0])))
    mingle(machine, args[0], [total])
    for item in walk_all(machine, args[0]):
        machine.step()
        total = binary(machine, ast.Add(), total, item)
    return read(total, args[0]) if isinstance(unwrap(total), Container) else total


_NOWHERE = ast.Pass()


def _any_all(name: str) -> Builtin:
    """Row "test" over every element."""

    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        items = walk_all(machine, args[0])
        label = tested(walk_label(args[0]), *(part for item in items for part in (item.label, shape_of(item))))
        return make((any if name == "any" else all)(map(truth, items)), label)

    return builtin


def _enumerate(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Pairs: the index has row "size", the element keeps its label."""
    start = args[1] if len(args) == 2 else named.get("start", make(0, NOTHING))
    first = unwrap(start)
    if not isinstance(first, int):
        raise _misfit(machine, "enumerate", start)
    shape = walk_label(args[0])
    counted = construct(shape, start.label)
    items = walk_all(machine, args[0])
    machine.spend_elements(3 * len(items))
    pairs = [make(TupleObject([make(first + i, counted), item], NOTHING), NOTHING) for i, item in enumerate(items)]
    return sequence(pairs, shape)


def _zip(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Tuples of elements; the shape depends on all shapes."""
    columns = [walk_all(machine, column) for column in args]
    gain = NOTHING
    for column in args:
        gain = steered(gain, steering(walk_label(column), SATURATED))
    machine.spread([item for column in columns for item in column], gain)
    rows = list(zip(*columns, strict=False))
    machine.spend_elements(len(rows) * (len(args) + 1))
    made = [make(TupleObject(row, NOTHING), NOTHING) for row in rows]
    return sequence(made, construct(*map(walk_label, args)))


def _range(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "size": the items are never intact."""
    bounds = [unwrap(bound) for bound in args]
    numbers = [bound for bound in bounds if isinstance(bound, int)]
    label = construct(*(bound.label for bound in args))
    if len(numbers) != len(args):
        raise _misfit(machine, "range", *args)
    if len(numbers) == 3 and numbers[2] == 0:
        raise machine.failed("value", "the step of range is not zero", label)
    listed = range(*numbers)
    machine.spend_elements(_length(listed))
    return sequence([make(number, label) for number in listed], label)


def _length(listed: range) -> int:
    """`len` that does not overflow."""
    if not listed:
        return 0
    return (listed[-1] - listed[0]) // listed.step + 1


def _round(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    raw = unwrap(args[0])
    places = args[1] if len(args) == 2 else named.get("ndigits", make(None, NOTHING))
    digits = unwrap(places)
    label = construct(args[0].label, places.label)
    if not isinstance(raw, bool | int | float) or not (
        digits is None or (isinstance(digits, int) and abs(digits) <= 400)
    ):
        raise _misfit(machine, "round", args[0], places)
    try:
        return make(round(raw, digits), label)
    except (ValueError, OverflowError):
        raise machine.failed("value", "round found no number", label) from None


def _abs(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    raw = unwrap(args[0])
    if not isinstance(raw, bool | int | float):
        raise _misfit(machine, "abs", args[0])
    return make(abs(raw), construct(args[0].label))


BUILTINS: dict[str, Builtin] = {
    "len": _len, "str": _str, "int": _int, "float": _float, "bool": _bool,
    "list": _list, "tuple": _tuple, "set": _set, "dict": _dict,
    "sorted": _sorted, "min": _extreme("min"), "max": _extreme("max"), "sum": _sum,
    "any": _any_all("any"), "all": _any_all("all"),
    "enumerate": _enumerate, "zip": _zip, "range": _range, "round": _round, "abs": _abs,
}  # fmt: skip
"""Every function of the language but `isinstance`, `quarantined` and `answer`, which are forms."""

_MANY = 1_000
_NO_NAMES: frozenset[str] = frozenset()
_ARGUMENTS: dict[str, tuple[int, int, frozenset[str]]] = {
    "len": (1, 1, _NO_NAMES), "str": (0, 1, _NO_NAMES), "int": (0, 1, _NO_NAMES), "float": (0, 1, _NO_NAMES),
    "bool": (0, 1, _NO_NAMES), "list": (0, 1, _NO_NAMES), "tuple": (0, 1, _NO_NAMES), "set": (0, 1, _NO_NAMES),
    "sorted": (1, 1, frozenset({"reverse"})), "min": (1, _MANY, frozenset({"default"})),
    "max": (1, _MANY, frozenset({"default"})), "sum": (1, 2, frozenset({"start"})),
    "any": (1, 1, _NO_NAMES), "all": (1, 1, _NO_NAMES), "enumerate": (1, 2, frozenset({"start"})),
    "zip": (0, _MANY, _NO_NAMES), "range": (1, 3, _NO_NAMES), "round": (1, 2, frozenset({"ndigits"})),
    "abs": (1, 1, _NO_NAMES),
}  # fmt: skip
