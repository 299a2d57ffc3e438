"""What Python has and the language has not: for each node the reason, and what to write instead."""

from __future__ import annotations

import ast

from armslength.errors import ProgramRefused

NODES: dict[type[ast.AST], tuple[str, str]] = {
    ast.AsyncFunctionDef: ("async is not part of the language", "call tools directly: calls that do not need each other overlap"),
    ast.AsyncFor: ("async is not part of the language", "call tools directly: calls that do not need each other overlap"),
    ast.AsyncWith: ("async is not part of the language", "call tools directly: calls that do not need each other overlap"),
    ast.Await: ("await is not part of the language", "call tools directly: calls that do not need each other overlap"),
    ast.With: ("with is not part of the language", "call a tool: there is nothing to close"),
    ast.Global: ("global is not part of the language", "return the value, or change a list or dict"),
    ast.Yield: ("yield is not part of the language", "build a list and return it"),
    ast.YieldFrom: ("yield is not part of the language", "build a list and return it"),
    ast.TryStar: ("except* is not part of the language", "use except"),
    ast.MatMult: ("@ is not part of the language", "use + - * / // % **"),
}  # fmt: skip
"""Whatever is neither here nor in the language is refused by its node's name."""


def refuse(node: ast.AST, reason: str, instead: str) -> ProgramRefused:
    """The refusal at a node's line."""
    return ProgramRefused(getattr(node, "lineno", 1), reason, instead)


def refuse_node(node: ast.AST, at: ast.AST | None = None) -> ProgramRefused:
    """The refusal of a node that is not in the language. `at`: whose line it is, if it has none itself."""
    unknown = (f"{type(node).__name__} is not part of the language", "write it with simpler statements")
    return refuse(at or node, *NODES.get(type(node), unknown))


def refuse_name(node: ast.AST, name: str) -> None:
    """Refuse names that Python reserves for its own machinery.

    Raises:
        ProgramRefused: the name begins with two underscores.
    """
    if name.startswith("__"):
        raise refuse(
            node,
            f"the name {name} begins with __ and is not part of the language",
            _NAMES.get(name, "choose another name"),
        )


_NAMES = {
    "__name__": "leave the test out: the program itself runs",
    "__import__": "write import datetime, re, math or json",
}


def refuse_attribute(node: ast.AST, name: str) -> None:
    """Refuse attributes that are not for others to see.

    Raises:
        ProgramRefused: the name begins with an underscore.
    """
    if name.startswith("_"):
        raise refuse(
            node, f"the attribute {name} begins with _ and is not part of the language", "use a declared field"
        )


FUNCTIONS = {
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the statements themselves",
    "globals": "use the names themselves",
    "locals": "use the names themselves",
    "vars": "use the names themselves",
    "dir": "the fields of a record are those that its tool lists",
    "type": "use isinstance",
    "issubclass": "use isinstance",
    "getattr": "write x.field",
    "setattr": 'write x = x.model_copy(update={"field": value})',
    "delattr": "build a new record",
    "hasattr": "test the field with is not None",
    "super": "write a schema class without methods",
    "object": "write a schema class",
    "property": "write a function",
    "open": "call a tool that reads or writes files",
    "input": "use what the request says: the person cannot be asked while the program runs",
    "id": "compare with is",
    "hash": "compare with ==",
    "breakpoint": "leave it out",
    "exit": "end the program with raise, or let it come to its end",
    "quit": "end the program with raise, or let it come to its end",
    "help": "leave it out",
    "bytes": "use text",
    "bytearray": "use text",
    "memoryview": "use text",
    "complex": "use float",
    "slice": "write x[a:b]",
    "staticmethod": "write a function",
    "classmethod": "write a function",
    "asdict": "write x.model_dump()",
    "astuple": "write a tuple of the fields",
    "replace": 'write x.model_copy(update={"field": value})',
    "Counter": "count in a dict: d[k] = d.get(k, 0) + 1",
    "defaultdict": "use a dict with setdefault",
    "OrderedDict": "use a dict",
    "namedtuple": "write a schema class",
    "deque": "use a list",
    "reduce": "write a for loop",
    "partial": "write a lambda",
    "itemgetter": "write lambda x: x[key]",
    "attrgetter": "write lambda x: x.field",
    "chain": "write [*a, *b]",
    "groupby": "group in a dict with setdefault",
    "aiter": "use iter",
    "anext": "use next",
}
"""Python's functions that are not part of the language, with what to write instead."""

MODULES = {
    "collections": "use a dict with get or setdefault",
    "itertools": "use for loops and comprehensions",
    "functools": "write a function",
    "operator": "write a lambda",
    "copy": "use list(...), dict(...) or model_copy()",
    "statistics": "use sum, len and sorted",
    "string": "write the characters in quotes",
    "decimal": "use round and float",
    "time": "use datetime",
    "calendar": "use datetime",
    "zoneinfo": "use datetime.timezone",
    "random": "choose by a rule of the request",
    "os": "call a tool that reads or writes files",
    "pathlib": "call a tool that reads or writes files",
    "csv": "use split and join",
    "email": "call a tool for mail",
    "smtplib": "call a tool for mail",
    "asyncio": "call tools directly: calls that do not need each other overlap",
}
"""Modules that programs often import, with what to use instead."""

METHODS = {
    "encode": "use the text as it is",
    "decode": "use the text as it is",
    "maketrans": "write str.maketrans(...)",
    "send": "write a for loop",
    "throw": "use raise",
    "with_traceback": "use raise",
}
"""The same for methods."""
