"""Reading, writing and walking containers: rows "select", "keyed write", "iterate" and rule 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armslength.labels import NOTHING, Label, bits_for, construct, made_of, picking, steered, steering
from armslength.language.machine import Machine
from armslength.language.operators import shape_of, spend_whole
from armslength.values import (
    Container,
    DictObject,
    Entry,
    IteratorObject,
    Key,
    ListObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    children,
    key_of,
    make,
    parts,
    restrict,
    unwrap,
    upgrade,
)


def read_item(machine: Machine, container: Value, key: Value) -> Value:
    """`container[key]`.

    Raises:
        ProgramFailed: there is no such element.
    """
    raw, at, by = unwrap(container), unwrap(key), key_label(key)
    operands = (container.label, shape_of(container), by)
    machine.may_raise(*operands)
    match raw:
        case str() if isinstance(at, int):
            if not -len(raw) <= at < len(raw):
                raise machine.failed("index", "the text is shorter than that", *operands)
            return make(raw[at], construct(container.label, by))
        case ListObject() | TupleObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", *operands)
            return pick(machine, raw.items[at], container, by, raw.items)
        case DictObject():
            entry = raw.entries.get(hashable(machine, key))
            if entry is None:
                raise machine.failed("key", "there is no such key", *operands)
            return pick(machine, entry.value, container, by, [each.value for each in raw.entries.values()])
        case RecordObject() if isinstance(at, str):
            if at not in raw.fields:
                raise machine.failed("key", "there is no such field", *operands)
            return pick(machine, raw.fields[at], container, by, list(raw.fields.values()))
        case _:
            raise machine.failed("type", "this cannot be indexed so", *operands)


def pick(machine: Machine, element: Value, container: Value, key: Label, candidates: Sequence[Value]) -> Value:
    """An element picked out of `candidates` by a key: row "select", and rule 6 for what can still change."""
    gain = steered(_reading(container), steering(key, bits_for(len(candidates))))
    if gain is not NOTHING:
        machine.spread(candidates, gain)
    return restrict(element, gain)


def read(element: Value, container: Value) -> Value:
    """An element of a container, read through reference and shape."""
    return restrict(element, _reading(container))


def _reading(container: Value) -> Label:
    return steered(picking(container.label), picking(shape_of(container)))


def mingle(machine: Machine, container: Value, coming: Sequence[Value] = (), gain: Label = NOTHING) -> None:
    """Rule 6 before a container changes or is cut: what it holds and what comes in may, in another run, be in or out.

    `gain` is what else decides it.
    """
    gain = steered(_reading(container), gain)
    raw = unwrap(container)
    if gain is not NOTHING and isinstance(raw, Container):
        machine.spread([*children(raw), *coming], gain)


def key_label(key: Value) -> Label:
    """What a key hands on: its label, and for a tuple those of all its parts."""
    return construct(*parts(key)) if isinstance(unwrap(key), TupleObject) else key.label


def read_field(machine: Machine, record: Value, name: str) -> Value:
    """`record.name`: the field's own label, and what the reference hands on.

    Raises:
        ProgramFailed: the value is no record, or has no such field.
    """
    machine.may_raise(record.label)
    raw = unwrap(record)
    if not isinstance(raw, RecordObject) or name not in raw.fields:
        raise machine.failed("attribute", f"this has no field {name}", record.label)
    return restrict(raw.fields[name], picking(record.label))


def hashable(machine: Machine, key: Value) -> Key:
    """What a dict finds the key by.

    Raises:
        ProgramFailed: lists, dicts, sets and records are no keys.
    """
    label = key_label(key)
    machine.may_raise(label)
    spend_whole(machine, key)
    try:
        return key_of(key)
    except TypeError:
        raise machine.failed("type", "this cannot be a key", label) from None


def slice_item(machine: Machine, container: Value, bounds: tuple[Value | None, Value | None, Value | None]) -> Value:
    """`container[a:b:c]`: of a text row "construct"; of a list the shape takes what the bounds could choose.

    Raises:
        ProgramFailed: a bound is no integer, or the step is zero.
    """
    given = [bound for bound in bounds if bound is not None]
    labels = [container.label, *(bound.label for bound in given)]
    machine.may_raise(shape_of(container), *labels)
    window = _window(machine, bounds, labels)
    raw = unwrap(container)
    match raw:
        case str():
            text = raw[window]
            machine.spend(len(text))
            return make(text, construct(*labels))
        case ListObject() | TupleObject():
            gain = _cut(bounds, len(raw.items))
            mingle(machine, container, (), gain)
            shape = made_of(steered(construct(container.label, raw.shape), gain))
            items = list(raw.items[window])
            machine.spend_elements(len(items))
            return sequence(items, shape, like=raw)
        case _:
            raise machine.failed("type", "this cannot be sliced", *labels)


def _cut(bounds: tuple[Value | None, Value | None, Value | None], size: int) -> Label:
    """What the bounds of a slice choose: a start or an end one of size + 1 places, a step at most twice as many."""
    gain = NOTHING
    for bound, places in zip(bounds, (size + 1, size + 1, 2 * size + 2), strict=True):
        if bound is not None:
            gain = steered(gain, steering(bound.label, bits_for(places)))
    return gain


def _window(machine: Machine, bounds: tuple[Value | None, Value | None, Value | None], labels: list[Label]) -> slice:
    plain: list[int | None] = []
    for bound in bounds:
        at = None if bound is None else unwrap(bound)
        if at is not None and not isinstance(at, int):
            raise machine.failed("type", "the bounds of a slice are integers", *labels)
        plain.append(at)
    if plain[2] == 0:
        raise machine.failed("value", "the step of a slice is not zero", *labels)
    return slice(*plain)


def sequence(items: list[Value], shape: Label, *, like: ListObject | TupleObject | None = None) -> Value:
    """A new list (or tuple, like another) with this shape. The reference to it is new and says nothing."""
    if isinstance(like, TupleObject):
        return make(TupleObject(items, shape), NOTHING)
    return make(ListObject(items, shape), NOTHING)


def write_item(machine: Machine, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`: row "keyed write".

    Raises:
        ProgramFailed: it cannot be changed, or there is no such place.
    """
    raw, at, by = unwrap(container), unwrap(key), key_label(key)
    operands = (container.label, shape_of(container), by)
    machine.may_raise(*operands)
    mingle(machine, container, [value])
    match raw:
        case ListObject() | DictObject() if raw.is_frozen:
            raise machine.failed(
                "frozen", "what a tool returned does not change; copy it with list(...) or dict(...)", *operands
            )
        case ListObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", *operands)
            _note_write(machine, raw, by, value, raw.items)
            raw.items[at] = value
        case DictObject():
            put(machine, raw, key, value)
        case _:
            raise machine.failed("type", "this cannot be changed so", *operands)


