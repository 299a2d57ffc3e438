"""An internet without a network: hosts that answer over HTTP and TLS at the other end of a pair of sockets, for the tools that fetch pages.

    net = Internet()
    net.web.put("www.example", "/", "<p>Hello</p>")
    Reach(net.network)              # addresses are checked as everywhere, and then the pair is dialled

Each host has an address of the public internet, unless it was given another. Handlers write bytes as they like.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import trustme

from armslength.tools.web.dialling import Network

_TLS_BEGINS = b"\x16"
"""The first byte of a connection under TLS: a handshake (RFC 8446, 5.1)."""
ADDRESSES = ("93.184.215.14", "2606:4700::6810:84e5")
"""Public addresses for hosts; nothing is sent to them."""


@dataclass(frozen=True)
class Request:
    """What was asked: host with its port if it has one, target, and headers in lower case."""

    host: str
    target: str
    headers: dict[str, str]
    is_tls: bool = True

    @property
    def url(self) -> str:
        """What was asked for, as an address."""
        return f"{'https' if self.is_tls else 'http'}://{self.host}{self.target}"


Handler = Callable[[socket.socket, Request], None]


def answer(body: bytes | str, kind: str = "text/html; charset=utf-8", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer of HTTP/1.1. Headers by name, with `_` for `-`; one without a value is left out."""
    content = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": kind, "Content-Length": str(len(content))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in named.items() if value), "", ""]
    return "\r\n".join(lines).encode("latin-1") + content


@dataclass
class WebServer:
    """All hosts. `asked`: each request, in order. `wrong`: hosts that show the certificate of another."""

    authority: trustme.CA = field(default_factory=trustme.CA)
    handlers: dict[tuple[str, str], Handler] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
    speaks_tls: bool = True
    stopping: threading.Event = field(default_factory=threading.Event)
    _contexts: dict[str, ssl.SSLContext] = field(default_factory=dict)

    def put(self, host: str, path: str, body: bytes | str, kind: str = "text/html; charset=utf-8") -> None:
        """A page."""
        self.handle(host, path, lambda connection, _request: connection.sendall(answer(body, kind)))

    def move(self, host: str, path: str, to: str, status: str = "302 Found") -> None:
        """A page that has moved."""
        self.handle(host, path, lambda connection, _request: connection.sendall(answer("", status=status, Location=to)))

    def handle(self, host: str, path: str, handler: Handler) -> None:
        """What is done for a path, whatever its query."""
        self.handlers[host, path] = handler

    def serve(self, connection: socket.socket) -> None:
        """One connection, one request, under TLS if it begins so."""
        with suppress(OSError, ValueError), connection:
            connection.settimeout(10)
            is_tls = self.speaks_tls and connection.recv(1, socket.MSG_PEEK) == _TLS_BEGINS
            with self._secured(connection) if is_tls else connection as spoken:
                request = _read(spoken, is_tls=is_tls)
                self.asked.append(request)
                path = request.target.partition("?")[0]
                handler = self.handlers.get((request.host.partition(":")[0], path))
                if handler is None:
                    spoken.sendall(answer("no", status="404 Not Found"))
                else:
                    handler(spoken, request)

    def trust(self) -> ssl.SSLContext:
        """TLS of whoever takes these hosts for what they say."""
        made = ssl.create_default_context()
        self.authority.configure_trust(made)
        return made

    def _secured(self, connection: socket.socket) -> socket.socket:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(*ADDRESSES).configure_cert(made)

        def by_name(spoken: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
            spoken.context = self._context(name or "")

        made.sni_callback = by_name
        return made.wrap_socket(connection, server_side=True)

    def _context(self, host: str) -> ssl.SSLContext:
        if host not in self._contexts:
            made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            names = ["other.example"] if host in self.wrong else [host] if host else list(ADDRESSES)
            self.authority.issue_cert(*names).configure_cert(made)
            self._contexts[host] = made
        return self._contexts[host]


def _read(connection: socket.socket, *, is_tls: bool) -> Request:
    head = b""
    while b"\r\n\r\n" not in head:
        come = connection.recv(4_096)
        if not come:
            raise ValueError("no request")
        head += come
    first, *lines = head.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Request(headers.get("host", ""), first.split(" ")[1], headers, is_tls)


@dataclass
class Internet:
    """`looked_up`: names, in order. `addresses`: of hosts that have others than the usual one."""

    web: WebServer = field(default_factory=WebServer)
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)

    @property
    def network(self) -> Network:
        """How the tools reach it."""
        return Network(self._resolve, self._dial, self.web.trust)

    def _resolve(self, host: str, _seconds: float) -> tuple[str, ...]:
        self.looked_up.append(host)
        return self.addresses.get(host, ADDRESSES[:1])

    def _dial(self, _address: str, _port: int, _seconds: float) -> socket.socket:
        ours, theirs = socket.socketpair()
        threading.Thread(target=self.web.serve, args=(theirs,), name="web", daemon=True).start()
        return ours
