"""`json`: Python's results both ways, bounded, labelled down to each key."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.library_world import GUESS, MAIL, READ, called, machine_for, plain, value_of
from tests.language.world import MAIL as MAIL_TYPE

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import NOTHING, construct
from armslength.language import Limits
from armslength.values import (
    BuiltinObject,
    DictObject,
    ListObject,
    MemberObject,
    RecordObject,
    SetObject,
    Value,
    children,
    make,
    parts,
    unwrap,
)

_scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6))
_data = st.recursive(
    _scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


def _failure(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(ProgramFailed) as failed:
        act()
    return failed.value.code, failed.value.reason


@given(_data, st.sampled_from([None, 0, 1, 2, -1, "\t", "", True]), st.booleans(), st.booleans())
def test_what_is_written_is_pythons(data: Any, indent: Any, sort_keys: Any, ensure_ascii: Any) -> None:
    """With every argument, and read back to the same."""
    named = {"indent": indent, "sort_keys": sort_keys, "ensure_ascii": ensure_ascii}
    text = plain("json.dumps", data, **named)
    assert text == json.dumps(data, **named)
    assert repr(plain("json.loads", text)) == repr(json.loads(text))


@given(
    st.dictionaries(st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3)), st.integers(), max_size=4)
)
def test_keys_that_are_no_texts_are_written_as_python_writes_them(data: dict[Any, int]) -> None:
    """Numbers, truths and None as keys; sorting them fails where Python raises."""
    assert plain("json.dumps", data) == json.dumps(data)
    try:
        expected = json.dumps(data, sort_keys=True)
    except TypeError:
        expected = None
    if expected is None:
        assert _failure(lambda: called("json.dumps", data, sort_keys=True)) == (
            "type",
            "keys of different kinds have no order",
        )
    else:
        assert plain("json.dumps", data, sort_keys=True) == expected


@given(st.text('{}[],:"\\ue0123.-+eEtrufalsnN \n', max_size=14))
def test_any_text_is_read_as_python_reads_it_or_fails(text: str) -> None:
    """No text lets an exception of Python out."""
    try:
        expected = json.loads(text)
    except ValueError:
        assert _failure(lambda: called("json.loads", text)) == ("value", "the text is not JSON")
    else:
        assert repr(plain("json.loads", text)) == repr(expected)


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', "NaN", "[-Infinity, Infinity]", "1e400", "-0", " 1 ", "[1.0, 1e2, -12]"]
)
def test_corners_of_json_are_pythons(text: str) -> None:
    """Keys that stand twice, numbers that are none, halves of characters."""
    assert repr(plain("json.loads", text)) == repr(json.loads(text))


def test_separators_and_tuples() -> None:
    """Tuples are lists; separators are two texts."""
    data = {"a": (1, [2]), "b": "é"}
    assert plain("json.dumps", data, separators=(",", ":")) == '{"a":[1,[2]],"b":"\\u00e9"}'
    assert plain("json.dumps", obj=data, separators=[";", "="]) == '{"a"=[1;[2]];"b"="\\u00e9"}'
    assert plain("json.dumps", [], separators=None) == "[]"


def test_what_json_has_no_form_for() -> None:
    """Dates and sets are texts with `default=str`; a record is an object of its fields; a member that is a text is one."""
    text = make(BuiltinObject("str"), NOTHING)
    day = date(2026, 11, 30)
    refused = ("type", "json has no form for this; make it a text or a number")
    assert _failure(lambda: called("json.dumps", [day])) == refused
    assert plain("json.dumps", [day], default=text) == '["2026-11-30"]'
    members = SetObject(NOTHING)
    assert _failure(lambda: called("json.dumps", make(members, NOTHING))) == refused
    assert plain("json.dumps", make(members, NOTHING), default=text) == '"set()"'
    record = make(RecordObject(MAIL_TYPE, {field.name: value_of("x") for field in MAIL_TYPE.fields}), NOTHING)
    assert json.loads(plain("json.dumps", record)) == {field.name: "x" for field in MAIL_TYPE.fields}
    assert (
        plain("json.dumps", make(MemberObject("Level", "HIGH", value_of("high"), is_mixed=True), NOTHING)) == '"high"'
    )
    assert (
        _failure(lambda: called("json.dumps", make(MemberObject("Level", "HIGH", value_of("high")), NOTHING)))
        == refused
    )


@pytest.mark.parametrize(
    ("path", "args", "named", "expected"),
    [
        ("json.loads", (1,), {}, ("type", "the arguments do not fit loads")),
        ("json.loads", (), {}, ("type", "the arguments do not fit loads")),
        ("json.loads", ("1" * 4_001,), {}, ("value", "the text is not JSON")),
        ("json.dumps", (), {}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1, 2), {}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"indent": 21}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"indent": " " * 21}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"indent": 1.5}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"separators": ","}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"separators": (",", 1)}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"cls": 1}, ("type", "the arguments do not fit dumps")),
        ("json.dumps", (1,), {"default": "str"}, ("type", "dumps takes str as default, and no other")),
        ("json.dumps", ({(1, 2): 3},), {}, ("type", "the keys of json are texts or numbers")),
    ],
)
def test_arguments_that_do_not_fit_fail(
    path: str, args: tuple[Any, ...], named: dict[str, Any], expected: tuple[str, str]
) -> None:
    """Each with its code and reason."""
    keyed = {name: value_of(value) for name, value in named.items()}
    if args and isinstance(args[0], dict):
        args = (_keyed_by_tuple(),)
    assert _failure(lambda: called(path, *args, **keyed)) == expected


def _keyed_by_tuple() -> Value:
    from armslength.values import Entry, key_of

    made = DictObject(NOTHING)
    key = value_of((1, 2))
    made.entries[key_of(key)] = Entry(key, value_of(3))
    return make(made, NOTHING)


@pytest.mark.parametrize("depth", [61, 200, 100_000])
def test_text_that_is_nested_too_deep_ends_with_the_limit(depth: int) -> None:
    """Sixty levels can be read; more end the program, however much stack there is."""
    with pytest.raises(LimitReached) as reached:
        called("json.loads", "[" * depth + "]" * depth)
    assert reached.value.limit == "depth"
    assert plain("json.loads", "[" * 50 + "]" * 50) == json.loads("[" * 50 + "]" * 50)


def test_data_that_holds_itself_ends_with_the_limit() -> None:
    """A circle is too deep."""
    circle = ListObject([], NOTHING)
    circle.items.append(make(circle, NOTHING))
    with pytest.raises(LimitReached) as reached:
        called("json.dumps", make(circle, NOTHING))
    assert reached.value.limit == "depth"


@pytest.mark.parametrize(
    ("path", "given", "named"),
    [
        ("json.loads", "[" + "1," * 50_000 + "1]", {}),
        ("json.dumps", "é" * 60_000, {}),
        ("json.dumps", ["\n"] * 20_000, {"indent": 20}),
    ],
)
def test_long_texts_are_counted_before_they_are_made(path: str, given: Any, named: dict[str, Any]) -> None:
    """Escapes and indents count."""
    machine = machine_for(Limits(size=300_000))
    with pytest.raises(LimitReached) as reached:
        called(path, given, machine=machine, **named)
    assert reached.value.limit == "size"


# Labels


def _labels(value: Value) -> set[Any]:
    """The labels of all references, shapes, keys and elements."""
    raw = unwrap(value)
    below = children(raw) if isinstance(raw, ListObject | DictObject) else []
    return {value.label, *parts(value)}.union(*map(_labels, below))


def test_each_node_that_is_read_is_made_of_the_text() -> None:
    """References too: whether there is a list or a dict was the text's choice."""
    found = called("json.loads", value_of('{"a": [1, {"b": null}], "c": true}', MAIL))
    assert _labels(found) == {construct(MAIL)}
    raw = unwrap(found)
    assert isinstance(raw, DictObject)
    assert not raw.is_frozen
    assert called("json.loads", value_of("1", GUESS)).label is construct(GUESS)


def test_what_is_written_is_made_of_all_parts() -> None:
    """Shapes, keys, elements and the arguments beside."""
    inner = value_of([value_of(1, READ)], MAIL)
    text = called("json.dumps", inner, indent=value_of(1, GUESS))
    assert text.label.data == construct(MAIL, READ, GUESS).data
    assert text.label.choice == GUESS.choice
    keyed = DictObject(NOTHING)
    from armslength.values import Entry

    keyed.entries["k"] = Entry(value_of("k", MAIL), value_of(1))
    assert called("json.dumps", make(keyed, NOTHING)).label.data == MAIL.data


@pytest.mark.parametrize(("path", "given"), [("json.loads", "1"), ("json.dumps", [1])])
def test_what_may_fail_on_untrusted_data_raises_halt(path: str, given: Any) -> None:
    """A text may be no JSON, and data may have no form."""
    machine = machine_for()
    called(path, value_of(given, MAIL), machine=machine)
    assert machine.halt.choice == MAIL.data


def test_a_failure_on_untrusted_text_is_not_told() -> None:
    """Whether a mail is JSON is no news for the planner."""
    with pytest.raises(ProgramFailed) as failed:
        called("json.loads", value_of("{", MAIL))
    assert not failed.value.is_trusted
