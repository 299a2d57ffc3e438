"""The quarantined model's answer: how it must look, and the walk that decides whether it does.

The answer is untrusted in content and trusted in form only after `conform`, which is the only place that decides this; a runtime that
constrains decoding is a help, never the check.
"""

from __future__ import annotations

import json
import math
from typing import Any

from armslength.schema import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Field,
    ListOf,
    Menu,
    OptionalOf,
    RecordType,
    Type,
    json_schema,
)
from armslength.values import Plain

MAX_TEXT = 64_000
"""Characters of one string in an answer."""
MAX_ITEMS = 1_000
"""Items of one list in an answer."""
MAX_DEPTH = 20
"""Nesting of an answer."""
_MAX_INT = 2**63 - 1
_ENVELOPE = "answer"


class Misfit(ValueError):
    """The answer is not of the asked type. Stays inside the reader; its message names no part of the answer."""


def answer_schema(declared: Type) -> dict[str, Any]:
    """The JSON Schema of an answer: a record's own, else an object with the one property `answer`."""
    if isinstance(declared, RecordType):
        return json_schema(declared)
    properties = {_ENVELOPE: json_schema(declared)}
    return {"type": "object", "properties": properties, "required": [_ENVELOPE], "additionalProperties": False}


def answer_form(declared: Type) -> str:
    """The same in few words, for the prompt: `{"answer": [string, ...]}`."""
    return _form(declared) if isinstance(declared, RecordType) else f'{{"{_ENVELOPE}": {_form(declared)}}}'


def _form(declared: Type) -> str:
    match declared:
        case ListOf(item):
            return f"[{_form(item)}, ...]"
        case OptionalOf(inner):
            return f"{_form(inner)} or null"
        case Menu(choices):
            return " or ".join(json.dumps(choice, ensure_ascii=False) for choice in choices)
        case RecordType():
            return "{" + ", ".join(f"{json.dumps(each.name)}: {_form(each.type)}" for each in declared.fields) + "}"
        case scalar:
            return {"str": "string", "int": "whole number", "float": "number", "bool": "true or false", "None": "null"}[
                scalar.name
            ]


def is_answerable(declared: Type) -> bool:
    """Whether an answer can be of this type: `Any` says nothing, so it is none."""
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            return is_answerable(inner)
        case Menu(choices):
            return bool(choices)
        case RecordType():
            return all(is_answerable(each.type) for each in declared.fields)
        case scalar:
            return scalar != ANY


def parse_answer(text: str, declared: Type) -> Plain:
    """The validated answer in a reply's text.

    Raises:
        Misfit: it is no JSON, or not of the declared type.
    """
    try:
        found = json.loads(_without_fence(text), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Misfit("not JSON") from None
    if isinstance(declared, RecordType):
        return conform(found, declared)
    if not isinstance(found, dict) or set(found) != {_ENVELOPE}:
        raise Misfit("not the asked object")
    return conform(found[_ENVELOPE], declared)


_FENCE = "```"


def _without_fence(text: str) -> str:
    """What stands in a fence, where the text is one of Markdown; else the text."""
    whole = text.strip()
    if not whole.startswith(_FENCE) or not whole.endswith(_FENCE):
        return text
    named, _, inside = whole.removeprefix(_FENCE).removesuffix(_FENCE).partition("\n")
    return inside.strip() if named.rstrip() in {"", "json"} else text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) != len(pairs):
        raise Misfit("a name given twice")
    return named


def _refuse_constant(_name: str) -> Any:
    raise Misfit("not a finite number")


def conform(given: object, declared: Type, depth: int = MAX_DEPTH) -> Plain:
    """The data if it is of the declared type, whole numbers written as `3.0` made int and ints made float where asked.

    Exact: a bool is no int, menu members match in type and value, fields are the declared ones (a missing Optional is None),
    numbers are finite, ints have 64 bits, strings and lists their caps; lone surrogates become U+FFFD.

    Raises:
        Misfit: it is not.
    """
    if depth == 0:
        raise Misfit("nested too deep")
    match declared:
        case OptionalOf(inner):
            return None if given is None else conform(given, inner, depth - 1)
        case ListOf(item) if isinstance(given, list) and len(given) <= MAX_ITEMS:
            return [conform(element, item, depth - 1) for element in given]
        case Menu(choices):
            return _chosen(given, choices)
        case RecordType() if isinstance(given, dict) and set(given) <= {each.name for each in declared.fields}:
            return {each.name: _field(given, each, depth) for each in declared.fields}
        case _:
            return _scalar(given, declared)


def _field(given: dict[str, object], declared: Field, depth: int) -> Plain:
    if declared.name in given:
        return conform(given[declared.name], declared.type, depth - 1)
    if declared.has_default:
        return declared.default
    if isinstance(declared.type, OptionalOf):
        return None
    raise Misfit("a field is missing")


def _chosen(given: object, choices: tuple[str | int | bool, ...]) -> Plain:
    for choice in choices:
        if type(given) is type(choice) and given == choice:
            return choice
    raise Misfit("not a member of the menu")


def _scalar(given: object, declared: Type) -> Plain:
    if declared == NONE and given is None:
        return None
    if declared == BOOL and isinstance(given, bool):
        return given
    if declared == STR and isinstance(given, str) and len(given) <= MAX_TEXT:
        return given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(given, int | float) and not isinstance(given, bool):
        if declared == INT and abs(given) <= _MAX_INT and given == int(given):
            return int(given)
        if declared == FLOAT and abs(given) <= _MAX_FLOAT:
            return float(given)
    raise Misfit("of another type")


_MAX_FLOAT = math.nextafter(math.inf, 0)
