"""The type of an answer in its place: `quarantined(instruction, data, bool)`, as the signature that a planner is told has it.

It is put behind `returns=` before anything else looks at the tree, so there is one form of it from here on. What is no type by its shape, or
has a name that the program binds, stays data.
"""

from __future__ import annotations

import ast

_NAMED = frozenset({"str", "bool", "int", "float", "list", "List"})
_MADE = frozenset({"list", "List", "Sequence", "Optional", "Union", "Literal"})
_FEWEST = 3


def name_returned_types(tree: ast.Module) -> None:
    """Where the last of three or more arguments of a question is a type, and no `returns=` stands there, it is that."""
    calls, classes, bound = [], set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="quarantined"), args=args) if len(args) >= _FEWEST:
                calls.append(node)
            case ast.ClassDef(name=name):
                classes.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case _:
                pass
    types = (_NAMED | classes) - bound
    for call in calls:
        last = call.args[-1]
        if _is_type(last, types) and all(each.arg != "returns" for each in call.keywords):
            call.args.pop()
            call.keywords.append(ast.copy_location(ast.keyword("returns", last), last))


def _is_type(node: ast.expr, types: set[str] | frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in types
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="typing"), attr=name)):
            return name in _MADE
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _is_type(inner, types)
        case ast.Dict(values=values):
            return bool(values) and all(_is_type(each, types) for each in values)
        case _:
            return False
