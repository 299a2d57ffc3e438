"""The calls that solve a task, written out with what AgentDojo knows of the environment: no planner could, but what it does is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.dojo.suites import truth, user_tasks


def literal(suite: str, task: int, changed: Mapping[tuple[int, str], Any] | None = None) -> str:
    """The program. `changed`: other arguments, by the place of the call and the parameter."""
    lines = []
    for place, (name, args) in enumerate(truth(suite, task)):
        given = {key: (changed or {}).get((place, key), value) for key, value in args.items()}
        lines.append(f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})")
    return "\n".join([*lines, f"answer({user_tasks(suite)[task].GROUND_TRUTH_OUTPUT!r})"])
