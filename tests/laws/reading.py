"""What a run shows: every read of every name, to a depth, with the label that the language gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from armslength.labels import Label, construct, picking, steered, tested
from armslength.values import (
    Container,
    DictObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    kind,
    restrict,
    sink_label,
    unwrap,
)

_DEPTH, _WIDTH = 4, 24
_Shaped = ListObject | TupleObject | IteratorObject | SetObject | DictObject


@dataclass(frozen=True, slots=True)
class Seen:
    """What one read gives: the value as text, and its label."""

    text: str
    label: Label


def observe(names: Mapping[str, Value]) -> Iterator[tuple[str, Seen]]:
    """Every read of every name, to a depth: kind, content, size, elements, and the whole as a sink takes it."""
    for name, value in names.items():
        yield f"{name} whole", Seen(_text(value, 8), sink_label(value))
        yield from _reads(name, value, _DEPTH)


def _reads(path: str, value: Value, depth: int) -> Iterator[tuple[str, Seen]]:
    raw = unwrap(value)
    yield f"{path} kind", Seen(kind(value), tested(value.label))
    if not isinstance(raw, Container) or isinstance(raw, FunctionObject):
        yield path, Seen(_text(value, 0), value.label)
        return
    reading = picking(value.label)
    if isinstance(raw, _Shaped):
        reading = steered(reading, picking(raw.shape))
        yield f"{path} len", Seen(str(_size(raw)), construct(value.label, raw.shape))
    if isinstance(raw, MatchObject):
        yield f"{path} spans", Seen(repr(raw.spans), construct(value.label))
    if isinstance(raw, MemberObject):
        yield f"{path} name", Seen(repr(raw.name), value.label)
    if depth:
        for step, part in list(_parts(raw))[:_WIDTH]:
            yield from _reads(path + step, restrict(part, reading), depth - 1)


def _size(raw: _Shaped) -> int:
    match raw:
        case DictObject() | SetObject():
            return len(raw.entries)
        case IteratorObject():
            return len(raw.left)
        case _:
            return len(raw.items)


def _parts(raw: Container) -> Iterator[tuple[str, Value]]:
    match raw:
        case ListObject() | TupleObject():
            yield from ((f"[{at}]", item) for at, item in enumerate(raw.items))
        case IteratorObject():
            yield from ((f"<{at}>", item) for at, item in enumerate(reversed(raw.left)))
        case SetObject():
            yield from ((f"<{at}>", item) for at, item in enumerate(raw.entries.values()))
        case DictObject():
            for at, (key, entry) in enumerate(raw.entries.items()):
                yield f"<{at}>", entry.key
                yield f"[{key!r}]", entry.value
        case RecordObject():
            yield from ((f".{name}", part) for name, part in raw.fields.items())
        case MatchObject():
            yield from ((f".{at}", group) for at, group in enumerate(raw.groups))
        case MemberObject():
            yield ".value", raw.value
        case ErrorObject():
            yield from ((f".args[{at}]", part) for at, part in enumerate(raw.arguments))
        case FunctionObject():
            return


def _text(value: Value, depth: int) -> str:
    raw = unwrap(value)
    match raw:
        case FunctionObject():
            return f"function {raw.code.name} {getattr(raw.code, 'line', '')}"
        case MemberObject():
            return f"{raw.enumeration}.{raw.name}"
        case _ if not isinstance(raw, Container):
            return repr(raw) if not hasattr(raw, "name") else f"function {raw.name}"
        case _ if not depth:
            return "..."
        case DictObject():
            inner = [f"{_text(e.key, depth - 1)}: {_text(e.value, depth - 1)}" for e in raw.entries.values()]
        case _:
            inner = [f"{step}={_text(part, depth - 1)}" for step, part in _parts(raw)]
    return f"{kind(value)}({', '.join(inner)})"
