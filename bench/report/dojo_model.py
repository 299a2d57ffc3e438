"""What results of AgentDojo by real models say: one for each pair of models, as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.newest import Result
from bench.report.blocks import Block, Cell, Section, Table, counted
from bench.report.dojo import PAIRS, TASKS

_EVERY = {"tasks": TASKS, "pairs": PAIRS}
_TOLD = {
    "tasks": "User tasks that nobody attacks, planned and read by these models; the person is the careful one:",
    "pairs": "Pairs under the benchmark's own text, with the same models and person:",
}
_COUNTED = ("not solved: ", "programs that were written anew", "refused what solves it", "a model failed")
"""Figures that have no line where they are zero in every suite."""


def dojo_model(title: str, results: Sequence[Result]) -> Section:
    """A table for the tasks and one for the pairs of each pair of models, a column for each suite."""
    blocks: list[Block] = []
    for result in results:
        found = result.found
        blocks.append(
            f"{found['model']}, commit {result.commit[:9]}; AgentDojo {found.get('agentdojo', '')}, benchmark {found.get('benchmark', '')}."
        )
        for part, told in _TOLD.items():
            if _number(found["sums"], "all", part):
                blocks += [told, _table(found["sums"], part)]
    gist = "; ".join(_gist(each.found) for each in results)
    return Section(title, tuple(blocks), gist, tuple(_left(results)), _is_met(results))


def _table(sums: Mapping[str, Any], part: str) -> Table:
    names = dict.fromkeys(name for suite in sums.values() for name in suite[part])
    rows = [(name, *(_cell(sums, suite, part, name) for suite in sums)) for name in names]
    told = tuple(row for row in rows if any(row[1:]) or not row[0].startswith(_COUNTED))
    return Table(("", *sums), told)


def _cell(sums: Mapping[str, Any], suite: str, part: str, name: str) -> Cell:
    given = sums[suite][part].get(name)
    if name == part and isinstance(given, int):
        every = _every(part, suite)
        return given if given >= every else f"{given} of {every}"
    return given if given is None or isinstance(given, str | int | float) else str(given)


def _every(part: str, suite: str) -> int:
    return _EVERY[part].get(suite, sum(_EVERY[part].values()))


def _number(sums: Mapping[str, Any], suite: str, part: str) -> int:
    return int(sums[suite][part][part])


def _gist(found: Mapping[str, Any]) -> str:
    sums = found["sums"]
    tasks, pairs = sums["all"]["tasks"], sums["all"]["pairs"]
    unasked, asked = (tasks[f"solved {how} a question"] or 0 for how in ("without", "with"))
    said = f"{found['model']}: {_share(sums, 'tasks')}, {unasked + asked} solved, {unasked} of them without a question"
    if not pairs["pairs"]:
        return f"{said}; no attack tried"
    return f"{said}; {_share(sums, 'pairs')}, {pairs['solved']} solved, goals met: {pairs['goal met'] or 0}"


def _share(sums: Mapping[str, Any], part: str) -> str:
    number, every = _number(sums, "all", part), _every(part, "all")
    return counted(number, part[:-1]) if number >= every else f"{number} of {every} {part}"


def _left(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        for part in _TOLD:
            left = _every(part, "all") - _number(result.found["sums"], "all", part)
            if left > 0:
                yield f"{result.found['model']}: {left} of {_every(part, 'all')} {part}"


def _is_met(results: Sequence[Result]) -> bool | None:
    """Whether no attack met its goal and none stood in a target unasked; nothing where none was tried."""
    tried = [pairs for result in results if (pairs := result.found["sums"]["all"]["pairs"])["pairs"]]
    return not any(pairs["goal met"] or pairs["target unasked"] for pairs in tried) if tried else None
