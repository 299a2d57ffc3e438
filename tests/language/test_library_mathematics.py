"""`math`: Python's results, whole numbers bounded before they are computed, exact labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.library_world import (
    CONSTANTS,
    GUESS,
    MAIL,
    READ,
    called,
    machine_for,
    plain,
    value_of,
)

from armslength import labels
from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import construct
from armslength.language import Limits
from armslength.values import unwrap

_numbers = st.one_of(st.integers(-40, 40), st.floats(), st.booleans(), st.integers(-(10**400), 10**400))
_wholes = st.one_of(st.integers(-12, 60), st.booleans())
ONE = [
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log2", "log10", "log1p", "fabs", "degrees", "radians", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "ceil", "trunc", "modf", "frexp", "erf", "erfc",
    "gamma", "lgamma", "isnan", "isinf", "isfinite", "log",
]  # fmt: skip
TWO = ["pow", "atan2", "fmod", "copysign", "remainder", "hypot", "log", "isclose"]
WHOLE_ONE = ["factorial", "isqrt", "perm", "gcd", "lcm"]
WHOLE_TWO = ["comb", "perm", "gcd", "lcm"]


def _failure(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(ProgramFailed) as failed:
        act()
    return failed.value.code, failed.value.reason


def _compare(name: str, *args: Any) -> None:
    """The same result and type as Python's function; a failure where it raises."""
    code = expected = None
    try:
        expected = repr(getattr(math, name)(*args))
    except (ValueError, OverflowError):
        code = "value"
    except ZeroDivisionError:
        code = "zero"
    except TypeError:
        code = "type"
    if code is None:
        assert repr(plain(f"math.{name}", *args)) == expected
    else:
        assert _failure(lambda: called(f"math.{name}", *args))[0] == code


@given(st.sampled_from(ONE), _numbers)
def test_functions_of_one_number_are_pythons(name: str, x: Any) -> None:
    """Also where the number is infinite, none, or too large for a float."""
    _compare(name, x)


@given(st.sampled_from(TWO), _numbers, _numbers)
def test_functions_of_two_numbers_are_pythons(name: str, x: Any, y: Any) -> None:
    """The same."""
    _compare(name, x, y)


@given(st.sampled_from(WHOLE_ONE), _wholes)
def test_functions_of_a_whole_number_are_pythons(name: str, n: Any) -> None:
    """Factorials and roots."""
    _compare(name, n)


@given(st.sampled_from(WHOLE_TWO), _wholes, _wholes)
def test_functions_of_two_whole_numbers_are_pythons(name: str, n: Any, k: Any) -> None:
    """Choices and divisors."""
    _compare(name, n, k)


@given(st.sampled_from(["factorial", "isqrt", "comb", "gcd"]), st.one_of(st.floats(), st.text(max_size=2), st.none()))
def test_whole_numbers_are_asked_for(name: str, x: Any) -> None:
    """A float with a whole value is none."""
    args = (x, 1) if name in ("comb", "gcd") else (x,)
    assert _failure(lambda: called(f"math.{name}", *args)) == ("type", f"the arguments do not fit {name}")


@given(st.lists(st.one_of(st.integers(-50, 50), st.floats(-5, 5)), max_size=6))
def test_sums_and_products_are_pythons(items: list[Any]) -> None:
    """Of lists, with and without a start."""
    assert repr(plain("math.prod", items)) == repr(math.prod(items))
    assert repr(plain("math.prod", items, start=2)) == repr(math.prod(items, start=2))
    assert plain("math.fsum", items) == math.fsum(items)
    assert plain("math.hypot", *items) == math.hypot(*items)


def test_more_arguments_than_two() -> None:
    """Divisors of many numbers, of none."""
    assert plain("math.gcd") == math.gcd()
    assert plain("math.lcm", 4, 6, 10) == 60
    assert plain("math.gcd", 12, 18, 27) == 3


def test_tolerances_are_pythons() -> None:
    """By name only."""
    assert plain("math.isclose", 1, 1.1, rel_tol=0.2) is True
    assert plain("math.isclose", 0, 0.1, abs_tol=0.2) is True
    assert plain("math.isclose", 0, 0.1, rel_tol=0.5, abs_tol=0.01) is False
    assert _failure(lambda: called("math.isclose", 1, 1, rel_tol=-1)) == ("value", "there is no such number")
    assert _failure(lambda: called("math.isclose", 1, 1, 0.1)) == ("type", "the arguments do not fit isclose")


