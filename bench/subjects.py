"""What is measured: each subject with the name of its results, the command that measures it, and the paths that it speaks of.

A result is older than what it speaks of when one of these paths has changed since its commit: `python -m bench.stale` says so. So they are
what a figure depends on, and no more: of a request that is carried out the language, the policy, the agent and those tools that it calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
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


_PACKAGE = "src/armslength"
_LABELS = (f"{_PACKAGE}/labels.py", f"{_PACKAGE}/values")
_LANGUAGE = (*_LABELS, f"{_PACKAGE}/language", f"{_PACKAGE}/schema.py")
_POLICY = (f"{_PACKAGE}/labels.py", f"{_PACKAGE}/policy")
_JOURNAL = (f"{_PACKAGE}/events.py", f"{_PACKAGE}/store")
_RUNS = (*_JOURNAL, f"{_PACKAGE}/agent")
_ASKED = (*_LANGUAGE, f"{_PACKAGE}/policy", f"{_PACKAGE}/agent", f"{_PACKAGE}/models/base.py")
"""What carries a request out, and decides over what it does."""
_DECLARED = tuple(
    f"{_PACKAGE}/tools/{name}.py" for name in ("base", "annotations", "usual", "listing", "ledger", "clock")
)
_DECLARED_THERE = (f"{_PACKAGE}/tools/web/address.py", f"{_PACKAGE}/tools/mail/labels.py")
"""Of our own tools' declarations what AgentDojo's share."""
_TOOLS = (
    *_DECLARED,
    *(f"{_PACKAGE}/tools/{name}.py" for name in ("opened", "folder", "files", "notes", "memory", "standin")),
    *(f"{_PACKAGE}/tools/{room}" for room in ("mail", "calendar", "contacts", "text", "web", "mcp")),
)
"""The tools in a home of files, and what they are made of."""
_HOME = f"{_PACKAGE}/demo/pieces.py"
_MODELS = tuple(f"{_PACKAGE}/models/{name}.py" for name in ("anthropic", "chat", "wire"))
_EMBEDDED = tuple(f"{_PACKAGE}/models/{name}.py" for name in ("embedded", "prefixes", "runtime", "schema", "text"))
_WAITING = tuple(f"{_PACKAGE}/app/{name}.py" for name in ("assistant", "beginning", "one_run", "waiting", "working"))
_MATRIX = (*(f"tests/runs/{name}.py" for name in ("cases", "child", "crashing", "matrix")), "bench/home")
_LATER = tuple(f"{_PACKAGE}/surfaces/{name}.py" for name in ("story", "why"))
"""What is said of a run afterwards."""
_SPEED = "bench/speed"
_LAWS = tuple(
    sorted(
        f"tests/laws/{path.name}"
        for path in (Path(__file__).parents[1] / "tests" / "laws").glob("[a-z]*")
        if path.suffix in {"", ".py"}
    )
)
"""What draws programs and checks them; the command only counts and prints."""
_CARRIED = tuple(
    f"bench/dojo/{name}.py"
    for name in ("attackers", "carrying", "forms", "people", "running", "suites", "wiring", "words")
)
_DOJO = (*_CARRIED, "bench/dojo/tools")
"""What carries AgentDojo's tasks out, whoever plans and reads."""
_WRITTEN = (
    *(f"bench/dojo/{name}.py" for name in ("pairs", "programs", "readers")),
    "bench/dojo/oracle",
    "bench/dojo/programs",
)
"""The programs and answers that were written beforehand, and the forms of attacks upon them."""

