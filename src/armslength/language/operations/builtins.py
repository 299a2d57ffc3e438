"""The language's own functions: one allow-list, each with the row of the design's table that labels its result.

Functions that give numbers are in `numbers`, those that order in `ordering`, those that give iterators in `iterators`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.labels import LITERAL, NOTHING, bits_for, construct, steering, tested
from armslength.language.machine import Machine
from armslength.language.operations import iterators, numbers, ordering
from armslength.language.operations.calling import is_function
from armslength.language.operations.elements import mingle, sequence, walk_label
from armslength.language.operations.formatting import formatted, shown
from armslength.language.operations.methods import METHODS, STATIC, call_noted, kind_of
from armslength.language.operations.setwise import copy_dict, merge
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import render, shape_of, text_label, truth, truth_label, unmixed
from armslength.language.operations.writing import add, put
from armslength.values import (
    DictObject,
    IteratorObject,
    ListObject,
    SetObject,
    TupleObject,
    Value,
    make,
    unwrap,
    upgrade,
)

Builtin = Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]


def check_fit(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> None:
    """Whether so many arguments, and of these names, are what one of `BUILTINS` takes.

    Raises:
        ProgramFailed: they are not.
    """
    least, most, keywords = _ARGUMENTS[name]
    if not least <= len(args) <= most or (named and keywords is not None and not keywords.issuperset(named)):
        labels = [value.label for value in (*args, *named.values())]
        raise machine.failed("type", f"the arguments do not fit {name}", *labels)


def _len(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "size"."""
    raw = unwrap(args[0])
    match raw:
        case ListObject() | TupleObject():
            size = len(raw.items)
        case str():
            size = len(raw)
        case DictObject() | SetObject():
            size = len(raw.entries)
        case _:
            raise machine.failed("type", "len does not take this", args[0].label)
    return make(size, walk_label(args[0]))


