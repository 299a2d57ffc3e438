"""The methods of each kind of value: one allow-list. Whatever is not in it does not exist.

`texts`, `lists`, `dicts`, `sets` and `records` have a table each; here they are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone

from armslength.labels import NOTHING, construct, tested
from armslength.language.machine import Machine
from armslength.language.operations.elements import by_references
from armslength.language.operations.library import METHODS as LIBRARY_METHODS
from armslength.language.operations.library.patterns import PATTERN
from armslength.language.operations.methods import dicts, lists, records, sets, texts
from armslength.language.operations.methods.arguments import Method, none
from armslength.language.operations.wholes import unmixed
from armslength.values import (
    DictObject,
    ListObject,
    MatchObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    make,
    unwrap,
)


def call_method(machine: Machine, owner: Value, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Call `owner.name(*args, **named)`. That it may fail is noted for all operands.

    Raises:
        ProgramFailed: there is no such method, or the arguments do not fit it.
    """
    given = (*args, *named.values()) if args or named else ()
    # a list keeps what is appended and looks at nothing of it, whether that is there or still to come
    for value in (owner,) if not given or (name == "append" and kind_of(owner) == "list") else (owner, *given):
        gain = value.label.guards
        if gain is not NOTHING:
            machine.risk(gain)
    return call_noted(machine, owner, name, args, named)


def call_noted(machine: Machine, owner: Value, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The same where that is noted already.

    Raises:
        ProgramFailed: as above.
    """
    method = METHODS.get((kind_of(owner), name))
    if method is None:
        owner = unmixed(owner)
        method = METHODS.get((kind_of(owner), name))
    if method is None:
        raise machine.failed("attribute", f"this has no method {name}", owner.label)
    by_owner = owner.label.picks
    if by_owner is NOTHING:
        return method(machine, owner, args, named)
    if args or named:
        machine.spread((*args, *named.values()), by_owner)
    return by_references(method(machine, owner, args, named), owner.label)


_KINDS: dict[type, str] = {
    str: "str", int: "int", bool: "int", float: "float", datetime: "datetime", date: "date", time: "time", timedelta: "timedelta",
    timezone: "timezone", ListObject: "list", TupleObject: "tuple", DictObject: "dict", SetObject: "set", RecordObject: "record",
    MatchObject: "match",
}  # fmt: skip


def kind_of(owner: Value) -> str:
    """The kind whose methods a value has, as the tables name it; never a name that the program gave."""
    raw = unwrap(owner)
    if type(raw) is RecordObject and raw.type == PATTERN:
        return PATTERN.name
    return _KINDS.get(type(raw), "")


def has_method(owner: Value, name: str) -> bool:
    """Whether a value that is no record has this method, so that it can be handed over."""
    return kind_of(owner) != "record" and (kind_of(owner), name) in METHODS


def _is_integer(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "test"."""
    none(machine, "is_integer", args, named)
    raw = unwrap(owner)
    return make(isinstance(raw, float) and raw.is_integer(), tested(owner.label))


def _bit_length(machine: Machine, owner: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct"."""
    none(machine, "bit_length", args, named)
    raw = unwrap(owner)
    return make(raw.bit_length() if isinstance(raw, int) else 0, construct(owner.label))


METHODS: dict[tuple[str, str], Method] = {
    **texts.METHODS,
    **lists.METHODS,
    **dicts.METHODS,
    **sets.METHODS,
    **records.METHODS,
    ("float", "is_integer"): _is_integer,
    ("int", "bit_length"): _bit_length,
    **LIBRARY_METHODS,
}
"""Every method, by the kind of its owner and its name."""

METHOD_NAMES = frozenset(name for _, name in METHODS)
"""Every method of the language, for the check before running."""

STATIC = {"dict.fromkeys": dicts.from_keys, "str.maketrans": texts.make_table}
"""Functions of a type that are called on no value."""

__all__ = ["METHODS", "METHOD_NAMES", "STATIC", "Method", "call_method", "call_noted", "kind_of"]
