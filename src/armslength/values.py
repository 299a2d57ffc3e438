"""Values: data with its label. The one constructor, the one unwrap and the one release.

`make` is the only way to get a `Value` (`promise` makes one that is still to come, of what `make` made); `unwrap` is the only way to its
data inside the language; `release` is the only way out of the labelled world, and it asks for the permit that says why. A container holds
values, so each element keeps its own label beside the label of the container's shape (which, how many, what order) and the label of each
reference to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from operator import attrgetter
from typing import Final, Literal, Protocol, TypeGuard

from armslength.labels import NOTHING, Label, construct, made_of, steered
from armslength.schema import RecordType

Scalar = None | bool | int | float | str
Moment = datetime | date | time | timedelta | timezone
Plain = Scalar | list["Plain"] | dict[str, "Plain"]
"""What leaves: JSON's shapes. Tuples and sets leave as lists, records and dicts as objects, moments as ISO 8601 text."""


class Value:
    """Data with its label. Neither is ever assigned again (the type checker holds that); shown only by its kind, never by its content.

    Raises:
        TypeError: `raw` is of no type in the allow-list (subclasses are not either), so no host object gets in.
    """

    __slots__ = ("_raw", "label")

    def __init__(self, raw: Raw, label: Label) -> None:
        if type(raw) not in _RAW_TYPES or type(label) is not Label:
            raise TypeError(f"no value can be made of a {type(raw).__name__}")
        self._raw: Final = raw
        self.label: Final = label

    def __reduce__(self) -> str:
        raise TypeError("values are made by make(...) only")

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
    """A record of a declared type. Never changes; of a frozen one, which came from a tool, nothing below changes either."""

    __slots__ = ("fields", "is_frozen", "type")

    def __init__(self, declared: RecordType, fields: dict[str, Value], *, is_frozen: bool = False) -> None:
        self.type, self.fields, self.is_frozen = declared, fields, is_frozen


class IteratorObject:
    """What `iter`, `map`, `zip`, a generator expression and the like give: the elements that are left, used up by walking.

    `shape` labels which, how many and what order, and so how far it has been used. `left` is stored in reverse: the next element is last.
    """

    __slots__ = ("left", "shape")

    def __init__(self, items: Iterable[Value], shape: Label) -> None:
        self.left, self.shape = list(items)[::-1], shape


class MatchObject:
    """What matched a pattern. Never changes. `groups` (0 is the whole; a value or None's value) and `spans` have the same length."""

    __slots__ = ("groups", "names", "spans")

    def __init__(self, groups: tuple[Value, ...], spans: tuple[tuple[int, int], ...], names: Mapping[str, int]) -> None:
        self.groups, self.spans, self.names = groups, spans, dict(names)


class MemberObject:
    """A member of an enumeration of the program. Never changes; members are compared by enumeration and name.

    `is_mixed`: the enumeration is also `str` or `int`, so its members compare as their values do.
    """

    __slots__ = ("enumeration", "is_mixed", "name", "value")

    def __init__(self, enumeration: str, name: str, value: Value, *, is_mixed: bool = False) -> None:
        self.enumeration, self.name, self.value, self.is_mixed = enumeration, name, value, is_mixed


class ErrorObject:
    """An exception that a handler caught: the name of its class and its arguments. Never changes."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, arguments: tuple[Value, ...]) -> None:
        self.name, self.arguments = name, arguments


class Frame:
    """The names of one scope while it runs: of the program, or of one call of a function.

    `doubts`: what decided whether a name has a value. `parent`: the frame in which the function was defined. For the names that functions
    mention which were picked: `reached` takes what is under them, `shared` the values themselves, whenever they are assigned.
    """

    __slots__ = ("doubts", "names", "parent", "reached", "shared")

    def __init__(self, parent: Frame | None = None) -> None:
        self.names: dict[str, Value] = {}
        self.doubts: dict[str, Label] = {}
        self.reached: dict[str, Label] = {}
        self.shared: dict[str, Label] = {}
        self.parent = parent

    def up(self, depth: int) -> Frame:
        """The frame so many definitions further out; 0 is this one."""
        frame = self
        for _ in range(depth):
            if frame.parent is None:
                raise TypeError("a name of a scope that does not exist")
            frame = frame.parent
        return frame


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in a scope: `depth` definitions further out (0 is the scope at hand)."""

    depth: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A variable that a function mentions: it holds what the function reaches, as a list does.

    Only one that a function assigns from inside (`nonlocal`) can be changed by it.
    """

    frame: Frame
    name: str
    is_assigned: bool = True


class Code(Protocol):
    """What a function was compiled to, as far as values know of it. Variables are counted from the frame of the definition."""

    @property
    def name(self) -> str:
        """As it was defined."""
        ...

    @property
    def free(self) -> tuple[Variable, ...]:
        """The variables outside that the function, or one within it, mentions."""
        ...

    @property
    def assigned(self) -> tuple[Variable, ...]:
        """Those of them that it may assign."""
        ...


class FunctionObject:
    """A function of the program, with the frame it was defined in and the values of its parameters' defaults. Never changes."""

    __slots__ = ("code", "defaults", "frame")

    def __init__(self, code: Code, frame: Frame, defaults: Mapping[str, Value]) -> None:
        self.code, self.frame, self.defaults = code, frame, dict(defaults)

    def captured(self) -> list[Value]:
        """What its body can reach: the defaults, and the values of its free variables as they stand now."""
        found = list(self.defaults.values())
        for variable in self.code.free:
            names = self.frame.up(variable.depth).names
            if variable.name in names:
                found.append(names[variable.name])
        return found

    def places(self) -> list[Place]:
        """The variables outside that it mentions."""
        code = self.code
        return [Place(self.frame.up(each.depth), each.name, each in code.assigned) for each in code.free]