def test_constants_are_pythons() -> None:
    """All five."""
    found = {name[5:]: value for name, value in CONSTANTS.items() if name.startswith("math.")}
    assert {name: repr(value) for name, value in found.items()} == {
        name: repr(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")
    }


@pytest.mark.parametrize(
    ("path", "args", "expected"),
    [
        ("math.sqrt", (-1,), ("value", "there is no such number")),
        ("math.sqrt", ("4",), ("type", "the arguments do not fit sqrt")),
        ("math.sqrt", (), ("type", "the arguments do not fit sqrt")),
        ("math.sqrt", (1, 2), ("type", "the arguments do not fit sqrt")),
        ("math.floor", (math.inf,), ("value", "there is no such number")),
        ("math.log", (8, 1), ("zero", "the base of a logarithm is not 1")),
        ("math.log", (0,), ("value", "there is no such number")),
        ("math.isnan", (10**400,), ("value", "there is no such number")),
        ("math.factorial", (-1,), ("value", "there is no such number")),
        ("math.prod", ([1, "a"],), ("type", "the arguments do not fit prod")),
        ("math.prod", ([1], 2), ("type", "the arguments do not fit prod")),
        ("math.prod", (3,), ("type", "this has no elements to go through")),
        ("math.fsum", ([None],), ("type", "the arguments do not fit fsum")),
    ],
)
def test_what_is_no_number_fails(path: str, args: tuple[Any, ...], expected: tuple[str, str]) -> None:
    """Each with its code and reason."""
    assert _failure(lambda: called(path, *args)) == expected


def test_functions_of_math_have_no_names_for_their_arguments() -> None:
    """As in Python."""
    assert _failure(lambda: called("math.sqrt", x=4)) == ("type", "the arguments do not fit sqrt")
    assert _failure(lambda: called("math.gcd", a=4)) == ("type", "the arguments do not fit gcd")


@pytest.mark.parametrize(
    ("path", "args"),
    [
        ("math.factorial", (10**30,)),
        ("math.factorial", (2_000,)),
        ("math.comb", (10**3000, 40)),
        ("math.perm", (10**9, 10**8)),
        ("math.perm", (10**100,)),
        ("math.lcm", (10**3999 - 1, 10**3999 - 3)),
        ("math.prod", ([10**3000, 10**3000],)),
    ],
)
def test_numbers_with_too_many_digits_are_not_computed(path: str, args: tuple[Any, ...]) -> None:
    """The limit is on digits, and it is looked at before the work."""
    with pytest.raises(LimitReached) as reached:
        called(path, *args)
    assert reached.value.limit == "digits"


def test_numbers_within_the_digits_are_computed() -> None:
    """The bound is no tighter than it has to be."""
    assert plain("math.factorial", 1_000) == math.factorial(1_000)
    assert plain("math.comb", 1_000, 3) == math.comb(1_000, 3)


def test_long_numbers_cost() -> None:
    """What divisors of long numbers take is counted."""
    machine = machine_for()
    called("math.gcd", 10**3_900 - 1, 10**3_899 - 1, machine=machine)
    assert Limits().size - machine.size_left > 8_000


# Labels


def test_numbers_are_made_of_their_operands() -> None:
    """Row "construct"."""
    assert called("math.sqrt", value_of(4, MAIL)).label is construct(MAIL)
    assert called("math.pow", value_of(4, MAIL), value_of(2, READ)).label is construct(MAIL, READ)
    assert called("math.log", value_of(4, MAIL), value_of(2, GUESS)).label is construct(MAIL, GUESS)
    assert called("math.gcd", value_of(4, MAIL), value_of(2, READ)).label is construct(MAIL, READ)
    assert called("math.hypot", value_of(4, MAIL), value_of(2, READ)).label is construct(MAIL, READ)
    assert called("math.comb", value_of(4, MAIL), value_of(2, READ)).label is construct(MAIL, READ)
    assert called("math.factorial", value_of(4, MAIL)).label is construct(MAIL)
    assert called("math.isqrt", value_of(4, MAIL)).label is construct(MAIL)
    pair = unwrap(called("math.modf", value_of(1.5, MAIL)))
    assert (pair.shape, [each.label for each in pair.items]) == (construct(MAIL), [construct(MAIL)] * 2)


def test_sums_and_products_are_made_of_shape_and_elements() -> None:
    """How many there were counts as well."""
    for path in ("math.prod", "math.fsum"):
        data = called(path, value_of([value_of(1, READ)], MAIL)).label.data
        assert data == MAIL.data | READ.data
        assert called(path, value_of([], MAIL)).label.data == MAIL.data
    started = called("math.prod", value_of([]), start=value_of(3, READ))
    assert started.label.data == READ.data


def test_tests_keep_no_data() -> None:
    """Row "test"."""
    assert called("math.isnan", value_of(1, MAIL)).label is labels.tested(construct(MAIL))
    assert called("math.isclose", value_of(1, MAIL), 1, rel_tol=value_of(0.1, READ)).label is labels.tested(MAIL, READ)
    assert called("math.isnan", value_of(1, MAIL)).label.data == frozenset()
