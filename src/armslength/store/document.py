"""One file that only who has its key can have written: a keyed hash (HMAC-SHA256) before the content, which may be sealed."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from armslength.errors import OperatorError
from armslength.store.runs import KeySource
from armslength.store.sealing import Contents, close_content, open_content

_MAC = 32
_FLAGS = os.O_NOFOLLOW | os.O_CLOEXEC


class Document:
    """The file. `of`: what it is, such as `the memory`."""

    def __init__(self, path: Path, of: str, key: KeySource, contents: Contents | None = None) -> None:
        """`key`: of the hash. `contents`: whether the content is sealed; plain if nothing is given."""
        self._path, self._of, self._key, self._contents = path, of, key, contents or Contents()

    def read(self) -> bytes | None:
        """What was written last, None if there is no file.

        Raises:
            OperatorError: it cannot be read, or was not written so.
        """
        try:
            handle = os.open(self._path, os.O_RDONLY | _FLAGS)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable("read", error) from error
        with os.fdopen(handle, "rb") as file:
            stored = file.read()
        if not hmac.compare_digest(stored[:_MAC], self._made(stored[_MAC:])):
            raise OperatorError(
                f"{self._of} in {self._path} was changed by other hands, so nothing of it is used; put a copy back, or move it away"
            )
        return open_content(self._contents, self._of, stored[_MAC:])

    def write(self, content: bytes) -> None:
        """Write this instead, whole or not at all.

        Raises:
            OperatorError: it cannot be written; what was there before stays.
        """
        body = close_content(self._contents, self._of, content)
        new = self._path.with_name(f".{self._path.name}-{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600), "wb") as file:
                file.write(self._made(body) + body)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise self._unusable("written", error) from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """During the block no other process writes it.

        Raises:
            OperatorError: the folder cannot be written.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
        except OSError as error:
            raise self._unusable("written", error) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _made(self, body: bytes) -> bytes:
        return hmac.digest(self._key(), f"armslength document 1 {self._of}\0".encode() + body, hashlib.sha256)

    def _unusable(self, what: str, error: OSError) -> OperatorError:
        return OperatorError(f"{self._of} in {self._path} cannot be {what}: {error.strerror}")