class BuiltinObject:
    """A function of the language as a value (`key=len`), by its name. Never changes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class MethodObject:
    """A method as a value (`key=counts.get`), with what it is a method of. Never changes."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner, self.name = owner, name


Key = None | bool | int | float | str | Moment | tuple["Key", ...]
Sequenced = ListObject | TupleObject | IteratorObject
Container = (
    ListObject | TupleObject | DictObject | SetObject | RecordObject
    | IteratorObject | MatchObject | MemberObject | ErrorObject | FunctionObject | MethodObject
)  # fmt: skip
Mutable = ListObject | DictObject | SetObject | IteratorObject
Raw = Scalar | Moment | Container | BuiltinObject

_MOMENTS = (datetime, date, time, timedelta, timezone)
_RAW_TYPES = frozenset({
    type(None), bool, int, float, str, *_MOMENTS, ListObject, TupleObject, DictObject, SetObject, RecordObject,
    IteratorObject, MatchObject, MemberObject, ErrorObject, FunctionObject, MethodObject, BuiltinObject,
})  # fmt: skip

make: Callable[[Raw, Label], Value] = Value
"""The only constructor of values."""

unwrap: Callable[[Value], Raw] = attrgetter("_raw")
"""The only unwrap. Whoever calls it makes the result's label from `value.label` and hands both to `make`. A promise is waited for."""


class _Promise(Value):
    """A value that is still to come. Whoever asks for its data or label waits; slots that are not set lead to `__getattr__`.

    `gain` is what steered it meanwhile; `origin` is the promise as it was made, so that one answer serves all.
    """

    __slots__ = ("gain", "origin", "resolve")

    def __init__(self, resolve: Callable[[], Value], origin: Value | None = None, gain: Label = NOTHING) -> None:
        self.resolve, self.origin, self.gain = resolve, origin, gain

    def __getattr__(self, name: str) -> object:
        if name not in ("_raw", "label"):
            raise AttributeError(name)
        value = self.resolve() if self.origin is None else self.origin
        raw, found = value._raw, steered(value.label, self.gain)
        Value.__init__(self, raw, found)
        return raw if name == "_raw" else found


def promise(resolve: Callable[[], Value]) -> Value:
    """A value that `resolve` gives when its data or label is first asked for; what it raises is raised there, each time.

    What it gives holds nothing that changes: it comes from outside, and such lists are frozen. So it need not be waited for where
    objects that can change are looked for.
    """
    return _Promise(resolve)


def is_pending(value: Value) -> TypeGuard[_Promise]:
    """Whether it is still to come, so that asking for its data or label would wait."""
    if type(value) is not _Promise:
        return False
    try:
        object.__getattribute__(value, "label")
    except AttributeError:
        return True
    return False


def kind(value: Value) -> str:
    """The run-time type's name as the language shows it."""
    raw = value._raw
    match raw:
        case RecordObject():
            return raw.type.name
        case MemberObject():
            return raw.enumeration
        case ErrorObject():
            return raw.name
        case None:
            return "None"
        case bool() | int() | float() | str() | datetime() | date() | time() | timedelta() | timezone():
            return type(raw).__name__
        case FunctionObject() | MethodObject() | BuiltinObject():
            return "function"
        case _:
            return type(raw).__name__.removesuffix("Object").lower()


def key_of(value: Value) -> Key:
    """What a dict or set finds `value` by.

    Raises:
        TypeError: the value is not hashable in the language.
    """
    raw = value._raw
    match raw:
        case TupleObject():
            return tuple(key_of(item) for item in raw.items)
        case MemberObject():
            return key_of(raw.value) if raw.is_mixed else ("member", raw.enumeration, raw.name)
        case None | bool() | int() | float() | str() | datetime() | date() | time() | timedelta() | timezone():
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
        shape = getattr(raw, "shape", None)
        if shape is not None:
            found.append(shape)
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
        case IteratorObject():
            return list(raw.left)
        case MatchObject():
            return list(raw.groups)
        case MemberObject():
            return [raw.value]
        case ErrorObject():
            return list(raw.arguments)
        case FunctionObject():
            return raw.captured()
        case MethodObject():
            return [raw.owner]