def _str(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    if not args:
        return make("", NOTHING)
    return make(render(machine, args[0]), text_label(machine, args[0]))


def _quoted(conversion: str) -> Builtin:
    """Row "construct"."""

    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        return make(shown(machine, args[0], conversion), text_label(machine, args[0]))

    return builtin


def _format(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" over the value and the format."""
    return formatted(machine, args[0], unmixed(args[1]) if len(args) == 2 else "")


def _bool(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "test"."""
    if not args:
        return make(False, NOTHING)
    return make(truth(args[0]), truth_label(args[0]))


def _callable(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "test"."""
    return make(is_function(args[0]), tested(args[0].label))


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
    made = make(DictObject(NOTHING), NOTHING)
    if args and isinstance(unwrap(args[0]), DictObject):
        made = copy_dict(machine, args[0])
    elif args:
        merge(machine, made, unmixed(args[0]))
    raw = unwrap(made)
    for key, value in named.items():
        if isinstance(raw, DictObject):
            put(machine, raw, make(key, LITERAL), value)
    return made


def _any_all(name: str) -> Builtin:
    """Row "test" over every element. An iterator is used up to the one that decides."""
    stops_at = name == "any"

    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        source = args[0]
        shape, items = walk_label(source), walk_all(machine, source)
        parts = {part for item in items for part in (item.label, shape_of(item))}
        label = tested(shape, *parts)
        decided = next((at for at, item in enumerate(items) if truth(item) is stops_at), None)
        if isinstance(raw := unwrap(source), IteratorObject):
            gain = steering(label, bits_for(len(items) + 1))
            raw.left = items[:decided:-1] if decided is not None else []
            mingle(machine, source, items, gain)
            upgrade([raw], gain)
        return make((decided is not None) is stops_at, label)

    return builtin


def _range(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "size": the items are never intact."""
    bounds = [unwrap(bound) for bound in args]
    numbers_given = [bound for bound in bounds if isinstance(bound, int)]
    label = construct(*(bound.label for bound in args))
    if len(numbers_given) != len(args):
        raise machine.failed("type", "range takes whole numbers", label)
    if len(numbers_given) == 3 and numbers_given[2] == 0:
        raise machine.failed("value", "the step of range is not zero", label)
    listed = range(*numbers_given)
    machine.spend_elements(_length(listed))
    return sequence([make(number, label) for number in listed], label)


def _length(listed: range) -> int:
    """`len` that does not overflow."""
    if not listed:
        return 0
    return (listed[-1] - listed[0]) // listed.step + 1


_NO_NAMES: frozenset[str] = frozenset()
_MANY = 1_000
_FUNCTIONS: dict[str, tuple[Builtin, int, int, frozenset[str] | None]] = {
    "len": (_len, 1, 1, _NO_NAMES), "str": (_str, 0, 1, _NO_NAMES), "repr": (_quoted("r"), 1, 1, _NO_NAMES),
    "ascii": (_quoted("a"), 1, 1, _NO_NAMES), "format": (_format, 1, 2, _NO_NAMES), "bool": (_bool, 0, 1, _NO_NAMES),
    "callable": (_callable, 1, 1, _NO_NAMES),
    "list": (_list, 0, 1, _NO_NAMES), "tuple": (_tuple, 0, 1, _NO_NAMES), "set": (_set, 0, 1, _NO_NAMES),
    "frozenset": (_set, 0, 1, _NO_NAMES), "dict": (_dict, 0, 1, None),
    "any": (_any_all("any"), 1, 1, _NO_NAMES), "all": (_any_all("all"), 1, 1, _NO_NAMES),
    "range": (_range, 1, 3, _NO_NAMES),
    "int": (numbers.to_int, 0, 2, frozenset({"base"})), "float": (numbers.to_float, 0, 1, _NO_NAMES),
    "round": (numbers.round_to, 1, 2, frozenset({"ndigits"})), "abs": (numbers.absolute, 1, 1, _NO_NAMES),
    "divmod": (numbers.divide, 2, 2, _NO_NAMES), "pow": (numbers.power, 0, 3, frozenset({"base", "exp", "mod"})),
    "sum": (numbers.total, 1, 2, frozenset({"start"})), "bin": (numbers.to_binary, 1, 1, _NO_NAMES),
    "oct": (numbers.to_octal, 1, 1, _NO_NAMES), "hex": (numbers.to_hexadecimal, 1, 1, _NO_NAMES),
    "ord": (numbers.code_of, 1, 1, _NO_NAMES), "chr": (numbers.character_of, 1, 1, _NO_NAMES),
    "sorted": (ordering.sort, 1, 1, frozenset({"key", "reverse"})),
    "min": (ordering.EXTREMES["min"], 1, _MANY, frozenset({"key", "default"})),
    "max": (ordering.EXTREMES["max"], 1, _MANY, frozenset({"key", "default"})),
    "iter": (iterators.make_iterator, 1, 1, _NO_NAMES), "next": (iterators.take_next, 1, 2, _NO_NAMES),
    "map": (iterators.map_each, 2, _MANY, _NO_NAMES), "filter": (iterators.filter_each, 2, 2, _NO_NAMES),
    "reversed": (iterators.reverse, 1, 1, _NO_NAMES), "enumerate": (iterators.count_each, 1, 2, frozenset({"start"})),
    "zip": (iterators.zip_all, 0, _MANY, frozenset({"strict"})),
}  # fmt: skip
"""Each function, the least and most arguments by place, and the names that it takes; None: any."""

BUILTINS: dict[str, Builtin] = {name: row[0] for name, row in _FUNCTIONS.items()}
"""Every function of the language but `isinstance`, `quarantined` and `answer`, which are forms."""

_ARGUMENTS = {name: row[1:] for name, row in _FUNCTIONS.items()}
BY_VALUE = frozenset({
    "abs", "all", "any", "bin", "chr", "divmod", "enumerate", "filter", "float", "frozenset", "hex", "int", "iter", "len", "list", "map",
    "oct", "ord", "pow", "range", "reversed", "round", "set", "sorted", "tuple", "zip",
})  # fmt: skip
"""To these a member of an enumeration that is also `str` or `int` is its value; the others hand it on or show it."""


def _of_type(kind: str, name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        owner = unmixed(args[0]) if args else None
        if owner is None or kind_of(owner) != kind:
            raise machine.failed("type", f"{kind}.{name} takes a {kind} first", *(value.label for value in args))
        return call_noted(machine, owner, name, args[1:], named)

    return builtin


TYPE_FUNCTIONS: dict[str, Builtin] = {
    **{f"{kind}.{name}": _of_type(kind, name) for kind, name in METHODS if kind != "record"},
    **STATIC,
}
"""The methods as functions, whose first argument is what the method is called on: `str.lower`, `dict.get`; and `dict.fromkeys`."""
