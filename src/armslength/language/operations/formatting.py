"""What stands after `:` in an f-string, and `format`: an allow-list of what `format` understands. Row "construct"."""

from __future__ import annotations

import re
from typing import Literal

from armslength.labels import NOTHING, Label, construct
from armslength.language.machine import Machine
from armslength.language.operations.characters import whole
from armslength.language.operations.moments import moment_format
from armslength.language.operations.wholes import render, text_label
from armslength.values import MemberObject, Value, make, unwrap

Conversion = Literal["", "s", "r", "a"]
"""What stands after `!`: the text as `str`, `repr` or `ascii` gives it."""

_SPEC = re.compile(r"(?:.?[<>^=])?[+\- ]?z?#?0?(\d{0,3})[,_]?(?:\.(\d{1,2}))?[bcdeEfFgGnosxX%]?")


def formatted(machine: Machine, value: Value, spec: str | Value = "", conversion: Conversion = "") -> Value:
    """The text of `value` in an f-string. A spec that was computed is an operand too.

    Raises:
        ProgramFailed: the format does not fit the value.
    """
    return make(*written(machine, value, spec, conversion))


def written(machine: Machine, value: Value, spec: str | Value = "", conversion: Conversion = "") -> tuple[str, Label]:
    """As `formatted`, the text and its label before they are a value."""
    if type(spec) is str and not (spec or conversion):
        return render(machine, value), text_label(machine, value)
    if isinstance(spec, Value):
        machine.may_raise(spec.label)
        text = unwrap(spec)
        if not isinstance(text, str):
            raise machine.failed("type", "a format is a text", spec.label)
        label = construct(text_label(machine, value), spec.label)
        return _written(machine, value, text, conversion, label), label
    label = text_label(machine, value)
    return _written(machine, value, spec, conversion, label), label


def _written(machine: Machine, value: Value, spec: str, asked: str, label: Label) -> str:
    converted = shown(machine, value, asked) if asked else None
    if not spec:
        return render(machine, value) if converted is None else converted
    if label.guards is not NOTHING:
        machine.may_raise(label)
    moment = moment_format(machine, value, spec) if converted is None else None
    if moment is not None:
        return str(unwrap(moment))
    fitting = _SPEC.fullmatch(spec)
    if not fitting:
        raise machine.failed("format", "this format is not part of the language", label)
    raw = unwrap(value) if converted is None else converted
    if isinstance(raw, MemberObject):
        raw = unwrap(raw.value) if raw.shows_value else render(machine, value)
    if type(raw) not in (str, int, float, bool):
        raise machine.failed("format", "only text and numbers take a format", label)
    machine.spend(int(fitting[1] or 0) + longest(raw))
    try:
        made = format(raw, spec)
    except (ValueError, OverflowError):
        raise machine.failed("format", "the format does not fit the value", label) from None
    return whole(machine, made, label) if spec.endswith("c") else made


def shown(machine: Machine, value: Value, conversion: str) -> str:
    """The text of a value as `str` (`s`), `repr` (`r`) or `ascii` (`a`) gives it."""
    text = render(machine, value, quoted=conversion in ("r", "a"))
    if conversion == "a":
        machine.spend(10 * len(text))
        return text.encode("ascii", "backslashreplace").decode("ascii")
    return text


def longest(raw: object) -> int:
    """An upper bound of what a scalar is written with: all bits of an integer and separators, a float's 309 digits, separators and 99 places."""
    match raw:
        case str():
            return len(raw)
        case int():
            return 2 * raw.bit_length() + 10
        case _:
            return 600
