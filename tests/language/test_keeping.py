"""Values that outlive a program: copies of their own, and their way to JSON and back."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.errors import ToolError
from armslength.events import label_from_json, label_to_json
from armslength.labels import LITERAL, NOTHING, PRIVATE, Label, Source, label
from armslength.language import prepare, run
from armslength.language.kept.keeping import unshared
from armslength.language.kept.storing import Reading, Writing, type_from_json, type_to_json
from armslength.schema import ANY, BOOL, INT, STR, Field, ListOf, Menu, OptionalOf, RecordType, Type
from armslength.values import (
    DictObject,
    Entry,
    ListObject,
    Permit,
    Value,
    is_pending,
    make,
    mutable_objects,
    parts,
    promise,
    release,
    unwrap,
)

MAIL = label([Source("mail:unverified"), Source("store:mail:b@example.com")], readers=PRIVATE)
TYPES = """\
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum
@dataclass
class Task:
    title: str
    tags: list[str]
class Level(Enum):
    LOW = 1
"""


class Nobody:
    """A host that a program has no use for."""

    def __getattr__(self, name: str) -> object:
        if name == "ended":
            return lambda halt: None
        raise AssertionError(name)


def made(expression: str) -> Value:
    """The value of an expression."""
    return run(prepare(f"{TYPES}x = {expression}", ()), Nobody())["x"]  # type: ignore[arg-type]


def plain(value: Value) -> object:
    """What it is, and each of its labels."""
    return release(value, Permit("test", "policy"))


def uncounted(_count: int) -> None:
    """Nothing is counted."""


EVERYTHING = (
    "None", "True", "7", "-1.5", "'é\\x00'", "[1, [2, 'a']]", "(1, [2])", "{'a': [1], 2: None, (1, 'b'): 3}", "{1, 'a'}",
    "Task('t', ['a'])", "Level.LOW", "[Level.LOW]", "date(2026, 1, 2)", "datetime(2026, 1, 2, 3, 4, 5, 6)",
    "datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=-3)))", "time(1, 2)", "timedelta(days=-1, seconds=5)",
    "timezone(timedelta(hours=2))", "10 ** 300",
)  # fmt: skip


@pytest.mark.parametrize("expression", [*EVERYTHING, "iter([1, 2])", "zip([1], ['a'])"])
def test_a_copy_is_the_same_and_its_own(expression: str) -> None:
    """Data, labels and kinds are those of the value; nothing that can change is shared."""
    value = made(expression)
    copy = unshared(value, uncounted)
    assert copy is not None
    assert type(unwrap(copy)) is type(unwrap(value))
    assert plain(copy) == plain(value)
    assert parts(copy) == parts(value)
    before, after = mutable_objects([value], uncounted), mutable_objects([copy], uncounted)
    assert len(before) == len(after)
    assert not {id(each) for each in before} & {id(each) for each in after}


@pytest.mark.parametrize("expression", ["lambda: 1", "[lambda: 1]", "len", "{'a': (len,)}", "[].append"])
def test_a_function_is_kept_nowhere(expression: str) -> None:
    """Whatever it stands in is not kept either."""
    assert unshared(made(expression), uncounted) is None


def test_what_holds_itself_does_so_again() -> None:
    """And what is one object stays one."""
    whole = ListObject([], LITERAL)
    part = make(ListObject([], NOTHING), MAIL)
    whole.items = [part, part, make(whole, NOTHING)]
    copy = unshared(make(whole, LITERAL), uncounted)
    assert copy is not None
    raw = unwrap(copy)
    assert isinstance(raw, ListObject)
    assert unwrap(raw.items[0]) is unwrap(raw.items[1])
    assert unwrap(raw.items[2]) is raw is not whole
    assert raw.items[0].label is MAIL


def test_depth_is_no_bound() -> None:
    """A list nested a hundred thousand deep is copied, written and read."""
    value = make(1, LITERAL)
    for _ in range(100_000):
        value = make(ListObject([value], NOTHING), NOTHING)
    copy = unshared(value, uncounted)
    assert copy is not None
    again = stored(copy)
    for _ in range(100_000):
        raw = unwrap(again)
        assert isinstance(raw, ListObject)
        (again,) = raw.items
    assert unwrap(again) == 1


def test_frozen_lists_stay_as_they_are() -> None:
    """Nothing of a tool's result can change, so it is not copied."""
    value = make(ListObject([make(1, MAIL)], MAIL, is_frozen=True), MAIL)
    copy = unshared(value, uncounted)
    assert copy is not None
    assert unwrap(copy) is unwrap(value)


