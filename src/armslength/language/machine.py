"""The state of a running program: control context, regions, halt, budget.

Design, "Control flow". A *region* is a construct whose parts may run or not: a branch, a loop, a call, a `try`, an expression with
branches. An untrusted or secret guard raises the control context. When the region ends, every variable it may assign and every object
it may change takes what the context gained, whichever branch ran (rule 3); the context returns to what it was, except for what may
escape: that stays to the end of the loop, of the call, of the nearest `try`, or goes into halt (rule 4).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn, Protocol

from armslength.errors import LimitReached, ModelError, ProgramFailed, ToolError
from armslength.events import Site
from armslength.labels import NOTHING, OUTSIDE, Label, construct, steered, steering
from armslength.language.reading.effects import BREAK, CONTINUE, NO_EFFECTS, RAISE, RETURN, STOP, Effects
from armslength.language.reading.slots import Slots
from armslength.language.reading.static import Analysis
from armslength.schema import Slot, Type
from armslength.values import (
    Frame,
    Mutable,
    Place,
    Value,
    is_pending,
    make,
    mutable_objects,
    promise,
    restrict,
    upgrade,
    upgrade_shape,
)

ELEMENT = 8
"""Characters that one element of a container counts as: about what it takes in memory."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Counts, so that they do not depend on the machine."""

    steps: int = 1_000_000
    """Nodes evaluated."""
    size: int = 20_000_000
    """Characters made, all together; an element counts as `ELEMENT` of them."""
    digits: int = 4_000
    """Decimal digits of an integer."""
    depth: int = 60
    """Nesting of data where it is walked."""
    calls: int = 40
    """Calls of functions within one another."""


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
    """A part of the answer: pieces of text in order, each with its own label; they may still be to come."""

    pieces: tuple[Value, ...]
    site: Site
    control: Label


@dataclass(frozen=True, slots=True)
class Showing:
    """A value that the program wants the planner to see. `control` and `halt` are what steered that it is shown at all."""

    value: Value
    site: Site
    control: Label
    halt: Label


