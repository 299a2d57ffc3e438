"""What programs met: every node, operator, function, method and attribute, with an untrusted and with a secret operand.

The interpreter's tables are wrapped while programs run; the language itself knows nothing of it.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from typing import Any
from unittest.mock import patch

from armslength import language
from armslength.labels import Label
from armslength.language.machine import Machine
from armslength.language.operations import builtins, library, methods
from armslength.language.operations.comparing import COMPARISONS
from armslength.language.operations.operators import DRAFTS, UNARY
from armslength.language.running import attributes, calls, functions, matching
from armslength.language.running.compiler import Compiler, Tables
from armslength.values import Frame, Value, parts

_PATTERNS = (
    ast.MatchValue, ast.MatchSingleton, ast.MatchSequence, ast.MatchMapping, ast.MatchClass, ast.MatchStar, ast.MatchAs, ast.MatchOr,
)  # fmt: skip
_OPERATORS: tuple[type[ast.AST], ...] = (*DRAFTS, *COMPARISONS, *UNARY, ast.And, ast.Or)


class Coverage:
    """Counts by kind of operand. `everything` names all that could be met."""

    def __init__(self) -> None:
        self.met: dict[str, Counter[str]] = {"any": Counter(), "untrusted": Counter(), "secret": Counter()}
        self._operands: list[list[Label]] = [[]]
        tables = language._TABLES
        self.everything = [
            *(f"node {node.__name__}" for node in dict.fromkeys((*tables.expressions, *tables.statements, *_PATTERNS))),
            *(f"operator {node.__name__}" for node in _OPERATORS),
            *(f"function {name}" for name in (*builtins.BUILTINS, *_own(functions.LIBRARY), *calls._FORMS)),
            *(f"method {of}.{name}" for of, name in methods.METHODS),
            *(f"attribute {of}.{name}" for of, name in library.ATTRIBUTES),
        ]

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Counts what is evaluated meanwhile."""
        old = language._TABLES
        tables = Tables(*(
            {key: self._node(key, found) for key, found in getattr(old, each.name).items()} for each in fields(Tables)
        ))  # fmt: skip
        with ExitStack() as stack:
            stack.enter_context(patch.object(language, "_TABLES", tables))
            stack.enter_context(patch.object(matching, "compile_pattern", self._pattern(matching.compile_pattern)))
            forms = {name: self._form(f"function {name}", found) for name, found in calls._FORMS.items()}
            stack.enter_context(patch.dict(calls._FORMS, forms))
            for table, kind in (
                (builtins.BUILTINS, "function"),
                (functions.LIBRARY, "function"),
                (methods.METHODS, "method"),
                (attributes.ATTRIBUTES, "attribute"),
            ):
                called = {key: self._called(f"{kind} {_dotted(key)}", found) for key, found in table.items()}
                stack.enter_context(patch.dict(table, called))
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
        def compiled(c: Compiler, node: ast.AST) -> Callable[..., Any]:
            return self._watched(c, node, key, found(c, node))

        return compiled

    def _watched(self, c: Compiler, node: ast.AST, key: type[ast.AST], run: Callable[..., Any]) -> Callable[..., Any]:
        def watched(frame: Frame, *more: Value) -> Any:
            self._operands.append([part for value in more for part in parts(value)])
            result = None
            try:
                result = run(frame, *more)
            finally:
                labels = self._operands.pop()
                if isinstance(result, Value):
                    self._operands[-1].extend(parts(result))
                    labels = labels or [result.label]
                if isinstance(result, tuple):
                    self._operands[-1].extend(part for part in result if isinstance(part, Label))
                labels = [*labels, c.machine.control]
                self._note(f"node {key.__name__}", labels)
                for part in _parts_of(node):
                    self._note(part, labels)
            return result

        return watched

    def _pattern(self, found: Callable[..., Any]) -> Callable[..., Any]:
        def compiled(c: Compiler, node: ast.pattern) -> Callable[..., Any]:
            return self._watched(c, node, type(node), found(c, node))

        return compiled

    def _form(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        def compiled(c: Compiler, node: ast.Call) -> Callable[[Frame], Value]:
            run = found(c, node)

            def watched(frame: Frame) -> Value:
                self._operands.append([])
                try:
                    return run(frame)
                finally:
                    labels = self._operands.pop()
                    self._operands[-1].extend(labels)
                    self._note(name, [*labels, c.machine.control])

            return watched

        return compiled

    def _called(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(found)
        def watched(machine: Machine, *operands: Any) -> Any:
            values = [each for each in _flat(operands) if isinstance(each, Value)]
            self._note(name, [*(part for value in values for part in parts(value)), machine.control])
            return found(machine, *operands)

        return watched


def _own(names: Iterable[str]) -> Iterator[str]:
    """Without methods under the name of their type (`str.lower`), which are the same methods."""
    return (name for name in names if tuple(name.rsplit(".", 1)) not in methods.METHODS)


def _dotted(key: Any) -> str:
    return key if isinstance(key, str) else ".".join(key)


def _parts_of(node: ast.AST) -> list[str]:
    """Operators, and nodes that are compiled by the node around them."""
    match node:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            return [f"operator {type(op).__name__}"]
        case ast.Compare(ops=ops):
            return [f"operator {type(op).__name__}" for op in ops]
        case ast.JoinedStr(values=parts) | ast.MatchSequence(patterns=parts):
            return [
                f"node {type(part).__name__}" for part in parts if isinstance(part, ast.FormattedValue | ast.MatchStar)
            ]
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
