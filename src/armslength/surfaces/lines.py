"""Lines that a person types, or a pipe gives: editing and a history that survives where there is a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Protocol

from armslength.surfaces.progress import Progress

MOST_REMEMBERED = 1_000
"""Lines of the history that are read; a file of twice as many is cut."""
PROMPT = "you> "
_MOST_LINE = 200_000  # characters; a longer one from a pipe is cut off there, and the rest is a line of its own


class Lines(Protocol):
    """Where requests come from."""

    def read(self) -> str | None:
        """The next line without its end, or None at the end of all.

        Raises:
            KeyboardInterrupt: Ctrl-C instead of a line.
        """
        ...


class Piped:
    """Lines of standard input that is no terminal."""

    def read(self) -> str | None:
        """The next line."""
        line = sys.stdin.readline(_MOST_LINE) if sys.stdin is not None and not sys.stdin.closed else ""
        return line.rstrip("\r\n") if line else None


class Typed:
    """Lines from a terminal. `history`: the file with what was typed, for the user alone; without it nothing is remembered."""

    def __init__(self, history: Path, progress: Progress) -> None:
        self._history, self._progress = history, progress
        self._editor = _editor()
        if self._editor is not None:
            self._editor.set_auto_history(False)
            for line in self._read_history():
                self._editor.add_history(line)

    def read(self) -> str | None:
        """The next line."""
        try:
            line = input(PROMPT)
        except EOFError:
            print()
            return None
        self._remember(line)
        return line

    def _remember(self, line: str) -> None:
        """A line with characters that act is not remembered: it would come back into a terminal."""
        if not line.strip() or not line.isprintable():
            return
        if self._editor is not None:
            self._editor.add_history(line)
        try:
            self._history.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self._history, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, f"{line}\n".encode("utf-8", "replace"))
            finally:
                os.close(file)
        except OSError as error:
            self._progress.say_once(f"the history {self._history} cannot be written: {error.strerror}")

    def _read_history(self) -> list[str]:
        try:
            lines = self._history.read_text("utf-8", "replace").splitlines()
        except OSError:
            return []
        kept = [line for line in lines if line.strip() and line.isprintable()][-MOST_REMEMBERED:]
        if len(lines) > 2 * MOST_REMEMBERED:
            self._cut(kept)
        return kept

    def _cut(self, kept: list[str]) -> None:
        with contextlib.suppress(OSError):
            new = self._history.with_suffix(".new")
            file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "w", encoding="utf-8", errors="replace") as written:
                written.writelines(f"{line}\n" for line in kept)
            new.replace(self._history)


def _editor() -> ModuleType | None:
    """Line editing, where Python was built with it."""
    try:
        import readline
    except ImportError:
        return None
    return readline
