"""`math`: rows "construct" for numbers and "test" for what is only a bool. Whole numbers are bounded before they are computed."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence

from armslength.errors import LimitReached
from armslength.labels import NOTHING, construct, tested
from armslength.language.machine import Machine
from armslength.language.operations.elements import walk_label
from armslength.language.operations.library.arguments import Builtin, bind, label_of, misfit, note_held
from armslength.language.operations.operators import binary
from armslength.language.operations.walking import walk_all
from armslength.language.operations.wholes import unmixed
from armslength.values import Raw, TupleObject, Value, make, unwrap

_BITS_PER_DIGIT = 3.33
_DIGIT_WORK = 32
_MANY = 1_000

Number = bool | int | float


def _numbers(machine: Machine, name: str, values: Sequence[Value | None]) -> list[Number]:
    """The numbers of some arguments; those that are missing are left out.

    Raises:
        ProgramFailed: one is no number.
    """
    found: list[Number] = []
    for value in values:
        raw = None if value is None else unwrap(unmixed(value))
        if isinstance(raw, bool | int | float):
            found.append(raw)
        elif value is not None:
            raise misfit(machine, name, *values)
    return found


def _wholes(machine: Machine, name: str, values: Sequence[Value | None]) -> list[int]:
    """The same for whole numbers. What they cost is in proportion to their length, squared."""
    found = [number for number in _numbers(machine, name, values) if isinstance(number, int)]
    if len(found) < len([value for value in values if value is not None]):
        raise misfit(machine, name, *values)
    machine.spend(sum((number.bit_length() // _DIGIT_WORK) ** 2 for number in found) // _DIGIT_WORK)
    return found


def _computed(machine: Machine, compute: Callable[[], object], *values: Value | None) -> Value:
    """What Python's own function gives: row "construct".

    Raises:
        ProgramFailed: it has no result.
        LimitReached: a whole number with too many digits.
    """
    label = label_of(machine, *values)
    try:
        result = compute()
    except (ValueError, OverflowError):
        raise machine.failed("value", "there is no such number", label) from None
    except TypeError:
        raise machine.failed("type", "the arguments are no such numbers", label) from None
    if isinstance(result, tuple):
        return make(TupleObject([make(part, label) for part in result], label), NOTHING)
    if type(result) not in (int, float):
        raise machine.failed("type", "the result is no number", label)
    if isinstance(result, int):
        _bound(machine, result.bit_length())
    return make(result, label)  # type: ignore[arg-type]  # int or float, by the line above


def _bound(machine: Machine, bits: float) -> None:
    if bits > machine.limits.digits * _BITS_PER_DIGIT:
        raise LimitReached(machine.line, "digits")
    machine.spend(int(bits) // _DIGIT_WORK)


# Numbers to a number

_FROM_ONE: dict[str, Callable[[float], object]] = {
    name: getattr(math, name)
    for name in (
        "sqrt", "cbrt", "exp", "exp2", "expm1", "log2", "log10", "log1p", "fabs", "degrees", "radians",
        "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
        "floor", "ceil", "trunc", "modf", "frexp", "erf", "erfc", "gamma", "lgamma",
    )
}  # fmt: skip
_FROM_TWO: dict[str, Callable[[float, float], object]] = {
    name: getattr(math, name) for name in ("pow", "atan2", "fmod", "copysign", "remainder")
}
_FROM_WHOLES: dict[str, Callable[..., int]] = {"gcd": math.gcd, "lcm": math.lcm}
_TESTS: dict[str, Callable[[float], bool]] = {
    "isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite,
}  # fmt: skip


def _from_one(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        (x,) = _positional(machine, name, "x", args, named)
        (number,) = _numbers(machine, name, [x])
        return _computed(machine, lambda: _FROM_ONE[name](number), x)

    return builtin


def _from_two(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        both = _positional(machine, name, "x y", args, named)
        x, y = _numbers(machine, name, both)
        return _computed(machine, lambda: _FROM_TWO[name](x, y), *both)

    return builtin


def _positional(
    machine: Machine, name: str, wanted: str, args: Sequence[Value], named: Mapping[str, Value]
) -> list[Value | None]:
    """Arguments that have no names."""
    if named:
        raise misfit(machine, name, *args, *named.values())
    return bind(machine, name, wanted, args, named)


def _some(machine: Machine, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> None:
    """Any number of arguments without names."""
    note_held(machine, *args, *named.values())
    if named or len(args) > _MANY:
        raise misfit(machine, name, *args, *named.values())


def _hypot(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    _some(machine, "hypot", args, named)
    numbers = _numbers(machine, "hypot", args)
    return _computed(machine, lambda: math.hypot(*numbers), *args)


def _from_wholes(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        _some(machine, name, args, named)
        numbers = _wholes(machine, name, args)
        if name == "lcm":
            _bound(machine, sum(number.bit_length() for number in numbers))
        return _computed(machine, lambda: _FROM_WHOLES[name](*numbers), *args)

    return builtin


def _log(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    both = _positional(machine, "log", "x base?", args, named)
    number = _numbers(machine, "log", both[:1])
    _computed(machine, lambda: math.log(*number), *both)  # before the base is looked at, as in Python
    numbers = _numbers(machine, "log", both)
    try:
        return _computed(machine, lambda: math.log(*numbers), *both)
    except ZeroDivisionError:
        raise machine.failed("zero", "the base of a logarithm is not 1", label_of(machine, *both)) from None


def _factorial(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (x,) = _positional(machine, "factorial", "x", args, named)
    (number,) = _wholes(machine, "factorial", [x])
    if number > 0:
        _bound(machine, math.lgamma(min(number, _HUGE) + 1) / math.log(2))
    return _computed(machine, lambda: math.factorial(number), x)


def _isqrt(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    (x,) = _positional(machine, "isqrt", "n", args, named)
    (number,) = _wholes(machine, "isqrt", [x])
    return _computed(machine, lambda: math.isqrt(number), x)


def _choosing(name: str) -> Builtin:
    """`comb` and `perm`: so many factors, each no longer than n."""
    compute = math.comb if name == "comb" else math.perm

    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        both = _positional(machine, name, "n k" if name == "comb" else "n k?", args, named)
        is_whole = name == "perm" and both[1] is not None and unwrap(both[1]) is None
        numbers = _wholes(machine, name, both[:1] if is_whole else both)
        n, k = numbers[0], numbers[-1]
        factors = min(k, n - k) if name == "comb" else k
        if 0 < k <= n:
            bits = min(factors, _HUGE) * n.bit_length()
            _bound(machine, bits)
            machine.spend(bits // 8)
        return _computed(machine, lambda: compute(*numbers), *both)

    return builtin


_HUGE = 10**9
"""Numbers beyond this pass every limit."""


# Sequences of numbers


def _prod(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" over the shape and the elements, as by `*`."""
    iterable, start = bind(machine, "prod", "iterable start?", args, named)
    if iterable is None or len(args) > 1:
        raise misfit(machine, "prod", *args)
    items = walk_all(machine, iterable)
    first = make(1, NOTHING) if start is None else start
    _numbers(machine, "prod", [first, *items])
    total = make(unwrap(first), construct(first.label, walk_label(iterable)))
    for item in items:
        total = binary(machine, ast.Mult(), total, item)
    return total


