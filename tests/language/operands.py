"""Operands of every kind with a label at each part, and a machine that runs one operation: for the tests of operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tests.language.world import World

from armslength.labels import LITERAL, NOTHING, PRIVATE, Label, Source, label, picking, steered
from armslength.language import Limits, prepare
from armslength.language.machine import Machine
from armslength.language.operations.methods import call_method
from armslength.language.running.functions import Arguments, call_path
from armslength.schema import INT, STR, Field, ListOf, RecordType
from armslength.values import (
    BuiltinObject,
    DictObject,
    Entry,
    ErrorObject,
    Frame,
    FunctionObject,
    IteratorObject,
    ListObject,
    MatchObject,
    MemberObject,
    MethodObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    Variable,
    key_of,
    make,
    restrict,
    unwrap,
    upgrade,
)

OTHERS = label([Source("mail:unverified")])
"""Untrusted, public."""
SECRET = label([Source("user", is_trusted=True)], readers=PRIVATE)
"""Trusted, for the user alone."""
MENU = label(choice=[Source("quarantined")], bits=1)
"""Chosen, with one bit."""

NOTE = RecordType("Note", (Field("n", INT), Field("s", STR), Field("xs", ListOf(INT))))


@dataclass(frozen=True)
class Iterated:
    """An iterator over these."""

    items: tuple[Any, ...]


@dataclass(frozen=True)
class Noted:
    """A record."""

    n: int
    s: str
    xs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frozen:
    """A list that a tool returned."""

    items: tuple[Any, ...]


@dataclass(frozen=True)
class Member:
    """A member of an enumeration."""

    name: str
    value: Any
    is_mixed: bool = False


@dataclass(frozen=True)
class Raised:
    """A caught exception."""

    name: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Named:
    """A function of the language."""

    name: str


@dataclass(frozen=True)
class Bound:
    """A method of a value, handed over."""

    owner: Any
    name: str


@dataclass(frozen=True)
class Written:
    """A function of the program: what it does is Python, and `kept` is a list that it can change."""

    name: str
    does: Callable[[Machine, Sequence[Value], Value], Value]
    kept: Any = field(default=(), hash=False)


@dataclass(frozen=True)
class Code:
    """What a function of the program was compiled to; its one free variable is `kept`."""

    name: str
    does: Callable[[Machine, Sequence[Value], Value], Value]
    free: tuple[Variable, ...] = (Variable(0, "kept"),)
    assigned: tuple[Variable, ...] = ()


@dataclass(frozen=True)
class Labels:
    """What the references of a value, its shapes, and what it holds are labelled; a scalar is what is held, a key counts as a reference."""

    reference: Label = LITERAL
    shape: Label = LITERAL
    held: Label = LITERAL


UNTOUCHED = Labels()


def everywhere(one: Label) -> Labels:
    """At every part."""
    return Labels(one, one, one)


def value_of(plain: Any, by: Labels = UNTOUCHED) -> Value:
    """The value with these labels at every depth."""
    around = by.reference

    def inner(item: Any) -> Value:
        return value_of(item, by)

    match plain:
        case list():
            return make(ListObject(map(inner, plain), by.shape), around)
        case Frozen():
            return make(ListObject(map(inner, plain.items), by.shape, is_frozen=True), around)
        case tuple():
            return make(TupleObject(map(inner, plain), by.shape), around)
        case Iterated():
            return make(IteratorObject(map(inner, plain.items), by.shape), around)
        case set():
            members = SetObject(by.shape)
            members.entries = {key_of(inner(item)): inner(item) for item in sorted(plain, key=repr)}
            return make(members, around)
        case dict():
            entries = DictObject(by.shape)
            entries.entries = {
                key: Entry(value_of(name, everywhere(around)), inner(part))
                for name, part in plain.items()
                for key in [key_of(value_of(name))]
            }
            return make(entries, around)
        case Noted():
            fields = {"n": inner(plain.n), "s": inner(plain.s), "xs": inner(list(plain.xs))}
            return make(RecordObject(NOTE, fields), around)
        case _:
            return _other(plain, by)


def _other(plain: Any, by: Labels) -> Value:
    match plain:
        case Member():
            return make(MemberObject("Color", plain.name, value_of(plain.value), is_mixed=plain.is_mixed), by.reference)
        case Raised():
            return make(ErrorObject(plain.name, tuple(value_of(part, by) for part in plain.arguments)), by.reference)
        case Named():
            return make(BuiltinObject(plain.name), by.reference)
        case Bound():
            return make(MethodObject(value_of(plain.owner, by), plain.name), by.reference)
        case Written():
            frame = Frame()
            frame.names["kept"] = value_of(plain.kept)
            return make(FunctionObject(Code(plain.name, plain.does), frame, {}), by.reference)
        case "match":
            groups = tuple(make(group, by.held) for group in ("ab", "a"))
            return make(MatchObject(groups, ((0, 2), (0, 1)), {"first": 1}), by.reference)
        case _:
            return make(plain, by.held)


def fresh(value: Value) -> Value:
    """A copy of which nothing is shared that can change."""
    raw = unwrap(value)
    match raw:
        case ListObject():
            made: Any = ListObject(map(fresh, raw.items), raw.shape, is_frozen=raw.is_frozen)
        case TupleObject():
            made = TupleObject(map(fresh, raw.items), raw.shape)
        case IteratorObject():
            made = IteratorObject(map(fresh, raw.left[::-1]), raw.shape)
        case SetObject():
            made = SetObject(raw.shape)
            made.entries = dict(raw.entries)
        case DictObject():
            made = DictObject(raw.shape)
            made.entries = {key: Entry(entry.key, fresh(entry.value)) for key, entry in raw.entries.items()}
        case RecordObject():
            made = RecordObject(raw.type, {name: fresh(part) for name, part in raw.fields.items()})
        case FunctionObject():
            frame = Frame()
            frame.names["kept"] = fresh(raw.frame.names["kept"])
            made = FunctionObject(raw.code, frame, {})
        case _:
            return value
    return make(made, value.label)


_EMPTY = prepare("x = 1", ())


class Operating(Machine):
    """Runs operations; functions that are handed over are called as rule 7 says."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(_EMPTY, World(), limits or Limits())
        self.invoke = self._called

    def _called(self, function: Value, args: Sequence[Value]) -> Value:
        raw, gain = unwrap(function), picking(function.label)
        self.may_raise(function.label)
        before, self.control = self.control, steered(self.control, gain)
        changeable = self.reachable([function, *args])
        try:
            match raw:
                case BuiltinObject():
                    made = call_path(self, raw.name, Arguments(args, {}))
                case FunctionObject(code=Code() as code):
                    made = code.does(self, args, raw.frame.names["kept"])
                case MethodObject():
                    made = call_method(self, raw.owner, raw.name, args, {})
                case _:
                    raise self.failed("type", "this cannot be called", function.label)
        finally:
            self.control = before
            upgrade(changeable, gain)
        return restrict(made, gain)


