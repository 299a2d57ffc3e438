"""The state of a running program: names, control context, regions, halt, budget.

Design, "Control flow". A *region* is a construct whose parts may run or not (if, for, comprehension, ternary, and/or). An untrusted or
secret guard raises the control context. When the region ends, every name it may assign and every object it may change takes what the
context gained, whichever branch ran (rule 3); the context returns to what it was, except for what may escape (rule 4).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from armslength.errors import LimitReached, ProgramFailed
from armslength.events import Site
from armslength.labels import NOTHING, Label, steered, steering
from armslength.language.static import BREAK, CONTINUE, RAISE, Analysis
from armslength.schema import Type
from armslength.values import Mutable, Place, Value, mutable_objects, restrict, upgrade

ELEMENT = 8
"""Characters that one element of a container counts as: about what it takes in memory."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Counts, so that they do not depend on the machine."""

    steps: int = 200_000
    """Nodes evaluated."""
    size: int = 20_000_000
    """Characters made, all together; an element counts as `ELEMENT` of them."""
    digits: int = 4_000
    """Decimal digits of an integer."""
    depth: int = 60
    """Nesting of data where it is walked."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call, its arguments by name. `control` and `halt` are what steered that it happens at all."""

    name: str
    arguments: dict[str, Value]
    site: Site
    control: Label
    halt: Label


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the quarantined model. `control` and `halt` are what steered that it is asked at all."""

    instruction: Value
    data: tuple[Value, ...]
    returns: Type
    site: Site
    control: Label
    halt: Label


@dataclass(frozen=True, slots=True)
class Reply:
    """A part of the answer: pieces of text in order, each with its own label."""

    pieces: tuple[Value, ...]
    site: Site
    control: Label


class Host(Protocol):
    """Whatever the program can reach outside itself. The machine gives values and gets values."""

    def call(self, call: Call) -> Value:
        """Call a tool."""
        ...

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model."""
        ...

    def answer(self, reply: Reply) -> None:
        """Say something to the user."""
        ...

    def ended(self, halt: Label) -> None:
        """The program came to its end, which `halt` decided."""
        ...

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """What decides, beside its arguments, whether a call of this tool, or of `quarantined`, fails.

        Asked right after the call, whose result may be pending: a failure surfaces wherever the result is first needed, or nowhere, and
        everything from the call on carries in halt what decides over it.
        """
        ...


@dataclass(slots=True)
class Region:
    """One construct that is running: its node, the context before it, what the context gained, what is upgraded at its end."""

    node: ast.AST | None
    control_before: Label
    gain: Label = NOTHING
    is_captured: bool = False
    held: list[Value] = field(default_factory=list)
    objects: list[Mutable | Place] = field(default_factory=list)
    unbound: list[str] = field(default_factory=list)


