"""The transport under a provider's package: an answer is there whole within its time and its size, or there is none.

What a library's time-out counts, from byte to byte, a server that sends one now and then never reaches. So the connection is ended from another
thread, which needs one for each call. Imported where a provider is asked, and only there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2

from armslength.deadlines import Line
from armslength.errors import ModelNonsense
from armslength.models.base import sending

MOST_BYTES = 8_000_000
"""Of one answer: some times what the longest has. It is asked for uncompressed, so this is also what it takes in memory before it is parsed."""
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")
"""How the names end of what the HTTP library traces when a connection is another one, directly or by a proxy."""


class Bounded(httpx2.BaseTransport):
    """Sends by another one that keeps no connections, and reads each answer whole. `name`: of the provider, for messages."""

    def __init__(self, inner: httpx2.BaseTransport, seconds: float, name: str) -> None:
        self._inner, self._seconds, self._name = inner, seconds, name

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer with its body. Whoever pays is asked before (`sending`): a provider's package sends again what failed, and tells nobody.

        Raises:
            ModelError: whoever pays refused.
            httpx2.TransportError: there is none, or not within the time.
            ModelNonsense: it is too long, or compressed.
        """
        sending.get()()
        line = Line()

        def note(event: str, found: Mapping[str, Any]) -> None:
            if event.endswith(_CONNECTED):
                line.hold(found["return_value"].get_extra_info("socket"))

        request.headers["accept-encoding"] = "identity"
        request.extensions = {**request.extensions, "trace": note}
        try:
            with line.ended_after(self._seconds):
                answer = self._answer(request)
        except Exception as error:
            if line.is_cut:
                raise httpx2.ReadTimeout("no whole answer", request=request) from error
            raise
        if line.is_cut:  # what ends with its connection looks whole
            raise httpx2.ReadTimeout("no whole answer", request=request)
        return answer

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        response = self._inner.handle_request(request)
        try:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise ModelNonsense(f"{self._name}: the response is compressed, which was not asked for")
            body = bytearray()
            assert isinstance(response.stream, httpx2.SyncByteStream)
            for part in response.stream:
                body += part
                if len(body) > MOST_BYTES:
                    raise ModelNonsense(f"{self._name}: the response is longer than {MOST_BYTES:,} bytes")
        finally:
            response.close()
        return httpx2.Response(response.status_code, headers=response.headers, content=bytes(body))

    def close(self) -> None:
        """Close what it sends by."""
        self._inner.close()
