"""Reading, writing and walking containers: rows "select", "keyed write", "iterate" and rule 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armslength.labels import LITERAL, NOTHING, Label, bits_for, construct, made_of, picking, steered, steering
from armslength.language.machine import ELEMENT, Machine
from armslength.language.operations.inert import PLAIN, holds_nothing_changing, is_inert
from armslength.language.operations.wholes import shape_of, spend_whole
from armslength.values import (
    FEW,
    LARGE,
    LONGEST,
    MIXED,
    DictObject,
    Entry,
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
    key_of,
    make,
    opened,
    parts,
    restrict,
    unwrap,
    upgrade,
    upgrade_shape,
)

Bounds = tuple[Value | None, Value | None, Value | None]
"""What stands between the colons of a slice."""
FROZEN = "what a tool returned does not change; copy it with list(...) or dict(...)"


# Reading


def read_item(machine: Machine, container: Value, key: Value) -> Value:
    """`container[key]`.

    Raises:
        ProgramFailed: there is no such element.
    """
    raw = unwrap(container)
    if type(raw) is DictObject:
        return _read_entry(machine, container, raw, key)
    at, by = unwrap(key), key_label(key)
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
                raise machine.failed("index", "there is no such group", decided)
            return pick(machine, raw.groups[number], container, by)
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
    gain = steered(reading(container), steering(key, bits_for(size_of(container))))
    if gain is NOTHING:
        return element
    _spread(machine, unwrap(container), (), gain)
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
        _spread(machine, raw, coming, reading(container).selects[gain])


def _spread(machine: Machine, raw: Raw, coming: Sequence[Value], gain: Label) -> None:
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


def key_label(key: Value) -> Label:
    """What a key hands on: its label, and for a tuple those of all its parts."""
    return key.label if type(unwrap(key)) in PLAIN else construct(*parts(key))


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
    label = key_label(key)
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
            gain = steered(gain, steering(bound.label, bits_for(places)))
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


def write_slice(machine: Machine, container: Value, bounds: Bounds, source: Value) -> None:
    """`container[a:b:c] = source`: what stands there goes, and all elements of the source come; the shape takes all that chose them.

    Raises:
        ProgramFailed: it is no list that can change, or a step is given and the sizes differ.
    """
    raw, window, gain = _changed_slice(machine, container, bounds)
    items = walk_all(machine, source)
    shape = walk_label(source)
    by_source = steering(shape, bits_for(len(raw.items) + len(items) + 1))
    mingle(machine, container, items, steered(gain, by_source))
    machine.may_raise(shape)
    raw.shape = construct(made_of(steered(raw.shape, gain)), shape)
    machine.spend(len(raw.items) // _MOVED)
    try:
        raw.items[window] = items
    except ValueError:
        raise machine.failed(
            "value", "a slice with a step takes as many elements as it has", container.label, raw.shape
        ) from None


def delete_slice(machine: Machine, container: Value, bounds: Bounds) -> None:
    """`del container[a:b:c]`: the shape takes what the bounds could choose.

    Raises:
        ProgramFailed: it is no list that can change.
    """
    raw, window, gain = _changed_slice(machine, container, bounds)
    mingle(machine, container, (), gain)
    upgrade([raw], gain)
    machine.spend(len(raw.items) // _MOVED)
    del raw.items[window]


def _changed_slice(machine: Machine, container: Value, bounds: Bounds) -> tuple[ListObject, slice, Label]:
    labels = [container.label, *(bound.label for bound in bounds if bound is not None)]
    machine.may_raise(shape_of(container), *labels)
    raw = unwrap(container)
    if not isinstance(raw, ListObject):
        raise machine.failed("type", "only a list's slice can be changed", *labels)
    if raw.is_frozen:
        raise machine.failed("frozen", FROZEN, *labels)
    return raw, _window(machine, bounds, labels), _cut(bounds, len(raw.items))


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


def write_item(machine: Machine, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`: row "keyed write".

    Raises:
        ProgramFailed: it cannot be changed, or there is no such place.
    """
    raw, by = unwrap(container), key_label(key)
    decided = walk_label(container).constructs[by]
    gain = decided.guards
    if gain is not NOTHING:
        machine.risk(gain)
        mingle(machine, container, (value,))
    at = unwrap(key)
    match raw:
        case ListObject() | DictObject() if raw.is_frozen:
            raise machine.failed("frozen", FROZEN, decided)
        case ListObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", decided)
            _note_write(machine, raw, len(raw.items), by, (value,))
            raw.items[at] = value
        case DictObject():
            put(machine, raw, key, value)
        case _:
            raise machine.failed("type", "this cannot be changed so", decided)


