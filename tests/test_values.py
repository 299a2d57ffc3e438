"""Values: one constructor, one unwrap, one release, and containers that keep a label at every node."""

from __future__ import annotations

import copy
import enum
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import is_within

from armslength.errors import ToolError
from armslength.labels import LITERAL, NOTHING, PRIVATE, QUARANTINED, REQUEST, Label, Source, label, steered, steering
from armslength.schema import BOOL, STR, Field, RecordType
from armslength.values import (
    DictObject,
    Entry,
    Labelled,
    ListObject,
    Permit,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    admit,
    children,
    frozen_copy,
    is_pending,
    key_of,
    kind,
    make,
    mutable_objects,
    parts,
    promise,
    release,
    restrict,
    sink_label,
    unwrap,
)

_MAIL = Source("mail:unverified")
_LABELS = st.sampled_from(
    [
        LITERAL,
        NOTHING,
        label([_MAIL]),
        label([_MAIL], readers=PRIVATE),
        label(choice=[_MAIL], bits=3),
        label(choice=[_MAIL], bits=9, steer=PRIVATE),
    ]
)
_PERMIT = Permit("test", "policy")
_NOTE = RecordType("Note", (Field("text", STR), Field("done", BOOL)))
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
_LABELLED = st.recursive(
    st.builds(Labelled, _SCALARS, _LABELS),
    lambda inner: (
        st.builds(Labelled, st.lists(inner, max_size=3).map(tuple), _LABELS)
        | st.builds(Labelled, st.dictionaries(st.text(max_size=3), inner, max_size=3), _LABELS)
        | st.builds(Labelled, st.fixed_dictionaries({"text": inner, "done": inner}), _LABELS, st.just(_NOTE))
    ),
    max_leaves=8,
)


class _Words(str):
    """A subclass of an allowed type."""

    __slots__ = ()


class _Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    "raw", [_Words("x"), _Number.ONE, b"x", 1j, [1], (1,), {"a": 1}, {1}, object(), len, str, make(1, LITERAL)]
)
def test_only_the_allow_list_becomes_a_value(raw: Any):
    """Neither subclasses nor host objects get in."""
    with pytest.raises(TypeError, match=f"no value can be made of a {type(raw).__name__}"):
        make(raw, LITERAL)


@pytest.mark.parametrize("raw", [None, True, 1, 1.5, "x"])
def test_scalars_keep_type_and_label(raw: Any):
    """What goes in comes out, with its label."""
    value = make(raw, LITERAL)
    assert unwrap(value) is raw
    assert value.label is LITERAL


def test_a_label_is_needed():
    """Something that looks like a label is none."""
    with pytest.raises(TypeError, match="no value can be made of a int"):
        make(1, None)  # type: ignore[arg-type]


def test_no_value_is_made_without_make():
    """Neither a copy nor pickling gives a value, nor data without a label."""
    with pytest.raises(TypeError, match="missing"):
        Value()  # type: ignore[call-arg]
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="values are made by make"):
            way(make(1, LITERAL))


def test_the_host_cannot_branch_on_a_value():
    """Truth, equality and hash are the language's."""
    value = make(1, LITERAL)
    with pytest.raises(TypeError, match="no truth of its own"):
        bool(value)
    with pytest.raises(TypeError, match="compared by the language only"):
        value == value  # noqa: B015, PLR0124 - the comparison itself is under test
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_repr_shows_no_content():
    """The kind and the label stand there, never what is inside."""
    secret = "the-secret-text"
    shape = make(ListObject([make(secret, LITERAL)], LITERAL), LITERAL)
    found = DictObject(LITERAL)
    found.entries[secret] = Entry(make(secret, LITERAL), shape)
    for value in (make(secret, LITERAL), shape, make(found, LITERAL)):
        assert secret not in repr(value)
        assert secret not in str(value)
        assert secret not in f"{value}"
    assert repr(shape) == "<list Label(program | - 0b intact | public | public)>"


