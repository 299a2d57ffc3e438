"""Syntax trees: of a text, by Python's own parser, and what is below a node.

The parser is used by one thread at a time: it counts its depth for the whole process and fails where two threads parse at once
(CPython issue 106905), and the filters of warnings are the process's as well.
"""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

_ALONE = threading.Lock()


def tree_of(source: str) -> ast.Module:
    """The syntax tree of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it has none.
    """
    with _ALONE, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def children(node: ast.AST) -> Sequence[ast.AST]:
    """The nodes directly below, as `ast.iter_child_nodes` gives them, but for operators (`signs`) and what a name stands there for."""
    found: list[ast.AST] = []
    for name in _PARTS.get(type(node), node._fields):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif type(part) is list:
            found += [each for each in part if isinstance(each, ast.AST)]
    return found


_LEFT_OUT = frozenset({"ctx", "op", "ops"})
_TEXTS = frozenset({"id", "attr", "kind", "type_comment", "conversion", "is_async", "simple"})
"""Parts that are no nodes: not looked at, since every pass over a program asks for what is below its nodes."""


_PARTS: Mapping[type, Sequence[str]] = {
    sort: tuple(name for name in sort._fields if name not in _LEFT_OUT | _TEXTS)
    for sort in vars(ast).values()
    if isinstance(sort, type) and issubclass(sort, ast.AST)
}


def signs(node: ast.AST) -> Sequence[ast.AST]:
    """The operators of an expression or statement."""
    match node:
        case ast.BinOp(op=sign) | ast.UnaryOp(op=sign) | ast.BoolOp(op=sign) | ast.AugAssign(op=sign):
            return [sign]
        case ast.Compare(ops=several):
            return several
        case _:
            return []


def statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """The statements of a block and of those within, those of functions and classes too."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        yield from statements([each for each in children(node) if isinstance(each, _BLOCKS)])


_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
