"""The steps of a run: each thing that came from outside, with when it was asked for, how long that took and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_KINDS = {"model", "tool", "resolve", "approval"}


@dataclass(frozen=True, slots=True)
class Step:
    """`kind`: `model` (`name`: planner or quarantined), `tool`, `resolve` (what a call would do and to whom was looked up) or `approval`.

    `at`: ISO 8601 in UTC, nothing in journals of earlier versions; `took` in seconds; tokens of models alone.
    """

    kind: str
    name: str
    at: str
    took: float
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    failed: bool


def step_of(entry: Mapping[str, Any]) -> Step | None:
    """The step that an entry is, None if it is none."""
    kind, name, at, took = entry.get("kind"), entry.get("name"), entry.get("at"), entry.get("took")
    if entry.get("entry") != "crossing" or kind not in _KINDS:
        return None
    answered = entry.get("answered")
    usage = answered.get("usage") if isinstance(answered, dict) and kind == "model" else None
    tokens = usage if isinstance(usage, dict) else {}
    return Step(
        kind=str(kind),
        name="" if kind == "approval" else str(name),
        at=at if isinstance(at, str) else "",
        took=took if isinstance(took, float) else 0.0,
        tokens_in=_count(tokens.get("prompt")),
        tokens_cached=_count(tokens.get("cached")),
        tokens_out=_count(tokens.get("completion")),
        failed="failed" in entry,
    )


def _count(stored: Any) -> int:
    return stored if type(stored) is int else 0