def sink_label(value: Value) -> Label:
    """Row "sink": the reference, shape and all elements; bits added over them. A scalar keeps its own label."""
    labels = parts(value)
    if len(labels) == 1:
        return labels[0]
    whole = construct()
    for part in labels:
        whole = construct(whole, part)
    return whole


def mutable_objects(values: Iterable[Value], count: Callable[[int], None]) -> list[Mutable | Place]:
    """Every object reachable from `values` that can still change, each once. `count` is told how much is walked.

    What is frozen holds nothing that changes: a tool's result and a copy for an effect are frozen all the way down. Through a function
    its free variables are reached, and are found themselves.
    """
    found: list[Mutable | Place] = []
    seen: set[int | Place] = set()
    waiting = _containers(values, count)
    while waiting:
        raw = waiting.pop()
        if id(raw) in seen or getattr(raw, "is_frozen", False):
            continue
        seen.add(id(raw))
        if isinstance(raw, Mutable):
            found.append(raw)
        elif isinstance(raw, FunctionObject):
            places = [place for place in raw.places() if place not in seen]
            seen.update(places)
            found.extend(places)
        waiting.extend(_containers(children(raw), count))
    return found


_CONTAINERS = frozenset({
    ListObject, TupleObject, DictObject, SetObject, RecordObject,
    IteratorObject, MatchObject, MemberObject, ErrorObject, FunctionObject, MethodObject,
})  # fmt: skip


def _containers(values: Iterable[Value], count: Callable[[int], None]) -> list[Container]:
    listed = [value for value in values if not is_pending(value)]
    count(1 + len(listed) // 16)
    found = [value._raw for value in listed if type(value._raw) in _CONTAINERS]
    return [raw for raw in found if type(raw) is not RecordObject or not raw.is_frozen]  # type: ignore[misc]  # containers


def upgrade(objects: Iterable[Mutable | Place], gain: Label) -> None:
    """Each object's shape takes `gain`, each assigned variable's value does, and whether it has one.

    Shapes are made, not picked, so saved-up choice counts as data. A variable keeps the gain for what it is assigned later: a function
    that was picked reaches what its variables hold when it is called.
    """
    if gain is NOTHING:
        return
    for changed in objects:
        if isinstance(changed, Place):
            _upgrade_place(changed, gain)
        else:
            changed.shape = made_of(steered(changed.shape, gain))


def _upgrade_place(place: Place, gain: Label) -> None:
    frame, name = place.frame, place.name
    frame.reached[name] = steered(frame.reached.get(name, NOTHING), gain)
    if not place.is_assigned:
        return
    frame.shared[name] = steered(frame.shared.get(name, NOTHING), gain)
    if name in frame.names:
        frame.names[name] = restrict(frame.names[name], gain)
    if name not in frame.names or name in frame.doubts:
        frame.doubts[name] = steered(frame.doubts.get(name, NOTHING), gain)


def restrict(value: Value, gain: Label) -> Value:
    """The same data, steered by `gain` as well. Labels only ever grow."""
    if gain is NOTHING:
        return value
    if type(value) is not Value and is_pending(value):
        return _Promise(value.resolve, value if value.origin is None else value.origin, steered(value.gain, gain))
    upgraded = value.label.selects[gain]
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
            fields = {name: admit(named[name]) for name in names}
            return make(RecordObject(given.record, fields, is_frozen=True), given.label)
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
        TypeError: there is no permit, the value holds itself, or it is no data (a function, a match, an exception).
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
        case IteratorObject():
            rest = tuple(_labelled(item, depth - 1) for item in reversed(raw.left))
            return Labelled(rest, construct(value.label, raw.shape))
        case MemberObject():
            return _labelled(restrict(raw.value, value.label), depth - 1)
        case MatchObject() | ErrorObject() | FunctionObject() | MethodObject() | BuiltinObject():
            raise TypeError(f"a {kind(value)} cannot leave")
        case datetime() | date() | time():
            return Labelled(raw.isoformat(), value.label)
        case timedelta() | timezone():
            return Labelled(str(raw), value.label)
        case _:
            return Labelled(raw, value.label)


def frozen_copy(value: Value) -> Value:
    """A deep copy that nothing the program does later can change; labels as they are.

    Raises:
        TypeError: the value holds itself, is nested too deep, or is no data.
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
            fields = {name: _frozen(field, depth - 1) for name, field in raw.fields.items()}
            return make(RecordObject(raw.type, fields, is_frozen=True), value.label)
        case IteratorObject():
            rest = (_frozen(item, depth - 1) for item in reversed(raw.left))
            return make(ListObject(rest, raw.shape, is_frozen=True), value.label)
        case MatchObject() | ErrorObject() | FunctionObject() | MethodObject() | BuiltinObject():
            raise TypeError(f"a {kind(value)} cannot leave")
        case _:
            return value
