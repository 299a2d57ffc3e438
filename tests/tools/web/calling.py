"""A call of a tool of the web, as a run makes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tests.servers.web import Internet

from armslength.events import trust_nobody
from armslength.labels import Source
from armslength.tools.base import Tool, ToolCall
from armslength.tools.web.fetching import Reach
from armslength.tools.web.services import Service
from armslength.tools.web.tools import WebSettings, web_tools
from armslength.values import Labelled, Plain

CALL = ToolCall({}, datetime(2026, 11, 30, 9, 0, tzinfo=UTC))


def fetching(
    net: Internet,
    *services: Service,
    trust: Callable[[str], Source] = trust_nobody,
    local: frozenset[str] = frozenset(),
    ports: frozenset[int] = frozenset({80, 443}),
    most_bytes: int = 100_000,
    seconds: float = 5.0,
) -> Tool:
    """`fetch_web_page` over that internet."""
    reach = Reach(net.network, local=local, ports=ports, most_bytes=most_bytes, seconds=seconds)
    return web_tools(WebSettings(reach=reach, services=services), trust)[0]


def page(tool: Tool, url: str, *may_move_to: str) -> Labelled:
    """What it gives for an address."""
    args: dict[str, Plain] = {"url": url, "may_move_to": list(may_move_to)}
    return tool.run(CALL, args)
