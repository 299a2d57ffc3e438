"""Methods of lists and tuples. What changes a list changes its shape only through the regions around; a key adds its choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armslength.labels import NOTHING, Label, bits_for, construct, keying, steering
from armslength.language.machine import ELEMENT, Machine
from armslength.language.operations.comparing import comparable
from armslength.language.operations.elements import mingle, read_item, sequence, size_of, spend_moved, walk_label
from armslength.language.operations.methods.arguments import Method, list_of, misfit, none, only
from armslength.language.operations.operators import extend
from armslength.language.operations.ordering import arranged
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import sequence_items, text_label, unmixed
from armslength.values import Value, make, unwrap, upgrade

_NONE = make(None, NOTHING)


def _append(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    item = only(machine, "append", args, named)
    machine.spend(ELEMENT)
    target = list_of(machine, owner)
    mingle(machine, owner, args)
    target.items.append(item)
    return _NONE


def _extend(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    source = unmixed(only(machine, "extend", args, named))
    list_of(machine, owner)
    extend(machine, owner, source)
    return make(None, NOTHING)


def _insert(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    target = list_of(machine, owner)
    if len(args) != 2 or named:
        raise misfit(machine, "insert", owner, *args, *named.values())
    place, item = unmixed(args[0]), args[1]
    at = unwrap(place)
    if not isinstance(at, int):
        raise misfit(machine, "insert", owner, *args)
    machine.may_raise(place.label)
    machine.spend_elements(1)
    gain = keying(place.label, bits_for(len(target.items) + 2))  # one of n + 1 places, or none: it may fail
    mingle(machine, owner, [item], gain)
    upgrade([target], gain)
    where = min(max(at, -len(target.items)), len(target.items))
    spend_moved(machine, target, where)
    target.items.insert(where, item)
    return make(None, NOTHING)


def _pop(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    target = list_of(machine, owner)
    if named or len(args) > 1:
        raise misfit(machine, "pop", owner, *args, *named.values())
    key = unmixed(args[0]) if args else make(-1, NOTHING)
    taken = read_item(machine, owner, key)
    upgrade([target], keying(key.label, bits_for(len(target.items) + 1)))
    at = unwrap(key)
    if args:
        spend_moved(machine, target, at if isinstance(at, int) else -1)
    target.items.pop(at if isinstance(at, int) else -1)
    return taken


def _remove(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Which one goes is decided by all that is compared: the shape takes that, and what may be in or out."""
    wanted = only(machine, "remove", args, named)
    target = list_of(machine, owner)
    label = construct(text_label(machine, owner), text_label(machine, wanted))
    at = _place(machine, "remove", owner, wanted, label)
    gain = steering(label, bits_for(len(target.items)))
    mingle(machine, owner, (), gain)
    upgrade([target], gain)
    del target.items[at]
    return make(None, NOTHING)


def _index(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if named or not 1 <= len(args) <= 3:
        raise misfit(machine, "index", owner, *args, *named.values())
    label = construct(text_label(machine, owner), *(text_label(machine, each) for each in args))
    bounds = [unwrap(unmixed(bound)) for bound in args[1:]]
    if not all(isinstance(bound, int) for bound in bounds):
        raise misfit(machine, "index", owner, *args)
    start, end = (*bounds, None, None)[:2]
    within = slice(start, end).indices(size_of(owner))[:2]
    return make(_place(machine, "index", owner, args[0], label, within), label)


def _place(
    machine: Machine, name: str, owner: Value, wanted: Value, label: Label, within: tuple[int, int] | None = None
) -> int:
    """Where the first that is equal stands."""
    machine.may_raise(label)
    machine.spend(size_of(owner))
    listed = [comparable(machine, item) for item in sequence_items(owner)]
    start, end = within or (0, len(listed))
    searched, sought = listed[start:end], comparable(machine, wanted)
    if sought not in searched:  # Python's own failure would write out what was sought
        raise machine.failed("value", f"{name} found nothing", label)
    return start + searched.index(sought)


def _count(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    wanted = only(machine, "count", args, named)
    machine.spend(size_of(owner))
    listed = [comparable(machine, item) for item in sequence_items(owner)]
    return make(
        listed.count(comparable(machine, wanted)), construct(text_label(machine, owner), text_label(machine, wanted))
    )


def _copy(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "copy", args, named)
    return sequence(walk_all(machine, owner), walk_label(owner))


def _reverse(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "reverse", args, named)
    list_of(machine, owner).items.reverse()
    return make(None, NOTHING)


def _sort(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    target = list_of(machine, owner)
    if args or set(named) - {"reverse", "key"}:
        raise misfit(machine, "sort", owner, *args, *named.values())
    before = list(target.items)
    items, gain = arranged(machine, before, named, walk_label(owner))
    machine.may_raise(target.shape)
    if len(target.items) != len(before) or any(a is not b for a, b in zip(target.items, before, strict=True)):
        raise machine.failed("value", "the list was changed while it was sorted", walk_label(owner))
    machine.spread(target.items, gain)
    target.items[:] = items
    return make(None, NOTHING)


def _clear(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "clear", args, named)
    target = list_of(machine, owner)
    mingle(machine, owner)
    target.items.clear()
    return make(None, NOTHING)


METHODS: dict[tuple[str, str], Method] = {
    ("list", "append"): _append,
    ("list", "extend"): _extend,
    ("list", "insert"): _insert,
    ("list", "pop"): _pop,
    ("list", "remove"): _remove,
    ("list", "index"): _index,
    ("list", "count"): _count,
    ("list", "copy"): _copy,
    ("list", "reverse"): _reverse,
    ("list", "sort"): _sort,
    ("list", "clear"): _clear,
    ("tuple", "index"): _index,
    ("tuple", "count"): _count,
}
