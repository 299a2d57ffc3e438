"""Declared types: of tool parameters and results, of `returns=`, and of the schema classes that a program defines.

A type is data, never a Python class, so nothing of it is evaluated. `describe` writes it as a program would, `json_schema` as a
model's answer must look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

MenuChoice = str | int | bool
"""A member of a `Literal`."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """`str`, `int`, `float`, `bool`, `None`, or `Any` (no claim about the type)."""

    name: Literal["str", "int", "float", "bool", "None", "Any"]


STR, INT, FLOAT, BOOL, NONE, ANY = (Scalar(name) for name in ("str", "int", "float", "bool", "None", "Any"))


@dataclass(frozen=True, slots=True)
class ListOf:
    """`list[item]`."""

    item: Type


@dataclass(frozen=True, slots=True)
class OptionalOf:
    """`Optional[inner]`."""

    inner: Type


@dataclass(frozen=True, slots=True)
class Menu:
    """`Literal[...]`: a fixed list of program literals; or an enumeration of that name, by its members' values."""

    choices: tuple[MenuChoice, ...]
    enumeration: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record. `default` counts only if `has_default`. `doc`: a few words for the planner."""

    name: str
    type: Type
    has_default: bool = False
    default: bool | int | float | str | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record with named fields: what tools return, and what a schema class defines."""

    name: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        """The field of that name, if there is one."""
        return next((field for field in self.fields if field.name == name), None)


Type = Scalar | ListOf | OptionalOf | Menu | RecordType


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool, as the program sees it."""

    name: str
    type: Type
    has_default: bool = False
    default: bool | int | float | str | tuple[()] | None = None
    """`()` stands for an empty list."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a store of the tools keeps under a key that stands in the program."""

    store: str
    key: str


@dataclass(frozen=True, slots=True)
class Keyed:
    """A tool whose parameter `by` must be a text that stands in the program, so that what a program may set is known before it runs."""

    store: str
    by: str
    sets: bool


Kind = Literal["user", "program", "mail", "web", "file", "calendar", "contacts", "mcp", "quarantined", "pasted", "tool"]
"""The kinds of sources that the planner is told of: never an address, a host or a name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose words a tool's results are, as far as its declaration says before any call."""

    kind: Kind
    is_trusted: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """A tool as the program and the planner see it: pure declaration, written by whoever declared the tool.

    `is_told` False: programs may call it, and the planner is not told of it. `origin` is all that the planner is ever told of labels.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: Type
    doc: str = ""
    is_told: bool = True
    origin: Origin = Origin("tool")
    keyed: Keyed | None = None
    reads: str | None = field(default=None, repr=False, compare=False)
    """The store that it looks into, and the one that it changes, as its tool declares them."""
    changes: str | None = field(default=None, repr=False, compare=False)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, if there is one."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


def describe(declared: Type) -> str:
    """The type as a program writes it: `list[Email]`, `Optional[str]`, `Literal["a", "b"]`."""
    match declared:
        case Scalar(name):
            return name
        case ListOf(item):
            return f"list[{describe(item)}]"
        case OptionalOf(inner):
            return f"Optional[{describe(inner)}]"
        case Menu(enumeration=name) if name:
            return name
        case Menu(choices):
            return f"Literal[{', '.join(repr(choice) for choice in choices)}]"
        case RecordType(name):
            return name


def json_schema(declared: Type) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an answer of this type; records list their fields in order, all required, none additional."""
    match declared:
        case Scalar("None"):
            return {"type": "null"}
        case Scalar("Any"):
            return {}
        case Scalar(name):
            return {"type": {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}[name]}
        case ListOf(item):
            return {"type": "array", "items": json_schema(item)}
        case OptionalOf(inner):
            return {"anyOf": [json_schema(inner), {"type": "null"}]}
        case Menu(choices):
            return {"enum": list(choices)}
        case RecordType():
            return {
                "type": "object",
                "properties": {field.name: json_schema(field.type) for field in declared.fields},
                "required": [field.name for field in declared.fields],
                "additionalProperties": False,
            }


def menu_size(declared: Type) -> int | None:
    """How many answers a menu type has (bool, `Literal`, `Optional` of one), or None if it is no menu of at most 256."""
    match declared:
        case Scalar("bool"):
            size = 2
        case Scalar("None"):
            size = 1
        case Menu(choices):
            size = len(choices)
        case OptionalOf(inner):
            inner_size = menu_size(inner)
            if inner_size is None:
                return None
            size = inner_size + 1
        case _:
            return None
    return size if size <= 256 else None
