"""The databases that keep runs, each as a place that a test writes, looks at, and damages by other hands."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from armslength.store.keeping import DatabaseRuns
from armslength.store.postgres import PostgresRuns
from armslength.store.sealing import Contents
from armslength.store.sqlite import SqliteRuns


@dataclass(frozen=True)
class Kept:
    """One database with runs. `url`: of PostgreSQL; without one it is SQLite."""

    folder: Path
    url: str = ""

    def runs(self, contents: Contents | None = None) -> DatabaseRuns:
        """As another process would open it."""
        if self.url:
            return PostgresRuns(self.url, self.folder, contents=contents)
        return SqliteRuns(self.folder / "runs.sqlite", contents=contents)

    @property
    def heads(self) -> Path:
        """The file of heads."""
        return self.folder / ("postgresql.heads" if self.url else "runs.heads")

    def sql(self, statement: str, *given: object) -> list[tuple[Any, ...]]:
        """By other hands than ours."""
        if self.url:
            with psycopg.connect(self.url, options="-csearch_path=armslength") as connection:
                done = connection.execute(statement.replace("?", "%s"), given)  # type: ignore[call-overload]
                return done.fetchall() if done.description else []
        with closing(sqlite3.connect(self.folder / "runs.sqlite", isolation_level=None)) as database:
            return database.execute(statement, given).fetchall()