def put(machine: Machine, target: DictObject, key: Value, value: Value) -> None:
    """Store under a key. A new untrusted key makes the shape data; an old one leaves its choice there."""
    found = hashable(machine, key)
    machine.spend_elements(1)
    old = target.entries.get(found)
    _note_write(machine, target, key_label(key), value, [entry.value for entry in target.entries.values()])
    if old is None:
        target.shape = construct(target.shape, key_data(key))
    target.entries[found] = Entry(key if old is None else old.key, value)


def add(machine: Machine, target: SetObject, member: Value) -> None:
    """Add to a set: like a new key."""
    found = hashable(machine, member)
    machine.spend_elements(1)
    target.shape = construct(target.shape, key_data(member))
    target.entries.setdefault(found, member)


def key_data(key: Value) -> Label:
    """What a new key adds to the shape as data: nothing if it is trusted, else all of it (a tuple's parts too)."""
    return made_of(key_label(key))


def _note_write(
    machine: Machine, target: ListObject | DictObject, key: Label, value: Value, candidates: list[Value]
) -> None:
    gain = steering(key, bits_for(max(len(candidates), 2)))
    if gain is NOTHING:
        return
    upgrade([target], gain)
    machine.spread([*candidates, value], gain)


def walk(machine: Machine, iterable: Value) -> Iterator[Value]:
    """The elements one by one, each read through reference and shape. Lists are followed while they grow, as in Python.

    Raises:
        ProgramFailed: it has no elements to walk.
    """
    machine.may_raise(iterable.label)
    raw = unwrap(iterable)
    match raw:
        case ListObject() | TupleObject():
            machine.spread(raw.items, _reading(iterable))
            position = 0
            while position < len(raw.items):
                yield read(raw.items[position], iterable)
                position += 1
        case str():
            label = construct(iterable.label)
            for character in raw:
                yield make(character, label)
        case IteratorObject():
            while raw.left:
                yield read(raw.left.pop(), iterable)
        case DictObject():
            for entry in list(raw.entries.values()):
                yield read(entry.key, iterable)
        case SetObject():
            for member in list(raw.entries.values()):
                yield read(member, iterable)
        case _:
            raise machine.failed("type", "this has no elements to go through", iterable.label)


def walk_all(machine: Machine, iterable: Value) -> list[Value]:
    """All elements at once, as `walk` gives them."""
    machine.spend_elements(size_of(iterable))
    return list(walk(machine, iterable))


def size_of(value: Value) -> int:
    """How many elements a walk gives; none for what cannot be walked."""
    raw = unwrap(value)
    match raw:
        case str():
            return len(raw)
        case ListObject() | TupleObject():
            return len(raw.items)
        case DictObject() | SetObject():
            return len(raw.entries)
        case IteratorObject():
            return len(raw.left)
        case _:
            return 0


def walk_label(iterable: Value) -> Label:
    """What decides whether there is a next element: reference and shape (a text's shape is its data)."""
    return construct(iterable.label, shape_of(iterable))
