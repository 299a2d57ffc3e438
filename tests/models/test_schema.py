from __future__ import annotations

from typing import Any

import pytest

from armslength.models.schema import ProviderSchema, open_answer, provider_schema

RECORD = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "default": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
    "required": ["title", "default"],
    "additionalProperties": False,
}


def test_a_closed_record_is_sent_as_it_is() -> None:
    """Fields that are named like schema keywords stay."""
    assert provider_schema(RECORD) == ProviderSchema(RECORD, is_strict=True, is_enclosed=False)


@pytest.mark.parametrize("schema", [{"type": "boolean"}, {"enum": ["a", "b"]}, {"type": "array", "items": RECORD}])
def test_what_is_no_object_is_enclosed_in_one(schema: dict[str, Any]) -> None:
    """Providers want an object at the top."""
    sent = provider_schema(schema)
    assert sent.schema == {
        "type": "object",
        "properties": {"answer": schema},
        "required": ["answer"],
        "additionalProperties": False,
    }
    assert (sent.is_strict, sent.is_enclosed) == (True, True)


def test_definitions_stay_at_the_top_of_an_enclosed_schema() -> None:
    """References from the root keep their meaning."""
    sent = provider_schema({"type": "array", "items": {"$ref": "#/$defs/R"}, "$defs": {"R": RECORD}})
    assert sent.schema["$defs"] == {"R": RECORD}
    assert sent.schema["properties"] == {"answer": {"type": "array", "items": {"$ref": "#/$defs/R"}}}


def test_an_open_record_is_closed_and_its_remarks_go() -> None:
    """Titles and defaults are refused by strict modes."""
    sent = provider_schema(
        {"title": "T", "type": "object", "properties": {"a": {"type": "string", "title": "A"}}, "required": ["a"]}
    )
    assert sent.schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]},
    ],
)
def test_what_strict_modes_cannot_say_is_not_called_strict(schema: dict[str, Any]) -> None:
    """Optional properties and free mappings are sent unstrict."""
    assert provider_schema(schema).is_strict is False


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ('{"answer": true}', "true"),
        ('{"answer": "é\\n"}', '"é\\n"'),
        ('{"answer": [1, {"answer": 2}]}', '[1, {"answer": 2}]'),
        ("true", "true"),
        ('{"answer": 1, "more": 2}', '{"answer": 1, "more": 2}'),
        ("no json", "no json"),
        ("[" * 200_000, "[" * 200_000),
    ],
)
def test_the_envelope_is_taken_off_and_nothing_else_is_touched(text: str, opened: str) -> None:
    """What is no envelope is left for the reader's validation to refuse."""
    assert open_answer(provider_schema({"type": "boolean"}), text) == opened


def test_an_answer_that_was_not_enclosed_is_not_opened() -> None:
    """A record with a field named answer stays a record."""
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    assert open_answer(provider_schema(schema), '{"answer": "x"}') == '{"answer": "x"}'
