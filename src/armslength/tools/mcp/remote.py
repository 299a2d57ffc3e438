"""A server behind a URL, over a transport that is checked: one origin, TLS, a bounded answer, and nothing of the environment.

Source: MCP, "Streamable HTTP". The stream that a server may open for messages of its own is refused (405): nothing of ours waits for them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio.to_thread
import httpx2

from armslength.certificates import certificate_error, trusting, untrusted
from armslength.tools.mcp.limits import MOST_MESSAGE, Meter
from armslength.tools.mcp.settings import Remote

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_CONNECT_SECONDS = 10.0


@asynccontextmanager
async def reached(place: Remote, meter: Meter, seconds: float, setting: str) -> AsyncIterator[TransportStreams]:
    """The streams of messages from and to it. `setting`: where the configuration names its authorities.

    Raises:
        ConfigError: the file of authorities is none.
    """
    from mcp.client.streamable_http import streamable_http_client

    timeout = httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
    async with (
        httpx2.AsyncClient(transport=_Checked(place, meter, setting), timeout=timeout, trust_env=False) as client,
        streamable_http_client(place.url, http_client=client, max_sse_event_size=MOST_MESSAGE) as streams,
    ):
        yield streams


class _Checked(httpx2.AsyncBaseTransport):
    """Requests to the one origin; answers without compression, counted as they come."""

    def __init__(self, place: Remote, meter: Meter, setting: str) -> None:
        self._place, self._meter, self._setting = place, meter, setting
        url = httpx2.URL(place.url)
        self._origin = (url.scheme, url.host, url.port)
        self._inner = httpx2.AsyncHTTPTransport(verify=trusting(place.authorities, setting), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer.

        Raises:
            httpx2.TransportError: it is for another origin, or the answer is compressed.
        """
        if (request.url.scheme, request.url.host, request.url.port) != self._origin:
            raise httpx2.UnsupportedProtocol("another origin than the configured one")
        if request.method == "GET":
            return httpx2.Response(405, request=request)
        for name in ("cookie", "authorization"):
            request.headers.pop(name, None)
        request.headers["accept-encoding"] = "identity"
        if self._place.token is not None:
            token = await anyio.to_thread.run_sync(self._place.token)
            request.headers["authorization"] = f"Bearer {token}"
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            if (wrong := certificate_error(error)) is not None:
                self._meter.why = untrusted(wrong, self._setting)
            raise
        if response.status_code in (401, 403):
            self._meter.why = "does not accept the token" if self._place.token else "wants a token"
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            self._meter.why = "sent an answer in a compression that it was asked not to use"
            raise httpx2.DecodingError("compressed", request=request)
        response.headers.pop("set-cookie", None)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream, self._meter)
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    """A body, counted while it is read."""

    def __init__(self, inner: httpx2.AsyncByteStream, meter: Meter) -> None:
        self._inner, self._meter, self._left = inner, meter, MOST_MESSAGE * 2

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._meter.took(chunk)
            self._left -= len(chunk)
            if self._left < 0:
                self._meter.exceeded(f"sent an answer of more than {MOST_MESSAGE * 2:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
