"""The functions that make numbers, and texts of numbers: row "construct"."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from armslength.errors import LimitReached
from armslength.labels import NOTHING, Label, construct
from armslength.language.machine import Machine
from armslength.language.operations.characters import whole
from armslength.language.operations.elements import mingle, read, walk_label
from armslength.language.operations.operators import binary
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import unmixed
from armslength.language.reading.syntax import MAX_DIGITS
from armslength.values import PLAIN, TupleObject, Value, make, unwrap


def to_int(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`int`: may raise on the operand. A text has at most `MAX_DIGITS` characters."""
    base = args[1] if len(args) == 2 else named.get("base")
    label = construct(*(value.label for value in (*args, *named.values())))
    raw = unwrap(args[0]) if args else 0
    if base is not None and not args:
        raise machine.failed("type", "int with a base takes a text and a number", label)
    try:
        if base is not None:
            return make(_in_base(machine, raw, unwrap(base), label), label)
        match raw:
            case str() if len(raw) <= MAX_DIGITS:
                spend_digits(machine, len(raw))
                return make(int(raw), label)
            case bool() | int() | float():
                return make(int(raw), label)
            case _:
                raise machine.failed("type", "int does not take this", label)
    except (ValueError, OverflowError):
        raise machine.failed("value", "int found no whole number", label) from None


def _in_base(machine: Machine, text: object, base: object, label: Label) -> int:
    if isinstance(base, int) and base != 0 and not 2 <= base <= 36:
        raise machine.failed("value", "the base of int is 0 or from 2 to 36", label)
    if not isinstance(text, str) or not isinstance(base, int) or len(text) > MAX_DIGITS:
        raise machine.failed("type", "int with a base takes a text and a number", label)
    if len(text) * math.log2(base or 16) > machine.limits.digits * 3.33:
        raise LimitReached(machine.line, "digits")
    spend_digits(machine, len(text))
    return int(text, base)


def spend_digits(machine: Machine, digits: int) -> None:
    """Count what it takes to make a number of so many digits of its text: twice as many take four times as long."""
    machine.spend(digits * digits // 16_000)


def to_float(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`float`: may raise on the operand."""
    label = construct(*(value.label for value in args))
    raw = unwrap(args[0]) if args else 0.0
    try:
        match raw:
            case str() if len(raw) <= MAX_DIGITS:
                machine.spend(len(raw) // 16)
                return make(float(raw), label)
            case bool() | int() | float():
                return make(float(raw), label)
            case _:
                raise machine.failed("type", "float does not take this", label)
    except (ValueError, OverflowError):
        raise machine.failed("value", "float found no number", label) from None


def round_to(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`round`."""
    places = args[1] if len(args) == 2 else named.get("ndigits", make(None, NOTHING))
    raw, digits = unwrap(args[0]), unwrap(places)
    label = construct(args[0].label, places.label)
    if not isinstance(raw, bool | int | float) or not isinstance(digits, int | None):
        raise machine.failed("type", "round does not take this", label)
    if isinstance(raw, int) and digits is not None:
        # From some place on all is 0, and Python would make the power of ten.
        digits = max(digits, -(raw.bit_length() // 3) - 2)
        machine.spend(max(-digits, 0))
    try:
        return make(round(raw) if digits is None else round(raw, digits), label)
    except (ValueError, OverflowError):
        raise machine.failed("value", "round found no number", label) from None


def absolute(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`abs`."""
    raw = unwrap(args[0])
    if not isinstance(raw, bool | int | float | timedelta):
        raise machine.failed("type", "abs does not take this", args[0].label)
    try:
        return make(abs(raw), construct(args[0].label))  # type: ignore[arg-type]  # a number or a duration
    except OverflowError:
        raise machine.failed("value", "abs found no number", args[0].label) from None


def divide(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`divmod`: `//` and `%` at once."""
    if isinstance(unwrap(args[0]), str):
        raise machine.failed("type", "divmod takes numbers", *(value.label for value in args))
    both = [binary(machine, sign(), args[0], args[1]) for sign in (ast.FloorDiv, ast.Mod)]
    return make(TupleObject(both, NOTHING), NOTHING)


def power(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`pow`: `**`, or its remainder by a third number, whose work is counted before it is done."""
    given = {**dict(zip(("base", "exp", "mod"), args, strict=False)), **named}
    label = construct(*(value.label for value in given.values()))
    if len(given) != len(args) + len(named) or not {"base", "exp"} <= set(given):
        raise machine.failed("type", "pow takes a number and an exponent", label)
    base, exponent, modulus = (unwrap(given[name]) if name in given else None for name in ("base", "exp", "mod"))
    if modulus is None:
        made = binary(machine, ast.Pow(), given["base"], given["exp"])
        return make(unwrap(made), construct(made.label, label))
    if not isinstance(base, int) or not isinstance(exponent, int) or not isinstance(modulus, int):
        raise machine.failed("type", "pow with a third number takes whole numbers", label)
    machine.spend(_work(base.bit_length(), exponent, modulus.bit_length()))
    try:
        return make(pow(base, exponent, modulus), label)
    except ValueError:
        raise machine.failed("value", "there is no such power", label) from None


def _work(base: int, exponent: int, modulus: int) -> int:
    """What `pow` of numbers with so many bits counts as: a division for each bit of the exponent, each by squares of lengths."""
    inverse = modulus * modulus // 3_000 if exponent < 0 else 0
    return base * modulus // 300_000 + inverse + exponent.bit_length() * (4 + modulus * modulus // 50_000)


def _in_digits(
    name: str, python: Callable[[int], str]
) -> Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        raw = unwrap(args[0])
        if not isinstance(raw, int):
            raise machine.failed("type", f"{name} takes a whole number", args[0].label)
        machine.spend(raw.bit_length() + 3)
        return make(python(raw), construct(args[0].label))

    return builtin


to_binary, to_octal, to_hexadecimal = _in_digits("bin", bin), _in_digits("oct", oct), _in_digits("hex", hex)


def code_of(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`ord`."""
    raw = unwrap(args[0])
    if not isinstance(raw, str) or len(raw) != 1:
        raise machine.failed("type", "ord takes one character", args[0].label)
    return make(ord(raw), construct(args[0].label))


def character_of(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`chr`."""
    raw = unwrap(args[0])
    if not isinstance(raw, int):
        raise machine.failed("type", "chr takes a whole number", args[0].label)
    try:
        return make(whole(machine, chr(raw), args[0].label), construct(args[0].label))
    except (ValueError, OverflowError):
        raise machine.failed("value", "there is no such character", args[0].label) from None


def total(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """`sum`: from `start` on, `+` for each element."""
    start = args[1] if len(args) == 2 else named.get("start", make(0, NOTHING))
    source = unmixed(args[0])
    by_value = unmixed(start)
    machine.may_raise(by_value.label)
    if isinstance(unwrap(by_value), str):
        raise machine.failed("type", "sum does not take this; use join", by_value.label)
    whole = make(unwrap(start), construct(start.label, walk_label(source)))
    mingle(machine, source, [whole])
    for item in walk_all(machine, source):
        whole = binary(machine, _PLUS, whole, item)
    return whole if type(unwrap(whole)) in PLAIN else read(whole, source)


_PLUS = ast.Add()
