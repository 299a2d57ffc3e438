"""What becomes of each message that leaves by a server, written down before and after: killed at any instant, nothing leaves twice.

One SQLite file in our state folder, mode 600. A message is `prepared` or `held`, `begun` from just before its end goes out, `sent` once the server
took it, and `done` when its copy lies among the sent mail. `recalled` is what became a draft. Whoever changes a state names the one before: of two
processes one does.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from armslength.database_file import changed
from armslength.errors import ToolError

if TYPE_CHECKING:
    from sqlite3 import Connection

State = Literal["prepared", "held", "begun", "sent", "done", "recalled"]
LEAVING = 900.0
"""Seconds for which something that was begun may still be going on; later nobody does it any more."""
_TABLE = (
    "CREATE TABLE IF NOT EXISTS dispatch (key TEXT PRIMARY KEY, account TEXT NOT NULL, state TEXT NOT NULL, recipients TEXT NOT NULL, "
    "digest TEXT NOT NULL, raw BLOB, moment REAL NOT NULL, failure TEXT NOT NULL)"
)
_WAITING = "SELECT account, count(*) FROM dispatch WHERE state IN ('held', 'begun') OR (state = 'sent' AND raw IS NOT NULL) GROUP BY account"


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One message. `raw`: until its copy lies among the sent mail, of one that was not held. `failure`: why it was not sent the last time."""

    key: str
    account: str
    state: State
    recipients: tuple[str, ...] = field(repr=False)
    digest: str
    raw: bytes | None = field(repr=False)
    moment: float
    failure: str

    def is_in_doubt(self, now: float) -> bool:
        """Its end went out, no answer came, and nobody waits for one any more."""
        return self.state == "begun" and not 0 <= now - self.moment < LEAVING


def digest_of_message(raw: bytes) -> str:
    """The SHA-256 of a message, whichever ends of lines its store gives it."""
    return hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()


class Dispatches:
    """All of them. Every method raises ToolError where the file cannot be used."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        """`path` is made at the first write."""
        self._path, self._clock = path, clock

    def of(self, key: str) -> Dispatch | None:
        """What became of one."""
        return next(iter(self._select("key = ?", key)), None)

    def owed(self, account: str) -> list[Dispatch]:
        """Those of an account whose copy does not lie among the sent mail yet."""
        return self._select("account = ? AND state = 'sent' AND raw IS NOT NULL", account)

    def waiting(self) -> dict[str, int]:
        """How many of each account are held, in doubt, or without their copy."""
        if not self._path.exists():
            return {}
        with self._opened() as opened:
            return dict(opened.execute(_WAITING).fetchall())

    def put(self, made: Dispatch) -> None:
        """A new one, instead of one that nothing came of."""
        row = (
            made.key,
            made.account,
            made.state,
            json.dumps(made.recipients),
            made.digest,
            made.raw,
            self._clock(),
            "",
        )
        with self._opened() as opened:
            opened.execute("INSERT OR REPLACE INTO dispatch VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def change(self, key: str, before: State, after: State, failure: str = "") -> bool:
        """From one state into another; whether it was in the first."""
        with self._opened() as opened:
            changed = opened.execute(
                "UPDATE dispatch SET state = ?, moment = ?, failure = ? WHERE key = ? AND state = ?",
                (after, self._clock(), failure, key, before),
            )
        return changed.rowcount == 1

    def finish(self, key: str) -> None:
        """Its copy lies where it should: its words, and whom it went to, are kept here no longer."""
        with self._opened() as opened:
            opened.execute(
                "UPDATE dispatch SET state = 'done', raw = NULL, recipients = '[]' WHERE key = ? AND state = 'sent'",
                (key,),
            )

    def drop(self, key: str) -> None:
        """Nothing came of it."""
        with self._opened() as opened:
            opened.execute("DELETE FROM dispatch WHERE key = ?", (key,))

    def _select(self, where: str, *given: str) -> list[Dispatch]:
        if not self._path.exists():
            return []
        with self._opened() as opened:
            rows = opened.execute(f"SELECT * FROM dispatch WHERE {where} ORDER BY moment", given).fetchall()  # noqa: S608  # ours
        return [Dispatch(key, account, state, tuple(json.loads(to)), *rest) for key, account, state, to, *rest in rows]

    @contextmanager
    def _opened(self) -> Iterator[Connection]:
        import sqlite3

        try:
            with changed(self._path, _TABLE) as opened:
                yield opened
        except (OSError, ValueError, sqlite3.Error) as error:
            raise ToolError(
                f"{self._path.name}, which keeps what mail has left, cannot be used; before you move it away, look what was sent last"
            ) from error


def dispatches_in(state: Path, clock: Callable[[], float] = time.time) -> Dispatches:
    """Those of our folder."""
    return Dispatches(state / "mail-dispatches.sqlite", clock)
