"""What is measured: each subject with the name of its results, the command that measures it, and the paths that it speaks of.

A result is older than what it speaks of when one of these paths has changed since its commit: `python -m bench.stale` says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["campaign", "speed", "behaviour"]


@dataclass(frozen=True, slots=True)
class Subject:
    """`name` stands in the name of a result's file. `command`: what follows `python -m`; SEED is replaced."""

    name: str
    kind: Kind
    title: str
    command: str
    speaks_of: tuple[str, ...]


_LANGUAGE = ("src/armslength/labels.py", "src/armslength/values", "src/armslength/language", "src/armslength/schema.py")
_POLICY = ("src/armslength/labels.py", "src/armslength/policy")
_RUNS = ("src/armslength/events.py", "src/armslength/store", "src/armslength/agent")
_ASSISTANT = ("src/armslength",)

SUBJECTS = (
    Subject(
        "laws", "campaign", "Laws over random programs", "tests.laws 100000 SEED --write", (*_LANGUAGE, "tests/laws")
    ),
    Subject(
        "mutants", "campaign", "Laws switched off one by one", "tests.laws.mutants --seed SEED --write", (*_LANGUAGE, "tests/laws"),
    ),
    Subject(
        "fuzz", "campaign", "Any text as a program, guided by coverage", "tests.fuzz.language 1800 SEED --write", (*_LANGUAGE, "tests/fuzz"),
    ),
    Subject(
        "policies", "campaign", "No rule more widens a policy", "tests.policy.campaign 2000 SEED --write", (*_POLICY, "tests/policy"),
    ),
    Subject("crashes-sqlite", "campaign", "Killed everywhere, SQLite", "tests.runs.matrix", (*_RUNS, "tests/runs")),
    Subject(
        "crashes-postgresql", "campaign", "Killed everywhere, PostgreSQL", "tests.runs.matrix --database postgresql", (*_RUNS, "tests/runs"),
    ),
)  # fmt: skip


def subject(name: str) -> Subject | None:
    """The subject of a result with this name, if it is one of these."""
    return next((each for each in SUBJECTS if each.name == name), None)
