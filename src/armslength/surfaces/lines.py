"""Lines that a person types, or a pipe gives: editing and a history that survives where there is a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import sys
from pathlib import Path
from types import ModuleType
from typing import Protocol

from armslength.errors import OperatorError
from armslength.own_folder import make_own
from armslength.surfaces.progress import Progress

MOST_REMEMBERED = 1_000
"""Lines of the history that are read; a file of twice as many is cut."""
PROMPT = "you> "
TEXT_PROMPT = "text> "
_MOST_LINE = 200_000  # characters of a request


class Lines(Protocol):
    """Where requests come from."""

    def read(self) -> str | None:
        """The next line without its end, or None at the end of all.

        Raises:
            KeyboardInterrupt: Ctrl-C instead of a line.
            OperatorError: it is longer than a request can be; it is left out whole.
        """
        ...

    def read_text(self, most: int) -> str | None:
        """The next line of a text that is handed over, which nothing remembers; of a longer one a little more than `most` characters."""
        ...

    def end_word(self) -> str:
        """A word that ends such a text, which its author cannot have known.

        Raises:
            OperatorError: nobody would read it.
        """
        ...

    def drop_rest(self) -> None:
        """What was sent already and not read is part of a text that was given up, so no request."""
        ...


class Piped:
    """Lines of standard input that is no terminal."""

    def __init__(self) -> None:
        _replace_what_is_no_text()
        self._is_over = False

    def read(self) -> str | None:
        """The next line."""
        line = self.read_text(_MOST_LINE)
        if line is not None and len(line) > _MOST_LINE:
            raise OperatorError(
                f"a line is longer than {_MOST_LINE:,} characters, so it was left out; hand the text over by /paste"
            )
        return line

    def read_text(self, most: int) -> str | None:
        """The next line; what is too long of it is read, and dropped, so that it is no line of its own."""
        if self._is_over or sys.stdin is None or sys.stdin.closed:
            return None
        line = rest = sys.stdin.readline(most + 2)
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(_MOST_LINE)
        return line.rstrip("\r\n") if line else None

    def end_word(self) -> str:
        """Whoever writes the pipe gives it."""
        self.drop_rest()
        raise OperatorError(
            "/paste needs the word that ends its text, as in /paste END-7f3a; what follows was not read, as it may be others' words"
        )

    def drop_rest(self) -> None:
        """All of it: where the text ends cannot be told."""
        self._is_over = True


class Typed:
    """Lines from a terminal. `history`: the file with what was typed, for the user alone; without it nothing is remembered."""

    def __init__(self, history: Path | None, progress: Progress) -> None:
        _replace_what_is_no_text()
        self._history, self._progress = history, progress
        self._editor = _editor()
        if self._editor is not None:
            for line in self._read_history():
                self._editor.add_history(line)

    def read(self) -> str | None:
        """The next line. Several at once come where they were pasted."""
        line = self._typed(PROMPT)
        if line is not None:
            self._remember(line.rstrip("\n"))
        return line

    def read_text(self, most: int) -> str | None:
        """The next line, or several at once."""
        return self._typed(TEXT_PROMPT)

    def end_word(self) -> str:
        """One that is shown before the text is there."""
        return f"end-{secrets.token_hex(3)}"

    def drop_rest(self) -> None:
        """What waits in the terminal."""
        with contextlib.suppress(ImportError, OSError, ValueError):
            import termios

            with contextlib.suppress(termios.error):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def _typed(self, prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            print()
            return None

    def _remember(self, line: str) -> None:
        """A line with characters that act is not remembered: it would come back into a terminal."""
        if not line.strip() or not line.isprintable():
            return
        if self._editor is not None:
            self._editor.add_history(line)
        if self._history is None:
            return
        try:
            make_own(self._history.parent)
            file = os.open(self._history, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, f"{line}\n".encode("utf-8", "replace"))
            finally:
                os.close(file)
        except OSError as error:
            self._progress.say_once(f"the history {self._history} cannot be written: {error.strerror}")

    def _read_history(self) -> list[str]:
        if self._history is None:
            return []
        try:
            lines = self._history.read_text("utf-8", "replace").splitlines()
        except OSError:
            return []
        kept = [line for line in lines if line.strip() and line.isprintable()][-MOST_REMEMBERED:]
        if len(lines) > 2 * MOST_REMEMBERED:
            self._cut(self._history, kept)
        return kept

    def _cut(self, history: Path, kept: list[str]) -> None:
        with contextlib.suppress(OSError):
            new = history.with_suffix(".new")
            file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "w", encoding="utf-8", errors="replace") as written:
                written.writelines(f"{line}\n" for line in kept)
            new.replace(history)


def _replace_what_is_no_text() -> None:
    """Bytes that are no text in the terminal's encoding become U+FFFD, as in a text that `ask` is handed."""
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.closed:
        sys.stdin.reconfigure(errors="replace")


def _editor() -> ModuleType | None:
    """Line editing, where Python was built with it. What is pasted comes as it is and waits for Enter: no line of it runs by itself."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_auto_history(False)
    readline.parse_and_bind("set enable-bracketed-paste on")
    return readline
