"""The local copy of a collection: what lay there when it was asked last, so that a search asks only for what changed.

One SQLite file of mode 600 for each collection, in the state folder. It can be removed at any time: then all is asked for again. What is in
it is the server's word like any answer; labels are not kept here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from armslength.database_file import connected, transaction
from armslength.errors import ToolError
from armslength.tools.locking import Lock

_VERSION = 1
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS item (path TEXT PRIMARY KEY, etag TEXT NOT NULL, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """A resource: its path on the server, its strong entity tag (nothing where it has none), its bytes."""

    path: str
    etag: str
    content: bytes


class Copy:
    """The copy at one file. Several processes may use it; one brings it up to date at a time."""

    def __init__(self, file: Path) -> None:
        """Nothing is made before it is first held."""
        self._file, self._lock = file, Lock(file)
        self._open: sqlite3.Connection | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within the block nobody else changes it. A file that cannot be read is made anew.

        Raises:
            ToolError: it cannot be made, or another process holds it too long.
        """
        with self._lock.held():
            if self._open is not None:  # held already
                yield
                return
            try:
                self._open = self._opened()
            except sqlite3.Error:
                self._remove()
                self._open = self._opened()
            try:
                yield
            except sqlite3.Error as error:
                raise ToolError(
                    f"the copy {self._file.name} cannot be used; remove it, and all is asked for again"
                ) from error
            finally:
                self._open.close()
                self._open = None

    def items(self) -> list[Item]:
        """All that is kept, by path. Only while held, like all below."""
        rows = self._database().execute("SELECT path, etag, content FROM item ORDER BY path")
        return [Item(path, etag, bytes(content)) for path, etag, content in rows]

    def etags(self) -> dict[str, str]:
        """The entity tags by path."""
        return dict(self._database().execute("SELECT path, etag FROM item"))

    def size(self) -> int:
        """How many bytes the contents are together."""
        return int(self._database().execute("SELECT coalesce(sum(length(content)), 0) FROM item").fetchone()[0])

    def put(self, items: Iterable[Item], gone: Iterable[str] = ()) -> None:
        """Keep these, in place of what lay there, and forget those that are gone: all or nothing."""
        database = self._database()
        with transaction(database):
            database.executemany("DELETE FROM item WHERE path = ?", [(path,) for path in gone])
            database.executemany(
                "INSERT OR REPLACE INTO item VALUES (?, ?, ?)", [(each.path, each.etag, each.content) for each in items]
            )

    def state(self, name: str) -> str:
        """What was noted last under a name, or nothing."""
        found = self._database().execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def note(self, name: str, value: str) -> None:
        """Note it."""
        self._database().execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def _database(self) -> sqlite3.Connection:
        if self._open is None:
            raise ToolError("the copy of a calendar or address book is used while nobody holds it")
        return self._open

    def _opened(self) -> sqlite3.Connection:
        try:
            database = connected(self._file)
        except OSError as error:
            raise ToolError(
                f"the copy {self._file.name} cannot be made; check the state folder and its permissions"
            ) from error
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version not in {0, _VERSION}:
                raise sqlite3.DatabaseError("of another version")
            database.executescript(_SCHEMA)
        except BaseException:
            database.close()
            raise
        return database

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self._file.with_name(self._file.name + ending).unlink()
