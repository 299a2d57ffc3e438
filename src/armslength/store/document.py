"""One file that only who has its key can have written, and of which no older copy is taken for the latest.

A keyed hash (HMAC-SHA256) stands before the content, which may be sealed, and before it how often the file was written. How often that was
lies beside the file too (`.heads`), with the hash: it is written after the file, so a killed process leaves it one behind, and never ahead.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from armslength.errors import OperatorError
from armslength.own_folder import make_own
from armslength.store.chain import Head, Heads
from armslength.store.runs import KeySource
from armslength.store.sealing import Contents, close_content, open_content

_MAC, _COUNT = 32, 8
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC
_ONLY, _NAME = 1, "document"
"""Number and name of the one head."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a file holds. `count`: so often it was written, 0 by a version that did not count. `body`: the content, sealed if it is."""

    count: int
    hash: bytes
    body: bytes


class Document:
    """The file. `of`: what it is, such as `the memory`."""

    def __init__(self, path: Path, of: str, key: KeySource, contents: Contents | None = None) -> None:
        """`key`: of the hash. `contents`: whether the content is sealed; plain if nothing is given."""
        self._path, self._of, self._key, self._contents = path, of, key, contents or Contents()
        self._heads = Heads(path.with_suffix(".heads"))

    def read(self) -> bytes | None:
        """What was written last, None if nothing ever was.

        Raises:
            OperatorError: it cannot be read, or is not what was written last.
        """
        found = self._found()
        return None if found is None else open_content(self._contents, self._of, found.body)

    def write(self, content: bytes) -> None:
        """Write this instead, whole or not at all.

        Raises:
            OperatorError: it cannot be written, or what is there is not what was written last; that stays.
        """
        found = self._found()
        count = 1 if found is None else found.count + 1
        self._catch_up(found)
        body = count.to_bytes(_COUNT, "big") + close_content(self._contents, self._of, content)
        made = self._made(2, body)
        self._drop_unfinished()
        new = self._path.with_name(f"{self._unfinished}{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600), "wb") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # let go by the system, however this process ends
                file.write(made + body)
                file.flush()
                os.fsync(file.fileno())
                new.replace(self._path)
            _settle(self._path.parent)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise self._unusable("written", error) from error
        with suppress(OSError):  # it is written, and ahead of its head like that of a killed process
            self._heads.write(_ONLY, Head(_NAME, count, made))
            self._heads.settle()

    def _catch_up(self, found: _Found | None) -> None:
        """A head is there before the second time: what killed the first writer before it wrote one may come again."""
        if found is not None and found.count and self._head() is None:
            try:
                self._heads.write(_ONLY, Head(_NAME, found.count, found.hash))
            except OSError as error:
                raise self._unusable("written", error) from error
            self._heads.settle()

    def mark(self, content: bytes) -> str:
        """A keyed hash of something that is not to be found by it, for a place in the content.

        Raises:
            OperatorError: there is no key, and none can be made.
        """
        return hmac.digest(self._key(), f"armslength mark {self._of}\0".encode() + content, hashlib.sha256).hex()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """During the block no other process writes it.

        Raises:
            OperatorError: the folder cannot be written.
        """
        try:
            make_own(self._path.parent)
            handle = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
        except OSError as error:
            raise self._unusable("written", error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _found(self) -> _Found | None:
        head = self._head()  # before the file: another process may write both meanwhile
        stored = self._stored()
        if stored is None:
            if head is not None:
                raise self._refused("is gone, although it was kept")
            return None
        found = self._counted(stored)
        count = 0 if head is None else head.count
        if found.count < count or (head is not None and found.count == count and found.hash != head.hash):
            raise self._refused("is an older copy of it")
        if head is None and found.count > 1:
            raise self._refused(f"has lost {self._path.with_suffix('.heads').name}, which says that it is the latest")
        return found

    def _counted(self, stored: bytes) -> _Found:
        given, rest = stored[:_MAC], stored[_MAC:]
        if len(rest) >= _COUNT and hmac.compare_digest(given, self._made(2, rest)):
            return _Found(int.from_bytes(rest[:_COUNT], "big"), given, rest[_COUNT:])
        if hmac.compare_digest(given, self._made(1, rest)):
            return _Found(0, given, rest)
        raise self._refused("was changed by other hands")

    def _stored(self) -> bytes | None:
        try:
            with os.fdopen(os.open(self._path, os.O_RDONLY | _FLAGS), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable("read", error) from error

    def _head(self) -> Head | None:
        heads = self._heads.read()
        head = heads.get(_ONLY)
        if heads and (head is None or head.run != _NAME or head.count < 1):
            raise self._refused("has a file of heads beside it that was edited")
        return head

    @property
    def _unfinished(self) -> str:
        return f".{self._path.name}-"

    def _drop_unfinished(self) -> None:
        """What killed processes left of their writing. Whoever still writes holds its file."""
        for left in self._path.parent.glob(f"{self._unfinished}*"):
            with suppress(OSError):
                handle = os.open(left, os.O_RDWR | _FLAGS)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    left.unlink()
                finally:
                    os.close(handle)

    def _made(self, form: int, rest: bytes) -> bytes:
        return hmac.digest(self._key(), f"armslength document {form} {self._of}\0".encode() + rest, hashlib.sha256)

    def _refused(self, what: str) -> OperatorError:
        return OperatorError(
            f"{self._of} in {self._path} {what}, so nothing of it is used; put back what was there, or move it and the .heads away"
        )

    def _unusable(self, what: str, error: OSError) -> OperatorError:
        return OperatorError(f"{self._of} in {self._path} cannot be {what}: {error.strerror}")


def _settle(folder: Path) -> None:
    """The disk has the names in it, so that what is written behind them is never ahead of them."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