@pytest.mark.parametrize("permit", [None, True, "yes", ("rule", "policy")])
def test_nothing_is_released_without_a_permit(permit: Any):
    """A permit is a permit, not something true."""
    with pytest.raises(TypeError, match="nothing is released without a permit"):
        release(make(1, LITERAL), permit)


def _is_kept(before: Labelled, after: Labelled) -> bool:
    """Every node has the data it had, and every source, bit and secrecy of its label."""
    kept = (
        before.label.data <= after.label.data
        and before.label.choice <= after.label.choice
        and before.label.bits <= after.label.bits
        and is_within(after.label.readers, before.label.readers)
        and is_within(after.label.steer, before.label.steer)
        and before.record == after.record
    )
    match before.data, after.data:
        case tuple() as old, tuple() as new:
            return kept and len(old) == len(new) and all(map(_is_kept, old, new))
        case dict() as old, dict() as new:
            return kept and list(old) == list(new) and all(_is_kept(old[name], new[name]) for name in old)
        case old, new:
            return kept and type(old) is type(new) and old == new and before.label is after.label


def _in_order(given: Labelled) -> Labelled:
    """Records list their fields in the declared order."""
    if isinstance(given.data, tuple):
        return Labelled(tuple(map(_in_order, given.data)), given.label)
    if not isinstance(given.data, dict):
        return given
    names = [field.name for field in given.record.fields] if given.record else list(given.data)
    return Labelled({name: _in_order(given.data[name]) for name in names}, given.label, given.record)


@given(_LABELLED)
def test_what_came_in_goes_out_with_its_labels(outside: Labelled):
    """Admitting and releasing loses neither data nor any part of a label, at any node."""
    assert _is_kept(_in_order(outside), release(admit(outside), _PERMIT))


@given(_LABELLED)
def test_a_frozen_copy_is_the_same_and_cannot_change(outside: Labelled):
    """Data and labels of the copy are those of the original, and nothing in it can change."""
    value = admit(outside)
    copied = frozen_copy(value)
    assert release(copied, _PERMIT) == release(value, _PERMIT)
    assert mutable_objects([copied], _uncounted) == []


def test_a_frozen_copy_does_not_follow_the_original():
    """What the program does later stays out of what was handed over."""
    inner = ListObject([make(1, LITERAL)], NOTHING)
    whole = make(ListObject([make(inner, NOTHING)], NOTHING), NOTHING)
    copied = frozen_copy(whole)
    inner.items.append(make(2, LITERAL))
    assert release(copied, _PERMIT).plain() == [[1]]
    assert release(whole, _PERMIT).plain() == [[1, 2]]


def test_what_holds_itself_cannot_leave():
    """Release and frozen copy end with an error, not with the host's recursion."""
    listed = ListObject([], NOTHING)
    listed.items.append(make(listed, NOTHING))
    for way in (lambda value: release(value, _PERMIT), frozen_copy):
        with pytest.raises(TypeError, match="a value that holds itself, or is nested too deep, cannot leave"):
            way(make(listed, NOTHING))
    assert len(mutable_objects([make(listed, NOTHING)], _uncounted)) == 1
    assert sink_label(make(listed, NOTHING)).is_trusted


def test_a_sink_takes_the_labels_of_reference_shape_and_elements():
    """Sources unite, bits add, readers intersect, over every part of a container."""
    flag = label(choice=[_MAIL], bits=1)
    listed = make(ListObject([make("x", label([_MAIL], readers=PRIVATE)), make(True, flag)], flag), flag)
    assert sink_label(listed) is label([_MAIL], choice=[_MAIL], bits=3, readers=PRIVATE, intact=False)
    assert parts(listed)[:2] == [flag, flag]


