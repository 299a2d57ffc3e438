"""From text to a program: parse, and refuse what is not in the language.

An allow-list of node types; the last branch refuses. Nothing of the text is ever compiled or executed by Python.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from armslength.errors import ProgramRefused

MAX_SOURCE = 65_536
"""Characters of program text."""
MAX_DEPTH = 60
"""Nesting of nodes."""
MAX_DIGITS = 4_000
"""Digits of an integer, and characters of a number's text."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that is in the language. `body` is its statements."""

    source: str
    body: tuple[ast.stmt, ...]


def parse(source: str) -> Program:
    """The program of this text.

    Raises:
        ProgramRefused: with the line, the reason and the way out.
    """
    if len(source) > MAX_SOURCE:
        raise ProgramRefused(1, f"the program has more than {MAX_SOURCE:,} characters", "write a shorter one")
    tree = _tree(source)
    _check_depth(tree)
    for statement in tree.body:
        _check(statement)
    return Program(source, tuple(tree.body))


def _tree(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise ProgramRefused(
            error.lineno or 1, "this is not Python", "check brackets, quotes and indentation"
        ) from None
    except (RecursionError, MemoryError):
        raise ProgramRefused(1, "the program is nested too deep", "use more, simpler statements") from None
    except ValueError:
        raise ProgramRefused(1, "the text has characters or numbers that no program has", "use plain text") from None


def _check_depth(tree: ast.AST) -> None:
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise ProgramRefused(_line(level), "the program is nested too deep", "use more, simpler statements")


def _line(nodes: list[ast.AST]) -> int:
    return next((node.lineno for node in nodes if isinstance(node, ast.stmt | ast.expr)), 1)


def refuse(node: ast.AST, reason: str, instead: str) -> ProgramRefused:
    """The refusal at a node's line."""
    return ProgramRefused(getattr(node, "lineno", 1), reason, instead)


def _check(node: ast.AST) -> None:
    """Refuse `node` or anything below it that is not in the language."""
    checker = _CHECKERS.get(type(node))
    if checker is not None:
        checker(node)
    elif type(node) not in _PLAIN:
        reason, instead = _REFUSED.get(
            type(node), (f"{type(node).__name__} is not part of the language", "write it with simpler statements")
        )
        raise refuse(node, reason, instead)
    for child in _parts(node):
        _check(child)


def returned_type(node: ast.Call) -> ast.expr | None:
    """The type after `returns=` in a call of `quarantined`, which names a type and is never evaluated."""
    if not isinstance(node.func, ast.Name) or node.func.id != "quarantined":
        return None
    return next((keyword.value for keyword in node.keywords if keyword.arg == "returns"), None)


def _parts(node: ast.AST) -> list[ast.AST]:
    """The nodes below that are evaluated: not types, which `classes.py` reads, and a generator as the one argument of a call."""
    match node:
        case ast.ClassDef():
            return []
        case ast.AnnAssign(target=target, value=value):
            return [target, *([value] if value is not None else [])]
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, _], keywords=[]):
            return [subject]
        case ast.Call(func=func, args=args, keywords=keywords):
            given: list[ast.AST] = [*args]
            match args:
                case [ast.GeneratorExp(elt=element, generators=generators)]:
                    given = [element, *generators]
            return [func, *given, *(each for each in keywords if each.value is not returned_type(node))]
        case _:
            return list(ast.iter_child_nodes(node))


_PLAIN: frozenset[type[ast.AST]] = frozenset({
    ast.Expr, ast.If, ast.Break, ast.Continue, ast.Pass, ast.Load, ast.Store,
    ast.List, ast.Tuple, ast.Set, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr,
    ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot,
})  # fmt: skip

_REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Import: ("import is not part of the language", "call a tool instead"),
    ast.ImportFrom: ("import is not part of the language", "call a tool instead"),
    ast.FunctionDef: ("def is not part of the language", "write the statements where they are needed"),
    ast.AsyncFunctionDef: ("async is not part of the language", "call tools directly"),
    ast.Return: ("return is not part of the language", "assign to a name, or say it with answer(...)"),
    ast.AsyncFor: ("async is not part of the language", "call tools directly"),
    ast.AsyncWith: ("async is not part of the language", "call tools directly"),
    ast.Lambda: ("lambda is not part of the language", "use a for loop or a comprehension"),
    ast.While: ("while is not part of the language", "use a for loop"),
    ast.Try: ("try is not part of the language", "test for the case with if"),
    ast.TryStar: ("try is not part of the language", "test for the case with if"),
    ast.With: ("with is not part of the language", "call a tool instead"),
    ast.Delete: ("del is not part of the language", "build a new list or dict"),
    ast.Global: ("global is not part of the language", "use plain names"),
    ast.Nonlocal: ("nonlocal is not part of the language", "use plain names"),
    ast.Assert: ("assert is not part of the language", "use if and raise"),
    ast.Match: ("match is not part of the language", "use if and elif"),
    ast.NamedExpr: (":= is not part of the language", "assign on a line of its own"),
    ast.Starred: ("* is not part of the language here", "name each part"),
    ast.Await: ("await is not part of the language", "call tools directly"),
    ast.Yield: ("yield is not part of the language", "build a list"),
    ast.YieldFrom: ("yield is not part of the language", "build a list"),
    ast.MatMult: ("@ is not part of the language", "use + - * / // % **"),
    ast.BitOr: ("| is not part of the language here", "use or"),
    ast.BitAnd: ("& is not part of the language", "use and"),
    ast.BitXor: ("^ is not part of the language", "use !="),
    ast.LShift: ("<< is not part of the language", "use *"),
    ast.RShift: (">> is not part of the language", "use //"),
    ast.Invert: ("~ is not part of the language", "use not"),
    ast.GeneratorExp: (
        "a generator expression may stand only as the one argument of a call",
        "use a list comprehension",
    ),
}


