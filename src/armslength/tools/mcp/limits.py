"""How much a server may send, and what of it is let in: answers to what it was asked, in bounded number and size.

Notifications are dropped: nothing of ours waits for them. Requests of the server are answered with a refusal by the library, which was given
nothing to answer them with: no model, no form for the person, no folders. An error's words stay outside, its number comes in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from armslength.tools.mcp.streams import streamed

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream, TransportStreams, WriteStream
    from mcp.shared.message import SessionMessage

MOST_MESSAGE = 8_000_000
"""Bytes of one message."""
MOST_BETWEEN = 32_000_000
"""Bytes between two answers."""
MOST_PARTS = 100_000
"""Objects and lists between two answers, by their opening brackets: what reading takes the one thread grows with these, not with bytes."""
MOST_UNASKED = 10_000
"""Messages between two answers that are none."""
REPORTED = "the server reports an error"
"""What stands in place of an error's words; the library's own errors have others."""
_TRACING = ("traceparent", "tracestate", "baggage")


class Meter:
    """What a server sent since its last answer. `why`: what it was too much of, once it was."""

    def __init__(self) -> None:
        self.why = ""
        self._bytes = self._unasked = self._parts = 0

    def took(self, chunk: bytes) -> None:
        """These came.

        Raises:
            ConnectionAbortedError: it is too much, in bytes or in parts.
        """
        self._bytes += len(chunk)
        self._parts += chunk.count(b"{") + chunk.count(b"[")
        if self._parts > MOST_PARTS:
            self.exceeded(f"sent more than {MOST_PARTS:,} objects and lists without an answer")
        if self._bytes > MOST_BETWEEN:
            self.exceeded(f"sent more than {MOST_BETWEEN:,} bytes without an answer")

    def unasked(self) -> None:
        """A message came that nobody waits for.

        Raises:
            ConnectionAbortedError: they are too many.
        """
        self._unasked += 1
        if self._unasked > MOST_UNASKED:
            self.exceeded(f"sent more than {MOST_UNASKED:,} messages that nobody asked for")

    def answered(self) -> None:
        """An answer came."""
        self._bytes = self._unasked = self._parts = 0

    def exceeded(self, why: str) -> None:
        """The connection ends.

        Raises:
            ConnectionAbortedError: always; the message is ours.
        """
        self.why = self.why or why
        raise ConnectionAbortedError(self.why)


@asynccontextmanager
async def limited(
    transport: AbstractAsyncContextManager[TransportStreams], meter: Meter
) -> AsyncIterator[TransportStreams]:
    """A transport whose messages pass these rules. The one way from a server to the library."""
    async with (
        transport as (theirs, ours),
        streamed(lambda into: _let_in(theirs, into, meter), lambda given: _let_out(given, ours)) as streams,
    ):
        yield streams


async def _let_in(theirs: ReadStream[Any], ours: Any, meter: Meter) -> None:
    import anyio

    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, ConnectionAbortedError):
        async with ours:
            async for item in theirs:
                if (let := _admitted(item, meter)) is not None:
                    await ours.send(let)


def _admitted(item: Any, meter: Meter) -> SessionMessage | None:
    """What of it is let in."""
    from mcp.shared.message import SessionMessage
    from mcp.types import UNSUPPORTED_PROTOCOL_VERSION, ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse

    match item:
        case SessionMessage(message=JSONRPCResponse()):
            meter.answered()
            return item
        case SessionMessage(message=JSONRPCError(id=number, error=error)):
            meter.answered()
            data = error.data if error.code == UNSUPPORTED_PROTOCOL_VERSION else None
            bare = ErrorData(code=error.code, message=REPORTED, data=data)
            return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=bare))
        case SessionMessage(message=JSONRPCRequest()):
            meter.unasked()
            return item
        case _:
            meter.unasked()
            return None


async def _let_out(ours: Any, theirs: WriteStream[Any]) -> None:
    """What the library adds about traces of ours stays here."""
    import anyio

    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        async with ours, theirs:
            async for item in ours:
                params = getattr(item.message, "params", None)
                meta = params.get("_meta") if isinstance(params, dict) else None
                if isinstance(meta, dict):
                    for name in _TRACING:
                        meta.pop(name, None)
                await theirs.send(item)
