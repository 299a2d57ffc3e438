"""Names that may have no value where they are read: for E, since reading one may raise (design, "Control flow", rule 1)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

Below = Callable[[ast.AST], Iterator[ast.AST]]
"""The nodes directly below a node that are evaluated."""


def unsure_names(body: Sequence[ast.stmt], below: Below) -> AbstractSet[ast.AST]:
    """The reads of names that are not assigned on every way that leads there."""
    finder = _Finder(below)
    finder.block(body, frozenset())
    return finder.found


class _Finder:
    def __init__(self, below: Below) -> None:
        self._below = below
        self.found: set[ast.AST] = set()

    def block(self, body: Sequence[ast.stmt], bound: frozenset[str]) -> frozenset[str] | None:
        """The names bound after a block, or None if its end is never reached."""
        for statement in body:
            after = self._statement(statement, bound)
            if after is None:
                return None
            bound = after
        return bound

    def _statement(self, node: ast.stmt, bound: frozenset[str]) -> frozenset[str] | None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test, bound)
                ways = [self.block(body, bound), self.block(orelse, bound)]
                ends = [way for way in ways if way is not None]
                return ends[0].intersection(*ends[1:]) if ends else None
            case ast.For(target=target, iter=iterable, body=body):
                self._read(iterable, bound)
                self.block(body, bound | _stored(target))
                return bound
            case ast.Break() | ast.Continue():
                return None
            case ast.Raise():
                self._read(node, bound)
                return None
            case _:
                self._read(node, bound)
                return bound | _stored(node)

    def _read(self, node: ast.AST, bound: frozenset[str]) -> None:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name not in bound:
                self.found.add(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._read_comprehension(node, bound)
            case _:
                for child in self._below(node):
                    self._read(child, bound)

    def _read_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, bound: frozenset[str]
    ) -> None:
        """The first iterable is read outside; the comprehension's own names are unbound until their loop binds them."""
        self._read(node.generators[0].iter, bound)
        bound = bound.difference(*(_stored(generator.target) for generator in node.generators))
        for number, generator in enumerate(node.generators):
            if number:
                self._read(generator.iter, bound)
            bound |= _stored(generator.target)
            for condition in generator.ifs:
                self._read(condition, bound)
        for element in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._read(element, bound)


def _stored(node: ast.AST) -> frozenset[str]:
    """The names that a statement or target assigns; a comprehension's own stay inside it."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.ClassDef):
        return frozenset()
    if isinstance(node, ast.Name):
        return frozenset({node.id}) if isinstance(node.ctx, ast.Store) else frozenset()
    return frozenset().union(*map(_stored, ast.iter_child_nodes(node)))
