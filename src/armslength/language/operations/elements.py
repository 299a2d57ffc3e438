"""Reading, writing and walking containers: rows "select", "keyed write", "iterate" and rule 6."""

from __future__ import annotations

from collections.abc import Sequence

from armslength.labels import LITERAL, NOTHING, Label, bits_for, construct, keying, made_of, picking, steered
from armslength.language.machine import Machine
from armslength.language.operations.wholes import shape_of, spend_whole, unmixed
from armslength.values import (
    FEW,
    LARGE,
    LONGEST,
    MIXED,
    PLAIN,
    DictObject,
    ErrorObject,
    IteratorObject,
    Key,
    ListObject,
    MatchObject,
    MemberObject,
    Raw,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    children,
    holds_nothing_changing,
    is_inert,
    key_of,
    make,
    opened,
    parts,
    restrict,
    unwrap,
)

Bounds = tuple[Value | None, Value | None, Value | None]
"""What stands between the colons of a slice."""
FROZEN = "what a tool returned does not change; copy it with list(...) or dict(...)"


# Reading


def read_item(machine: Machine, container: Value, key: Value) -> Value:
    """`container[key]`: row "select"; of a text and of a match, whose groups are parts of a text, row "construct".

    Raises:
        ProgramFailed: there is no such element.
    """
    raw = unwrap(container)
    if type(raw) is DictObject:
        return _read_entry(machine, container, raw, key)
    container, key = unmixed(container), unmixed(key)
    raw, at, by = unwrap(container), unwrap(key), key_label(machine, key)
    decided = walk_label(container).constructs[by]
    gain = decided.guards
    is_silent = gain is NOTHING
    if not is_silent:
        machine.risk(gain)
    match raw:
        case ListObject() | TupleObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", decided)
            return raw.items[at] if is_silent else pick(machine, raw.items[at], container, by)
        case str() if isinstance(at, int):
            if not -len(raw) <= at < len(raw):
                raise machine.failed("index", "the text is shorter than that", decided)
            return make(raw[at], construct(container.label, by))
        case RecordObject() if isinstance(at, str):
            if at not in raw.fields:
                raise machine.failed("key", "there is no such field", decided)
            return pick(machine, raw.fields[at], container, by)
        case MatchObject():
            number = raw.names.get(at) if isinstance(at, str) else at
            if not isinstance(number, int) or not 0 <= number < len(raw.groups):
                raise machine.failed("index", "the pattern has no such group", decided)
            group = raw.groups[number]
            return make(unwrap(group), construct(container.label, group.label, by))
        case _:
            raise machine.failed("type", "this cannot be indexed so", decided)


def _read_entry(machine: Machine, container: Value, raw: DictObject, key: Value) -> Value:
    found, by = keyed(machine, key)
    decided = container.label.constructs[raw.shape].constructs[by]
    gain = decided.guards
    if gain is not NOTHING:
        machine.risk(gain)
    entry = raw.entries.get(found)
    if entry is None:
        raise machine.failed("key", "there is no such key", decided)
    return entry.value if gain is NOTHING else pick(machine, entry.value, container, by)


def pick(machine: Machine, element: Value, container: Value, key: Label) -> Value:
    """An element picked out of a container by a key: row "select", and rule 6 for what can still change."""
    gain = steered(reading(container), keying(key, bits_for(size_of(container))))
    if gain is NOTHING:
        return element
    spread_held(machine, unwrap(container), (), gain)
    return restrict(element, gain)


def read(element: Value, container: Value) -> Value:
    """An element of a container, read through reference and shape."""
    return restrict(element, reading(container))


def reading(container: Value) -> Label:
    """What an element takes by being read through this reference and shape."""
    return container.label.picks.selects[shape_of(container).picks]


def mingle(machine: Machine, container: Value, coming: Sequence[Value] = (), gain: Label = NOTHING) -> None:
    """Rule 6 before a container changes or is cut: what it holds and what comes in may, in another run, be in or out.

    `gain` is what else decides it.
    """
    raw = unwrap(container)
    if gain is NOTHING and walk_label(container).guards is NOTHING:
        return
    if not _nothing_changes(raw, coming):
        spread_held(machine, raw, coming, reading(container).selects[gain])


def spread_held(machine: Machine, raw: Raw, coming: Sequence[Value], gain: Label) -> None:
    """What a container holds and what comes into it takes the gain, if it can change at all."""
    if gain is not NOTHING and not _nothing_changes(raw, coming):
        held = [] if type(raw) in PLAIN else children(raw)  # type: ignore[arg-type]  # a container
        machine.spread([*held, *coming], gain)


def _nothing_changes(raw: Raw, coming: Sequence[Value]) -> bool:
    if type(raw) not in PLAIN and not holds_nothing_changing(raw):  # type: ignore[arg-type]  # a container
        return False
    for value in coming:
        if (type(value) is not Value or type(unwrap(value)) not in PLAIN) and not is_inert(value):
            return False
    return True


def key_label(machine: Machine, key: Value) -> Label:
    """What a key hands on: its label, and for a tuple those of all its parts."""
    return key.label if type(unwrap(key)) in PLAIN else construct(*parts(key, machine.spend))


def read_field(machine: Machine, owner: Value, name: str) -> Value:
    """`record.name`: the field's own label, and what the reference hands on. Also `name` and `value` of a member, `args` of an error.

    Raises:
        ProgramFailed: the value has no such field.
    """
    raw, by = opened(owner)
    if type(raw) is RecordObject and name in raw.fields:
        return field(machine, raw, by, name)
    gain = by.picks
    machine.may_raise(by)
    match raw:
        case MemberObject() if name == "value":
            found = raw.value
        case MemberObject() if name == "name":
            found = make(raw.name, LITERAL)
        case ErrorObject() if name == "args":
            found = make(TupleObject([restrict(each, gain) for each in raw.arguments], by), NOTHING)
        case _:
            raise machine.failed("attribute", f"this has no field {name}", by)
    return restrict(found, gain)


