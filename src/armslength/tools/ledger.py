"""The label ledger: what we wrote into a store keeps its label.

One ledger a store, a JSON file in our state folder, never in the store itself. An object (a path, a message id) is remembered with the
digest of its content and the label of what was written. An object changed elsewhere gets the ledger's label joined with the store's default.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from armslength.errors import ToolError
from armslength.events import Json, Trust, label_from_json, label_to_json, trust_nobody
from armslength.labels import PRIVATE, PROGRAM, USER, Label, Source, join, label
from armslength.own_folder import make_own
from armslength.tools.locking import Lock


def digest(content: bytes) -> str:
    """The SHA-256 of `content` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def knowing(trust: Trust, *own: Source) -> Trust:
    """`trust` that also knows a store's own sources, so that labels which name them come back as they were."""
    fixed = {source.name: source for source in own}

    def known(name: str) -> Source:
        return fixed.get(name) or trust(name)

    return known


def read_back(written: Label, store: Source) -> Label:
    """The label of what was written, once it is read again: what `user` or `program` wrote is now the store's.

    What lies in a store is the user's alone, whoever may know the words. Nothing that is read from a store is ever `user`; a stored
    thing that nobody untrusted made or steered is picked whole (design, "Where labels start", "Intact").
    """
    own = {USER: store, PROGRAM: store}
    return label(
        {store} | {own.get(source, source) for source in written.data},
        choice=[own.get(source, source) for source in written.choice],
        bits=written.bits,
        readers=written.readers.intersect(PRIVATE),
        steer=written.steer,
        intact=written.intact or written.is_trusted,
    )


class Ledger:
    """The labels of the objects that we wrote, by object and digest of its content."""

    def __init__(self, path: Path, trust: Trust = trust_nobody) -> None:
        """`path`: the JSON file, made at the first write with mode 600."""
        self._path, self._trust, self._lock = path, trust, Lock(path)
        self._loaded: tuple[tuple[int, int, int] | None, Json] = (None, {})  # one attribute: several threads read

    def names(self) -> frozenset[str]:
        """The objects that have a label here.

        Raises:
            ToolError: the ledger cannot be read.
        """
        return frozenset(self._load())

    def label_of(self, name: str, content: bytes, default: Label) -> Label:
        """The label of object `name` with this content; `default` is what the store gives to things that we did not write.

        Raises:
            ToolError: the ledger cannot be read; then nothing from this store can be labelled.
        """
        entry = self._load().get(name)
        if entry is None:
            return default
        try:
            written = label_from_json(entry["label"], self._trust)
            return written if entry["digest"] == digest(content) else join(written, default)
        except (KeyError, TypeError, ValueError) as error:
            raise ToolError(
                f"the label ledger {self._path.name} is damaged at {name!r}; move it away to start anew"
            ) from error

    def holds(self, name: str, content: bytes) -> bool:
        """Whether object `name` still is exactly what we wrote last."""
        entry = self._load().get(name)
        return isinstance(entry, dict) and entry.get("digest") == digest(content)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """During the block no other run changes this ledger; an object and its entry change together so.

        Raises:
            ToolError: another run did not end its own change in time.
        """
        with self._lock.held():
            self._loaded = (None, {})
            yield

    def record(self, name: str, content: bytes, written: Label) -> None:
        """Remember that object `name` now has this content, with this label."""
        with self.alone():
            entries = dict(self._load())
            entries[name] = {"digest": digest(content), "label": label_to_json(written)}
            self._save(entries)

    def forget(self, name: str) -> None:
        """The object is gone."""
        with self.alone():
            entries = dict(self._load())
            if entries.pop(name, None) is not None:
                self._save(entries)

    def _load(self) -> Json:
        try:
            status = self._path.stat()
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
            known, entries = self._loaded
            if stamp == known:
                return entries
            loaded = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ToolError(f"the label ledger {self._path.name} cannot be read; move it away to start anew") from error
        if not isinstance(loaded, dict):
            raise ToolError(f"the label ledger {self._path.name} is damaged; move it away to start anew")
        self._loaded = (stamp, loaded)
        return loaded

    def _save(self, entries: Json) -> None:
        make_own(self._path.parent)
        handle, temporary = tempfile.mkstemp(dir=self._path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(entries, file, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(self._path)
