"""The journal of a run: one JSON line an entry, in a file of its own that only the user can read.

An entry is a *crossing* (something came from outside the controller) or a *note* (something the controller decided). Entries are written
to disk before the run goes on; what went on beside the program, where its answer was first needed. Kinds of notes, in the order of a run:
`begun`, `request`, `program`, then `reading`, `answer`, `decision` and `started` as they come, and `end`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.errors import OperatorError
from armslength.events import Crossing

Entry = dict[str, Any]


class Journal:
    """The journal of one run, being written."""

    def __init__(self, folder: Path, started: datetime) -> None:
        """A new file in `folder`, named by the start of the run.

        Raises:
            OperatorError: it cannot be made.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.run, self._file = _create(folder, started)
        except OSError as error:
            raise OperatorError(f"the journal folder {folder} cannot be written: {error.strerror}") from error

    def crossing(self, crossed: Crossing) -> None:
        """Write down what came from outside."""
        self._write(_crossing_entry(crossed))

    def note(self, kind: str, content: Entry) -> None:
        """Write down what the controller did."""
        self._write({"entry": "note", "kind": kind, **content})

    def close(self) -> None:
        """The run has ended."""
        os.close(self._file)

    def _write(self, entry: Entry) -> None:
        line = json.dumps(entry, ensure_ascii=True, sort_keys=True) + "\n"
        view = memoryview(line.encode("ascii"))
        try:
            while view:
                view = view[os.write(self._file, view) :]
            os.fsync(self._file)
        except OSError as error:
            raise OperatorError(f"the journal {self.run} cannot be written: {error.strerror}") from error


def _crossing_entry(crossed: Crossing) -> Entry:
    entry: Entry = {"entry": "crossing", "kind": crossed.kind, "name": crossed.name, "asked": crossed.asked}
    entry["answered"] = crossed.answered
    if crossed.failed is not None:
        entry["failed"] = crossed.failed
    return entry


def _create(folder: Path, started: datetime) -> tuple[str, int]:
    stem = started.strftime("%Y%m%d-%H%M%S")
    for number in range(1, 10_000):
        run = f"{stem}-{number}"
        try:
            return run, os.open(folder / f"{run}.jsonl", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        except FileExistsError:
            continue
    raise FileExistsError(f"too many runs at {stem}")


def read_journal(path: Path) -> Iterator[Entry]:
    """The entries of a journal in order. A last line that was cut off is left out: the run died while writing it.

    Raises:
        OperatorError: it cannot be read, or a line before the last is damaged.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise OperatorError(f"the journal {path.name} cannot be read: {error.strerror}") from error
    whole, rest = lines[:-1], lines[-1]
    for number, line in enumerate(whole, 1):
        entry = _entry(line)
        if entry is None:
            raise OperatorError(f"the journal {path.name} is damaged in line {number}")
        yield entry
    last = _entry(rest)
    if last is not None:
        yield last


def _entry(line: bytes) -> Entry | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def list_runs(folder: Path) -> list[str]:
    """The runs that have a journal here, oldest first."""

    def order(run: str) -> tuple[str, int]:
        stem, _, number = run.rpartition("-")
        return stem, int(number) if number.isdigit() else 0

    return sorted((path.stem for path in folder.glob("*.jsonl")), key=order) if folder.is_dir() else []


class MemoryJournal:
    """A journal that stays in memory: for tests, and for whoever keeps none."""

    def __init__(self, started: datetime) -> None:
        self.run = started.strftime("%Y%m%d-%H%M%S")
        self.entries: list[Entry] = []

    def crossing(self, crossed: Crossing) -> None:
        """Keep what came from outside."""
        self.entries.append(_crossing_entry(crossed))

    def note(self, kind: str, content: Entry) -> None:
        """Keep what the controller did."""
        self.entries.append({"entry": "note", "kind": kind, **content})

    def close(self) -> None:
        """The run has ended."""
