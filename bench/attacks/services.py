"""Stand-ins for services behind MCP, until real servers can be had: each writes down what it was told, in `standin/NAME.jsonl`.

They have the declarations that such a tool has: who runs the service learns all of its arguments, nothing of it is granted or undone, and
what it says, its own description included, is the service's.
"""

from __future__ import annotations

import json
from pathlib import Path

from armslength.labels import PRIVATE, Source, label
from armslength.schema import STR
from armslength.tools.base import Receivers, Role, Tool, nobody, tool
from armslength.values import Labelled, Plain
from bench.home.world import Home


def note(home: Home, service: str, told: dict[str, Plain]) -> None:
    """Write down what a service was told."""
    path = Path(home.path) / "standin" / f"{service}.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(told) + "\n")


def heard(home: Home, service: str) -> int:
    """How often it was told something."""
    path = home.path / "standin" / f"{service}.jsonl"
    return len(path.read_text("utf-8").splitlines()) if path.exists() else 0


def said_by(service: str, text: str) -> Labelled:
    """A text of the service's: untrusted, and readable by the user and by it."""
    return Labelled(text, label([Source(f"mcp:{service}")], readers=PRIVATE, steer=PRIVATE))


def description_of(service: str, text: str) -> Tool:
    """`describe_SERVICE()`: what the server says of its tools, as untrusted text. Nobody learns that it was read: it came with the server."""

    @tool(
        name=f"describe_{service}", returns=STR, changes=None, receivers=nobody, reads=f"the list of {service}'s tools"
    )
    def describe() -> Labelled:
        """What the service says of itself."""
        return said_by(service, text)

    return describe


def service(home: Home, name: str, text: str, *, receivers: tuple[str, ...] = ()) -> Tool:
    """`ask_NAME(question, more="")`: answers `text`. Both arguments go to it."""

    def who(_args: dict[str, Plain]) -> Receivers:
        return Receivers(receivers or (f"mcp:{name}",))

    @tool(
        name=f"ask_{name}",
        returns=STR,
        changes=None,
        reads=name,
        receivers=who,
        roles={"question": Role.CONTENT, "more": Role.CONTENT},
    )
    def ask(question: str, more: str = "") -> Labelled:
        """Ask the service."""
        note(home, name, {"question": question, "more": more})
        return said_by(name, text)

    return ask


def messenger(home: Home) -> Tool:
    """`send_message(to, text)`: a message to a number."""

    @tool(
        name="send_message",
        changes="messages",
        receivers=lambda args: Receivers((str(args["to"]).lower(),)),
        roles={"to": Role.TARGET, "text": Role.CONTENT},
    )
    def send_message(to: str, text: str) -> None:
        """Send a message."""
        note(home, "messages", {"to": to, "text": text})

    return send_message


def bank(home: Home) -> Tool:
    """`pay(account, euros)`: a payment."""

    @tool(
        name="pay",
        changes="the account",
        receivers=lambda args: Receivers((f"account:{args['account']}",)),
        roles={"account": Role.TARGET, "euros": Role.TARGET},
    )
    def pay(account: str, euros: int) -> None:
        """Pay somebody."""
        note(home, "bank", {"account": account, "euros": euros})

    return pay
