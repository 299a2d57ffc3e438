"""What of a program's text the controller goes by: its literal texts, and the calls that run at most once.

A tree is looked at, never a value, so this is the same whatever the program reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_REPEATED = (
    ast.For, ast.While, ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProgramText:
    """`literals`: its texts. `once`: line and column of the calls of `sending` tools that stand in no loop and no function.

    `is_plain`: each such tool is only ever called by its name.
    """

    literals: frozenset[str] = frozenset()
    once: frozenset[tuple[int, int]] = frozenset()
    is_plain: bool = False

    def chances(self, line: int, column: int) -> int | None:
        """In how many bits the program decides which of its sends happen; None where that is not bounded by its text for this one."""
        return len(self.once) if self.is_plain and (line, column) in self.once else None


def program_text(body: Iterable[ast.stmt], sending: frozenset[str]) -> ProgramText:
    """Of the statements of a program. `sending`: the names of the tools that have receivers."""
    statements = list(body)
    nodes = [node for statement in statements for node in ast.walk(statement)]
    called = [node for node in nodes if isinstance(node, ast.Call) and _name(node.func) in sending]
    mentions = sum(isinstance(node, ast.Name) and node.id in sending for node in nodes)
    return ProgramText(
        frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)),
        frozenset((node.lineno, node.col_offset) for node in _outside(statements) if node in called),
        mentions == len(called) and len(set(called) - set(_outside(statements))) == 0,
    )


def _outside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes that stand in nothing that may run more than once."""
    for node in nodes:
        if not isinstance(node, _REPEATED):
            yield node
            yield from _outside(ast.iter_child_nodes(node))


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None
