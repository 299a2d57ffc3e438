"""Servers of MCP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from armslength.app.accepted import pins_of
from armslength.app.doctor.examining import Check, Good
from armslength.app.settings import Settings
from armslength.tools.mcp.connection import Connection, check_installed
from armslength.tools.mcp.settings import Server


def server_checks(settings: Settings) -> Iterator[Check]:
    """Each server is started, or reached, and asked for its tools."""
    for server in settings.mcp:
        yield Check(f"mcp.{server.name}", partial(_server, settings, server))


def _server(settings: Settings, server: Server) -> Good:
    check_installed()
    connection = Connection(server)
    try:
        listed = {each.name: each.digest for each in connection.listed()}
    finally:
        connection.close()
    accepted = pins_of(settings).at(server.name, server.identity)
    is_known = accepted is not None
    pins = {} if accepted is None else accepted.tools
    same = [name for name, pin in pins.items() if not pin.is_stopped and listed.get(name) == pin.declaration.digest]
    is_as_accepted = is_known and set(same) == set(pins)
    said = f"it offers {len(listed):,} tools, of which {len(same):,} are accepted"
    return Good(
        said, "" if is_as_accepted else f"armslength mcp review {server.name} shows what is new or other than before"
    )
