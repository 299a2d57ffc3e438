"""Where the key of encrypted contents lies: in the keyring of the system, or in a file that is named for it."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from armslength.errors import ConfigError, OperatorError
from armslength.installing import install_command
from armslength.store.key_file import made_key, read_key
from armslength.store.sealing import KEY_BYTES

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_SERVICE, _USER = "armslength", "contents"
KEYRINGS = (
    "keyring.backends.SecretService.Keyring",
    "keyring.backends.libsecret.Keyring",
    "keyring.backends.kwallet.DBusKeyring",
    "keyring.backends.kwallet.DBusKeyringKWallet4",
    "keyring.backends.macOS.Keyring",
    "keyring.backends.Windows.WinVaultKeyring",
)
"""Keyrings that keep what they are given encrypted. Another one is used only if the configuration names it."""
_NEVER = ("keyring.backends.fail.", "keyring.backends.null.", "keyring.backends.chainer.", "keyrings.alt.")
"""These keep nothing, or keep it in plain; no configuration allows them."""


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
        if f"{self.allowed}.".startswith(_NEVER):
            raise ConfigError(f"runs.keyring: {self.allowed} keeps no secrets; name another, or set runs.key_file")

    @property
    def name(self) -> str:
        """See KeyPlace."""
        return "the keyring"

    def read(self) -> bytes | None:
        """See KeyPlace."""
        return self._read(self._backend())

    def make(self) -> bytes:
        """See KeyPlace."""
        from keyring.errors import KeyringError

        backend, key = self._backend(), secrets.token_bytes(KEY_BYTES)
        try:
            backend.set_password(_SERVICE, _USER, b64encode(key).decode())
        except (KeyringError, OSError, RuntimeError) as error:
            raise _unusable(error) from error
        if self._read(backend) != key:
            raise OperatorError(
                "the keyring does not keep what it is given; set runs.key_file to keep the key in a file"
            )
        return key

    def _read(self, backend: KeyringBackend) -> bytes | None:
        from keyring.errors import KeyringError

        try:
            found = backend.get_password(_SERVICE, _USER)
        except (KeyringError, OSError, RuntimeError) as error:
            raise _unusable(error) from error
        if found is None:
            return None
        try:
            key = b64decode(found, validate=True)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise OperatorError(f"what the keyring has for {_SERVICE}/{_USER} is no key; put the right one back")
        return key

    def _backend(self) -> KeyringBackend:
        """The first keyring in use that is on the list; the last branch refuses."""
        try:
            import keyring
        except ImportError:
            raise ConfigError(
                "the keyring needs a library that is not installed; set runs.key_file, or run "
                + install_command("encryption")
            ) from None
        used = keyring.get_keyring()
        for each in (used, *_chained(used)):
            if _class(each) in KEYRINGS or (self.allowed and _class(each) == self.allowed):
                return each
        raise ConfigError(
            f"no keyring that keeps secrets is running (there is {_class(used)}); start one, such as gnome-keyring or KWallet, name "
            "yours in runs.keyring, or set runs.key_file to keep the key in a file"
        )


def _chained(used: KeyringBackend) -> Iterator[KeyringBackend]:
    if _class(used) == "keyring.backends.chainer.ChainerBackend":
        yield from used.backends  # type: ignore[attr-defined]  # the chain's own


def _class(backend: KeyringBackend) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def _unusable(error: Exception) -> OperatorError:
    return OperatorError(
        f"the keyring cannot be used ({type(error).__name__}); unlock it, or set runs.key_file to keep the key in a file"
    )
