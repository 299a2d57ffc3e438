"""Journals as earlier versions wrote them: a file of JSON lines for each run. They are read, and no more are written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from armslength.errors import OperatorError
from armslength.store.journal import Entry
from armslength.store.runs import Run, State, state_after


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


def list_journals(folder: Path) -> list[str]:
    """The runs that have a journal here, oldest first."""

    def order(run: str) -> tuple[str, int]:
        stem, _, number = run.rpartition("-")
        return stem, int(number) if number.isdigit() else 0

    return sorted((path.stem for path in folder.glob("*.jsonl")), key=order) if folder.is_dir() else []


class LineRuns:
    """A folder of such journals."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """The runs, oldest first."""
        return list_journals(self._folder)

    def entries(self, run: str) -> list[Entry]:
        """The entries of a run.

        Raises:
            OperatorError: it cannot be read, or is damaged.
        """
        return list(read_journal(self._folder / f"{run}.jsonl"))

    def listed(self) -> list[Run]:
        """Each run with what is known of it. A damaged journal counts as cut off where the damage is."""
        return [self._listed(run) for run in self.names()]

    def _listed(self, run: str) -> Run:
        state: State = "cut off"
        request, ending = "", ""
        started = ""
        try:
            for entry in read_journal(self._folder / f"{run}.jsonl"):
                match entry:
                    case {"kind": "clock", "answered": str(text)}:
                        started = text
                    case {"kind": "request", "text": str(text)}:
                        request = text
                    case _:
                        after = state_after(entry)
                        state, ending = after if after is not None else (state, ending)
        except OperatorError:
            state = "cut off"
        return Run(run, started, state, ending, request)

    def purge(self, before: datetime) -> list[str]:
        """Remove those that were written to last before then.

        Raises:
            OperatorError: one cannot be removed.
        """
        gone = []
        for run in self.names():
            with _removing(path := self._folder / f"{run}.jsonl"):
                if datetime.fromtimestamp(path.stat().st_mtime, tz=UTC) < before:
                    path.unlink()
                    gone.append(run)
        return gone

    def remove(self, run: str) -> None:
        """Remove one.

        Raises:
            OperatorError: it cannot be removed.
        """
        with _removing(path := self._folder / f"{run}.jsonl"):
            path.unlink()


@contextmanager
def _removing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OperatorError(f"the journal {path.name} cannot be removed: {error.strerror}") from error
