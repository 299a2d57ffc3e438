"""JSON schemas in the dialect that hosted providers accept when they constrain an answer.

They want an object at the top, every property required and no others; a schema that cannot be said so is sent as it is, unstrict.
Sources: OpenAI "Structured model outputs", Anthropic "Structured outputs".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from armslength.models.base import JsonSchema

_ENVELOPE = "answer"
_DROPPED = frozenset({"title", "default", "examples", "$schema"})


@dataclass(frozen=True, slots=True)
class ProviderSchema:
    """A schema ready to be sent. `is_enclosed`: the answer stands under one key, taken off by `open_answer`."""

    schema: JsonSchema
    is_strict: bool
    is_enclosed: bool


def provider_schema(schema: JsonSchema) -> ProviderSchema:
    """The same schema in the providers' dialect. Only a schema whose top is an object without alternatives is not enclosed."""
    is_enclosed = schema.get("type") != "object" or "anyOf" in schema
    definitions = schema.get("$defs")
    top = {key: value for key, value in schema.items() if key != "$defs"}
    if is_enclosed:
        top = {"type": "object", "properties": {_ENVELOPE: top}, "required": [_ENVELOPE], "additionalProperties": False}
    if definitions is not None:
        top["$defs"] = definitions
    closed = _close(top)
    return ProviderSchema(closed, _is_strict(closed), is_enclosed)


def open_answer(sent: ProviderSchema, text: str) -> str:
    """The answer without its envelope. A text that is not such an envelope is handed on as it is: the reader validates."""
    if not sent.is_enclosed:
        return text
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(parsed, dict) or set(parsed) != {_ENVELOPE}:
        return text
    return json.dumps(parsed[_ENVELOPE], ensure_ascii=False)


def _close(node: Any) -> Any:
    """Drops remarks and forbids further properties where the schema says nothing about them."""
    if isinstance(node, list):
        return [_close(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {
        key: _close(value) for key, value in node.items() if key not in _DROPPED and key not in {"properties", "$defs"}
    }
    for key in ("properties", "$defs"):  # here the keys are names, not keywords
        if isinstance(node.get(key), dict):
            closed[key] = {name: _close(inner) for name, inner in node[key].items()}
    if "enum" in node:
        closed["enum"] = node["enum"]
    if closed.get("type") == "object" and "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


def _is_strict(node: Any) -> bool:
    """Whether every object in it is closed with all properties required, as the strict modes demand."""
    if isinstance(node, list):
        return all(_is_strict(item) for item in node)
    if not isinstance(node, dict):
        return True
    if node.get("type") == "object":
        properties = node.get("properties")
        if not isinstance(properties, dict) or node.get("additionalProperties") is not False:
            return False
        if set(node.get("required", ())) != set(properties):
            return False
    return all(_is_strict(value) for key, value in node.items() if key not in {"enum", "const", "required"})