class Machine:
    """What one run of one program knows."""

    def __init__(self, analysis: Analysis, host: Host, limits: Limits) -> None:
        self.analysis, self.host, self.limits = analysis, host, limits
        self.names: dict[str, Value] = {}
        self.maybe_unbound: dict[str, Label] = {}
        self.control: Label = NOTHING
        self.halt: Label = NOTHING
        self.line = 1
        self._regions = [Region(None, NOTHING)]
        self._steps = self._size = self._calls = 0

    # Budget

    def step(self, node: ast.AST) -> None:
        """Count one node.

        Raises:
            LimitReached: there were too many.
        """
        self.line = getattr(node, "lineno", self.line)
        self._steps += 1
        if self._steps > self.limits.steps:
            raise LimitReached(self.line, "steps")

    def spend(self, size: int) -> None:
        """Count characters *before* they are made. Nothing is ever given back.

        Raises:
            LimitReached: there were too many.
        """
        self._size += max(size, 0)
        if self._size > self.limits.size:
            raise LimitReached(self.line, "size")

    def spend_elements(self, count: int) -> None:
        """Count elements *before* they are made or gone through.

        Raises:
            LimitReached: there were too many.
        """
        self.spend(count * ELEMENT)

    def site(self, node: ast.expr) -> Site:
        """The place of a call."""
        self._calls += 1
        return Site(node.lineno, node.col_offset, self._calls)

    # Control

    @contextmanager
    def region(self, node: ast.AST) -> Iterator[Region]:
        """Run a construct whose parts may run or not; at its end its gain goes where rules 3 and 4 say."""
        region = Region(node, self.control)
        self._regions.append(region)
        try:
            yield region
        finally:
            self._regions.pop()
            self._join(region)

    def guard(self, decided_by: Label) -> None:
        """What runs next in the innermost region depends on something with this label (rule 2), taken or not."""
        gain = steering(decided_by, 1)
        if gain is NOTHING:
            return
        for region in self._gaining():
            self._capture(region)
        self._raise_control(gain)

    def hold(self, iterable: Value) -> None:
        """The innermost region goes through this value; no name need lead to it any more."""
        self._regions[-1].held.append(iterable)

    def let_go(self) -> None:
        """It has gone through what it held last."""
        self._regions[-1].held.pop()

    def _gaining(self) -> list[Region]:
        """The regions that can gain at a guard of the innermost one.

        A statement's gain can go to all around it, by its escapes; an expression only raises, so its gain is its own, and nothing is
        noted while an expression holds values that no name leads to.
        """
        innermost = self._regions[-1]
        return [innermost] if isinstance(innermost.node, ast.expr) else self._regions

    def may_raise(self, *operands: Label) -> None:
        """An operation that may raise on these operands (rule 5). Without `try`, what it tells goes to halt."""
        for operand in operands:
            self.halt = steered(self.halt, steering(operand, 1))

    def failed(self, code: str, reason: str, *operands: Label, payload: Value | None = None) -> ProgramFailed:
        """The program's failure at the current line; the planner may hear of it only if all that led here is trusted."""
        is_trusted = all(part.is_trusted for part in (*operands, self.control, self.halt)) and all(
            part.readers.names is None and part.steer.names is None for part in (*operands, self.control, self.halt)
        )
        return ProgramFailed(self.line, code, reason, is_trusted=is_trusted, payload=payload)

    def spread(self, values: Iterable[Value], gain: Label) -> None:
        """Everything reachable from `values` that can still change takes `gain` in its shape."""
        if gain is not NOTHING:
            upgrade(self.reachable(values), gain)

    def reachable(self, values: Iterable[Value]) -> list[Mutable | Place]:
        """The objects below `values` that can still change. What is walked is counted."""
        return mutable_objects(values, self.spend)

    def _raise_control(self, gain: Label) -> None:
        self.control = steered(self.control, gain)
        self._regions[-1].gain = steered(self._regions[-1].gain, gain)

    def _capture(self, region: Region) -> None:
        """Before runs can differ: which objects and unbound names the region's end will upgrade."""
        if region.is_captured or region.node is None:
            return
        effects = self.analysis.effects[region.node]
        region.is_captured = True
        inside = self._regions[self._regions.index(region) :]
        held = [iterable for each in inside for iterable in each.held]
        region.objects = self.reachable([*(self.names[n] for n in effects.mentions if n in self.names), *held])
        region.unbound = [name for name in effects.writes if name not in self.names or name in self.maybe_unbound]

    def _join(self, region: Region) -> None:
        self.control = region.control_before
        gain = region.gain
        if gain is NOTHING or region.node is None:
            return
        effects = self.analysis.effects[region.node]
        for name in effects.writes:
            if name in self.names:
                self.names[name] = restrict(self.names[name], gain)
        for name in region.unbound:
            self.maybe_unbound[name] = steered(self.maybe_unbound.get(name, NOTHING), gain)
        upgrade(region.objects, gain)
        if effects.escapes & {BREAK, CONTINUE}:
            self._raise_control(gain)
        if RAISE in effects.escapes:
            self.halt = steered(self.halt, gain)

    # Names

    def load(self, name: str) -> Value:
        """The value of a name.

        Raises:
            ProgramFailed: it has none (yet).
        """
        doubt = self.maybe_unbound.get(name, NOTHING)
        self.may_raise(doubt)
        if name not in self.names:
            raise self.failed("name", f"{name} is used before it has a value", doubt)
        return self.names[name]

    def store(self, name: str, value: Value) -> None:
        """Assign to a name. It carries its own label; the regions around add theirs when they end."""
        self.names[name] = value
        self.maybe_unbound.pop(name, None)

    def hide(self, names: frozenset[str]) -> Hidden:
        """Take names away while a comprehension uses them for its own."""
        return Hidden(
            names,
            {name: self.names.pop(name) for name in names if name in self.names},
            {name: self.maybe_unbound.pop(name) for name in names if name in self.maybe_unbound},
        )

    def unhide(self, hidden: Hidden) -> None:
        """Give them back as they were."""
        for name in hidden.names:
            self.names.pop(name, None)
            self.maybe_unbound.pop(name, None)
        self.names.update(hidden.values)
        self.maybe_unbound.update(hidden.doubts)


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Names that a comprehension hides, with what they had."""

    names: frozenset[str]
    values: dict[str, Value]
    doubts: dict[str, Label]
