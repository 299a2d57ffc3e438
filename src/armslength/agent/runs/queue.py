"""The queue of effects: they wait in the program's order, are decided and asked about together, and happen from the bytes decided on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from armslength.agent.approving.approval import Screen, ask_person, screen_of
from armslength.agent.approving.looking import look, prospect_of
from armslength.agent.effects.effects import Effect, Pending, Resolved, Status, resolve
from armslength.agent.effects.finding_out import carried_out
from armslength.agent.effects.following import drop_what_follows, unasked_with
from armslength.agent.effects.tool_use import ToolUse
from armslength.agent.outside.boundary import Started
from armslength.agent.runs.world import Progress, World
from armslength.errors import ArmslengthError, Declined, DeclinedInPart, Denied
from armslength.labels import NOTHING, Label, steered
from armslength.policy.action import action_to_json
from armslength.tools.base import ToolCall, nobody
from armslength.values import Permit, Value, make, release


class Queue:
    """The effects of one program that wait to be settled. What is decided is listed in `progress`."""

    def __init__(self, world: World, progress: Progress) -> None:
        self._world, self._progress = world, progress
        self._waiting: list[Effect] = []
        self._reads: dict[Started[object], str | None] = {}

    def add(self, effect: Effect) -> None:
        """It waits behind the others."""
        self._waiting.append(effect)

    def changes(self, store: str) -> bool:
        """Whether an effect that waits changes this store."""
        return any(effect.tool.changes == store for effect in self._waiting)

    def steer(self, gain: Label, concerns: Callable[[Effect], bool]) -> None:
        """What waits, as far as it is concerned, happens only if something with this label lets it."""
        self._waiting = [
            replace(effect, control=steered(effect.control, gain)) if concerns(effect) else effect
            for effect in self._waiting
        ]

    def drop(self) -> None:
        """Nothing that waits happens."""
        for effect in self._waiting:
            dropped = Pending(effect, self._world.policy.decide(effect.action()), "dropped")
            self._progress.settled.append(dropped)
        self._waiting.clear()

    def read_begins(self, store: str | None, started: Started[object]) -> None:
        """A read of this store (None: of who knows which) goes on. Nothing is changed below it."""
        self._reads[started] = store

    def read_ended(self, started: Started[object]) -> None:
        """Its answer has been used."""
        self._reads.pop(started, None)

    def settle_early(self, needs: Callable[[Effect], bool]) -> Value:
        """Settle in the middle of the program, which cannot go on without what it `needs`. Gives the last effect's result.

        Every read that began before has ended by then, so what it gives is no matter of time.

        Raises:
            DeclinedInPart: what it needs was refused, or follows on what was; the rest was done.
            PolicyError: all was refused, or something is not allowed; then nothing of this queue happens.
            ToolError: a tool failed; what was done before stays done and is listed.
        """
        self._wait_for(lambda _store: True)
        batch, result = self._settle()
        if any(needs(pending.effect) and pending.status != "done" for pending in batch):
            raise _in_part(self._progress.settled)
        return result

    def finish(self) -> None:
        """The program has ended: settle what waits.

        Raises:
            DeclinedInPart: some of what was asked in this program was refused; the rest was done.
            PolicyError: all was refused, or something is not allowed; then nothing of this queue happens.
            ToolError: a tool failed; what was done before stays done and is listed.
        """
        self._settle()
        if any(pending.status == "declined" for pending in self._progress.settled):
            raise _in_part(self._progress.settled)

    def _settle(self) -> tuple[list[Pending], Value]:
        """Decide, ask once, commit what is left in the program's order. No read of a store goes on while it is changed."""
        batch = [self._decide(effect) for effect in self._waiting]
        self._waiting.clear()
        self._progress.settled.extend(batch)
        result: Value = make(None, NOTHING)
        with _dropping(batch):
            self._ask_about(batch)
            going = [pending for pending in batch if pending.status == "waiting"]
            changed = {None, *(pending.effect.tool.changes for pending in going)}
            self._wait_for(lambda store: bool(going) and store in changed)
            self._confirm(going)
            done = list[str | None]()
            for pending in going:
                if done:
                    self._confirm_again(pending, is_after_change=pending.effect.tool.changes in done)
                result = self._commit(pending)
                done.append(pending.effect.tool.changes)
        return batch, result

    def reach_out(self, effect: Effect) -> Value:
        """Settle one effect at once, past what waits, and give its result.

        Raises:
            PolicyError: it was refused.
            ToolError: the tool failed.
        """
        pending = self._decide(effect)
        self._progress.settled.append(pending)
        with _dropping([pending]):
            self._ask_about([pending])
            self._confirm([pending])
            self._progress.has_reached_out = True
            return self._commit(pending)

    def _wait_for(self, concerns: Callable[[str | None], bool]) -> None:
        for started in [started for started, store in self._reads.items() if concerns(store)]:
            started.wait()
            self.read_ended(started)

    def _decide(self, effect: Effect) -> Pending:
        world = self._world
        action = self._progress.telling.counted(effect.action(), effect.site)
        decision = world.policy.decide(action)
        if decision.verdict == "allow":
            self._progress.telling.let_go(action)
        if world.granting is not None:
            decision = world.granting.spared(decision, effect, world.policy.settings)
        pending = Pending(effect, decision, "denied" if decision.verdict == "deny" else "waiting")
        noted: dict[str, object] = {
            "effect": {**effect.to_json(), "decided_on": action_to_json(action)},
            "digest": effect.digest(world.run),
            "verdict": decision.verdict,
            "reasons": [{"rule": reason.rule, "text": reason.text} for reason in decision.reasons],
        }
        world.boundary.note("decision", noted | ({"granted": list(decision.granted)} if decision.granted else {}))
        return pending

    def _ask_about(self, batch: list[Pending]) -> None:
        """One screen for all that needs a yes. What was refused is dropped, and so is what follows on it.

        Raises:
            PolicyError: a rule refuses something, or the person all that they were asked about; then nothing of it happens.
        """
        asked = [pending for pending in batch if pending.decision.verdict == "ask"]
        if asked and not any(pending.status == "denied" for pending in batch):
            if len(asked) > MOST_ASKED:
                raise Declined(
                    f"line {asked[0].effect.site.line}: {len(asked):,} things would need your yes, and nobody reads more than "
                    f"{MOST_ASKED}; ask for less at once"
                )
            for pending in asked:
                pending.look = look(
                    self._world.boundary, self._world.tools.values(), pending.effect, self._call(pending.effect)
                )
                pending.takes_along = unasked_with(batch, pending)
            self._progress.screens += 1
            answer = ask_person(self._world.boundary, self._world.approver, self._screen(asked))
            if self._world.granting is not None:
                self._world.granting.take(answer.taken)
            for pending in asked:
                if pending.digest(self._world.run) not in answer.accepted:
                    pending.status = "declined"
        drop_what_follows(batch)
        is_any_left = any(pending.status == "waiting" for pending in asked)
        for pending in batch:
            if pending.status == "denied" or not is_any_left:
                _stop_if_refused(pending)

    def _screen(self, asked: list[Pending]) -> Screen:
        world = self._world
        if world.granting is None:
            return screen_of(world.run, asked)
        offers = {each.digest(world.run): world.granting.offers(each, world.policy.settings) for each in asked}
        return screen_of(world.run, asked, offers)

    def _confirm(self, batch: list[Pending]) -> None:
        """Before anything of it happens: what was decided, and shown, is what would happen now.

        Raises:
            Denied: a store was changed meanwhile, so that it is not; then nothing of it happens.
        """
        for pending in batch:
            effect = pending.effect
            is_shown = pending.decision.verdict == "ask" and effect.tool.summary is not None
            if not is_shown:
                self._confirm_resolved(pending)
            elif (now := resolve(self._world.boundary, effect.tool, effect.canonical)) != effect.resolved:
                raise _overtaken(pending, _NOT_WHOM if now.receivers != effect.receivers else _NOT_WHAT)
            self._confirm_look(pending)
            granting, granted = self._world.granting, pending.decision.granted
            if granting is not None and granted and not granting.still_counts(granted):
                raise _revoked(pending)

    def _confirm_again(self, pending: Pending, *, is_after_change: bool) -> None:
        """Just before it is done. Where an earlier one of the queue changed the same store, how that was before is no more."""
        self._confirm_resolved(pending)
        if not is_after_change:
            self._confirm_look(pending)

    def _confirm_look(self, pending: Pending) -> None:
        """The state that the person saw is the one that it happens to."""
        if pending.look.prospect is None:
            return
        effect = pending.effect
        if prospect_of(self._world.boundary, effect, self._call(effect)) != pending.look.prospect:
            raise _overtaken(pending, f"what was shown of its place ({effect.tool.changes}) is not so any more")

    def _confirm_resolved(self, pending: Pending) -> None:
        """Those who learn of it are those who were decided on, and no more of it acts; an earlier effect of the same queue may have changed that."""
        effect = pending.effect
        if effect.tool.receivers is nobody and effect.tool.acting is None and not effect.resolved.bearing:
            return
        now = resolve(self._world.boundary, effect.tool, effect.canonical)
        names, are_vouched = now.receivers.names, now.receivers.are_vouched
        if names != effect.receivers.names or (effect.receivers.are_vouched and not are_vouched):
            raise _overtaken(pending, _NOT_WHOM)
        if not set(now.acting) <= set(effect.resolved.acting) and not self._still_allowed(pending, now):
            raise _overtaken(pending, _NOT_WHAT)
        if any(name not in now.bearing for name in self._stand_for_others(effect)):
            raise _overtaken(pending, _NOT_WHAT)

    @staticmethod
    def _stand_for_others(effect: Effect) -> Iterator[str]:
        """The arguments in which others' words were taken for the thing that they name."""
        return (name for name in effect.resolved.bearing if not effect.shown[name].label.is_chosen)

    def _still_allowed(self, pending: Pending, now: Resolved) -> bool:
        """Whether nobody had to be asked about it, and nobody would have to about what it would be by now."""
        action = replace(pending.effect, resolved=now).action()
        return pending.decision.verdict == "allow" and self._world.policy.decide(action).verdict == "allow"

    def _call(self, effect: Effect) -> ToolCall:
        return ToolCall(effect.written_labels(), self._world.now, effect.digest(self._world.run))

    def _commit(self, pending: Pending) -> Value:
        """Do one effect, from the bytes that were decided on. An interrupt waits until a change is done."""
        effect = pending.effect
        with _undisturbed() if effect.tool.changes is not None else nullcontext():
            tool_call = self._call(effect)
            granting, granted = self._world.granting, pending.decision.granted
            if granting is not None and granted and not granting.use(granted, tool_call.key):
                raise _revoked(pending)
            self._world.boundary.note("started", {"tool": effect.tool.name, "digest": tool_call.key})
            pending.status, pending.note = "failed", "it was interrupted; whether it got done is not known"
            use = ToolUse(effect.tool, effect.arguments(), tool_call, effect.labels, self._world.trust)
            try:
                result = use.admitted(carried_out(self._world.boundary, use, self._checking(granted)))
            except ArmslengthError as error:
                pending.note = str(error)
                raise
            pending.status, pending.note = "done", ""
            pending.outcome = release(result, _FOR_UNDOING).plain()
        return result

    def _checking(self, granted: tuple[str, ...]) -> Callable[[], None]:
        granting = self._world.granting

        def check() -> None:
            if granting is not None and granted:
                granting.check_again(granted)

        return check


