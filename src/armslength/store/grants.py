"""What a person said yes to beforehand: given, used, revoked. It is what entries say that are only ever added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, get_args

from armslength.errors import OperatorError

Scope = Literal["run", "week", "always"]
"""How long: this run, seven days from its start, until it is revoked."""
State = Literal["live", "expired", "revoked"]
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """A yes beforehand as it is kept. `covers`: of what, as its giver reads it. `until`: None where no time ends it."""

    name: str
    tool: str
    version: str
    covers: Json = field(repr=False)
    scope: Scope
    run: str
    at: datetime
    until: datetime | None

    def counts_in(self, run: str, began: datetime, now: datetime, *, lasting: bool) -> bool:
        """Whether it counts in this run, which began then, at this time. `lasting`: what outlives its run is allowed at all.

        A name alone is no run: once that of a run was removed it is free again.
        """
        if self.scope == "run":
            return (self.run, self.at) == (run, began)
        return lasting and (self.until is None or now < self.until)


@dataclass(frozen=True, slots=True)
class Use:
    """An effect that was allowed by it: the run, the effect's digest, and when."""

    run: str
    digest: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Listed:
    """One with what became of it."""

    given: Given
    uses: tuple[Use, ...]
    revoked: datetime | None

    def state(self, now: datetime) -> State:
        """What it is at this time. One of a run counts in that run alone, and so is over with it."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.given.until is not None and now >= self.given.until else "live"


class Grants(Protocol):
    """Whatever keeps them. Every method raises OperatorError where the file cannot be used, or is not as it was written."""

    def listed(self) -> list[Listed]:
        """All that were ever given, oldest first."""
        ...

    def give(self, key: str, given: Given) -> str:
        """Keep one and give its name; what was kept with this key before is not kept again. `given.name` is not looked at."""
        ...

    def use(self, names: Sequence[str], use: Use, counts: Callable[[Given], bool]) -> bool:
        """Whether all of these are there, not revoked, and count; if so the use is written down, once for each effect."""
        ...

    def revoke(self, name: str, at: datetime) -> None:
        """It counts no more.

        Raises:
            OperatorError: there is none of that name, or it was revoked before.
        """
        ...


def folded(entries: Sequence[Json]) -> list[Listed]:
    """What the entries say together."""
    given: dict[str, Given] = {}
    uses: dict[str, list[Use]] = {}
    revoked: dict[str, datetime] = {}
    for entry in entries:
        match entry:
            case {"kind": "given"}:
                name = f"grant-{len(given) + 1}"
                given[name] = _given_from_json(name, entry)
            case {"kind": "used", "name": str(name), "run": str(run), "digest": str(digest), "at": str(at)}:
                uses.setdefault(name, []).append(Use(run, digest, datetime.fromisoformat(at)))
            case {"kind": "revoked", "name": str(name), "at": str(at)}:
                revoked[name] = datetime.fromisoformat(at)
            case _:
                raise OperatorError("the grants were written by another version of armslength; none of them counts")
    return [Listed(each, tuple(uses.get(name, ())), revoked.get(name)) for name, each in given.items()]


def given_to_json(given: Given) -> dict[str, Any]:
    """For its entry; the name is its place among them."""
    return {
        "tool": given.tool,
        "version": given.version,
        "covers": dict(given.covers),
        "scope": given.scope,
        "run": given.run,
        "at": given.at.isoformat(),
        "until": None if given.until is None else given.until.isoformat(),
    }


def _given_from_json(name: str, stored: Json) -> Given:
    try:
        if stored["scope"] not in get_args(Scope):
            raise ValueError("scope")
        return Given(
            name=name,
            tool=str(stored["tool"]),
            version=str(stored["version"]),
            covers=dict(stored["covers"]),
            scope=stored["scope"],
            run=str(stored["run"]),
            at=datetime.fromisoformat(stored["at"]),
            until=None if stored["until"] is None else datetime.fromisoformat(stored["until"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise OperatorError(f"{name} was written by another version of armslength; none of them counts") from error
