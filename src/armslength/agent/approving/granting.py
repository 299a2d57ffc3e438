"""Grants and endorsements as one run sees them: read where something would be asked about, offered on the screen, kept, used.

What is read passes the boundary, so that a run that is gone through again sees the same. Before anything happens by a grant it is looked up
once more, and each use is written down; a grant that was revoked meanwhile is not used, also not by a run that goes on later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import cast

from armslength.agent.approving.approval import Offer
from armslength.agent.approving.granted import covers_from_json, covers_to_json, line_of, until_in_words
from armslength.agent.effects.effects import Effect, Pending
from armslength.agent.outside.boundary import Boundary
from armslength.errors import CannotResume, OperatorError
from armslength.policy.action import Decision, Reason
from armslength.policy.grants import Covers, Live, Subject, is_open, spared, would_spare
from armslength.policy.settings import PolicySettings
from armslength.store.grants import Given, Grants, Scope, Use
from armslength.values import Plain

WEEK = timedelta(days=7)
DAMAGED = "grants-unusable"
"""The reason beside the rules' own where grants could not be read."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where grants are kept. `is_lasting`: whether any may outlive its run. `started`: when this process took up the run, by its clock."""

    grants: Grants
    is_lasting: bool
    started: datetime


@dataclass(frozen=True, slots=True)
class Taken:
    """What a person took from a screen. `name`: nothing where it was not kept, since what outlives a run is forbidden by now."""

    name: str
    scope: Scope
    until: datetime | None

    @property
    def line(self) -> str:
        """For the person."""
        if not self.name:
            return "what you chose not to be asked about was not kept, since grants that outlive a run are forbidden by now"
        when = until_in_words(self.scope, self.until)
        if self.scope == "run":
            return f"by your choice {self.name} spared you questions {when}, and ended with it"
        return f"by your choice {self.name} spares you questions {when}; armslength grants revoke {self.name} ends it"


@dataclass(frozen=True, slots=True)
class _Offered:
    """What an offer would keep."""

    digest: str
    covers: Covers
    scope: Scope


