"""Values: data with its label. The one constructor, the one unwrap and the one release.

`make` is the only way to get a `Value`; `unwrap` is the only way to its data inside the language; `release` is the only way out of the
labelled world, and it asks for the permit that says why. A container holds values, so each element keeps its own label beside the label
of the container's shape (which, how many, what order) and the label of each reference to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from armslength.labels import Label, construct, steered
from armslength.schema import RecordType

Scalar = None | bool | int | float | str
Plain = Scalar | list["Plain"] | dict[str, "Plain"]
"""What leaves: JSON's shapes. Tuples and sets leave as lists, records and dicts as objects."""


class Value:
    """Data with its label. Immutable; shown only by its kind, never by its content."""

    __slots__ = ("_raw", "label")
    _raw: Raw
    label: Label

    def __init__(self) -> None:
        raise TypeError("values are made by make(...) only")

    def __reduce__(self) -> str:
        raise TypeError("values are made by make(...) only")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("values do not change")

    def __repr__(self) -> str:
        return f"<{kind(self)} {self.label!r}>"

    def __bool__(self) -> bool:
        raise TypeError("a labelled value has no truth of its own")

    def __eq__(self, other: object) -> bool:
        raise TypeError("labelled values are compared by the language only")

    __hash__ = None  # type: ignore[assignment]  # equality is the language's


class ListObject:
    """A list. `shape` labels which, how many, what order; a frozen one came from a tool."""

    __slots__ = ("is_frozen", "items", "shape")

    def __init__(self, items: Iterable[Value], shape: Label, *, is_frozen: bool = False) -> None:
        self.items, self.shape, self.is_frozen = list(items), shape, is_frozen


class TupleObject:
    """A tuple; like a list that never changes."""

    __slots__ = ("items", "shape")

    def __init__(self, items: Iterable[Value], shape: Label) -> None:
        self.items, self.shape = tuple(items), shape


@dataclass(slots=True, eq=False)
class Entry:
    """A key and what stands under it."""

    key: Value
    value: Value


class DictObject:
    """A dict. `entries` is keyed by `key_of` the key, in the order of insertion."""

    __slots__ = ("entries", "is_frozen", "shape")

    def __init__(self, shape: Label, *, is_frozen: bool = False) -> None:
        self.entries: dict[Key, Entry] = {}
        self.shape, self.is_frozen = shape, is_frozen


class SetObject:
    """A set, in the order of insertion, so that no hash decides anything."""

    __slots__ = ("entries", "shape")

    def __init__(self, shape: Label) -> None:
        self.entries: dict[Key, Value] = {}
        self.shape = shape


class RecordObject:
    """A record of a declared type. Never changes."""

    __slots__ = ("fields", "type")

    def __init__(self, declared: RecordType, fields: dict[str, Value]) -> None:
        self.type, self.fields = declared, fields


Key = None | bool | int | float | str | tuple["Key", ...]
Container = ListObject | TupleObject | DictObject | SetObject | RecordObject
Mutable = ListObject | DictObject | SetObject
Raw = Scalar | Container

_RAW_TYPES = frozenset(
    {type(None), bool, int, float, str, ListObject, TupleObject, DictObject, SetObject, RecordObject}
)


def make(raw: Raw, label: Label) -> Value:
    """The only constructor of values.

    Raises:
        TypeError: `raw` is of no type in the allow-list (subclasses are not either), so no host object gets in.
    """
    if type(raw) not in _RAW_TYPES or type(label) is not Label:
        raise TypeError(f"no value can be made of a {type(raw).__name__}")
    value = object.__new__(Value)
    object.__setattr__(value, "_raw", raw)
    object.__setattr__(value, "label", label)
    return value


def unwrap(value: Value) -> Raw:
    """The only unwrap. Whoever calls it makes the result's label from `value.label` and hands both to `make`."""
    return value._raw


def kind(value: Value) -> str:
    """The run-time type's name as the language shows it."""
    raw = value._raw
    match raw:
        case RecordObject():
            return raw.type.name
        case ListObject() | TupleObject() | DictObject() | SetObject():
            return type(raw).__name__.removesuffix("Object").lower()
        case None:
            return "None"
        case _:
            return type(raw).__name__


def key_of(value: Value) -> Key:
    """What a dict or set finds `value` by.

    Raises:
        TypeError: the value is not hashable in the language.
    """
    raw = value._raw
    match raw:
        case TupleObject():
            return tuple(key_of(item) for item in raw.items)
        case None | bool() | int() | float() | str():
            return raw
        case _:
            raise TypeError(f"unhashable type: {kind(value)}")


def parts(value: Value) -> list[Label]:
    """The labels of the reference, of every shape and of every element below it, each object once."""
    found: list[Label] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        current = waiting.pop()
        found.append(current.label)
        raw = current._raw
        if not isinstance(raw, Container) or id(raw) in seen:
            continue
        seen.add(id(raw))
        if not isinstance(raw, RecordObject):
            found.append(raw.shape)
        waiting.extend(children(raw))
    return found


def children(raw: Container) -> list[Value]:
    """The values that a container holds, keys before what stands under them."""
    match raw:
        case ListObject() | TupleObject():
            return list(raw.items)
        case DictObject():
            return [value for entry in raw.entries.values() for value in (entry.key, entry.value)]
        case SetObject():
            return list(raw.entries.values())
        case RecordObject():
            return list(raw.fields.values())


def sink_label(value: Value) -> Label:
    """Row "sink": the reference, shape and all elements; bits added over them. A scalar keeps its own label."""
    labels = parts(value)
    if len(labels) == 1:
        return labels[0]
    whole = construct()
    for part in labels:
        whole = construct(whole, part)
    return whole


