"""The controller: what a running program reaches. It moves values between tools, the quarantined model, the person and the program.

Every value leaves through `release` with its permit and comes back through `admit` with its label; every answer from outside passes the
boundary. The controller itself decides nothing: the policy and the person do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from armslength.agent.effects.acquaintance import acquaintance, is_picked
from armslength.agent.effects.effects import Effect, Given, effect_of
from armslength.agent.effects.program_text import program_text
from armslength.agent.effects.quoting import recognised
from armslength.agent.effects.slots import note_steered, sets, tell
from armslength.agent.effects.tool_use import ToolUse
from armslength.agent.outside.recorded import RecordedReader
from armslength.agent.quarantined.reader import label_reading
from armslength.agent.runs.queue import Queue
from armslength.agent.runs.replies import Replies
from armslength.agent.runs.world import Progress, World
from armslength.errors import ModelNotCleared, ToolError
from armslength.events import label_to_json
from armslength.labels import (
    NOTHING,
    OUTSIDE,
    SATURATED,
    Label,
    label,
    picking,
    steered,
    steering,
)
from armslength.language import Analysis, Call, Question, Reply
from armslength.schema import NONE, STR, Field, RecordType, Slot
from armslength.tools.base import Decided, Role, Tool, ToolCall, nobody
from armslength.tools.clock import CLOCK
from armslength.values import (
    Permit,
    RecordObject,
    Value,
    admit,
    make,
    promise,
    release,
    restrict,
    sink_label,
    unwrap,
)


class Controller:
    """The host of one run of one program."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.progress = Progress()
        self._queue = Queue(world, self.progress)
        self._replies = Replies(world.boundary, self.progress.answers)
        self._gained: dict[Slot, Label] | None = None

    def begin(self, program: Analysis) -> None:
        """What its text says is counted with. Names that are there from before may hold functions of another text."""
        sending = frozenset(tool.name for tool in self._world.tools.values() if tool.receivers is not nobody)
        text = program_text(program.program.body, sending)
        self.progress.telling.text = replace(text, is_plain=text.is_plain and not program.kept)

    # The host's three calls

    def call(self, call: Call) -> Value:
        """Call a tool: a read begins, an effect goes into the queue, a call with receivers is made once the policy lets it.

        A read's result is pending.

        Raises:
            ToolError: the tool failed, or what an argument waited for did.
            PolicyError: the policy or the person said no.
        """
        tool = self._world.tools[call.name]
        handles = {name: value for name, value in call.arguments.items() if name in tool.handles}
        call = replace(call, arguments={name: _argument(tool, name, value) for name, value in call.arguments.items()})
        if not tool.is_effect:
            self._settle_before_reading(tool, call)
            return self._start_read(tool, call)
        if tool.changes is None:
            return self._reach_out(tool, call, handles)
        if tool.is_looked_up:
            self._settle_before_reading(tool, call)
        given = Given(call.control, _labels(tool, call), handles)
        effect = self._effect(tool, call, given)
        self._queue.add(effect)
        if tool.signature.returns == NONE:
            return make(None, NOTHING)
        return self._settle_early(call, lambda each: each.site == effect.site)

    def ask_quarantined(self, question: Question) -> Value:
        """Ask the quarantined model, if it is cleared for the data. The answer is pending.

        Raises:
            ModelNotCleared: it is not.
            ArmslengthError: what the data waited for failed.
        """
        inputs = [sink_label(value) for value in (question.instruction, *question.data)]
        reader = self._cleared_reader((*inputs, question.control, question.halt), question.site.line)
        permit = Permit(f"{reader.processor.name} is cleared for it", "clearance")
        data = [release(value, permit) for value in question.data]
        instruction = str(release(question.instruction, permit).plain())
        answer = reader.start(instruction, data, question.returns)

        def read() -> Value:
            reading = answer()
            noted = [label_to_json(part) for part in inputs[1:]]
            self._world.boundary.note("reading", {"line": question.site.line, "inputs": noted})
            return admit(label_reading(reading.answer, question.returns, inputs[0], inputs[1:]))

        return promise(read)

    def _cleared_reader(self, parts: Sequence[Label], line: int) -> RecordedReader:
        """The first quarantined model that the policy clears for all of this: the data, and what decided that it is asked."""
        for reader in self._world.readers:
            processor = reader.processor
            decisions = (
                self._world.policy.decide_showing(part, processor.name, is_local=processor.is_local) for part in parts
            )
            if all(decision.verdict == "allow" for decision in decisions):
                return reader
        names = " and ".join(dict.fromkeys(reader.processor.name for reader in self._world.readers))
        raise ModelNotCleared(
            f"line {line}: {names} is not cleared for data that stays on this machine; name a model that runs here in "
            "[models.confined], or change [privacy]"
        )

    def answer(self, reply: Reply) -> None:
        """Keep a part of the answer until the run's end. Nothing is waited for: what is pending is said when it is there."""
        self._replies.add(reply)

    def now(self) -> Value:
        """When the run began: the only clock of a program, and the same one that tools have."""
        return make(self._world.now, label([CLOCK]))

    def ended(self, halt: Label) -> None:
        """A failed program sends nothing, so whoever gets what was queued learns that nothing stopped the program: one bit."""
        self._queue.steer(steering(halt, 1), lambda effect: effect.receivers.names != ())

    def steers(self, slots: Mapping[Slot, Label]) -> None:
        """What may have been set under a key says by what it is, and by being there, what decided over it: queued or not, set or not."""
        self._gained = {}
        for slot, gain in sorted(slots.items(), key=lambda each: (each[0].store, each[0].key)):
            tool = self._setting(slot.store)
            if gain is not NOTHING and tool is not None:
                self._gained[slot] = gain
                self._queue.steer(gain, partial(_is_set_by, slot))
                note_steered(self._world.boundary, tool, slot, Decided(gain, self._world.run))

    def _steers_again(self) -> None:
        """All is settled. Another run may have set a key meanwhile, and whether that still stands there was decided by the same."""
        for slot, gain in (self._gained or {}).items():
            tool = self._setting(slot.store)
            done = (each.effect for each in self.progress.settled if each.status == "done")
            own = frozenset(effect.digest(self._world.run) for effect in done if sets(effect, slot))
            if tool is not None:
                note_steered(self._world.boundary, tool, slot, Decided(gain, self._world.run, own))

    def waits(self, slots: Iterable[Slot]) -> None:
        """The run waits, who knows how long. What its program may have set so far stands there meanwhile, and what decided is not all known.

        No journal has this: when the run goes on it is nothing that was answered.
        """
        if self._gained is None:
            for slot in slots:
                tool = self._setting(slot.store)
                if tool is not None:
                    tell(tool, slot, Decided(steering(OUTSIDE, SATURATED - 1), self._world.run))

    def _setting(self, store: str) -> Tool | None:
        """The tool that sets what lies in this store under a key."""
        keyed = ((tool, tool.signature.keyed) for tool in self._world.tools.values())
        return next((tool for tool, each in keyed if each is not None and each.sets and each.store == store), None)

    def doubt(self, name: str, arguments: Sequence[Value]) -> Label:
        """The quarantined model fails when it likes, a read and an effect on a handle by what their tool declares of its store.

        Another effect fails by its arguments. Sound for a pending result: a run in which the call fails goes on at most to where the
        result is needed, and whatever leaves between the call and there carries this label in halt, as all that leaves after it does.
        """
        if name == "quarantined":
            return OUTSIDE
        tool = self._world.tools[name]
        return tool.doubt if tool.handles or not tool.is_effect else NOTHING

    # Reads

    def _settle_before_reading(self, tool: Tool, call: Call) -> None:
        """A barrier: a store with queued changes is settled before it is read."""
        if tool.reads is not None and self._queue.changes(tool.reads):
            self._settle_early(call, lambda effect: effect.tool.changes == tool.reads)

    def _start_read(self, tool: Tool, call: Call) -> Value:
        labels = _labels(tool, call)
        permit = Permit("a read has no receivers", "policy")
        plain = {name: release(value, permit).plain() for name, value in call.arguments.items()}
        use = ToolUse(tool, plain, ToolCall(labels, self._world.now), labels, self._world.trust)
        started = self._world.boundary.start(f"tool {tool.name}", tool.at_once, use.cross)
        self._queue.read_begins(tool.reads, started)

        def read() -> Value:
            answered = started.answer()
            self._queue.read_ended(started)
            return use.admitted(answered)

        return promise(read)

    def _reach_out(self, tool: Tool, call: Call, handles: dict[str, Value]) -> Value:
        """An immediate call with receivers: decided before it runs, with halt in its context."""
        self._settle_before_reading(tool, call)
        given = Given(steered(call.control, call.halt), _labels(tool, call), handles)
        return self._queue.reach_out(self._effect(tool, call, given))

    def _effect(self, tool: Tool, call: Call, given: Given) -> Effect:
        """The effect, with who would get it looked up if something in it is not for everybody."""
        effect = effect_of(self._world.boundary, tool, call, given, self._world.trust)
        going = (*effect.labels.values(), *effect.carried.values())
        if effect.receivers.names == () or all(each.readers.names is None for each in going):
            return effect
        targets = [label for name, label in effect.labels.items() if tool.roles[name] in _DECISIVE]
        known = acquaintance(
            self._world.boundary,
            self._world.tools.values(),
            effect.receivers,
            are_picked=any(map(is_picked, targets)),
            by=tool,
        )
        text, boundary, trust = self.progress.telling.text, self._world.boundary, self._world.trust
        return replace(recognised(effect, text, boundary, trust), acquaintance=known)

    # Effects

    def finish(self) -> None:
        """The program has ended: say what it waited to say, then settle what is queued.

        Raises:
            ArmslengthError: what is to be said failed; then the program has.
            PolicyError: the policy or the person said no; to some of it: the rest was done.
        """
        self._replies.say_all()
        self._queue.finish()
        self._steers_again()

    def fail(self) -> None:
        """The program has failed: nothing that is queued happens; what it said before is said."""
        self._queue.drop()
        with suppress(ToolError):  # it was told before, and the program has failed already
            self._steers_again()
        self._replies.say_what_is_left()

    def drop(self) -> None:
        """The program was interrupted: nothing that is queued happens, and nothing is waited for."""
        self._queue.drop()

    def _settle_early(self, call: Call, needs: Callable[[Effect], bool]) -> Value:
        """Settle before the program has ended, because of this call.

        Whether the call happens, and whether anything stopped the program before it, now decides over all that is queued. The latter
        is one bit, however many operations could have stopped it.
        """
        self._queue.steer(steered(call.control, steering(call.halt, 1)), lambda _effect: True)
        return self._queue.settle_early(needs)


def _is_set_by(slot: Slot, effect: Effect) -> bool:
    return sets(effect, slot)


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


_DECISIVE = frozenset({Role.TARGET, Role.UNDECLARED})
"""The roles of what decides who or what is affected, or may."""
_HANDLE = RecordType("Handle", (Field("id", STR),))
