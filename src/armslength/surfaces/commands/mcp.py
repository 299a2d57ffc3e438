"""Servers of MCP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from armslength.surfaces.commands.tree import Config, Json, mcp_app
from armslength.surfaces.exits import Exit


@mcp_app.default
def servers(*, config: Config = None, is_json: Json = False) -> Exit:
    """List the servers with their tools, and what of them is no tool and why. None is started."""
    from armslength.surfaces.mcp import list_servers

    return list_servers(config, is_json=is_json)


@mcp_app.command(name="review")
def review_server(
    name: Annotated[str, Parameter(help="The server's name, as armslength mcp lists it.")],
    /,
    *,
    config: Config = None,
) -> Exit:
    """Show what a server says of its tools, whole, and what of it is new; what you accept becomes a tool."""
    from armslength.surfaces.mcp import review

    return review(name, config)


@mcp_app.command(name="import")
def import_file(file: Annotated[Path, Parameter(help="A JSON file with mcpServers.")], /) -> Exit:
    """Print the servers of another program's file as tables for the configuration."""
    from armslength.surfaces.mcp import import_servers

    return import_servers(file)
