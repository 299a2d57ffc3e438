"""What was found out of messages' signatures, kept: keys are published for a time, and mail is read for longer.

One SQLite file in our state folder, mode 600: the SHA-256 of a message's bytes, and what its signature covered. The sender is what the bytes say.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from pathlib import Path

from armslength.database_file import changed
from armslength.errors import ToolError
from armslength.tools.mail.covering import Cover

_DOUBTED = timedelta(days=1)
"""After so long it is asked again whether a signature that did not hold does."""
_TABLE = "CREATE TABLE IF NOT EXISTS verdict (digest BLOB PRIMARY KEY, covers INTEGER NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID"


class Verdicts:
    """Verdicts by message. All raise ToolError where the file cannot be used."""

    def __init__(self, path: Path) -> None:
        """`path` is made at the first write."""
        self._path = path
        self._kept: dict[bytes, tuple[int, int]] | None = None

    def of(self, raw: bytes, now: datetime) -> Cover | None:
        """What was found of this message: NOTHING if it was that no signature holds, None if nothing is known any more."""
        covers, seen = self._all().get(_digest(raw), (None, 0))
        if covers is None or (covers == Cover.NOTHING and now.timestamp() - seen > _DOUBTED.total_seconds()):
            return None
        return Cover(covers)

    def keep(self, raw: bytes, covers: Cover, now: datetime) -> None:
        """What was found now."""
        import sqlite3

        digest, seen = _digest(raw), int(now.timestamp())
        try:
            with changed(self._path, _TABLE, "OFF") as opened:  # what a power failure takes is asked again
                opened.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?)", (digest, int(covers), seen))
        except (OSError, sqlite3.Error) as error:
            raise self._unusable() from error
        self._all()[digest] = (int(covers), seen)

    def _all(self) -> dict[bytes, tuple[int, int]]:
        if self._kept is None:
            self._kept = self._read() if self._path.exists() else {}
        return self._kept

    def _read(self) -> dict[bytes, tuple[int, int]]:
        import sqlite3

        try:
            with changed(self._path, _TABLE, "OFF") as opened:
                rows = opened.execute(
                    "SELECT digest, covers, seen FROM verdict WHERE covers BETWEEN 0 AND 2"
                ).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise self._unusable() from error
        return {digest: (covers, seen) for digest, covers, seen in rows}

    def _unusable(self) -> ToolError:
        return ToolError(
            f"{self._path.name}, which keeps whose signatures held, cannot be used; move it away to start anew"
        )


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()
