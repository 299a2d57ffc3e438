"""Data with its label: the one constructor, the one unwrap, and what a value can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from operator import attrgetter
from typing import Final, Protocol, TypeGuard

from armslength.labels import NOTHING, Label, steered
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


class Entry:
    """A key and what stands under it. No dataclass: one is made for each write."""

    __slots__ = ("key", "value")

    def __init__(self, key: Value, value: Value) -> None:
        self.key, self.value = key, value


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

    `is_mixed`: the enumeration is also `str` or `int`, so its members compare as their values do. `shows_value`: so is their text
    (`StrEnum`, `IntEnum`), else it is the name.
    """

    __slots__ = ("enumeration", "is_mixed", "name", "shows_value", "value")

    def __init__(
        self, enumeration: str, name: str, value: Value, *, is_mixed: bool = False, shows_value: bool = False
    ) -> None:
        self.enumeration, self.name, self.value = enumeration, name, value
        self.is_mixed, self.shows_value = is_mixed, shows_value


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


Key = str | int | bytes
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

opened: Callable[[Value], tuple[Raw, Label]] = attrgetter("_raw", "label")
"""The same unwrap with the label beside the data, for what makes its result of both."""


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


def restrict(value: Value, gain: Label) -> Value:
    """The same data, steered by `gain` as well. Labels only ever grow."""
    if gain is NOTHING:
        return value
    if type(value) is not Value and is_pending(value):
        return _Promise(value.resolve, value if value.origin is None else value.origin, steered(value.gain, gain))
    upgraded = value.label.selects[gain]
    return value if upgraded is value.label else make(value._raw, upgraded)
