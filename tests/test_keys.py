"""What a dict or set finds values by: as Python would, and slowly for nobody."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from armslength.labels import LITERAL, NOTHING
from armslength.values import LONGEST, MemberObject, TupleObject, Value, key_of, make

_SECONDS = st.integers(-86_399, 86_399).map(lambda seconds: timezone(timedelta(seconds=seconds)))
_ZONES = st.none() | st.just(UTC) | _SECONDS
_FEW = st.sampled_from(
    [0, 1, True, False, 0.0, -0.0, 1.0, -1, -2, 0.5, 4_095, 4_096, 2**60, 2.0**60, 2**61 - 1, 2**61, float("inf")]
)
_SCALARS = (
    st.none()
    | _FEW
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.sampled_from(["None", "'1:a", "(1,)", "a" * LONGEST, "a" * (LONGEST + 1), "\ud800"])
    | st.datetimes(timezones=_ZONES)
    | st.dates()
    | st.times(timezones=_ZONES)
    | st.timedeltas()
    | _SECONDS
)
_PLAIN = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)


def _value(plain: object) -> Value:
    raw = TupleObject(map(_value, plain), NOTHING) if isinstance(plain, tuple) else plain
    return make(raw, LITERAL)  # type: ignore[arg-type]  # a scalar or a tuple


@given(_PLAIN, _PLAIN)
def test_two_keys_are_one_just_if_python_takes_them_for_equal(a: object, b: object) -> None:
    """Numbers of different kinds, moments of different zones and nested tuples included."""
    assert (key_of(_value(a)) == key_of(_value(b))) is (a == b)


def test_equal_moments_of_different_zones_are_one_key() -> None:
    """Those of which a random pair is rarely made."""
    east = timezone(timedelta(hours=2))
    for a, b in (
        (datetime(2026, 5, 1, 10, tzinfo=UTC), datetime(2026, 5, 1, 12, tzinfo=east)),
        (datetime(1, 1, 1, 1, tzinfo=east), datetime(1, 1, 1, 1, tzinfo=east)),
        (time(10, tzinfo=UTC), time(12, tzinfo=east)),
        (UTC, timezone(timedelta(0))),
        (datetime(2026, 5, 1, fold=1), datetime(2026, 5, 1)),  # noqa: DTZ001 - without a zone
    ):
        assert a == b
        assert key_of(_value((a, 1))) == key_of(_value((b, 1.0)))
    assert key_of(_value(datetime(2026, 5, 1))) != key_of(_value(date(2026, 5, 1)))  # noqa: DTZ001 - without a zone


def test_each_nan_is_a_key_of_its_own() -> None:
    """As in Python, where one is found by itself only."""
    one, other = float("nan"), float("nan")
    assert key_of(_value((one,))) == key_of(_value((one,)))
    assert key_of(_value(one)) != key_of(_value(other))


def test_a_member_of_an_enumeration_is_no_text_or_tuple_of_its_names() -> None:
    """No other value has its key; one that is a text as well has that of the text."""
    member = make(MemberObject("Color", "RED", _value("red")), LITERAL)
    mixed = make(MemberObject("Color", "RED", _value("red"), is_mixed=True), LITERAL)
    others = [_value(each) for each in ("Color.RED", ("Color", "RED"), "red")]
    assert key_of(member) not in list(map(key_of, others))
    assert key_of(mixed) == key_of(_value("red"))


def test_no_keys_meet_by_construction() -> None:
    """What Python's own hashes take for alike: -1 and -2, multiples of 2**61 - 1, powers of 2**61, and tuples of these."""
    rotated = 0x2000_0000_0000_0000
    for family in (
        list(product((-1, -2), repeat=12)),
        [number * (2**61 - 1) for number in range(1, 4_097)],
        [(1.5 * 2.0 ** (61 * power), number) for power in range(-16, 16) for number in range(128)],
        [(number * rotated, -number) for number in range(4_096)],
        [timedelta(days=days, seconds=-1) for days in range(4_096)],
    ):
        found = {hash(key_of(_value(each))) for each in family}
        assert len(found) == len(family) == 4_096


def test_numbers_in_a_row_of_python_s_own_search_are_not_in_one_here() -> None:
    """Python looks for a place for n at 5 n + 1 next: whoever knows the places can fill all of those."""
    for number in (4_096, 2**40, -1, 2**60 - 1, -(2**60) + 1):
        found = key_of(_value(number))
        assert isinstance(found, int)
        assert hash(found) % 2**61 != number % 2**61
