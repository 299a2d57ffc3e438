"""How a run stands, beyond what the list of runs keeps: what its journal says of answers and of what was taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from armslength.agent.runs.undoing import done_in
from armslength.app.kept import Kept
from armslength.errors import OperatorError
from armslength.events import trust_nobody
from armslength.store.runs import Run, State

Standing = State | Literal["answered", "undone", "undone in part"]
"""`answered`: nobody has gone on with it yet. `undone`: all that it did was taken back."""


@dataclass(frozen=True, slots=True)
class Now:
    """How a run stands. `has_effects`: whether something that it did is left; True also where its journal does not tell."""

    state: Standing
    has_effects: bool = True


def now_of(run: Run, kept: Kept) -> Now:
    """How it stands, by its journal; where that cannot be read, as it is listed."""
    if run.state in {"running", "waiting"}:
        return Now(run.state)
    try:
        entries = kept.entries(run.name)
        last = next((entry for entry in reversed(entries) if entry.get("kind") != "resumed"), {})
        if run.state == "cut off":
            return Now("answered" if last.get("kind") == "approval" else "cut off")
        left = bool(done_in(entries, trust_nobody))
    except (OperatorError, ValueError):
        return Now(run.state)
    if any(entry.get("kind") == "undone" for entry in entries):
        return Now("undone in part" if left else "undone", left)
    return Now(run.state, left)