class Granting:
    """What was said yes to beforehand, in one run. `keeping` None: a run that is only gone through again."""

    def __init__(self, boundary: Boundary, keeping: Keeping | None, run: str, now: datetime) -> None:
        """`now`: the run's start. What outlives the run is offered only after `offer_lasting`."""
        self._boundary, self._keeping, self._run = boundary, keeping, run
        self._now = now if now.tzinfo is not None else now.astimezone()
        self._scopes: tuple[Scope, ...] = ("run",)
        self._offered: dict[str, _Offered] = {}
        self.taken = list[Taken]()

    def offer_lasting(self) -> None:
        """As it was when the run began, so that a screen is drawn again as it was."""
        self._scopes = ("run", "week", "always")

    def spared(self, decision: Decision, effect: Effect, settings: PolicySettings) -> Decision:
        """The decision, or to allow it by what is live now."""
        subject = subject_of(effect)
        if not is_open(decision, subject, settings):
            return decision
        tool = effect.tool
        answered = self._boundary.cross(
            "grants", tool.name, {"version": tool.version}, lambda: self._read(tool.name, tool.version)
        )
        match answered:
            case {"fault": str(fault)}:
                return replace(decision, reasons=(*decision.reasons, Reason(DAMAGED, fault)))
            case {"live": dict(live)}:
                return spared(decision, subject, _live(tool.name, tool.version, live), settings)
            case _:
                return decision

    def offers(self, pending: Pending, settings: PolicySettings) -> tuple[Offer, ...]:
        """What would have spared the question about this effect, each for each time that it may be given for; what it covers is said once."""
        effect = pending.effect
        digest = effect.digest(self._run)
        found = []
        for covers in would_spare(pending.decision, subject_of(effect), settings):
            for place, scope in enumerate(self._scopes):
                name = f"{digest[:16]}:{type(covers).__name__.lower()}:{scope}"
                self._offered[name] = _Offered(digest, covers, scope)
                when = until_in_words(scope, self._until(scope))
                found.append(Offer(name, f"the same {when}" if place else line_of(covers, when)))
        return tuple(found)

    def take(self, taken: AbstractSet[str]) -> None:
        """Keep what a person took, once, however often the run is gone on with.

        Raises:
            OperatorError: it cannot be written.
        """
        for name in sorted(taken & self._offered.keys()):
            offered = self._offered[name]
            asked = cast("Plain", {"covers": covers_to_json(offered.covers), "scope": offered.scope})
            given = self._boundary.cross("give", name, asked, self._giving(name, offered))
            self.taken.append(Taken(str(given or ""), offered.scope, self._until(offered.scope)))

    def still_counts(self, granted: Sequence[str]) -> bool:
        """Whether all of these count now, before anything happens by them."""
        return self._asked_now(granted, None)

    def use(self, granted: Sequence[str], digest: str) -> bool:
        """The same; and the use for this effect is written down."""
        return self._asked_now(granted, digest)

    def check_again(self, granted: Sequence[str]) -> None:
        """An effect that was begun before the run was cut off, and did not get done, is about to be made.

        Raises:
            CannotResume: what allowed it does not count any more.
        """
        if not self._counts(granted):
            raise CannotResume(
                f"what allowed this ({', '.join(granted)}) does not count any more; cancel the run, and ask again"
            )

    def _asked_now(self, granted: Sequence[str], digest: str | None) -> bool:
        asked = cast("Plain", {"names": list(granted), "use": digest})
        name = "count" if digest is None else "use"
        return self._boundary.cross("grant", name, asked, lambda: self._counts(granted, digest)) is True

    def _read(self, tool: str, version: str) -> Plain:
        keeping = self._kept()
        try:
            listed = keeping.grants.listed()
        except OperatorError as error:
            return {"fault": str(error)}
        live = {
            each.given.name: dict(each.given.covers)
            for each in listed
            if each.revoked is None
            and (each.given.tool, each.given.version) == (tool, version)
            and self._is_of_now(each.given)
        }
        return cast("Plain", {"live": live})

    def _counts(self, granted: Sequence[str], digest: str | None = None) -> bool:
        """Fails closed: what cannot be read does not count."""
        keeping = self._kept()
        try:
            if digest is not None:
                return keeping.grants.use(granted, Use(self._run, digest, keeping.started), self._is_of_now)
            found = {each.given.name: each for each in keeping.grants.listed() if each.revoked is None}
        except OperatorError:
            return False
        return all(name in found and self._is_of_now(found[name].given) for name in granted)

    def _is_of_now(self, given: Given) -> bool:
        keeping = self._kept()
        return given.counts_in(self._run, self._now, keeping.started, lasting=keeping.is_lasting)

    def _giving(self, name: str, offered: _Offered) -> Callable[[], Plain]:
        key = hashlib.sha256(json.dumps([self._run, offered.digest, name]).encode()).hexdigest()
        given = Given(
            name="",
            tool=offered.covers.tool,
            version=offered.covers.version,
            covers=covers_to_json(offered.covers),
            scope=offered.scope,
            run=self._run,
            at=self._now,
            until=self._until(offered.scope),
        )

        def give() -> Plain:
            """Nothing that outlives the run, where that was forbidden since the run began."""
            keeping = self._kept()
            return keeping.grants.give(key, given) if keeping.is_lasting or offered.scope == "run" else None

        return give

    def _until(self, scope: Scope) -> datetime | None:
        return self._now + WEEK if scope == "week" else None

    def _kept(self) -> Keeping:
        if self._keeping is None:
            raise OperatorError("this run read the grants of its person, and here are none; give the assistant grants=")
        return self._keeping


def subject_of(effect: Effect) -> Subject:
    """An effect as grants see it."""
    values = {name: json.dumps(each, sort_keys=True, ensure_ascii=True) for name, each in effect.arguments().items()}
    return Subject(effect.action(), effect.tool.version, effect.tool.may_be_granted, values)


def _live(tool: str, version: str, stored: dict[str, Plain]) -> list[Live]:
    """What cannot be understood is none."""
    found = []
    for name, covers in stored.items():
        try:
            found.append(Live(name, covers_from_json(tool, version, cast("dict[str, object]", covers))))
        except (ValueError, AttributeError):
            continue
    return found
