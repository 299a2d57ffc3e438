"""The controller: what a running program reaches. It moves values between tools, the quarantined model, the person and the program.

Every value leaves through `release` with its permit and comes back through `admit` with its label; every answer from outside passes the
boundary. The controller itself decides nothing: the policy and the person do.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from armslength.agent.approval import Approver, ask_person, screen_of
from armslength.agent.boundary import Boundary
from armslength.agent.effects import Effect, Pending, effect_of
from armslength.agent.reader import Reader, label_reading
from armslength.errors import ArmslengthError, Declined, Denied, ModelNotCleared, ToolError
from armslength.events import Trust, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import NOTHING, SATURATED, Label, construct, picking, steered, steering
from armslength.language import Call, Question, Reply
from armslength.policy.engine import PolicySettings, decide
from armslength.schema import NONE, STR, Field, ListOf, OptionalOf, RecordType, Type
from armslength.tools.base import Tool, ToolCall
from armslength.values import (
    Labelled,
    Permit,
    Plain,
    RecordObject,
    Value,
    admit,
    make,
    release,
    restrict,
    sink_label,
    unwrap,
)

_TO_THE_USER = Permit("the user is a reader of everything", "policy")


@dataclass(frozen=True, slots=True)
class World:
    """What a controller is wired to."""

    tools: Mapping[str, Tool]
    reader: Reader
    policy: PolicySettings
    boundary: Boundary
    approver: Approver
    trust: Trust
    now: datetime
    run: str


@dataclass(slots=True)
class Progress:
    """What has happened so far. `answers` are the pieces of each answer; `settled` the effects that were decided, in order."""

    answers: list[tuple[Labelled, ...]] = field(default_factory=list)
    settled: list[Pending] = field(default_factory=list)
    screens: int = 0
    has_reached_out: bool = False


class Controller:
    """The host of one run of one program."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue: list[Effect] = []
        self.progress = Progress()

    # The host's three calls

    def call(self, call: Call) -> Value:
        """Call a tool: a read at once, an effect into the queue, a call with receivers once the policy lets it.

        Raises:
            ToolError: the tool failed.
            PolicyError: the policy or the person said no.
        """
        tool = self._world.tools[call.name]
        call = replace(call, arguments={name: _argument(tool, name, value) for name, value in call.arguments.items()})
        if not tool.is_effect:
            self._settle_before_reading(tool)
            return self._perform_read(tool, call)
        if tool.changes is None:
            return self._reach_out(tool, call)
        self._queue.append(effect_of(tool, call, call.control))
        if tool.signature.returns == NONE:
            return make(None, NOTHING)
        return self._settle()

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model, if it is cleared for the data.

        Raises:
            ModelNotCleared: it is not.
            ModelError: it failed.
        """
        inputs = [sink_label(value) for value in (question.instruction, *question.data)]
        processor = self._world.reader.model.processor
        for label in (*inputs, question.control):
            if not processor.is_local and self._world.policy.is_confined(label):
                raise ModelNotCleared(
                    f"line {question.site.line}: {processor.name} is not cleared for data that stays on this machine; "
                    "use the embedded model for the quarantined side, or change [privacy]"
                )
        permit = Permit(f"{processor.name} is cleared for it", "clearance")
        data = [release(value, permit) for value in question.data]
        instruction = str(release(question.instruction, permit).plain())
        reading = self._world.reader.read(instruction, data, question.returns)
        self._world.boundary.note(
            "reading", {"line": question.site.line, "inputs": [label_to_json(label) for label in inputs[1:]]}
        )
        return admit(label_reading(reading.answer, question.returns, inputs[0], inputs[1:]))

    def answer(self, reply: Reply) -> None:
        """Keep a part of the answer until the run's end."""
        pieces = tuple(
            Labelled(str(piece.plain()), steered(piece.label, reply.control))
            for piece in (release(value, _TO_THE_USER) for value in reply.pieces)
        )
        self.progress.answers.append(pieces)
        self._world.boundary.note("answer", {"pieces": [labelled_to_json(piece) for piece in pieces]})

    # Reads

    def _settle_before_reading(self, tool: Tool) -> None:
        """A barrier: a store with queued changes is settled before it is read."""
        if tool.reads is not None and any(effect.tool.changes == tool.reads for effect in self._queue):
            self._settle()

    def _perform_read(self, tool: Tool, call: Call) -> Value:
        labels = {name: sink_label(value) for name, value in call.arguments.items()}
        permit = Permit("a read has no receivers", "policy")
        plain = {name: release(value, permit).plain() for name, value in call.arguments.items()}
        return admit(self._run_tool(tool, plain, labels))

    def _reach_out(self, tool: Tool, call: Call) -> Value:
        """An immediate call with receivers: decided before it runs, with halt in its context."""
        effect = effect_of(tool, call, steered(call.control, call.halt))
        self._settle_before_reading(tool)
        pending = self._decide(effect)
        if pending.status == "waiting" and pending.decision.verdict == "ask":
            self._ask([pending])
        self.progress.settled.append(pending)
        _stop_if_refused(pending)
        self.progress.has_reached_out = True
        result = self._run_tool(tool, effect.arguments(), effect.labels)
        pending.status = "done"
        return admit(result)

    def _run_tool(self, tool: Tool, plain: dict[str, Plain], labels: Mapping[str, Label]) -> Labelled:
        tool_call = ToolCall(labels, self._world.now)

        def perform() -> Plain:
            return cast("Plain", labelled_to_json(_run_safely(tool, tool_call, plain)))

        answered = self._world.boundary.cross("tool", tool.name, json.loads(json.dumps(plain)), perform)
        records = record_types(tool.signature.returns)
        result = labelled_from_json(cast("dict[str, object]", answered), records, self._world.trust)
        return _relabelled(result, tool, labels)

    # Effects

    def finish(self) -> None:
        """The program has ended: settle what is queued.

        Raises:
            PolicyError: the policy or the person said no.
        """
        if self._queue:
            self._settle()

    def drop(self) -> None:
        """The program has failed: nothing that is queued happens."""
        for effect in self._queue:
            dropped = Pending(effect, decide(effect.action(), self._world.policy), "dropped")
            self.progress.settled.append(dropped)
        self._queue.clear()

    def _settle(self) -> Value:
        """Decide, ask once, commit in the program's order. Gives the last effect's result.

        Raises:
            PolicyError: something was refused; then nothing of this queue happens.
            ToolError: a tool failed; what was done before stays done and is listed.
        """
        batch = [self._decide(effect) for effect in self._queue]
        self._queue.clear()
        self.progress.settled.extend(batch)
        asked = [pending for pending in batch if pending.decision.verdict == "ask"]
        if asked and not any(pending.status == "denied" for pending in batch):
            self._ask(asked)
        for pending in batch:
            if pending.status in ("denied", "declined"):
                for other in batch:
                    other.status = "dropped" if other.status == "waiting" else other.status
                _stop_if_refused(pending)
        result: Value = make(None, NOTHING)
        for place, pending in enumerate(batch):
            try:
                result = self._commit(pending)
            except (ArmslengthError, KeyboardInterrupt):
                for later in batch[place + 1 :]:
                    later.status = "dropped"
                raise
        return result

    def _decide(self, effect: Effect) -> Pending:
        decision = decide(effect.action(), self._world.policy)
        pending = Pending(effect, decision, "denied" if decision.verdict == "deny" else "waiting")
        self._world.boundary.note(
            "decision",
            {
                "effect": effect.to_json(),
                "verdict": decision.verdict,
                "reasons": [{"rule": reason.rule, "text": reason.text} for reason in decision.reasons],
            },
        )
        return pending

    def _ask(self, asked: list[Pending]) -> None:
        self.progress.screens += 1
        if not ask_person(self._world.boundary, self._world.approver, screen_of(self._world.run, asked)):
            for pending in asked:
                pending.status = "declined"

    def _commit(self, pending: Pending) -> Value:
        """Do one effect, from the bytes that were decided on. An interrupt waits until it is done."""
        effect = pending.effect
        self._world.boundary.note("started", {"tool": effect.tool.name, "digest": effect.digest(self._world.run)})
        with _undisturbed():
            try:
                result = self._run_tool(effect.tool, effect.arguments(), effect.labels)
            except ToolError as error:
                pending.status, pending.note = "failed", str(error)
                raise
            pending.status = "done"
        return admit(result)


