"""bench/history.jsonl: one line for each result with figures, by name, date and commit. Lines are added at the end and never changed.

So the figures stay when the file of a result is no longer kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.commit import ROOT
from bench.newest import Result, listed
from bench.report.figures import Figures, figures_of

HISTORY = ROOT / "bench" / "history.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one result."""

    name: str
    date: str
    commit: str
    figures: Figures

    @property
    def key(self) -> tuple[str, str, str]:
        """Which result it is of."""
        return self.name, self.date, self.commit


def row_of(result: Result) -> Row:
    """What is kept of a result."""
    return Row(result.name, result.moment, result.commit, figures_of(result))


def kept(path: Path = HISTORY) -> list[Row]:
    """All lines, as they were added."""
    if not path.exists():
        return []
    return [Row(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def missing(results: Sequence[Result], rows: Sequence[Row]) -> list[Row]:
    """What has figures and no line yet, oldest first. Sources that were not committed leave no line: nobody could measure them again."""
    known = {row.key for row in rows}
    found = [row_of(result) for result in results if result.is_committed]
    return [row for row in found if row.figures and row.key not in known]


def add(path: Path = HISTORY) -> list[Row]:
    """Add the lines that are missing. All lines then."""
    rows = kept(path)
    more = missing(listed(), rows)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in more)
    return rows + more
