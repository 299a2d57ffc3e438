"""Values that outlive their program: each name's own copy.

Two names that held one object hold two afterwards, so a later program changes through a name what is under that name and nothing else.
A function is kept nowhere: it could change names of the program that made it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, timezone

from armslength.values import (
    Container,
    DictObject,
    Entry,
    ErrorObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    Raw,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    children,
    make,
    unwrap,
)


def unshared(value: Value, count: Callable[[int], None]) -> Value | None:
    """A copy that shares nothing that can change with anything else; None if a function is in it. `count` is told of each object.

    What is still to come is waited for.

    Raises:
        ArmslengthError: what it waited for failed.
    """
    try:
        return _Copy(count).of(value)
    except _FunctionFound:
        return None


class _FunctionFound(Exception):  # no error: an answer from deep inside
    """A function is kept nowhere."""


class _Copy:
    """One copy of an object graph: a shell for each object first, then their contents, so that what holds itself does so again."""

    def __init__(self, count: Callable[[int], None]) -> None:
        self._count = count
        self._shells: dict[int, Container] = {}

    def of(self, value: Value) -> Value:
        found: list[Container] = []
        waiting = [value]
        while waiting:
            raw = unwrap(waiting.pop())
            if not isinstance(raw, Container) or id(raw) in self._shells:
                _check(raw)
                continue
            self._shells[id(raw)] = _shell(raw)
            if not getattr(raw, "is_frozen", False):
                found.append(raw)
                below = children(raw)
                self._count(1 + len(below))
                waiting.extend(below)
        for raw in found:
            self._fill(raw, self._shells[id(raw)])
        return self._copied(value)

    def _copied(self, value: Value) -> Value:
        raw = unwrap(value)
        return make(self._shells[id(raw)], value.label) if isinstance(raw, Container) else value

    def _all(self, values: Iterable[Value]) -> list[Value]:
        return [self._copied(value) for value in values]

    def _fill(self, raw: Container, shell: Container) -> None:
        match raw, shell:
            case ListObject(), ListObject():
                shell.items = self._all(raw.items)
            case TupleObject(), TupleObject():
                shell.items = tuple(self._all(raw.items))
            case SetObject(), SetObject():
                shell.entries = {key: self._copied(item) for key, item in raw.entries.items()}
            case DictObject(), DictObject():
                shell.entries = {
                    key: Entry(self._copied(entry.key), self._copied(entry.value)) for key, entry in raw.entries.items()
                }
            case RecordObject(), RecordObject():
                shell.fields = {name: self._copied(part) for name, part in raw.fields.items()}
            case IteratorObject(), IteratorObject():
                shell.left = self._all(raw.left)
            case ErrorObject(), ErrorObject():
                shell.arguments = tuple(self._all(raw.arguments))
            case (MatchObject(), _) | (MemberObject(), _):
                return
            case _:
                raise TypeError("an object of another kind than its copy")


def _check(raw: Raw) -> None:
    """What is no object is kept as it is, if it is in the list."""
    if not isinstance(raw, Container) and not isinstance(raw, _PLAIN):
        raise _FunctionFound


_PLAIN = (type(None), bool, int, float, str, datetime, date, time, timedelta, timezone)


def _shell(raw: Container) -> Container:
    """An empty object of the same kind and shape; itself, where nothing below can change."""
    match raw:
        case ListObject(is_frozen=True) | DictObject(is_frozen=True) | RecordObject(is_frozen=True):
            return raw
        case MatchObject() | MemberObject():
            return raw
        case ListObject():
            return ListObject((), raw.shape)
        case TupleObject():
            return TupleObject((), raw.shape)
        case DictObject():
            return DictObject(raw.shape)
        case SetObject():
            return SetObject(raw.shape)
        case RecordObject():
            return RecordObject(raw.type, {})
        case IteratorObject():
            return IteratorObject((), raw.shape)
        case ErrorObject():
            return ErrorObject(raw.name, ())
        case _:
            raise _FunctionFound
