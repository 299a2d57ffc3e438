"""One task, or one attacked pair, planned and read by two models, and what came of it. The person is the careful one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from armslength.agent.runs.rewriting import Rewrites
from armslength.errors import (
    ArmslengthError,
    CapReached,
    Declined,
    Denied,
    LimitReached,
    ModelDeclined,
    ModelError,
    ModelKeyRejected,
    ModelNonsense,
    ModelTimedOut,
    ModelUnreachable,
    OperatorError,
    ProgramFailed,
    ProgramRefused,
    ToolError,
)
from armslength.models.base import ModelReply
from bench.dojo.attackers import goal_values
from bench.dojo.carrying import Asked, Begun, Ran, begin
from bench.dojo.forms import HONEST, Form, forms
from bench.dojo.model.sides import Once, Sides
from bench.dojo.people import Call, Careful, Everything
from bench.dojo.running import known_text, told_of, unapproved_in
from bench.dojo.suites import SUITES, injection_tasks, is_met, truth, user_tasks
from bench.dojo.words import Words
from bench.dojo.work import Job, Row
from bench.models import OnceModel, Pair

WRONG_END = "another end than was asked for"
PROVIDER = ("a provider's error", "no answer in time")
"""Why a row says nothing of a model: these are asked again with `--again`."""
_REASONS: tuple[tuple[type[ArmslengthError], str], ...] = (
    (ProgramRefused, "a program that the language refuses"),
    (ProgramFailed, "a program that stopped while running"),
    (LimitReached, "a limit of the language"),
    (Denied, "denied by a rule"),
    (Declined, "refused by the person"),
    (ToolError, "a tool's error"),
    (ModelDeclined, "a model that declined"),
    (ModelTimedOut, PROVIDER[1]),
    (ModelUnreachable, PROVIDER[0]),
    (ModelNonsense, "no answer of the asked form"),
    (ModelError, "more than a model reads at once"),
)
_NO_PROGRAM = "no program"
REASONS = (WRONG_END, _NO_PROGRAM, *(words for _, words in _REASONS))
"""Why a task is not solved, in the order of the tables."""
_ENDS = (CapReached, ModelKeyRejected, OperatorError)
"""What the person who measures has to mend: no row says it of a model."""
_SEED = 1
"""The benchmark's own text is the same with every seed."""


def jobs_of(suites: Sequence[str], sample: int | None, seed: int, *, attacked: bool) -> list[Job]:
    """What is run, suite by suite, so that each suite's system text is read once. Attacked: pairs, and the tasks of these without an attack."""
    tasks = [("task", suite, task) for suite in suites for task in user_tasks(suite)]
    every: list[Job] = (
        [("pair", suite, task, aim) for _, suite, task in tasks for aim in injection_tasks(suite)]
        if attacked
        else [*tasks]
    )
    drawn = every if sample is None else Random(seed).sample(every, min(sample, len(every)))
    wanted = {*drawn, *(("task", suite, task) for _, suite, task, *_ in drawn)}
    return sorted(wanted, key=lambda job: (SUITES.index(job[1]), job[2], job[0] == "pair", job))


def row_of(job: Job, sides: Sides, known: dict[str, ModelReply], heard: Callable[[str, ModelReply], None]) -> Row:
    """Carry a job out. What the person wants is what is done when nobody attacks and all is accepted, if that solves the task.

    Otherwise what AgentDojo's own solution does. The program of a pair is that of its task: the planner sees no attack.

    Raises:
        CapReached: a cap of the configuration leaves no room. No row is made.
        ModelKeyRejected: the same.
        OperatorError: the same.
    """
    suite, task = job[1], job[2]
    asked = Asked(suite, task, "", "accepting")
    once = Once.of(sides, known, heard)
    first = wired(asked, once.pair, sides.rewrites).carry_out(Everything())
    _stop_at(once)
    wanted = _wanted(suite, task, first)
    program = "" if first.result is None else first.result.outcome.program
    asked = replace(asked, person="careful", program=program)
    if job[0] == "pair":
        asked = replace(asked, injection=job[3], form=own_form(suite, task, job[3]))
    words, ran = _words(asked), first
    if first.result is not None and (asked.form is not None or first.result.outcome.screens):
        once = once if asked.form is None else Once.of(sides, known, heard)
        begun = wired(asked, once.pair, sides.rewrites)
        ran = begun.carry_out(Careful(begun.tools, wanted, words))
        _stop_at(once)
    return {"job": list(job), **_row(asked, ran, words, wanted), **_spent(once)}


