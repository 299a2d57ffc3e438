"""From text to a program: parse, and refuse what is not in the language.

An allow-list of node types; the last branch refuses. Nothing of the text is ever compiled or executed by Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from armslength.errors import ProgramRefused
from armslength.language.reading.answered import name_returned_types
from armslength.language.reading.grammar import check_grammar
from armslength.language.reading.refused import MODULES, refuse, refuse_attribute, refuse_name, refuse_node
from armslength.language.reading.trees import children, signs, tree_of

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
    name_returned_types(tree)
    for statement in tree.body:
        check_nodes(statement)
    return Program(source, tuple(tree.body))


def _tree(source: str) -> ast.Module:
    try:
        return tree_of(source)
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
        level = [child for node in level for child in children(node)]
        if not level:
            return
    raise ProgramRefused(_line(level), "the program is nested too deep", "use more, simpler statements")


def _line(nodes: list[ast.AST]) -> int:
    return next((node.lineno for node in nodes if isinstance(node, ast.stmt | ast.expr)), 1)


def check_nodes(node: ast.AST) -> None:
    """Refuse `node` or anything below it that is not in the language.

    Raises:
        ProgramRefused: it is not.
    """
    checker = _CHECKERS.get(type(node))
    if checker is not None:
        checker(node)
    elif type(node) not in _PLAIN:
        raise refuse_node(node)
    parts = below(node)
    check_grammar(node, parts)
    for sign in signs(node):
        if type(sign) not in _SIGNS:
            raise refuse_node(sign, node)
    for child in parts:
        check_nodes(child)


def returned_type(node: ast.Call) -> ast.expr | None:
    """The type after `returns=` in a call of `quarantined` (put there by `answered`), which names a type and is never evaluated."""
    if not isinstance(node.func, ast.Name) or node.func.id != "quarantined":
        return None
    return next((keyword.value for keyword in node.keywords if keyword.arg == "returns"), None)


def below(node: ast.AST) -> Sequence[ast.AST]:
    """The nodes directly below that are evaluated: no types, no annotations, no schema classes, no names of exceptions.

    They are kept with the node, as every pass asks for them and no pass changes a tree.
    """
    known: dict[str, Sequence[ast.AST]] = node.__dict__
    if "below" not in known:
        known["below"] = _BELOW.get(type(node), children)(node)
    return known["below"]


def _below_call(node: ast.Call) -> Sequence[ast.AST]:
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, _], keywords=[]):
            return [subject]
        case ast.Call(func=ast.Name(id="quarantined")):
            is_type = returned_type(node)
            return [node.func, *node.args, *(each for each in node.keywords if each.value is not is_type)]
        case _:
            return [node.func, *node.args, *node.keywords]


def _below_raise(node: ast.Raise) -> Sequence[ast.AST]:
    match node.exc:
        case None:
            return []
        case ast.Call(args=args):
            return args
        case raised:
            return [raised]


_BELOW: Mapping[type[ast.AST], Callable[..., Sequence[ast.AST]]] = {
    **dict.fromkeys((ast.ClassDef, ast.Import, ast.ImportFrom, ast.Nonlocal), lambda node: []),
    ast.AnnAssign: lambda node: [node.target] if node.value is None else [node.value, node.target],
    ast.Call: _below_call,
    ast.FunctionDef: lambda node: [*_defaults(node.args), *node.body],
    ast.Lambda: lambda node: [*_defaults(node.args), node.body],
    ast.Raise: _below_raise,
    ast.ExceptHandler: lambda node: node.body,
    ast.MatchClass: lambda node: [*node.patterns, *node.kwd_patterns],
}
"""What is read of nodes of which not all is evaluated."""


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


_PLAIN: frozenset[type[ast.AST]] = frozenset({
    ast.Expr, ast.If, ast.While, ast.Break, ast.Continue, ast.Pass, ast.Return, ast.Assert, ast.Try,
    ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton, ast.MatchSequence, ast.MatchOr,
    ast.List, ast.Tuple, ast.Set, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.NamedExpr, ast.Starred, ast.Dict,
})  # fmt: skip
_SIGNS: frozenset[type[ast.AST]] = frozenset({
    ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.Invert,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow,
    ast.BitOr, ast.BitAnd, ast.BitXor, ast.LShift, ast.RShift,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot,
})  # fmt: skip


def check_constant(node: ast.Constant) -> None:
    """Refuse literals of other types, integers with too many digits, and texts that cannot be written as UTF-8.

    Raises:
        ProgramRefused: it is such a literal.
    """
    if type(node.value) not in (type(None), bool, int, float, str):
        raise refuse(
            node,
            f"a literal of type {type(node.value).__name__} is not part of the language",
            "write pass" if node.value is ... else "use str, int, float or bool",
        )
    if type(node.value) is int and node.value.bit_length() > MAX_DIGITS * 3:
        raise refuse(node, "the number has too many digits", "use a smaller one")
    if type(node.value) is str and any("\ud800" <= each <= "\udfff" for each in node.value):
        raise refuse(node, "the text has half a character, a surrogate", "write the whole character itself")


def _check_target(node: ast.expr) -> None:
    match node:
        case ast.Name() | ast.Subscript():
            return
        case ast.Starred(value=inner):
            _check_target(inner)
        case ast.Tuple(elts) | ast.List(elts):
            for part in elts:
                _check_target(part)
        case ast.Attribute():
            raise refuse(node, "records do not change", 'write x = x.model_copy(update={"field": value})')
        case _:
            raise refuse(
                node, "this cannot be assigned to", "assign to a name, several names, or an item such as d[key]"
            )


def _check_assign(node: ast.Assign) -> None:
    for target in node.targets:
        _check_target(target)


def _check_augmented(node: ast.AugAssign) -> None:
    _check_target(node.target)
    if isinstance(node.target, ast.Subscript) and isinstance(node.target.slice, ast.Slice):
        raise refuse(node, "a slice takes no += and the like", "write x[a:b] = ... in full")


def _check_annotated(node: ast.AnnAssign) -> None:
    if not isinstance(node.target, ast.Name):
        raise refuse(node, "only a name can have an annotation", "write target = value without it")


def _check_delete(node: ast.Delete) -> None:
    for target in node.targets:
        for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if not isinstance(part, ast.Name | ast.Subscript):
                raise refuse(node, "del takes names and items", "write del x, or del d[key]")


def _check_for(node: ast.For) -> None:
    _check_target(node.target)


def _check_comprehension(node: ast.comprehension) -> None:
    if node.is_async:
        raise refuse(node.target, "async is not part of the language", "use a plain comprehension")
    _check_names_only(node.target)


def _check_names_only(node: ast.expr) -> None:
    match node:
        case ast.Name():
            return
        case ast.Starred(value=inner):
            _check_names_only(inner)
        case ast.Tuple(elts) | ast.List(elts):
            for part in elts:
                _check_names_only(part)
        case _:
            raise refuse(node, "a comprehension assigns to names only", "assign to a name and go on from there")


def _check_raise(node: ast.Raise) -> None:
    match node.exc:
        case None | ast.Name():
            pass
        case ast.Call(func=ast.Name(), args=args, keywords=[]) if not any(isinstance(a, ast.Starred) for a in args):
            pass
        case _:
            raise refuse(node, "raise takes an exception with its message", 'write raise ValueError("what is wrong")')
    if not isinstance(node.cause, None | ast.Name | ast.Constant):
        raise refuse(node, "from takes the exception that was caught", "write raise ... from error")


def _check_handler(node: ast.ExceptHandler) -> None:
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    if node.type is not None and not all(isinstance(kind, ast.Name | ast.Attribute) for kind in kinds):
        raise refuse(node, "except takes exceptions by name", "write except ValueError as error:")
    refuse_name(node, node.name or "")


def _check_call(node: ast.Call) -> None:
    if isinstance(node.func, ast.Constant | ast.JoinedStr):
        raise refuse(node, "only functions, tools and methods can be called", "name the function")
    if any(keyword.arg is None for keyword in node.keywords):
        raise refuse(node, "** is not part of the language here", "name each argument")


def _check_attribute(node: ast.Attribute) -> None:
    refuse_attribute(node, node.attr)


def _check_formatted(node: ast.FormattedValue) -> None:
    if node.conversion not in (-1, ord("s"), ord("r")):
        raise refuse(node, "only !r and !s are conversions in an f-string", "leave the conversion out")


def _check_function(node: ast.FunctionDef) -> None:
    refuse_name(node, node.name)
    if node.decorator_list:
        raise refuse(node, "decorators are not part of the language", "call the function where it is needed")
    _check_type_parameters(node)
    _check_arguments(node, node.args)


def _check_type_parameters(node: ast.FunctionDef | ast.ClassDef) -> None:
    if getattr(node, "type_params", None):  # since Python 3.12
        raise refuse(node, "type parameters are not part of the language", "leave them out")


def _check_lambda(node: ast.Lambda) -> None:
    _check_arguments(node, node.args)


def _check_arguments(node: ast.AST, arguments: ast.arguments) -> None:
    if arguments.kwarg is not None:
        raise refuse(node, "** is not part of the language here", "name each parameter, or pass a dict")
    rest = [] if arguments.vararg is None else [arguments.vararg]
    for argument in (*arguments.posonlyargs, *arguments.args, *rest, *arguments.kwonlyargs):
        refuse_name(argument, argument.arg)


def _check_class(node: ast.ClassDef) -> None:
    refuse_name(node, node.name)
    _check_type_parameters(node)
    if node.keywords:
        raise refuse(node, "a class takes no options", "write class Name(BaseModel): with annotated fields")


_IMPORTED = frozenset(
    {"datetime", "re", "math", "json", "dataclasses", "enum", "typing", "pydantic", "__future__", "collections.abc"}
)

_MODULES = "datetime, re, math, json, dataclasses, enum, typing and pydantic"


def _check_import(node: ast.Import | ast.ImportFrom) -> None:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        raise refuse(node, "a relative import is not part of the language", "call a tool instead")
    for name in names:
        if name not in _IMPORTED:
            instead = MODULES.get(name.partition(".")[0], "call a tool for the rest")
            raise refuse(node, f"{name} cannot be imported, only {_MODULES} can", instead)
    if any(alias.name == "*" for alias in node.names):
        raise refuse(node, "import * is not part of the language", "name what you import")


def _check_identifier(node: ast.Name) -> None:
    refuse_name(node, node.id)


def _check_keyword(node: ast.keyword) -> None:
    refuse_name(node.value, node.arg or "")


def _check_nonlocal(node: ast.Nonlocal) -> None:
    for name in node.names:
        refuse_name(node, name)


def _check_capture(node: ast.MatchAs | ast.MatchStar) -> None:
    refuse_name(node, node.name or "")


def _check_mapping(node: ast.MatchMapping) -> None:
    refuse_name(node, node.rest or "")


def _check_class_pattern(node: ast.MatchClass) -> None:
    if not isinstance(node.cls, ast.Name):
        raise refuse(
            node, "a class pattern names a class of the program or a plain type", "write case Task(title=title):"
        )
    for name in node.kwd_attrs:
        refuse_attribute(node, name)


_CHECKERS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Constant: check_constant,
    ast.Name: _check_identifier,
    ast.Assign: _check_assign,
    ast.AugAssign: _check_augmented,
    ast.AnnAssign: _check_annotated,
    ast.Delete: _check_delete,
    ast.For: _check_for,
    ast.comprehension: _check_comprehension,
    ast.Raise: _check_raise,
    ast.ExceptHandler: _check_handler,
    ast.Call: _check_call,
    ast.keyword: _check_keyword,
    ast.Attribute: _check_attribute,
    ast.FormattedValue: _check_formatted,
    ast.FunctionDef: _check_function,
    ast.Lambda: _check_lambda,
    ast.ClassDef: _check_class,
    ast.Import: _check_import,
    ast.ImportFrom: _check_import,
    ast.Nonlocal: _check_nonlocal,
    ast.MatchAs: _check_capture,
    ast.MatchStar: _check_capture,
    ast.MatchMapping: _check_mapping,
    ast.MatchClass: _check_class_pattern,
}
