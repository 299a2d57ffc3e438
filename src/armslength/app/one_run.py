"""One request with everything wired for it, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from armslength.agent.approving.display import draw_answer
from armslength.agent.approving.granting import Granting, Keeping
from armslength.agent.effects.effects import Pending
from armslength.agent.outside.boundary import Boundary
from armslength.agent.outside.recorded import RecordedModel, RecordedReader
from armslength.agent.planning.planner import Planner
from armslength.agent.planning.preview import Foretold, preview
from armslength.agent.planning.transcript import IN_CONVERSATION
from armslength.agent.runs.session import Outcome, Session, ending_of, plan
from armslength.agent.runs.undoing import Done, Told, Undone, undo
from armslength.agent.runs.world import World
from armslength.app.beginning import Start
from armslength.app.occasions import BEGUN_BY_MAIL
from armslength.errors import ConfigError, ModelNotCleared, ProgramRefused
from armslength.labels import LITERAL, NOTHING, PASTED, PRIVATE, REQUEST, Label, label
from armslength.language import FUNCTIONS
from armslength.models.base import Model, Usage
from armslength.policy.engine import Policy
from armslength.tools.base import Tool, nobody, tool
from armslength.values import Labelled

if TYPE_CHECKING:
    from armslength.app.assistant import Assistant


@dataclass(frozen=True, slots=True)
class Result:
    """A run that has ended. `text` is the answer as it is shown; `spent` what each model call cost, by role, in order."""

    run: str
    outcome: Outcome
    text: str = field(repr=False)
    spent: dict[str, tuple[Usage, ...]]
    entries: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The journal, where it was kept in memory."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A program that was written and not run. `refused` says why it is no program of the language, if it is none."""

    program: str
    refused: str
    spent: dict[str, tuple[Usage, ...]]
    foretold: tuple[Foretold, ...] = ()
    """What it would do, and what of it would ask."""


_OCCASIONS: Mapping[str, Label] = {
    "": NOTHING,
    "clock": NOTHING,
    "mail": BEGUN_BY_MAIL,
}
"""What decided that a run begins, by what began it."""


class OneRun:
    """One request with everything wired for it."""

    def __init__(self, assistant: Assistant, boundary: Boundary, start: Start) -> None:
        """Its beginning is noted, and the clock is read."""
        boundary.note("begun", dict(start.begun))
        read = boundary.cross("clock", "now", None, start.started.isoformat)
        now = datetime.fromisoformat(cast("str", read))
        self.name, self._is_strict, self._boundary = start.run, start.is_strict, boundary
        tools = by_name((*_tools_of(assistant, start), pasted_tool(start.pasted)))
        self._signatures = [each.signature for each in tools.values()]
        models = (
            assistant.models
            if assistant.spending is None
            else assistant.spending.of_a_run(assistant.models, assistant.now)
        )
        self._planning = RecordedModel(models["planner"], boundary, "planner")
        self._reading = {
            role: RecordedReader(model, boundary, now.date(), role)
            for role, model in models.items()
            if role != "planner"
        }
        self._has_pasted, self._is_apart = start.pasted is not None, start.is_apart
        settings = replace(assistant.policy, asks_always=True) if start.is_strict else assistant.policy
        if start.occasion:
            settings = replace(settings, steering_bits=0)
        policy = Policy(assistant.rules, settings)
        _check_clearance(assistant.planner, policy, _OCCASIONS[start.occasion])
        more = "" if start.talk is None else IN_CONVERSATION
        self._planner = Planner(
            self._planning, self._signatures, now.date(), _whose(assistant), sampling=assistant.sampling, more=more
        )
        self._world = World(
            tools,
            list(self._reading.values()),
            policy,
            boundary,
            start.approver,
            assistant.trust,
            now,
            start.run,
            _granting(assistant, boundary, start, now),
            _OCCASIONS[start.occasion],
        )
        limits = start.limits or assistant.limits
        self._rewrites = start.rewrites
        self._session = Session(
            self._planner,
            self._world,
            self._signatures,
            limits=limits,
            memory=start.talk,
            rewrites=start.rewrites,
        )

    @property
    def settled(self) -> Sequence[Pending]:
        """What became of the effects so far."""
        return self._session.settled

    def ask(self, request: str) -> Result:
        """Carry it to its end."""
        said = request if self._is_apart else None
        outcome = self._session.ask(self._words(request), is_strict=self._is_strict, said=said)
        text = draw_answer(_one_after_another(outcome.answers))
        return Result(self.name, outcome, text, self._spent())

    def take_back(self, request: str, effects: Sequence[Done], told: Told) -> Undone:
        """Take these back."""
        self._boundary.note("request", {"text": request})
        undone = undo(self._world, effects, told)
        ending = ending_of(undone.error)
        self._boundary.note("end", {"ending": ending, "effects": [pending.status for pending in undone.settled]})
        return undone

    def plan(self, request: str) -> Planned:
        """Write its program, and run nothing."""
        program, checked = plan(self._planner, self._world, self._words(request), self._signatures, self._rewrites)
        if isinstance(checked, ProgramRefused):
            return Planned(program, str(checked), self._spent())
        return Planned(program, "", self._spent(), preview(checked, self._world.tools, self._world.policy, {}))

    def _words(self, request: str) -> str:
        """What the planner is told. That a text was handed over is the user's doing; what stands in it is not told."""
        return f"{request}\n(The text that I mean is in read_pasted_text().)" if self._has_pasted else request

    def _spent(self) -> dict[str, tuple[Usage, ...]]:
        reading = {role: tuple(reader.spent) for role, reader in self._reading.items()}
        return {"planner": tuple(self._planning.spent), **reading}


