"""Where the key of encrypted contents lies: in the keyring of the system, or in a file that is named for it."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from armslength.errors import ConfigError, OperatorError
from armslength.store.key_file import made_key, read_key
from armslength.store.keyrings import entry_in, keeps_no_secrets, keyring_in_use, put_entry
from armslength.store.sealing import KEY_BYTES

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_SERVICE, _USER = "armslength", "contents"
_OTHERWISE = "set runs.key_file to keep the key in a file"


@dataclass(frozen=True, slots=True)
class FileKey:
    """A file of mode 600 with the 32 bytes of the key, made at the first use."""

    path: Path

    @property
    def name(self) -> str:
        """See KeyPlace."""
        return str(self.path)

    def read(self) -> bytes | None:
        """See KeyPlace."""
        return read_key(self.path, "the contents")

    def make(self) -> bytes:
        """See KeyPlace."""
        return made_key(self.path, "the contents")


@dataclass(frozen=True, slots=True)
class KeyringKey:
    """The keyring of the system. `allowed`: the class of a further keyring that may be used, as the configuration names it."""

    allowed: str = ""

    def __post_init__(self) -> None:
        if keeps_no_secrets(self.allowed):
            raise ConfigError(f"runs.keyring: {self.allowed} keeps no secrets; name another, or set runs.key_file")

    @property
    def name(self) -> str:
        """See KeyPlace."""
        return "the keyring"

    def read(self) -> bytes | None:
        """See KeyPlace."""
        return _key_in(keyring_in_use(self.allowed, _OTHERWISE))

    def make(self) -> bytes:
        """See KeyPlace."""
        backend, key = keyring_in_use(self.allowed, _OTHERWISE), secrets.token_bytes(KEY_BYTES)
        put_entry(backend, _SERVICE, _USER, b64encode(key).decode(), _OTHERWISE)
        return key


def _key_in(backend: KeyringBackend) -> bytes | None:
    found = entry_in(backend, _SERVICE, _USER, _OTHERWISE)
    if found is None:
        return None
    try:
        key = b64decode(found, validate=True)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise OperatorError(f"what the keyring has for {_SERVICE}/{_USER} is no key; put the right one back")
    return key