def _stop_if_refused(pending: Pending) -> None:
    reasons = "; ".join(reason.text for reason in pending.decision.reasons)
    if pending.status == "denied":
        raise Denied(f"line {pending.effect.site.line}: {pending.effect.tool.name} is not allowed: {reasons}")
    if pending.status == "declined":
        raise Declined(
            f"line {pending.effect.site.line}: {pending.effect.tool.name} was not approved; nothing was done"
        )


def _argument(tool: Tool, name: str, value: Value) -> Value:
    """A handle stands for its record's id alone, so the other fields neither travel nor count."""
    if name not in tool.handles:
        return value
    raw = unwrap(value)
    if not isinstance(raw, RecordObject) or "id" not in raw.fields:
        raise ToolError(f"{tool.name} takes one whole record as {name}, such as search results hold")
    identity = restrict(raw.fields["id"], picking(value.label))
    return make(RecordObject(_HANDLE, {"id": identity}), NOTHING)


_HANDLE = RecordType("Handle", (Field("id", STR),))


def record_types(declared: Type) -> dict[str, RecordType]:
    """Every record type in a declared type, by name."""
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            return record_types(inner)
        case RecordType(name, fields):
            found = {name: declared}
            for each in fields:
                found |= record_types(each.type)
            return found
        case _:
            return {}


def _relabelled(result: Labelled, tool: Tool, labels: Mapping[str, Label]) -> Labelled:
    """What the arguments leave in a result: choice where it was picked by them, everything where it may contain them."""
    if tool.picks:
        gain = NOTHING
        for label in labels.values():
            gain = steered(gain, steering(label, SATURATED))
        return _mapped(result, lambda label: steered(label, gain))
    return _mapped(result, lambda label: construct(label, *labels.values()))


def _mapped(given: Labelled, change: Callable[[Label], Label]) -> Labelled:
    match given.data:
        case tuple() as items:
            return Labelled(tuple(_mapped(item, change) for item in items), change(given.label))
        case dict() as named:
            parts = {name: _mapped(part, change) for name, part in named.items()}
            return Labelled(parts, change(given.label), given.record)
        case scalar:
            return Labelled(scalar, change(given.label))


def _run_safely(tool: Tool, call: ToolCall, plain: dict[str, Plain]) -> Labelled:
    try:
        return tool.run(call, plain)
    except ArmslengthError:
        raise
    except Exception as error:
        raise ToolError(f"{tool.name} failed: {type(error).__name__}") from error


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the block has ended, so that no effect is left half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt
