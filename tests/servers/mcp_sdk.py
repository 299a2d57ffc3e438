"""A server of MCP made with the SDK, of both eras of the protocol: `FOLDER stdio`, or `FOLDER http HOW` on a free port of loopback.

It does what `behaviour.json` in the folder says, read anew for each request, and writes each call, and each head of a request over HTTP, down
there. HOW (JSON): `token` that it wants; `certificate` and `key`; `misdeed`, one of `redirect`, `compressed`, `huge`, `hang`, `drop`, `flood`, `html`;
`other`, the port that a redirect leads to; `is_json` for answers without events; `is_old` for the handshake of 2025-11-25 and a session.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FOLDER, KIND = Path(sys.argv[1]), sys.argv[2]
HOW: dict[str, Any] = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}


def behaviour() -> dict[str, Any]:
    return json.loads((FOLDER / "behaviour.json").read_text("utf-8"))


def note(path: Path, what: Any) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult.model_validate(
        {"tools": behaviour()["tools"], "ttlMs": 600_000, "cacheScope": "public"}
    )


async def call_tool(_context: Any, params: types.CallToolRequestParams) -> Any:
    note(Path(behaviour()["calls"]), params.model_dump(mode="json", by_alias=True, exclude_none=True))
    found = behaviour()["answers"].get(params.name, {"content": []})
    kind = types.InputRequiredResult if "inputRequests" in found else types.CallToolResult
    return kind.model_validate(found)


server: Server[Any] = Server("sdk", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def misdoing(app: Any) -> Any:
    """The server, before which its misdeed stands."""

    async def misdo(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        heads = {name.decode(): value.decode() for name, value in scope["headers"]}
        note(FOLDER / "requests.jsonl", {"method": scope["method"], **heads})
        if HOW.get("token") and heads.get("authorization") != f"Bearer {HOW['token']}":
            await answer(send, 401, {}, b"no")
            return
        match HOW.get("misdeed"):
            case "redirect":
                await answer(send, 307, {"location": f"http://localhost:{HOW['other']}/mcp"}, b"")
            case "compressed":
                await answer(
                    send,
                    200,
                    {"content-type": "application/json", "content-encoding": "gzip"},
                    gzip.compress(b" " * 50_000_000),
                )
            case "huge":
                await answer(send, 200, {"content-type": "application/json"}, b" " * 100_000_000)
            case "hang":
                await asyncio.sleep(600)
            case "drop":
                await send(
                    {
                        "type": "http.response.start",
                        "status": 200,
                        "headers": [(b"content-type", b"application/json"), (b"content-length", b"1000")],
                    }
                )
                await send({"type": "http.response.body", "body": b"{"})
            case "flood":
                await flood(send)
            case "html":
                await answer(send, 200, {"content-type": "text/html", "set-cookie": "a=b"}, b"<html>")
            case _ if HOW.get("is_old") and scope["method"] == "POST":
                await as_before(app, scope, receive, send)
            case _:
                await app(scope, receive, send)

    return misdo


async def as_before(app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Nobody knows `server/discover`."""
    first = await receive()
    message = json.loads(first["body"])
    if message["method"] == "server/discover":
        error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}
        await answer(send, 200, {"content-type": "application/json"}, json.dumps(error).encode())
        return
    told = [first]
    await app(scope, lambda: given(told, receive), send)


async def given(told: list[Any], receive: Any) -> Any:
    return told.pop() if told else await receive()


async def flood(send: Any) -> None:
    """Notices without end, in one stream of events."""
    notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}})
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    while True:
        await send(
            {
                "type": "http.response.body",
                "body": f"event: message\ndata: {notice}\n\n".encode() * 100,
                "more_body": True,
            }
        )


async def answer(send: Any, status: int, heads: dict[str, str], body: bytes) -> None:
    listed = [(name.encode(), value.encode()) for name, value in heads.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    for start in range(0, len(body), 1_000_000):
        await send({"type": "http.response.body", "body": body[start : start + 1_000_000], "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def over_http() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    app = misdoing(server.streamable_http_app(json_response=bool(HOW.get("is_json"))))
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    keys = {"ssl_certfile": HOW["certificate"], "ssl_keyfile": HOW["key"]} if "certificate" in HOW else {}
    config = uvicorn.Config(app, log_level="critical", **keys)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if KIND == "http":
    over_http()
else:
    asyncio.run(over_stdio())
