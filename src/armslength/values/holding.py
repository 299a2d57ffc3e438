"""What a container holds, and whether anything there can change: where nothing can, what steers a choice has nothing to upgrade.

What is known of a container's elements is kept with them, in a list, tuple or dict that looks at all that comes in and forgets what it
knew as soon as something can change. So nobody who changes a container has to think of it, and a loop that adds n elements walks n, not n * n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta, timezone
from typing import Self, SupportsIndex

from armslength.values.objects import (
    BuiltinObject,
    Container,
    DictObject,
    Entry,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    Key,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    is_pending,
    unwrap,
)

PLAIN = frozenset({type(None), bool, int, float, str, datetime, date, time, timedelta, timezone, BuiltinObject})
"""The raw types that hold no values."""
_DEEPEST = 8


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


def is_inert(value: Value, depth: int = _DEEPEST) -> bool:
    """Whether nothing that can change is reachable from a value. False also where that would take long to tell."""
    if type(value) is not Value and is_pending(value):
        return True  # what comes from outside is frozen
    raw = unwrap(value)
    if type(raw) in PLAIN or (type(raw) is RecordObject and raw.is_frozen):
        return True
    match raw:
        case ListObject() | DictObject():
            return raw.is_frozen
        case TupleObject() | ErrorObject() if depth > 0:
            return _holds_inert(raw, depth - 1)
        case RecordObject() | MatchObject() | MemberObject() if depth > 0:
            return all(is_inert(child, depth - 1) for child in children(raw))
        case _:
            return False


def _holds_inert(raw: TupleObject | ErrorObject, depth: int) -> bool:
    """The same of what never changes and can be long: told once."""
    if isinstance(raw, ErrorObject):
        if type(raw.arguments) is not _Fixed:
            raw.arguments = _Fixed(raw.arguments, depth)
        return raw.arguments.is_inert
    if type(raw.items) is not _Fixed:
        raw.items = _Fixed(raw.items, depth)
    return raw.items.is_inert


def holds_nothing_changing(raw: Container) -> bool:
    """Whether nothing that can change is reachable from what a container holds."""
    if type(raw) is DictObject:
        if type(raw.entries) is not _Entries and not raw.is_frozen:
            raw.entries = _Entries(raw.entries)
        return raw.is_frozen or raw.entries.is_inert  # type: ignore[attr-defined]  # by the lines above
    if type(raw) is ListObject:
        if type(raw.items) is not _Items and not raw.is_frozen:
            raw.items = _Items(raw.items)
        return raw.is_frozen or raw.items.is_inert  # type: ignore[attr-defined]  # by the lines above
    match raw:
        case IteratorObject():
            if type(raw.left) is not _Items:
                raw.left = _Items(raw.left)
            return raw.left.is_inert
        case SetObject():
            return True  # members are keys, and no key changes
        case TupleObject() | ErrorObject():
            return _holds_inert(raw, _DEEPEST)
        case _:
            return all(map(is_inert, children(raw)))


def _are_plain(values: Sequence[Value]) -> bool:
    """Whether all are there and are scalars, told without a call for each."""
    return set(map(type, values)) <= {Value} and PLAIN.issuperset(map(type, map(unwrap, values)))


class _Fixed(tuple[Value, ...]):  # noqa: SLOT001 - what Python keeps in slots of a tuple has no name
    """The elements of a tuple: none comes in."""

    is_inert: bool

    def __new__(cls, items: Iterable[Value], depth: int) -> Self:
        made = super().__new__(cls, items)
        made.is_inert = _are_plain(made) or all(is_inert(item, depth) for item in made)
        return made


class _Items(list[Value]):
    """The elements of a list. Every way in is here; what leaves or moves changes nothing."""

    __slots__ = ("is_inert",)

    def __init__(self, items: Iterable[Value]) -> None:
        super().__init__(items)
        self.is_inert = _are_plain(self) or all(map(is_inert, self))

    def _look_at(self, values: Iterable[Value]) -> None:
        self.is_inert = self.is_inert and all(map(is_inert, values))

    def append(self, value: Value, /) -> None:
        self.is_inert = self.is_inert and is_inert(value)
        list.append(self, value)

    def insert(self, at: SupportsIndex, value: Value, /) -> None:
        self._look_at([value])
        super().insert(at, value)

    def extend(self, values: Iterable[Value], /) -> None:
        listed = list(values)
        self._look_at(listed)
        super().extend(listed)

    def __iadd__(self, values: Iterable[Value], /) -> Self:  # type: ignore[misc,override]  # as `list` does
        self.extend(values)
        return self

    def __setitem__(self, at: SupportsIndex | slice, value: Value | Iterable[Value], /) -> None:
        listed = [value] if isinstance(value, Value) else list(value)
        self._look_at(listed)
        super().__setitem__(at, listed if isinstance(at, slice) else listed[0])  # type: ignore[index,assignment]


class _Entries(dict[Key, Entry]):
    """The entries of a dict. No other way in is left."""

    __slots__ = ("is_inert",)

    def __init__(self, entries: dict[Key, Entry]) -> None:
        super().__init__(entries)
        self.is_inert = all(is_inert(entry.value) for entry in entries.values())

    def __setitem__(self, key: Key, entry: Entry, /) -> None:
        self.is_inert = self.is_inert and is_inert(entry.value)
        dict.__setitem__(self, key, entry)

    def setdefault(self, key: Key, default: Entry | None = None, /) -> Entry:
        raise TypeError("entries come in one by one")

    def __repr__(self) -> str:
        return f"<{len(self)} entries>"  # keys are data

    update = __ior__ = setdefault  # type: ignore[assignment]