def put(machine: Machine, target: DictObject, key: Value, value: Value) -> None:
    """Store under a key. A new untrusted key makes the shape data; an old one leaves its choice there."""
    found, by = keyed(machine, key)
    machine.size_left -= ELEMENT
    if machine.size_left < 0:
        machine.stop()
    old = target.entries.get(found)
    if by.guards is not NOTHING:
        _note_write(machine, target, len(target.entries), by, (value,))
    if old is None:
        target.shape = target.shape.constructs[by]
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


def delete_item(machine: Machine, container: Value, key: Value) -> None:
    """`del container[key]`: row "keyed write".

    Raises:
        ProgramFailed: it cannot be changed, or there is no such element.
    """
    raw, at, by = unwrap(container), unwrap(key), key_label(key)
    decided = construct(construct(container.label, shape_of(container)), by)
    if steering(decided, 1) is not NOTHING:
        machine.may_raise(decided)
    mingle(machine, container)
    match raw:
        case ListObject() | DictObject() if raw.is_frozen:
            raise machine.failed("frozen", FROZEN, decided)
        case ListObject() if isinstance(at, int):
            if not -len(raw.items) <= at < len(raw.items):
                raise machine.failed("index", "there is no element at that place", decided)
            _note_write(machine, raw, len(raw.items), by)
            spend_moved(machine, raw, at)
            del raw.items[at]
        case DictObject():
            found = hashable(machine, key)
            if found not in raw.entries:
                raise machine.failed("key", "there is no such key", decided)
            _note_write(machine, raw, len(raw.entries), by)
            del raw.entries[found]
        case _:
            raise machine.failed("type", "nothing can be deleted from this so", decided)


def spend_moved(machine: Machine, target: ListObject, at: int) -> None:
    """Count what stands behind a place of a list, where something goes or comes: it is moved."""
    behind = -at if at < 0 else len(target.items) - at
    machine.spend(behind // _MOVED)


_MOVED = 64
"""So many elements that are moved count as one character."""


def _note_write(
    machine: Machine, target: ListObject | DictObject, size: int, key: Label, coming: Sequence[Value] = ()
) -> None:
    """What a key chose to replace or to take away: the shape takes its steering, and all that could have been meant."""
    gain = key.steers[bits_for(max(size, 2))]
    if gain is not NOTHING:
        upgrade_shape(target, gain)
        _spread(machine, target, coming, gain)


# Walking


def walk(machine: Machine, iterable: Value) -> Iterator[Value]:
    """The elements one by one, each read through reference and shape. An iterator loses each element before it is given.

    Raises:
        ProgramFailed: it has no elements to walk.
    """
    begin_walk(machine, iterable)
    raw = unwrap(iterable)
    match raw:
        case ListObject() | TupleObject():
            return _copied(iterable, raw, raw.items)
        case IteratorObject():
            return _used_up(iterable, raw)
        case str():
            label = construct(iterable.label)
            return (make(character, label) for character in raw)
        case DictObject():
            return _copied(iterable, raw, [entry.key for entry in raw.entries.values()])
        case SetObject():
            return _copied(iterable, raw, list(raw.entries.values()))
        case _:
            raise machine.failed("type", "this has no elements to go through", iterable.label)


def begin_walk(machine: Machine, iterable: Value) -> None:
    """A walk may fail, by what is walked; and what a list or an iterator holds takes what decides how far it goes."""
    machine.may_raise(iterable.label)
    if isinstance(unwrap(iterable), ListObject | TupleObject | IteratorObject):
        mingle(machine, iterable)


def _used_up(iterable: Value, raw: IteratorObject) -> Iterator[Value]:
    while raw.left:
        yield read(raw.left.pop(), iterable)


def _copied(
    iterable: Value, raw: ListObject | TupleObject | DictObject | SetObject, items: Sequence[Value]
) -> Iterator[Value]:
    """What it holds now; its shape may be upgraded meanwhile."""
    shape, gain = raw.shape, reading(iterable)
    for item in items:
        if raw.shape is not shape:
            shape, gain = raw.shape, reading(iterable)
        yield item if gain is NOTHING else restrict(item, gain)


def walk_all(machine: Machine, iterable: Value) -> list[Value]:
    """All elements at once, as `walk` gives them."""
    machine.spend_elements(size_of(iterable))
    return list(walk(machine, iterable))


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
