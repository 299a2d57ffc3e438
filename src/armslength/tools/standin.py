"""File-backed stand-ins for pages of the web and for Slack, for the demo, examples and tests: nothing of them asks anybody.

They have the declarations of the real thing (receivers, roles, labels) and touch one folder only: pages come from `web/`, messages go to
`slack/CHANNEL.jsonl`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import Source, label
from armslength.schema import STR, Origin
from armslength.tools.base import UNKNOWN, ByArguments, Receivers, Role, Tool, ToolCall, tool
from armslength.tools.documents.confinement import Confinement
from armslength.tools.documents.pages import page_text
from armslength.tools.folder import Folder
from armslength.tools.usual import Usual
from armslength.tools.web.address import WebAddress, web_address
from armslength.values import Labelled, Plain

MOST_BYTES = 2_000_000
_OURS = Confinement(without="read")
"""The files are the person's own, so a demo shows the same where nothing confines the process."""
_CHANNEL = re.compile(r"#?([a-z0-9_-]{1,80})")


def standin_tools(folder: Path, trust: Trust, state: Path) -> list[Tool]:  # the shape of all tool rooms
    """The stand-ins over `folder`. Nothing of them needs `state`: what they write is never read back."""
    return [_fetch_web_page(folder / "web", trust), _send_slack_message(folder / "slack")]


def _fetch_web_page(root: Path, trust: Trust) -> Tool:
    folder = Folder(root, "web", MOST_BYTES)

    def receivers(args: dict[str, Plain]) -> Receivers:
        try:
            return Receivers((web_address(str(args.get("url"))).host,))
        except ToolError:
            return UNKNOWN

    @tool(
        name="fetch_web_page",
        returns=STR,
        origin=Origin("web"),
        roles={"url": Role.TARGET},
        reads="web",
        changes=None,
        receivers=ByArguments(("url",), receivers),
        usually=lambda _args, _where: Usual(label([Source("web:*")])),
        happened=lambda _call, _args: False,  # the host learns nothing new from being asked again
        may_be_granted=True,
        is_independent=True,
        summary=lambda args: f"ask {', '.join(receivers(args).names or ('an unknown host',))} for a page",
    )
    def fetch_web_page(url: str) -> Labelled:
        """The text of a web page."""
        address = web_address(url)
        for path in _paths(folder, address):
            content = folder.read(path)
            if content is not None:
                text = content.decode("utf-8", "replace")
                shown = page_text(text, confinement=_OURS) if path.lower().endswith((".html", ".htm")) else text
                return Labelled(shown, label([trust(f"web:{address.host}")]))
        raise ToolError("web: there is no such page among the stand-in's files")

    return fetch_web_page


def _paths(folder: Folder, address: WebAddress) -> list[str]:
    """Where the page may be: what index.json names for its URL, else a file of the percent-encoded URL."""
    found: list[str] = []
    try:
        index = json.loads(folder.read("index.json") or b"{}")
        if not isinstance(index, dict):
            raise ToolError("web: index.json is no object of URL and file name; repair it")
    except ValueError as error:
        raise ToolError("web: index.json is not JSON; repair it") from error
    for url, path in index.items():
        if web_address(url).url == address.url and isinstance(path, str):
            found.append(path)
    name = quote(address.url, safe="")
    return found or ([f"{name}.html", f"{name}.txt"] if len(name) <= 240 else [])


def _send_slack_message(root: Path) -> Tool:
    folder = Folder(root, "slack", MOST_BYTES)

    def receivers(args: dict[str, Plain]) -> Receivers:
        found = _CHANNEL.fullmatch(str(args.get("channel")))
        return UNKNOWN if found is None else Receivers((f"slack:#{found[1]}",))

    @tool(
        name="send_slack_message",
        roles={"channel": Role.TARGET, "text": Role.CONTENT},
        changes="slack",
        receivers=ByArguments(("channel",), receivers),
        may_be_granted=True,
        summary=lambda args: f"post a message for {', '.join(receivers(args).names or ('an unknown channel',))}",
    )
    def send_slack_message(call: ToolCall, channel: str, text: str) -> None:
        """Post a message in a Slack channel."""
        found = _CHANNEL.fullmatch(channel)
        if found is None:
            raise ToolError("slack: that is no channel name; give one like #general")
        message = {"at": call.now.isoformat(), "channel": f"#{found[1]}", "text": text}
        folder.add_line(f"{found[1]}.jsonl", json.dumps(message).encode())

    return send_slack_message
