"""One machine without a program, on which functions, methods and attributes of the library are called; and plain data both ways."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tests.language.world import World, data_of

from armslength.labels import NOTHING, QUARANTINED, Label, Readers, Source, label
from armslength.language import Limits, prepare
from armslength.language.machine import Machine
from armslength.language.operations.library import ATTRIBUTES, CONSTANTS, FUNCTIONS, METHODS
from armslength.values import DictObject, Entry, ListObject, TupleObject, Value, kind, make

START = datetime(2026, 11, 30, 9, 15, tzinfo=UTC)
CLOCK = label([Source("clock", is_trusted=True)])
MAIL = label([Source("mail:unverified")], readers=Readers(frozenset()))
READ = label([QUARANTINED], readers=Readers(frozenset({"a@example.com"})))
GUESS = label([Source("program", is_trusted=True)], choice=[QUARANTINED], bits=1)


class Started(World):
    """A host whose run began at `START`."""

    def now(self) -> Value:
        return make(START, CLOCK)


def machine_for(limits: Limits | None = None) -> Machine:
    """A machine that has not run anything."""
    return Machine(prepare("pass", []), Started(), limits or Limits())


def value_of(plain: Any, given: Label = NOTHING) -> Value:
    """The value of plain data, with one label everywhere."""
    match plain:
        case Value():
            return plain
        case list():
            return make(ListObject([value_of(item, given) for item in plain], given), given)
        case tuple():
            return make(TupleObject([value_of(item, given) for item in plain], given), given)
        case dict():
            made = DictObject(given)
            made.entries = {key: Entry(value_of(key, given), value_of(item, given)) for key, item in plain.items()}
            return make(made, given)
        case _:
            return make(plain, given)


def called(path: str, *args: Any, machine: Machine | None = None, **named: Any) -> Value:
    """What a function of the library gives for values, or for plain data without any label."""
    return FUNCTIONS[path](machine or machine_for(), [value_of(each) for each in args], _named(named))


def method_of(owner: Any, name: str, *args: Any, machine: Machine | None = None, **named: Any) -> Value:
    """What a method of the library gives."""
    value = value_of(owner)
    found = METHODS[kind(value), name]
    return found(machine or machine_for(), value, [value_of(each) for each in args], _named(named))


def attribute_of(owner: Any, name: str, machine: Machine | None = None) -> Value:
    """What stands after a dot."""
    value = value_of(owner)
    return ATTRIBUTES[kind(value), name](machine or machine_for(), value)


def plain(path: str, *args: Any, **named: Any) -> Any:
    """The data of what a function gives."""
    return data_of(called(path, *args, **named))


def _named(named: Mapping[str, Any]) -> dict[str, Value]:
    return {name: value_of(each) for name, each in named.items()}


__all__ = [
    "ATTRIBUTES", "CLOCK", "CONSTANTS", "FUNCTIONS", "GUESS", "MAIL", "METHODS", "READ", "START",
    "attribute_of", "called", "data_of", "machine_for", "method_of", "plain", "value_of",
]  # fmt: skip
