"""Whatever the arguments are, the library gives a value or fails as a program does; no exception of Python gets out."""

from __future__ import annotations

import ast
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.library_world import ATTRIBUTES, FUNCTIONS, MAIL, METHODS, called, machine_for, value_of

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import NOTHING, Label
from armslength.language import Limits
from armslength.language.operations.elements import read_item
from armslength.language.operations.moments import moment_arithmetic, moment_format, moment_unary
from armslength.values import BuiltinObject, IteratorObject, MemberObject, SetObject, Value, make, parts

WORDS = [
    "flags", "string", "pattern", "repl", "count", "maxsplit", "tz", "tzinfo", "year", "hour", "days", "format", "sep", "timespec",
    "default", "indent", "sort_keys", "separators", "x", "start", "group", "name", "rel_tol",
]  # fmt: skip
_texts = st.one_of(
    st.text(max_size=5),
    st.sampled_from(
        ["(a+)+$", r"(?P<w>\w)", r"\g<w>", "%Y-%m-%d", "2026-11-30", "%z", "{}", "[1, 2]", "a" * 60, "\ud800", ""]
    ),
)
_numbers = st.one_of(
    st.integers(-3, 300), st.sampled_from([10**30, -(10**30), 10**3_999, 2**31, 2**63]), st.floats(), st.booleans()
)
_moments = st.one_of(
    st.datetimes(timezones=st.sampled_from([None, UTC])),
    st.dates(),
    st.times(),
    st.timedeltas(),
    st.just(timezone(timedelta(hours=-7))),
)
_ends = st.sampled_from([datetime.max.replace(tzinfo=UTC), date.min, time.max, timedelta.min, timedelta.max])
_scalars = st.one_of(st.none(), _texts, _numbers, _moments, _ends)
_data = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
    ),
    max_leaves=4,
)
_labels = st.sampled_from([NOTHING, MAIL])


def _objects() -> list[Value]:
    return [
        make(BuiltinObject("str"), NOTHING),
        make(SetObject(NOTHING), NOTHING),
        make(IteratorObject([value_of(1)], NOTHING), NOTHING),
        make(MemberObject("Level", "HIGH", value_of("high")), NOTHING),
        called("re.compile", r"(a)(?P<w>b)?"),
        called("re.search", r"(a)(?P<w>b)?", "a"),
    ]


_values = st.one_of(st.builds(value_of, _data, _labels), st.integers(0, 5).map(lambda number: _objects()[number]))
_arguments = st.lists(_values, max_size=4)
_named = st.dictionaries(st.sampled_from(WORDS), _values, max_size=2)
_operators = st.sampled_from(
    [ast.Add(), ast.Sub(), ast.Mult(), ast.Div(), ast.FloorDiv(), ast.Mod(), ast.Pow(), ast.BitOr()]
)


def _tried(act: Any, *given: Any) -> None:
    """Call it; what it gives is a value that is labelled all the way down."""
    machine = machine_for(Limits(size=300_000))
    try:
        value = act(machine, *given)
    except (ProgramFailed, LimitReached):
        return
    assert value is None or all(isinstance(part, Label) for part in parts(value))


@pytest.mark.parametrize("path", sorted(FUNCTIONS))
@settings(max_examples=25)
@given(args=_arguments, named=_named)
def test_a_function_gives_a_value_or_fails(path: str, args: list[Value], named: dict[str, Value]) -> None:
    """With any arguments, by place and by name."""
    _tried(FUNCTIONS[path], args, named)


@pytest.mark.parametrize("key", sorted(METHODS), ids=".".join)
@settings(max_examples=25)
@given(owner=_values, args=_arguments, named=_named)
def test_a_method_gives_a_value_or_fails(
    key: tuple[str, str], owner: Value, args: list[Value], named: dict[str, Value]
) -> None:
    """Also on an owner of another kind than it is looked up by."""
    _tried(METHODS[key], owner, args, named)


_OWNERS: dict[str, st.SearchStrategy[Any]] = {
    "datetime": st.datetimes(timezones=st.sampled_from([None, UTC])),
    "date": st.dates(),
    "time": st.times(),
    "timedelta": st.timedeltas(),
    "match": st.just(5),
    "Pattern": st.just(4),
}


@pytest.mark.parametrize("key", sorted(METHODS), ids=".".join)
@settings(max_examples=25)
@given(data=st.data(), args=_arguments, named=_named)
def test_a_method_of_its_own_kind_gives_a_value_or_fails(
    key: tuple[str, str], data: st.DataObject, args: list[Value], named: dict[str, Value]
) -> None:
    """On an owner of the kind that it is looked up by."""
    drawn = data.draw(_OWNERS[key[0]])
    owner = _objects()[drawn] if isinstance(drawn, int) else value_of(drawn, MAIL)
    _tried(METHODS[key], owner, args, named)


@pytest.mark.parametrize("key", sorted(ATTRIBUTES), ids=".".join)
@settings(max_examples=20)
@given(owner=_values)
def test_an_attribute_gives_a_value_or_fails(key: tuple[str, str], owner: Value) -> None:
    """Also on an owner of another kind."""
    _tried(ATTRIBUTES[key], owner)


@settings(max_examples=150)
@given(_operators, _values, _values)
def test_an_operator_gives_a_value_or_fails(operator: ast.operator, left: Value, right: Value) -> None:
    """Moments with anything, on either side."""
    _tried(moment_arithmetic, operator, left, right)


@settings(max_examples=100)
@given(_values, _values, st.text("%YmdHz-cQ1 ", max_size=6), st.sampled_from([ast.USub(), ast.UAdd(), ast.Invert()]))
def test_what_else_moments_and_matches_do_gives_a_value_or_fails(
    owner: Value, key: Value, form: str, sign: ast.unaryop
) -> None:
    """Formats, signs, items."""
    _tried(moment_format, owner, form)
    _tried(moment_unary, sign, owner)
    _tried(read_item, owner, key)
