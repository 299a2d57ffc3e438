"""How long what is kept is kept, and whether it is encrypted: the table `[runs]` of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from armslength.store.content_key import FileKey, KeyringKey
from armslength.store.sealing import Contents


@dataclass(frozen=True, slots=True)
class Keeping:
    """How what is kept is kept. `key_file`: the key's place instead of the keyring; `keyring`: a further keyring that may have it.

    `age`: what began longer ago is removed when a command begins; None keeps it.
    """

    is_encrypted: bool = False
    key_file: Path | None = None
    keyring: str = ""
    age: timedelta | None = None

    def contents(self, mark: Path) -> Contents:
        """How contents are kept. `mark`: the file with the digest of their key.

        Raises:
            ConfigError: the keyring that is named keeps no secrets.
        """
        place = KeyringKey(self.keyring) if self.key_file is None else FileKey(self.key_file)
        return Contents(place, mark, self.is_encrypted)
