"""Which times of a schedule came, and which run each began: so that none begins twice, and none that was due is forgotten.

One process at a time begins them, by a lock on a file beside the table; a run is named in its row before anything of it happens.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from armslength.database_file import changed
from armslength.errors import OperatorError
from armslength.own_folder import make_own

_TABLE = "CREATE TABLE IF NOT EXISTS tasks (task TEXT PRIMARY KEY, at TEXT, run TEXT, begun INTEGER, marks TEXT)"


@dataclass(frozen=True, slots=True)
class Occasion:
    """The last time of a task that came. `run`: the last that the task began, at this time or an earlier one; empty if none. `marks`: of inboxes."""

    at: datetime
    run: str
    is_begun: bool
    marks: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Occasions:
    """The table, one row a task. Nothing is made before something is written."""

    path: Path

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether this process is the one that begins what is due, while the block lasts.

        Raises:
            OperatorError: the lock's file cannot be written.
        """
        lock = self._locked()
        try:
            yield lock is not None
        finally:
            if lock is not None:
                lock.close()

    def _locked(self) -> IO[str] | None:
        """The file that has the lock until it is closed; None where another process has it."""
        try:
            make_own(self.path.parent)
            lock = self.path.with_suffix(".lock").open("a")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                lock.close()
                raise
        except BlockingIOError:
            return None
        except OSError as error:
            raise OperatorError(f"{self.path}: the schedule cannot be kept ({error.strerror})") from error
        return lock

    def last(self, task: str) -> Occasion | None:
        """The last time of a task that came; None before the first look."""
        if not self.path.exists():
            return None
        with self._opened() as database:
            row = database.execute("SELECT at, run, begun, marks FROM tasks WHERE task = ?", (task,)).fetchone()
        if row is None:
            return None
        marks = {account: (mark[0], mark[1]) for account, mark in json.loads(row[3]).items()}
        return Occasion(datetime.fromisoformat(row[0]), row[1], bool(row[2]), marks)

    def came(self, task: str, at: datetime, marks: Mapping[str, tuple[str, str]], *, begins: bool) -> None:
        """A time came. `begins`: a run is to begin, and has not yet. The last run stays known until another begins."""
        with self._opened() as database:
            database.execute(
                "INSERT INTO tasks VALUES (?, ?, '', ?, ?) ON CONFLICT (task) DO UPDATE "
                "SET at = excluded.at, begun = excluded.begun, marks = excluded.marks",
                (task, at.isoformat(), not begins, json.dumps(marks)),
            )

    def begun(self, task: str, run: str) -> None:
        """The run that it began has this name, and nothing of it has happened yet. Empty: none could begin, and none is tried again."""
        with self._opened() as database:
            database.execute(
                "UPDATE tasks SET run = coalesce(nullif(?, ''), run), begun = 1 WHERE task = ?", (run, task)
            )

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with changed(self.path, _TABLE) as database:
                yield database
        except (OSError, sqlite3.Error) as error:
            raise OperatorError(
                f"{self.path}: the schedule cannot be kept ({error}); correct that, or remove it"
            ) from error
