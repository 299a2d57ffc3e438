"""What counts as an answer of the quarantined model, and which label it gets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers import is_within

from armslength.agent.quarantined.answer import Misfit, answer_form, answer_schema, conform
from armslength.agent.quarantined.reader import Reader, label_reading
from armslength.labels import (
    LITERAL,
    NOTHING,
    PRIVATE,
    PUBLIC,
    QUARANTINED,
    REQUEST,
    Label,
    Readers,
    Source,
    join,
    label,
)
from armslength.schema import BOOL, FLOAT, INT, NONE, STR, Field, ListOf, Menu, OptionalOf, RecordType, Type
from armslength.testing import ScriptedModel
from armslength.values import Labelled, Plain

ALICE = Source("mail:alice@example.com", is_trusted=True)
MALLORY = Source("mail:unverified")
WEB = Source("web:example.com")
MAIL = label([MALLORY], readers=PRIVATE)
INFO = RecordType("Info", (Field("name", STR), Field("is_urgent", BOOL), Field("day", OptionalOf(STR))))


def text(data: str) -> Labelled:
    """Untrusted text."""
    return Labelled(data, MAIL)


def ask(reply: object, declared: Type) -> Plain:
    """What the reader hands on of one JSON reply, or of a text as it is."""
    model = ScriptedModel([reply if isinstance(reply, str) else json.dumps(reply)] * 3)
    return Reader(model).read("?", [text("x")], declared).answer


# --- what counts as an answer ---


@pytest.mark.parametrize(
    ("reply", "declared", "answer"),
    [
        ({"answer": "x"}, STR, "x"),
        ({"answer": ""}, STR, ""),
        ('{"answer": "\\ud800 \\ud83d\\ude00"}', STR, "\ufffd 😀"),
        ({"answer": 3}, INT, 3),
        ({"answer": 3.0}, INT, 3),
        ({"answer": -(2**63) + 1}, INT, -(2**63) + 1),
        ({"answer": 3}, FLOAT, 3.0),
        ({"answer": 2.5}, FLOAT, 2.5),
        ({"answer": False}, BOOL, False),
        ({"answer": None}, NONE, None),
        ({"answer": None}, OptionalOf(STR), None),
        ({"answer": "x"}, OptionalOf(STR), "x"),
        ({"answer": ["a", "a"]}, ListOf(STR), ["a", "a"]),
        ({"answer": []}, ListOf(INT), []),
        ({"answer": 1}, Menu((True, 1, "a")), 1),
        ({"answer": True}, Menu((1, True, "a")), True),
        ({"name": "n", "is_urgent": True, "day": None}, INFO, {"name": "n", "is_urgent": True, "day": None}),
        ({"is_urgent": True, "name": "n"}, INFO, {"name": "n", "is_urgent": True, "day": None}),
        ({}, RecordType("A", (Field("a", INT, has_default=True, default=7),)), {"a": 7}),
        ({"answer": [{"name": "n", "is_urgent": False, "day": "d"}]}, ListOf(INFO), [{"name": "n", "is_urgent": False, "day": "d"}]),
        ('```json\n{"answer": 1}\n```', INT, 1),
        ('  {"answer": 1}\n', INT, 1),
    ],
)  # fmt: skip
def test_an_answer_of_the_declared_type_is_handed_on(reply: object, declared: Type, answer: Plain) -> None:
    """Value and type are exact; an absent Optional is None; numbers take the declared kind."""
    found = ask(reply, declared)
    assert (found, type(found)) == (answer, type(answer))


def test_too_deep_an_answer_is_refused() -> None:
    """Depth is counted, not left to the stack."""
    declared: Type = STR
    answer: Plain = "x"
    for _ in range(30):
        declared, answer = ListOf(declared), [answer]
    with pytest.raises(Misfit):
        conform(answer, declared)


def test_the_form_and_the_schema_say_the_same() -> None:
    """A record stands at the top, everything else under `answer`."""
    assert answer_form(INFO) == '{"name": string, "is_urgent": true or false, "day": string or null}'
    assert answer_schema(INFO)["required"] == ["name", "is_urgent", "day"]
    assert answer_form(ListOf(OptionalOf(FLOAT))) == '{"answer": [number or null, ...]}'
    assert answer_form(Menu(("a", 1, True))) == '{"answer": "a" or 1 or true}'
    assert answer_schema(OptionalOf(INFO))["properties"]["answer"]["anyOf"][1] == {"type": "null"}


_TYPES: st.SearchStrategy[Type] = st.recursive(
    st.sampled_from([STR, INT, FLOAT, BOOL, NONE, Menu(("a", "b", 3)), Menu(tuple(range(257)))]),
    lambda inner: st.one_of(
        st.builds(ListOf, inner),
        st.builds(OptionalOf, inner),
        st.lists(inner, max_size=3).map(lambda types: RecordType("R", tuple(Field(f"f{n}", each) for n, each in enumerate(types)))),
    ),
    max_leaves=5,
)  # fmt: skip


def answers(declared: Type) -> st.SearchStrategy[Any]:
    """Answers of a type."""
    match declared:
        case ListOf(item):
            return st.lists(answers(item), max_size=3)
        case OptionalOf(inner):
            return st.none() | answers(inner)
        case Menu(choices):
            return st.sampled_from(choices)
        case RecordType():
            return st.fixed_dictionaries({each.name: answers(each.type) for each in declared.fields})
        case scalar:
            return {
                "str": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
                "int": st.integers(-(2**60), 2**60),
                "float": st.floats(allow_nan=False, allow_infinity=False),
                "bool": st.booleans(),
                "None": st.none(),
            }[scalar.name]  # type: ignore[union-attr]


_TYPED = _TYPES.flatmap(lambda declared: st.tuples(st.just(declared), answers(declared)))


@given(_TYPED)
def test_every_answer_of_a_type_conforms_unchanged(typed: tuple[Type, Plain]) -> None:
    """What is right passes as it is, through JSON as well."""
    declared, answer = typed
    assert conform(answer, declared) == answer
    envelope = answer if isinstance(declared, RecordType) else {"answer": answer}
    assert ask(envelope, declared) == answer


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["f0", "f1", "answer", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(_JSON, _TYPES)
def test_whatever_conforms_is_of_the_type(given_data: Any, declared: Type) -> None:
    """Any JSON is refused, or comes out as something that the label can be put on, and conforms again."""
    try:
        answer = conform(given_data, declared)
    except Misfit:
        return
    assert conform(answer, declared) == answer
    assert label_reading(answer, declared, LITERAL, [MAIL]).plain() == answer


# --- labels ---


def test_a_menu_is_steered_by_all_inputs_and_holds_no_data() -> None:
    """bool, `Literal` and Optional of them: choice and ceil(log2 n) bits, public to read, steer as narrow as the inputs."""
    sources = [QUARANTINED, *LITERAL.data, MALLORY]
    for answer, declared, bits in (
        (True, BOOL, 1), ("a", Menu(("a", "b", "c")), 2), (None, OptionalOf(BOOL), 2), ("a", Menu(("a",)), 0), (0, Menu(tuple(range(256))), 8),
    ):  # fmt: skip
        made = label_reading(answer, declared, LITERAL, [MAIL])
        assert made == Labelled(answer, label(choice=sources, bits=bits, readers=PUBLIC, steer=PRIVATE, intact=True))
        assert made.label.is_chosen
        assert not made.label.is_trusted


def test_everything_else_is_made_of_all_inputs() -> None:
    """str, numbers, larger menus, and None where one could be: data of every source, read by those who may read every input."""
    steered_data = label(
        [ALICE], choice=[WEB], bits=3, readers=Readers(frozenset({"bob", "carol"})), steer=Readers(frozenset({"bob"}))
    )
    expected = label([QUARANTINED, *REQUEST.data, ALICE, WEB], readers=PRIVATE, steer=PRIVATE, intact=False)
    for answer, declared in (
        ("x", STR),
        (1, INT),
        (1.5, FLOAT),
        (5, Menu(tuple(range(257)))),
        (None, OptionalOf(STR)),
        (None, OptionalOf(ListOf(BOOL))),
    ):
        assert label_reading(answer, declared, REQUEST, [steered_data]) == Labelled(answer, expected)
    narrow = label_reading("x", STR, LITERAL, [steered_data]).label
    assert narrow.readers == narrow.steer == Readers(frozenset({"bob"}))


def test_a_question_about_nothing_is_still_the_quarantined_models() -> None:
    """Without data the answer is the model's own invention."""
    assert label_reading("x", STR, LITERAL, []).label == label([QUARANTINED, *LITERAL.data], intact=False)


