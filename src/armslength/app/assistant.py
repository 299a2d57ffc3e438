"""A wired assistant: the library's face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from armslength.agent.approving.approval import Approver, NobodyThere
from armslength.agent.outside.boundary import Journal, Recording, Replaying, Waiting, is_not_shown
from armslength.agent.outside.resuming import Resuming
from armslength.agent.planning.conversation import Conversation
from armslength.agent.planning.planner import Sampling
from armslength.agent.planning.preview import Foretold, preview
from armslength.agent.planning.remembering import STORE
from armslength.agent.runs.rewriting import Rewrites
from armslength.agent.runs.trust import trust_of
from armslength.agent.runs.undoing import Done, Stays, Told, Undone, done_in, nobody_is_told, why_lasting
from armslength.app.beginning import Given, Start, beginning, nobody_listens, start_again, start_to_resume, version
from armslength.app.one_run import OneRun, Planned, Result, by_name, pasted_tool
from armslength.app.policies import default_rules
from armslength.app.spending import Spending
from armslength.app.tracing import Tracing
from armslength.app.waiting import Answered, NowOrNever, UntilAnswered
from armslength.errors import (
    ArmslengthError,
    AtWork,
    CannotResume,
    ConfigError,
    NotNow,
    OperatorError,
    Waits,
)
from armslength.events import Trust
from armslength.language import Limits, prepare
from armslength.models.base import Model
from armslength.policy.engine import Policy, PolicySettings, Rules
from armslength.store.grants import Grants
from armslength.store.journal import MemoryJournal, asked_anew, note_entry, of_the_run
from armslength.store.runs import OpenRun, Runs, check_open, check_waits
from armslength.tools.base import Tool
from armslength.tools.ledger import knowing


def _local_time() -> datetime:
    return datetime.now().astimezone()


@dataclass(frozen=True, slots=True)
class Assistant:
    """Tools, two models, a policy, and somebody who can be asked.

    `spending`: what the models may cost.
    `confined`: the quarantined model for what the policy keeps from `quarantined`.
    `runs`: what keeps the journals, such as `SqliteRuns(path)`; None keeps them in memory. `now`: the clock, read once a run.
    `rewrites`: whether the planner writes a program that is expected to ask once more, to need fewer questions.
    `waiting`: around each wait for what goes on beside the program; it is told what that is. `tracing`: makes spans of each run.
    `grants`: what keeps what a person said yes to beforehand; None offers nothing of that kind. `lasting_grants`: whether any outlives its run.
    """

    tools: Sequence[Tool]
    planner: Model
    quarantined: Model
    policy: PolicySettings = field(default_factory=PolicySettings)
    rules: Rules = field(default_factory=default_rules)
    trust: Trust = field(default_factory=lambda: trust_of(frozenset()))
    runs: Runs | None = None
    now: Callable[[], datetime] = _local_time
    limits: Limits = field(default_factory=Limits)
    sampling: Sampling = field(default_factory=Sampling)
    rewrites: Rewrites = "never"
    waiting: Waiting = is_not_shown
    tracing: Tracing | None = None
    grants: Grants | None = None
    lasting_grants: bool = True
    confined: Model | None = None
    spending: Spending | None = None

    @property
    def models(self) -> Mapping[str, Model]:
        """Its models by role."""
        both = {"planner": self.planner, "quarantined": self.quarantined}
        return both if self.confined is None else {**both, "confined": self.confined}

    def ask(
        self,
        request: str,
        *,
        pasted: str | None = None,
        approver: Approver | None = None,
        is_strict: bool = False,
        begun: Callable[[str], None] = nobody_listens,
    ) -> Result:
        """Carry a request to its end. `pasted`: a text that the user hands over; untrusted. Without `approver` every question is a no.

        `begun` is told the run's name before anything happens, for whoever must say afterwards how far a stopped run got.

        Raises:
            Waits: the approver raised `NotNow`, and the run is kept; `resume` and `answer` ask again.
            ModelError: the planner's model failed.
            OperatorError: the journal cannot be written.
        """
        return carry_out(self, request, Given(pasted, approver, is_strict, begun))

    def plan(self, request: str, *, pasted: str | None = None) -> Planned:
        """Write the program for a request and run nothing."""
        started = self.now()
        begun = beginning("plan", request, self.limits, Given(pasted, rewrites=self.rewrites))
        return OneRun(self, Recording(MemoryJournal(started)), Start(begun, started)).plan(request)

    def preview(self, program: str, *, pasted: str | None = None, is_strict: bool = False) -> tuple[Foretold, ...]:
        """What a program would do, and what of it would ask: a function of its text and of how this assistant is wired. Nothing runs.

        Raises:
            ProgramRefused: it is no program of the language.
        """
        tools = by_name((*self.tools, pasted_tool(pasted)))
        settings = replace(self.policy, asks_always=True) if is_strict else self.policy
        checked = prepare(program, [each.signature for each in tools.values()])
        return preview(checked, tools, Policy(self.rules, settings), {})

    def resume(
        self,
        run: str,
        *,
        approver: Approver | None = None,
        happened: bool | None = None,
    ) -> Result:
        """Go on with a run that was cut off. `happened`: what a person found out about the effect that was under way then.

        Raises:
            Waits: it came to a question, and the approver raised `NotNow`.
            CannotResume: it cannot go on as it stands; nothing was done.
            ModelError: the planner's model failed.
            OperatorError: there is no such run, it has ended, or its journal cannot be used.
        """
        return go_on(self, run, Given(approver=approver), happened)

    def answer(self, run: str, *, approver: Approver) -> Result | None:
        """Show the question of a run that waits, write the answer down, and leave the rest to `resume` or a worker.

        The result is that of a run which ended meanwhile without its question, since what it needs is not there any more.

        Raises:
            Waits: the approver raised `NotNow`.
            CannotResume: it cannot go on as it stands; nothing was done.
            OperatorError: there is no such run, it does not wait, or its journal cannot be used.
        """
        check_waits(_runs_of(self), run)
        try:
            return go_on(self, run, Given(approver=approver), None, UntilAnswered)
        except Answered:
            return None

    def done_in(self, run: str) -> tuple[Done, ...]:
        """What a kept run did and nobody took back, in order.

        Raises:
            OperatorError: there is no such run, or its journal cannot be used.
        """
        try:
            return done_in(self._verified(run), knowing(self.trust, STORE))
        except ValueError as error:
            raise OperatorError(f"the journal of {run} does not say what its effects need to be taken back") from error

    def undo(self, run: str, *, approver: Approver | None = None, stays: Stays = nobody_is_told) -> Undone:
        """Take back what a kept run did, the latest first, once the person says yes. What cannot be taken back stays, which `stays` is told before.

        Raises:
            OperatorError: nothing of it can be taken back, or its journal cannot be used.
        """
        done = self.done_in(run)
        undoable = can_be_taken_back(self, done, stays)
        if not undoable:
            what = "can be taken back" if done else "is left to be taken back"
            raise OperatorError(f"nothing that {run} did {what}; armslength why {run} shows it")
        return take_back(self, undoable, Given(approver=approver), run, stays)

    def _verified(self, run: str) -> list[dict[str, Any]]:
        """The very entries that were verified."""
        opened = _runs_of(self).take(run)
        opened.close()
        return opened.entries

    def replay(self, entries: Iterable[dict[str, Any]]) -> Result:
        """Go through a recorded run again: same program, same answers from outside, nothing performed.

        Raises:
            OperatorError: the run does not go as it went.
        """
        listed = of_the_run(entries)
        boundary = Replaying(listed)
        start, request = start_again(listed)
        result = OneRun(self, boundary, start).ask(request)
        boundary.finish()
        return result


def carry_out(assistant: Assistant, request: str, given: Given) -> Result:
    """Carry a request to its end, alone or as part of a conversation.

    Raises:
        ModelError: the planner's model failed.
        OperatorError: the journal cannot be written.
    """

    def ask(run: OneRun) -> Result:
        try:
            return run.ask(request)
        finally:
            given.settled(run.name, run.settled)

    result, entries = _recorded(assistant, given, request, ask)
    return replace(result, entries=entries)


def can_be_taken_back(assistant: Assistant, effects: Sequence[Done], stays: Stays) -> list[Done]:
    """Those whose tools have an inverse and are the ones that did it; `stays` is told of the others."""
    tools = {each.name: each for each in assistant.tools}
    found = []
    for done in effects:
        if why := why_lasting(done, tools):
            stays(done, why)
        else:
            found.append(done)
    return found


def take_back(assistant: Assistant, effects: Sequence[Done], given: Given, of: str, stays: Stays) -> Undone:
    """Take back what the run `of` did; a run of its own in the journals. What was taken back is written into that of the first, too.

    Raises:
        OperatorError: a journal cannot be written.
    """
    request = f"/undo {of}"

    def go(run: OneRun, note: Callable[[str, str, Done], None]) -> Undone:
        return run.take_back(request, effects, Told(partial(note, run.name), stays))

    with _noting(assistant.runs, of) as note:
        return _recorded(assistant, given, request, lambda run: go(run, note), of)[0]


@contextmanager
def _noting(runs: Runs | None, of: str) -> Iterator[Callable[[str, str, Done], None]]:
    """Each effect that is taken back is noted in the journal of the run that did it, so that it is not offered again.

    Where that run was purged or its journal is damaged, the tools themselves refuse a second time.

    Raises:
        AtWork: another process works on that run, so nothing could be noted there.
    """
    opened: OpenRun | None = None
    try:
        opened = None if runs is None else runs.take(of)
    except AtWork:
        raise
    except OperatorError:
        pass

    def note(by: str, kind: str, done: Done) -> None:
        with suppress(OperatorError):
            if opened is not None:
                opened.note(kind, {"by": by, "digests": [done.key]})

    try:
        yield note
    finally:
        if opened is not None:
            opened.close()


_T = TypeVar("_T")


def _recorded(
    assistant: Assistant, given: Given, request: str, go: Callable[[OneRun], _T], undoes: str = ""
) -> tuple[_T, list[dict[str, Any]]]:
    """What comes of a run with a journal of its own, and the entries where that was kept in memory."""
    _check_approver(given)
    started = assistant.now()
    journal = MemoryJournal(started) if assistant.runs is None else assistant.runs.begin(started)
    try:
        given.begun(journal.run)
        begun = beginning(journal.run, request, assistant.limits, replace(given, rewrites=assistant.rewrites), undoes)
        if assistant.grants is not None:
            begun["grants"] = "lasting" if assistant.lasting_grants else "run"
        approver = given.approver or NobodyThere()
        if assistant.runs is None or given.talk is not None or undoes:  # such a run could not be gone on with
            approver = NowOrNever(approver)
        start = Start(begun, started, approver, given.talk)
        found = _worked(assistant, journal, _recording(assistant, journal, given.talk), start, go)
    finally:
        journal.close()
    return found, journal.entries if isinstance(journal, MemoryJournal) else []


def go_on(
    assistant: Assistant,
    run: str,
    given: Given,
    told: bool | None,  # noqa: FBT001  # three answers
    through: Callable[[OpenRun], Journal] = lambda opened: opened,
) -> Result:
    """Go on with a run that was cut off. `through`: what its further entries are written by.

    Raises:
        ArmslengthError: see `Assistant.resume`.
    """
    _check_approver(given)
    opened = _runs_of(assistant).take(run)
    try:
        check_open(opened)
        was_waiting = any(each.name == run and each.state == "waiting" for each in _runs_of(assistant).listed())
        start, request = start_to_resume(run, opened.entries, given, assistant.now())
        resumed = {"at": start.started.isoformat(), "version": version(), "void": asked_anew(opened.entries)}
        entries = of_the_run([*opened.entries, note_entry("resumed", resumed)])
        opened.note("resumed", resumed)
        boundary = Resuming(entries, _recording(assistant, through(opened)), told, run)
        try:
            return _worked(assistant, opened, boundary, start, lambda made: made.ask(request))
        except CannotResume:
            if was_waiting and boundary.has_departed:
                opened.waits()  # for the same answer: nothing of it was done or written since it was asked for
            raise
    finally:
        opened.close()


def _recording(assistant: Assistant, journal: Journal, talk: Conversation | None = None) -> Recording:
    tracing, models = assistant.tracing, assistant.models
    is_told_bits = talk is not None and talk.budget.bits > 0
    watch = (
        None
        if tracing is None
        else tracing.watch({role: each.processor for role, each in models.items()}, is_told_bits=is_told_bits)
    )
    return Recording(journal, assistant.waiting, watch)


def _worked(
    assistant: Assistant,
    journal: MemoryJournal | OpenRun,
    boundary: Recording | Resuming,
    start: Start,
    go: Callable[[OneRun], _T],
) -> _T:
    """What comes of it. However it ends is written down, but for what may be tried again: then it stays cut off."""
    try:
        return go(OneRun(assistant, boundary, start))
    except CannotResume:
        raise
    except NotNow:
        raise Waits(start.run) from None
    except KeyboardInterrupt:
        if not start.is_left:
            with suppress(OperatorError):
                journal.note("cancelled", {})
        raise
    except ArmslengthError:
        with suppress(OperatorError):
            journal.note("failed", {})
        raise
    finally:
        boundary.close()


def _check_approver(given: Given) -> None:
    if given.approver is not None and not callable(getattr(given.approver, "approve", None)):
        raise ConfigError("approver must have a method approve(screen), which gives an Answer or True")


def _runs_of(assistant: Assistant) -> Runs:
    if assistant.runs is None:
        raise ConfigError("the journals of this assistant are kept in memory; give it runs=SqliteRuns(path)")
    return assistant.runs
