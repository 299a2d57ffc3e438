"""What the methods of all kinds share: how arguments are checked, and what can be changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from armslength.errors import ProgramFailed
from armslength.language.machine import Machine
from armslength.language.operations.elements import FROZEN
from armslength.values import DictObject, ListObject, SetObject, Value, unwrap

Method = Callable[[Machine, Value, Sequence[Value], Mapping[str, Value]], Value]


def misfit(machine: Machine, name: str, *values: Value) -> ProgramFailed:
    """The failure of a call whose arguments do not fit."""
    return machine.failed("type", f"the arguments do not fit {name}", *(value.label for value in values))


def only(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The one argument.

    Raises:
        ProgramFailed: there is not just one.
    """
    if len(args) != 1 or named:
        raise misfit(machine, name, *args, *named.values())
    return args[0]


def none(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> None:
    """Check that there are no arguments.

    Raises:
        ProgramFailed: there are.
    """
    if args or named:
        raise misfit(machine, name, *args, *named.values())


def with_default(
    machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]
) -> tuple[Value, Value | None]:
    """A first argument, and a second that may be left out.

    Raises:
        ProgramFailed: there are others.
    """
    if named or not 1 <= len(args) <= 2:
        raise misfit(machine, name, *args, *named.values())
    return args[0], args[1] if len(args) == 2 else None


def list_of(machine: Machine, owner: Value) -> ListObject:
    """The list that a method changes.

    Raises:
        ProgramFailed: it is none, or is frozen.
    """
    raw = unwrap(owner)
    if not isinstance(raw, ListObject):
        raise misfit(machine, "a list's method", owner)
    if raw.is_frozen:
        raise machine.failed("frozen", FROZEN, owner.label)
    return raw


def dict_of(machine: Machine, owner: Value, *, changes: bool = False) -> DictObject:
    """The dict that a method reads or changes.

    Raises:
        ProgramFailed: it is none, or is frozen and would change.
    """
    raw = unwrap(owner)
    if not isinstance(raw, DictObject):
        raise misfit(machine, "a dict's method", owner)
    if changes and raw.is_frozen:
        raise machine.failed("frozen", FROZEN, owner.label)
    return raw


def set_of(machine: Machine, owner: Value) -> SetObject:
    """The set that a method reads or changes.

    Raises:
        ProgramFailed: it is none.
    """
    raw = unwrap(owner)
    if not isinstance(raw, SetObject):
        raise misfit(machine, "a set's method", owner)
    return raw