def field(machine: Machine, owner: RecordObject, by: Label, name: str) -> Value:
    """The field of a record that has it, its reference labelled `by`: row "select"."""
    gain = by.picks
    if gain is NOTHING:
        return owner.fields[name]
    machine.risk(by.guards)
    return restrict(owner.fields[name], gain)


def field_draft(machine: Machine, owner: RecordObject, by: Label, name: str) -> tuple[Raw, Label]:
    """The same as data and label, for an operation that takes them up."""
    found, label = opened(owner.fields[name])
    gain = by.picks
    if gain is NOTHING:
        return found, label
    machine.risk(by.guards)
    return found, label.selects[gain]


def hashable(machine: Machine, key: Value) -> Key:
    """What a dict finds the key by.

    Raises:
        ProgramFailed: lists, dicts, sets and records are no keys.
    """
    return keyed(machine, key)[0]


def keyed(machine: Machine, key: Value) -> tuple[Key, Label]:
    """The same, and what the key hands on (`key_label`)."""
    raw, by = opened(key)
    if type(raw) is str and len(raw) <= LONGEST:
        found: Key = raw
    elif type(raw) is int and -LARGE < raw < LARGE:
        found = raw if 0 <= raw < FEW else raw ^ MIXED
    else:
        return _keyed(machine, key)
    if by.guards is not NOTHING:
        machine.risk(by.guards)
    return found, by


def _keyed(machine: Machine, key: Value) -> tuple[Key, Label]:
    label = key_label(machine, key)
    machine.may_raise(label)
    spend_key(machine, key)
    try:
        return key_of(key), label
    except TypeError:
        raise machine.failed("type", "this cannot be a key", label) from None


def spend_key(machine: Machine, key: Value) -> None:
    """Count what `key_of` goes through, before it does."""
    spend_whole(machine, key)
    _spend_texts(machine, key)


def _spend_texts(machine: Machine, key: Value) -> None:
    raw = unwrap(key)
    match raw:
        case str():
            machine.spend(len(raw) // 4)
        case int():
            machine.spend(raw.bit_length() // 32)
        case TupleObject():
            for item in raw.items:
                _spend_texts(machine, item)
        case _:
            return


# Slices


def slice_item(machine: Machine, container: Value, bounds: Bounds) -> Value:
    """`container[a:b:c]`: of a text row "construct"; of a list the shape takes what the bounds could choose.

    Raises:
        ProgramFailed: a bound is no integer, or the step is zero.
    """
    container = unmixed(container)
    bounds = tuple(None if bound is None else unmixed(bound) for bound in bounds)  # type: ignore[assignment]  # three
    labels = [container.label, *(bound.label for bound in bounds if bound is not None)]
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
            return by_references(sequence(items, shape, like=raw), container.label)
        case _:
            raise machine.failed("type", "this cannot be sliced", *labels)


def _cut(bounds: Bounds, size: int) -> Label:
    """What the bounds of a slice choose: a start or an end one of size + 1 places, a step at most twice as many."""
    gain = NOTHING
    for bound, places in zip(bounds, (size + 1, size + 1, 2 * size + 2), strict=True):
        if bound is not None:
            gain = steered(gain, keying(bound.label, bits_for(places)))
    return gain


def _window(machine: Machine, bounds: Bounds, labels: list[Label]) -> slice:
    plain: list[int | None] = []
    for bound in bounds:
        at = None if bound is None else unwrap(bound)
        if at is not None and not isinstance(at, int):
            raise machine.failed("type", "the bounds of a slice are integers", *labels)
        plain.append(at)
    if plain[2] == 0:
        raise machine.failed("value", "the step of a slice is not zero", *labels)
    return slice(*plain)


def by_references(result: Value, *references: Label) -> Value:
    """A container that an operation made: of which kind it is, the references to its operands decide, and so its own takes theirs.

    What is made of scalars has their labels already.
    """
    if type(unwrap(result)) in PLAIN:
        return result
    for reference in references:
        result = restrict(result, picking(reference))
    return result


def sequence(items: list[Value], shape: Label, *, like: ListObject | TupleObject | None = None) -> Value:
    """A new list (or tuple, like another) with this shape. The reference to it is new and says nothing."""
    if isinstance(like, TupleObject):
        return make(TupleObject(items, shape), NOTHING)
    return make(ListObject(items, shape), NOTHING)


# Writing


def spend_moved(machine: Machine, target: ListObject, at: int) -> None:
    """Count what stands behind a place of a list, where something goes or comes: it is moved."""
    behind = -at if at < 0 else len(target.items) - at
    machine.spend(behind // _MOVED)


_MOVED = 64
"""So many elements that are moved count as one character."""


# Walking


def size_of(value: Value) -> int:
    """How many elements a walk gives; none for what cannot be walked. Of a record the number of fields, of a match of groups."""
    raw = unwrap(value)
    match raw:
        case ListObject() | TupleObject():
            return len(raw.items)
        case DictObject() | SetObject():
            return len(raw.entries)
        case str():
            return len(raw)
        case IteratorObject():
            return len(raw.left)
        case RecordObject():
            return len(raw.fields)
        case MatchObject():
            return len(raw.groups)
        case _:
            return 0


def walk_label(iterable: Value) -> Label:
    """What decides whether there is a next element: reference and shape (a text's shape is its data)."""
    return iterable.label.constructs[shape_of(iterable)]