def _identity(machine: Machine, args: Sequence[Value], kept: Value) -> Value:
    return args[0]


def _nothing(machine: Machine, args: Sequence[Value], kept: Value) -> Value:
    return make(None, NOTHING)


def _notes(machine: Machine, args: Sequence[Value], kept: Value) -> Value:
    call_method(machine, kept, "append", [make(1, LITERAL)], {})
    return call_path(machine, "len", Arguments([kept], {}))


IDENTITY = Written("identity", _identity)
NOTHING_AT_ALL = Written("nothing", _nothing)
NOTES = Written("notes", _notes, [])
"""Counts how often it was called, in a list."""

KINDS: tuple[Any, ...] = (
    None, True, 0, -3, 2, 1.5, 10**40, float("nan"), "", "ab", "3", "%s", "{}", "x", [], [1, 2], ["b", "a"], [[1], []], (), (1, "x"), ("a", 2),
    {}, {"a": 1}, {"a": [1], "b": []}, set(), {1, 2}, {"x"}, Frozen(([1], 2)), Iterated(()), Iterated((1, 2)), Iterated(("a", [3])),
    Noted(1, "s"), Noted(2, "", (1, 2)), Member("RED", 1), Member("BLUE", "ab", is_mixed=True), Raised("ValueError", ("no",)), Raised("KeyError"),
    "match", Named("len"), Named("str.upper"), Named("list.append"), Bound((1, 2), "index"), IDENTITY, NOTES, datetime(2026, 11, 30, tzinfo=UTC), date(2026, 11, 30),
    timedelta(days=1),
)  # fmt: skip
FEW: tuple[Any, ...] = (
    None, 0, 2, "ab", "%s{}", [1, 2], [[1], []], (1, "x"), {"a": [1]}, {1, 2}, Iterated((2, [3])), Noted(1, "s"), Named("len"), NOTES,
)  # fmt: skip
FEWER: tuple[Any, ...] = (0, "%s{}", [[1], 2], {"a": [1]}, Iterated((2, [3])), NOTES)
ALIKE: tuple[tuple[Any, ...], ...] = (
    ([1, 2], [0, 2], [2, 0], [0, 0], [3, 3]),
    (["b", "a"], ["a", "b"], ["", "%s"]),
    ([[1], [2]], [[2], [1]], [[0], [0]]),
    ((1, "x"), (2, "x"), (0, "")),
    ({"a": 1}, {"a": 0}, {"a": "x"}),
    (Iterated((1, 2)), Iterated((0, 2)), Iterated((2, 0)), Iterated((0, 0))),
    (Noted(1, "s"), Noted(0, ""), Noted(2, "a")),
)
"""Groups of what differs in scalars alone."""
SHAPED: tuple[tuple[Any, ...], ...] = (
    ([], [1, 2], [2, 1], ["a", 1]),
    ([], [[1], []], [[], [2]]),
    ((), (1, "x"), ("x", 1), ([1],)),
    ({}, {"a": 1}, {"b": 1}, {"a": 2, "b": 1}, {"b": 1, "a": 2}),
    ({"a": [1]}, {"a": []}, {"b": [1]}),
    (set(), {1}, {"x", 1}, {"x"}),
    (Frozen(()), Frozen(([1], 2)), Frozen((2, [1]))),
    (Iterated(()), Iterated((1, 2)), Iterated((2, 1)), Iterated(("a", [3]))),
    (Noted(1, "s"), Noted(1, "s", (1, 2)), Noted(1, "s", (2, 1))),
    (Bound((1, 2), "index"), Bound((2, 1), "index"), Bound((), "index")),
)
"""Groups of what differs in how many elements it has, which, and in what order; what a place of it holds may differ with that."""