def test_a_lists_shape_is_made_even_of_menu_items() -> None:
    """How many there are is written by the model; each item is a choice."""
    made = label_reading([True, False], ListOf(BOOL), LITERAL, [MAIL])
    assert made.label == label([QUARANTINED, *LITERAL.data, MALLORY], readers=PRIVATE, steer=PRIVATE, intact=False)
    assert isinstance(made.data, tuple)
    assert {item.label for item in made.data} == {
        label(choice=[QUARANTINED, *LITERAL.data, MALLORY], bits=1, steer=PRIVATE)
    }


def test_a_records_reference_holds_nothing_and_fields_go_by_their_types() -> None:
    """It has always the declared fields; an Optional record is a choice of two."""
    answer: Plain = {"name": "n", "is_urgent": True, "day": None}
    whole = label([QUARANTINED, *LITERAL.data, MALLORY], readers=PRIVATE, steer=PRIVATE, intact=False)
    picked = label(choice=[QUARANTINED, *LITERAL.data, MALLORY], bits=1, steer=PRIVATE)
    fields = {"name": Labelled("n", whole), "is_urgent": Labelled(True, picked), "day": Labelled(None, whole)}
    assert label_reading(answer, INFO, LITERAL, [MAIL]) == Labelled(fields, NOTHING, INFO)
    assert label_reading(answer, OptionalOf(INFO), LITERAL, [MAIL]) == Labelled(fields, picked, INFO)
    assert label_reading(None, OptionalOf(INFO), LITERAL, [MAIL]) == Labelled(None, picked)


