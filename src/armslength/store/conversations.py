"""Conversations on disk: one JSON file each, in a folder that only the user can read.

A file is written whole or not at all, before each program runs and after it, and only over what this process itself read or wrote last:
of two processes that go on with one conversation the second is refused, so none can spend its budget twice. A digest stands beside the
content, so that damage and changes by hand are seen; it holds off nobody who can write here. What the content says is for the layers above.
Where contents are encrypted, so is the whole file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.errors import OperatorError
from armslength.own_folder import make_own
from armslength.store.sealing import Contents, close_content, open_content

MOST_KEPT = 20
"""Conversations beyond this many are dropped, those that were longest ago first."""
_MOST_BYTES = 128_000_000
_LOCK = ".lock"
_NEW = ".new"
_Stamp = tuple[int, int, int]


class Conversations:
    """The folder of conversations, and which of them this process read or wrote last, and when."""

    def __init__(self, folder: Path, contents: Contents | None = None) -> None:
        """`folder`: made at the first conversation, with mode 700. `contents`: whether they are sealed; plain if nothing is given."""
        self._folder, self._contents = folder, contents or Contents()
        self._stamps: dict[str, frozenset[_Stamp]] = {}

    def begin(self, started: datetime) -> str:
        """The name of a new conversation, by its start.

        Raises:
            OperatorError: it cannot be written.
        """
        stem = started.strftime("%Y%m%d-%H%M%S")
        with self._alone():
            for number in range(1, 10_000):
                path = self._path(f"{stem}-{number}")
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                except FileExistsError:
                    continue
                self._drop_oldest(path)
                self._stamps[path.stem] = _stamps_at(path)
                return path.stem
        raise OperatorError(f"too many conversations at {stem}")

    def save(self, name: str, content: dict[str, Any]) -> None:
        """Replace what is kept of a conversation, if that is what was read or written here last.

        Raises:
            OperatorError: somebody else changed or removed it, or it cannot be written; what was kept before stays.
        """
        plain = json.dumps({"digest": _digest(content), "content": content}, ensure_ascii=True).encode("ascii")
        written = close_content(self._contents, _of(name), plain)
        with self._alone():
            if not self._is_ours(name):
                raise OperatorError(
                    f"the conversation {name} was gone on with or removed elsewhere, so nothing more of it is done here; "
                    "/forget begins a new one"
                )
            path, new = self._path(name), self._path(name).with_suffix(_NEW)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(written)
                file.flush()
                os.fsync(file.fileno())
            self._stamps[name] |= _stamps_at(
                new
            )  # both, until the one has taken the other's place: Ctrl-C may come between
            new.replace(path)
            self._stamps[name] = _stamps_at(path)

    def load(self, name: str) -> dict[str, Any]:
        """What is kept of a conversation.

        Raises:
            OperatorError: it cannot be read, or is not what was written.
        """
        try:
            with self._path(name).open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_size > _MOST_BYTES:
                    raise _unreadable(name, f"is larger than {_MOST_BYTES:,} bytes")
                stored = file.read()
            found = json.loads(open_content(self._contents, _of(name), stored).decode("ascii"))
            match found:
                case {"digest": str(digest), "content": dict(content)} if digest == _digest(content):
                    self._stamps[name] = frozenset([_stamp(status)])
                    return content
                case _:
                    raise _unreadable(name, "is not as it was written")
        except OSError as error:
            raise _unreadable(name, f"cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise _unreadable(name, "is damaged") from error

    def latest(self) -> str | None:
        """The conversation that was written last and holds something, None if there is none."""
        found = sorted((each for each in self._files() if each[1].st_size), key=_age)
        return found[-1][0].stem if found else None

    def forget(self, name: str) -> bool:
        """Nothing of it is left; False where somebody else went on with it, whose it is then.

        Raises:
            OperatorError: it cannot be removed.
        """
        with self._alone():
            is_there, is_ours = bool(_stamps_at(self._path(name))), self._is_ours(name)
            if is_ours:
                self._path(name).unlink()
            self._stamps.pop(name, None)
        return is_ours or not is_there

    def purge(self, before: datetime) -> None:
        """Remove those that were written last before then.

        Raises:
            OperatorError: one cannot be removed.
        """
        if not self._folder.is_dir():
            return
        with self._alone():
            for path, status in self._files():
                if status.st_mtime < before.timestamp():
                    path.unlink(missing_ok=True)

    def _is_ours(self, name: str) -> bool:
        return not _stamps_at(self._path(name)).isdisjoint(self._stamps.get(name, ()))

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        """What is there now; another process may remove any of it meanwhile."""
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError):
                found.append((path, path.stat()))
        return found

    def _drop_oldest(self, new: Path) -> None:
        others = sorted((each for each in self._files() if each[0] != new), key=_age)
        for path, _status in others[: -MOST_KEPT + 1]:
            path.unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """During the block no other process changes the folder. What one left half written, since it was killed, is removed.

        Raises:
            OperatorError: something in the block could not be written.
        """
        try:
            make_own(self._folder)
            lock = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                for left in self._folder.glob(f"*{_NEW}"):
                    left.unlink(missing_ok=True)
                yield
            finally:
                os.close(lock)
        except OSError as error:
            raise OperatorError(f"the conversations in {self._folder} cannot be written: {error.strerror}") from error


def _of(name: str) -> str:
    return f"the conversation {name}"


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=True).encode("ascii")).hexdigest()


def _stamps_at(path: Path) -> frozenset[_Stamp]:
    """What tells this file from any that was or will be in its place; nothing where there is none."""
    try:
        return frozenset([_stamp(path.stat())])
    except FileNotFoundError:
        return frozenset()


def _stamp(status: os.stat_result) -> _Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _age(found: tuple[Path, os.stat_result]) -> tuple[int, str]:
    path, status = found
    return status.st_mtime_ns, path.name


def _unreadable(name: str, why: str) -> OperatorError:
    return OperatorError(f"the conversation {name} {why}; chat without --resume begins a new one")
