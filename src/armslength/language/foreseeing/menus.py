"""The few literals that an expression can be, where the program's text names them all.

A name counts if all that is ever assigned to it, in any order, are such expressions. What a tool declares is its word, so whoever relies
on a menu still looks whether the value is in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from armslength.language.foreseeing.outlook import TEST_METHODS, TESTS
from armslength.schema import BOOL, NONE, Menu, OptionalOf, Type

Choice = str | int | bool | None
MOST_CHOICES = 256
_Found = dict[tuple[type, Choice], Choice] | None


@dataclass(slots=True)
class Menus:
    """The menus of one program. `earlier` are those of names that were there before."""

    body: tuple[ast.stmt, ...]
    type_of: Callable[[ast.expr], Type | None]
    earlier: Mapping[str, tuple[Choice, ...] | None]
    _assigned: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    _found: dict[str, _Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in self.body:
            for node in ast.walk(statement):
                self._note(node)
        self._found = {name: {} for name in self._assigned} | {name: _each(its) for name, its in self.earlier.items()}
        self._follow()

    def of_name(self, name: str) -> tuple[Choice, ...] | None:
        """The literals that stand under a name, each once, in the order of the text; None if they cannot be told."""
        return _listed(self._found.get(name))

    def of(self, node: ast.expr) -> tuple[Choice, ...] | None:
        """The literals that an expression can be."""
        return _listed(self._of(node))

    def _note(self, node: ast.AST) -> None:
        """Which expressions a name is assigned; None where a name takes something else."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        self._assigned.setdefault(target.id, []).append(value)
                    else:
                        self._taken(target)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._assigned.setdefault(name, []).append(value)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self._assigned.setdefault(name, []).append(value)
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.comprehension(target=target):
                self._taken(target)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)) | ast.FunctionDef(name=name):
                self._unknown(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                self._unknown(name)
            case _:
                pass

    def _taken(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._unknown(node.id)

    def _unknown(self, name: str) -> None:
        self._assigned.setdefault(name, []).append(None)

    def _follow(self) -> None:
        """Until nothing changes: names can be assigned each other in a circle, and few literals come of many."""
        while True:
            before = dict(self._found)
            for name in self._assigned:
                self._found[name] = self._of_name(name)
            if before == self._found:
                return

    def _of_name(self, name: str) -> _Found:
        found = self._found[name]
        for value in self._assigned[name]:
            found = _united(found, None if value is None else self._of(value))
        return found

    def _of(self, node: ast.expr) -> _Found:
        match node:
            case ast.Constant(value=None | bool() | int() | str() as literal):
                return _each([literal])
            case ast.Name(id=name, ctx=ast.Load()):
                return self._found.get(name)
            case ast.IfExp(body=body, orelse=orelse):
                return _united(self._of(body), self._of(orelse))
            case ast.BoolOp(values=[first, *others]):
                found = self._of(first)
                for other in others:
                    found = _united(found, self._of(other))
                return found
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return _each([False, True])
            case ast.Call(func=ast.Name(id=name)) if name in TESTS:
                return _each([False, True])
            case ast.Call(func=ast.Attribute(attr=method)) if method in TEST_METHODS:
                return _each([False, True])
            case _:
                return _each(members(self.type_of(node)))


def members(declared: Type | None) -> list[Choice] | None:
    """The members of a menu's type."""
    match declared:
        case Menu(choices):
            return list(choices)
        case OptionalOf(inner):
            found = members(inner)
            return None if found is None else [None, *found]
        case _ if declared == BOOL:
            return [False, True]
        case _ if declared == NONE:
            return [None]
        case _:
            return None


def _each(choices: Sequence[Choice] | None) -> _Found:
    """Each once: `1` and `True` are two. Too many are as good as unknown."""
    found = {(type(choice), choice): choice for choice in choices or ()}
    return found if choices is not None and len(found) <= MOST_CHOICES else None


def _united(one: _Found, other: _Found) -> _Found:
    if one is None or other is None:
        return None
    return both if len(both := one | other) <= MOST_CHOICES else None


def _listed(found: _Found) -> tuple[Choice, ...] | None:
    return tuple(found.values()) if found else None
