"""Labels: the lattice's laws, and what each row of the table keeps."""

from __future__ import annotations

import copy
import gc
import itertools
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import is_within

from armslength.labels import (
    LITERAL,
    NOTHING,
    PRIVATE,
    PROGRAM,
    PUBLIC,
    REMEMBERED,
    REQUEST,
    SATURATED,
    USER,
    Label,
    Readers,
    Source,
    bits_for,
    construct,
    forget,
    join,
    label,
    made_of,
    picking,
    steered,
    steering,
)
from armslength.labels import (
    tested as of_test,
)

_SOURCES = (USER, PROGRAM, Source("mail:unverified"), Source("web:example.com"), Source("mail:a@b.example"))
_READERS = (PUBLIC, PRIVATE, Readers(frozenset({"alice"})), Readers(frozenset({"alice", "bob"})))
_ORIGINS = st.frozensets(st.sampled_from(_SOURCES), max_size=3)
LABELS = st.builds(
    lambda data, choice, bits, readers, steer, intact: label(
        data, choice=choice, bits=bits, readers=readers, steer=steer, intact=intact
    ),
    _ORIGINS,
    _ORIGINS,
    st.integers(0, SATURATED + 2),
    st.sampled_from(_READERS),
    st.sampled_from(_READERS),
    st.booleans(),
)


def _is_below(low: Label, high: Label) -> bool:
    """The order of labels, part by part."""
    return (
        low.data <= high.data
        and low.choice <= high.choice
        and low.bits <= high.bits
        and is_within(high.readers, low.readers)
        and is_within(high.steer, low.steer)
        and (low.intact or not high.intact)
    )


@given(LABELS, LABELS, LABELS)
def test_join_is_associative(a: Label, b: Label, c: Label):
    """The order of joins does not matter, also where a join closes choice into data."""
    assert join(a, join(b, c)) is join(join(a, b), c)


@given(LABELS, LABELS)
def test_join_is_commutative_and_idempotent(a: Label, b: Label):
    """Neither side nor repetition matters."""
    assert join(a, b) is join(b, a)
    assert join(a, a) is a


@given(LABELS, LABELS)
def test_join_is_an_upper_bound_in_every_part(a: Label, b: Label):
    """Both operands are below their join."""
    assert _is_below(a, join(a, b))
    assert _is_below(b, join(a, b))


@given(LABELS, LABELS, LABELS)
def test_join_is_the_least_upper_bound(a: Label, b: Label, c: Label):
    """Whatever is above both is above their join."""
    above = join(join(a, b), c)
    assert _is_below(join(a, b), above)
    assert join(join(a, b), above) is above


@given(LABELS)
def test_nothing_is_the_least_label(a: Label):
    """Joining it, or gaining it, changes nothing."""
    assert join(a, NOTHING) is a
    assert steered(a, NOTHING) is a


@given(LABELS, LABELS, LABELS)
def test_construct_is_associative_and_commutative(a: Label, b: Label, c: Label):
    """What something was made of does not depend on the order of making."""
    assert construct(a, b) is construct(b, a)
    assert construct(a, construct(b, c)) is construct(construct(a, b), c)
    assert construct(a, construct(b, c)) is construct(a, b, c)


@given(st.lists(LABELS, max_size=4))
def test_construct_is_an_upper_bound_in_every_part(operands: list[Label]):
    """Nothing of an operand is lost, and what is made is never intact."""
    made = construct(*operands)
    assert all(_is_below(operand, made) for operand in operands)
    assert not made.intact


@given(LABELS, LABELS)
def test_construct_adds_bits(a: Label, b: Label):
    """Choice cannot be saved up unseen."""
    assert construct(a, b).bits == min(a.bits + b.bits, SATURATED)


@given(LABELS, LABELS)
def test_steered_is_an_upper_bound_in_every_part(a: Label, gain: Label):
    """A value keeps what it had and takes what its gain brings, bits added."""
    result = steered(a, gain)
    assert _is_below(a, result)
    assert _is_below(gain, result)
    assert result.bits == min(a.bits + gain.bits, SATURATED)


@given(LABELS)
def test_made_of_is_above_and_not_intact(a: Label):
    """Only the intactness goes, with what follows from it."""
    assert _is_below(a, made_of(a))
    assert not made_of(a).intact
    assert made_of(a) is construct(a)


@given(LABELS)
def test_what_is_clear_is_trusted_and_public_and_hands_on_nothing(a: Label):
    """All of it, or it hands on something, with or without bits."""
    sources = a.data | a.choice
    assert a.is_clear is (all(each.is_trusted for each in sources) and a.readers == PUBLIC and a.steer == PUBLIC)
    assert a.is_clear is (steering(a, 0) is NOTHING)


@given(LABELS, st.integers(0, SATURATED))
def test_steering_turns_all_sources_into_choice(a: Label, bits: int):
    """What steers hands on its sources and its secrecy, never its bytes."""
    gain = steering(a, bits)
    if a.is_trusted and a.readers is PUBLIC and a.steer is PUBLIC:
        assert gain is NOTHING
        return
    assert gain.choice == a.data | a.choice
    assert gain.data == frozenset()
    assert gain.bits == bits
    assert is_within(gain.steer, a.readers)
    assert is_within(gain.steer, a.steer)