_FOR_UNDOING = Permit("kept for the effect's own inverse", "policy")
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


_NOT_WHOM = "those who would learn of it are others by now"
_NOT_WHAT = "what it would be done to is another by now"


def _overtaken(pending: Pending, changed: str) -> Denied:
    """`changed`: what is not as it was, by its kind alone, since a message holds no data."""
    pending.status, pending.note = "denied", f"it changed meanwhile: {changed}"
    return Denied(
        f"line {pending.effect.site.line}: {pending.effect.tool.name} would not do any more what was decided on, since something "
        f"changed meanwhile: {changed}; ask again"
    )


def _revoked(pending: Pending) -> Denied:
    pending.status, pending.note = "denied", "what allowed it does not count any more"
    return Denied(
        f"line {pending.effect.site.line}: {pending.effect.tool.name} was allowed by {', '.join(pending.decision.granted)}, which does "
        "not count any more; ask again"
    )


def _stop_if_refused(pending: Pending) -> None:
    reasons = "; ".join(reason.text for reason in pending.decision.reasons)
    if pending.status == "denied":
        raise Denied(f"line {pending.effect.site.line}: {pending.effect.tool.name} is not allowed: {reasons}")
    if pending.status == "declined":
        raise Declined(
            f"line {pending.effect.site.line}: {pending.effect.tool.name} was not approved; nothing was done"
        )


def _in_part(settled: Sequence[Pending]) -> DeclinedInPart:
    """What was not done because of a refusal, by line and tool."""
    refused = _sites(settled, "declined")
    dropped = _sites([pending for pending in settled if pending.note], "dropped")
    follows = f"; {dropped} with it, at the same place" if dropped else ""
    return DeclinedInPart(f"not approved: {refused}{follows}; what is listed as done was done")


def _sites(settled: Sequence[Pending], status: Status) -> str:
    found = [pending.effect for pending in settled if pending.status == status]
    named = [f"{effect.tool.name} (line {effect.site.line})" for effect in found[:_MOST_NAMED]]
    more = [f"{len(found) - _MOST_NAMED} more"] if len(found) > _MOST_NAMED else []
    return ", ".join([*named, *more])


_MOST_NAMED = 5


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
