"""`:=` where Python allows it: not where a comprehension goes through something, and not on its own names."""

from __future__ import annotations

import ast
from typing import Any


def tidied(text: str) -> str:
    """The program without the assignments that Python refuses; the value stays."""
    if ":=" not in text:
        return text
    return ast.unparse(_Tidy().visit(ast.parse(text))) + "\n"


class _Tidy(ast.NodeTransformer):
    def __init__(self) -> None:
        self._own: list[frozenset[str]] = []
        self._in_iterable = 0

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        value = self.visit(node.value)
        is_own = any(node.target.id in names for names in self._own)
        return value if is_own or self._in_iterable else ast.NamedExpr(node.target, value)

    def visit_ListComp(self, node: Any) -> ast.AST:
        return self._comprehension(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815  # as `ast` names them

    def _comprehension(self, node: Any) -> ast.AST:
        names = {part.id for each in node.generators for part in ast.walk(each.target) if isinstance(part, ast.Name)}
        self._own.append(frozenset(names))
        for each in node.generators:
            self._in_iterable += 1
            each.iter = self.visit(each.iter)
            self._in_iterable -= 1
            each.ifs = [self.visit(test) for test in each.ifs]
        for part in ("elt", "key", "value"):
            if hasattr(node, part):
                setattr(node, part, self.visit(getattr(node, part)))
        self._own.pop()
        return node