SUBJECTS = (
    Subject(
        "laws", "campaign", "Laws over random programs", "tests.laws 100000 SEED --write", (*_LANGUAGE, *_LAWS)
    ),
    Subject(
        "mutants", "campaign", "Laws switched off one by one", "tests.laws.mutants --seed SEED --write", (*_LANGUAGE, "tests/laws"),
    ),
    Subject(
        "fuzz", "campaign", "Any text as a program, guided by coverage", "tests.fuzz.language 1800 SEED --write", (*_LANGUAGE, "tests/fuzz"),
    ),
    Subject(
        "policies", "campaign", "No rule more widens a policy", "tests.policy.campaign 2000 SEED --write",
        (*_POLICY, *(f"tests/policy/{name}.py" for name in ("campaign", "making", "random_rules"))),
    ),
    Subject("crashes-sqlite", "campaign", "Killed everywhere, SQLite", "tests.runs.matrix", (*_RUNS, *_MATRIX)),
    Subject(
        "crashes-postgresql", "campaign", "Killed everywhere, PostgreSQL", "tests.runs.matrix --database postgresql", (*_RUNS, *_MATRIX),
    ),
    Subject("language", "speed", "Programs beside CPython", "bench.speed.language", (*_LANGUAGE, f"{_SPEED}/language.py", f"{_SPEED}/programs.py")),
    Subject("memory", "speed", "What loops retain", "bench.speed.memory", (*_LANGUAGE, f"{_SPEED}/memory.py", f"{_SPEED}/programs.py")),
    Subject("labels", "speed", "Labels", "bench.speed.labels", (f"{_PACKAGE}/labels.py", f"{_SPEED}/labels.py")),
    Subject("policy", "speed", "Decisions", "bench.speed.policy", (*_POLICY, f"{_SPEED}/policy.py")),
    Subject("journal", "speed", "Journal, SQLite", "bench.speed.journal", (*_JOURNAL, f"{_SPEED}/journal.py")),
    Subject(
        "journal-postgresql", "speed", "Journal, PostgreSQL", "bench.speed.journal_postgresql",
        (*_JOURNAL, f"{_SPEED}/journal_postgresql.py"),
    ),
    Subject("waiting", "speed", "Runs that wait for a person", "bench.speed.waiting", (*_RUNS, *_WAITING, f"{_SPEED}/waiting.py")),
    Subject(
        "overlap", "speed", "Calls that overlap, conversations that wait", "bench.speed.overlap", (*_LANGUAGE, *_RUNS, f"{_SPEED}/overlap.py")
    ),
    Subject(
        "documents", "speed", "Documents in processes of their own", "bench.speed.documents",
        (f"{_PACKAGE}/tools/documents", f"{_PACKAGE}/tools/text", f"{_SPEED}/documents.py"),
    ),
    Subject(
        "mail-search", "speed", "Searching mail on a server", "bench.speed.mail_search",
        (*(f"{_PACKAGE}/tools/mail/{name}.py" for name in ("catalogue", "index", "indexed", "seen")), f"{_SPEED}/mail_search.py"),
    ),
    Subject("startup", "speed", "Start-up", "bench.speed.startup", (_PACKAGE, f"{_SPEED}/startup.py")),
    Subject("everyday", "behaviour", "Forty everyday requests", "bench.everyday", (*_ASKED, *_TOOLS, f"{_PACKAGE}/demo", "bench/everyday", "examples/everyday")),
    Subject("attacks", "behaviour", "Attacks that were made public", "bench.attacks --without-each", (*_ASKED, *_TOOLS, *_JOURNAL, *_LATER, "bench/attacks", "bench/home", "bench/labels_off.py")),
    Subject("dojo", "behaviour", "AgentDojo", "bench.dojo table", (*_ASKED, *_DECLARED, *_DECLARED_THERE, *_DOJO, *_WRITTEN, "bench/labels_off.py")),
    Subject("dojo-model", "behaviour", "AgentDojo by real models", "bench.dojo model", (*_ASKED, *_DECLARED, *_DECLARED_THERE, *_EMBEDDED, *_MODELS, *_DOJO, "bench/dojo/model", "bench/models.py")),
    Subject("requests", "behaviour", "Twenty requests by the embedded model", "bench.requests --seeds 3", (*_ASKED, *_TOOLS, _HOME, *_EMBEDDED, "bench/requests", "bench/models.py")),
)  # fmt: skip


def subject(name: str) -> Subject | None:
    """The subject of a result with this name, if it is one of these."""
    return next((each for each in SUBJECTS if each.name == name), None)
