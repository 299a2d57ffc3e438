"""What a value can be, as program text and declarations alone tell it: a set of alternatives, or unknown.

An alternative is a kind of plain data, data of a declared type, a container made at one place of the text, or a function of the program.
None stands for a value that can be anything; the empty set for one that nothing gives yet. More than a few alternatives are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from typing import Literal

from armslength.language.reading.classes import Classes
from armslength.language.reading.scopes import Function
from armslength.schema import ANY, ListOf, Menu, OptionalOf, RecordType, Scalar, Type

PlainName = Literal[
    "str", "int", "float", "bool", "None", "datetime", "date", "time", "timedelta", "timezone", "match", "error",
    "function",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plain:
    """Data without parts; a match, an exception, or a function that is not the program's."""

    name: PlainName


@dataclass(frozen=True, slots=True)
class Chosen:
    """A member of a `Literal`."""

    menu: Menu


@dataclass(frozen=True, slots=True)
class Given:
    """A list or record of a declared type. Frozen, unless it is `kept`: there before the program, and perhaps made by another."""

    type: ListOf | RecordType
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A container that the program makes at one place. `arity`: how many elements a tuple has, if that is known."""

    kind: Literal["list", "tuple", "dict", "set", "iterator"]
    site: object
    arity: int | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A record that the program makes of one of its classes; its fields are whatever it was made with."""

    record: RecordType


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration of the program."""

    enumeration: str


@dataclass(frozen=True, slots=True)
class Defined:
    """A function of the program."""

    node: Function


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function of the language as a value."""

    path: str


Alternative = Plain | Chosen | Given | Made | Instance | Member | Defined | Builtin
Alternatives = frozenset[Alternative] | None
"""None: it can be anything."""

MOST = 16
"""More alternatives than that are as good as unknown."""
NEVER: frozenset[Alternative] = frozenset()
"""Nothing gives a value here, as far as has been followed."""


def one(alternative: Alternative) -> frozenset[Alternative]:
    """Just this."""
    return frozenset((alternative,))


TEXT, WHOLE, FLOAT, TRUTH, NOTHING, MATCH, ERROR, HANDED = (
    one(Plain("str")), one(Plain("int")), one(Plain("float")), one(Plain("bool")), one(Plain("None")), one(Plain("match")),
    one(Plain("error")), one(Plain("function")),
)  # fmt: skip
NUMBER = WHOLE | FLOAT
NUMBERS = NUMBER | TRUTH

_PLAIN: Mapping[type, frozenset[Alternative]] = {
    str: TEXT, int: WHOLE, float: FLOAT, bool: TRUTH, type(None): NOTHING, datetime: one(Plain("datetime")), date: one(Plain("date")),
    time: one(Plain("time")), timedelta: one(Plain("timedelta")), timezone: one(Plain("timezone")),
}  # fmt: skip


def of_literal(value: object) -> Alternatives:
    """Of a literal, or a constant of the library."""
    return _PLAIN.get(type(value))


def united(*several: Alternatives) -> Alternatives:
    """What is one or the other."""
    found = NEVER
    for each in several:
        if each is None:
            return None
        found = found | each if found else each
    return found if len(found) <= MOST else None


def without_none(alternatives: frozenset[Alternative]) -> frozenset[Alternative]:
    """What is left if it is not None."""
    return alternatives - NOTHING


def of_type(declared: Type, classes: Classes, *, is_kept: bool = False) -> Alternatives:
    """Of a value of a declared type."""
    match declared:
        case OptionalOf(inner):
            return united(of_type(inner, classes, is_kept=is_kept), NOTHING)
        case Menu(enumeration=name) if name:
            return one(Member(name)) if name in classes.enumerations and not is_kept else None
        case Menu():
            return one(Chosen(declared))
        case ListOf() | RecordType():
            return one(Given(declared, is_kept))
        case Scalar("str" | "int" | "float" | "bool" | "None" as name):
            return one(Plain(name))
        case _ if declared == ANY:
            return None
        case _:
            return None


def plain_names(alternative: Alternative, classes: Classes) -> frozenset[str]:
    """The kinds of plain data that it can be, or that its members count as; none if it is no plain data."""
    match alternative:
        case Plain(name):
            return frozenset((name,))
        case Chosen(Menu(choices)):
            return frozenset(type(choice).__name__ for choice in choices)
        case Member(name) if classes.enumerations[name].is_mixed:
            return frozenset(type(value).__name__ for value in classes.enumerations[name].members.values())
        case _:
            return frozenset()


def is_only(alternatives: Alternatives, allowed: Iterable[Alternative]) -> bool:
    """Whether it is known, and one of these."""
    return bool(alternatives) and alternatives is not None and alternatives <= frozenset(allowed)


CHANGES = frozenset({
    "append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "remove", "discard", "clear", "sort", "reverse",
    "intersection_update", "difference_update", "symmetric_difference_update",
})  # fmt: skip
"""Methods that change what they are called on."""


def kinds_of(alternative: Alternative, classes: Classes) -> list[str]:
    """The kinds whose methods it has, as the tables of the language name them."""
    match alternative:
        case Made("iterator"):
            return []
        case Made(kind):
            return [kind]
        case Given(ListOf()):
            return ["list"]
        case Given() | Instance():
            return ["record"]
        case _:
            return sorted("int" if name == "bool" else name for name in plain_names(alternative, classes))