def _fsum(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Row "construct" over the shape and the elements."""
    (iterable,) = _positional(machine, "fsum", "seq", args, named)
    if iterable is None:
        raise misfit(machine, "fsum")
    items = walk_all(machine, iterable)
    numbers = _numbers(machine, "fsum", items)
    return _computed(machine, lambda: math.fsum(numbers), iterable)


# Tests


def _test(name: str) -> Builtin:
    def builtin(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        (x,) = _positional(machine, name, "x", args, named)
        (number,) = _numbers(machine, name, [x])
        try:
            return make(_TESTS[name](number), tested(label_of(machine, x)))
        except OverflowError:
            raise machine.failed("value", "there is no such number", label_of(machine, x)) from None

    return builtin


def _isclose(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    given = bind(machine, "isclose", "a b rel_tol? abs_tol?", args, named)
    if len(args) > 2:
        raise misfit(machine, "isclose", *args)
    a, b = _numbers(machine, "isclose", given[:2])
    tolerances = _numbers(machine, "isclose", given[2:])
    rel_tol = tolerances[0] if given[2] is not None else 1e-9
    abs_tol = tolerances[-1] if given[3] is not None else 0.0
    try:
        is_close = math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    except (ValueError, OverflowError):
        raise machine.failed("value", "there is no such number", label_of(machine, *given)) from None
    return make(is_close, tested(*(value.label for value in given if value is not None)))


FUNCTIONS: dict[str, Builtin] = {
    f"math.{name}": builtin
    for name, builtin in {
        **{name: _from_one(name) for name in _FROM_ONE},
        **{name: _from_two(name) for name in _FROM_TWO},
        **{name: _from_wholes(name) for name in _FROM_WHOLES},
        **{name: _test(name) for name in _TESTS},
        "hypot": _hypot, "log": _log, "factorial": _factorial, "isqrt": _isqrt, "comb": _choosing("comb"), "perm": _choosing("perm"),
        "prod": _prod, "fsum": _fsum, "isclose": _isclose,
    }.items()
}  # fmt: skip
"""The functions of `math`."""

CONSTANTS: dict[str, Raw] = {
    "math.pi": math.pi, "math.e": math.e, "math.tau": math.tau, "math.inf": math.inf, "math.nan": math.nan,
}  # fmt: skip
"""Its numbers."""
