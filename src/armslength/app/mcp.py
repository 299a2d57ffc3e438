"""The table `[mcp]`: servers of MCP, and those of a file in the common form `mcpServers`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armslength.app.secrets import SecretPlace, is_variable
from armslength.app.table import Table, can_be_member
from armslength.errors import ConfigError
from armslength.tools.base import Role
from armslength.tools.mcp.addresses import wrong_with
from armslength.tools.mcp.naming import is_server_name
from armslength.tools.mcp.settings import CALL_SECONDS, SERVER, START_SECONDS, Child, Remote, Server, ToolChoices

FILE = "servers_file"
_ROLES = tuple(role.value for role in Role if role is not Role.UNDECLARED)
_PARAMETER = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*\}")
_REFERENCE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_MOST_SECONDS = 3_600


def servers_in(table: Table) -> tuple[Server, ...]:
    """The servers of the table; what it says of one that a file has too is added to that.

    Raises:
        ConfigError: a name, a place or a choice is none.
    """
    path = table.path(FILE)
    found = {} if path is None else servers_of_file(path)
    for name in table.names():
        if name != FILE:
            if not is_server_name(name):
                raise table.wrong(name, "named by small letters and digits, no word that tools of ours begin with")
            found[name] = _server(name, table.table(name), found.get(name))
    return tuple(found.values())


def _server(name: str, table: Table, known: Server | None) -> Server:
    place, tools = _place(table, None if known is None else known.place), table.table("tools")
    return Server(
        name=name,
        place=place,
        is_honest=table.switch("honest"),
        start_seconds=float(table.between("start_timeout", int(START_SECONDS), 1, _MOST_SECONDS)),
        call_seconds=float(table.between("timeout", int(CALL_SECONDS), 1, _MOST_SECONDS)),
        tools={each: _choices(tools.table(each)) for each in tools.names()},
    )


def _place(table: Table, known: Child | Remote | None) -> Child | Remote:
    command, url = table.text("command"), table.text("url")
    secrets = table.table("secrets")
    given = {each: _secret(secrets, each) for each in secrets.names()}
    passed, folder, token = table.texts("environment"), table.path("folder"), table.secret("token")
    arguments, authorities = table.texts("arguments"), table.path("authorities")
    if wrong := [each for each in (*passed, *given) if not is_variable(each)]:
        raise table.wrong("environment", f"names of environment variables, which {wrong[0]!r} is none of")
    if not command and not url and known is not None:
        return known
    if bool(command) is bool(url):
        raise table.wrong("command", "a program, or url an address: one of them")
    if command:
        if token is not None or authorities is not None:
            raise table.wrong("token", "given with url, as are authorities; a program gets secrets")
        return Child(_found(command, table), arguments, passed, given, folder)
    if arguments or passed or given or folder is not None:
        raise table.wrong("url", "given without arguments, environment, secrets and folder, which are a program's")
    if why := wrong_with(url):
        raise table.wrong("url", f"another address: {why}")
    return Remote(url, token, authorities)


def _found(command: str, table: Table) -> str:
    """A command with a folder in it starts at the configuration file, as paths do; a bare one is looked for in PATH."""
    return str(table.path("command")) if "/" in command or command.startswith("~") else command


def _secret(table: Table, name: str) -> Callable[[], str]:
    place = table.secret(name)
    if place is None:
        raise table.wrong(name, "a place of a secret")
    return place


def _choices(table: Table) -> ToolChoices:
    roles, receivers = table.table("roles"), None
    if table.has("receivers"):
        receivers = table.texts("receivers")
        if wrong := [each for each in receivers if not _can_receive(each)]:
            raise table.wrong(
                "receivers",
                f'a list of "{SERVER}", "{{parameter}}", addresses and hosts, which {wrong[0]!r} is none of',
            )
    return ToolChoices(
        is_left_out=not table.switch("use", default=True),
        is_silent=not table.switch("result", default=True),
        description=table.text("description") or None,
        roles={each: Role(roles.one_of(each, _ROLES)) for each in roles.names()},
        reads=table.choice("reads"),
        changes=table.choice("changes"),
        receivers=receivers,
        is_repeatable=table.choice("repeatable"),
        may_be_granted=table.choice("may_be_granted"),
        picks=table.switch("picks"),
        known=table.texts("known"),
        public=table.texts("public") if table.has("public") else None,
        readers=table.members("readers") if table.has("readers") else None,
    )


def _can_receive(text: str) -> bool:
    return text == SERVER or _PARAMETER.fullmatch(text) is not None or can_be_member(text)


# The common form


def servers_of_file(path: Path) -> dict[str, Server]:
    """The servers of a file `{"mcpServers": {...}}`, as other programs keep one. Values in it are the person's own words.

    Raises:
        ConfigError: it cannot be read, or has what is not understood.
    """
    try:
        loaded = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: this is not JSON") from error
    listed = loaded.get("mcpServers") if isinstance(loaded, dict) else None
    if not isinstance(listed, dict):
        raise ConfigError(f"{path}: there is no object mcpServers in it")
    found: dict[str, Server] = {}
    for said, content in listed.items():
        name = re.sub(r"[^a-z0-9]", "", said.lower())
        if not is_server_name(name) or name in found:
            raise ConfigError(
                f"{path}: mcpServers.{said}: {name or 'nothing'} is no name of a server here, or another's; rename it"
            )
        if not isinstance(content, dict):
            raise ConfigError(f"{path}: mcpServers.{said} must be an object")
        if content.get("disabled") is not True:
            found[name] = Server(name, _place_of_file(content, f"{path}: mcpServers.{said}"))
    return found


_KNOWN = {"type", "transport", "command", "args", "env", "cwd", "url", "headers", "disabled", "name", "description"}


def _place_of_file(content: Mapping[str, Any], where: str) -> Child | Remote:
    if unknown := sorted(set(content) - _KNOWN):
        raise ConfigError(f"{where}: {unknown[0]} is not understood; there are: {', '.join(sorted(_KNOWN))}")
    command, url = content.get("command"), content.get("url")
    arguments, variables = content.get("args", []), content.get("env", {})
    if (
        not isinstance(arguments, list)
        or not isinstance(variables, dict)
        or not all(isinstance(each, str) for each in (*arguments, *variables.values()))
    ):
        raise ConfigError(f"{where}: args must be a list of texts, env an object of texts")
    if wrong := [each for each in variables if not is_variable(each)]:
        raise ConfigError(f"{where}: env must name environment variables, which {wrong[0]!r} is none of")
    if isinstance(command, str) and url is None:
        folder = content.get("cwd")
        if not isinstance(folder, str | None):
            raise ConfigError(f"{where}: cwd must be a text")
        given = {name: Written(value) for name, value in variables.items()}
        return Child(command, tuple(arguments), (), given, None if folder is None else Path(folder))
    if not isinstance(url, str) or command is not None:
        raise ConfigError(f"{where}: there must be either a command or a url")
    if content.get("type", "http") not in ("http", "streamable-http", "streamableHttp"):
        raise ConfigError(f"{where}: only streamable HTTP is spoken; the older form with events (SSE) is not")
    if why := wrong_with(url):
        raise ConfigError(f"{where}: url: {why}")
    return Remote(url, _token_of_file(content.get("headers", {}), where))


def _token_of_file(headers: object, where: str) -> Callable[[], str] | None:
    if not isinstance(headers, dict) or not set(headers) <= {"Authorization"}:
        raise ConfigError(f"{where}: of headers only Authorization is sent")
    value = headers.get("Authorization")
    if value is None:
        return None
    if not isinstance(value, str) or not value.startswith("Bearer "):
        raise ConfigError(f"{where}: Authorization must begin with Bearer")
    return Written(value.removeprefix("Bearer "))


@dataclass(frozen=True, slots=True)
class Written:
    """A value of such a file, which may be a secret: kept out of everything that prints an object. `${NAME}` is a variable of ours."""

    text: str = field(repr=False)

    @property
    def said(self) -> str:
        """What the file says, for what is asked about anew where it says otherwise."""
        return self.text

    @property
    def variable(self) -> str | None:
        """The variable that it names."""
        named = _REFERENCE.fullmatch(self.text)
        return None if named is None else named[1]

    def __call__(self) -> str:
        """The value.

        Raises:
            ConfigError: it names a variable that is not set.
        """
        return self.text if self.variable is None else SecretPlace("environment", (self.variable,), FILE)()
