"""Services behind MCP, as real servers in processes of their own: each writes down what it was told, in `standin/NAME.jsonl`.

They are configured by tables as a person writes them, and accepted as a person accepts: who runs such a server learns all that its tools get, nothing of it is granted or undone, and what it says is the service's. What a server says of itself is told by a tool of it, as its words; its descriptions are no part of any program's world.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bench.home.mcp_server import STRING, FakeServer, tool
from bench.home.world import Home

_HELP = """
[tools.help]
changes = false
receivers = ["server"]
"""
_ASK = """
[tools.ask]
changes = false
receivers = ["server"]
roles = { question = "content", more = "content" }
"""
ASK = tool("ask", {"question": STRING, "more": STRING}, "Ask the service.", required=["question"])


def heard_in(home: Home, service: str) -> Path:
    """The file of what a service was told."""
    return Path(home.path) / "standin" / f"{service}.jsonl"


def serve(home: Home, name: str, configured: str, *declared: dict[str, Any]) -> FakeServer:
    """A server with these tools, accepted as they are declared. `configured`: its table, without its place; its tools' names begin with its."""
    fake = FakeServer(home.path / "state" / "servers" / name, *declared, calls_in=heard_in(home, name))
    place = f"command = {json.dumps(sys.executable)}\narguments = {json.dumps(fake.arguments)}\n"
    home.configured += f"[mcp.{name}]\n{place}" + configured.replace("[tools.", f"[mcp.{name}.tools.")
    home.accept(name)
    return fake


def service(home: Home, name: str, *, says: str = "", answers: str = "") -> FakeServer:
    """`NAME_help()` gives what the server says of itself, `NAME_ask(question, more)` its answer. All that they get goes to it."""
    declared = [*([tool("help", {}, "What the service says of itself.")] if says else []), *([ASK] if answers else [])]
    fake = serve(home, name, (_HELP if says else "") + (_ASK if answers else ""), *declared)
    fake.answers("help", says)
    fake.answers("ask", answers)
    return fake


def messenger(home: Home) -> None:
    """`messages_send(to, text)`: a message to a number."""
    configured = """
[tools.send]
receivers = ["{to}"]
roles = { to = "target", text = "content" }
result = false
"""
    serve(home, "messages", configured, tool("send", {"to": STRING, "text": STRING}, "Send a message."))


def bank(home: Home) -> None:
    """`bank_pay(account, euros)`: a payment."""
    configured = """
[tools.pay]
receivers = ["{account}"]
result = false
"""
    serve(home, "bank", configured, tool("pay", {"account": STRING, "euros": {"type": "integer"}}, "Pay somebody."))
