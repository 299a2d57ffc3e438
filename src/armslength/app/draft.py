"""A configuration that is being made: its tables, tried before they are written, and written once, for the person alone."""

from __future__ import annotations

import json
import os
import re
import secrets
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armslength.app.secrets import Kind
from armslength.app.settings import Settings, settings_in
from armslength.errors import ConfigError
from armslength.own_folder import make_own
from armslength.tools.text.unseen import is_invisible

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = 0xFFFF
"""The last character that an escape of four digits can name."""
_PLACES = frozenset({"environment", "keyring", "command"})
_HEAD = (
    "# Made by armslength init. Relative paths start at this file; an unknown key is an error.",
    "# armslength config --example prints every setting there is; docs/configuration.md explains them. No secret stands here.",
)
_COMMENTS = {
    "user": "Who you are. The first address is the one that writes.",
    "mail": "Where your mail lies, and by which server it leaves. More accounts: each in a table [mail.NAME], see docs/mail.md.",
    "mail.authserv_id": "The server of yours whose Authentication-Results count. Without it every sender is unverified.",
    "mail.imap": "The server on which it lies. What is read is kept in an index in the state folder.",
    "mail.smtp": "The server by which it leaves.",
    "files": "Only what is below this folder can be read or changed.",
    "calendar": "Calendars: a folder of .ics files, or a server.",
    "contacts": "An address book that you alone write: a folder of .vcf files, or a server. It vouches for who is who.",
    "web": "Pages of the web; whoever is asked learns what is asked for.",
    "web.search": "Whoever searches learns each query.",
    "mcp": "Servers of MCP. None of their tools is one before armslength mcp review NAME.",
    "models.planner": "The planner writes programs and never sees what others wrote; without a quarantined model of its own it reads that too, apart.",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """`file`: where it will be. `tables`: as TOML has them."""

    file: Path
    tables: dict[str, Any] = field(default_factory=dict)

    def having(self, table: str, content: Mapping[str, Any]) -> Draft:
        """The same with a table, in place of one of that name."""
        return Draft(self.file, {**self.tables, table: dict(content)})

    def settings(self) -> Settings:
        """What it says.

        Raises:
            ConfigError: it says something that is not understood.
        """
        return settings_in(self.file, self.tables)

    def secrets(self, kind: Kind) -> list[str]:
        """The names of the places of this kind that it names, each once, in its order."""
        return list(dict.fromkeys(_named(self.tables, kind)))

    def text(self) -> str:
        """It as TOML with comments.

        Raises:
            ConfigError: see `toml_of`.
        """
        return "\n".join([*_HEAD, toml_of(self.tables, _COMMENTS)])


def _named(table: Mapping[str, Any], kind: Kind) -> Iterator[str]:
    for value in table.values():
        if isinstance(value, dict) and set(value) == {kind}:
            yield str(value[kind])
        elif isinstance(value, dict):
            yield from _named(value, kind)


def toml_of(tables: Mapping[str, Any], comments: Mapping[str, str]) -> str:
    """The tables as TOML: the only writer of it. `comments`: words of ours by dotted names, each on a line above what is called so.

    It is read back and compared with what was meant, so no name and no text in it ends a string or begins a table. What a screen would not
    show as it is stands escaped, so what is printed of it is the same.

    Raises:
        ConfigError: TOML has no form for something in it, such as half a character.
    """
    text = "\n".join(line for name, table in tables.items() for line in _lines((name,), table, comments)) + "\n"
    try:
        is_same = tomllib.loads(text) == tables
    except tomllib.TOMLDecodeError:
        is_same = False
    if not is_same:
        raise ConfigError("what it says cannot be written as TOML; nothing was written")
    return text


def _lines(names: tuple[str, ...], table: Mapping[str, Any], comments: Mapping[str, str]) -> Iterator[str]:
    """A table and those below it. A place of a secret stands on a line."""
    below = {key: value for key, value in table.items() if isinstance(value, dict) and not set(value) <= _PLACES}
    comment = comments.get(".".join(names))
    yield ""
    if comment is not None:
        yield f"# {comment}"
    if len(below) < len(table) or not table:
        yield f"[{'.'.join(map(_key, names))}]"
    for key, value in table.items():
        if key not in below:
            comment = comments.get(".".join((*names, key)))
            yield from [] if comment is None else [f"# {comment}"]
            yield f"{_key(key)} = {_value(value)}"
    for key, value in below.items():
        yield from _lines((*names, key), value, comments)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _text(value)
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
        case _:
            raise ConfigError(f"a {type(value).__name__} cannot be written into a configuration")


def _text(text: str) -> str:
    """A basic string of TOML. JSON's escapes are among its own, but for characters of more than 16 bits."""
    return "".join(map(_seen, json.dumps(text, ensure_ascii=False)))


def _seen(char: str) -> str:
    if " " <= char <= "~" or (unicodedata.category(char)[0] in "LNPS" and not is_invisible(char)):
        return char
    return f"\\u{ord(char):04x}" if ord(char) <= _SHORT else f"\\U{ord(char):08x}"


def check_free(file: Path, *, is_forced: bool) -> None:
    """That there is no file yet, or the person said that it may be replaced.

    Raises:
        ConfigError: there is one.
    """
    if not is_forced and os.path.lexists(file):
        raise ConfigError(f"{file} is there already; --force replaces it and keeps it as {file.name}.bak")


def write_draft(draft: Draft, *, is_forced: bool) -> Path | None:
    """Write it, whole or not at all, for the person alone (mode 600). Gives where the file is that was there before.

    Raises:
        ConfigError: there is a file already and `is_forced` is not set, it cannot be written, or TOML has no form for what it says.
    """
    file, text = draft.file, draft.text()
    made = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        make_own(file.parent)
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as written:
                written.write(text)
                written.flush()
                os.fsync(written.fileno())
            check_free(file, is_forced=is_forced)
            kept = _put_aside(file)
            os.link(made, file)  # which replaces nothing
        finally:
            with suppress(FileNotFoundError):
                made.unlink()
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written ({error.strerror}); name another place with --config") from error
    return kept


def _put_aside(file: Path) -> Path | None:
    """An earlier file under the first free name that ends with .bak, so that none is lost."""
    if not os.path.lexists(file):
        return None
    names = (file.with_name(f"{file.name}.bak{number or ''}") for number in range(1_000))
    kept = next(each for each in names if not os.path.lexists(each))
    file.rename(kept)
    return kept
