"""From nodes to closures: each node becomes a function of the frame it runs in, made once a run. Nothing is compiled by Python.

What each type of node becomes stands in the tables of `expressions` and `statements`, and how in the files beside them. Here is what all
have in common: where a node is looked up, how its line is kept, how steps are counted, and the three forms in which an expression is asked
for: its value, whether it is true, or data and label as a pair (a draft), where only an operation takes them up.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from armslength.labels import LITERAL, Label
from armslength.language.machine import Machine
from armslength.language.operations.wholes import truth, truth_label
from armslength.language.reading.effects import Effects
from armslength.language.reading.refused import refuse_node
from armslength.language.reading.static import Analysis
from armslength.values import Frame, Raw, Value, Variable, make, opened

Part = TypeVar("Part")
Evaluate = Callable[[Frame], Value]
"""An expression: its value in a frame."""
Condition = Callable[[Frame], tuple[bool, Label]]
"""An expression that decides: whether it is true, and the label of that, which is the guard's."""
Drafted = Callable[[Frame], tuple[Raw, Label]]
"""The same without the value: data and label, where only an operation takes them up."""
Store = Callable[[Frame, Value], None]
"""A target: takes a value."""


NO_VALUE = make(None, LITERAL)
"""What a call without `return` leaves; and what stands where a value is not reached."""


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
    conditions: Mapping[type[ast.AST], Callable[..., Condition]]
    """Those that need no value where only their truth is asked for."""
    drafts: Mapping[type[ast.AST], Callable[..., Drafted]]
    """Those that need no value where an operation takes them up."""
    statements: Mapping[type[ast.AST], Callable[..., Execute]]


def truth_of(evaluate: Evaluate) -> Condition:
    """The condition of any expression: row "test" of its value."""

    def run(frame: Frame) -> tuple[bool, Label]:
        value = evaluate(frame)
        return truth(value), truth_label(value)

    return run


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

    def draft(self, node: ast.expr) -> Drafted:
        """The closure of an operand: its data and label. What arithmetic makes on the way needs no value."""
        compile_node = self._tables.drafts.get(type(node))
        if compile_node is not None and node.lineno == self.line:
            self.cost += 1
            return compile_node(self, node)
        evaluate = self.expression(node)

        return lambda frame: opened(evaluate(frame))

    def condition(self, node: ast.expr) -> Condition:
        """The closure of an expression whose truth alone is asked for. A comparison's needs no value."""
        compile_node = self._tables.conditions.get(type(node))
        if compile_node is None or node.lineno != self.line:
            return truth_of(self.expression(node))
        self.cost += 1
        return compile_node(self, node)

    def part(self, node: ast.expr) -> tuple[Evaluate, int]:
        """An expression that runs any number of times, and what each time costs."""
        return self._part(self.expression, node)

    def condition_part(self, node: ast.expr) -> tuple[Condition, int]:
        """A condition that is asked any number of times, and what each time costs."""
        return self._part(self.condition, node)

    def _part(self, compile_part: Callable[[ast.expr], Part], node: ast.expr) -> tuple[Part, int]:
        around, self.cost = self.cost, 0
        made = compile_part(node)
        cost, self.cost = self.cost, around
        return made, cost

    def block(self, body: Sequence[ast.stmt]) -> Execute:
        """Statements in order; each is counted before it runs.

        Raises:
            ProgramRefused: a type of statement is not in the table.
        """
        around = self.line, self.cost
        steps = [self._statement(statement) for statement in body]
        self.line, self.cost = around
        machine = self.machine
        if len(steps) == 1:
            return self._only(*steps[0])

        def run(frame: Frame) -> Signal | None:
            for execute, line, cost in steps:
                machine.line = line
                machine.steps_left -= cost
                if machine.steps_left < 0:
                    machine.stop()
                signal = execute(frame)
                if signal is not None:
                    return signal
            return None

        return run

    def _only(self, execute: Execute, line: int, cost: int) -> Execute:
        """A block of one statement."""
        machine = self.machine

        def run(frame: Frame) -> Signal | None:
            machine.line = line
            machine.steps_left -= cost
            if machine.steps_left < 0:
                machine.stop()
            return execute(frame)

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