def test_what_is_to_come_is_waited_for() -> None:
    """A promise is kept as what it gave, and what it raises is raised."""
    value = make(ListObject([promise(lambda: make(1, MAIL))], LITERAL), LITERAL)
    copy = unshared(value, uncounted)
    assert copy is not None
    assert not any(map(is_pending, unwrap(copy).items))  # type: ignore[union-attr]

    def fail() -> Value:
        raise ToolError("gone")

    with pytest.raises(ToolError, match="gone"):
        unshared(make(ListObject([promise(fail)], LITERAL), LITERAL), uncounted)


def test_every_object_is_counted() -> None:
    """One for it, and one for each of its elements."""
    counts: list[int] = []
    unshared(made("[1, [2, 3]]"), counts.append)
    assert sum(counts) == 3 + 3


def stored(value: Value) -> Value:
    """Written, through JSON, and read."""
    writing = Writing(label_to_json)
    root = writing.value(value)
    whole = json.loads(json.dumps({"labels": writing.labels, "objects": writing.objects}, ensure_ascii=True))
    return Reading(whole, label_from_json).value(json.loads(json.dumps(root)))


@pytest.mark.parametrize("expression", EVERYTHING)
def test_a_stored_value_comes_back(expression: str) -> None:
    """Data, labels, kinds and what changes are as they were."""
    value = made(expression)
    again = stored(value)
    assert type(unwrap(again)) is type(unwrap(value))
    assert plain(again) == plain(value)
    assert parts(again) == parts(value)
    assert len(mutable_objects([again], uncounted)) == len(mutable_objects([value], uncounted))


def test_each_label_comes_back_where_it_was() -> None:
    """Of the reference, the shape, keys and elements."""
    found = DictObject(label([Source("web:a.example")]))
    value = make(found, label(choice=[Source("mail:b@example.com")], bits=3))
    key, item = make("k", MAIL), make(True, label([Source("file:x")], steer=PRIVATE))
    found.entries = {"k": Entry(key, item)}
    again = stored(value)
    assert parts(again) == parts(value)


@pytest.mark.parametrize("expression", ["iter([1])", "lambda: 1", "len", "[iter([1])]"])
def test_what_cannot_be_written_is_refused(expression: str) -> None:
    """An iterator, a function: whoever writes hears of it."""
    with pytest.raises(TypeError, match="is not kept on disk"):
        Writing(label_to_json).value(made(expression))


LABEL = label_to_json(LITERAL)
GOOD: Mapping[str, object] = {
    "labels": [LABEL],
    "objects": [{"kind": "list", "shape": 0, "frozen": False, "items": []}],
}


