"""How misfits are said to a small model: what the value is, what it has, and what to write instead. A function of declarations alone."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping

from armslength.language.alternatives import (
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
from armslength.language.classes import Classes
from armslength.language.facts import path_of
from armslength.language.inferred import is_list, is_text
from armslength.language.library import ATTRIBUTES
from armslength.language.methods import METHODS
from armslength.schema import BOOL, STR, ListOf, Menu, OptionalOf, Parameter, RecordType, Type, describe

Said = tuple[str, str]
"""The reason, and what to write instead."""

RANK: Mapping[type, int] = {
    Instance: 0, Given: 1, Made: 2, Member: 3, Chosen: 4, Plain: 5, Builtin: 6, Defined: 7,
}  # fmt: skip
"""Which of several alternatives a message speaks of."""

_NAMES: Mapping[str, str] = {
    "str": "text", "int": "number", "float": "number", "bool": "bool", "error": "exception", "iterator": "iterator",
}  # fmt: skip


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
            return _NAMES[type(choices[0]).__name__] if choices else "text"
        case _:
            return "function"


def _a(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def _said(alternative: Alternative) -> str:
    """`a text`, `an Email`, and of a record in a message about fields just its name."""
    return _a(named(alternative))


def _of_items(items: Alternatives) -> str:
    """`list of Email`, `list of texts`, `list`."""
    if is_text(items):
        return "list of texts"
    if is_only(items, NUMBERS):
        return "list of numbers"
    found = {
        named(each) for each in (items or NOTHING) - NOTHING if isinstance(each, Given | Instance) and not is_list(each)
    }
    return f"list of {found.pop()}" if len(found) == 1 else "list"


def _record_in(items: Alternatives) -> RecordType | None:
    found = [_record(each) for each in (items or NOTHING) - NOTHING]
    return found[0] if len(found) == 1 else None


def _record(alternative: Alternative) -> RecordType | None:
    match alternative:
        case Given(RecordType() as record) | Instance(record):
            return record
        case _:
            return None


def near(name: str, known: Iterable[str]) -> str:
    """`did you mean sender? `, if there is a name like it."""
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.65)
    return f"did you mean {found[0]}? " if found else ""


def _fields(record: RecordType) -> str:
    return ", ".join(each.name for each in record.fields)


def _methods(owner: Alternative, classes: Classes) -> list[str]:
    kinds = kinds_of(owner, classes)
    return sorted({name for kind, name in METHODS if kind in kinds})


_USUAL: Mapping[str, str] = {
    "str": "lower, upper, strip, split, replace, startswith, endswith, find, join",
    "list": "append, extend, insert, pop, remove, sort, reverse, index, count",
    "dict": "get, keys, values, items, update, pop",
    "set": "add, remove, discard, union, intersection, difference",
    "tuple": "index, count",
}
_THROUGH = "take one with [0], or go through it with for"


# Fields


def no_field(owner: Alternative, items: Alternatives, name: str, classes: Classes) -> Said:
    """`owner.name` or `owner["name"]`, where there is no such field."""
    record = _record(owner)
    if record is not None:
        fields = [each.name for each in record.fields]
        return f"{record.name} has no field {name}", f"{near(name, fields)}its fields are {_fields(record)}"
    match owner:
        case Given() | Made("list"):
            what = _of_items(items)
            return f"this is {_a(what)} and has no field {name}", _THROUGH
        case Made("dict"):
            return f"a dict has no field {name}", f'write x["{name}"] or x.get("{name}")'
        case Made("tuple"):
            return f"a tuple has no field {name}", "take one with [0], or take it apart: a, b = x"
        case Made(kind):
            return f"{_a(_NAMES.get(kind, kind))} has no field {name}", "go through it with for"
        case Member(enumeration):
            return f"{enumeration} has no field {name}", "its fields are name, value"
        case Plain("error"):
            return f"an exception has no field {name}", "write str(error) for its message"
        case _:
            return f"{_said(owner)} has no field {name}", _parts(owner, name, classes)


def _parts(owner: Alternative, name: str, classes: Classes) -> str:
    """What plain data has instead."""
    kinds = kinds_of(owner, classes)
    parts = sorted(attribute for kind, attribute in ATTRIBUTES if kind in kinds)
    methods = _methods(owner, classes)
    if name in methods:
        return f"write {name}(...)"
    if kinds == ["str"]:
        return f"it has methods: {_USUAL['str']}"
    if parts:
        return f"{near(name, parts)}its fields are {', '.join(parts)}"
    return "use it as it is" if not set(kinds) & {"match"} else f"it has methods: {', '.join(methods)}"


# Methods


def no_method(owner: Alternative, items: Alternatives, name: str, classes: Classes) -> Said:
    """`owner.name(...)`, where there is no such method."""
    record = _record(owner)
    what = record.name if record is not None else _said(owner)
    if is_list(owner):
        what = _a(_of_items(items))
    return f"{what} has no method {name}", _way_out(owner, items, name, classes)


def _way_out(owner: Alternative, items: Alternatives, name: str, classes: Classes) -> str:
    record = _record(owner)
    if record is not None:
        is_field = record.field(name) is not None
        return f"{name} is a field: write x.{name}" if is_field else f"its fields are {_fields(record)}"
    kind = (kinds_of(owner, classes) or [""])[0]
    if (kind, name) in _INSTEAD:
        return _INSTEAD[kind, name]
    if isinstance(owner, Made) and owner.kind == "iterator":
        return "make a list of it first: list(x)"
    if is_list(owner) and ("str", name) in METHODS:
        return "take one of them with [0], or go through it with for"
    if kind in ("int", "float") and ("str", name) in METHODS:
        return "make a text of it first: str(x)"
    listed = _USUAL.get(kind) or ", ".join(_methods(owner, classes))
    return f"{near(name, _methods(owner, classes))}its methods are {listed}" if listed else "use it as it is"


_INSTEAD: Mapping[tuple[str, str], str] = {
    ("str", "append"): "join texts with + or in an f-string",
    ("str", "extend"): "join texts with + or in an f-string",
    ("str", "add"): "join texts with + or in an f-string",
    ("list", "add"): "use append",
    ("list", "join"): 'write ", ".join(x)',
    ("list", "get"): _THROUGH,
    ("list", "items"): _THROUGH,
    ("list", "keys"): _THROUGH,
    ("list", "values"): _THROUGH,
    ("list", "filter"): "write [m for m in x if ...]",
    ("list", "map"): "write [f(m) for m in x]",
    ("list", "update"): "use extend",
    ("set", "append"): "use add",
    ("set", "extend"): "use update",
    ("dict", "append"): "write x[key] = value",
    ("dict", "add"): "write x[key] = value",
    ("tuple", "append"): "make a list of it first: list(x)",
    ("tuple", "sort"): "write sorted(x)",
}


def frozen(owner: ast.expr, name: str) -> Said:
    """A method that changes what a tool or model gave."""
    what = path_of(owner) or "x"
    reason = f"what a tool returned does not change, and {name} would change it"
    return reason, _UNFROZEN.get(name, "make a copy first: {what} = list({what})").format(what=what)


_UNFROZEN = {
    "sort": "write {what} = sorted({what}, key=...)",
    "reverse": "write {what}[::-1]",
    "append": "make a copy first: {what} = list({what})",
    "pop": "read it with {what}[0] or {what}[-1]",
    "extend": "write a new list: {what} + other",
}


def joined_records(item: Alternative) -> Said:
    """`", ".join(records)`."""
    record = _record(item)
    fields = "" if record is None else _fields(record)
    return (
        f"join takes texts, and these are {named(item)} records",
        f"join one of their fields ({fields}): join(m.field for m in x)",
    )


def no_sum(other: Alternative, items: Alternatives) -> Said:
    """A text + something else."""
    record = _record(other)
    what = _a(_of_items(items)) if is_list(other) else _said(other)
    reason = f"+ joins a text with a text only, and this is {what}"
    if record is not None:
        return reason, f"use one of its fields: {_fields(record)}"
    if is_list(other):
        return reason, 'make one text of it with ", ".join(x), or write an f-string'
    return reason, "write str(x), or an f-string"


# Arguments


def no_choice(value: str, tool: str, parameter: Parameter, wanted: Menu) -> Said:
    """A text that is no member of a `Literal`."""
    members = [choice for choice in wanted.choices if isinstance(choice, str)]
    close = difflib.get_close_matches(value, members, n=1, cutoff=0.65)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    listed = ", ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in wanted.choices)
    return f'{tool} has no choice "{value}" for {parameter.name}', f"{hint}it takes {listed}"


def no_argument(
    found: Alternative, items: Alternatives, tool: str, parameter: Parameter, literal: ast.Constant | None
) -> Said:
    """An argument that is nothing that the tool takes."""
    wanted = required(parameter.type)
    what = _a(_of_items(items)) if is_list(found) and isinstance(wanted, ListOf) else _said(found)
    return (
        f"{tool} takes {describe(parameter.type)} as {parameter.name}, and this is {what}",
        _fitting(found, items, wanted, literal),
    )


def required(declared: Type) -> Type:
    """A type without `Optional`."""
    return required(declared.inner) if isinstance(declared, OptionalOf) else declared


def _fitting(found: Alternative, items: Alternatives, wanted: Type, literal: ast.Constant | None) -> str:
    """How to make what is wanted of what is there."""
    match wanted:
        case RecordType(name) if is_list(found):
            return f"take one {name} of it with [0], or go through it with for"
        case RecordType(name):
            return f"give the whole {name}, not a part of it"
        case ListOf(item):
            return _fitting_list(found, items, required(item))
        case _ if _record(found) is not None:
            return _use_field(found)
        case _ if is_list(found):
            is_text_wanted = wanted == STR
            return "take one with [0], or make one text of it with join" if is_text_wanted else _THROUGH
        case _ if isinstance(found, Made):
            return "use one of its values: x[key]"
        case _ if wanted == BOOL:
            return "write True or False"
        case _:
            return _converted(wanted, literal)


def _converted(wanted: Type, literal: ast.Constant | None) -> str:
    if literal is None:
        return f"write {describe(wanted)}(x)"
    if wanted == STR:
        return f'write "{literal.value}"'
    text = str(literal.value)
    return f"write {text} without quotes" if text.isdecimal() else "write a number without quotes"


def _fitting_list(found: Alternative, items: Alternatives, item: Type) -> str:
    record = _record_in(items)
    if is_list(found) and isinstance(item, RecordType):
        return f"make a list of whole {item.name} records"
    if is_list(found) and record is not None:
        return "make a list of one of their fields with a comprehension"
    if is_list(found):
        return f"make a list of others with a comprehension: [{describe(item)}(each) for each in x]"
    if _record(found) is not None and not isinstance(item, RecordType):
        return _use_field(found)
    return "make a list of it: list(x.values())" if isinstance(found, Made) else "write it in [ ]"


def _use_field(found: Alternative) -> str:
    record = _record(found)
    return f"use one of its fields: {'' if record is None else _fields(record)}"
