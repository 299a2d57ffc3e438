"""The keyring of the system, if it is one that keeps secrets: by an allow-list, for whoever keeps something there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from armslength.errors import ConfigError, OperatorError
from armslength.installing import install_command

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

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


def keeps_no_secrets(named: str) -> bool:
    """Whether a keyring's class is one that no configuration allows."""
    return f"{named}.".startswith(_NEVER)


def keyring_in_use(allowed: str, otherwise: str) -> KeyringBackend:
    """The first keyring in use that is on the list, or is `allowed`; the last branch refuses. `otherwise`: what else can be done.

    Raises:
        ConfigError: there is none, or the library is not installed.
    """
    try:
        import keyring
    except ImportError:
        raise ConfigError(
            f"the keyring needs a library that is not installed; {otherwise}, or run {install_command('encryption')}"
        ) from None
    used = keyring.get_keyring()
    for each in (used, *_chained(used)):
        if _class(each) in KEYRINGS or (allowed and _class(each) == allowed and not keeps_no_secrets(allowed)):
            return each
    raise ConfigError(
        f"no keyring that keeps secrets is running (there is {_class(used)}); start one, such as gnome-keyring or KWallet, name "
        f"yours in runs.keyring, or {otherwise}"
    )


def entry_in(backend: KeyringBackend, service: str, user: str, otherwise: str) -> str | None:
    """What the keyring has there.

    Raises:
        OperatorError: it is locked, or does not answer.
    """
    from keyring.errors import KeyringError

    try:
        return backend.get_password(service, user)
    except (KeyringError, OSError, RuntimeError) as error:
        raise _unusable(error, otherwise) from error


def put_entry(backend: KeyringBackend, service: str, user: str, secret: str, otherwise: str) -> None:
    """Keep a secret there, and see that it is kept.

    Raises:
        OperatorError: it is locked, does not answer, or gives back something else.
    """
    from keyring.errors import KeyringError

    try:
        backend.set_password(service, user, secret)
    except (KeyringError, OSError, RuntimeError) as error:
        raise _unusable(error, otherwise) from error
    if entry_in(backend, service, user, otherwise) != secret:
        raise OperatorError(f"the keyring does not keep what it is given; {otherwise}")


def remove_entry(backend: KeyringBackend, service: str, user: str, otherwise: str) -> None:
    """Remove what is there.

    Raises:
        OperatorError: it is locked, or does not answer.
    """
    from keyring.errors import KeyringError

    try:
        backend.delete_password(service, user)
    except (KeyringError, OSError, RuntimeError) as error:
        raise _unusable(error, otherwise) from error


def _unusable(error: Exception, otherwise: str) -> OperatorError:
    """What is said of a keyring that fails."""
    return OperatorError(f"the keyring cannot be used ({type(error).__name__}); unlock it, or {otherwise}")


def _chained(used: KeyringBackend) -> Iterator[KeyringBackend]:
    if _class(used) == "keyring.backends.chainer.ChainerBackend":
        yield from used.backends  # type: ignore[attr-defined]  # the chain's own


def _class(backend: KeyringBackend) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}"
