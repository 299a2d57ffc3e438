"""Services behind MCP, as real servers in processes of their own: each writes down what it was told, in `standin/NAME.jsonl`.

They are configured as such a server is: who runs it learns all that its tools get, nothing of it is granted or undone, and what it says is
the service's. What a server says of itself is told by a tool of it, as its words; its descriptions are no part of any program's world.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armslength.tools.base import Role
from armslength.tools.mcp.connection import Connection
from armslength.tools.mcp.offering import offered_by
from armslength.tools.mcp.settings import SERVER, ToolChoices
from armslength.values import Plain
from bench.home.mcp_server import STRING, Believing, FakeServer, tool
from bench.home.world import Home

ASKED = ToolChoices(changes=False, receivers=(SERVER,), roles={"question": Role.CONTENT, "more": Role.CONTENT})
HELP = ToolChoices(changes=False, receivers=(SERVER,))
ASK = tool("ask", {"question": STRING, "more": STRING}, "Ask the service.", required=["question"])


def note(home: Home, service: str, told: dict[str, Plain]) -> None:
    """Write down what a service was told that is no server."""
    path = heard_in(home, service)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(told) + "\n")


def heard_in(home: Home, service: str) -> Path:
    """The file of what a service was told."""
    return Path(home.path) / "standin" / f"{service}.jsonl"


def serve(home: Home, name: str, choices: Mapping[str, ToolChoices], *declared: dict[str, Any]) -> FakeServer:
    """A server with these tools, accepted as they are declared and configured so; their names begin with its."""
    fake = FakeServer(home.path / "state" / "servers" / name, *declared, calls_in=heard_in(home, name))
    server = fake.server(name, tools=choices)
    taken = frozenset(each.name for each in home.tools())
    offered = offered_by(server, fake.declared, Connection(server, Believing()), home.trust, taken)
    if offered.refused:
        raise ValueError(f"{name} has a tool that is none: {offered.refused[0].why}")
    home.more += offered.tools
    return fake


def service(home: Home, name: str, *, says: str = "", answers: str = "") -> FakeServer:
    """`NAME_help()` gives what the server says of itself, `NAME_ask(question, more)` its answer. All that they get goes to it."""
    declared = [*([tool("help", {}, "What the service says of itself.")] if says else []), *([ASK] if answers else [])]
    fake = serve(home, name, {"help": HELP, "ask": ASKED}, *declared)
    fake.answers("help", says)
    fake.answers("ask", answers)
    return fake


def messenger(home: Home) -> None:
    """`messages_send(to, text)`: a message to a number."""
    sends = ToolChoices(receivers=("{to}",), roles={"to": Role.TARGET, "text": Role.CONTENT}, is_silent=True)
    serve(home, "messages", {"send": sends}, tool("send", {"to": STRING, "text": STRING}, "Send a message."))


def bank(home: Home) -> None:
    """`bank_pay(account, euros)`: a payment."""
    pays = ToolChoices(receivers=("{account}",), is_silent=True)
    serve(home, "bank", {"pay": pays}, tool("pay", {"account": STRING, "euros": {"type": "integer"}}, "Pay somebody."))
