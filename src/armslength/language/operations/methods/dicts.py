"""Methods of dicts. Reading by key is row "select", also where a default stands in; storing is row "keyed write"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armslength.labels import LITERAL, NOTHING, Label, bits_for, keying, picking
from armslength.language.machine import Machine
from armslength.language.operations.elements import (
    hashable,
    key_label,
    keyed,
    mingle,
    read,
    read_item,
    sequence,
    walk_label,
)
from armslength.language.operations.methods.arguments import Method, dict_of, misfit, none, with_default
from armslength.language.operations.setwise import copy_dict, merge
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import unmixed
from armslength.language.operations.writing import delete_item, forget, put
from armslength.values import DictObject, TupleObject, Value, make, restrict, upgrade


def _by_key(machine: Machine, owner: Value, raw: DictObject, key: Value) -> Label:
    """What decides which of the values, or whether the default."""
    by_key = keying(key_label(machine, key), _choices(raw))
    return by_key.selects[owner.label.constructs[raw.shape].guards]


def _choices(raw: DictObject) -> int:
    """The bits of a key: one of the values, the default, or none, as it may fail."""
    return bits_for(len(raw.entries) + 2)


def _get(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    key, default = with_default(machine, "get", args, named)
    raw = dict_of(machine, owner)
    at, by = keyed(machine, key)
    found = raw.entries.get(at)
    decided = owner.label.constructs[raw.shape]
    if decided.constructs[by].guards is NOTHING:
        return found.value if found is not None else make(None, NOTHING) if default is None else default
    gain = keying(by, _choices(raw)).selects[decided.guards]
    mingle(machine, owner, args[1:], gain)
    if found is None:
        return restrict(make(None, NOTHING) if default is None else default, gain)
    return restrict(read(found.value, owner), gain)


def _setdefault(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    key, default = with_default(machine, "setdefault", args, named)
    raw = dict_of(machine, owner, changes=True)
    doubt = _by_key(machine, owner, raw, key)
    if hashable(machine, key) not in raw.entries:
        put(machine, raw, key, make(None, NOTHING) if default is None else default)
    upgrade([raw], doubt)
    mingle(machine, owner, args[1:], doubt)
    return read_item(machine, owner, key)


def _pop(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    key, default = with_default(machine, "pop", args, named)
    raw = dict_of(machine, owner, changes=True)
    if default is None:
        taken = read_item(machine, owner, key)
        delete_item(machine, owner, key)
        return taken
    taken = _get(machine, owner, args, named)
    upgrade([raw], _by_key(machine, owner, raw, key))
    forget(raw, hashable(machine, key))
    return taken


def _popitem(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The last pair: the shape decides which that is, and whether there is one."""
    none(machine, "popitem", args, named)
    raw = dict_of(machine, owner, changes=True)
    shape = walk_label(owner)
    machine.may_raise(shape)
    mingle(machine, owner)
    if not raw.entries:
        raise machine.failed("key", "the dict is empty", shape)
    _, entry = raw.entries.popitem()
    return make(TupleObject([read(entry.key, owner), read(entry.value, owner)], NOTHING), NOTHING)


def _keys(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "keys", args, named)
    return sequence(walk_all(machine, owner), walk_label(owner))


def _values(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "values", args, named)
    found = [read(entry.value, owner) for entry in dict_of(machine, owner).entries.values()]
    machine.spend_elements(len(found))
    return sequence(found, walk_label(owner))


def _items(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "items", args, named)
    entries = list(dict_of(machine, owner).entries.values())
    machine.spend_elements(3 * len(entries))
    pairs = [make(TupleObject([read(e.key, owner), read(e.value, owner)], NOTHING), NOTHING) for e in entries]
    return sequence(pairs, walk_label(owner))


def _update(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if len(args) > 1:
        raise misfit(machine, "update", owner, *args)
    raw = dict_of(machine, owner, changes=True)
    for source in args:
        merge(machine, owner, source)
    mingle(machine, owner, list(named.values()))
    for name, value in named.items():
        put(machine, raw, make(name, LITERAL), value)
    return make(None, NOTHING)


def _copy(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "copy", args, named)
    return copy_dict(machine, owner)


def _clear(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    none(machine, "clear", args, named)
    raw = dict_of(machine, owner, changes=True)
    mingle(machine, owner)
    raw.entries.clear()
    return make(None, NOTHING)


def from_keys(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`dict.fromkeys`: row "keyed write" for each key; one value stands under all."""
    keys, value = with_default(machine, "dict.fromkeys", args, named)
    keys = unmixed(keys)
    made = DictObject(walk_label(keys))
    if value is not None:
        machine.spread([value], picking(walk_label(keys)))  # whether it is in, and so in reach, the keys decide
    for key in walk_all(machine, keys):
        put(machine, made, key, make(None, NOTHING) if value is None else value)
    return make(made, NOTHING)


METHODS: dict[tuple[str, str], Method] = {
    ("dict", "get"): _get,
    ("dict", "keys"): _keys,
    ("dict", "values"): _values,
    ("dict", "items"): _items,
    ("dict", "update"): _update,
    ("dict", "setdefault"): _setdefault,
    ("dict", "pop"): _pop,
    ("dict", "popitem"): _popitem,
    ("dict", "copy"): _copy,
    ("dict", "clear"): _clear,
}
