"""One page asked for over HTTP: what is sent, how much is taken, and what becomes of whatever goes wrong.

Sent are a method, host and target of the address that was decided on, and headers that are the same for everybody: no cookie, no
referrer, no language, no account. Sources: RFC 9110, RFC 9112.
"""

from __future__ import annotations

import os
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from armslength.certificates import trusting, untrusted
from armslength.deadlines import Deadline
from armslength.errors import ConfigError, ToolError
from armslength.installing import install_command
from armslength.tools.web.address import WebAddress, address_from
from armslength.tools.web.dialling import Dialler, Network
from armslength.tools.web.internet import literal

MOST_BYTES = 5_000_000
SECONDS = 30.0
MOST_MOVES = 5
_OVERHEAD = 1_000_000
"""Bytes of headers and of the frames of a body."""
_MOVED = frozenset({301, 302, 303, 307, 308})
_AGENT = "Mozilla/5.0 (compatible; Armslength/1)"
_ACCEPT = "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.8, application/pdf;q=0.7, */*;q=0.1"


@dataclass(frozen=True, slots=True)
class Reach:
    """Which hosts are asked, and how much of them is taken: so many bytes of a page once it is unpacked, in so many seconds all together.

    `local`: hosts of the person's own network, each `host:port`. `ports`: of all others. `authorities`: a file of certificates (PEM) that
    vouch for those local hosts, and for no other; without it the system's do.
    """

    network: Network = field(default_factory=Network)
    local: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset({80, 443})
    authorities: Path | None = None
    most_bytes: int = MOST_BYTES
    seconds: float = SECONDS

    def is_local(self, address: WebAddress) -> bool:
        """Whether the configuration names this very host and port."""
        return address.place in self.local

    def tls(self, address: WebAddress) -> ssl.SSLContext:
        """Who vouches for a host.

        Raises:
            ConfigError: the file of certificates cannot be read.
        """
        if self.authorities is None or not self.is_local(address):
            return self.network.tls()
        return trusting(self.authorities, "web.authorities")


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What a host answered. `asked`: whom, in order, the last of them being whose words these are. `type`: what it says that it is."""

    asked: tuple[WebAddress, ...]
    type: str
    content: bytes


def fetch(reach: Reach, address: WebAddress, told: frozenset[str], headers: Mapping[str, str] | None = None) -> Answer:
    """Ask for a page. Where its host says that it has moved, that is followed on the host itself, and to hosts that were decided on.

    `told`: those hosts. `headers`: what a service needs besides, such as its key; they go to the first address alone, which then may not move.

    Raises:
        ToolError: in one line without words of the page: no answer, one that cannot be taken, or the page has moved elsewhere.
        ConfigError: the extra is not installed.
    """
    deadline = Deadline.in_seconds(reach.seconds)
    asked = [address]
    while True:
        try:
            given = _ask(reach, asked[-1], deadline, headers or {})
        except (ToolError, ConfigError):
            raise
        except Exception as error:
            raise _failure(error, "web.authorities" if reach.is_local(asked[-1]) else "") from error
        if isinstance(given, Answer):
            return Answer(tuple(asked), given.type, given.content)
        if headers:
            raise ToolError("web: the service has moved; correct its address in the configuration")
        asked.append(_next(asked[-1], given.location, told))
        if len(asked) > MOST_MOVES + 1:
            raise ToolError("web: the page moves in circles")


@dataclass(frozen=True, slots=True, repr=False)
class _Moved:
    location: str


def _next(address: WebAddress, location: str, told: frozenset[str]) -> WebAddress:
    """Where a page has moved to, if that is to be asked: its host knows already, or it was decided on."""
    moved = address_from(address, location)
    if address.scheme == "https" and moved.scheme == "http":
        raise ToolError("web: the page has moved to where it can be read and changed on the way (http)")
    if moved.host not in {address.host, *told}:
        raise ToolError(
            f"web: the page has moved to {moved.host}, which was not asked; ask for it there if that is what you mean"
        )
    return moved


def _ask(reach: Reach, address: WebAddress, deadline: Deadline, more: Mapping[str, str]) -> Answer | _Moved:
    httpcore2 = library()
    is_local = reach.is_local(address)
    if not is_local and address.port not in reach.ports:
        raise ToolError("web: that port is not one of web.ports")
    dialler = Dialler(reach.network, address, deadline, 2 * reach.most_bytes + _OVERHEAD, is_local=is_local)
    host = address.host if address.url.startswith(f"{address.scheme}://{address.host}/") else address.place
    sent = {
        "Host": host,
        "User-Agent": _AGENT,
        "Accept": _ACCEPT,
        "Accept-Encoding": "gzip",
        "Connection": "close",
        **more,
    }
    with httpcore2.ConnectionPool(
        ssl_context=reach.tls(address) if address.scheme == "https" else None,
        network_backend=cast("Any", dialler),
        max_connections=1,
        max_keepalive_connections=0,
    ) as pool:
        name = literal(address.host) or address.host
        url = httpcore2.URL(
            scheme=address.scheme.encode(), host=name.encode(), port=address.port, target=address.target.encode()
        )
        with pool.stream(
            "GET", url, headers=[(key.encode(), value.encode()) for key, value in sent.items()]
        ) as response:
            return _taken(response, reach.most_bytes)


def library() -> Any:
    """The library that speaks HTTP.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        import httpcore2
    except ImportError as error:
        raise ConfigError(f"web: the package httpcore2 is not installed; run {install_command('web')}") from error
    return httpcore2