class Host(Protocol):
    """Whatever the program can reach outside itself. The machine gives values and gets values."""

    def call(self, call: Call) -> Value:
        """Call a tool. The result may be a promise."""
        ...

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model. The result may be a promise."""
        ...

    def answer(self, reply: Reply) -> None:
        """Say something to the user."""
        ...

    def reveal(self, showing: Showing) -> None:
        """Show a small value to the planner, if its bits can be paid."""
        ...

    def now(self) -> Value:
        """When the run began: its only clock."""
        ...

    def ended(self, halt: Label) -> None:
        """The program came to its end, which `halt` decided."""
        ...

    def steers(self, slots: Mapping[Slot, Label]) -> None:
        """The program came to its end or failed: what decided over all that it may have set under keys, set or not."""
        ...

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """What decides, beside its arguments, whether a call of this tool, or of `quarantined`, fails; known before the result is."""
        ...


class Kind(Enum):
    """What a region is. Statements and calls note what they reach before runs can differ; expressions speak for themselves only."""

    BRANCH = "branch"
    LOOP = "loop"
    CALL = "call"
    TRY = "try"
    EXPRESSION = "expression"


class Region:
    """One construct that is running, the context before it, what the context gained, and what is upgraded at its end."""

    __slots__ = (
        "before", "effects", "frame", "gain", "has_caught", "has_owed", "held", "is_captured", "kind", "objects", "promises", "unbound",
    )  # fmt: skip

    def __init__(self, kind: Kind, frame: Frame, effects: Effects, before: Label) -> None:
        self.kind, self.frame, self.effects, self.before = kind, frame, effects, before
        self.gain: Label = NOTHING
        self.is_captured = self.has_caught = self.has_owed = False
        self.held: Sequence[Value] = ()
        self.objects: Sequence[Mutable | Place] = ()
        self.unbound: Sequence[Place] = ()
        self.promises: Sequence[Value] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """What a program's handler gets of its failure: the exception's name and arguments, and the label of what decided it."""

    name: str
    arguments: tuple[Value, ...]
    decided_by: Label


_NAMES = {
    "index": "IndexError", "key": "KeyError", "type": "TypeError", "value": "ValueError", "attribute": "AttributeError",
    "name": "NameError", "zero": "ZeroDivisionError", "format": "ValueError", "frozen": "TypeError",
    "assert": "AssertionError", "stop": "StopIteration", "pattern": "PatternError",
}  # fmt: skip
"""The exception that each code of a failure is, for handlers."""


class Machine:
    """What one run of one program knows."""

    def __init__(self, analysis: Analysis, host: Host, limits: Limits) -> None:
        self.analysis, self.host, self.limits = analysis, host, limits
        self.program = Frame()
        self.control: Label = NOTHING
        self.halt: Label = NOTHING
        self.line = 1
        self.regions = [Region(Kind.CALL, self.program, NO_EFFECTS, NOTHING)]
        self.catching: list[Region] = []
        self.owed: list[Value] = []
        self.slots = Slots(analysis.slots, analysis.called_slots)
        self.handled: list[ProgramFailed | ToolError | ModelError] = []
        self.invoke: Callable[[Value, Sequence[Value]], Value] = _not_yet
        self.steps_left, self.size_left, self.calls_left = limits.steps, limits.size, limits.calls
        self._sites = 0

    # Budget

    def step(self, count: int = 1) -> None:
        """Count nodes that are evaluated.

        Raises:
            LimitReached: there were too many.
        """
        self.steps_left -= count
        if self.steps_left < 0:
            raise LimitReached(self.line, "steps")

    def spend(self, size: int) -> None:
        """Count characters *before* they are made. Nothing is ever given back.

        Raises:
            LimitReached: there were too many.
        """
        if size > 0:
            self.size_left -= size
            if self.size_left < 0:
                raise LimitReached(self.line, "size")

    def stop(self) -> NoReturn:
        """Say which count ran out.

        Raises:
            LimitReached: always.
        """
        raise LimitReached(self.line, "steps" if self.steps_left < 0 else "size")

    def spend_elements(self, count: int) -> None:
        """Count elements *before* they are made or gone through.

        Raises:
            LimitReached: there were too many.
        """
        self.spend(count * ELEMENT)

    def site(self, node: ast.expr) -> Site:
        """The place of a call."""
        self._sites += 1
        return Site(node.lineno, node.col_offset, self._sites)

    # Control

    def enter(self, kind: Kind, frame: Frame, effects: Effects) -> Region:
        """Begin a construct whose parts may run or not."""
        region = Region(kind, frame, effects, self.control)
        self.regions.append(region)
        return region

    def leave(self, region: Region) -> None:
        """End one that leaves no value: rules 3 and 4."""
        self.regions.pop()
        self.control = region.before
        gain = region.gain
        if gain is NOTHING:
            return
        frame, effects = region.frame, region.effects
        for variable in effects.writes:
            names = frame.up(variable.depth).names
            if variable.name in names:
                names[variable.name] = restrict(names[variable.name], gain)
        for place in region.unbound:
            doubts = place.frame.doubts
            doubts[place.name] = steered(doubts.get(place.name, NOTHING), gain)
        upgrade(region.objects, gain)
        self.slots.steer(effects.slots, gain, may_call=STOP in effects.escapes)
        self._escape(_targets(region, self.regions), gain)
        is_caught = RAISE in effects.escapes and self.risk(gain)
        may_stop = region.has_owed or STOP in effects.escapes
        if may_stop and (is_caught or RAISE not in effects.escapes):
            self.halt = steered(self.halt, gain)

    def leave_with(self, region: Region, value: Value) -> Value:
        """End one that leaves a value, which takes what its context gained."""
        self.leave(region)
        return restrict(value, region.gain)

    def leave_made(self, region: Region, made: Mutable) -> None:
        """End one that made an object part by part: which parts it has, the context decided, so its shape takes what that gained."""
        self.leave(region)
        upgrade_shape(made, region.gain)

    def guard(self, region: Region, decided_by: Label, bits: int = 1) -> None:
        """What runs next in the innermost region depends on something with this label (rule 2), taken or not."""
        gain = decided_by.steers[bits]
        if gain is not NOTHING:
            self.gain(region, gain)

    def gain(self, region: Region, gain: Label) -> None:
        """The innermost region's context takes `gain`. What its end, and where it may escape to, will upgrade is noted first."""
        if not region.is_captured:
            self.capture(region)
        region.gain = region.gain.selects[gain]
        self.control = self.control.selects[gain]

    def may_raise(self, *operands: Label) -> None:
        """An operation that may raise on these operands (rule 5): what that tells stays in the nearest `try`, or goes to halt."""
        for operand in operands:
            gain = operand.guards
            if gain is not NOTHING:
                self.risk(gain)

    def may_stop(self, *operands: Label) -> None:
        """A call outside depends on these operands: it may fail, and it may be refused, which nothing catches."""
        for operand in operands:
            gain = steering(operand, 1)
            if gain is not NOTHING and self.risk(gain):
                self.halt = steered(self.halt, gain)

    def stop_catching(self, region: Region) -> bool:
        """What is raised from now on is not this region's to catch. Whether it was."""
        was_catching = bool(self.catching) and self.catching[-1] is region
        if was_catching:
            self.catching.pop()
        return was_catching

    def risk(self, gain: Label) -> bool:
        """What raises, or does not, by `gain`: the nearest `try` that would catch keeps it, else halt does. Whether there was one."""
        if self.catching:
            self._escape([self.catching[-1]], gain)
            return True
        self.halt = self.halt.selects[gain]
        return False

    def _escape(self, targets: list[Region], gain: Label) -> None:
        """These regions gain, and the context keeps it until the outermost of them ends."""
        if not targets:
            return
        for target in targets:
            target.gain = steered(target.gain, gain)
        for region in reversed(self.regions):
            if region is targets[-1]:
                break
            region.before = steered(region.before, gain)
        self.control = steered(self.control, gain)

    def capture(self, region: Region) -> None:
        """Before runs can differ: which objects and unbound names the end of the region, and of those it may escape to, will upgrade."""
        if region.is_captured:
            return
        region.is_captured = True
        region.has_owed = self._owes()
        for target in _targets(region, self.regions[: self.regions.index(region)]):
            self.capture(target)
        frame, effects = region.frame, region.effects
        values = [iterable for each in self.regions[self.regions.index(region) :] for iterable in each.held]
        for variable in effects.mentions:
            names = frame.up(variable.depth).names
            if variable.name in names:
                values.append(names[variable.name])
        captured = [
            Place(frame.up(variable.depth), variable.name, variable in effects.writes) for variable in effects.captures
        ]
        region.objects = [*self.reachable(values), *captured]
        written = [Place(frame.up(variable.depth), variable.name) for variable in effects.writes]
        deleted = {Place(frame.up(variable.depth), variable.name) for variable in effects.deletes}
        assigned = [each for each in region.objects if isinstance(each, Place) and each.is_assigned]
        region.unbound = [
            place
            for place in [*written, *assigned]
            if place.name not in place.frame.names or place.name in place.frame.doubts or place in deleted
        ]

    def spread(self, values: Iterable[Value], gain: Label) -> None:
        """Everything reachable from `values` that can still change takes `gain` in its shape."""
        if gain is not NOTHING:
            upgrade(self.reachable(values), gain)

    def reachable(self, values: Iterable[Value]) -> list[Mutable | Place]:
        """The objects below `values` that can still change. What is walked is counted."""
        return mutable_objects(values, self.spend)

    # Failures

    def failed(self, code: str, reason: str, *operands: Label) -> ProgramFailed:
        """The program's failure at the current line; the planner may hear of it only if all that led here is trusted."""
        decided_by = construct(*operands)
        message = make(reason, decided_by)
        return self.raised(_NAMES[code], (message,), code=code, reason=reason, decided_by=decided_by)

    def raised(
        self,
        name: str,
        arguments: tuple[Value, ...],
        *,
        code: str,
        reason: str,
        decided_by: Label,
        payload: Value | None = None,
    ) -> ProgramFailed:
        """The failure with this exception's name."""
        led_here = (decided_by, self.control, self.halt)
        is_trusted = all(
            part.is_trusted and part.readers.names is None and part.steer.names is None for part in led_here
        )
        cause = Cause(name, arguments, decided_by)
        return ProgramFailed(self.line, code, reason, is_trusted=is_trusted, payload=payload, cause=cause)

    # Names

    def load(self, frame: Frame, name: str) -> Value:
        """The value of a name that may have none.

        Raises:
            ProgramFailed: it has none (yet).
        """
        doubt = frame.doubts.get(name, NOTHING)
        self.may_raise(doubt)
        if name not in frame.names:
            raise self.failed("name", f"{name} is used before it has a value", doubt)
        return frame.names[name]

    def load_sure(self, frame: Frame, name: str) -> Value:
        """The value of a name that has one on every way that leads here, so that reading it tells nothing.

        Raises:
            TypeError: it has none. Then the check before the run is wrong, and going on would tell what nobody has accounted for.
        """
        if name not in frame.names:
            raise TypeError("a name that was to have a value here has none")
        return self.load(frame, name)

    def store(self, frame: Frame, name: str, value: Value) -> None:
        """Assign to a variable. What picked functions could change through it takes what picked them."""
        frame.doubts.pop(name, None)
        value = restrict(value, frame.shared.get(name, NOTHING))
        self.spread([value], frame.reached.get(name, NOTHING))
        frame.names[name] = value

    # Promises

    def outside(
        self, call: Callable[[], Value], name: str, arguments: Sequence[Value], changed: Label = NOTHING
    ) -> Value:
        """The result of a call outside, which may still be to come. Whether it fails is accounted for now, as all that follows tells it.

        `changed`: what decided how that is which it looks into.

        A call in a `try` is waited for at the end of the try's body; what it raises is caught there and nowhere else, and its result
        is None afterwards.

        Raises:
            ToolError, ModelError: it failed at once.
        """
        doubt = steered(self.host.doubt(name, arguments), changed)
        try:
            result = call()
        finally:
            self.may_raise(doubt)
        if not is_pending(result):
            return result
        born_in = self.catching[-1] if self.catching else None
        kept = promise(lambda: _kept(result, born_in))
        if born_in is not None:
            born_in.promises = [*born_in.promises, kept]
        if doubt.guards is not NOTHING:
            self.owed.append(kept)
        return kept

    def _owes(self) -> bool:
        """Whether something is still to come that may fail: then whatever runs next and looks at it may stop the program."""
        while self.owed and not is_pending(self.owed[-1]):
            self.owed.pop()
        return bool(self.owed)


def _targets(region: Region, around: Sequence[Region]) -> list[Region]:
    """The regions around that what `region` gains stays to the end of: its loop, its call. The outermost is last."""
    escapes = region.effects.escapes
    wants_loop, wants_call = bool(escapes & {BREAK, CONTINUE}), RETURN in escapes
    if region.kind is Kind.CALL or not (wants_loop or wants_call):
        return []
    found: list[Region] = []
    for each in reversed(around):
        if each.kind is Kind.LOOP and wants_loop and each.frame is region.frame:
            found.append(each)
            wants_loop = False
        if each.kind is Kind.CALL:
            return [*found, each] if wants_call else found
    return found


def _kept(result: Value, born_in: Region | None) -> Value:
    try:
        _ = result.label
    except (ToolError, ModelError) as error:
        if born_in is not None and born_in.has_caught:
            return make(None, OUTSIDE)
        error.is_late, error.born_in = True, born_in
        raise
    return result


def _not_yet(function: Value, arguments: Sequence[Value]) -> Value:
    raise TypeError("the machine has no program yet")
