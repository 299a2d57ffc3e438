"""Contents that only the holder of a key can read: AES-256-GCM under a key of its own for each run, conversation or memory.

That key is derived (HMAC-SHA256) from the one key of the contents; the nonce is drawn at random for each sealing, and what the bytes are
about (run, number) is bound in. Whether new contents are sealed is configured; what is sealed already is read wherever the key is.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from armslength.errors import ConfigError, OperatorError
from armslength.installing import install_command
from armslength.own_folder import make_own

SEALED = b"\x01"
"""What sealed bytes begin with; JSON never does."""
KEY_BYTES = 32
_NONCE = 12


class KeyPlace(Protocol):
    """Where the key of the contents lies."""

    @property
    def name(self) -> str:
        """For messages, such as `the keyring`."""
        ...

    def read(self) -> bytes | None:
        """The key, None if there is none. Raises OperatorError where the place cannot be used."""
        ...

    def make(self) -> bytes:
        """Draw a key and put it there; the key that is there afterwards. Raises as `read`."""
        ...


class Seal:
    """What seals and opens the contents of one thing."""

    def __init__(self, key: bytes, of: str) -> None:
        """`of`: what this is the seal of, a kind and a name."""
        self._of = of
        self._cipher = _cipher(hmac.digest(key, f"armslength contents 1 {of}".encode(), hashlib.sha256))

    def close(self, content: bytes, about: bytes) -> bytes:
        """Sealed bytes: nonce, ciphertext, tag. They open with the same `about` only."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + bytes(self._cipher.encrypt(nonce, content, about))

    def open(self, sealed: bytes, about: bytes) -> bytes:
        """The content.

        Raises:
            OperatorError: it was sealed with another key or about something else, or was changed.
        """
        from cryptography.exceptions import InvalidTag

        try:
            return bytes(self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], about))
        except (InvalidTag, ValueError):
            raise OperatorError(
                f"{self._of} is encrypted with another key than the one that is there, or was changed; put the right key back"
            ) from None


def _cipher(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise ConfigError(
            f"encrypted contents need a library that is not installed; run {install_command('encryption')}"
        ) from None
    return AESGCM(key)


@dataclass(slots=True)
class Contents:
    """How contents are kept. `seals`: new ones are sealed. `place`: of the key, None where nothing was configured.

    `mark`: a file with a digest of the key. As long as it is there no other key is made, so that one that is missing for a day is not
    replaced by another, with which nothing could be read.
    """

    place: KeyPlace | None = None
    mark: Path | None = None
    seals: bool = False
    _key: bytes = field(default=b"", repr=False)

    def seal(self, of: str) -> Seal:
        """What seals new contents; the key is made if there never was one.

        Raises:
            OperatorError: there is no key, or it is not the one that sealed before.
        """
        self._key = self._key or self._made()
        return Seal(self._key, of)

    def opener(self, of: str) -> Seal:
        """What opens contents that are sealed.

        Raises:
            OperatorError: there is no key.
        """
        if not self._key:
            found = None if self.place is None else self.place.read()
            if found is None:
                where = (
                    "no place of a key is configured" if self.place is None else f"there is no key in {self.place.name}"
                )
                raise OperatorError(
                    f"{of} is encrypted, and {where}; put the key back to read it (verify and purge need none)"
                )
            self._key = found
        return Seal(self._key, of)

    def _made(self) -> bytes:
        if self.place is None or self.mark is None:
            raise ConfigError(
                "contents cannot be encrypted without a place of the key; set runs.key_file, or use a keyring"
            )
        _cipher(bytes(KEY_BYTES))
        with _alone(self.mark) as handle:
            known = os.pread(handle, 100, 0).decode("ascii", "replace").strip()
            key = self.place.read()
            if key is None and known:
                raise OperatorError(
                    f"the key of the encrypted contents is not in {self.place.name}; put it back, or, if it is lost for good, remove "
                    f"{self.mark}: then a new one is made, and what is encrypted stays unreadable"
                )
            key = key or self.place.make()
            digest = hmac.digest(key, b"armslength contents key", hashlib.sha256).hex()[:32]
            if known and known != digest:
                raise OperatorError(
                    f"the key in {self.place.name} is not the one that encrypted before; put that back, or remove {self.mark} to go on "
                    "with this one"
                )
            if not known:
                os.pwrite(handle, f"{digest}\n".encode("ascii"), 0)
                os.fsync(handle)
            return key


@contextmanager
def _alone(path: Path) -> Iterator[int]:
    """The file, made if it is missing; nobody else has it meanwhile."""
    try:
        make_own(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise OperatorError(f"{path} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def close_content(contents: Contents, of: str, content: bytes) -> bytes:
    """A whole file's content as it is written: sealed, or as it is."""
    return SEALED + contents.seal(of).close(content, of.encode()) if contents.seals else content


def open_content(contents: Contents, of: str, stored: bytes) -> bytes:
    """What `close_content` was given.

    Raises:
        OperatorError: it is sealed, and the key is missing or another.
    """
    if not stored.startswith(SEALED):
        return stored
    return contents.opener(of).open(stored[len(SEALED) :], of.encode())
