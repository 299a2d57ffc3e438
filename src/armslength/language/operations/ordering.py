"""Sorting and extremes: row "select" by compared keys. Which element stands where depends on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from armslength.labels import NOTHING, Label, bits_for, join, steered, steering
from armslength.language.machine import Machine
from armslength.language.operations.calling import call_for_each
from armslength.language.operations.comparing import comparable
from armslength.language.operations.elements import sequence, walk_label
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import text_label, truth, unmixed
from armslength.values import Value, restrict, unwrap


def sort(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`sorted`: each place is steered by all that were compared."""
    shape = walk_label(args[0])
    items, gain = arranged(machine, walk_all(machine, args[0]), named, shape)
    machine.spread(items, gain)
    return sequence(items, shape)


def arranged(machine: Machine, items: list[Value], how: Mapping[str, Value], shape: Label) -> tuple[list[Value], Label]:
    """The elements in order, each steered by all that were compared, by the function of `key=` and by `reverse=`; and that steering.

    `shape`: what decided which elements these are.

    Raises:
        ProgramFailed: they have no order.
    """
    keys = _keys(machine, items, how.get("key"), shape)
    reverse = unmixed(how["reverse"]) if "reverse" in how else None
    is_reversed = _is_reversed(machine, reverse)
    gain = join(compared(machine, keys), called_by(how, bits_for(len(items))))
    if reverse is not None:
        gain = steered(gain, steering(reverse.label, 1))
    plain = [comparable(machine, key) for key in keys]
    machine.spend(len(items) * bits_for(len(items) + 1))
    machine.may_raise(gain, shape)
    try:
        order = sorted(range(len(items)), key=plain.__getitem__, reverse=is_reversed)  # type: ignore[arg-type]  # may raise
    except TypeError:
        raise machine.failed("type", "these have no order", gain, shape) from None
    return [restrict(items[position], gain) for position in order], gain


def compared(machine: Machine, items: Iterable[Value]) -> Label:
    """What a place among these, after comparing them, is steered by: the sources of all, ceil(log2 n) bits."""
    labels = [text_label(machine, item) for item in items]
    bits = bits_for(len(labels))
    gain = NOTHING
    for label in dict.fromkeys(labels):
        gain = join(gain, steering(label, bits))
    return gain


def called_by(how: Mapping[str, Value], bits: int) -> Label:
    """What the function after `key=` hands on by having been chosen."""
    return steering(how["key"].label, bits) if "key" in how else NOTHING


def _keys(machine: Machine, items: list[Value], function: Value | None, shape: Label) -> list[Value]:
    if function is None or unwrap(function) is None:
        return items
    return call_for_each(machine, function, [[item] for item in items], shape)


def _is_reversed(machine: Machine, reverse: Value | None) -> bool:
    if reverse is None:
        return False
    if not isinstance(unwrap(reverse), int):
        raise machine.failed("type", "reverse= takes True or False", reverse.label)
    return truth(reverse)


def extreme(name: str, pick: Callable[..., int]) -> Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]:
    """`min` and `max`: the first of the elements that is least or greatest, or `default=`."""

    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        from_one = len(args) == 1
        if not from_one and "default" in named:
            raise machine.failed("type", f"{name} of several values takes no default=", *(v.label for v in args))
        source = unmixed(args[0])
        items = walk_all(machine, source) if from_one else list(args)
        shape = walk_label(source) if from_one else NOTHING
        machine.may_raise(shape)
        keys = _keys(machine, items, named.get("key"), shape)
        default = [named["default"]] if "default" in named else []
        gain = join(compared(machine, [*keys, *default]), steering(shape, 1))
        gain = join(gain, called_by(named, bits_for(len(items))))
        machine.spread([*items, *default], gain)
        if items:
            return restrict(items[_first(machine, keys, pick)], gain)
        if not default:
            raise machine.failed("value", f"{name} of nothing", shape)
        return restrict(default[0], gain)

    return builtin


def _first(machine: Machine, keys: list[Value], pick: Callable[..., int]) -> int:
    plain = [comparable(machine, key) for key in keys]
    decided = compared(machine, keys)
    if decided is not NOTHING:
        machine.may_raise(decided)
    try:
        return pick(range(len(keys)), key=plain.__getitem__)
    except TypeError:
        raise machine.failed("type", "these have no order", decided) from None


EXTREMES = {name: extreme(name, pick) for name, pick in (("min", min), ("max", max))}
