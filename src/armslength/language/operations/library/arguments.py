"""How the functions of the library take their arguments: by place or by name, each of the kind that it has to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.errors import ProgramFailed
from armslength.labels import Label, construct
from armslength.language.machine import Machine
from armslength.language.operations.calling import is_function
from armslength.language.operations.wholes import text_label, unmixed
from armslength.values import Value, unwrap

Builtin = Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]
"""A function of the library."""
Method = Callable[[Machine, Value, Sequence[Value], Mapping[str, Value]], Value]
"""A method; the second is its owner."""
Attribute = Callable[[Machine, Value], Value]
"""What stands after a dot and is not called."""


def bind(
    machine: Machine, name: str, wanted: str, args: Sequence[Value], named: Mapping[str, Value]
) -> list[Value | None]:
    """The arguments in the order of `wanted`, names with `?` after those that may be missing. Whatever follows may fail on what they hold.

    A member of an enumeration that is also `str` or `int` counts as its value.

    Raises:
        ProgramFailed: too many, too few, or of another name.
    """
    note_held(machine, *args, *named.values())
    words = wanted.split()
    names = [word.rstrip("?") for word in words]
    by_name = dict(zip(names, args, strict=False))
    if len(args) > len(names) or set(named) - set(names) or set(named) & set(by_name):
        raise misfit(machine, name, *args, *named.values())
    by_name.update(named)
    if any(not word.endswith("?") and word not in by_name for word in words):
        raise misfit(machine, name, *args, *named.values())
    return [unmixed(by_name[each]) if each in by_name else None for each in names]


def note_held(machine: Machine, *values: Value) -> None:
    """An operation may fail on what these hold; that it may on themselves is noted by who calls it (`call_path`, `call_method`)."""
    for value in values:
        gain = given_label(machine, value).guards
        if gain is not value.label.guards:
            machine.risk(gain)


def given_label(machine: Machine, value: Value) -> Label:
    """Row "construct" over an argument and all that it holds. A function holds nothing that is looked at."""
    return construct(value.label) if is_function(value) else text_label(machine, value)


def misfit(machine: Machine, name: str, *values: Value | None) -> ProgramFailed:
    """The failure of a function that does not take these arguments."""
    return machine.failed("type", f"the arguments do not fit {name}", label_of(machine, *values))


def label_of(machine: Machine, *values: Value | None) -> Label:
    """Row "construct" over the values that are there, and all that they hold."""
    return construct(*(given_label(machine, value) for value in values if value is not None))


def text_in(machine: Machine, name: str, value: Value | None, default: str = "") -> str:
    """The text of an argument.

    Raises:
        ProgramFailed: it is none.
    """
    if value is None:
        return default
    raw = unwrap(value)
    if not isinstance(raw, str):
        raise misfit(machine, name, value)
    return raw


def whole_in(machine: Machine, name: str, value: Value | None, default: int = 0) -> int:
    """The whole number of an argument.

    Raises:
        ProgramFailed: it is none.
    """
    if value is None:
        return default
    raw = unwrap(value)
    if not isinstance(raw, int):
        raise misfit(machine, name, value)
    return raw
