"""A key in a file of 32 bytes that only the user can read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from armslength.errors import OperatorError
from armslength.own_folder import make_own

_SIZE = 32
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_key(path: Path, of: str) -> bytes | None:
    """The key, None if there is no such file. `of`: what it is the key of, such as `the journals`.

    Raises:
        OperatorError: it cannot be read, others can read it, or it is no key.
    """
    try:
        return _read(path, of)
    except OSError as error:
        raise OperatorError(f"the key of {of} {path} cannot be used: {error.strerror}") from error


def made_key(path: Path, of: str) -> bytes:
    """The key that is there afterwards: whole or not at all, and the first one of two processes is the one for both.

    Raises:
        OperatorError: it cannot be made.
    """
    new = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        make_own(path.parent)
        with os.fdopen(os.open(new, _NEW, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_SIZE))
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):
                os.link(new, path)
        finally:
            new.unlink()
        return _read(path, of) or b""
    except OSError as error:
        raise OperatorError(f"the key of {of} {path} cannot be used: {error.strerror}") from error


def _read(path: Path, of: str) -> bytes | None:
    try:
        handle = os.open(path, _READ)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        if os.fstat(handle).st_mode & 0o077:
            raise OperatorError(f"the key of {of} {path} can be read by others; chmod 600 it, and run verify")
        found = file.read(_SIZE + 1)
    if len(found) != _SIZE:
        raise OperatorError(f"{path} is no key of {_SIZE} bytes; put the right one back, or {of} cannot be used")
    return found
