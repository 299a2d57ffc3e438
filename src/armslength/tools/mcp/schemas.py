"""JSON Schema as types of the language: of what a tool takes, and of what it gives.

What the types cannot say becomes `Any`, JSON as it is. A schema's own words (defaults, examples, patterns, descriptions) become nothing:
they are shown to the person and pinned, and no default of it is ever sent. No schema of a server is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, cast

from armslength.errors import WrongResult
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
    MenuChoice,
    OptionalOf,
    Parameter,
    RecordType,
    Scalar,
    Type,
)
from armslength.tools.mcp.naming import LONGEST, parameter_name, unique
from armslength.values import Plain

_DEEPEST, _MOST_FIELDS, _MOST_CHOICES = 6, 60, 50
_MOST_NODES = 300
"""Of one schema; a reference to itself is followed no further. What is left is `Any`."""
_CHOICE = re.compile(r"(?=.{1,30}$)[\w.:/+-]+(?: [\w.:/+-]+)?", re.ASCII)
"""A choice goes into the planner's text, so it is a word or two, no sentence."""
_SCALARS: Mapping[object, Type] = {"string": STR, "integer": INT, "number": FLOAT, "boolean": BOOL, "null": NONE}
_JSON = Mapping[str, Any]
OTHER = "a result of another type than is declared"


@dataclass(frozen=True, slots=True)
class Taken:
    """What a tool takes. `sent`: the server's name of each parameter. `required`: those that are sent even if they are None."""

    parameters: tuple[Parameter, ...]
    sent: Mapping[str, str]
    required: frozenset[str]


@dataclass(frozen=True, slots=True)
class Given:
    """What a tool gives. `is_structured`: as data of `type`; else as text, or None where the text is dropped. `is_wrapped`: the one field `result` of what it gives is it."""

    type: Type = STR
    is_structured: bool = False
    is_wrapped: bool = False


def taken_of(schema: _JSON, tool: str) -> Taken | str:
    """The parameters in a schema of what a tool takes: those that must be given, then those that may, in its order.

    Or why no program can call it, in our words: it is no object, or a parameter that must be given has no name that can be written.
    """
    properties = schema.get("properties", {})
    if schema.get("type", "object") != "object" or not isinstance(properties, dict) or len(properties) > _MOST_FIELDS:
        return f"it takes no object of at most {_MOST_FIELDS} named values"
    required = _required(schema)
    names = unique({said: parameter_name(said) for said in properties})
    if missing := [said for said in required if said not in names]:
        count = "a value" if len(missing) == 1 else f"{len(missing)} values"
        return f"it needs {count} whose name is none that a program can write, or another's too"
    walk = _Walk(schema, tool)
    must, may = list[Parameter](), list[Parameter]()
    for said, name in names.items():
        declared = walk.type_of(properties[said], name)
        if said in required:
            must.append(Parameter(name, declared))
        else:
            may.append(Parameter(name, _optional(declared), has_default=True))
    sent = {name: said for said, name in names.items()}
    return Taken((*must, *may), sent, frozenset(each.name for each in must))


def given_of(schema: object, tool: str) -> Given:
    """The type in a schema of what a tool gives; text, where there is none."""
    if not isinstance(schema, dict) or not schema:
        return Given()
    declared = _Walk(schema, tool).type_of(schema, "result")
    match declared:
        case RecordType(fields=(Field("result", inner, has_default=False),)):
            return Given(inner, is_structured=True, is_wrapped=True)
        case _:
            return Given(declared, is_structured=True)


def to_send(arguments: Mapping[str, Plain], taken: Taken) -> dict[str, Plain]:
    """The arguments as the server names them. What a program left out is left out."""
    return {
        taken.sent[each.name]: _without_none(arguments[each.name], each.type)
        for each in taken.parameters
        if arguments.get(each.name) is not None or each.name in taken.required
    }


def _without_none(value: Plain, declared: Type) -> Plain:
    """A record without the fields that need not be there and are None."""
    match declared, value:
        case OptionalOf(inner), _:
            return _without_none(value, inner)
        case ListOf(item), list():
            return [_without_none(each, item) for each in value]
        case RecordType(), dict():
            fields = {each.name: each for each in declared.fields}
            return {
                name: _without_none(part, fields[name].type) if name in fields else part
                for name, part in value.items()
                if part is not None or not (name in fields and fields[name].has_default)
            }
        case _:
            return value


