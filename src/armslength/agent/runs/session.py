"""One request, carried to its end: plan, run, settle. What the planner may hear of a failed program is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from armslength.agent.approving.granting import Taken
from armslength.agent.effects.effects import Pending
from armslength.agent.planning.conversation import Memory, Once, Step
from armslength.agent.planning.planner import Planner, Refusal
from armslength.agent.planning.revealing import Offer, Shown, Window
from armslength.agent.runs.controller import Controller
from armslength.agent.runs.replies import TO_THE_USER
from armslength.agent.runs.rewriting import Rewrites, Rewriting
from armslength.agent.runs.stage import Stage
from armslength.agent.runs.world import Progress, World
from armslength.errors import (
    ArmslengthError,
    CannotResume,
    Declined,
    DeclinedInPart,
    Denied,
    ModelError,
    NotNow,
    ProgramFailed,
    ProgramRefused,
)
from armslength.labels import NOTHING, Label, steered
from armslength.language import Analysis, Limits, prepare, run
from armslength.schema import Signature
from armslength.values import Labelled, Value, release

MAX_ATTEMPTS = 3
"""Programs a request gets. Every attempt after the first is a function of trusted input, and of bits that were paid for."""
STOPPED_ON_DATA = "it stopped on what it read; which line and why is not told"
"""All that the planner hears of a stop on data, where it hears of it."""

Ending = Literal["done", "partly", "declined", "denied", "stopped"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. `message` is one line for the user unless it is done; `payload` what a `raise` carried.

    `shown`: what came of each `reveal` of the last program. `taken`: grants and endorsements that the person took from a screen.
    """

    ending: Ending
    program: str
    attempts: int
    answers: tuple[tuple[Labelled, ...], ...]
    effects: tuple[Pending, ...]
    screens: int
    message: str = field(default="", repr=False)
    payload: Labelled | None = None
    error: ArmslengthError | None = field(default=None, repr=False)
    shown: tuple[Shown, ...] = ()
    taken: tuple[Taken, ...] = ()


