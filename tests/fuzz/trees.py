"""Random syntax trees, and trees of real programs with parts of others in them, written as text again.

Which node has which parts is read from the nodes' own documentation, so every node of Python's grammar is tried, in the language or not.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.fuzz.grammar import Choices

_PART = re.compile(r"(\w+)([*?]?) (\w+)")
CONSTANTS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    None,
    True,
    "",
    "ab",
    " 7 ",
    1.5,
    10**30,
    "%s {0}",
    b"b",
    ...,
    2j,
    "\ud800\x00",
)


class Words:
    """The names, attributes, keywords and constants of some programs."""

    def __init__(self, programs: Sequence[str]) -> None:
        trees = [ast.parse(each) for each in programs]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self.trees = trees
        self.names = _sorted(node.id for node in nodes if isinstance(node, ast.Name))
        self.attributes = _sorted(node.attr for node in nodes if isinstance(node, ast.Attribute))
        self.keywords = _sorted(node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg)
        self.parts: dict[type, list[ast.AST]] = {
            sort: [node for node in nodes if isinstance(node, sort)] for sort in (ast.expr, ast.stmt, ast.pattern)
        }


def _sorted(words: Any) -> tuple[str, ...]:
    return tuple(sorted(set(words)))


def random_tree(choose: Choices, words: Words) -> str:
    """A program of random nodes of all of Python's grammar, as text. Empty if Python cannot write the tree."""
    body = [_node(choose, words, "stmt", 3) for _ in range(1 + choose.below(4))]
    return written(ast.Module(body=body, type_ignores=[]))


def _node(choose: Choices, words: Words, sort: str, depth: int) -> Any:
    options = _OPTIONS[sort]
    if sort == "expr" and (depth <= 0 or choose.are_used_up):
        options = (ast.Name, ast.Constant)
    elif depth <= 0 or choose.are_used_up:
        options = tuple(each for each in options if each in _LEAVES) or options
    chosen = choose.one(options)
    parts = {
        name: _part(choose, words, chosen, sort_of, many, name, depth) for sort_of, many, name in _parts_of(chosen)
    }
    return chosen(**parts)


def _part(  # one part's whole circumstances
    choose: Choices, words: Words, owner: type, sort: str, many: str, name: str, depth: int
) -> Any:
    if many == "?" and (choose.below(2) == 0 or name == "type_comment"):
        return None
    if many == "*":
        least = 1 if name in _NEVER_EMPTY else 0
        count = least + choose.below(3) * (depth > 0)
        return [_part(choose, words, owner, sort, "", name, depth) for _ in range(count)]
    if sort in _OPTIONS:
        return _node(choose, words, sort, depth - 1)
    if sort == "identifier":
        named = (
            words.attributes
            if name in {"attr", "kwd_attrs"}
            else words.keywords
            if owner is ast.keyword
            else words.names
        )
        return choose.one(named)
    return {"constant": choose.one(CONSTANTS), "int": choose.one((0, 1, -1, 115)), "string": None}[sort]


def _parts_of(node: type) -> list[tuple[str, str, str]]:
    inside = (node.__doc__ or "").partition("(")[2]
    return [(sort, many, name) for sort, many, name in _PART.findall(inside)]


def _options() -> dict[str, tuple[type, ...]]:
    sums = (
        ast.stmt,
        ast.expr,
        ast.pattern,
        ast.operator,
        ast.unaryop,
        ast.boolop,
        ast.cmpop,
        ast.expr_context,
        ast.excepthandler,
    )
    products = (ast.comprehension, ast.arguments, ast.arg, ast.keyword, ast.alias, ast.withitem, ast.match_case)
    found = {each.__name__: _concrete(each) for each in sums}
    found["expr_context"] = (ast.Load, ast.Store)
    found.update({each.__name__: (each,) for each in products})
    return found


def _concrete(base: type) -> tuple[type, ...]:
    deprecated = {
        "Num",
        "Str",
        "Bytes",
        "NameConstant",
        "Ellipsis",
        "Index",
        "ExtSlice",
        "Suite",
        "AugLoad",
        "AugStore",
        "Param",
    }
    return tuple(each for each in base.__subclasses__() if each.__name__ not in deprecated)


