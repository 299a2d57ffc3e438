"""Names that may have no value where they are read: for E, since reading one may raise (design, "Control flow", rule 1)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from armslength.language.reading.scopes import FUNCTIONS, HIDDEN, Scopes, bound_name, defaults_of, parameters
from armslength.language.reading.syntax import below

Bound = frozenset[str]
"""Names of the scope at hand that have a value."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """`unsure`: the reads of names that are not assigned on every way that leads there; a function's free names never are for sure.

    `at_end`: the program's names that have a value whenever it comes to its end.
    """

    unsure: AbstractSet[ast.AST]
    at_end: Bound


def bindings(body: Sequence[ast.stmt], scopes: Scopes, known: Iterable[str] = ()) -> Bindings:
    """What is bound where; `known` has a value before the program begins."""
    finder = _Finder(scopes)
    at_end = finder.block(body, frozenset(known))
    return Bindings(finder.found, at_end or frozenset())


_TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred)
"""The expressions that assign or delete for certain. What stands in any other may not run, and deletes nothing."""


class _Finder:
    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self.found: set[ast.AST] = set()

    def block(self, body: Sequence[ast.stmt], bound: Bound) -> Bound | None:
        """The names bound after a block, or None if its end is never reached."""
        for statement in body:
            after = self._statement(statement, bound)
            if after is None:
                return None
            bound = after
        return bound

    def _statement(self, node: ast.stmt, bound: Bound) -> Bound | None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test, bound)
                return _common([self.block(body, bound), self.block(orelse, bound)])
            case ast.For() | ast.While():
                return self._loop(node, bound)
            case ast.Try():
                return self._try(node, bound)
            case ast.Match(subject=subject, cases=cases):
                self._read(subject, bound)
                return _common([bound, *(self._case(case, bound) for case in cases)])
            case ast.Delete(targets=targets):
                self._read(node, bound)
                return bound - frozenset().union(*map(self._deleted, targets))
            case ast.Break() | ast.Continue():
                return None
            case ast.Raise() | ast.Return():
                self._read(node, bound)
                return None
            case _:
                self._read(node, bound)
                return bound | self._stored(node)

    def _loop(self, node: ast.For | ast.While, bound: Bound) -> Bound:
        bound -= frozenset().union(*map(self._deleted, node.body))
        self._read(node.iter if isinstance(node, ast.For) else node.test, bound)
        inside = bound
        if isinstance(node, ast.For):
            self._read(node.target, bound)
            inside = bound | self._stored(node.target)
        self.block(node.body, inside)
        self.block(node.orelse, bound)
        return bound - frozenset().union(*map(self._deleted, node.orelse))

    def _try(self, node: ast.Try, bound: Bound) -> Bound | None:
        at_worst = bound - frozenset().union(*map(self._deleted, node.body))
        done = self.block(node.body, bound)
        ends = [None if done is None else self.block(node.orelse, done)]
        for handler in node.handlers:
            own = self._stored_by(handler)
            end = self.block(handler.body, at_worst | own)
            ends.append(None if end is None else end - own)
        at_worst -= frozenset().union(*(self._deleted(part) for part in (*node.handlers, *node.orelse)))
        final = self.block(node.finalbody, at_worst)
        end = _common(ends)
        if end is None or final is None:
            return None
        return (end - frozenset().union(*map(self._deleted, node.finalbody))) | final

    def _case(self, case: ast.match_case, bound: Bound) -> Bound | None:
        self._read(case.pattern, bound)
        bound |= self._stored(case.pattern)
        if case.guard is not None:
            self._read(case.guard, bound)
        return self.block(case.body, bound)

    def _read(self, node: ast.AST, bound: Bound) -> None:
        match node:
            case ast.Name(ctx=ast.Load() | ast.Del()):
                self._read_name(node, bound)
            case ast.AugAssign(target=ast.Name() as target, value=value):
                self._read_name(target, bound)
                self._read(value, bound)
            case ast.FunctionDef() | ast.Lambda():
                for default in defaults_of(node):
                    self._read(default, bound)
                self._function(node)
            case _:
                for child in below(node):
                    self._read(child, bound)

    def _read_name(self, node: ast.Name, bound: Bound) -> None:
        variable = self._scopes.variables.get(node)
        if variable is not None and (variable.depth or (variable.name not in bound and HIDDEN not in variable.name)):
            self.found.add(node)

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> None:
        bound = frozenset(parameter.arg for parameter in parameters(node))
        if isinstance(node, ast.Lambda):
            self._read(node.body, bound)
        else:
            self.block(node.body, bound)

    def _stored(self, node: ast.AST) -> Bound:
        """The names that a statement, target or pattern surely assigns."""
        if isinstance(node, ast.expr) and not isinstance(node, _TARGETS):
            return frozenset()
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return frozenset()
        if isinstance(node, ast.MatchOr):
            return self._stored(node.patterns[0])
        stored = self._stored_by(node)
        if isinstance(node, ast.FunctionDef):
            return stored
        return stored.union(*map(self._stored, below(node)))

    def _stored_by(self, node: ast.AST) -> Bound:
        variable = self._scopes.variables.get(node)
        if variable is None or variable.depth or bound_name(node) is None:
            return frozenset()
        return frozenset() if isinstance(getattr(node, "ctx", None), ast.Del) else frozenset({variable.name})

    def _deleted(self, node: ast.AST) -> Bound:
        """The names that may lose their value somewhere in a node."""
        if isinstance(node, ast.expr) and not isinstance(node, _TARGETS):
            return frozenset()
        variable = self._scopes.variables.get(node)
        is_lost = isinstance(getattr(node, "ctx", None), ast.Del) or isinstance(node, ast.ExceptHandler)
        own = frozenset({variable.name}) if is_lost and variable is not None and not variable.depth else frozenset()
        if isinstance(node, ast.FunctionDef):
            return own
        return own.union(*map(self._deleted, below(node)))


def _common(ways: Sequence[Bound | None]) -> Bound | None:
    ends = [way for way in ways if way is not None]
    return ends[0].intersection(*ends[1:]) if ends else None


def used_too_early(body: Sequence[ast.stmt], scopes: Scopes, known: Iterable[str] = ()) -> Iterator[ast.Name]:
    """The program's names that are read in a statement before the first that could give them a value.

    Functions run later, and a `try` may be there to find out.
    """
    first: dict[str, int] = dict.fromkeys(known, -1)
    named = [_outside_functions([statement], scopes) for statement in body]
    for number, nodes in enumerate(named):
        for node in nodes:
            if bound_name(node) is not None and node in scopes.of_program:
                first.setdefault(scopes.variables[node].name, number)
    for number, statement in enumerate(body):
        for node in named[number] if not isinstance(statement, ast.Try) else ():
            name = scopes.variables[node].name
            if isinstance(node, ast.Name) and HIDDEN not in name:
                begins = first.get(name, -1)
                if begins > number or (begins == number and _reads_first(statement, node)):
                    yield node


def _reads_first(statement: ast.stmt, node: ast.Name) -> bool:
    """Whether a plain assignment reads a name before it assigns it: `x = x + 1`, `x += 1`."""
    match statement:
        case ast.AugAssign(target=target):
            return node is target
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=ast.expr() as value):
            is_read = isinstance(node.ctx, ast.Load)
            return is_read and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(value))
        case _:
            return False


def _outside_functions(nodes: Iterable[ast.AST], scopes: Scopes) -> list[ast.AST]:
    """Those that name a variable, functions within left out."""
    found: list[ast.AST] = []
    for node in nodes:
        if node in scopes.variables:
            found.append(node)
        inner = defaults_of(node) if isinstance(node, FUNCTIONS) else below(node)
        if inner:
            found += _outside_functions(inner, scopes)
    return found