@given(LABELS)
def test_picking_costs_the_bits_of_the_reference(a: Label):
    """A reference that is not chosen can pick anything."""
    gain = picking(a)
    assert gain.choice >= (frozenset() if gain is NOTHING else a.data | a.choice)
    is_counted = a.is_chosen and a.readers == PUBLIC
    assert gain.bits == (0 if gain is NOTHING else a.bits if is_counted else SATURATED)


@given(st.lists(LABELS, min_size=1, max_size=4))
def test_tested_is_one_bit_steered_by_all(operands: list[Label]):
    """A test has no data; it keeps every untrusted source and every secret of its operands."""
    result = of_test(*operands)
    assert result.data == frozenset()
    assert result.bits == (0 if all(operand.is_clear for operand in operands) else 1)
    for operand in operands:
        assert {source for source in operand.data | operand.choice if not source.is_trusted} <= result.choice
        assert is_within(result.steer, operand.readers)
        assert is_within(result.steer, operand.steer)


@given(LABELS)
def test_saturated_choice_of_what_was_made_is_data(a: Label):
    """Unless it was picked whole, and then steering moves into readers too."""
    if a.bits == SATURATED and not a.intact:
        assert a.choice <= a.data
        assert is_within(a.readers, a.steer)
        assert a.is_trusted or not a.is_chosen


@given(LABELS)
def test_bits_of_what_is_trusted_and_public_are_none(a: Label):
    """An attacker's choice is counted, and what is not for everybody."""
    assert a.bits == 0 or a.steer != PUBLIC or any(not source.is_trusted for source in a.choice)


@given(LABELS)
def test_trusted_and_chosen_say_what_the_design_says(a: Label):
    """Trusted: all sources are. Chosen: all that wrote it are."""
    assert a.is_chosen == all(source.is_trusted for source in a.data)
    assert a.is_trusted == all(source.is_trusted for source in a.data | a.choice)


@given(LABELS)
def test_equal_labels_are_one_object(a: Label):
    """The same parts give the same label, so identity compares labels."""
    again = label(a.data, choice=a.choice, bits=a.bits, readers=a.readers, steer=a.steer, intact=a.intact)
    assert again is a


@given(LABELS, LABELS)
def test_what_is_remembered_is_what_the_operation_makes(a: Label, b: Label):
    """A label's memory gives the same object before and after everything is forgotten."""
    remembered = (a.joins[b], a.constructs[b], a.selects[b], a.tests[b], a.steers[1])
    assert remembered == (join(a, b), construct(a, b), steered(a, b), of_test(a, b), steering(a, 1))
    forget()
    assert not any((a.joins, a.constructs, a.selects, a.tests, a.steers))
    assert remembered == (join(a, b), construct(a, b), steered(a, b), of_test(a, b), steering(a, 1))


def test_no_label_is_remembered_for_good():
    """After more results than are remembered, labels that nobody else holds are gone."""
    first = weakref.ref(construct(LITERAL, label([Source("mail:0")])))
    second = weakref.ref(join(NOTHING, label([Source("mail:0")])))
    assert first() is not None
    for number in range(REMEMBERED):
        join(NOTHING, label([Source(f"mail:{number + 1}")]))
    gc.collect()
    assert (first(), second()) == (None, None)


def test_several_threads_make_one_label():
    """Threads that make the same labels at once, and forget in between, get the same objects."""

    def work(_: int) -> list[Label]:
        made = LITERAL
        seen = []
        for number in range(300):
            made = construct(made, label([Source(f"web:{number}")], readers=PRIVATE))
            seen.append(steered(made, steering(made, 1)))
            if number % 100 == 0:
                forget()
        return seen

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert all(one is other for result in results for one, other in zip(results[0], result, strict=True))


def test_no_label_is_made_without_the_constructor():
    """Neither a call, a copy, pickling nor assignment gives a label that was not closed and interned."""
    with pytest.raises(TypeError, match="labels are made by label"):
        Label()
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="labels are made by label"):
            way(LITERAL)
    with pytest.raises(AttributeError, match="labels do not change"):
        LITERAL.bits = 3  # type: ignore[misc]


def test_fixed_labels():
    """The program's literals are public; the user's words are the user's to read."""
    assert (LITERAL.is_trusted, LITERAL.readers, LITERAL.bits) == (True, PUBLIC, 0)
    assert (REQUEST.is_trusted, REQUEST.readers) == (True, PRIVATE)
    assert repr(REQUEST) == "Label(user | - 0b intact | user | public)"


@pytest.mark.parametrize(("count", "bits"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (256, 8), (257, 9)])
def test_bits_for_a_choice(count: int, bits: int):
    """Picking one of n takes the logarithm, rounded up."""
    assert bits_for(count) == bits


def test_readers_are_ordered_by_inclusion():
    """Everybody, a set, nobody; the intersection is within both."""
    for one, other in itertools.product(_READERS, repeat=2):
        both = one.intersect(other)
        assert is_within(both, one)
        assert is_within(both, other)
        assert both == other.intersect(one)
    assert Readers(frozenset({"alice"})).includes("alice")
    assert not PRIVATE.includes("alice")
    assert PUBLIC.includes("alice")
