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
_SPEED = "bench/speed"

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
    Subject("language", "speed", "Programs beside CPython", "bench.speed.language", (*_LANGUAGE, f"{_SPEED}/language.py", f"{_SPEED}/programs.py")),
    Subject("labels", "speed", "Labels", "bench.speed.labels", ("src/armslength/labels.py", f"{_SPEED}/labels.py")),
    Subject("policy", "speed", "Decisions", "bench.speed.policy", (*_POLICY, f"{_SPEED}/policy.py")),
    Subject("journal", "speed", "Journal, SQLite", "bench.speed.journal", ("src/armslength/events.py", "src/armslength/store", f"{_SPEED}/journal.py")),
    Subject(
        "journal-postgresql", "speed", "Journal, PostgreSQL", "bench.speed.journal_postgresql",
        ("src/armslength/events.py", "src/armslength/store", f"{_SPEED}/journal_postgresql.py"),
    ),
    Subject("waiting", "speed", "Runs that wait for a person", "bench.speed.waiting", (*_RUNS, "src/armslength/app", f"{_SPEED}/waiting.py")),
    Subject(
        "overlap", "speed", "Calls that overlap, conversations that wait", "bench.speed.overlap", (*_LANGUAGE, *_RUNS, f"{_SPEED}/overlap.py")
    ),
    Subject("startup", "speed", "Start-up", "bench.speed.startup", (*_ASSISTANT, f"{_SPEED}/startup.py")),
    Subject("everyday", "behaviour", "Forty everyday requests", "bench.everyday", (*_ASSISTANT, "bench/everyday", "examples/everyday")),
    Subject("attacks", "behaviour", "Attacks that were made public", "bench.attacks", (*_ASSISTANT, "bench/attacks")),
    Subject("dojo", "behaviour", "AgentDojo", "bench.dojo table", (*_ASSISTANT, "bench/dojo")),
    Subject("requests", "behaviour", "Twenty requests by the embedded model", "bench.requests --seeds 3", (*_ASSISTANT, "bench/requests")),
)  # fmt: skip


def subject(name: str) -> Subject | None:
    """The subject of a result with this name, if it is one of these."""
    return next((each for each in SUBJECTS if each.name == name), None)