@pytest.mark.parametrize(
    ("answer", "declared"),
    [
        ([1], BOOL),
        ({"a": 1}, STR),
        ({"name": "n"}, INFO),
        ("x", INFO),
        ("x", OptionalOf(INFO)),
        ([1], OptionalOf(Menu((1,)))),
    ],
)
def test_an_answer_of_another_shape_gets_no_label(answer: Plain, declared: Type) -> None:
    """The last branch refuses."""
    with pytest.raises(TypeError):
        label_reading(answer, declared, LITERAL, [MAIL])


_SOURCES = st.frozensets(st.sampled_from([ALICE, MALLORY, WEB, *LITERAL.data, *REQUEST.data]), max_size=3)
_READERS = st.none() | st.frozensets(st.sampled_from(["a", "b", "c"]), max_size=3)
_LABELS = st.builds(
    lambda data, choice, bits, readers, steer, intact: label(
        data, choice=choice, bits=bits, readers=Readers(readers), steer=Readers(steer), intact=intact
    ),
    _SOURCES, _SOURCES, st.integers(0, 9), _READERS, _READERS, st.booleans(),
)  # fmt: skip


def leaves(made: Labelled) -> list[tuple[Labelled, Label]]:
    """Every node that holds something of the answer: all but the references of records that are always there."""
    below = made.data if isinstance(made.data, tuple) else made.data.values() if isinstance(made.data, dict) else ()
    here = [] if made.record is not None and made.label is NOTHING else [(made, made.label)]
    return here + [leaf for part in below for leaf in leaves(part)]


@given(_TYPED, _LABELS, st.lists(_LABELS, max_size=3))
def test_no_source_is_dropped_and_no_reader_added(
    typed: tuple[Type, Plain], instruction: Label, data: list[Label]
) -> None:
    """At every node: all sources of all inputs and the model's own; steer, and readers where data is, within every input's."""
    declared, answer = typed
    made = label_reading(answer, declared, instruction, data)
    assert made.plain() == answer
    for _node, found in leaves(made):
        for given_label in (instruction, *data, label([QUARANTINED])):
            assert given_label.data | given_label.choice <= found.data | found.choice
            assert is_within(found.steer, given_label.readers)
            assert is_within(found.steer, given_label.steer)
            if found.data:
                assert given_label.data | given_label.choice <= found.data
                assert is_within(found.readers, given_label.readers)
                assert is_within(found.readers, given_label.steer)
        assert not found.is_trusted
        assert found.data or (found.bits <= 8 and found.intact)


@given(_TYPED, _LABELS, _LABELS)
def test_more_inputs_never_lower_a_label(typed: tuple[Type, Plain], one: Label, other: Label) -> None:
    """Each node's label with a further input is an upper bound of its label without."""
    declared, answer = typed
    fewer, more = (
        label_reading(answer, declared, LITERAL, [one]),
        label_reading(answer, declared, LITERAL, [one, other]),
    )
    for (_, low), (_, high) in zip(leaves(fewer), leaves(more), strict=True):
        assert join(low, high) is high
