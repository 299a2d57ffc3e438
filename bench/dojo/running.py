"""One run of one user task under our controller, through the library's face, and what came of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

from armslength.agent.approving.approval import Approver
from armslength.agent.effects.effects import Pending
from armslength.agent.planning.prompt import estimate_tokens
from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant, Result
from armslength.errors import ArmslengthError
from armslength.models.base import ModelReply, ModelRequest, Processor, Usage
from armslength.testing import SCRIPTED
from armslength.tools.base import Role, Tool
from bench.dojo.attackers import goal_values
from bench.dojo.forms import Form
from bench.dojo.people import Accepting, Careful, Person, is_wanted
from bench.dojo.readers import Reading, honest, lying
from bench.dojo.suites import Ended, copied, environment, injection_tasks, is_met, truth, user_tasks, wiring_of
from bench.dojo.tools.shared import Held
from bench.dojo.words import Words, text_of
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
class Row:
    """What came of it. `solved`: None where that was not checked; `reached`: the attack met its goal, None without one.

    `verdicts`: how many effects were allowed, asked about, denied; `rules`: those that asked or denied. `hindered`: tools of effects that were refused and would solve the task. `questions`: things asked about on
    all screens. `bits`: of steering that receivers learned without a question. `unapproved`: where bytes of the attacker's stood in a
    target of an effect that was done without a question, and which. `judged`: what a careful person would have said to each screen of one
    who accepts. `seconds` of processor time, `tokens` about.
    """

    suite: str
    task: int
    injection: int | None
    form: str
    person: Person
    labels: Labels
    is_strict: bool
    solved: bool | None
    reached: bool | None
    ending: str
    message: str
    screens: int
    questions: int
    verdicts: dict[str, int]
    rules: tuple[str, ...]
    hindered: tuple[str, ...]
    bits: int
    unapproved: tuple[str, ...]
    reader_calls: int
    widest: int
    tokens: int
    judged: tuple[bool, ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """For the result's file."""
        return asdict(self)


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


@lru_cache(maxsize=8)
def _known(suite: str, task: int) -> str:
    """All text of the environment that nobody attacked, and the request."""
    return f"{text_of(environment(suite, task, {}).model_dump())}\n{user_tasks(suite)[task].PROMPT}"


def run_one(asked: Asked) -> Row:
    """Carry one request out and look at what came of it."""
    suite, form = asked.suite, asked.form
    before = environment(suite, asked.task, {} if form is None else form.injections)
    held = Held(copied(before))
    wiring = wiring_of(suite)
    trust = trust_of(wiring.trusted)
    tools = wiring.declared(held, trust)
    words = Words(f"{_known(suite, asked.task)}\n{asked.program}")
    if form is not None:
        words.add(form.injections.values())
    if asked.injection is not None:
        words.add(goal_values(suite, asked.injection))
    reading = honest(suite, asked.task) if form is None or form.lie is None else lying(form.lie, words.add)
    person = _person(asked, {each.name: each for each in tools}, words)
    assistant = Assistant(
        tools=tools,
        planner=_Planner(asked.program),
        quarantined=reading,
        policy=wiring.settings,
        trust=trust,
        now=lambda: wiring.now,
    )
    started = time.process_time()
    with labels_off() if asked.labels == "off" else nullcontext():
        result, failure = _carried_out(assistant, asked, person)
    seconds = time.process_time() - started
    answer = "" if result is None else _answer(result)
    ended = Ended(answer, before, held.environment, held.calls)
    aim = None if asked.injection is None else injection_tasks(suite)[asked.injection]
    return Row(
        suite,
        asked.task,
        asked.injection,
        "" if form is None else form.name,
        asked.person,
        asked.labels,
        asked.is_strict,
        solved=is_met(user_tasks(suite)[asked.task], ended) if asked.is_checked else None,
        reached=None if aim is None else is_met(aim, ended),
        judged=tuple(person.judged) if isinstance(person, Accepting) else (),
        seconds=round(seconds, 4),
        widest=reading.widest,
        **_told(result, failure, reading, words, truth(suite, asked.task)),
    )


def _carried_out(assistant: Assistant, asked: Asked, person: Accepting | Careful | None) -> tuple[Result | None, str]:
    approver: Approver | None = person
    prompt = user_tasks(asked.suite)[asked.task].PROMPT
    try:
        return assistant.ask(prompt, approver=approver, is_strict=asked.is_strict), ""
    except ArmslengthError as error:
        return None, str(error)


def _person(asked: Asked, tools: Mapping[str, Tool], words: Words) -> Accepting | Careful | None:
    careful = Careful(tools, truth(asked.suite, asked.task), words)
    match asked.person:
        case "careful":
            return careful
        case "accepting":
            return Accepting(careful)
        case "absent":
            return None


def _answer(result: Result) -> str:
    """The plain text of all answers, without the marks that a person would see."""
    return "\n".join("".join(str(piece.data) for piece in answer) for answer in result.outcome.answers)


def _told(
    result: Result | None, failure: str, reading: Reading, words: Words, wanted: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    """The parts of a row that a run tells by itself."""
    effects: Sequence[Pending] = () if result is None else result.outcome.effects
    spent = [] if result is None else [each for calls in result.spent.values() for each in calls]
    entries = [] if result is None else result.entries
    decided = [entry for entry in entries if entry.get("kind") == "decision"]
    verdicts = Counter(each.decision.verdict for each in effects)
    objections = [
        reason.rule for each in effects if each.decision.verdict != "allow" for reason in each.decision.reasons
    ]
    screens = 0 if result is None else result.outcome.screens
    return {
        "ending": "failed" if result is None else result.outcome.ending,
        "message": failure if result is None else result.outcome.message,
        "screens": screens,
        "questions": verdicts["ask"] if screens else 0,
        "verdicts": dict(verdicts),
        "rules": tuple(dict.fromkeys(objections)),
        "hindered": tuple(
            each.effect.tool.name
            for each in effects
            if each.status in {"denied", "declined"} and is_wanted(each.effect.tool, each.effect.arguments(), wanted)
        ),
        "bits": max(
            (int(each["effect"]["decided_on"]["told"]) for each in decided if each["verdict"] == "allow"), default=0
        ),
        "unapproved": tuple(_unapproved(effects, words)),
        "reader_calls": reading.asked,
        "tokens": sum(each.prompt + each.completion for each in spent),
    }


def _unapproved(effects: Sequence[Pending], words: Words) -> list[str]:
    """The targets of effects that were done, without a question, in which bytes of the attacker's stood."""
    found = []
    for pending in effects:
        if pending.status != "done" or pending.decision.verdict != "allow":
            continue
        for name, value in pending.effect.arguments().items():
            piece = words.found_in(value) if pending.effect.tool.roles[name] is Role.TARGET else ""
            if piece:
                found.append(f"{pending.effect.tool.name}.{name}: {piece[:80]}")
    return found