def _granting(assistant: Assistant, boundary: Boundary, start: Start, now: datetime) -> Granting | None:
    """As it was when the run began; whether what is found counts is decided by the configuration of today."""
    if not start.grants:
        return None
    keeping = None
    if assistant.grants is not None:
        keeping = Keeping(assistant.grants, assistant.lasting_grants, start.started.astimezone())
    made = Granting(boundary, keeping, start.run, now)
    if start.grants == "lasting":
        made.offer_lasting()
    return made


def by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    """Them by their names.

    Raises:
        ConfigError: two have one name, or one that of a function.
    """
    named: dict[str, Tool] = {}
    for each in tools:
        if named.setdefault(each.name, each) is not each or each.name in FUNCTIONS:
            raise ConfigError(f"two tools or functions are named {each.name}; rename one")
    return named


def _whose(assistant: Assistant) -> str:
    """What the planner is told of the user: which address is the user's own, by the configuration. A small model is told no more than it needs."""
    own = assistant.policy.addresses[:1]
    return f"The user's own email address is {own[0]}." if own and not assistant.planner.processor.is_small else ""


def _tools_of(assistant: Assistant, start: Start) -> list[Tool]:
    """All of them, but for a run that a mail began those that set what lies under a key.

    A run that no mail began tells by what it did not set, and of that nothing is written down: there is no program.
    """
    return [each for each in assistant.tools if start.occasion != "mail" or not _sets(each)]


def _sets(each: Tool) -> bool:
    keyed = each.signature.keyed
    return keyed is not None and keyed.sets


def _check_clearance(planner: Model, policy: Policy, occasion: Label) -> None:
    """The planner may be told the user's words, and by being asked that there is a run."""
    processor = planner.processor
    for part, what in (
        (REQUEST, "your own words, which stay"),
        (occasion, "mail, and by a request that mail begins it learns that some came, which stays"),
    ):
        if policy.decide_showing(part, processor.name, is_local=processor.is_local).verdict != "allow":
            raise ModelNotCleared(
                f"{processor.name} is not cleared for {what} on this machine; use the embedded model for the planner, or change [privacy]"
            )


def _one_after_another(answers: Sequence[Sequence[Labelled]]) -> list[Labelled]:
    """All answers of a run as one, each on a line of its own, so that each source is named once below them."""
    pieces: list[Labelled] = []
    for answer in answers:
        pieces.extend([Labelled("\n", LITERAL)] if pieces else [])
        pieces.extend(answer)
    return pieces


def pasted_tool(pasted: str | None) -> Tool:
    """The text that the user piped in or attached: untrusted, and private."""

    @tool(name="read_pasted_text", changes=None, receivers=nobody, picks=True, fails_by=())
    def read_pasted_text() -> str:
        """The text that the user handed over with the request."""
        return cast("str", Labelled(pasted or "", label([PASTED], readers=PRIVATE, steer=PRIVATE)))

    return read_pasted_text