def mutable_objects(values: Iterable[Value], count: Callable[[int], None]) -> list[Mutable]:
    """Every object reachable from `values` that can still change, each once. `count` is told how much is walked.

    What is frozen holds nothing that changes: a tool's result and a copy for an effect are frozen all the way down.
    """
    found: list[Mutable] = []
    seen: set[int] = set()
    waiting = _containers(values, count)
    while waiting:
        raw = waiting.pop()
        if id(raw) in seen or getattr(raw, "is_frozen", False):
            continue
        seen.add(id(raw))
        if isinstance(raw, Mutable):
            found.append(raw)
        waiting.extend(_containers(children(raw), count))
    return found


_CONTAINERS = frozenset({ListObject, TupleObject, DictObject, SetObject, RecordObject})


def _containers(values: Iterable[Value], count: Callable[[int], None]) -> list[Container]:
    listed = list(values)
    count(1 + len(listed) // 16)
    return [value._raw for value in listed if type(value._raw) in _CONTAINERS]  # type: ignore[misc]  # by the line's own test


def restrict(value: Value, gain: Label) -> Value:
    """The same data, steered by `gain` as well. Labels only ever grow."""
    upgraded = steered(value.label, gain)
    return value if upgraded is value.label else make(value._raw, upgraded)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Plain data with a label at each node, outside the language: what comes in by `admit` and leaves by `release`.

    `data` is a scalar, a tuple of items, or named parts (a record of type `record`, else a dict). A container's label speaks for
    the reference and the shape.
    """

    data: Scalar | tuple[Labelled, ...] | dict[str, Labelled]
    label: Label
    record: RecordType | None = None

    def plain(self) -> Plain:
        """The data without labels: JSON's shapes."""
        match self.data:
            case tuple():
                return [item.plain() for item in self.data]
            case dict():
                return {name: part.plain() for name, part in self.data.items()}
            case _:
                return self.data


def admit(given: Labelled) -> Value:
    """The value of what came from outside. Its lists and dicts are frozen: changing one needs a copy.

    Raises:
        TypeError: data of no type in the allow-list, or a record with other fields than declared.
    """
    match given.data:
        case tuple():
            return make(ListObject(map(admit, given.data), given.label, is_frozen=True), given.label)
        case dict() as named if given.record is not None:
            names = [field.name for field in given.record.fields]
            if sorted(names) != sorted(named):
                raise TypeError(f"a {given.record.name} with other fields than declared")
            return make(RecordObject(given.record, {name: admit(named[name]) for name in names}), given.label)
        case dict() as named:
            made = DictObject(given.label, is_frozen=True)
            made.entries = {name: Entry(make(name, given.label), admit(part)) for name, part in named.items()}
            return make(made, given.label)
        case scalar:
            return make(scalar, given.label)


@dataclass(frozen=True, slots=True)
class Permit:
    """Why a value may leave: the rule's name and who decided."""

    rule: str
    decided_by: Literal["policy", "person", "clearance"]


def release(value: Value, permit: Permit) -> Labelled:
    """The only way out of the labelled world: a deep copy, still labelled so that it can be marked. `permit` says who let it go.

    Raises:
        TypeError: there is no permit, or the value holds itself.
    """
    if type(permit) is not Permit:
        raise TypeError("nothing is released without a permit")
    return _labelled(value, _DEEPEST)


_DEEPEST = 100


def _labelled(value: Value, depth: int) -> Labelled:
    if depth == 0:
        raise TypeError("a value that holds itself, or is nested too deep, cannot leave")
    raw = value._raw
    match raw:
        case ListObject() | TupleObject():
            items = tuple(_labelled(item, depth - 1) for item in raw.items)
            return Labelled(items, construct(value.label, raw.shape))
        case SetObject():
            members = tuple(_labelled(item, depth - 1) for item in raw.entries.values())
            return Labelled(members, construct(value.label, raw.shape))
        case DictObject():
            keys = [entry.key.label for entry in raw.entries.values()]
            named = {str(key): _labelled(entry.value, depth - 1) for key, entry in raw.entries.items()}
            return Labelled(named, construct(value.label, raw.shape, *keys))
        case RecordObject():
            fields = {name: _labelled(field, depth - 1) for name, field in raw.fields.items()}
            return Labelled(fields, value.label, raw.type)
        case _:
            return Labelled(raw, value.label)


def frozen_copy(value: Value) -> Value:
    """A deep copy that nothing the program does later can change; labels as they are.

    Raises:
        TypeError: the value holds itself, or is nested too deep.
    """
    return _frozen(value, _DEEPEST)


def _frozen(value: Value, depth: int) -> Value:
    if depth == 0:
        raise TypeError("a value that holds itself, or is nested too deep, cannot leave")
    raw = value._raw
    match raw:
        case ListObject():
            return make(
                ListObject((_frozen(item, depth - 1) for item in raw.items), raw.shape, is_frozen=True), value.label
            )
        case TupleObject():
            return make(TupleObject((_frozen(item, depth - 1) for item in raw.items), raw.shape), value.label)
        case SetObject():
            members = SetObject(raw.shape)
            members.entries = {key: _frozen(item, depth - 1) for key, item in raw.entries.items()}
            return make(members, value.label)
        case DictObject():
            copied = DictObject(raw.shape, is_frozen=True)
            copied.entries = {
                key: Entry(_frozen(entry.key, depth - 1), _frozen(entry.value, depth - 1))
                for key, entry in raw.entries.items()
            }
            return make(copied, value.label)
        case RecordObject():
            return make(RecordObject(raw.type, {n: _frozen(f, depth - 1) for n, f in raw.fields.items()}), value.label)
        case _:
            return value
