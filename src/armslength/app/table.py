"""One table of the configuration file: each setting read as what it must be, and whatever nobody asked for refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from armslength.app.durations import LIKE, duration_of
from armslength.app.secrets import Kind, SecretPlace, is_variable
from armslength.errors import ConfigError

_Word = TypeVar("_Word", bound=str)
_MOST_BITS = 64
_ALIKE = 0.8
"""From here on (`difflib`, 0 to 1) a name is taken for a slip of another: `mails` of `mail`, and not `hold` of `held`."""
_MOST_TOLD = 5
"""So many settings that are none are told at once."""
_TABLE = re.compile(r"[a-z][a-z0-9_-]{0,29}")
KINDS = ("mail", "file", "web", "calendar", "mcp", "store", "tool")
SINGLE = ("user", "program", "quarantined", "pasted", "clock")
"""The sources that tools and the controller make: those of many names each, and the single ones."""
_RECEIVER_KINDS = ("slack",)
"""How the names of receivers begin that have a kind; the others are addresses and hosts."""


def can_be_member(text: str) -> bool:
    """An address, a host, a pattern of them, a source, or a receiver of a kind."""
    kind, colon, rest = text.partition(":")
    if colon:
        return _can_be_source(text) or (kind in _RECEIVER_KINDS and bool(rest))
    return text in SINGLE or bool(set(text) & set("@.*?["))


def _can_be_source(text: str) -> bool:
    kind, colon, rest = text.casefold().partition(":")
    if not colon:
        return kind in SINGLE
    return kind in KINDS and bool(rest) and (kind != "mail" or rest == "unverified" or bool(set(rest) & set("@*?[")))


class Table:
    """One table of the file, which remembers what was asked for, so that whatever was not is refused.

    What stands there and is not what it must be: ConfigError, from each method.
    """

    def __init__(self, file: Path, name: str, content: Mapping[str, Any], keyring: str = "") -> None:
        """`keyring`: the class of a further keyring that may have secrets."""
        self._file, self._name, self._content, self._keyring = file, name, content, keyring
        self._asked: set[str] = set()
        self._below: list[Table] = []

    @property
    def is_given(self) -> bool:
        """Whether the file has it, with something in it."""
        return bool(self._content)

    def called(self, name: str) -> str:
        """What a setting is called in the file, with the tables that it stands in."""
        return f"{self._name}{name}"

    def table(self, name: str) -> Table:
        """A table below this one, empty if it is not given."""
        found = self._get(name, dict, {})
        below = Table(self._file, f"{self._name}{name}.", found, self._keyring)
        self._below.append(below)
        return below

    def text(self, name: str, wanted: str = "a text") -> str:
        """A text, empty if it is not given. `wanted`: what is said that it must be where it is none."""
        if type(self._content.get(name, "")) is not str:
            raise self.wrong(name, wanted)
        return str(self._get(name, str, ""))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        listed = self._get(name, list, [])
        if not all(isinstance(item, str) for item in listed):
            raise self.wrong(name, "a list of texts")
        return tuple(listed)

    def choice_of_texts(self, name: str) -> tuple[str, ...] | None:
        """A list of texts that need not be given."""
        self._asked.add(name)
        return self.texts(name) if name in self._content else None

    def sources(self, name: str, *more: str) -> tuple[str, ...]:
        """Names of sources, patterns of them, or one of `more`. What fits no source that there can be is refused."""
        listed = self.texts(name)
        for text in listed:
            if text not in more and not (_can_be_source(text) and ("*" in more or "*" not in text)):
                there_are = ", ".join((*(f"{each}:…" for each in KINDS), *SINGLE, *more))
                raise ConfigError(f"{self._file}: {self._name}{name}: {text!r} names no source; there are: {there_are}")
        return listed

    def members(self, name: str) -> tuple[str, ...]:
        """Patterns of addresses, hosts and sources."""
        listed = self.texts(name)
        for text in listed:
            if not can_be_member(text):
                there_are = ", ".join(f"{each}:…" for each in (*KINDS, *_RECEIVER_KINDS))
                raise ConfigError(
                    f"{self._file}: {self._name}{name}: {text!r} names nobody; give an address, a host, a pattern of them, or {there_are}"
                )
        return listed

    def names(self) -> tuple[str, ...]:
        """The names in a table whose names the user chooses."""
        return tuple(self._content)

    def tables(self, *own: str) -> tuple[str, ...]:
        """The names that the person chose of the tables in it. `own`: tables that belong to it, so that none has such a name.

        Raises:
            ConfigError: a name is none.
        """
        found = tuple(name for name, table in self._content.items() if isinstance(table, dict) and name not in own)
        for name in found:
            if not _TABLE.fullmatch(name):
                raise self.wrong(name, "named by small letters, digits, - and _, at most 30")
        return found

    def has(self, name: str) -> bool:
        """Whether the file says anything of it."""
        return name in self._content

    def path(self, name: str) -> Path | None:
        """Relative paths start at the configuration file; `~` is the home folder."""
        text = self.text(name)
        return (self._file.parent / Path(text).expanduser()).absolute() if text else None

    def variable(self, name: str) -> str:
        """The name of an environment variable, so that a key pasted in its place is refused and not kept."""
        text = self.text(name)
        if text and not is_variable(text):
            raise self.wrong(name, "the name of an environment variable; a key does not stand in this file")
        return text

    def secret(self, name: str, variable: str = "") -> SecretPlace | None:
        """Where a secret is, if a place is given. `variable`: the setting that is short for the name of an environment variable.

        Raises:
            ConfigError: it is a text, which may be the secret itself and is not repeated; or there are several places.
        """
        wanted = 'one place, such as { environment = "VARIABLE" }, { keyring = "entry" } or { command = ["program", "word"] }'
        if isinstance(self._content.get(name), str):
            raise self.wrong(name, f"{wanted}; a secret does not stand in this file")
        below = self.table(name)
        places: list[tuple[Kind, tuple[str, ...]]] = [
            ("environment", (below.variable("environment"),)),
            ("environment", (self.variable(variable) if variable else "",)),
            ("keyring", (below.text("keyring"),)),
            ("command", below.texts("command")),
        ]
        given = [
            SecretPlace(kind, words, f"{self._file}: {self._name}{name}", self._keyring)
            for kind, words in places
            if any(words)
        ]
        if len(given) > 1 or (below.is_given and not given):
            raise self.wrong(name, wanted)
        return given[0] if given else None

    def kept_secret(self, entry: str) -> SecretPlace:
        """A secret that we keep ourselves: an entry of the keyring."""
        return SecretPlace("keyring", (entry,), f"{self._file}: {self._name.removesuffix('.')}", self._keyring)

    def number(self, name: str, default: int) -> int:
        """A whole number."""
        return int(self._get(name, int, default))

    def count(self, name: str) -> int | None:
        """A whole number that is not negative; None if it is not given."""
        found = self.number(name, -1)
        if found < 0 and name in self._content:
            raise self.wrong(name, "a whole number, 0 or more")
        return found if found >= 0 else None

    def amount(self, name: str) -> float | None:
        """A finite number that is not negative; None if it is not given."""
        self._asked.add(name)
        found = self._content.get(name)
        if found is None:
            return None
        if type(found) not in {int, float} or not 0 <= found < math.inf:
            raise self.wrong(name, "a number, 0 or more")
        return float(found)

    def numbers(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers."""
        listed = self._get(name, list, list(default))
        if not all(type(item) is int for item in listed):
            raise self.wrong(name, "a list of whole numbers")
        return tuple(listed)

    def bits(self, name: str, default: int) -> int:
        """A number of bits."""
        return self.between(name, default, 0, _MOST_BITS)

    def between(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number of this range."""
        found = self.number(name, default)
        if not least <= found <= most:
            raise self.wrong(name, f"a whole number from {least} to {most}")
        return found

    def duration(self, name: str) -> timedelta | None:
        """A time like 10m, 12h, 90d or 8w; None if it is not given."""
        text = self.text(name)
        found = duration_of(text)
        if text and not found:
            raise self.wrong(name, f"a time {LIKE}")
        return found

    def switch(self, name: str, *, default: bool = False) -> bool:
        """True or false."""
        return bool(self._get(name, bool, default))

    def choice(self, name: str) -> bool | None:
        """A switch that need not be set."""
        self._asked.add(name)
        return self.switch(name) if name in self._content else None

    def one_of(self, name: str, allowed: tuple[_Word, ...]) -> _Word:
        """One of these words; the first, if none is given."""
        text = self.text(name) or allowed[0]
        for each in allowed:
            if text == each:
                return each
        raise self.wrong(name, f"one of {', '.join(allowed)}")

    def refuse_unknown(self) -> None:
        """Whatever was not asked for, here and below, all of it in one message.

        Raises:
            ConfigError: there is such a setting.
        """
        unknown = list(self._unknown())
        if len(unknown) > _MOST_TOLD:
            unknown = [*unknown[:_MOST_TOLD], f"{len(unknown) - _MOST_TOLD} more are none either"]
        if unknown:
            raise ConfigError(f"{self._file}: {'. '.join(unknown)}")

    def _unknown(self) -> Iterator[str]:
        import difflib

        known = ", ".join(sorted(self._asked))
        for name in sorted(set(self._content) - self._asked):
            close = difflib.get_close_matches(name, self._asked, 1, _ALIKE)
            hint = f"did you mean {close[0]}? There are" if close else "there are"
            yield f"{self._name}{name} is not a setting; {hint}: {known}"
        for below in self._below:
            yield from below._unknown()  # noqa: SLF001  # another of this class

    def _get(self, name: str, kind: type, default: Any) -> Any:
        self._asked.add(name)
        found = self._content.get(name, default)
        if type(found) is not kind:
            raise self.wrong(
                name,
                {dict: "a table", str: "a text", list: "a list", int: "a whole number", bool: "true or false"}[kind],
            )
        return found

    def wrong(self, name: str, wanted: str) -> ConfigError:
        """What a setting must be."""
        return ConfigError(f"{self._file}: {self._name}{name} must be {wanted}")
