"""How long what is kept is kept, and whether it is encrypted: the table `[runs]` of the configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from armslength.store.content_key import FileKey, KeyringKey
from armslength.store.sealing import Contents

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_LONGEST = timedelta(days=36_500)


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


def age_of(text: str) -> timedelta | None:
    """An age as it is written: `30d`, `8w`, `12h`; None if it is none."""
    found = re.fullmatch(r"([0-9]{1,6})([hdw])", text)
    age = None if found is None else int(found[1]) * _UNITS[found[2]]
    return None if age is None or age > _LONGEST else age
