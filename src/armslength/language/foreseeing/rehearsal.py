"""A program gone through without data: which calls may come, and with which labels.

Each branch is taken both ways, each loop a few times, each function where it is called. Labels are made by the operations of `labels`,
as in a run; what they start from is what tools declare to give usually (`Stand`). It is no upper bound of all runs: a loop that goes round
very often, an alias that this does not follow and a rare label are left to `reach`, which is one. A function of text and declarations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from armslength.labels import LITERAL, NOTHING, Label, label, made_of, steered, steering
from armslength.language.foreseeing.things import (
    NOT_TOLD,
    Scope,
    Thing,
    element,
    joined,
    made,
    read,
    restricted,
    sink,
    upgrade,
)
from armslength.language.reading.static import Analysis
from armslength.schema import Type

ROUNDS = 2
"""How often the body of a loop is gone through."""
DEEPEST = 12
"""Calls of functions within one another."""


@dataclass(frozen=True, slots=True)
class Coming:
    """A call that may come: where, with what, and what decides that it happens."""

    node: ast.Call
    name: str
    arguments: Mapping[str, Thing]
    control: Label
    halt: Label


class Stand(Protocol):
    """What stands where a run has tools and models."""

    def call(self, coming: Coming) -> Thing:
        """What a tool gives."""
        ...

    def ask(self, inputs: Sequence[Label], returns: Type) -> Thing:
        """What the quarantined model gives, of the instruction's and the data's labels."""
        ...

    def doubt(self, name: str) -> Label:
        """What decides whether a call fails."""
        ...


@dataclass(slots=True)
class Frame:
    """A function that is gone through: what it may return, and what decided that it did."""

    returned: list[Thing] = field(default_factory=list)
    gain: Label = NOTHING


State = list[tuple[Scope, dict[str, Thing]]]


@dataclass(slots=True)
class Rehearsal:
    """How far one program has been gone through. `give`: what an expression gives. `risks`: what each `try` around has gained."""

    analysis: Analysis
    stand: Stand
    give: Callable[[Rehearsal, ast.expr], Thing]
    scope: Scope = field(default_factory=Scope)
    control: Label = NOTHING
    halt: Label = NOTHING
    frames: list[Frame] = field(default_factory=lambda: [Frame()])
    loops: list[list[State]] = field(default_factory=list)
    risks: list[Label] = field(default_factory=list)

    # Control

    @contextmanager
    def region(self, node: ast.AST, *gains: Label) -> Iterator[None]:
        """What is in it may run or not, by what gives these gains: rules 2, 3 and 4."""
        before, held = self.control, self._mentioned(node)
        gain = NOTHING
        for each in gains:
            gain = steered(gain, each)
        self.control = steered(self.control, gain)
        yield
        self.control = before
        if gain is NOTHING:
            return
        for thing in held:
            upgrade(thing, gain)
        for name in written(node):
            owner = self.scope.owner(name)
            if name in owner.names:
                owner.names[name] = restricted(owner.names[name], gain)
        if _escapes(node, ast.Return):
            self.frames[-1].gain = steered(self.frames[-1].gain, gain)
        if _escapes(node, ast.Return, ast.Break, ast.Continue):
            self.control = steered(self.control, gain)
        if _escapes(node, ast.Raise, ast.Assert):
            self.risk(gain)

    def risk(self, gain: Label) -> None:
        """Something may raise, or not, by this gain: the nearest `try` keeps it, else halt does (rule 5)."""
        if self.risks:
            self.risks[-1] = steered(self.risks[-1], gain)
            self.control = steered(self.control, gain)
        else:
            self.halt = steered(self.halt, gain)

    def may_raise(self, *operands: Label) -> None:
        """An operation on these may raise."""
        for each in operands:
            if each.guards is not NOTHING:
                self.risk(each.guards)

    def _mentioned(self, node: ast.AST) -> list[Thing]:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return [thing for name in sorted(names) if (thing := self.scope.find(name)) is not None]

    # States: what each name holds, where ways part and meet

    def state(self) -> State:
        """What all names hold now."""
        found, scope = [], self.scope
        while True:
            found.append((scope, dict(scope.names)))
            if scope.around is None:
                return found
            scope = scope.around

    def resume(self, state: State) -> None:
        """Go on from there."""
        for scope, names in state:
            scope.names = dict(names)

    def meet(self, states: Sequence[State]) -> None:
        """Go on from where all of these lead."""
        if not states:
            return
        self.resume(states[0])
        for state in states[1:]:
            for scope, names in state:
                mine = scope.names
                for name, thing in names.items():
                    mine[name] = joined(mine[name], thing) if name in mine else thing

    # Binding

    def bind(self, target: ast.expr, thing: Thing) -> None:
        """Assign to a target."""
        match target:
            case ast.Name(id=name):
                self.scope.assign(name, thing)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self.may_raise(thing.label)
                for place, each in enumerate(targets):
                    known = None if thing.parts is None or thing.item is not None else thing.parts.get(place)
                    self.bind(each, element(thing) if known is None else read(thing, known))
            case ast.Starred(value=inner):
                self.bind(inner, Thing(made_of(thing.label), {}, thing))
            case ast.Subscript(value=owner, slice=index):
                self._put(self.of(owner), self.of(index), thing)
            case ast.Attribute(value=owner):
                self.put(self.of(owner), thing)
            case _:
                pass

    def put(self, owner: Thing, thing: Thing, gain: Label = NOTHING) -> None:
        """It may hold this too."""
        owner.item = thing if owner.item is None else joined(owner.item, thing)
        owner.parts = {} if owner.parts is None else owner.parts
        owner.told = NOT_TOLD
        owner.label = steered(owner.label, gain)

    def _put(self, owner: Thing, key: Thing, thing: Thing) -> None:
        """Row "keyed write": the shape gains what picked the key; a new untrusted key is in it."""
        if isinstance(key.told, str) and owner.parts is not None and owner.item is None:
            owner.parts[key.told], owner.told = thing, NOT_TOLD
        elif key.label.is_trusted:
            self.put(owner, thing, steering(key.label, 1))
        else:
            self.put(owner, thing, made_of(key.label))

    def of(self, node: ast.expr) -> Thing:
        """What an expression may give."""
        return self.give(self, node)

    # Statements

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Go through statements; whether their end may be reached."""
        return all(self._statement(statement) for statement in body)

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets=targets, value=value):
                thing = self.of(value)
                for target in targets:
                    self.bind(target, thing)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bind(target, self.of(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._augment(target, op, value)
            case ast.Expr(value=value):
                self.of(value)
            case ast.If():
                return self._if(node)
            case ast.For() | ast.While():
                return self._loop(node)
            case ast.Match():
                return self._match(node)
            case ast.Try():
                return self._try(node)
            case ast.FunctionDef(name=name):
                self.scope.names[name] = Thing(LITERAL, function=node, scope=self.scope)
            case ast.Return(value=value):
                self.frames[-1].returned.append(Thing(NOTHING, told=None) if value is None else self.of(value))
                return False
            case ast.Break() | ast.Continue():
                self.loops[-1].append(self.state())
                return False
            case ast.Raise(exc=exc):
                if exc is not None:
                    self.of(exc)
                return False
            case ast.Assert(test=test):
                self.may_raise(self.of(test).label)
            case _:
                pass
        return True

    def _augment(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        thing = self.of(value)
        before = self.of(target) if isinstance(target, ast.Name | ast.Subscript | ast.Attribute) else Thing(NOTHING)
        if before.is_container and isinstance(op, ast.Add | ast.BitOr):
            self.put(before, element(thing), made_of(thing.label))
        else:
            self.bind(target, made(sink(before), sink(thing)))

    def _if(self, node: ast.If) -> bool:
        test = sink(self.of(node.test))
        return self._ways(node, test.guards, [node.body, node.orelse])

    def _ways(self, node: ast.AST, gain: Label, ways: Sequence[Sequence[ast.stmt]]) -> bool:
        """One of these is gone, by this gain."""
        ends: list[State] = []
        with self.region(node, gain):
            start, control = self.state(), self.control
            for way in ways:
                self.resume(start)
                self.control = control
                if self.run(way):
                    ends.append(self.state())
            self.meet(ends)
        return bool(ends)

    def _loop(self, node: ast.For | ast.While) -> bool:
        goes_through = self.of(node.iter) if isinstance(node, ast.For) else None
        before, self.loops = self.control, [*self.loops, []]
        ends = [self.state()]
        gains = NOTHING
        for _ in range(ROUNDS):
            gain = (self.of(node.test) if isinstance(node, ast.While) else goes_through or Thing(NOTHING)).label.guards
            gains = steered(gains, gain)
            with self.region(node, gain):
                if isinstance(node, ast.For) and goes_through is not None:
                    self.bind(node.target, element(goes_through))
                is_open = self.run(node.body)
                ends += [*self.loops[-1], *([self.state()] if is_open else [])]
                self.meet(ends)
            self.control = steered(self.control, gain)
        self.loops.pop()
        self.run(node.orelse)
        self.control = before
        if _escapes(node, ast.Return):
            self.control = steered(before, gains)
        return True

    def _match(self, node: ast.Match) -> bool:
        subject = self.of(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.scope.assign(name, joined(subject, element(subject)))
        guards = [sink(self.of(case.guard)).guards for case in node.cases if case.guard is not None]
        gain = sink(subject).guards
        for each in guards:
            gain = steered(gain, each)
        return self._ways(node, gain, [*(case.body for case in node.cases), []])

    def _try(self, node: ast.Try) -> bool:
        before, start = self.control, self.state()
        self.risks.append(NOTHING)
        is_open = self.run(node.body) and self.run(node.orelse)
        gain = self.risks.pop()
        body = self.state()
        ends = [body] if is_open else []
        with self.region(node, gain):
            for handler in node.handlers:
                self.meet([start, body])
                if handler.name is not None:
                    self.scope.names[handler.name] = made(label(gain.choice, readers=gain.steer, steer=gain.steer))
                if self.run(handler.body):
                    ends.append(self.state())
            self.meet(ends or [body])
        self.control = before if not _escapes(node, ast.Return) else steered(before, gain)
        if not node.handlers:
            self.risk(gain)
        return self.run(node.finalbody) and bool(ends)


def written(node: ast.AST) -> list[str]:
    """The names that a construct may assign."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _:
                pass
    return sorted(found)


def _escapes(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    """Whether one of these stands in it, functions within left out."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        each = waiting.pop()
        if isinstance(each, kinds):
            return True
        if not isinstance(each, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(each)
    return False
