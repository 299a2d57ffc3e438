"""What a person accepted of the configured servers of MCP, and the tools that it makes.

They are a function of the configuration and of what was accepted, and so is what the planner is told of them: whatever a server does, that it
is not there, declares less or something else, its tools stay what they were, and only calling them fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armslength.app.settings import Settings
from armslength.errors import ConfigError
from armslength.events import Trust
from armslength.language import FUNCTIONS
from armslength.store.chain import key_in
from armslength.store.document import Document
from armslength.tools.base import Tool
from armslength.tools.mcp.naming import program_names
from armslength.tools.mcp.pins import Pins
from armslength.tools.mcp.settings import Server

if TYPE_CHECKING:
    from armslength.tools.mcp.offering import Refused


@dataclass(frozen=True, slots=True)
class Offers:
    """The accepted tools of the configured servers.

    `stopped`: the names of those among `tools` that their servers declare otherwise now. They are tools as they were accepted, and no call of
    them is made: if they went, a server would say by that which tools the next program has. `refused`: those and what of the accepted is no
    tool, with the reason.
    """

    tools: tuple[Tool, ...]
    stopped: frozenset[str]
    refused: tuple[Refused, ...]


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
    return [] if not settings.mcp else list(offers_of(settings, trust, ours).tools)


def offers_of(settings: Settings, trust: Trust, ours: Iterable[Tool]) -> Offers:
    """The same, and what of the accepted is not called, with the reason.

    Raises:
        OperatorError: as above.
    """
    from armslength.tools.mcp.connection import Connection, check_installed
    from armslength.tools.mcp.offering import Refused, offered_by

    check_installed()
    pins = pins_of(settings)
    taken = {each.name for each in ours} | set(FUNCTIONS) | {"quarantined", "answer", "reveal", "read_pasted_text"}
    tools, names, refused = list[Tool](), set[str](), list[Refused]()
    for server in settings.mcp:
        accepted = pins.at(server.name, server.identity)
        if accepted is None:
            continue
        stopped = [name for name, pin in accepted.tools.items() if pin.is_stopped]
        pinned = [pin.declaration for pin in accepted.tools.values()]
        connection = Connection(server, pins.watch(server.name, server.identity))
        offered = offered_by(server, pinned, connection, trust, frozenset(taken))
        tools += offered.tools
        refused += offered.refused
        known = program_names(server.name, [each.name for each in pinned])
        names |= {known[name] for name in stopped if name in known}
        refused += [Refused(server.name, name, "its server declares it otherwise now") for name in stopped]
        unknown = [name for name in server.tools if name not in accepted.tools]
        refused += [
            Refused(server.name, name, "the configuration speaks of it, and it was not accepted") for name in unknown
        ]
        taken |= {each.name for each in offered.tools}
    return Offers(tuple(tools), frozenset(names) & {each.name for each in tools}, tuple(refused))


def unreviewed(settings: Settings) -> list[Server]:
    """The servers of which nothing was accepted where they are now."""
    pins = pins_of(settings)
    return [each for each in settings.mcp if pins.at(each.name, each.identity) is None]
