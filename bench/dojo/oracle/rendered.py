"""Rendered data read back: the records of a list and the fields of a record, as `armslength.agent.quarantined.fence` writes them.

A text of several lines is indented below its name, so that whatever stands in it is no field and no record here.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+\.(?: (.*))?$")
_NAME = re.compile(r"(\w+):(?: (.*))?$")


def items(data: str) -> list[str]:
    """The items of a list, each as it would stand alone."""
    return [text for _number, text in _entries(data, _NUMBER)]


def fields(data: str) -> dict[str, str]:
    """The fields of a record by name, each as it would stand alone; of a name that comes twice the first."""
    found: dict[str, str] = {}
    for name, text in _entries(data, _NAME):
        found.setdefault(name, text)
    return found


def records(data: str) -> list[dict[str, str]]:
    """A list of records, each by the names of its fields."""
    return [fields(item) for item in items(data)]


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order. What stands on a line of its own is one."""
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.strip()]


def _entries(data: str, head: re.Pattern[str]) -> list[tuple[str, str]]:
    """What each line at the left margin begins, with the lines that are indented below it."""
    found: list[tuple[str, list[str]]] = []
    for line in data.split("\n"):
        begins = head.match(line)
        if begins is not None:
            first = begins.group(begins.re.groups)
            found.append((begins.group(1) or "", [] if first is None else [first]))
        elif found and (not line or line.startswith("  ")):
            found[-1][1].append(line[2:])
    return [(name, "\n".join(lines).strip("\n")) for name, lines in found]