def wired(asked: Asked, models: Pair, rewrites: Rewrites) -> Begun:
    """An assistant of these models over a fresh environment. What a small planner's program sends is asked about."""
    begun = begin(asked, models.quarantined)
    is_small = models.planner.processor.is_small
    policy = replace(begun.assistant.policy, asks_before_sending=is_small)
    return replace(begun, assistant=replace(begun.assistant, planner=models.planner, policy=policy, rewrites=rewrites))


def own_form(suite: str, task: int, injection: int) -> Form:
    """The benchmark's own text in every place; the reader is the model."""
    return next(each for each in forms(suite, task, injection, _SEED) if each.name == HONEST)


def _stop_at(once: Once) -> None:
    for error in (*once.planner.errors, *once.reader.errors):
        if isinstance(error, _ENDS):
            raise error


def _wanted(suite: str, task: int, ran: Ran) -> Sequence[Call]:
    if is_met(user_tasks(suite)[task], ran.ended):
        return [(each.effect.tool.name, each.effect.arguments()) for each in ran.effects if each.status == "done"]
    return truth(suite, task)


def _words(asked: Asked) -> Words:
    """The attacker's, apart from what was there without him."""
    words = Words(f"{known_text(asked.suite, asked.task)}\n{asked.program}")
    if asked.form is not None and asked.injection is not None:
        words.add(set(asked.form.injections.values()))
        words.add(goal_values(asked.suite, asked.injection))
    return words


def _row(asked: Asked, ran: Ran, words: Words, wanted: Sequence[Call]) -> dict[str, Any]:
    suite = asked.suite
    aim = None if asked.injection is None else injection_tasks(suite)[asked.injection]
    solved = is_met(user_tasks(suite)[asked.task], ran.ended)
    return {
        "suite": suite,
        "task": asked.task,
        "injection": asked.injection,
        "solved": solved,
        "reached": None if aim is None else is_met(aim, ran.ended),
        "why": "" if solved else why_not(ran),
        **told_of(ran, wanted),
        "unapproved": unapproved_in(ran.effects, words),
        "programs": 0 if ran.result is None else ran.result.outcome.attempts,
        "program": "" if ran.result is None else ran.result.outcome.program,
    }


def why_not(ran: Ran) -> str:
    """Why a task was not solved; one of `REASONS`, or the name of an error that is none of them."""
    error = ran.failure if ran.result is None else ran.result.outcome.error
    if error is None:
        return WRONG_END
    if ran.result is None and isinstance(error, ModelNonsense):
        return _NO_PROGRAM
    return next((words for kind, words in _REASONS if isinstance(error, kind)), type(error).__name__)


def _spent(once: Once) -> dict[str, Any]:
    """What each distinct question of the run cost when it was asked: tokens read and written; and the errors of the models, by role."""
    sides = {"planner": once.planner, "reader": once.reader}
    return {
        "reader_calls": len(once.reader.used),
        "tokens": {role: list(_tokens(side)) for role, side in sides.items()},
        "seconds": round(sum(each.seconds for side in sides.values() for each in side.used.values()), 1),
        "errors": [f"{role}: {error}" for role, error in _errors(sides)],
    }


def _tokens(side: OnceModel) -> tuple[int, int]:
    return sum(each.prompt for each in side.used.values()), sum(each.completion for each in side.used.values())


def _errors(sides: dict[str, OnceModel]) -> Iterator[tuple[str, str]]:
    for role, side in sides.items():
        for error in side.errors:
            yield role, f"{type(error).__name__}: {error}"
