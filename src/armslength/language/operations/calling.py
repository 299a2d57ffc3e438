"""Functions that are handed over and called for each element: `key=` of sorting, `map`, `filter`.

That there is a next element guards the call (row "iterate"); the call itself is guarded by the function (rule 7), by `Machine.invoke`.
"""

from __future__ import annotations

from collections.abc import Sequence

from armslength.labels import NOTHING, Label, steering
from armslength.language.machine import Kind, Machine
from armslength.language.reading.effects import RAISE, STOP, Effects
from armslength.values import BuiltinObject, FunctionObject, MethodObject, Value, unwrap


def is_function(value: Value) -> bool:
    """Whether it can be called."""
    return isinstance(unwrap(value), FunctionObject | MethodObject | BuiltinObject)


def call_for_each(machine: Machine, function: Value, rows: Sequence[Sequence[Value]], decided_by: Label) -> list[Value]:
    """What the function gives for each row of arguments, in order, each called once. `decided_by`: whether there is a next row.

    The calls are a region (rules 2 to 5): inside, the context takes a bit for each row; afterwards, whatever the function can change
    takes all of them, however many rows there were.

    Raises:
        ProgramFailed: it is no function, or it failed.
    """
    if rows and not is_function(function):
        machine.may_raise(function.label, decided_by)
        raise machine.failed("type", "this is no function and cannot be called", function.label, decided_by)
    next_row = steering(decided_by, 1)
    if next_row is NOTHING:
        return [machine.invoke(function, row) for row in rows]
    return _guarded(machine, function, rows, next_row)


def _guarded(machine: Machine, function: Value, rows: Sequence[Sequence[Value]], next_row: Label) -> list[Value]:
    changeable = machine.reachable([function, *(value for row in rows for value in row)])
    region = machine.enter(Kind.EXPRESSION, machine.program, _MAY_STOP)
    results = []
    try:
        machine.capture(region)
        region.objects = changeable
        for row in rows:
            machine.gain(region, next_row)
            results.append(machine.invoke(function, row))
        machine.gain(region, next_row)
    finally:
        machine.leave(region)
    return results


_MAY_STOP = Effects(escapes=frozenset({RAISE, STOP}))