class Session:
    """The controller's loop for one request, alone or in a conversation."""

    def __init__(
        self,
        planner: Planner,
        world: World,
        signatures: Sequence[Signature],
        *,
        limits: Limits | None = None,
        memory: Memory | None = None,
        rewrites: Rewrites = "never",
    ) -> None:
        """`memory`: what there is beside the request; nothing, unless it is of a conversation."""
        self._planner, self._world, self._signatures = planner, world, signatures
        self._limits, self._memory, self._rewrites = limits or Limits(), memory or Once(), rewrites
        self._progress = Progress()

    @property
    def settled(self) -> Sequence[Pending]:
        """What became of the effects of the last program so far, also of one that was interrupted."""
        return self._progress.settled

    def ask(self, request: str, *, is_strict: bool = False, said: str | None = None) -> Outcome:
        """Carry a request to its end. `said`: the user's own words, where `request` has more than these; they are what is written down.

        Raises:
            ModelError: the planner's model failed at its first program; later, the outcome says that and why the one before was refused.
            CannotResume: a run that was cut off cannot go on; nothing of it was done or written.
            KeyboardInterrupt: the user stopped it; what was queued is dropped.
        """
        self._world.boundary.note("request", {"text": request if said is None else said})
        self._memory.begin()
        refusals: list[Refusal] = []
        attempt = _Attempt("", self._stage(NOTHING, ()))
        rewriting = Rewriting(self._planner, self._world, self._signatures, self._memory, self._rewrites)
        while True:
            try:
                program = self._planner.write(request, refusals, self._memory.told()).program
            except ModelError as failure:
                if not refusals:
                    raise
                outcome = self._outcome(attempt, len(refusals))
                return replace(outcome, message=f"{outcome.message}; asked again: {failure}")
            program = rewriting.settle_on(request, refusals, program)
            self._world.boundary.note("program", {"text": program, "attempt": len(refusals) + 1})
            attempt = self._attempt(request, program, is_strict=is_strict)
            if attempt.told is None or len(refusals) + 1 == MAX_ATTEMPTS:
                if attempt.step is None:
                    self._memory.refused(request, program)
                return self._outcome(attempt, len(refusals) + 1)
            refusals.append(Refusal(program, attempt.told))
            if attempt.step is not None:
                attempt.step.again()

    def _attempt(self, request: str, program: str, *, is_strict: bool) -> _Attempt:
        """Check a program and run it. A refusal before anything ran is a function of program text, so it may be told."""
        try:
            checked = prepare(program, self._signatures, self._memory.kept)
            step = self._memory.admit(checked)
        except ProgramRefused as refused:
            return _Attempt(program, self._stage(NOTHING, ()), None, refused, str(refused))
        stage, told = self._stage(step.doubt, step.offers), None
        self._progress = stage.controller.progress
        step.enter(request)
        try:
            error = self._run(checked, stage, step)
            told = None if error is None else self._tellable(error, stage, step, is_strict=is_strict)
        finally:
            step.leave(stage.shown, is_told=told is not None)
        for shown in stage.shown:
            self._world.boundary.note("reveal", shown.to_json())
        return _Attempt(program, stage, step, error, told)

    def _stage(self, entry: Label, offers: tuple[Offer, ...]) -> Stage:
        window = Window(self._planner.processor, self._world.policy)
        return Stage(Controller(self._world), window, steered(entry, self._world.occasion), offers)

    def _run(self, checked: Analysis, stage: Stage, step: Step) -> ArmslengthError | None:
        controller = stage.controller
        controller.begin(checked)
        try:
            names = run(checked, stage, self._limits, step.values())
            step.ended(names, stage.halt)
            controller.finish()
        except CannotResume:
            controller.drop()
            raise
        except ArmslengthError as error:
            controller.fail()
            return error
        except NotNow:
            controller.drop()
            controller.waits(checked.slots)
            raise
        except BaseException:
            controller.drop()
            raise
        return None

    def _tellable(self, error: ArmslengthError, stage: Stage, step: Step, *, is_strict: bool) -> str | None:
        """What the planner may hear of a run that failed, or None.

        Free of charge is a failure if operands, control context and halt were trusted, nothing has happened outside yet, and no data of
        others is in the program, on which a limit before it might have depended; its message is made of fixed words and names from the
        program. Paid for, it is that there was one, in words that are always the same.
        Everything else, a refusal that came up only while running too, stops the run.
        """
        progress = stage.controller.progress
        has_acted = progress.has_reached_out or any(pending.status == "done" for pending in progress.settled)
        if is_strict or has_acted or progress.screens:
            return None
        match error:
            case ProgramFailed(is_trusted=True) if stage.is_trusted and not step.touches_data:
                return str(error)
            case ProgramFailed() if self._memory.hears:
                return STOPPED_ON_DATA
            case _:
                return None

    def _outcome(self, attempt: _Attempt, attempts: int) -> Outcome:
        progress, error = attempt.stage.controller.progress, attempt.error
        outcome = Outcome(
            ending=ending_of(error),
            program=attempt.program,
            attempts=attempts,
            answers=tuple(progress.answers),
            effects=tuple(progress.settled),
            screens=progress.screens,
            message="" if error is None else str(error),
            payload=_payload(error),
            error=error,
            shown=attempt.stage.shown,
            taken=() if self._world.granting is None else tuple(self._world.granting.taken),
        )
        self._world.boundary.note("end", {"ending": outcome.ending, "effects": [p.status for p in outcome.effects]})
        return outcome


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One program and how it went. `told` is what the planner may hear if it is to write another; `step` None: it was refused."""

    program: str
    stage: Stage
    step: Step | None = None
    error: ArmslengthError | None = None
    told: str | None = None


def plan(
    planner: Planner, world: World, request: str, signatures: Sequence[Signature], rewrites: Rewrites = "never"
) -> tuple[str, Analysis | ProgramRefused]:
    """Write a program and check it; nothing runs. The last attempt's refusal comes back if none was accepted.

    Raises:
        ModelError: the planner's model failed.
    """
    boundary, rewriting = world.boundary, Rewriting(planner, world, signatures, Once(), rewrites)
    boundary.note("request", {"text": request})
    refusals: list[Refusal] = []
    while True:
        program = rewriting.settle_on(request, refusals, planner.write(request, refusals).program)
        boundary.note("program", {"text": program, "attempt": len(refusals) + 1})
        try:
            return program, prepare(program, signatures)
        except ProgramRefused as refused:
            if len(refusals) + 1 == MAX_ATTEMPTS:
                return program, refused
            refusals.append(Refusal(program, str(refused)))


def ending_of(error: ArmslengthError | None) -> Ending:
    """How a run ended that this ended, or that nothing did."""
    match error:
        case None:
            return "done"
        case DeclinedInPart():
            return "partly"
        case Declined():
            return "declined"
        case Denied():
            return "denied"
        case _:
            return "stopped"


def _payload(error: ArmslengthError | None) -> Labelled | None:
    if isinstance(error, ProgramFailed) and isinstance(error.payload, Value):
        return release(error.payload, TO_THE_USER)
    return None
