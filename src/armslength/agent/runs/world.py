"""What a controller is wired to, and how far it has got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from armslength.agent.approving.approval import Approver
from armslength.agent.approving.granting import Granting
from armslength.agent.effects.effects import Pending
from armslength.agent.effects.telling import Telling
from armslength.agent.outside.boundary import Boundary
from armslength.agent.outside.recorded import RecordedReader
from armslength.events import Trust
from armslength.labels import NOTHING, Label
from armslength.policy.engine import Policy
from armslength.tools.base import Tool
from armslength.values import Labelled


@dataclass(frozen=True, slots=True)
class World:
    """What a controller is wired to. `readers`: quarantined models; the first that is cleared for some data reads it.

    `occasion`: what decided that there is this run.
    """

    tools: Mapping[str, Tool]
    readers: Sequence[RecordedReader]
    policy: Policy
    boundary: Boundary
    approver: Approver
    trust: Trust
    now: datetime
    run: str
    granting: Granting | None = None
    occasion: Label = NOTHING


@dataclass(slots=True)
class Progress:
    """What has happened so far. `answers` are the pieces of each answer; `settled` the effects that were decided, in order."""

    answers: list[tuple[Labelled, ...]] = field(default_factory=list)
    settled: list[Pending] = field(default_factory=list)
    screens: int = 0
    has_reached_out: bool = False
    telling: Telling = field(default_factory=Telling)
