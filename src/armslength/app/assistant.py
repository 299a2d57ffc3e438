"""A wired assistant: the library's face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from armslength.agent.approval import Approver, NobodyThere
from armslength.agent.boundary import Boundary, Recording, Replaying, Waiting, is_not_shown
from armslength.agent.conversation import Conversation
from armslength.agent.display import draw_answer
from armslength.agent.effects import Pending
from armslength.agent.planner import Planner, Sampling
from armslength.agent.recorded import RecordedModel, RecordedReader
from armslength.agent.session import Outcome, Session, ending_of, plan
from armslength.agent.transcript import IN_CONVERSATION
from armslength.agent.trust import trust_of
from armslength.agent.undoing import Done, Undone, undo
from armslength.agent.world import World
from armslength.app.policies import default_rules
from armslength.errors import ConfigError, ModelNotCleared, ProgramRefused
from armslength.events import Trust
from armslength.labels import LITERAL, PASTED, PRIVATE, REQUEST, label
from armslength.language import FUNCTIONS, Limits
from armslength.models.base import Model, Usage
from armslength.policy.engine import Policy, PolicySettings, Rules
from armslength.store.journal import Journal, MemoryJournal
from armslength.tools.base import Tool, nobody, tool
from armslength.values import Labelled


def _local_time() -> datetime:
    return datetime.now().astimezone()


def nobody_listens(_run: str) -> None:
    """The run's name is told with the result."""


@dataclass(frozen=True, slots=True)
class Result:
    """A run that has ended. `text` is the answer as it is shown; `spent` what each model call cost, by role, in order."""

    run: str
    outcome: Outcome
    text: str
    spent: dict[str, tuple[Usage, ...]]
    entries: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The journal, where it was kept in memory."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A program that was written and not run. `refused` says why it is no program of the language, if it is none."""

    program: str
    refused: str
    spent: dict[str, tuple[Usage, ...]]