def check_name(node: ast.AST, name: str) -> None:
    """Refuse names that Python reserves for its own machinery."""
    if name.startswith("__"):
        raise refuse(node, "names that begin with __ are not part of the language", "choose another name")


def check_constant(node: ast.Constant) -> None:
    """Refuse literals of other types, and integers with too many digits."""
    if type(node.value) not in (type(None), bool, int, float, str):
        raise refuse(
            node,
            f"a literal of type {type(node.value).__name__} is not part of the language",
            "use str, int, float or bool",
        )
    if type(node.value) is int and node.value.bit_length() > MAX_DIGITS * 3:
        raise refuse(node, "the number has too many digits", "use a smaller one")


def _check_target(node: ast.expr) -> None:
    match node:
        case ast.Name() | ast.Subscript(slice=ast.expr()) if not isinstance(getattr(node, "slice", None), ast.Slice):
            return
        case ast.Tuple(elts) | ast.List(elts):
            for part in elts:
                _check_target(part)
        case _:
            raise refuse(
                node, "this cannot be assigned to", "assign to a name, several names, or an item such as d[key]"
            )


def _check_assign(node: ast.Assign) -> None:
    for target in node.targets:
        _check_target(target)


def _check_augmented(node: ast.AugAssign) -> None:
    _check_target(node.target)


def _check_annotated(node: ast.AnnAssign) -> None:
    if not isinstance(node.target, ast.Name):
        raise refuse(node, "only a name can stand on the left here", "write target = value in full")
    if node.value is None:
        raise refuse(node, "a declaration without a value is not part of the language", "assign a value")


def _check_for(node: ast.For) -> None:
    if node.orelse:
        raise refuse(node, "else after for is not part of the language", "set a name in the loop and test it after")
    _check_names_only(node.target)


def _check_names_only(node: ast.expr) -> None:
    match node:
        case ast.Name():
            return
        case ast.Tuple(elts) | ast.List(elts):
            for part in elts:
                _check_names_only(part)
        case _:
            raise refuse(node, "a loop assigns to names only", "assign to a name and go on from there")


def _check_comprehension(node: ast.comprehension) -> None:
    if node.is_async:
        raise refuse(node.target, "async is not part of the language", "use a plain comprehension")
    _check_names_only(node.target)


_EXCEPTIONS = frozenset(
    {"Exception", "ValueError", "RuntimeError", "KeyError", "IndexError", "TypeError", "LookupError"}
)


def _check_raise(node: ast.Raise) -> None:
    match node.exc, node.cause:
        case ast.Call(func=ast.Name(id=name), args=[] | [_], keywords=[]) | ast.Name(id=name), None if (
            name in _EXCEPTIONS
        ):
            return
        case _:
            raise refuse(node, "raise takes an exception with one message", 'write raise ValueError("what is wrong")')


def _check_call(node: ast.Call) -> None:
    match node.func:
        case ast.Name() | ast.Attribute():
            pass
        case _:
            raise refuse(node, "only functions, tools and methods can be called", "name the function")
    if any(keyword.arg is None for keyword in node.keywords):
        raise refuse(node, "** is not part of the language here", "name each argument")


def _check_dict(node: ast.Dict) -> None:
    if any(key is None for key in node.keys):
        raise refuse(node, "** is not part of the language here", "name each key")


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr.startswith("_"):
        raise refuse(node, "attributes that begin with _ are not part of the language", "use a declared field")


def _check_formatted(node: ast.FormattedValue) -> None:
    match node.conversion, node.format_spec:
        case ((-1 | 115 | 114), None | ast.JoinedStr(values=[ast.Constant()]) | ast.JoinedStr(values=[])):
            return
        case int(conversion), _ if conversion not in (-1, 115, 114):
            raise refuse(node, "only !r and !s are conversions in an f-string", "leave the conversion out")
        case _:
            raise refuse(node, "only a fixed format may stand after : in an f-string", "compute the text before")


def _check_class(node: ast.ClassDef) -> None:
    check_name(node, node.name)
    is_model = all(isinstance(base, ast.Name) and base.id in ("BaseModel", "object") for base in node.bases)
    if not is_model or node.keywords or node.decorator_list:
        raise refuse(node, "a class may only be a schema", "write class Name(BaseModel): with annotated fields")
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.AnnAssign(target=ast.Name(), value=None | ast.Constant()):
                pass
            case _:
                raise refuse(statement, "a schema class has annotated fields only", "write field: type")


def _check_identifier(node: ast.Name) -> None:
    check_name(node, node.id)


def _check_keyword(node: ast.keyword) -> None:
    check_name(node.value, node.arg or "")


_CHECKERS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Constant: check_constant,
    ast.Name: _check_identifier,
    ast.Assign: _check_assign,
    ast.AugAssign: _check_augmented,
    ast.AnnAssign: _check_annotated,
    ast.For: _check_for,
    ast.comprehension: _check_comprehension,
    ast.Raise: _check_raise,
    ast.Call: _check_call,
    ast.keyword: _check_keyword,
    ast.Dict: _check_dict,
    ast.Attribute: _check_attribute,
    ast.FormattedValue: _check_formatted,
    ast.ClassDef: _check_class,
}
