"""The types of the language for the annotations of a Python function, and plain data of those types, labelled."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal

from armslength.errors import ConfigError
from armslength.labels import Label
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
    Parameter,
    RecordType,
    Signature,
    Type,
)
from armslength.values import Labelled


def signature_of(function: Callable[..., Any], name: str, returns: Type | None, beside: type) -> tuple[Signature, bool]:
    """The signature of a function, and whether its first parameter, of the type `beside`, is none of a program's.

    Raises:
        ConfigError: an annotation is no type of the language, or a parameter is no ordinary one.
    """
    hints = typing.get_type_hints(function)
    listed = list(inspect.signature(function).parameters.values())
    wants_call = bool(listed) and hints.get(listed[0].name) is beside
    parameters = []
    for parameter in listed[1:] if wants_call else listed:
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ConfigError(f"tool {name}: parameter {parameter.name} must be an ordinary one")
        has_default = parameter.default is not parameter.empty
        default = tuple(parameter.default) if isinstance(parameter.default, list) else parameter.default
        declared = declared_type(hints.get(parameter.name, Any), name)
        parameters.append(Parameter(parameter.name, declared, has_default, default if has_default else None))
    doc = (inspect.getdoc(function) or "").split("\n", 1)[0]
    result = returns if returns is not None else declared_type(hints.get("return", Any), name)
    return Signature(name, tuple(parameters), result, doc), wants_call


_SCALARS: dict[object, Type] = {
    str: STR, int: INT, float: FLOAT, bool: BOOL, type(None): NONE, None: NONE, Any: ANY,
}  # fmt: skip


def declared_type(hint: object, tool_name: str) -> Type:
    """The declared type of a Python annotation: scalars, `list[T]`, `Optional[T]`, `Literal`, dataclasses.

    Raises:
        ConfigError: it is none of these.
    """
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and len(inner) == 1:
        return ListOf(declared_type(inner[0], tool_name))
    if origin in (typing.Union, types.UnionType) and len(inner) == 2 and type(None) in inner:
        return OptionalOf(declared_type(next(part for part in inner if part is not type(None)), tool_name))
    if origin is Literal:
        return Menu(inner)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        return RecordType(
            hint.__name__,
            tuple(
                Field(
                    f.name,
                    declared_type(hints[f.name], tool_name),
                    f.default is not MISSING,
                    doc=str(f.metadata.get("doc", "")),
                )
                for f in fields(hint)
            ),
        )
    raise ConfigError(
        f"tool {tool_name}: {hint!r} is no type of the language; use str, int, float, bool, list, Optional, Literal or a dataclass"
    )


def record_type(declared: type) -> RecordType:
    """The record type of a dataclass, for tools that label field by field. A field's metadata may hold a `doc` for the planner.

    Raises:
        ConfigError: it is no dataclass, or a field has no type of the language.
    """
    found = declared_type(declared, declared.__name__)
    if not isinstance(found, RecordType):
        raise ConfigError(f"{declared.__name__} is no dataclass")
    return found


def label_plain(data: object, declared: Type, one_label: Label) -> Labelled:
    """Plain data of a declared type with one label at every node. `Labelled` data passes as it is.

    Raises:
        TypeError: the data is not of the declared type.
    """
    if isinstance(data, Labelled):
        return data
    match declared:
        case OptionalOf(inner):
            return Labelled(None, one_label) if data is None else label_plain(data, inner, one_label)
        case ListOf(item) if isinstance(data, list | tuple):
            return Labelled(tuple(label_plain(element, item, one_label) for element in data), one_label)
        case RecordType():
            return _label_record(data, declared, one_label)
        case _ if data is None or (isinstance(data, bool | int | float | str) and type(data) in _SCALARS):
            return Labelled(data, one_label)
        case _:
            raise TypeError(f"a {type(data).__name__} where the tool declares another type")


def _label_record(data: object, declared: RecordType, one_label: Label) -> Labelled:
    def part(name: str) -> object:
        if isinstance(data, Mapping):
            return data[name]
        return getattr(data, name)

    named = {each.name: label_plain(part(each.name), each.type, one_label) for each in declared.fields}
    return Labelled(named, one_label, declared)