def test_a_sink_of_one_picked_thing_is_picked_as_that_is():
    """The program's text says all the rest of it. Two picks, a picked container and a set are made: choice could be saved up."""
    picked = label(choice=[_MAIL], bits=9)
    assert picked.is_chosen
    one = make(ListObject([make("a", picked), make("b", LITERAL)], NOTHING), NOTHING)
    assert sink_label(one) is label(LITERAL.data, choice=[_MAIL], bits=9)
    nested = make(ListObject([one, make("c", LITERAL)], NOTHING), NOTHING)
    assert sink_label(nested) is sink_label(one)
    for made in (
        make(ListObject([make("a", picked), make("b", picked)], NOTHING), NOTHING),
        make(ListObject([make("a", picked)], label(choice=[_MAIL], bits=1)), NOTHING),
        make(ListObject([make("a", LITERAL)], NOTHING), picked),
        make(ListObject([make("a", picked), make("b", label(LITERAL.data, intact=False))], NOTHING), NOTHING),
    ):
        assert not sink_label(made).intact


def test_keys_of_a_dict_count_in_a_sink_and_in_a_release():
    """An untrusted key is content too."""
    mail = label([_MAIL])
    found = DictObject(NOTHING)
    found.entries["k"] = Entry(make("k", mail), make(1, LITERAL))
    value = make(found, NOTHING)
    assert _MAIL in sink_label(value).data
    assert _MAIL in release(value, _PERMIT).label.data


def test_a_record_with_other_fields_is_not_admitted():
    """What a tool returns has the declared fields, all and only."""
    with pytest.raises(TypeError, match="a Note with other fields than declared"):
        admit(Labelled({"text": Labelled("x", LITERAL)}, LITERAL, _NOTE))


def test_kinds_have_the_names_of_the_language():
    """As `isinstance` and messages show them."""
    record = RecordObject(_NOTE, {"text": make("x", LITERAL), "done": make(False, LITERAL)})
    raws = [None, True, 1, 1.5, "x", ListObject([], NOTHING), TupleObject([], NOTHING), SetObject(NOTHING), record]
    assert [kind(make(raw, LITERAL)) for raw in raws] == "None bool int float str list tuple set Note".split()
    assert [kind(field) for field in children(record)] == ["str", "bool"]


def test_lists_are_no_keys_even_within_a_tuple():
    """As in Python."""
    with pytest.raises(TypeError, match="unhashable type: list"):
        key_of(make(TupleObject([make(ListObject([], NOTHING), NOTHING)], NOTHING), NOTHING))


@given(_LABELS, _LABELS)
def test_restrict_only_adds(own: Label, by: Label):
    """The data is the same object; the label is the old one steered by the gain."""
    value = make("x", own)
    gain = steering(by, 2)
    assert unwrap(restrict(value, gain)) == "x"
    assert restrict(value, gain).label is steered(own, gain)


def _uncounted(_walked: int) -> None:
    """Nobody counts."""


def test_a_promise_waits_once_and_then_is_the_value():
    """Nothing is asked for until data or label is; then it is asked once."""
    asked: list[str] = []

    def resolve() -> Value:
        asked.append("asked")
        return make("text", REQUEST)

    value = promise(resolve)
    assert is_pending(value)
    assert asked == []
    assert value.label is REQUEST
    assert unwrap(value) == "text"
    assert asked == ["asked"]
    assert not is_pending(value)


def test_a_promise_that_is_steered_still_waits():
    """A branch that steers what is still to come does not wait for it; the label has the steering when it is there."""
    gain = label(choice=[QUARANTINED], bits=1)
    value = restrict(promise(lambda: make("text", LITERAL)), gain)
    assert is_pending(value)
    assert value.label is restrict(make("text", LITERAL), gain).label


def test_a_promise_that_fails_fails_where_it_is_asked():
    """Each time, with the error of whoever should have kept it."""

    def resolve() -> Value:
        raise ToolError("no answer")

    value = promise(resolve)
    for _ in range(2):
        with pytest.raises(ToolError, match="no answer"):
            unwrap(value)
