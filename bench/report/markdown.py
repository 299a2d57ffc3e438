"""docs/results.md: the same figures as text. But for what is old it depends on the results alone, so that a test can hold it against them."""

from __future__ import annotations

from bench.report.blocks import Block, Table, shown
from bench.report.whole import PARTS, STATES, Report, overview, plots, source_of, unmeasured

_NEVER = "Nothing of this was measured."
HEAD = """# Results

<!-- Written by `python -m bench.report` from bench/results and bench/history.jsonl; change those, not this. -->

What was measured, by which command, of which commit; [Measuring](measuring.md) says how. What the README says of a measurement stands
here. `python -m bench.stale` says which results are older than the code that they speak of; `make bench` draws the same with plots.
"""


def markdown(whole: Report) -> str:
    """The whole page."""
    parts = [
        HEAD,
        f"Version {whole.version}; the newest result is of {whole.day}.",
        drawn(overview(whole)),
        STATES,
        "## What was not measured",
    ]
    parts.append("\n".join(f"- {each}" for each in unmeasured(whole)))
    for kind, title in PARTS.items():
        parts.append(f"## {title}")
        measured = [each for each in whole.of(kind) if each.section is not None]
        parts += [] if measured else [_NEVER]
        for each in measured:
            if each.section is not None:
                parts += [f"### {each.section.title}", source_of(each), *filter(None, map(drawn, each.section.blocks))]
    parts += [
        "## How the figures went",
        "The newest figure of each name, and how many measurements `bench/history.jsonl` has of it:",
    ]
    parts.append(drawn(Table(("subject", "figure", "before", "newest", "measurements"), tuple(_went(whole)))))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _went(whole: Report) -> list[tuple[str, str, float | None, float, int]]:
    found = []
    for title, plot in plots(whole):
        for name, points in plot.lines:
            before = points[-2][1] if len(points) > 1 else None
            found.append((title, name, before, points[-1][1], len(points)))
    return found


def drawn(block: Block) -> str:
    """A block as Markdown; plots are for the page alone."""
    match block:
        case str():
            return block
        case Table(head, rows):
            numbers = [at > 0 and any(isinstance(row[at], int | float) for row in rows) for at in range(len(head))]
            lines = [head, tuple("---:" if is_number else "---" for is_number in numbers)]
            lines += [tuple(shown(cell).replace("|", "\\|") for cell in row) for row in rows]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case _:
            return ""
