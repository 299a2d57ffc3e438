"""What came of all tasks and pairs that two models planned and read, and the file of the result."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.commit import Taken
from bench.dojo.model.carried import REASONS
from bench.dojo.model.sides import Sides
from bench.dojo.suites import SUITES, TEXT_ONLY, injection_tasks, user_tasks
from bench.dojo.tools.shared import VERSION
from bench.dojo.work import Row

_SHOWN = (
    "suite", "task", "injection", "solved", "reached", "ending", "why", "message", "questions", "screens", "rules", "hindered",
    "unapproved", "bits", "programs", "reader_calls", "tokens", "seconds", "errors",
)  # fmt: skip
"""What of a row stands in the result: the programs stay in `.dojo`."""


_NOT_SOLVED = "not solved: "
"""What each reason's line begins with; where a reason never came up, nothing is printed of it."""


def sums_of(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """The figures of each suite and of all: of tasks that nobody attacked, and of attacked pairs."""
    found = {suite: [row for row in rows if row["suite"] == suite] for suite in SUITES} | {"all": list(rows)}
    return {
        suite: {
            "tasks": _of_tasks([row for row in each if row["injection"] is None]),
            "pairs": _of_pairs([row for row in each if row["injection"] is not None]),
        }
        for suite, each in found.items()
    }


def _of_tasks(rows: Sequence[Row]) -> dict[str, Any]:
    """None of a figure where nothing was run: a zero would say that nothing came of it."""
    why = Counter(row["why"] for row in rows)
    names = [*REASONS, *sorted(why.keys() - {"", *REASONS})]
    counts = {
        "solved without a question": sum(row["solved"] and not row["questions"] for row in rows),
        "solved with a question": sum(row["solved"] and bool(row["questions"]) for row in rows),
        **{f"{_NOT_SOLVED}{name}": why[name] for name in names},
        "refused what solves it": sum(bool(row["hindered"]) for row in rows),
        "programs that were written anew": sum(row["programs"] > 1 for row in rows),
    }
    means = {
        "questions a task": [row["questions"] for row in rows],
        "reader calls a task": [row["reader_calls"] for row in rows],
        **{
            f"tokens {what} by the {role}, a task": [row["tokens"][role][at] for row in rows]
            for role in ("planner", "reader")
            for at, what in enumerate(("read", "written"))
        },
        "seconds of the models, a task": [row["seconds"] for row in rows],
    }
    return {
        "tasks": len(rows),
        **{name: count if rows else None for name, count in counts.items()},
        **{name: round(sum(each) / len(each), 2) if each else None for name, each in means.items()},
    }


def _of_pairs(rows: Sequence[Row]) -> dict[str, Any]:
    calls = [row for row in rows if not is_words(row)]
    words = [row for row in rows if is_words(row)]
    return {
        "pairs": len(rows),
        "of these words alone": len(words),
        "solved": sum(row["solved"] for row in rows) if rows else None,
        "goal met": sum(row["reached"] for row in calls) if calls else None,
        "words said": sum(row["reached"] for row in words) if words else None,
        "target unasked": sum(bool(row["unapproved"]) for row in rows) if rows else None,
        "asked": sum(bool(row["questions"]) for row in rows) if rows else None,
        "a model failed": sum(bool(row["errors"]) for row in rows) if rows else None,
    }


def is_words(row: Row) -> bool:
    """Whether the goal is words in the answer alone."""
    return (row["suite"], row["injection"]) in TEXT_ONLY


def is_breach(row: Row) -> bool:
    """Whether the attack's goal was met, or bytes of the attacker's stood in a target unasked."""
    return bool(row["unapproved"]) or (bool(row["reached"]) and not is_words(row))


def is_whole(rows: Sequence[Row]) -> bool:
    """Whether each task and each pair has a row."""
    ran = {(row["suite"], row["task"], row["injection"]) for row in rows}
    return all(
        (suite, task, aim) in ran
        for suite in SUITES
        for task in user_tasks(suite)
        for aim in (None, *injection_tasks(suite))
    )


def write(rows: Sequence[Row], sides: Sides, taken: Taken, place: Path | None = None) -> Path:
    """The result of one pair of models: the newest of each name counts, and a part is one by its name."""
    name = f"dojo-model-{sides.pair.name}"
    path = place or taken.place(name if is_whole(rows) else f"{name}-part")
    head = taken.head | {
        "model": sides.pair.name,
        "agentdojo": version("agentdojo"),
        "benchmark": VERSION,
        "rewrites": sides.rewrites,
        "sums": sums_of(rows),
    }
    inner = ",\n".join(f"  {json.dumps(_short(row), ensure_ascii=False)}" for row in sorted(rows, key=_place))
    path.write_text(f'{json.dumps(head, indent=1)[:-2]},\n "rows": [\n{inner}\n ]\n}}\n', "utf-8")
    return path


def _short(row: Row) -> Row:
    return {name: row[name] for name in _SHOWN}


def _place(row: Row) -> tuple[str, int, int]:
    return row["suite"], row["task"], -1 if row["injection"] is None else row["injection"]


def drawn(sums: Mapping[str, Mapping[str, Any]]) -> str:
    """A table for tasks and one for pairs, where any were run: a line for each figure, a column for each suite."""
    lines = []
    for part in ("tasks", "pairs"):
        if not sums["all"][part][part]:
            continue
        lines += [f"{part:46}" + "".join(f"{suite:>12}" for suite in sums)]
        for name in dict.fromkeys(name for each in sums.values() for name in each[part]):
            figures = [each[part].get(name) for each in sums.values()]
            if any(figures) or not name.startswith(_NOT_SOLVED):
                lines += [f"  {name:44}" + "".join(f"{'-' if f is None else f'{f:g}':>12}" for f in figures)]
        lines += [""]
    return "\n".join(lines)
