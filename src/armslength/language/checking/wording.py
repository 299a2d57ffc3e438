"""How misfits are said to a small model: what the value is, what it has, and what to write instead. A function of declarations alone."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from armslength.language.checking.alternatives import (
    NOTHING,
    NUMBERS,
    Alternative,
    Alternatives,
    Builtin,
    Chosen,
    Defined,
    Given,
    Instance,
    Made,
    Member,
    Plain,
    is_only,
    kinds_of,
)
from armslength.language.checking.facts import path_of
from armslength.language.checking.inferred import is_list, is_text
from armslength.language.operations.library import ATTRIBUTES
from armslength.language.operations.methods import METHODS
from armslength.language.reading import refused
from armslength.language.reading.classes import Classes
from armslength.schema import BOOL, STR, ListOf, Menu, OptionalOf, Parameter, RecordType, Type, describe

Said = tuple[str, str]
"""The reason, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A value that a message speaks of: the expression, what it is, and what is in it."""

    node: ast.expr
    alternative: Alternative
    items: Alternatives
    classes: Classes

    @property
    def at(self) -> str:
        """How the program writes it, if that is short."""
        return path_of(self.node) or "x"

    @property
    def record(self) -> RecordType | None:
        """Its type, if it is a record."""
        return record_of(self.alternative)

    @property
    def kinds(self) -> list[str]:
        """The kinds whose methods it has."""
        return kinds_of(self.alternative, self.classes)

    @property
    def methods(self) -> list[str]:
        """Its methods."""
        return sorted({name for kind, name in METHODS if kind in self.kinds})


RANK: Mapping[type, int] = {
    Instance: 0, Given: 1, Made: 2, Member: 3, Chosen: 4, Plain: 5, Builtin: 6, Defined: 7,
}  # fmt: skip
"""Which of several alternatives a message speaks of."""

_NAMES: Mapping[str, str] = {"str": "text", "int": "number", "float": "number", "error": "exception"}
_USUAL: Mapping[str, str] = {
    "str": "lower, upper, strip, split, replace, startswith, endswith, find, join",
    "list": "append, extend, insert, pop, remove, sort, reverse, index, count",
    "dict": "get, keys, values, items, update, pop",
    "set": "add, remove, discard, union, intersection, difference",
    "tuple": "index, count",
}
_THROUGH = "take one with [0], or go through it with for"


def named(alternative: Alternative) -> str:
    """What it is, in a word: `Email`, `text`, `list`."""
    match alternative:
        case Given(RecordType(name)) | Instance(RecordType(name)) | Member(name):
            return name
        case Given() | Made("list"):
            return "list"
        case Made(kind) | Plain(kind):
            return _NAMES.get(kind, kind)
        case Chosen(Menu(choices)):
            first = type(choices[0]).__name__ if choices else "str"
            return _NAMES.get(first, first)
        case _:
            return "function"


def record_of(alternative: Alternative) -> RecordType | None:
    """The type of a record."""
    match alternative:
        case Given(RecordType() as record) | Instance(record):
            return record
        case _:
            return None


def required(declared: Type) -> Type:
    """A type without `Optional`."""
    return required(declared.inner) if isinstance(declared, OptionalOf) else declared


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _what(value: Spoken) -> str:
    """`a text`, `an Email`, `a list of texts`."""
    if not is_list(value.alternative):
        return _a(named(value.alternative))
    if is_text(value.items):
        return "a list of texts"
    if is_only(value.items, NUMBERS):
        return "a list of numbers"
    records = {each.name for each in _records_in(value)}
    return f"a list of {records.pop()}" if len(records) == 1 else "a list"


def _records_in(value: Spoken) -> list[RecordType]:
    """The types of the records in a list; none if anything else may be in it."""
    found = [record_of(each) for each in (value.items or NOTHING) - NOTHING]
    return [] if None in found else [each for each in found if each is not None]


def _fields(record: RecordType) -> str:
    return ", ".join(each.name for each in record.fields)


def near(name: str, known: Iterable[str]) -> str:
    """`did you mean sender? `, if there is a name like it."""
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.65)
    return f"did you mean {found[0]}? " if found else ""


# Fields


def no_field(value: Spoken, name: str) -> Said:
    """`value.name` or `value["name"]`, where there is no such field."""
    if value.record is not None:
        fields = [each.name for each in value.record.fields]
        return (
            f"{value.record.name} has no field {name}",
            f"{near(name, fields)}its fields are {_fields(value.record)}",
        )
    match value.alternative:
        case Given() | Made("list"):
            return f"this is {_what(value)} and has no field {name}", _THROUGH
        case Made("dict"):
            return f"a dict has no field {name}", f'write {value.at}["{name}"]'
        case Made("tuple"):
            return f"a tuple has no field {name}", "take one with [0], or take it apart: a, b = x"
        case Made():
            return f"{_what(value)} has no field {name}", "go through it with for"
        case Member(enumeration):
            return f"{enumeration} has no field {name}", "its fields are name, value"
        case Plain("error"):
            return f"an exception has no field {name}", f"write str({value.at}) for its message"
        case _:
            return f"{_what(value)} has no field {name}", _parts(value, name)


def _parts(value: Spoken, name: str) -> str:
    """What plain data has instead."""
    parts = sorted(attribute for kind, attribute in ATTRIBUTES if kind in value.kinds)
    if parts:
        return f"{near(name, parts)}its fields are {', '.join(parts)}"
    if value.kinds == ["str"]:
        return f"it has methods: {_USUAL['str']}"
    return f"it has methods: {', '.join(value.methods)}" if value.kinds == ["match"] else "use it as it is"


# Methods


def no_method(value: Spoken, name: str) -> Said:
    """`value.name(...)`, where there is no such method."""
    return f"{_owner(value)} has no method {name}", _way_out(value, name)


def unknown_method(name: str) -> Said:
    """`x.name(...)`, where nothing has such a method."""
    return f"there is no method {name}", refused.METHODS.get(name, "write it with a for loop")


def not_called(value: Spoken, name: str) -> Said:
    """`value.name`, where a method of that name stands as if it were a field."""
    return f"{name} is a method of {_owner(value)}", f"call it: write {value.at}.{name}()"


def _owner(value: Spoken) -> str:
    is_class = value.record is not None or isinstance(value.alternative, Member)
    return named(value.alternative) if is_class else _what(value)


def _way_out(value: Spoken, name: str) -> str:
    if _is_field(value, name):
        return f"{name} is a field: write {value.at}.{name}"
    if value.record is not None:
        return f"its fields are {_fields(value.record)}"
    if isinstance(value.alternative, Made) and value.alternative.kind == "iterator":
        return "make a list of it first: list(x)"
    kind = value.kinds[0] if value.kinds else ""
    if (kind, name) in _INSTEAD:
        return _INSTEAD[kind, name].format(x=value.at)
    if kind == "list" and ("str", name) in METHODS:
        return _THROUGH
    if kind in ("int", "float", "error") and ("str", name) in METHODS:
        return f"make a text of it first: str({value.at})"
    listed = _USUAL.get(kind) or ", ".join(value.methods)
    return f"{near(name, value.methods)}its methods are {listed}" if listed else "use it as it is"


def _is_field(value: Spoken, name: str) -> bool:
    if value.record is not None:
        return value.record.field(name) is not None
    if isinstance(value.alternative, Member) and name in ("name", "value"):
        return True
    return (value.alternative == Plain("error") and name == "args") or any(
        (kind, name) in ATTRIBUTES for kind in value.kinds
    )


_INSTEAD: Mapping[tuple[str, str], str] = {
    **{("str", name): "join texts with + or in an f-string" for name in ("append", "extend", "add")},
    **{("list", name): _THROUGH for name in ("get", "items", "keys", "values", "model_dump")},
    ("list", "add"): "use append",
    ("list", "join"): 'write ", ".join({x})',
    ("list", "update"): "use extend",
    ("set", "append"): "use add",
    ("set", "extend"): "use update",
    ("dict", "append"): "write {x}[key] = value",
    ("dict", "add"): "write {x}[key] = value",
    ("tuple", "append"): "make a list of it first: list({x})",
    ("tuple", "sort"): "write sorted({x})",
}


def frozen(owner: ast.expr, name: str) -> Said:
    """A method that changes what a tool or model gave."""
    reason = f"what a tool returned does not change, and {name} would change it"
    path = path_of(owner)
    if path is None:
        return reason, "give a copy a name first: x = list(...)"
    new = path if path.isidentifier() else "x"
    return reason, _UNFROZEN.get(name, "change a copy: {new} = list({x})").format(x=path, new=new)


_UNFROZEN = {
    "sort": "write {new} = sorted({x}, key=...)",
    "reverse": "write {x}[::-1]",
    "pop": "read it with {x}[0] or {x}[-1]",
    "extend": "write a new list: {x} + other",
}


# Texts


def joined_records(item: Alternative, at: str) -> Said:
    """`", ".join(records)`."""
    record = record_of(item)
    fields = "" if record is None else _fields(record)
    return (
        f"join takes texts, and this is a list of {named(item)}",
        f"join one of their fields, {fields}: join(m.field for m in {at})",
    )


def no_sum(value: Spoken) -> Said:
    """A text + something else."""
    reason = f"+ joins a text with a text only, and this is {_what(value)}"
    if value.record is not None:
        return reason, f"use one of its fields: {_fields(value.record)}"
    if is_list(value.alternative):
        return reason, f'make one text of it: ", ".join({value.at})'
    return reason, f"write str({value.at}), or an f-string"


# Arguments


def no_choice(value: str, tool: str, parameter: Parameter, wanted: Menu) -> Said:
    """A text that is no member of a `Literal`."""
    members = [choice for choice in wanted.choices if isinstance(choice, str)]
    close = difflib.get_close_matches(value, members, n=1, cutoff=0.65)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    listed = ", ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in wanted.choices)
    return f'{tool} has no choice "{value}" for {parameter.name}', f"{hint}it takes {listed}"


def no_argument(value: Spoken, tool: str, parameter: Parameter) -> Said:
    """An argument that is nothing that the tool takes."""
    wanted = required(parameter.type)
    what = _what(value) if isinstance(wanted, ListOf) else _a(named(value.alternative))
    place = f"{tool} takes {describe(parameter.type)} as {parameter.name}"
    return f"{place}, and this is {what}", _fitting(value, wanted)


def _fitting(value: Spoken, wanted: Type) -> str:
    """How to make what is wanted of what is there."""
    match wanted:
        case RecordType(name) if is_list(value.alternative):
            return f"take one {name} of it with [0], or go through it with for"
        case RecordType(name):
            return f"give the whole {name}, not a part of it"
        case ListOf(item):
            return _fitting_list(value, required(item))
        case _ if value.record is not None:
            return f"use one of its fields: {_fields(value.record)}"
        case _ if is_list(value.alternative):
            return "take one with [0], or make one text of it with join" if wanted == STR else _THROUGH
        case _ if isinstance(value.alternative, Made):
            return f"use one of its values: {value.at}[key]"
        case Menu():
            return "write one of them"
        case _ if wanted == BOOL:
            return "write True or False"
        case _:
            return _converted(value, wanted)


def _converted(value: Spoken, wanted: Type) -> str:
    if not isinstance(value.node, ast.Constant):
        return f"write {describe(wanted)}({value.at})"
    text = str(value.node.value)
    if wanted == STR:
        return f'write "{text}"'
    return f"write {text} without quotes" if text.isdecimal() else "write a number without quotes"


def _fitting_list(value: Spoken, item: Type) -> str:
    if value.record is None and isinstance(item, RecordType):
        return f"make a list of whole {item.name} records"
    if is_list(value.alternative) and _records_in(value):
        return "make a list of one of their fields with a comprehension"
    if is_list(value.alternative):
        return f"write [{describe(item)}(each) for each in {value.at}]"
    if value.record is not None and not isinstance(item, RecordType):
        return f"use one of its fields: {_fields(value.record)}"
    return "make a list of it: list(x.values())" if isinstance(value.alternative, Made) else "write it in [ ]"