@pytest.mark.parametrize(
    "stored_json",
    [
        {},
        {"labels": [LABEL]},
        {"labels": "x", "objects": []},
        {"labels": [{}], "objects": []},
        {"labels": [LABEL], "objects": [{"kind": "function"}]},
        {"labels": [LABEL], "objects": [{"kind": "list", "shape": 1, "frozen": False, "items": []}]},
        {"labels": [LABEL], "objects": [{"kind": "list", "shape": -1, "frozen": False, "items": []}]},
        {"labels": [LABEL], "objects": [{"kind": "list", "shape": True, "frozen": False, "items": []}]},
        {"labels": [LABEL], "objects": [{"kind": "list", "shape": 0, "frozen": 0, "items": []}]},
        {"labels": [LABEL], "objects": [{"kind": "list", "shape": 0, "frozen": False, "items": [1]}]},
        {"labels": [LABEL], "objects": [{"kind": "tuple", "shape": 0, "items": [{"label": 0, "object": 1}]}]},
        {"labels": [LABEL], "objects": [{"kind": "set", "shape": 0, "items": [{"label": 0, "object": 0}]}]},
        {"labels": [LABEL], "objects": [{"kind": "dict", "shape": 0, "frozen": False, "pairs": [[1]]}]},
        {"labels": [LABEL], "objects": [{"kind": "record", "type": {"scalar": "str"}, "frozen": True, "fields": {}}]},
        {"labels": [LABEL], "objects": [{"kind": "record", "type": {}, "frozen": True, "fields": {}}]},
    ],
)  # fmt: skip
def test_what_is_no_stored_value_is_refused_whole(stored_json: dict[str, object]) -> None:
    """A damaged file gives no value with half of its labels."""
    with pytest.raises(ValueError, match=r"."):
        Reading(stored_json, label_from_json)


@pytest.mark.parametrize(
    "root",
    [
        {}, {"label": 0}, {"label": 5, "data": 1}, {"label": 0, "data": []}, {"label": 0, "object": 9}, {"label": 0, "object": "0"},
        {"label": 0, "moment": "date", "data": "x"}, {"label": 0, "moment": "week", "data": "x"},
        {"label": 0, "moment": "timedelta", "data": [1, 2]}, {"label": 0, "moment": "timedelta", "data": [1, 2, "x"]},
        {"label": 0, "moment": "timedelta", "data": [10**30, 0, 0]},
    ],
)  # fmt: skip
def test_what_is_no_reference_is_refused(root: dict[str, object]) -> None:
    """Nor does one that leads nowhere."""
    with pytest.raises(ValueError, match=r"."):
        Reading(dict(GOOD), label_from_json).value(root)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(
        st.sampled_from(["kind", "shape", "frozen", "items", "pairs", "type", "fields", "value"]), json_values
    )
)
def test_any_json_is_a_value_or_refused(given_object: dict[str, object]) -> None:
    """No other exception escapes, whatever stands in a file."""
    try:
        Reading({"labels": [LABEL], "objects": [given_object]}, label_from_json)
    except ValueError:
        return


TASK = RecordType("Task", (Field("a", STR, True, "x", "words"), Field("b", OptionalOf(INT), True, None)))


@pytest.mark.parametrize(
    "declared",
    [ANY, BOOL, ListOf(STR), OptionalOf(TASK), Menu(("a", 1, True)), Menu(("l",), "Level"), ListOf(ListOf(TASK))],
)
def test_a_type_comes_back(declared: Type) -> None:
    """Every kind of it, with its fields and their defaults."""
    assert type_from_json(json.loads(json.dumps(type_to_json(declared)))) == declared


@pytest.mark.parametrize(
    "stored_type",
    [
        {},
        {"scalar": "bytes"},
        {"list": 1},
        {"menu": [1.5], "enumeration": ""},
        {"record": "R", "fields": [{}]},
        {"optional": {}},
    ],
)
def test_what_is_no_type_is_refused(stored_type: dict[str, object]) -> None:
    """Unknown means no."""
    with pytest.raises(ValueError, match="not a stored"):
        type_from_json(stored_type)


def test_a_label_is_what_its_reader_says() -> None:
    """Whoever reads decides what a stored label is today."""
    writing = Writing(label_to_json)
    root = writing.value(make("x", LITERAL))

    def today(_stored: dict[str, object]) -> Label:
        return MAIL

    read = Reading({"labels": writing.labels, "objects": writing.objects}, today).value(root)
    assert read.label is MAIL