def fitted(value: Any, declared: Type) -> Any:
    """JSON that is of this type, and no other: a record's missing fields are None, those that it does not have are dropped.

    Raises:
        WrongResult: it is of another type.
    """
    match declared, value:
        case OptionalOf(), None:
            return None
        case OptionalOf(inner), _:
            return fitted(value, inner)
        case ListOf(item), list():
            return [fitted(each, item) for each in value]
        case RecordType(), dict():
            return {each.name: _fitted_field(value, each) for each in declared.fields}
        case Menu(choices), str() | int() if any(type(value) is type(each) and value == each for each in choices):
            return value
        case _, float() if not isfinite(value):
            raise WrongResult(OTHER)  # no number of JSON (RFC 8259, section 6)
        case Scalar("Any"), list():
            return [fitted(each, ANY) for each in value]
        case Scalar("Any"), dict():
            return {name: fitted(each, ANY) for name, each in value.items()}
        case Scalar("Any"), _:
            return value
        case Scalar("float"), int() if type(value) is int:
            return value
        case Scalar(name), _ if type(value) is _TYPES[name]:
            return value
        case _:
            raise WrongResult(OTHER)


_TYPES: Mapping[str, type] = {"str": str, "int": int, "float": float, "bool": bool, "None": type(None)}


def _fitted_field(value: dict[str, Any], each: Field) -> Any:
    if each.name not in value:
        if each.has_default:
            return None
        raise WrongResult(OTHER)
    return fitted(value[each.name], each.type)


@dataclass(slots=True)
class _Walk:
    """Over one schema document. `names`: of the records that were made, so that no two have one."""

    document: _JSON
    tool: str
    names: set[str] = field(default_factory=set)
    left: int = _MOST_NODES

    def type_of(self, schema: object, path: str, depth: int = 0) -> Type:
        """The type in a schema below `path`; `Any` for whatever is not in the list."""
        self.left -= 1
        if self.left < 0 or depth > _DEEPEST or not isinstance(schema, dict):
            return ANY
        if "$ref" in schema:
            return self.type_of(self._referred(schema["$ref"]), path, depth + 1)
        if "const" in schema or "enum" in schema:
            return _menu([schema["const"]] if "const" in schema else schema["enum"])
        for together in ("anyOf", "oneOf", "allOf"):
            if together in schema:
                return self._one_of(schema[together], path, depth)
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._one_of([{**schema, "type": each} for each in kind], path, depth)
        if kind == "array":
            return ListOf(self.type_of(schema.get("items"), path, depth + 1))
        if kind == "object":
            return self._record(schema, path, depth)
        return _SCALARS.get(kind, ANY) if isinstance(kind, str) else ANY

    def _one_of(self, schemas: object, path: str, depth: int) -> Type:
        """One schema, or one and null. What more there is to choose among, the types do not say."""
        if not isinstance(schemas, list) or not 0 < len(schemas) <= 2:
            return ANY
        real = [each for each in schemas if not (isinstance(each, dict) and each.get("type") == "null")]
        if len(real) != 1:
            return ANY
        declared = self.type_of(real[0], path, depth + 1)
        return declared if len(schemas) == 1 else _optional(declared)

    def _record(self, schema: _JSON, path: str, depth: int) -> Type:
        properties = schema.get("properties")
        if (
            not isinstance(properties, dict)
            or not 0 < len(properties) <= _MOST_FIELDS
            or schema.get("additionalProperties")
        ):
            return ANY
        if not all(parameter_name(said) == said and len(said) <= LONGEST for said in properties):
            return ANY
        name = f"{self.tool[:1].upper()}{self.tool[1:]}__{path}"
        if name in self.names:
            return ANY
        self.names.add(name)
        required = _required(schema)
        fields = []
        for said, below in properties.items():
            declared = self.type_of(below, f"{path}__{said}", depth + 1)
            fields.append(
                Field(said, declared) if said in required else Field(said, _optional(declared), has_default=True)
            )
        return RecordType(name, tuple(fields))

    def _referred(self, reference: object) -> object:
        """What a reference within the document names; nothing is ever fetched."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return None
        found: object = self.document
        for part in reference[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
        return found


def _menu(choices: object) -> Type:
    """A menu of plain words or numbers; texts that are more than words are texts."""
    if not isinstance(choices, list) or not 0 < len(choices) <= _MOST_CHOICES:
        return ANY
    real = [each for each in choices if each is not None]
    if not real or not all(type(each) in (str, int, bool) for each in real):
        return ANY
    if not all(_CHOICE.fullmatch(each) for each in real if isinstance(each, str)):
        declared: Type = STR if all(isinstance(each, str) for each in real) else ANY
    else:
        declared = Menu(tuple(cast("list[MenuChoice]", real)))
    return declared if len(real) == len(choices) else _optional(declared)


def _optional(declared: Type) -> Type:
    return declared if isinstance(declared, OptionalOf) or declared in (ANY, NONE) else OptionalOf(declared)


def _required(schema: _JSON) -> list[str]:
    """The names that must be given, of those that are declared."""
    listed, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(listed, list) or not isinstance(properties, dict):
        return []
    return [each for each in dict.fromkeys(each for each in listed if isinstance(each, str)) if each in properties]
