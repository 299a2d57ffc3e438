"""The controller: what a running program reaches. It moves values between tools, the quarantined model, the person and the program.

Every value leaves through `release` with its permit and comes back through `admit` with its label; every answer from outside passes the
boundary. The controller itself decides nothing: the policy and the person do.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from armslength.agent.approval import Approver, ask_person, screen_of
from armslength.agent.boundary import Boundary
from armslength.agent.effects import Effect, Given, Pending, effect_of, resolve
from armslength.agent.reader import Reader, label_reading
from armslength.errors import ArmslengthError, Declined, Denied, ModelNotCleared, ToolError
from armslength.events import Trust, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import (
    NOTHING,
    PRIVATE,
    QUARANTINED,
    SATURATED,
    Label,
    construct,
    label,
    picking,
    steered,
    steering,
)
from armslength.language import Call, Question, Reply
from armslength.policy.engine import PolicySettings, decide
from armslength.schema import NONE, STR, Field, ListOf, OptionalOf, RecordType, Type
from armslength.tools.base import Tool, ToolCall, nobody
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
        handles = {name: value for name, value in call.arguments.items() if name in tool.handles}
        call = replace(call, arguments={name: _argument(tool, name, value) for name, value in call.arguments.items()})
        if not tool.is_effect:
            self._settle_before_reading(tool, call)
            return self._perform_read(tool, call)
        if tool.changes is None:
            return self._reach_out(tool, call, handles)
        given = Given(call.control, _labels(tool, call), handles)
        self._queue.append(effect_of(self._world.boundary, tool, call, given))
        return make(None, NOTHING) if tool.signature.returns == NONE else self._settle_early(call)

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model, if it is cleared for the data.

        Raises:
            ModelNotCleared: it is not.
            ModelError: it failed.
        """
        inputs = [sink_label(value) for value in (question.instruction, *question.data)]
        processor = self._world.reader.model.processor
        for part in (*inputs, question.control, question.halt):
            if not processor.is_local and self._world.policy.is_confined(part):
                raise ModelNotCleared(
                    f"line {question.site.line}: {processor.name} is not cleared for data that stays on this machine; "
                    "use the embedded model for the quarantined side, or change [privacy]"
                )
        permit = Permit(f"{processor.name} is cleared for it", "clearance")
        data = [release(value, permit) for value in question.data]
        instruction = str(release(question.instruction, permit).plain())
        reading = self._world.reader.read(instruction, data, question.returns)
        self._world.boundary.note(
            "reading", {"line": question.site.line, "inputs": [label_to_json(part) for part in inputs[1:]]}
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

    def ended(self, halt: Label) -> None:
        """A failed program sends nothing, so whoever gets what was queued learns that nothing stopped the program: one bit."""
        self._steer_queue(steering(halt, 1), lambda effect: effect.receivers.names != ())

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """The quarantined model fails when it likes, a read and an effect on a handle by what their tool declares of its store.

        Another effect fails by its arguments. Sound for a pending result: a run in which the call fails goes on at most to where the
        result is needed, and whatever leaves between the call and there carries this label in halt, as all that leaves after it does.
        """
        if name == "quarantined":
            return label([QUARANTINED], readers=PRIVATE, steer=PRIVATE)
        tool = self._world.tools[name]
        return tool.doubt if tool.handles or not tool.is_effect else NOTHING

    # Reads

    def _settle_before_reading(self, tool: Tool, call: Call) -> None:
        """A barrier: a store with queued changes is settled before it is read."""
        if tool.reads is not None and any(effect.tool.changes == tool.reads for effect in self._queue):
            self._settle_early(call)

    def _perform_read(self, tool: Tool, call: Call) -> Value:
        labels = _labels(tool, call)
        permit = Permit("a read has no receivers", "policy")
        plain = {name: release(value, permit).plain() for name, value in call.arguments.items()}
        return self._run_tool(tool, plain, ToolCall(labels, self._world.now), labels)

    def _reach_out(self, tool: Tool, call: Call, handles: dict[str, Value]) -> Value:
        """An immediate call with receivers: decided before it runs, with halt in its context."""
        self._settle_before_reading(tool, call)
        given = Given(steered(call.control, call.halt), _labels(tool, call), handles)
        pending = self._decide(effect_of(self._world.boundary, tool, call, given))
        self.progress.settled.append(pending)
        with _dropping([pending]):
            self._ask_about([pending])
            self._confirm([pending])
            self.progress.has_reached_out = True
            return self._commit(pending)

    def _run_tool(self, tool: Tool, plain: dict[str, Plain], tool_call: ToolCall, labels: Mapping[str, Label]) -> Value:
        """The tool's result. `tool_call.labels` is what it writes into a ledger, `labels` what a result may contain."""

        def perform() -> Plain:
            return _run_safely(tool, tool_call, json.loads(json.dumps(plain)), self._world.trust)

        answered = self._world.boundary.cross("tool", tool.name, json.loads(json.dumps(plain)), perform)
        return admit(_relabelled(_decoded(tool, answered, self._world.trust), tool, labels))

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

    def _settle_early(self, call: Call) -> Value:
        """Settle before the program has ended, because of this call.

        Whether the call happens, and whether anything stopped the program before it, now decides over all that is queued. The latter
        is one bit, however many operations could have stopped it.
        """
        self._steer_queue(steered(call.control, steering(call.halt, 1)), lambda _effect: True)
        return self._settle()

    def _steer_queue(self, gain: Label, concerns: Callable[[Effect], bool]) -> None:
        self._queue = [
            replace(effect, control=steered(effect.control, gain)) if concerns(effect) else effect
            for effect in self._queue
        ]

    def _settle(self) -> Value:
        """Decide, ask once, commit in the program's order. Gives the last effect's result.

        Raises:
            PolicyError: something was refused; then nothing of this queue happens.
            ToolError: a tool failed; what was done before stays done and is listed.
        """
        batch = [self._decide(effect) for effect in self._queue]
        self._queue.clear()
        self.progress.settled.extend(batch)
        result: Value = make(None, NOTHING)
        with _dropping(batch):
            self._ask_about(batch)
            self._confirm(batch)
            for place, pending in enumerate(batch):
                if place:
                    self._confirm_receivers(pending)
                result = self._commit(pending)
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

    def _ask_about(self, batch: list[Pending]) -> None:
        """One screen for all that needs a yes.

        Raises:
            PolicyError: something is refused.
        """
        asked = [pending for pending in batch if pending.decision.verdict == "ask"]
        if asked and not any(pending.status == "denied" for pending in batch):
            if len(asked) > MOST_ASKED:
                raise Declined(
                    f"line {asked[0].effect.site.line}: {len(asked):,} things would need your yes, and nobody reads more than "
                    f"{MOST_ASKED}; ask for less at once"
                )
            self.progress.screens += 1
            if not ask_person(self._world.boundary, self._world.approver, screen_of(self._world.run, asked)):
                for pending in asked:
                    pending.status = "declined"
        for pending in batch:
            _stop_if_refused(pending)

    def _confirm(self, batch: list[Pending]) -> None:
        """Before anything of it happens: what was decided, and shown, is what would happen now.

        Raises:
            Denied: a store was changed meanwhile, so that it is not; then nothing of it happens.
        """
        for pending in batch:
            effect = pending.effect
            is_shown = pending.decision.verdict == "ask" and effect.tool.summary is not None
            if not is_shown:
                self._confirm_receivers(pending)
            elif resolve(self._world.boundary, effect.tool, effect.canonical) != effect.resolved:
                raise _overtaken(pending)

    def _confirm_receivers(self, pending: Pending) -> None:
        """Those who learn of it are those who were decided on; an earlier effect of the same queue may have changed that."""
        effect = pending.effect
        if effect.tool.receivers is nobody:
            return
        now = resolve(self._world.boundary, effect.tool, effect.canonical).receivers
        if now.names != effect.receivers.names or (effect.receivers.are_vouched and not now.are_vouched):
            raise _overtaken(pending)

    def _commit(self, pending: Pending) -> Value:
        """Do one effect, from the bytes that were decided on. An interrupt waits until a change is done."""
        effect = pending.effect
        with _undisturbed() if effect.tool.changes is not None else nullcontext():
            key = effect.digest(self._world.run)
            self._world.boundary.note("started", {"tool": effect.tool.name, "digest": key})
            pending.status, pending.note = "failed", "it was interrupted; whether it got done is not known"
            tool_call = ToolCall(effect.written_labels(), self._world.now, key)
            try:
                result = self._run_tool(effect.tool, effect.arguments(), tool_call, effect.labels)
            except ArmslengthError as error:
                pending.note = str(error)
                raise
            pending.status, pending.note = "done", ""
        return result


MOST_ASKED = 100
"""Effects on one screen. A yes to more than a person reads is no yes."""


@contextmanager
def _dropping(batch: list[Pending]) -> Iterator[None]:
    """Whatever ends the block early, what still waits does not happen."""
    try:
        yield
    except BaseException:
        for pending in batch:
            pending.status = "dropped" if pending.status == "waiting" else pending.status
        raise


def _overtaken(pending: Pending) -> Denied:
    pending.status = "denied"
    return Denied(
        f"line {pending.effect.site.line}: {pending.effect.tool.name} would not do any more what was decided on, since something "
        "changed meanwhile; ask again"
    )


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


def _labels(tool: Tool, call: Call) -> dict[str, Label]:
    """Each argument's sink label. A handle is its record's id, picked whole: the label of reading that field, not of a container."""
    return {
        name: sink_label(raw.fields["id"])
        if name in tool.handles and isinstance(raw := unwrap(value), RecordObject)
        else sink_label(value)
        for name, value in call.arguments.items()
    }


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


def _run_safely(tool: Tool, call: ToolCall, plain: dict[str, Plain], trust: Trust) -> Plain:
    """The tool's result as JSON that can be read back, or one error line, whatever it raises or returns."""
    try:
        result = cast("Plain", json.loads(json.dumps(labelled_to_json(tool.run(call, plain)))))
    except ArmslengthError:
        raise
    except (Exception, SystemExit) as error:
        raise ToolError(f"{tool.name} failed: {type(error).__name__}") from error
    _decoded(tool, result, trust)
    return result


def _decoded(tool: Tool, answered: Plain, trust: Trust) -> Labelled:
    records = record_types(tool.signature.returns)
    try:
        found = labelled_from_json(cast("dict[str, object]", answered), records, trust)
        admit(found)
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        raise ToolError(f"{tool.name} gave a result of another type than it declares") from error
    return found


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
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
    if waiting:
        raise KeyboardInterrupt
