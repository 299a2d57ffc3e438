"""Types in program text: schema classes, `returns=`, `isinstance`. Read from the syntax tree; nothing is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from armslength.language.syntax import check_constant, refuse
from armslength.schema import (
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
    RecordType,
    Type,
)

_SCALARS: dict[str, Type] = {"str": STR, "int": INT, "float": FLOAT, "bool": BOOL, "None": NONE}
_WAY_OUT = "use str, int, float, bool, list[T], Optional[T], Literal[...] or a schema class"


def read_class(node: ast.ClassDef, classes: Mapping[str, RecordType]) -> RecordType:
    """The record type that a schema class defines; `classes` are those defined before.

    Raises:
        ProgramRefused: an annotation is no type, or a field stands twice.
    """
    fields: list[Field] = []
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                if any(field.name == name for field in fields) or name.startswith("_"):
                    raise refuse(
                        statement, "a schema class names each field once, without _ before it", "rename the field"
                    )
                default = None
                if isinstance(value, ast.Constant):
                    check_constant(value)
                    default = value.value
                if not isinstance(default, bool | int | float | str | None):
                    raise refuse(statement, "a default is a plain literal", "leave the default out")
                fields.append(Field(name, read_type(annotation, classes), value is not None, default))
            case _:
                continue
    if not fields:
        raise refuse(node, "a schema class needs a field", "write field: type")
    return RecordType(node.name, tuple(fields))


def read_type(node: ast.expr, classes: Mapping[str, RecordType]) -> Type:
    """The type that an expression names.

    Raises:
        ProgramRefused: it names none.
    """
    match node:
        case ast.Constant(value=None):
            return NONE
        case ast.Constant(value=str(text)) if text in _SCALARS or text in classes:
            return read_type(ast.copy_location(ast.Name(text), node), classes)
        case ast.Name(id=name) if name in _SCALARS:
            return _SCALARS[name]
        case ast.Name(id=name) if name in classes:
            return classes[name]
        case ast.Name(id="list" | "List"):
            return ListOf(STR)
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=inner):
            return ListOf(read_type(inner, classes))
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return _optional(read_type(inner, classes))
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _optional(read_type(inner, classes))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return _menu(inner)
        case ast.Dict(keys=keys, values=values) if keys:
            return _named_parts(node, keys, values, classes)
        case _:
            raise refuse(node, "this is no type", _WAY_OUT)


def _optional(inner: Type) -> Type:
    return inner if isinstance(inner, OptionalOf) or inner == NONE else OptionalOf(inner)


def _menu(node: ast.expr) -> Menu:
    listed = node.elts if isinstance(node, ast.Tuple) and node.elts else [node]
    choices: list[MenuChoice] = []
    for choice in listed:
        if not isinstance(choice, ast.Constant) or not isinstance(choice.value, str | int | bool):
            raise refuse(node, "Literal takes str, int and bool literals", 'write Literal["a", "b"]')
        check_constant(choice)
        if not any(type(known) is type(choice.value) and known == choice.value for known in choices):
            choices.append(choice.value)
    return Menu(tuple(choices))


def _named_parts(
    node: ast.expr, keys: list[ast.expr | None], values: list[ast.expr], classes: Mapping[str, RecordType]
) -> RecordType:
    fields: list[Field] = []
    for key, value in zip(keys, values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or not key.value.isidentifier():
            raise refuse(node, "a type of named parts has plain words as names", 'write {"name": str}')
        fields.append(Field(key.value, read_type(value, classes)))
    if len({field.name for field in fields}) != len(fields):
        raise refuse(node, "a type of named parts names each part once", "rename the part")
    return RecordType("dict", tuple(fields))


_KINDS = frozenset({"str", "int", "float", "bool", "list", "tuple", "dict", "set"})


def read_kinds(node: ast.expr, classes: Mapping[str, RecordType]) -> frozenset[str]:
    """The kinds that the second argument of `isinstance` names.

    Raises:
        ProgramRefused: it names none.
    """
    match node:
        case ast.Name(id=name) if name in _KINDS or name in classes:
            return frozenset({name})
        case ast.Tuple(elts) if elts:
            return frozenset().union(*(read_kinds(part, classes) for part in elts))
        case _:
            raise refuse(
                node,
                "isinstance takes a type, or a tuple of types",
                "use str, int, float, bool, list, tuple, dict, set or a schema class",
            )