def _taken(response: Any, most: int) -> Answer | _Moved:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    status = int(response.status)
    if status in _MOVED:
        return _Moved(headers.get("location", "").encode("latin-1").decode("utf-8", "replace"))
    if status != 200:
        raise ToolError(f"web: the host answers {status}{_MEANS.get(status, '')}")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length[:12]) > most:
        raise _too_large(most)
    body = _Body(headers.get("content-encoding", "").strip().lower(), most)
    for chunk in response.iter_stream():
        body.add(chunk)
    return Answer((), headers.get("content-type", ""), body.whole())


_MEANS = {
    401: ": it wants an account, and none is used",
    403: ": it refuses to give the page",
    404: ": it has no such page",
    410: ": the page is gone",
    429: ": it was asked too often; wait",
    503: ": it is not at work; try again later",
}


class _Body:
    """The content as it comes, unpacked, and no more of it than is taken."""

    def __init__(self, encoding: str, most: int) -> None:
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise ToolError("web: the page is packed in a way that was not asked for")
        self._content, self._most = bytearray(), most
        self._unpacks = _unpacking() if "gzip" in encoding else None

    def add(self, chunk: bytes) -> None:
        """What came next."""
        while chunk and self._unpacks is not None:
            self._keep(self._unpacks.decompress(chunk, self._most + 1 - len(self._content)))
            if not self._unpacks.eof:
                return
            chunk = self._unpacks.unused_data
            if not chunk.startswith(b"\x1f\x8b"):  # what follows the end is no further part (RFC 1952, 2.2)
                return
            self._unpacks = _unpacking()
        self._keep(chunk)

    def whole(self) -> bytes:
        """All of it."""
        if self._unpacks is not None and not self._unpacks.eof:
            raise ToolError("web: the page is packed, and breaks off; try again")
        return bytes(self._content)

    def _keep(self, come: bytes) -> None:
        self._content += come
        if len(self._content) > self._most:
            raise _too_large(self._most)


def _unpacking() -> Any:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)


def _too_large(most: int) -> ToolError:
    return ToolError(f"web: the page is over the limit of {most:,} bytes")


def _failure(error: Exception, setting: str) -> ToolError:
    """The only mapping of what a connection, TLS, the packing or the library raises. No word of the host is repeated.

    `setting`: where the host's authority can be named.
    """
    httpcore2 = library()
    match error:
        case TimeoutError() | httpcore2.TimeoutException():
            return ToolError("web: the host did not answer in time; try again later")
        case ssl.SSLCertVerificationError():
            return ToolError(f"web: the host {untrusted(error, setting)}")
        case ssl.SSLError():
            return ToolError("web: no secure connection to the host could be made")
        case httpcore2.ProtocolError():
            return ToolError("web: what the host answers is not HTTP, or breaks off; try again later")
        case zlib.error():
            return ToolError("web: the page is packed, and damaged")
        case OSError() | httpcore2.NetworkError():
            return ToolError(f"web: no connection to the host, or it broke off; try again later{_by_proxy()}")
        case _:
            return ToolError(f"web: asking for the page failed: {type(error).__name__}")


def _by_proxy() -> str:
    named = any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"))
    return " (the environment names a proxy; none is used, since a proxy could be told to ask anybody)" if named else ""
