"""A request carried out through the library's face, on an environment of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from armslength.agent.approving.approval import Approver
from armslength.agent.effects.effects import Pending
from armslength.agent.planning.prompt import estimate_tokens
from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, Result
from armslength.errors import ArmslengthError
from armslength.models.base import Model, ModelReply, ModelRequest, Processor, Usage
from armslength.testing import SCRIPTED
from armslength.tools.base import Tool
from bench.dojo.forms import Form
from bench.dojo.people import Person
from bench.dojo.suites import Ended, copied, environment, user_tasks, wiring_of
from bench.dojo.tools.shared import Held
from bench.labels_off import labels_off

Labels = Literal["on", "off"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is run. `form` None: nobody attacks; `injection`: the attack whose goal is looked for."""

    suite: str
    task: int
    program: str
    person: Person
    injection: int | None = None
    form: Form | None = None
    labels: Labels = "on"
    is_strict: bool = False
    is_checked: bool = True
    """Whether the user's task is checked, too: that takes as long as the run."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that has ended. `failure`: why there is no result. `seconds` of processor time."""

    result: Result | None
    failure: ArmslengthError | None
    ended: Ended
    seconds: float

    @property
    def effects(self) -> Sequence[Pending]:
        """What was decided about, in order."""
        return () if self.result is None else self.result.outcome.effects


@dataclass(frozen=True, slots=True)
class Begun:
    """Everything is wired; nothing was asked yet."""

    asked: Asked
    assistant: Assistant
    before: Any
    held: Held

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        return {each.name: each for each in self.assistant.tools}

    def carry_out(self, person: Approver | None) -> Ran:
        """Ask, and say how it ended."""
        prompt = user_tasks(self.asked.suite)[self.asked.task].PROMPT
        started = time.process_time()
        result, failure = None, None
        with labels_off() if self.asked.labels == "off" else nullcontext():
            try:
                result = self.assistant.ask(prompt, approver=person, is_strict=self.asked.is_strict)
            except ArmslengthError as error:
                failure = error
        seconds = time.process_time() - started
        answer = "" if result is None else _answer(result)
        return Ran(result, failure, Ended(answer, self.before, self.held.environment, self.held.calls), seconds)


def begin(asked: Asked, reading: Model) -> Begun:
    """Wire an assistant to a fresh environment."""
    before = environment(asked.suite, asked.task, {} if asked.form is None else asked.form.injections)
    held = Held(copied(before))
    wiring = wiring_of(asked.suite)
    trust = trust_of(wiring.trusted)
    assistant = Assistant(
        tools=wiring.declared(held, trust),
        planner=_Planner(asked.program),
        quarantined=reading,
        policy=wiring.settings,
        trust=trust,
        now=lambda: wiring.now,
    )
    return Begun(asked, assistant, before, held)


def _answer(result: Result) -> str:
    """The plain text of all answers, without the marks that a person would see."""
    return "\n".join("".join(str(piece.data) for piece in answer) for answer in result.outcome.answers)


@dataclass
class _Planner:
    """Says the program that was written for the task. Tokens are estimated as the prompt's are."""

    program: str

    @property
    def processor(self) -> Processor:
        return SCRIPTED

    def complete(self, request: ModelRequest) -> ModelReply:
        prompt = sum(_tokens(part) for part in (request.system, *(turn.text for turn in request.turns)))
        return ModelReply(self.program, Usage(prompt, 0, _tokens(self.program), 0.0))

    def count_tokens(self, text: str) -> int:
        return _tokens(text)


@lru_cache(maxsize=64)
def _tokens(text: str) -> int:
    return estimate_tokens(text)
