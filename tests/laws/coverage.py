"""What random programs met: every node, operator, builtin and method, with an untrusted and with a secret operand.

The interpreter's dispatch tables are wrapped while programs run; the language itself knows nothing of it.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from armslength.labels import Label
from armslength.language import builtins, expressions, methods, statements
from armslength.language.machine import Machine
from armslength.values import Value, parts


class Coverage:
    """Counts by kind of operand. `everything` names all that could be met."""

    def __init__(self) -> None:
        self.met: dict[str, Counter[str]] = {"any": Counter(), "untrusted": Counter(), "secret": Counter()}
        self._operands: list[list[Label]] = [[]]
        self.everything = [
            *(f"node {node.__name__}" for node in (*expressions._EVALUATORS, *statements._EXECUTORS)),
            *(f"operator {node.__name__}" for node in _OPERATORS),
            *(f"function {name}" for name in (*builtins.BUILTINS, *expressions._FORMS)),
            *(f"method {of}.{name}" for of, name in methods._METHODS),
        ]

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Counts what is evaluated meanwhile."""
        with ExitStack() as stack:
            for table, wrap in (
                (expressions._EVALUATORS, self._node),
                (statements._EXECUTORS, self._node),
                (expressions._FORMS, self._form),
            ):
                stack.enter_context(patch.dict(table, {key: wrap(key, found) for key, found in table.items()}))
            called = {name: self._called(f"function {name}", found) for name, found in builtins.BUILTINS.items()}
            stack.enter_context(patch.dict(builtins.BUILTINS, called))
            of_kind = {key: self._called(f"method {key[0]}.{key[1]}", each) for key, each in methods._METHODS.items()}
            stack.enter_context(patch.dict(methods._METHODS, of_kind))
            yield

    def missing(self, kind: str) -> list[str]:
        """What was never met with such an operand; statements without operands count by their control context."""
        return [name for name in self.everything if not self.met[kind][name]]

    def _note(self, name: str, labels: list[Label]) -> None:
        self.met["any"][name] += 1
        if any(not label.is_trusted for label in labels):
            self.met["untrusted"][name] += 1
        if any(label.readers.names is not None or label.steer.names is not None for label in labels):
            self.met["secret"][name] += 1

    def _node(self, key: type[ast.AST], found: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(found)
        def watched(machine: Machine, node: Any) -> Any:
            self._operands.append([])
            result = None
            try:
                result = found(machine, node)
            finally:
                labels = self._operands.pop()
                if isinstance(result, Value):
                    self._operands[-1].extend(parts(result))
                    labels = labels or [result.label]
                elif not labels:
                    labels = [machine.control]
                self._note(f"node {key.__name__}", labels)
                for operator in _operators(node):
                    self._note(f"operator {operator}", labels)
            return result

        return watched

    def _form(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(found)
        def watched(machine: Machine, node: ast.Call) -> Any:
            self._operands.append([])
            try:
                return found(machine, node)
            finally:
                labels = self._operands.pop()
                self._operands[-1].extend(labels)
                self._note(f"function {name}", labels)

        return watched

    def _called(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(found)
        def watched(machine: Machine, *operands: Any) -> Any:
            values = [each for each in _flat(operands) if isinstance(each, Value)]
            self._note(name, [part for value in values for part in parts(value)])
            return found(machine, *operands)

        return watched


_OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.USub, ast.UAdd, ast.Not, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot,
)  # fmt: skip


def _operators(node: ast.AST) -> list[str]:
    match node:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            return [type(op).__name__]
        case ast.Compare(ops=ops):
            return [type(op).__name__ for op in ops]
        case _:
            return []


def _flat(operands: Any) -> Iterator[Any]:
    for each in operands:
        if isinstance(each, dict):
            yield from each.values()
        elif isinstance(each, list | tuple):
            yield from each
        else:
            yield each