_OPTIONS = _options()
_LEAVES = {
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Expr,
    ast.MatchAs,
    ast.MatchSingleton,
    ast.MatchValue,
    ast.Raise,
}
_NEVER_EMPTY = {"body", "targets", "names", "handlers", "cases", "ops", "items", "generators"}


def written(tree: ast.Module) -> str:
    """The tree as text; empty if it has none."""
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except (ValueError, TypeError, AttributeError, RecursionError, IndexError, KeyError, UnicodeError):
        return ""


# Real programs with other parts


def spliced(choose: Choices, words: Words, source: str) -> str:
    """The program with one to four changes of its tree. As it was if it is none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    for _ in range(1 + choose.below(4)):
        _CHANGES[choose.below(len(_CHANGES))](choose, words, tree)
    return written(tree) or source


def _places(tree: ast.AST, sort: type) -> list[tuple[ast.AST, str, int | None]]:
    """Where a node of the sort stands: its owner, the part, and the position in it."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for owner in ast.walk(tree):
        for name, part in ast.iter_fields(owner):
            if isinstance(part, sort):
                found.append((owner, name, None))
            elif isinstance(part, list):
                found.extend((owner, name, at) for at, each in enumerate(part) if isinstance(each, sort))
    return found


def _put(place: tuple[ast.AST, str, int | None], node: ast.AST) -> None:
    owner, name, at = place
    if at is None:
        setattr(owner, name, node)
    else:
        getattr(owner, name)[at] = node


def _replace_with_another(sort: type) -> Callable[[Choices, Words, ast.AST], None]:
    def change(choose: Choices, words: Words, tree: ast.AST) -> None:
        places, others = _places(tree, sort), words.parts[sort]
        if places and others:
            _put(choose.one(places), _copied(choose.one(others)))

    return change


def _replace_with_random(choose: Choices, words: Words, tree: ast.AST) -> None:
    if places := _places(tree, ast.expr):
        _put(choose.one(places), _node(choose, words, "expr", 2))


def _replace_with_own(choose: Choices, words: Words, tree: ast.AST) -> None:
    """An expression with another of the same program: names that exist, of other types."""
    places = _places(tree, ast.expr)
    own = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    if places and own:
        _put(choose.one(places), _copied(choose.one(own)))


def _insert(choose: Choices, words: Words, tree: ast.AST) -> None:
    places = [place for place in _places(tree, ast.stmt) if place[2] is not None]
    if places:
        owner, name, at = choose.one(places)
        getattr(owner, name).insert(at, _copied(choose.one(words.parts[ast.stmt])))


def _remove(choose: Choices, words: Words, tree: ast.AST) -> None:
    places = [place for place in _places(tree, ast.stmt) if place[2] is not None]
    if places:
        owner, name, at = choose.one(places)
        body = getattr(owner, name)
        del body[at or 0]
        if not body and name == "body":
            body.append(ast.Pass())


def _rename(choose: Choices, words: Words, tree: ast.AST) -> None:
    """A name, attribute, keyword, operator or constant becomes another."""
    node = choose.one([*ast.walk(tree)])
    match node:
        case ast.Name():
            node.id = choose.one(words.names)
        case ast.Attribute():
            node.attr = choose.one(words.attributes)
        case ast.keyword():
            node.arg = choose.one(words.keywords)
        case ast.Constant():
            node.value = choose.one(CONSTANTS)
        case ast.BinOp() | ast.AugAssign():
            node.op = choose.one(_OPTIONS["operator"])()
        case ast.Compare():
            node.ops = [choose.one(_OPTIONS["cmpop"])() for _ in node.ops]
        case _:
            pass


def _copied(node: ast.AST) -> ast.AST:
    return copy.deepcopy(node)


_CHANGES = (
    _replace_with_another(ast.expr), _replace_with_another(ast.stmt), _replace_with_another(ast.pattern),
    _replace_with_random, _replace_with_own, _replace_with_own, _insert, _remove, _rename, _rename,
)  # fmt: skip


def repaired(source: str, line: int) -> str | None:
    """The program without the innermost statement at a line, so that it gets further; None if there is none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [
        place
        for place in _places(tree, ast.stmt)
        if place[2] is not None and (at := getattr(place[0], place[1])[place[2]]).lineno <= line <= (at.end_lineno or 0)
    ]
    if not found:
        return None
    _put(found[-1], ast.Pass())
    return written(tree) or None
