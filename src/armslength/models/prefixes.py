"""The folder of prompt states: what the embedded model remembers after reading a system text, so that it reads it only once.

A file is named for what it depends on and for its own digest. The digest is checked before the runtime sees the file, because the
runtime ends the whole process on a damaged one. Folder 700, files 600; a file gets its name only when it is whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from armslength.own_folder import make_own

KEPT_STATES = 4
_NAME = re.compile(r"(?P<key>[0-9a-f]{40})-(?P<digest>[0-9a-f]{64})\.state")
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class PrefixStore:
    """States in one folder, at most `KEPT_STATES`, the least recently used ones go. A folder that fails is a store without states."""

    folder: Path

    def prepare(self) -> bool:
        """Makes the folder, and says whether states can be kept in it."""
        try:
            make_own(self.folder)
            self.folder.chmod(0o700)
        except OSError:
            return False
        return os.access(self.folder, os.W_OK | os.X_OK)

    def find(self, key: str) -> str | None:
        """The name of the whole file for this key, or None. A damaged one is deleted."""
        for path, name_key, digest in self._states():
            if name_key != key:
                continue
            try:
                if _digest(path) == digest:
                    os.utime(path)
                    return path.name
            except OSError:
                continue
            self.drop(path.name)
        return None

    def temporary(self) -> str:
        """A name to write a new state under."""
        return f"part-{secrets.token_hex(8)}"

    def adopt(self, temporary: str, key: str) -> None:
        """Gives a state that was written in full its name, and lets the oldest go. What fails leaves no file."""
        path = self.folder / temporary
        try:
            path.chmod(0o600)
            path.replace(self.folder / f"{key}-{_digest(path)}.state")
        except OSError:
            self.drop(temporary)
        self._prune()

    def drop(self, name: str) -> None:
        """Deletes a file of this store."""
        with contextlib.suppress(OSError):
            (self.folder / name).unlink()

    def _states(self) -> list[tuple[Path, str, str]]:
        try:
            entries = sorted(self.folder.iterdir())
        except OSError:
            return []
        matches = ((path, _NAME.fullmatch(path.name)) for path in entries)
        return [(path, match["key"], match["digest"]) for path, match in matches if match]

    def _prune(self) -> None:
        def age(path: Path) -> float:
            try:
                return path.stat().st_mtime
            except OSError:
                return 0.0

        states = sorted((path for path, _, _ in self._states()), key=age, reverse=True)
        for path in states[KEPT_STATES:]:
            self.drop(path.name)


def prefix_key(model_sha256: str, runtime_version: str, tokens: list[int]) -> str:
    """What a state depends on: the model, the runtime, and the tokens of the system text."""
    facts = json.dumps([_FORMAT, model_sha256, runtime_version, tokens], separators=(",", ":"))
    return hashlib.sha256(facts.encode()).hexdigest()[:40]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
