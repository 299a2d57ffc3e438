"""What is configured of MCP servers: where each one is, and what its tools do, which no server's own word decides."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from armslength.tools.base import Role

START_SECONDS, CALL_SECONDS = 30.0, 60.0
SERVER = "server"
"""In a list of receivers: the server itself, whose name as a receiver is `mcp:NAME`."""

Secret = Callable[[], str]
"""Has `said`, a text, where the configuration says what it is: the words of a place, or the value itself. Without one it is the same always."""


@dataclass(frozen=True, slots=True)
class Child:
    """A program that is started here and spoken with over its standard input and output.

    `passed`: names of our environment's variables that it gets too. `given`: variables of its own, read when it is started.
    """

    command: str
    arguments: tuple[str, ...] = field(default=(), repr=False)
    passed: tuple[str, ...] = ()
    given: Mapping[str, Secret] = field(default_factory=dict, repr=False)
    folder: Path | None = None

    @property
    def shown(self) -> tuple[str, ...]:
        """What may be shown of its arguments, each in its place: names of options, and a sign for all else, which may be a secret."""
        return tuple(_shown(each) for each in self.arguments)


_OPTION = re.compile(r"--[A-Za-z][A-Za-z0-9_-]{0,40}|-[A-Za-z]")
"""A short one is a letter: what stands behind it in the same word is its value."""
_NOT_SHOWN = "…"


def _shown(argument: str) -> str:
    name, equals, _ = argument.partition("=")
    if not _OPTION.fullmatch(name):
        return _NOT_SHOWN
    return f"{name}={_NOT_SHOWN}" if equals else name


@dataclass(frozen=True, slots=True)
class Remote:
    """A server behind a URL. `token`: of RFC 6750, read for each request. `authorities`: a file of certificates that vouch for it, instead of the system's."""

    url: str
    token: Secret | None = field(default=None, repr=False)
    authorities: Path | None = None


@dataclass(frozen=True, slots=True)
class ToolChoices:
    """What the configuration says of one tool. None: nothing, and then the strictest reading, or an honest server's word, counts.

    `receivers`: `server`, `{parameter}`, or a name; () is nobody. `known`: fields that the server itself knows, by dotted names.
    `public`: fields that everybody may learn, `*` is all. `readers`: who may learn the rest. `is_silent`: what it gives is dropped.
    """

    is_left_out: bool = False
    is_silent: bool = False
    description: str | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    reads: bool | None = None
    changes: bool | None = None
    receivers: tuple[str, ...] | None = None
    is_repeatable: bool | None = None
    may_be_granted: bool | None = None
    picks: bool = False
    known: tuple[str, ...] = ()
    public: tuple[str, ...] | None = None
    readers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """One server. `is_honest`: the person believes what it says of its own tools and results. Times in seconds."""

    name: str
    place: Child | Remote
    is_honest: bool = False
    start_seconds: float = START_SECONDS
    call_seconds: float = CALL_SECONDS
    tools: Mapping[str, ToolChoices] = field(default_factory=dict)

    @property
    def store(self) -> str:
        """The store that its tools read and change, and the receiver of what it is told."""
        return f"mcp:{self.name}"

    @property
    def whereabouts(self) -> str:
        """A digest of where it is, without the values of its variables: it may stand anywhere."""
        match self.place:
            case Child(command, arguments, passed, given, folder):
                return _digest("child", command, list(arguments), sorted(passed), sorted(given), str(folder or ""))
            case remote:
                return _digest("remote", remote.url)

    @property
    def identity(self) -> str:
        """A digest of all that the configuration says of where it is: another command, argument, variable, value of one or address is another server.

        A value may be a secret that can be guessed, so this is written nowhere as it is (`Keeper.mark`).
        """
        match self.place:
            case Child(given=given):
                said = [[name, _said(value)] for name, value in sorted(given.items())]
                return _digest(self.whereabouts, said)
            case Remote(token=token, authorities=authorities):
                return _digest(self.whereabouts, _said(token), str(authorities or ""))


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _said(secret: Secret | None) -> str:
    return str(getattr(secret, "said", ""))
