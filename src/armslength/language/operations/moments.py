"""Moments in operators and formats: dates, times, spans of time. Row "construct" of both operands.

`==` and `<` of moments are Python's own: of one with a zone and one without, `==` is false and `<` raises TypeError.
"""

from __future__ import annotations

import ast
import operator as python
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone

from armslength.labels import Label, construct
from armslength.language.machine import Machine
from armslength.language.operations import date_texts
from armslength.values import Moment, Value, make, unwrap

_ARITHMETIC: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: python.add,
    ast.Sub: python.sub,
    ast.Mult: python.mul,
    ast.Div: python.truediv,
    ast.FloorDiv: python.floordiv,
    ast.Mod: python.mod,
}


def moment_arithmetic(machine: Machine, operator: ast.operator, left: Value, right: Value) -> Value | None:
    """`left operator right` where one of them is a moment; None where none is, or where a text is formatted by `%`.

    Raises:
        ProgramFailed: there is no such moment or number, or the two do not go together.
    """
    a, b = unwrap(left), unwrap(right)
    if not (isinstance(a, Moment) or isinstance(b, Moment)) or isinstance(a, str):
        return None
    machine.may_raise(left.label, right.label)
    label = construct(left.label, right.label)
    compute = _ARITHMETIC.get(type(operator))
    if compute is None or not isinstance(a, _OPERAND) or not isinstance(b, _OPERAND):
        raise machine.failed("type", _APART, label)
    return _computed(machine, lambda: compute(a, b), label)


def moment_unary(machine: Machine, operator: ast.unaryop, operand: Value) -> Value | None:
    """`-x` and `+x` of a span of time; None where it is no moment.

    Raises:
        ProgramFailed: the moment has no opposite.
    """
    raw = unwrap(operand)
    if not isinstance(raw, Moment):
        return None
    machine.may_raise(operand.label)
    label = construct(operand.label)
    if not isinstance(raw, timedelta) or not isinstance(operator, ast.USub | ast.UAdd):
        raise machine.failed("type", "- and + take a number or a timedelta", label)
    return _computed(machine, lambda: -raw if isinstance(operator, ast.USub) else raw, label)


_APART = "these do not go together"
_OPERAND = (datetime, date, time, timedelta, timezone, int, float)


def _computed(machine: Machine, compute: Callable[[], object], label: Label) -> Value:
    try:
        result = compute()
    except ZeroDivisionError:
        raise machine.failed("zero", "division by zero", label) from None
    except (ValueError, OverflowError):
        raise machine.failed("value", "there is no such moment", label) from None
    except TypeError:
        raise machine.failed("type", _APART, label) from None
    if not isinstance(result, datetime | date | timedelta | int | float):
        raise machine.failed("type", _APART, label)
    return make(result, label)


def moment_format(machine: Machine, value: Value, form: str) -> Value | None:
    """A moment in a format of `strftime`, as in an f-string; None where it is no date or time.

    Raises:
        ProgramFailed: the format is not part of the language.
    """
    raw = unwrap(value)
    if not isinstance(raw, datetime | date | time):
        return None
    machine.may_raise(value.label)
    return make(formatted_moment(machine, raw, form, value.label), construct(value.label))


_DIRECTIVE = 8
"""What each directive of a format counts as, beside the characters that it writes."""


def formatted_moment(machine: Machine, moment: datetime | date | time, form: str, *labels: Label) -> str:
    """The text of a moment in a format; `labels` are what it depends on.

    Raises:
        ProgramFailed: the format is not part of the language.
    """
    if len(form) > date_texts.MAX_FORMAT:
        raise machine.failed("format", "the format of a date is too long", *labels)
    machine.spend(_DIRECTIVE * form.count("%"))
    text = date_texts.written(moment, form)
    if text is None:
        raise machine.failed("format", "this format of a date is not part of the language", *labels)
    machine.spend(len(text))
    return text
