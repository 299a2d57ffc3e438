"""How a run stands, beyond its state: what became of what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from armslength.agent.runs.undoing import done_in
from armslength.errors import OperatorError
from armslength.events import trust_nobody
from armslength.store.journal import Entry
from armslength.store.runs import Effects, Run, State

Standing = State | Literal["undone", "undone in part"]
"""`undone`: all that it did was taken back."""


class Journals(Protocol):
    """Where a journal is read that the list does not stand for."""

    def entries(self, run: str) -> list[Entry]:
        """The journal of a run."""
        ...


@dataclass(frozen=True, slots=True)
class Now:
    """How a run stands. `has_effects`: whether something that it did is left; True also where its journal does not tell."""

    state: Standing
    has_effects: bool = True


def now_of(run: Run, kept: Journals) -> Now:
    """How it stands. Of one that an earlier version began, the list does not say it, and its journal is read."""
    if run.state not in {"done", "failed", "cancelled"}:
        return _open_one(run, kept)
    match run.effects if run.effects != "unknown" else _effects_of(run, kept):
        case "undone":
            return Now("undone", has_effects=False)
        case "undone in part":
            return Now("undone in part")
        case effects:
            return Now(run.state, effects != "none")


def _open_one(run: Run, kept: Journals) -> Now:
    if run.state != "cut off" or run.effects != "unknown":
        return Now(run.state)
    try:
        entries = kept.entries(run.name)
    except OperatorError:
        return Now(run.state)
    last = next((entry for entry in reversed(entries) if entry.get("kind") != "resumed"), {})
    return Now("answered" if last.get("kind") == "approval" else "cut off")


def _effects_of(run: Run, kept: Journals) -> Effects:
    try:
        entries = kept.entries(run.name)
        left = bool(done_in(entries, trust_nobody))
    except (OperatorError, ValueError):
        return "unknown"
    if any(entry.get("kind") == "undone" for entry in entries):
        return "undone in part" if left else "undone"
    return "left" if left else "none"
