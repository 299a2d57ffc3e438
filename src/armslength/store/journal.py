"""What a journal holds: the entries of one run, in its order.

An entry is a *crossing* (something came from outside the controller) or a *note* (something the controller decided). Entries are written
to disk before the run goes on; what went on beside the program, where its answer was first needed or a change had to wait for it. Kinds of
notes, in the order of a run: `begun`, `request`, `program`, then `reading`, `answer`, `decision` and `started` as they come, and `end`.
Notes *about* a run stand between them: `resumed`, `found`, `cancelled`, `failed`, `undoing` and `undone` (or `stayed`) around each inverse. A crossing
says when it was asked (`at`) and how many seconds it took (`took`); earlier versions left both out.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from armslength.events import Crossing

Entry = dict[str, Any]

FORMAT = 2
"""Written into `begun`. In the first format reads were not recorded where a change waited for them, and less was said of effects."""
ABOUT = frozenset({"resumed", "found", "cancelled", "failed", "undoing", "undone", "stayed"})
"""Kinds of notes about a run. The run itself did not make them, so it does not make them again."""


def crossing_entry(crossed: Crossing) -> Entry:
    """The entry for what came from outside."""
    entry: Entry = {"entry": "crossing", "kind": crossed.kind, "name": crossed.name, "asked": crossed.asked}
    entry["answered"] = crossed.answered
    if crossed.failed is not None:
        entry["failed"] = crossed.failed
    if crossed.at:
        entry |= {"at": crossed.at, "took": crossed.took}
    return entry


def note_entry(kind: str, content: Entry) -> Entry:
    """The entry for what the controller did."""
    return {"entry": "note", "kind": kind, **content}


def of_the_run(entries: Iterable[Entry]) -> list[Entry]:
    """The entries as if the run had never been cut off: without what is about it, and without what was asked anew when it went on."""
    found: list[Entry] = []
    for entry in entries:
        if not _is_about(entry):
            found.append(entry)
        elif entry["kind"] == "resumed":
            void = entry.get("void")
            del found[len(found) - void if type(void) is int and 0 < void <= len(found) else len(found) :]
    return found


def asked_anew(entries: Iterable[Entry]) -> int:
    """How many of the last entries are asked anew when a run goes on: how things were, on which nothing was decided since."""
    found = of_the_run(entries)
    count = 0
    while count < len(found) and found[-1 - count].get("kind") in _PASSING:
        count += 1
    return count


_PASSING = frozenset({"resolve", "grants", "grant"})
"""Kinds of crossings that say how things were at that moment."""


def _is_about(entry: Entry) -> bool:
    return entry.get("entry") == "note" and entry.get("kind") in ABOUT


class MemoryJournal:
    """A journal that stays in memory: for tests, and for whoever keeps none."""

    def __init__(self, started: datetime) -> None:
        """What is kept of a run by its name (a yes for it alone, what an effect left) is no other run's of the same second."""
        self.run = f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        self.entries: list[Entry] = []

    def crossing(self, crossed: Crossing) -> None:
        """Keep what came from outside."""
        self.entries.append(crossing_entry(crossed))

    def note(self, kind: str, content: Entry) -> None:
        """Keep what the controller did."""
        self.entries.append(note_entry(kind, content))

    def waits(self) -> None:
        """Nobody looks."""

    def close(self) -> None:
        """The run has ended."""
