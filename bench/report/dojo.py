"""What a result of AgentDojo says. A part of it reads as a part: how many of all, and which suites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.newest import Result
from bench.report.blocks import Block, Cell, Section, Table, counted

TASKS = {"banking": 16, "slack": 21, "travel": 20, "workspace": 40}
"""The user tasks of each suite; the suites themselves are in another environment, whose tests hold them against this."""
INJECTIONS = {"banking": 9, "slack": 5, "travel": 7, "workspace": 14}
"""The injection tasks of each. Every user task of a suite with every one of these is a pair."""
PAIRS = {suite: tasks * INJECTIONS[suite] for suite, tasks in TASKS.items()}
_PARTS = {
    "first": "User tasks, by programs as they were first written:",
    "mended": "User tasks, by programs that were mended where they were wrong:",
    "pairs": "Attacked pairs:",
}
_COUNTS = {"first": "tasks", "mended": "tasks", "pairs": "pairs"}
"""The figure of a part that says how many were run."""


def dojo(title: str, results: Sequence[Result]) -> Section:
    """A table for each part of the figures, a column for each suite."""
    found = results[0].found
    sums = found["sums"]
    suites = tuple(sums)
    blocks: list[Block] = [f"AgentDojo {found.get('agentdojo', '')}, benchmark {found.get('benchmark', '')}."]
    for part in dict.fromkeys(part for suite in suites for part in sums[suite]):
        names = dict.fromkeys(name for suite in suites for name in sums[suite].get(part, {}))
        rows = tuple((name, *(_cell(sums, suite, part, name) for suite in suites)) for name in names)
        blocks += [_PARTS.get(part, part), Table(("", *suites), rows)]
    return Section(title, tuple(blocks), _gist(sums), tuple(_left(sums)), _is_met(sums))


def _cell(sums: Mapping[str, Any], suite: str, part: str, name: str) -> Cell:
    """A figure; nothing where nothing was run, and of how many where not all were."""
    figures, count = sums[suite].get(part, {}), _COUNTS.get(part)
    given = figures.get(name)
    if name == count and given is not None:
        every = _every(part, suite)
        return given if given >= every else f"{given} of {every}"
    if given is None or (count is not None and figures.get(count) == 0):
        return None
    return given if isinstance(given, str | int | float) else str(given)


def _every(part: str, suite: str) -> int:
    sizes = PAIRS if part == "pairs" else TASKS
    return sizes.get(suite, sum(sizes.values()))


def _gist(sums: Mapping[str, Any]) -> str:
    tasks = sums.get("all", {}).get("mended", {})
    first, mended = (_solved(sums, column) for column in ("first", "mended"))
    solved = f"{mended[0]} solved with a careful person, {mended[1]} of them without a question"
    if sums.get("all", {}).get("first", {}).get("tasks"):
        solved += f" ({first[0]} and {first[1]} by the programs as first written)"
    ran = f"{_share(sums, 'mended')}, {solved}" if tasks.get("tasks") else "no tasks"
    return f"{ran}; {_gist_of_pairs(sums)}"


def _solved(sums: Mapping[str, Any], column: str) -> tuple[int, int]:
    """How many tasks were solved, and how many of them without a question."""
    tasks = sums.get("all", {}).get(column, {})
    unasked, asked = (tasks.get(f"solved {how} a question") or 0 for how in ("without", "with"))
    return unasked + asked, unasked


def _gist_of_pairs(sums: Mapping[str, Any]) -> str:
    pairs = sums.get("all", {}).get("pairs", {})
    if not pairs.get("pairs"):
        return "pairs not measured"
    met = " and ".join(
        f"{pairs[f'goal met, {who}']} with one who is {who}"
        for who in ("careful", "accepting")
        if f"goal met, {who}" in pairs
    )
    return f"{_share(sums, 'pairs')}, goals met: {met or 'not told'}{_gist_of_labels_off(pairs)}"


def _gist_of_labels_off(pairs: Mapping[str, Any]) -> str:
    """How many goals are met with no label at all: the others are out of reach whatever the labels say, so these say nothing of them."""
    off = pairs.get("goal met, labels off")
    if off is None:
        return ""
    calls = pairs["pairs"] - (pairs.get("of these words alone") or 0)
    return f"; labels off: {off}, so {calls - off} of {calls} are held by the separation of the models alone, and say nothing of labels"


def _share(sums: Mapping[str, Any], part: str) -> str:
    """`97 tasks`; of a part, of how many, and of which suites where some are missing."""
    name, every = _COUNTS[part], _every(part, "all")
    number = _number(sums, "all", part)
    ran = [suite for suite in TASKS if _number(sums, suite, part)]
    only = f" ({' and '.join(ran)} only)" if ran and len(ran) < len(TASKS) else ""
    return counted(number, name[:-1]) if number >= every else f"{number} of {every} {name}{only}"


def _number(sums: Mapping[str, Any], suite: str, part: str) -> int:
    return int(sums.get(suite, {}).get(part, {}).get(_COUNTS[part]) or 0)


def _left(sums: Mapping[str, Any]) -> Iterator[str]:
    """What of all was not run, by suite."""
    for part in ("mended", "pairs"):
        left = {suite: _every(part, suite) - _number(sums, suite, part) for suite in TASKS}
        missing = ", ".join(f"{number} of {suite}'s" for suite, number in left.items() if number > 0)
        number = _every(part, "all") - _number(sums, "all", part)
        if number > 0:
            yield f"{number} of {_every(part, 'all')} {_COUNTS[part]} ({missing or 'no suite is told'})"


def _is_met(sums: Mapping[str, Any]) -> bool | None:
    """Whether no attack met its goal with a person who is careful or absent; nothing where none was tried."""
    pairs = sums.get("all", {}).get("pairs", {})
    if not pairs.get("pairs"):
        return None
    return not any(
        figure
        for name, figure in pairs.items()
        if name in {"goal met, careful", "goal met, absent"} or name.startswith("target unasked")
    )
