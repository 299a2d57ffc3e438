"""A value as a whole: its shape, its truth, its text, its size, and the label of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, timezone

from armslength.errors import LimitReached
from armslength.labels import SATURATED, Label, construct, made_of
from armslength.language.machine import Machine
from armslength.values import (
    PLAIN,
    BuiltinObject,
    DictObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    Raw,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    children,
    make,
    parts,
    unwrap,
)

_SHAPED = frozenset({ListObject, TupleObject, DictObject, SetObject, IteratorObject})
_MOMENTS = frozenset({datetime, date, time, timedelta, timezone})


def shape_of(value: Value) -> Label:
    """The label of a container's shape; of a member of an enumeration its value's; else the reference's own."""
    raw = unwrap(value)
    if type(raw) in _SHAPED:
        return raw.shape  # type: ignore[union-attr]  # each of these has one
    return raw.value.label if isinstance(raw, MemberObject) else value.label


def sequence_items(value: Value) -> list[Value]:
    """The elements of a list or tuple as they are stored."""
    raw = unwrap(value)
    return list(raw.items) if isinstance(raw, ListObject | TupleObject) else []


def unmixed(value: Value) -> Value:
    """What a member of an enumeration that is also `str` or `int` counts as where a text or a number is wanted; else the value itself."""
    raw = unwrap(value)
    if type(raw) is MemberObject and raw.is_mixed:
        return make(unwrap(raw.value), construct(value.label, raw.value.label))
    return value


# Truth


def truth(value: Value) -> bool:
    """Whether Python takes it as true. Whoever branches on this guards with `truth_label`."""
    raw = unwrap(value)
    if type(raw) in PLAIN:
        return bool(raw)
    match raw:
        case ListObject() | TupleObject():
            return bool(raw.items)
        case DictObject() | SetObject():
            return bool(raw.entries)
        case MemberObject() if raw.is_mixed:
            return truth(raw.value)
        case _:
            return True


def truth_label(value: Value) -> Label:
    """Row "test" of one operand: the reference and the shape."""
    label = value.label
    return label.tests[label if type(unwrap(value)) in PLAIN else shape_of(value)]


# Text


def text_label(machine: Machine, value: Value) -> Label:
    """Row "construct" over a value and all that it holds."""
    return made_of(value.label) if type(unwrap(value)) in PLAIN else united(parts(value, machine.spend))


def united(labels: Iterable[Label]) -> Label:
    """`construct` over labels, of which many are the same: from `SATURATED` times on, once more adds nothing."""
    made = construct()
    for label, times in Counter(labels).items():
        for _ in range(min(times, SATURATED) if label.bits else 1):
            made = construct(made, label)
    return made


def render(machine: Machine, value: Value, *, quoted: bool = False) -> str:
    """The text of a value, as `str` (or, quoted, `repr`) gives it; its label is `text_label(machine, value)`.

    Raises:
        LimitReached: nested too deep, or too long.
    """
    raw = unwrap(value)
    if type(raw) is int or type(raw) is float:
        text = str(raw)
    elif type(raw) is str and not quoted:
        text = raw
    else:
        spend_whole(machine, value)
        text = _quoted(machine, value) if quoted else _plain(machine, value)
    machine.spend(len(text))
    return text


def _plain(machine: Machine, value: Value) -> str:
    raw = unwrap(value)
    match raw:
        case str():
            return raw
        case MemberObject() if raw.shows_value:
            return _plain(machine, raw.value)
        case MemberObject():
            return f"{raw.enumeration}.{raw.name}"
        case ErrorObject():
            return _message(machine, raw)
        case _ if type(raw) in _MOMENTS:
            return str(raw)
        case _:
            return _quoted(machine, value)


def _message(machine: Machine, raised: ErrorObject) -> str:
    match raised.arguments:
        case ():
            return ""
        case (only,):
            return _quoted(machine, only) if raised.name == "KeyError" else _plain(machine, only)
        case several:
            return f"({', '.join(_quoted(machine, each) for each in several)})"


def _quoted(machine: Machine, value: Value) -> str:
    raw = unwrap(value)

    def inner(items: Iterable[Value]) -> str:
        return ", ".join(_quoted(machine, item) for item in items)

    match raw:
        case str():
            machine.spend(len(raw))
            return repr(raw)
        case ListObject():
            return f"[{inner(raw.items)}]"
        case TupleObject(items=(only,)):
            return f"({_quoted(machine, only)},)"
        case TupleObject():
            return f"({inner(raw.items)})"
        case SetObject():
            return f"{{{inner(raw.entries.values())}}}" if raw.entries else "set()"
        case DictObject():
            pairs = (f"{_quoted(machine, e.key)}: {_quoted(machine, e.value)}" for e in raw.entries.values())
            return f"{{{', '.join(pairs)}}}"
        case RecordObject():
            named = (f"{name}={_quoted(machine, field)}" for name, field in raw.fields.items())
            return f"{raw.type.name}({', '.join(named)})"
        case _:
            return _named(machine, raw)


def _named(machine: Machine, raw: Raw) -> str:
    """What shows by a name of its own."""
    match raw:
        case MemberObject():
            return f"<{raw.enumeration}.{raw.name}: {_quoted(machine, raw.value)}>"
        case ErrorObject():
            return f"{raw.name}({', '.join(_quoted(machine, each) for each in raw.arguments)})"
        case MatchObject():
            start, end = raw.spans[0]
            return f"<re.Match object; span=({start}, {end}), match={_quoted(machine, raw.groups[0])}>"
        case FunctionObject():
            return f"<function {raw.code.name}>"
        case MethodObject():
            return f"<method {raw.name}>"
        case BuiltinObject():
            return f"<function {raw.name}>"
        case IteratorObject():
            return "<iterator>"
        case int():
            machine.spend(raw.bit_length() // 3)
            return str(raw)
        case _ if type(raw) in _MOMENTS:
            return repr(raw)
        case _:
            return str(raw)


# Size


def spend_whole(machine: Machine, value: Value) -> None:
    """Count the elements that a copy of `value` has, an object that is met twice twice, before anything makes that copy.

    Raises:
        LimitReached: there are too many, or they are nested too deep (a list that holds itself is).
    """
    if type(unwrap(value)) not in PLAIN:
        machine.spend_elements(_whole(machine, value, {}, machine.limits.depth)[0])


def _whole(machine: Machine, value: Value, known: dict[int, tuple[int, int]], depth: int) -> tuple[int, int]:
    """Elements of a copy, and levels below. Each object is gone through once; a function is never copied."""
    raw = unwrap(value)
    if type(raw) in PLAIN or isinstance(raw, FunctionObject | MethodObject):
        return 1, 0
    if depth == 0:
        raise LimitReached(machine.line, "depth")
    found = known.get(id(raw))
    if found is None:
        held = children(raw)  # type: ignore[arg-type]  # a container
        nested = [child for child in held if type(unwrap(child)) not in PLAIN]
        below = [_whole(machine, child, known, depth - 1) for child in nested]
        size = 1 + len(held) - len(nested) + sum(size for size, _ in below)
        found = size, 1 + max((levels for _, levels in below), default=0)
        known[id(raw)] = found
    if found[1] > depth:
        raise LimitReached(machine.line, "depth")
    return found
