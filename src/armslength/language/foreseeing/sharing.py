"""Which names may hold the same object, by the program's text, and which hold nothing that can change.

What tools and the quarantined model give is frozen all the way down, and so is what is taken out of it; whoever holds nothing else
shares nothing that matters. Of everything else a name holds whatever its expressions mention.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from armslength.language.foreseeing.outlook import (
    RETURNED,
    Outlook,
    arguments,
    expressions,
    handed,
    is_scalar,
    returned,
)

Bindings = Mapping[str, list[ast.expr | None]]


@dataclass(slots=True)
class Sharing:
    """What one program's names may share. `fixed`: earlier names that hold nothing that can change.

    `direct`: functions that stand as arguments of a function of the language, which calls them there and keeps them nowhere.
    `is_escaping`: there are functions that may be called under any name. `variables`: the names that are, or may be, variables.
    """

    outlook: Outlook
    body: tuple[ast.stmt, ...]
    fixed: frozenset[str]
    earlier: frozenset[str]
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()
    direct: frozenset[ast.expr] = frozenset()
    escaping: frozenset[str] = frozenset()
    is_escaping: bool = False
    frozen: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        nodes = [node for statement in self.body for node in ast.walk(statement)]
        self.functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        bindings = _bindings(nodes)
        self.variables = frozenset(bindings) | self.earlier
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        self.direct = frozenset(
            given
            for call in calls
            if isinstance(call.func, ast.Attribute)
            or (isinstance(call.func, ast.Name) and call.func.id not in self.variables)
            for given in arguments(call)
            if isinstance(given, ast.Lambda) or (isinstance(given, ast.Name) and given.id in self.outlook.functions)
        )
        called = {call.func for call in calls}
        used = {
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and node.id in self.functions and node not in called | self.direct
        }
        self.escaping = frozenset(used | (self.functions.keys() - self.outlook.functions))
        lambdas = (node for node in nodes if isinstance(node, ast.Lambda))
        self.is_escaping = bool(self.escaping) or any(each not in self.direct for each in lambdas)
        self.frozen = self._frozen(bindings)

    def touched(self, node: ast.AST) -> set[str]:
        """The names that a construct may assign, and those whose objects it may change."""
        found: set[str] = set()
        for child in ast.walk(node):
            match child:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    found.add(name)
                case ast.Name(id=name) if name not in self.frozen and not is_scalar(self.outlook.type_of(child)):
                    found.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                    found.add(name)
                case ast.ExceptHandler(name=str(name)):
                    found.add(name)
                case _:
                    pass
        return found - self.outlook.functions

    def holders(self, node: ast.expr) -> Iterator[str]:
        """The names that may hold an object that the expression gives, or one in it."""
        if is_scalar(self.outlook.type_of(node)):
            return
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Compare():
                return
            case ast.Name(id=name) if name in self.functions:
                yield from (returned(name), handed(name), *self.touched(self.functions[name]))
            case ast.Name(id=name):
                yield from () if name in self.frozen else (name,)
            case ast.Call(func=ast.Name(id=name)) if name in self.outlook.signatures or name == "quarantined":
                return
            case ast.Call(func=ast.Name(id=name)) if name in self.outlook.functions:
                yield returned(name)
            case ast.Call():
                yield from self._of_call(node)
            case ast.Lambda(body=body):
                yield from self.holders(body)
                yield from (each.id for each in ast.walk(body) if isinstance(each, ast.Name))
            case _:
                for child in expressions(node):
                    yield from self.holders(child)

    def _of_call(self, node: ast.Call) -> Iterator[str]:
        for child in (node.func, *arguments(node)):
            match child:
                case ast.Lambda(body=body) if child in self.direct:
                    yield from self.holders(body)
                case ast.Name(id=name) if child in self.direct:
                    yield returned(name)
                case _:
                    yield from self.holders(child)
        if self.is_escaping:
            yield RETURNED

    def _frozen(self, bindings: Bindings) -> frozenset[str]:
        """The names all of whose expressions are frozen: those are left that nothing speaks against."""
        found = {name for name in bindings if name not in self.earlier} | set(self.fixed)
        while True:
            kept = {
                name
                for name in found
                if all(each is not None and self._is_frozen(each, found) for each in bindings.get(name, []))
            }
            if kept == found:
                return frozenset(found)
            found = kept

    def _is_frozen(self, node: ast.expr, names: set[str]) -> bool:
        if is_scalar(self.outlook.type_of(node)):
            return True
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Compare():
                return True
            case ast.Name(id=name):
                return name in names
            case ast.Call(func=ast.Name(id=name)):
                return name in self.outlook.signatures or name == "quarantined"
            case ast.Subscript(slice=ast.Slice()):
                return False
            case ast.Attribute(value=owner) | ast.Subscript(value=owner) | ast.NamedExpr(value=owner):
                return self._is_frozen(owner, names)
            case ast.IfExp() | ast.BoolOp() | ast.Tuple():
                return all(self._is_frozen(child, names) for child in _given(node))
            case _:
                return False


def _given(node: ast.expr) -> Iterable[ast.expr]:
    """What a choice, or a tuple, can give or hold."""
    return (node.body, node.orelse) if isinstance(node, ast.IfExp) else expressions(node)


def _bindings(nodes: Iterable[ast.AST]) -> Bindings:
    """The expressions that each name takes, or takes a part of; None for what makes something new, or is not known."""
    found: dict[str, list[ast.expr | None]] = {}

    def bind(target: ast.expr, value: ast.expr | None) -> None:
        match target:
            case ast.Name(id=name):
                found.setdefault(name, []).append(value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    bind(part, value)
            case ast.Starred(value=inner):
                bind(inner, None)
            case _:
                pass

    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    bind(target, value)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                bind(target, value)
            case ast.NamedExpr(target=target, value=value):
                bind(target, value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                bind(target, value)
            case ast.AugAssign(target=target):
                bind(target, None)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)) | ast.FunctionDef(name=name):
                found.setdefault(name, []).append(None)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.setdefault(name, []).append(None)
            case _:
                pass
    return found
