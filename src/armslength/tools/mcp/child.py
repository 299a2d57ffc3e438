"""A server as a process of ours: an environment of listed variables, a group that ends as a whole, nothing of it on the terminal.

Messages are lines of JSON over its standard input and output (MCP, "stdio"). What it says on standard error goes nowhere.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from armslength.tools.mcp.limits import MOST_MESSAGE, Meter
from armslength.tools.mcp.settings import Child
from armslength.tools.mcp.streams import streamed

if TYPE_CHECKING:
    from anyio.abc import Process
    from mcp.client._transport import TransportStreams

_ALWAYS = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""Variables of ours that each gets; all others are named by the configuration, or stay here."""
_GRACE = 1.0
"""Seconds that it has to end, once its input is closed, and once more after it was told to."""


def environment_of(place: Child) -> dict[str, str]:
    """All variables that it gets.

    Raises:
        OperatorError: a secret among them cannot be had.
    """
    passed = {name: os.environ[name] for name in (*_ALWAYS, *place.passed) if name in os.environ}
    return passed | {name: value() for name, value in place.given.items()}


@asynccontextmanager
async def started(place: Child, environment: dict[str, str], meter: Meter) -> AsyncIterator[TransportStreams]:
    """The streams of messages from and to it, as long as it runs.

    Raises:
        OSError: it cannot be started.
    """
    import anyio

    process = await anyio.open_process(
        [place.command, *place.arguments],
        env=environment,
        cwd=place.folder,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with streamed(lambda into: _reads(process, into, meter), partial(_writes, process)) as streams:
            yield streams
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _reads(process: Process, into: Any, meter: Meter) -> None:
    """Each line as a message; what is none is counted and passed on as what it is."""
    import anyio

    buffer = bytearray()
    searched = 0
    assert process.stdout is not None
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with into:
            while True:
                chunk = await process.stdout.receive(262_144)
                meter.took(chunk)
                buffer += chunk
                while (end := buffer.find(b"\n", searched)) >= 0:
                    line, searched = bytes(buffer[:end]), 0
                    del buffer[: end + 1]
                    if line.strip():
                        await into.send(_message(line))
                searched = len(buffer)
                if searched > MOST_MESSAGE:
                    meter.exceeded(f"sent a message of more than {MOST_MESSAGE:,} bytes")


def _message(line: bytes) -> Any:
    from mcp.shared.message import SessionMessage
    from mcp.types import jsonrpc_message_adapter

    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _writes(process: Process, given: Any) -> None:
    import anyio

    assert process.stdin is not None
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with given:
            async for item in given:
                said = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(said.encode() + b"\n")


async def _end(process: Process) -> None:
    """Its input is closed; then it and all that it started are told to end; then they are ended."""
    import anyio

    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    if not await _has_ended(process):
        _signal(process, signal.SIGTERM)
        await _has_ended(process)
    _signal(process, signal.SIGKILL)
    await _has_ended(process)
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdout.aclose()
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:  # a grandchild that left the group may hold the pipe; nothing public closes our end
        transport.close()


async def _has_ended(process: Process) -> bool:
    """Whether it did within the grace. `wait` would also wait for whoever inherited its pipes."""
    import anyio

    with anyio.move_on_after(_GRACE):
        while process.returncode is None:  # noqa: ASYNC110  # a process sets no event
            await anyio.sleep(0.01)
    return process.returncode is not None


def _signal(process: Process, what: signal.Signals) -> None:
    """To its group, which has its number; a group that is empty is gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, what)
