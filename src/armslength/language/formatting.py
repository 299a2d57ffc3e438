"""The format after `:` in an f-string: an allow-list of what `format` understands for numbers and text."""

from __future__ import annotations

import re

from armslength.labels import construct
from armslength.language.machine import Machine
from armslength.language.operators import render, text_label
from armslength.values import Value, make, unwrap

_SPEC = re.compile(r"(?:.?[<>^=])?[+\- ]?0?(\d{0,3})[,_]?(?:\.(\d{1,2}))?[bcdeEfFgGnosxX%]?")


def formatted(machine: Machine, value: Value, spec: str, *, quoted: bool) -> Value:
    """The text of `value` in an f-string: row "construct".

    Raises:
        ProgramFailed: the format does not fit the value.
    """
    label = construct(text_label(value))
    if not spec:
        return make(render(machine, value, quoted=quoted), label)
    machine.may_raise(label)
    if not _SPEC.fullmatch(spec):
        raise machine.failed("format", "this format is not part of the language", label)
    raw = render(machine, value, quoted=quoted) if quoted else unwrap(value)
    if type(raw) not in (str, int, float, bool):
        raise machine.failed("format", "only text and numbers take a format", label)
    try:
        text = format(raw, spec)
    except (ValueError, OverflowError):
        raise machine.failed("format", "the format does not fit the value", label) from None
    machine.spend(len(text))
    return make(text, label)
