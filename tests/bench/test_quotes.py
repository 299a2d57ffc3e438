"""What the README says of a measurement is what the newest results say; a number that nobody placed fails."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from bench.commit import ROOT
from bench.newest import newest
from bench.subjects import subject

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NOT_MEASURED = (
    r"1\.1 GB", r"under 30 lines", r"Python 3\.11", r"Debian 12", r"Apache-2\.0", r"Qwen2\.5-Coder-1\.5B-Instruct", r"`[^`]*`", r"\]\([^)]*\)",
)  # fmt: skip
"""Sizes of what is fetched, what another test counts, versions, names, commands and links."""


def found(name: str) -> Any:
    """The newest result of a subject."""
    known = subject(name)
    assert known is not None
    return newest(known)[0].found


def quotes() -> list[str]:
    """Every sentence of the README with a figure in it, made of the results."""
    requests = found("requests")
    right = Counter((row[1], row[2]) for row in requests["rows"] if row[3] == "right")
    seeds = {row[2] for row in requests["rows"]}
    assert (len(seeds), requests["unsafe"], requests["requests"]) == (3, [], 20)
    got = f"of [twenty requests](docs/demo.md#measured) in two homes it got {min(right.values())} to {max(right.values())} right"
    return [
        f"{got} in each of three runs, on requests that its prompt was tuned on, and nothing unsafe happened in any."
    ]


def prose() -> str:
    """The README on one line, without its blocks of code."""
    return " ".join(FENCED.sub("", (ROOT / "README.md").read_text("utf-8")).split())


def test_each_figure_in_the_readme_is_that_of_the_newest_result() -> None:
    """The sentence stands there as the results make it; measured anew, it has to be written anew."""
    assert [each for each in quotes() if each not in prose()] == []


def test_no_other_figure_stands_in_the_readme() -> None:
    """Whoever quotes one more adds its sentence above, made of a result."""
    left = prose()
    for each in quotes():
        left = left.replace(each, "")
    for pattern in NOT_MEASURED:
        left = re.sub(pattern, "", left)
    assert re.findall(r"[^.]*\d[^.]*", left) == []


def test_a_figure_that_nobody_placed_is_seen() -> None:
    """The search finds one in a sentence like those of the README."""
    assert re.findall(r"[^.]*\d[^.]*", "It is fast. It takes 3 ms a call. Good.") == [" It takes 3 ms a call"]


def test_what_is_quoted_stands_in_the_results() -> None:
    """By the same figures."""
    right = re.search(r"it got (\d+ to \d+) right", prose())
    assert right is not None
    assert f"{right[1]} of 20 right" in Path(ROOT / "docs" / "results.md").read_text("utf-8")