@dataclass(frozen=True, slots=True)
class Assistant:
    """Tools, two models, a policy, and somebody who can be asked.

    `runs`: the folder of the journals; None keeps them in memory. `now`: the clock, read once a run.
    `waiting`: around each wait for what goes on beside the program; it is told what that is.
    """

    tools: Sequence[Tool]
    planner: Model
    quarantined: Model
    policy: PolicySettings = field(default_factory=PolicySettings)
    rules: Rules = field(default_factory=default_rules)
    trust: Trust = field(default_factory=lambda: trust_of(frozenset()))
    runs: Path | None = None
    now: Callable[[], datetime] = _local_time
    limits: Limits = field(default_factory=Limits)
    sampling: Sampling = field(default_factory=Sampling)
    waiting: Waiting = is_not_shown

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
            ModelError: the planner's model failed.
            OperatorError: the journal cannot be written.
        """
        return carry_out(self, request, Given(pasted, approver, is_strict, begun))

    def plan(self, request: str, *, pasted: str | None = None) -> Planned:
        """Write the program for a request and run nothing."""
        started = self.now()
        run = _Run(self, Recording(MemoryJournal(started)), _Start("plan", started, pasted))
        return run.plan(request)

    def replay(self, entries: Iterable[dict[str, Any]]) -> Result:
        """Go through a recorded run again: same program, same answers from outside, nothing performed.

        Raises:
            OperatorError: the run does not go as it went.
        """
        listed = list(entries)
        boundary = Replaying(listed)
        started = next((entry["answered"] for entry in listed if entry.get("kind") == "clock"), None)
        request = next((entry["text"] for entry in listed if entry.get("kind") == "request"), None)
        if not isinstance(started, str) or not isinstance(request, str):
            raise ConfigError("the journal does not begin with a request")
        begun = next((entry for entry in listed if entry.get("kind") == "begun"), {})
        if begun.get("in_conversation"):
            raise ConfigError(
                "this run is one of a conversation, and its names were made by those before it; ask why about it"
            )
        start = _Start(str(begun.get("run")), datetime.fromisoformat(started), is_strict=bool(begun.get("is_strict")))
        result = _Run(self, boundary, start).ask(request)
        boundary.finish()
        return result


def _nothing_settled(_run: str, _effects: Sequence[Pending]) -> None:
    """The result says it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a request comes with. `talk`: the conversation that it is part of; `settled` is told what its effects became, however it ends."""

    pasted: str | None = None
    approver: Approver | None = None
    is_strict: bool = False
    begun: Callable[[str], None] = nobody_listens
    talk: Conversation | None = None
    settled: Callable[[str, Sequence[Pending]], None] = _nothing_settled


def carry_out(assistant: Assistant, request: str, given: Given) -> Result:
    """Carry a request to its end, alone or as part of a conversation.

    Raises:
        ModelError: the planner's model failed.
        OperatorError: the journal cannot be written.
    """

    def ask(run: _Run) -> Result:
        try:
            return run.ask(request)
        finally:
            given.settled(run.name, run.settled)

    result, entries = _recorded(assistant, given, ask)
    return replace(result, entries=entries)


def take_back(assistant: Assistant, effects: Sequence[Done], given: Given) -> Undone:
    """Take back what an earlier run did; a run of its own in the journals.

    Raises:
        OperatorError: the journal cannot be written.
    """
    return _recorded(assistant, given, lambda run: run.take_back(effects))[0]


_T = TypeVar("_T")


def _recorded(assistant: Assistant, given: Given, go: Callable[[_Run], _T]) -> tuple[_T, list[dict[str, Any]]]:
    """What comes of a run with a journal of its own, and the entries where that was kept in memory."""
    if given.approver is not None and not callable(getattr(given.approver, "approve", None)):
        raise ConfigError("approver must have a method approve(screen) -> bool")
    started = assistant.now()
    journal = MemoryJournal(started) if assistant.runs is None else Journal(assistant.runs, started)
    try:
        given.begun(journal.run)
        approver = given.approver or NobodyThere()
        start = _Start(journal.run, started, given.pasted, approver, given.is_strict, given.talk)
        boundary = Recording(journal, assistant.waiting)
        try:
            found = go(_Run(assistant, boundary, start))
        finally:
            boundary.close()
    finally:
        journal.close()
    return found, journal.entries if isinstance(journal, MemoryJournal) else []


@dataclass(frozen=True, slots=True)
class _Start:
    """What is particular to one run."""

    run: str
    started: datetime
    pasted: str | None = None
    approver: Approver = field(default_factory=NobodyThere)
    is_strict: bool = False
    talk: Conversation | None = None


class _Run:
    """One request with everything wired for it."""

    def __init__(self, assistant: Assistant, boundary: Boundary, start: _Start) -> None:
        run, is_strict, approver = start.run, start.is_strict, start.approver
        whole = {} if start.talk is None else {"in_conversation": True}
        boundary.note("begun", {"run": run, "is_strict": is_strict, **whole})
        read = boundary.cross("clock", "now", None, start.started.isoformat)
        now = datetime.fromisoformat(cast("str", read))
        self.name, self._is_strict, self._boundary = run, is_strict, boundary
        tools = _by_name((*assistant.tools, _pasted_tool(start.pasted)))
        self._signatures = [each.signature for each in tools.values()]
        self._planning = RecordedModel(assistant.planner, boundary, "planner")
        self._reading = RecordedReader(assistant.quarantined, boundary, now.date())
        self._has_pasted = start.pasted is not None
        settings = replace(assistant.policy, asks_always=True) if is_strict else assistant.policy
        policy = Policy(assistant.rules, settings)
        _check_clearance(assistant.planner, policy)
        more = "" if start.talk is None else IN_CONVERSATION
        self._planner = Planner(self._planning, self._signatures, now.date(), sampling=assistant.sampling, more=more)
        self._world = World(
            tools,
            self._reading,
            policy,
            boundary,
            approver,
            assistant.trust,
            now,
            run,
        )
        self._session = Session(
            self._planner, self._world, self._signatures, limits=assistant.limits, memory=start.talk
        )

    @property
    def settled(self) -> Sequence[Pending]:
        """What became of the effects so far."""
        return self._session.settled

    def ask(self, request: str) -> Result:
        outcome = self._session.ask(self._words(request), is_strict=self._is_strict)
        text = draw_answer(_one_after_another(outcome.answers))
        return Result(self.name, outcome, text, self._spent())

    def take_back(self, effects: Sequence[Done]) -> Undone:
        self._boundary.note("request", {"text": "/undo-last"})
        undone = undo(self._world, effects)
        ending = ending_of(undone.error)
        self._boundary.note("end", {"ending": ending, "effects": [pending.status for pending in undone.settled]})
        return undone

    def plan(self, request: str) -> Planned:
        program, checked = plan(self._planner, self._boundary, self._words(request), self._signatures)
        return Planned(program, str(checked) if isinstance(checked, ProgramRefused) else "", self._spent())

    def _words(self, request: str) -> str:
        """That a text was handed over is the user's doing; what stands in it is not told."""
        return f"{request}\n(The text that I mean is in read_pasted_text().)" if self._has_pasted else request

    def _spent(self) -> dict[str, tuple[Usage, ...]]:
        return {"planner": tuple(self._planning.spent), "quarantined": tuple(self._reading.spent)}


def _by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for each in tools:
        if named.setdefault(each.name, each) is not each or each.name in FUNCTIONS:
            raise ConfigError(f"two tools or functions are named {each.name}; rename one")
    return named


def _check_clearance(planner: Model, policy: Policy) -> None:
    processor = planner.processor
    if policy.decide_showing(REQUEST, processor.name, is_local=processor.is_local).verdict != "allow":
        raise ModelNotCleared(
            f"{processor.name} is not cleared for your own words, which stay on this machine; use the embedded model for the "
            "planner, or change [privacy]"
        )


def _one_after_another(answers: Sequence[Sequence[Labelled]]) -> list[Labelled]:
    """All answers of a run as one, each on a line of its own, so that each source is named once below them."""
    pieces: list[Labelled] = []
    for answer in answers:
        pieces.extend([Labelled("\n", LITERAL)] if pieces else [])
        pieces.extend(answer)
    return pieces


def _pasted_tool(pasted: str | None) -> Tool:
    """The text that the user piped in or attached: untrusted, and private."""

    @tool(name="read_pasted_text", changes=None, receivers=nobody, picks=True, fails_by=())
    def read_pasted_text() -> str:
        """The text that the user handed over with the request."""
        return cast("str", Labelled(pasted or "", label([PASTED], readers=PRIVATE, steer=PRIVATE)))

    return read_pasted_text
