"""Who answers the questions of `init`: a person at a terminal or a pipe, line by line; or a file, by the names of the questions."""

from __future__ import annotations

import sys
import tomllib
from getpass import getpass
from pathlib import Path
from typing import Any, Protocol

from armslength.errors import ConfigError
from armslength.surfaces.output import write_text

_LONGEST = 4_000
_ENDED = "init: the answers ended before the questions; nothing was written"


class Answers(Protocol):
    """`is_file`: nobody is there who could answer otherwise."""

    is_file: bool

    def line(self, name: str, question: str) -> str | None:
        """The answer to a question, None if the default is to be taken.

        Raises:
            ConfigError: there is nobody who answers any more, or the answer is none.
        """
        ...

    def place(self, name: str) -> dict[str, Any] | None:
        """Where a secret is, if that is answered in one piece."""
        ...

    def hidden(self, question: str) -> str:
        """A secret, not shown while it is typed; empty if none is given."""
        ...


class Lines:
    """Line by line: at a terminal, or from standard input."""

    is_file = False

    def line(self, name: str, question: str) -> str | None:
        """See Answers. At a terminal a key that is no letter is a slip, and asked about again."""
        while True:
            try:
                return _line(self._read(question)) or None
            except ConfigError:
                if not sys.stdin.isatty():
                    raise
                write_text("  that was not one line of text")

    def place(self, name: str) -> dict[str, Any] | None:
        """See Answers."""
        return None

    def hidden(self, question: str) -> str:
        """See Answers. Blanks belong to it."""
        return getpass(question) if sys.stdin is not None and sys.stdin.isatty() else self._read(question)

    def _read(self, question: str) -> str:
        if sys.stdin is None or sys.stdin.closed:
            raise ConfigError(_ENDED)
        try:
            line = input(question)
        except EOFError:
            raise ConfigError(_ENDED) from None
        if not sys.stdin.isatty():
            print(flush=True)  # whoever reads along sees each question on its line
        return line


class Answered:
    """A file of TOML: what is not in it takes its default, and what no question asks for is an error."""

    is_file = True

    def __init__(self, file: Path) -> None:
        """Read it.

        Raises:
            ConfigError: it cannot be read, or is no TOML.
        """
        self._file, self._asked = file, set[str]()
        try:
            self._content = tomllib.loads(file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"{file}: the answers cannot be read: {error}") from error

    def line(self, name: str, question: str) -> str | None:
        """See Answers."""
        found = self._found(name)
        match found:
            case None:
                said = None
            case bool():
                said = "yes" if found else "no"
            case int() | str():
                said = _line(str(found))
            case list() if all(isinstance(each, str) for each in found):
                said = _line(", ".join(found))
            case _:
                raise ConfigError(f"{self._file}: {name} must be a text, a number, true or false, or a list of texts")
        write_text(f"{question}{'' if said is None else said}")
        return said

    def place(self, name: str) -> dict[str, Any] | None:
        """See Answers."""
        found = self._found(name)
        if isinstance(found, dict):
            return found
        if found is None:
            return None
        raise ConfigError(f'{self._file}: {name} must be a place, such as {{ environment = "VARIABLE" }}')

    def hidden(self, question: str) -> str:
        """See Answers. No secret stands in a file."""
        return ""

    def check_used(self) -> None:
        """That every answer was to a question.

        Raises:
            ConfigError: one was not.
        """
        unused = [name for name in _names(self._content) if not self._is_asked(name)]
        if unused:
            raise ConfigError(f"{self._file}: {unused[0]} answers no question that was asked; nothing was written")

    def _found(self, name: str) -> Any:
        self._asked.add(name)
        at: Any = self._content
        for part in name.split("."):
            at = at.get(part) if isinstance(at, dict) else None
        return at

    def _is_asked(self, name: str) -> bool:
        return any(name == each or name.startswith(f"{each}.") for each in self._asked)


def _names(table: dict[str, Any], before: str = "") -> list[str]:
    found = list[str]()
    for name, value in table.items():
        found += _names(value, f"{before}{name}.") if isinstance(value, dict) else [f"{before}{name}"]
    return found


def _line(text: str) -> str:
    """One line of text: what acts on a terminal, or could not stand in the file, is no answer."""
    found = text.strip()
    if not found.isprintable() or len(found) > _LONGEST:
        raise ConfigError("init: an answer is not one line of text; nothing was written")
    return found
