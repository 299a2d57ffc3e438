"""Grants in a file of their own, to which entries are only added, in a keyed chain.

No tool reaches it. Whoever lacks the key can add, change, drop or move no entry unseen (`store/chain.py`), and a file that is not as it
was written gives nothing: then a person is asked as if there were none.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from hmac import compare_digest
from pathlib import Path
from typing import Any

from armslength.database_file import connected, transaction
from armslength.errors import OperatorError
from armslength.store.chain import Chain, Head, Heads
from armslength.store.grants import Given, Listed, Use, folded, given_to_json
from armslength.store.runs import KeySource

Json = Mapping[str, Any]

_CHAIN = "grants"
_ONLY = 1
"""The number of the one chain in its file of heads."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, body BLOB NOT NULL, hash BLOB NOT NULL)"


class SqliteGrants:
    """Them in one SQLite file of mode 600, made at the first one; its head lies beside it (`.heads`)."""

    def __init__(self, path: Path, key: KeySource) -> None:
        """`key`: that of the journals."""
        self._path, self._key = path, key
        self._heads = Heads(path.with_suffix(".heads"))

    def listed(self) -> list[Listed]:
        """See Grants."""
        if not self._path.exists() and not self._heads.read():
            return []
        with self._told("read"), closing(self._connected()) as database:
            return folded(self._entries(database))

    def give(self, key: str, given: Given) -> str:
        """See Grants."""
        with self._writing() as log:
            for number, entry in enumerate((each for each in log.entries if each["kind"] == "given"), 1):
                if entry["key"] == key:
                    return f"grant-{number}"
            count = sum(entry["kind"] == "given" for entry in log.entries)
            log.add({"kind": "given", "key": key, **given_to_json(given)})
            return f"grant-{count + 1}"

    def use(self, names: Sequence[str], use: Use, counts: Callable[[Given], bool]) -> bool:
        """See Grants."""
        with self._writing() as log:
            found = {each.given.name: each for each in folded(log.entries)}
            for name in names:
                each = found.get(name)
                if each is None or each.revoked is not None or not counts(each.given):
                    return False
            for name in names:
                if not any((past.run, past.digest) == (use.run, use.digest) for past in found[name].uses):
                    log.add(
                        {"kind": "used", "name": name, "run": use.run, "digest": use.digest, "at": use.at.isoformat()}
                    )
        return True

    def revoke(self, name: str, at: datetime) -> None:
        """See Grants."""
        with self._writing() as log:
            each = next((each for each in folded(log.entries) if each.given.name == name), None)
            if each is None:
                raise OperatorError(f"there is no {name}; armslength grants lists what there is")
            if each.revoked is not None:
                raise OperatorError(f"{name} was revoked before")
            log.add({"kind": "revoked", "name": name, "at": at.isoformat()})

    @contextmanager
    def _writing(self) -> Iterator[_Log]:
        """What is there, verified, and room to add to it; nobody else writes meanwhile. The head follows the entries."""
        with self._told("written"), closing(self._connected()) as database:
            with transaction(database):
                log = _Log(self._entries(database))
                yield log
                number, before = self._end(database)
                for entry in log.added:
                    body = json.dumps(entry, sort_keys=True).encode()
                    number, before = number + 1, self._chain().hash(number + 1, before, body)
                    database.execute("INSERT INTO entries VALUES (?, ?, ?)", (number, body, before))
            if log.added:
                with transaction(database):  # the latest one's head is the last that is written
                    self._heads.write(_ONLY, Head(_CHAIN, *self._end(database)))
                    self._heads.settle()

    def _entries(self, database: sqlite3.Connection) -> list[Json]:
        """All entries.

        Raises:
            OperatorError: they are not those that were written.
        """
        head = self._heads.read().get(_ONLY)  # before the entries: another process may add some meanwhile
        rows = database.execute("SELECT number, body, hash FROM entries ORDER BY number").fetchall()
        fault = _fault([(number, _bytes(body), _bytes(made)) for number, body, made in rows], self._chain(), head)
        if fault:
            raise OperatorError(
                f"the grants in {self._path} are not as they were written: {fault}; none of them counts. "
                "Move the file and its .heads away, and give those that you still want again"
            )
        return [json.loads(body) for _, body, _ in rows]

    def _end(self, database: sqlite3.Connection) -> tuple[int, bytes]:
        found = database.execute("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").fetchone()
        return (0, self._chain().start("")) if found is None else (int(found[0]), bytes(found[1]))

    def _chain(self) -> Chain:
        return Chain(self._key(), _CHAIN)

    def _connected(self) -> sqlite3.Connection:
        database = connected(self._path)
        try:
            database.execute(_SCHEMA)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise OperatorError(f"the grants in {self._path} cannot be {what}: {why}") from error


class _Log:
    """What is there, and what is added in this transaction."""

    def __init__(self, entries: list[Json]) -> None:
        self.entries = entries
        self.added: list[Json] = []

    def add(self, entry: Json) -> None:
        """One more entry."""
        self.added.append(entry)


def _fault(rows: Sequence[tuple[int, bytes, bytes]], chain: Chain, head: Head | None) -> str:
    """The first entry that is not the one that was written there; nothing if each is. A killed process leaves the head behind."""
    hashes = [chain.start("")]
    for place, (number, body, made) in enumerate(rows, 1):
        if number != place:
            return f"entry {place} was dropped"
        if not compare_digest(chain.hash(place, hashes[-1], body), made):
            return f"entry {place} was edited or moved"
        hashes.append(made)
    if head is None:
        return "their head outside the file is gone" if len(rows) > 1 else ""
    if head.run != _CHAIN or head.count < 0:
        return "their head outside the file was edited"
    if head.count > len(rows):
        return f"entry {len(rows) + 1} was dropped, and all {head.count - len(rows)} from there to the end"
    return "" if hashes[head.count] == head.hash else "their head outside the file is that of another entry"


def _bytes(stored: object) -> bytes:
    return stored if isinstance(stored, bytes) else b""
