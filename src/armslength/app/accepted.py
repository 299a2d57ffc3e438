"""What a person accepted of the configured servers of MCP, and the tools that it makes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from armslength.app.settings import Settings
from armslength.errors import ConfigError
from armslength.events import Trust
from armslength.language import FUNCTIONS
from armslength.store.chain import key_in
from armslength.store.document import Document
from armslength.tools.base import Tool
from armslength.tools.mcp.pins import Pins
from armslength.tools.mcp.settings import Server

if TYPE_CHECKING:
    from armslength.tools.mcp.offering import Refused


def pins_of(settings: Settings) -> Pins:
    """What was accepted; nothing is made before it is written."""
    key = key_in(settings.state / "mcp.key")
    return Pins(Document(settings.state / "mcp.kept", "what was accepted of MCP servers", key, settings.contents))


def server_named(settings: Settings, name: str) -> Server:
    """The configured server.

    Raises:
        ConfigError: there is none of that name.
    """
    found = next((each for each in settings.mcp if each.name == name), None)
    if found is None:
        named = ", ".join(each.name for each in settings.mcp) or "none"
        raise ConfigError(f"no MCP server is named {name}; there are: {named}")
    return found


def mcp_tools(settings: Settings, trust: Trust, ours: Iterable[Tool]) -> list[Tool]:
    """The accepted tools of the configured servers. None of them is started before one of its tools is called.

    Raises:
        OperatorError: what was accepted cannot be read, or the library is missing.
    """
    return [] if not settings.mcp else offers_of(settings, trust, ours)[0]


def offers_of(settings: Settings, trust: Trust, ours: Iterable[Tool]) -> tuple[list[Tool], list[Refused]]:
    """The same, and what of the accepted is no tool, with the reason.

    Raises:
        OperatorError: as above.
    """
    from armslength.tools.mcp.connection import Connection, check_installed
    from armslength.tools.mcp.offering import Refused, offered_by

    check_installed()
    pins = pins_of(settings)
    taken = {each.name for each in ours} | set(FUNCTIONS) | {"quarantined", "answer", "reveal", "read_pasted_text"}
    tools, refused = list[Tool](), list[Refused]()
    for server in settings.mcp:
        accepted = pins.of(server.name)
        if accepted is None or accepted.identity != server.identity:
            continue
        stopped = [name for name, pin in accepted.tools.items() if pin.is_stopped]
        going = [pin.declaration for pin in accepted.tools.values() if not pin.is_stopped]
        connection = Connection(server, pins.watch(server.name, server.identity))
        offered = offered_by(server, going, connection, trust, frozenset(taken))
        tools += offered.tools
        refused += offered.refused
        refused += [Refused(server.name, name, "its server declares it otherwise now") for name in stopped]
        unknown = [name for name in server.tools if name not in accepted.tools]
        refused += [
            Refused(server.name, name, "the configuration speaks of it, and it was not accepted") for name in unknown
        ]
        taken |= {each.name for each in offered.tools}
    return tools, refused


def unreviewed(settings: Settings) -> list[Server]:
    """The servers of which nothing was accepted where they are now."""
    pins = pins_of(settings)
    return [each for each in settings.mcp if (found := pins.of(each.name)) is None or found.identity != each.identity]
