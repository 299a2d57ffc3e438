"""From nodes to closures: each node becomes a function of the frame it runs in, made once a run. Nothing is compiled by Python.

What each kind of node becomes stands in `expressions`, `comprehensions`, `calls`, `statements`, `handling` and `matching`; here is what
they have in common: where a node is looked up, how its line is kept, and how steps are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from armslength.errors import LimitReached
from armslength.language.effects import Effects
from armslength.language.machine import Machine
from armslength.language.refused import refuse_node
from armslength.language.static import Analysis
from armslength.values import Frame, Value, Variable

Evaluate = Callable[[Frame], Value]
"""An expression: its value in a frame."""
Store = Callable[[Frame, Value], None]
"""A target: takes a value."""


class Returned:
    """`return`, on its way to its call. No dataclass: one is made for each call."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class _Leave:
    """`break` or `continue`, on its way to its loop."""


LEAVE_LOOP, NEXT_PASS = _Leave(), _Leave()
Signal = Returned | _Leave
Execute = Callable[[Frame], Signal | None]
"""A statement or block: None, or how it left."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What each type of node becomes. The last branch, for a type that is not here, refuses."""

    expressions: Mapping[type[ast.AST], Callable[..., Evaluate]]
    statements: Mapping[type[ast.AST], Callable[..., Execute]]


class Compiler:
    """Makes closures for one machine. `line` is that of the node at hand, `cost` counts the nodes of the statement at hand."""

    def __init__(self, machine: Machine, tables: Tables) -> None:
        self.machine, self._tables = machine, tables
        self.analysis: Analysis = machine.analysis
        self.line, self.cost = 1, 0

    def expression(self, node: ast.expr) -> Evaluate:
        """The closure of an expression.

        Raises:
            ProgramRefused: its type is not in the table.
        """
        compile_node = self._tables.expressions.get(type(node))
        if compile_node is None:
            raise refuse_node(node)
        self.cost += 1
        around, self.line = self.line, node.lineno
        evaluate = compile_node(self, node)
        self.line = around
        return evaluate if node.lineno == around else self._at_line(evaluate, node.lineno)

    def _at_line(self, evaluate: Evaluate, line: int) -> Evaluate:
        """A part of a statement on a line of its own: the line of a failure is that of the operation."""
        machine = self.machine

        def run(frame: Frame) -> Value:
            around, machine.line = machine.line, line
            value = evaluate(frame)
            machine.line = around
            return value

        return run

    def part(self, node: ast.expr) -> tuple[Evaluate, int]:
        """An expression that runs any number of times, and what each time costs."""
        around, self.cost = self.cost, 0
        evaluate = self.expression(node)
        cost, self.cost = self.cost, around
        return evaluate, cost

    def block(self, body: Sequence[ast.stmt]) -> Execute:
        """Statements in order; each is counted before it runs.

        Raises:
            ProgramRefused: a type of statement is not in the table.
        """
        around = self.line, self.cost
        steps = [self._statement(statement) for statement in body]
        self.line, self.cost = around
        machine = self.machine

        def run(frame: Frame) -> Signal | None:
            for execute, line, cost in steps:
                machine.line = line
                machine.steps_left -= cost
                if machine.steps_left < 0:
                    raise LimitReached(line, "steps")
                signal = execute(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def _statement(self, node: ast.stmt) -> tuple[Execute, int, int]:
        compile_node = self._tables.statements.get(type(node))
        if compile_node is None:
            raise refuse_node(node)
        self.line, self.cost = node.lineno, 1
        return compile_node(self, node), node.lineno, self.cost

    def effects(self, node: ast.AST) -> Effects:
        """W, N and E of a node."""
        return self.analysis.effects[node]

    def variable(self, node: ast.AST) -> Variable:
        """The variable that a node reads or binds."""
        return self.analysis.scopes.variables[node]
