"""What stands in no file: keys and passwords, from the place that the configuration names. Read when they are needed, and kept nowhere."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from typing import Literal

from armslength.errors import ConfigError, OperatorError
from armslength.store.keyrings import entry_in, keyring_in_use, put_entry, remove_entry

Kind = Literal["environment", "keyring", "command"]
_SERVICE = "armslength secrets"
"""Not the service of the key of encrypted contents: no setting reads that one."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INSTEAD = "name an environment variable or a command in the configuration instead"
_SECONDS = 120.0
_LONGEST = 16_384


def is_variable(name: str) -> bool:
    """Whether an environment variable may be called so."""
    return _VARIABLE.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where a secret is: the name of an environment variable, of an entry in the keyring, or a command that prints it, word by word.

    `setting`: where the configuration says so, for messages. `keyring`: the class of a further keyring that may be used.
    """

    kind: Kind
    words: tuple[str, ...]
    setting: str
    keyring: str = ""

    def __str__(self) -> str:
        """For the person: the place, never what is there."""
        match self.kind:
            case "environment":
                return f"the environment variable {self.words[0]}"
            case "keyring":
                return f"the keyring's entry {self.words[0]}"
            case "command":
                return f"what {self.words[0]} prints"

    @property
    def said(self) -> str:
        """The place in words of which each other place has others."""
        return repr((self.kind, self.words))

    def __call__(self) -> str:
        """The secret: one line of text.

        Raises:
            ConfigError: there is none, or what is there is not one line.
            OperatorError: the keyring is locked, or the command failed.
        """
        found, missing = self._found()
        if not found:
            raise ConfigError(f"{self.setting}: {missing}")
        if not found.isprintable() or len(found) > _LONGEST:
            raise ConfigError(f"{self.setting}: {self} is not one line of text")
        return found

    def _found(self) -> tuple[str | None, str]:
        """What is there, and what to say if it is nothing."""
        name = self.words[0]
        match self.kind:
            case "environment":
                return os.environ.get(name), f"{self} is not set"
            case "keyring":
                otherwise = f"name another place in {self.setting}"
                found = entry_in(keyring_in_use(self.keyring, otherwise), _SERVICE, name, otherwise)
                return found, f"{self} is not there; put it there with: armslength secret set {name}"
            case "command":
                return self._printed(), f"{name} prints nothing"

    def _printed(self) -> str:
        """The first line. Nothing that the command says goes into a message: it may hold the secret."""
        name = self.words[0]
        try:
            done = subprocess.run(self.words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603  # the user's own command
        except FileNotFoundError:
            raise ConfigError(f"{self.setting}: there is no program {name}") from None
        except (OSError, ValueError) as error:
            raise OperatorError(f"{self.setting}: {name} cannot be run ({type(error).__name__})") from None
        except subprocess.TimeoutExpired:
            raise OperatorError(f"{self.setting}: {name} did not end within {_SECONDS:.0f} seconds") from None
        if done.returncode:
            raise OperatorError(f"{self.setting}: {name} failed with {done.returncode}; run it yourself to see why")
        return done.stdout.decode("utf-8", "replace").partition("\n")[0].removesuffix("\r")


def keep_secret(entry: str, secret: str, keyring: str = "") -> None:
    """Put a secret into the keyring, where `SecretPlace` of that entry finds it.

    Raises:
        ConfigError: no keyring that keeps secrets is running.
        OperatorError: it is locked, or does not keep it.
    """
    put_entry(keyring_in_use(keyring, _INSTEAD), _SERVICE, entry, secret, _INSTEAD)


def forget_secret(entry: str, keyring: str = "") -> None:
    """Take a secret out of the keyring.

    Raises:
        ConfigError: it is not there, or no keyring that keeps secrets is running.
        OperatorError: it is locked.
    """
    backend = keyring_in_use(keyring, _INSTEAD)
    if entry_in(backend, _SERVICE, entry, _INSTEAD) is None:
        raise ConfigError(f"the keyring has no entry {entry} of ours; nothing was removed")
    remove_entry(backend, _SERVICE, entry, _INSTEAD)


def keeps_secrets() -> bool:
    """Whether a keyring is running that keeps secrets."""
    try:
        keyring_in_use("", _INSTEAD)
    except ConfigError:
        return False
    return True


def entry_is_taken(entry: str) -> bool:
    """Whether the keyring has a secret of ours under that name.

    Raises:
        ConfigError: no keyring that keeps secrets is running.
        OperatorError: it is locked.
    """
    return entry_in(keyring_in_use("", _INSTEAD), _SERVICE, entry, _INSTEAD) is not None
