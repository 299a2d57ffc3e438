"""Conversations on disk: one JSON file each, in a folder that only the user can read.

A file is written whole or not at all, before each program runs and after it. What stands in it is for the layers above to read and to
doubt; here it is JSON.
"""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.errors import OperatorError

MOST_KEPT = 20
"""Conversations beyond this many are dropped, those that were longest ago first."""
_MOST_BYTES = 64_000_000


class Conversations:
    """The folder of conversations."""

    def __init__(self, folder: Path) -> None:
        """`folder`: made at the first conversation, with mode 700."""
        self._folder = folder

    def begin(self, started: datetime) -> str:
        """The name of a new conversation, by its start.

        Raises:
            OperatorError: it cannot be written.
        """
        stem = started.strftime("%Y%m%d-%H%M%S")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in range(1, 10_000):
                path = self._folder / f"{stem}-{number}.json"
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                except FileExistsError:
                    continue
                self._drop_oldest(path)
                return path.stem
        except OSError as error:
            raise self._unwritable(error) from error
        raise OperatorError(f"too many conversations at {stem}")

    def save(self, name: str, content: dict[str, Any]) -> None:
        """Replace what is kept of a conversation.

        Raises:
            OperatorError: it cannot be written; what was kept before stays.
        """
        try:
            handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".new")
            try:
                with os.fdopen(handle, "w", encoding="ascii") as file:
                    json.dump(content, file, ensure_ascii=True)
                    file.flush()
                    os.fsync(file.fileno())
                Path(temporary).replace(self._folder / f"{name}.json")
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise self._unwritable(error) from error

    def load(self, name: str) -> dict[str, Any]:
        """What is kept of a conversation.

        Raises:
            OperatorError: it cannot be read.
        """
        path = self._folder / f"{name}.json"
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise OperatorError(f"the conversation {name} is larger than {_MOST_BYTES:,} bytes; begin a new one")
            found = json.loads(path.read_text("ascii"))
        except OSError as error:
            raise OperatorError(f"the conversation {name} cannot be read: {error.strerror}; begin a new one") from error
        except (ValueError, RecursionError) as error:
            raise OperatorError(f"the conversation {name} is damaged; begin a new one") from error
        if not isinstance(found, dict):
            raise OperatorError(f"the conversation {name} is damaged; begin a new one")
        return found

    def latest(self) -> str | None:
        """The conversation that was written last and holds something, None if there is none."""
        listed = sorted(self._files(), key=lambda path: (path.stat().st_mtime_ns, path.name))
        return next((path.stem for path in reversed(listed) if path.stat().st_size), None)

    def forget(self, name: str) -> None:
        """Nothing of it is left.

        Raises:
            OperatorError: it cannot be removed.
        """
        try:
            (self._folder / f"{name}.json").unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error

    def _files(self) -> list[Path]:
        return list(self._folder.glob("*.json")) if self._folder.is_dir() else []

    def _drop_oldest(self, new: Path) -> None:
        others = [path for path in self._files() if path != new]
        for path in sorted(others, key=lambda path: path.stat().st_mtime_ns)[: -MOST_KEPT + 1]:
            path.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> OperatorError:
        return OperatorError(f"the conversations in {self._folder} cannot be written: {error.strerror}")
