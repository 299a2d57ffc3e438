"""What a change needs to be taken back: the earlier bytes, found by the object and the digest of the bytes that the change left."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from armslength.errors import ToolError
from armslength.events import Json, Trust, label_from_json, label_to_json
from armslength.labels import Label
from armslength.tools.folder import Folder
from armslength.tools.ledger import digest
from armslength.tools.locking import Lock

MOST_KEPT = 1_000
"""Backups beyond this many, or beyond this many bytes, are dropped, the oldest first."""
MOST_BYTES_KEPT = 500_000_000
_MOST_BYTES = 64_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Kept:
    """What was there before a change: the bytes (None if nothing), and their label if the ledger had one.

    `key`: of the effect that made the change, nothing if that does not matter.
    """

    before: bytes | None
    label: Label | None
    key: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """A change that an effect was about to make: what was there before, and whether given bytes are what it leaves."""

    before: bytes | None
    name: str

    def leaves(self, content: bytes) -> bool:
        """Whether this is what the change leaves."""
        return self.name.endswith(_ending(content))


class Backups:
    """A folder of earlier bytes, one file for each object and state that we left; the same state twice is a stack."""

    def __init__(self, path: Path, trust: Trust) -> None:
        """`path`: the folder, made at the first change."""
        self._trust = trust
        self._folder, self._lock = Folder(path, "backups", _MOST_BYTES), Lock(path)

    def keep(self, change: str, after: bytes, kept: Kept) -> None:
        """Remember what was there for the change that leaves `after`; `change` names the tool and the object."""
        name = _name(change, after)
        stored = {
            "before": None if kept.before is None else b64encode(kept.before).decode(),
            "label": None if kept.label is None else label_to_json(kept.label),
            "key": kept.key,
        }
        with self._lock.held():
            stack = [each for each in self._stack(name) if not kept.key or each.get("key") != kept.key]
            self._folder.write(name, json.dumps([*stack, stored]).encode())
            self._drop_oldest()

    def made_by(self, change: str, key: str) -> Made | None:
        """The change of this name that the effect with this key was about to make, None if nothing was kept for it.

        Raises:
            ToolError: so much was kept since that it may have been dropped.
        """
        names = [found.path for found in self._folder.files()]
        for name in names:
            if name.startswith(f"{_beginning(change)}-"):
                for each in self._stack(name):
                    if key and each.get("key") == key:
                        before = each.get("before")
                        return Made(None if before is None else b64decode(before), name)
        if len(names) >= MOST_KEPT:
            raise ToolError("backups: so much was changed since that it is not known any more")
        return None

    def latest(self, change: str, after: bytes) -> Kept | None:
        """What was there before the latest such change, None if nothing is kept."""
        return self.earlier(change, digest(after), 0)

    def earlier(self, change: str, after: str, later: int) -> Kept | None:
        """The same for the digest of what it left, as if so many later ones were taken back already."""
        stack = self._stack(f"{_beginning(change)}-{_of_digest(after)}")
        if len(stack) <= later:
            return None
        try:
            before, stored = stack[-1 - later]["before"], stack[-1 - later]["label"]
            return Kept(
                None if before is None else b64decode(before, validate=True),
                None if stored is None else label_from_json(stored, self._trust),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged() from error

    def drop_latest(self, change: str, after: bytes) -> None:
        """Forget the latest such change: it was taken back."""
        name = _name(change, after)
        with self._lock.held():
            stack = self._stack(name)[:-1]
            if stack:
                self._folder.write(name, json.dumps(stack).encode())
            else:
                self._folder.remove(name)

    def _stack(self, name: str) -> list[Json]:
        content = self._folder.read(name)
        if content is None:
            return []
        try:
            stack = json.loads(content)
        except ValueError as error:
            raise _damaged() from error
        if not isinstance(stack, list):
            raise _damaged()
        return stack

    def _drop_oldest(self) -> None:
        stated = [(found.path, (self._folder.root / found.path).stat()) for found in self._folder.files()]
        size = 0
        for count, (name, stat) in enumerate(sorted(stated, key=lambda each: -each[1].st_mtime_ns), 1):
            size += stat.st_size
            if count > MOST_KEPT or (count > 1 and size > MOST_BYTES_KEPT):
                self._folder.remove(name)


def _damaged() -> ToolError:
    return ToolError("backups: one is damaged, so nothing was done; move the backups folder away")


def _name(change: str, after: bytes) -> str:
    return f"{_beginning(change)}-{_ending(after)}"


def _beginning(change: str) -> str:
    return hashlib.sha256(change.encode()).hexdigest()[:32]


def _ending(after: bytes) -> str:
    return _of_digest(digest(after))


def _of_digest(after: str) -> str:
    return f"{after[:32]}.json"
