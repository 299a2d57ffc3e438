"""One request, carried to its end: plan, run, settle. What the planner may hear of a failed program is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from armslength.agent.boundary import Boundary
from armslength.agent.controller import Controller
from armslength.agent.effects import Pending
from armslength.agent.planner import Planner, Refusal
from armslength.agent.world import Progress, World
from armslength.errors import (
    ArmslengthError,
    Declined,
    Denied,
    ModelError,
    ProgramFailed,
    ProgramRefused,
)
from armslength.language import Analysis, Limits, prepare, run
from armslength.schema import Signature
from armslength.values import Labelled, Permit, Value, release

MAX_ATTEMPTS = 3
"""Programs a request gets. Every attempt after the first is a function of trusted input alone."""

Ending = Literal["done", "declined", "denied", "stopped"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. `message` is one line for the user unless it is done; `payload` what a `raise` carried."""

    ending: Ending
    program: str
    attempts: int
    answers: tuple[tuple[Labelled, ...], ...]
    effects: tuple[Pending, ...]
    screens: int
    message: str = ""
    payload: Labelled | None = None
    error: ArmslengthError | None = None


class Session:
    """The controller's loop for one request."""

    def __init__(
        self, planner: Planner, world: World, signatures: Sequence[Signature], *, limits: Limits | None = None
    ) -> None:
        self._planner, self._world, self._signatures = planner, world, signatures
        self._limits = limits or Limits()

    def ask(self, request: str, *, is_strict: bool = False) -> Outcome:
        """Carry a request to its end.

        Raises:
            ModelError: the planner's model failed at its first program; later, the outcome says that and why the one before was refused.
            KeyboardInterrupt: the user stopped it; what was queued is dropped.
        """
        self._world.boundary.note("request", {"text": request})
        refusals: list[Refusal] = []
        program, controller = "", Controller(self._world)
        error: ArmslengthError | None = None
        while True:
            try:
                program = self._planner.write(request, refusals).program
            except ModelError as failure:
                if not refusals:
                    raise
                outcome = self._outcome(program, len(refusals), controller.progress, error)
                return replace(outcome, message=f"{outcome.message}; asked again: {failure}")
            self._world.boundary.note("program", {"text": program, "attempt": len(refusals) + 1})
            controller = Controller(self._world)
            checked = self._check(program)
            told: str | None
            if isinstance(checked, ProgramRefused):
                error, told = checked, str(checked)
            else:
                error = self._run(checked, controller)
                told = None if error is None else _tellable(error, controller.progress, is_strict=is_strict)
            if told is None or len(refusals) + 1 == MAX_ATTEMPTS:
                return self._outcome(program, len(refusals) + 1, controller.progress, error)
            refusals.append(Refusal(program, told))

    def _check(self, program: str) -> Analysis | ProgramRefused:
        """A function of program text: a refusal before anything ran may be told."""
        try:
            return prepare(program, self._signatures)
        except ProgramRefused as refused:
            return refused

    def _run(self, checked: Analysis, controller: Controller) -> ArmslengthError | None:
        try:
            run(checked, controller, self._limits)
            controller.finish()
        except ArmslengthError as error:
            controller.fail()
            return error
        except BaseException:
            controller.drop()
            raise
        return None

    def _outcome(self, program: str, attempts: int, progress: Progress, error: ArmslengthError | None) -> Outcome:
        outcome = Outcome(
            ending=_ending(error),
            program=program,
            attempts=attempts,
            answers=tuple(progress.answers),
            effects=tuple(progress.settled),
            screens=progress.screens,
            message="" if error is None else str(error),
            payload=_payload(error),
            error=error,
        )
        self._world.boundary.note("end", {"ending": outcome.ending, "effects": [p.status for p in outcome.effects]})
        return outcome


def plan(
    planner: Planner, boundary: Boundary, request: str, signatures: Sequence[Signature]
) -> tuple[str, Analysis | ProgramRefused]:
    """Write a program and check it; nothing runs. The last attempt's refusal comes back if none was accepted.

    Raises:
        ModelError: the planner's model failed.
    """
    boundary.note("request", {"text": request})
    refusals: list[Refusal] = []
    while True:
        program = planner.write(request, refusals).program
        boundary.note("program", {"text": program, "attempt": len(refusals) + 1})
        try:
            return program, prepare(program, signatures)
        except ProgramRefused as refused:
            if len(refusals) + 1 == MAX_ATTEMPTS:
                return program, refused
            refusals.append(Refusal(program, str(refused)))


def _tellable(error: ArmslengthError, progress: Progress, *, is_strict: bool) -> str | None:
    """What the planner may hear of a run that failed, free of charge, or None.

    A failure is told only if operands, control context and halt were trusted, and nothing has happened outside yet; its message is
    made of fixed words and names from the program. Everything else, a refusal that came up only while running too, stops the run.
    """
    has_acted = progress.has_reached_out or any(pending.status == "done" for pending in progress.settled)
    match error:
        case ProgramFailed(is_trusted=True) if not is_strict and not has_acted and not progress.screens:
            return str(error)
        case _:
            return None


def _ending(error: ArmslengthError | None) -> Ending:
    match error:
        case None:
            return "done"
        case Declined():
            return "declined"
        case Denied():
            return "denied"
        case _:
            return "stopped"


def _payload(error: ArmslengthError | None) -> Labelled | None:
    if isinstance(error, ProgramFailed) and isinstance(error.payload, Value):
        return release(error.payload, Permit("the user is a reader of everything", "policy"))
    return None
