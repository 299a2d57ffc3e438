"""An internet on loopback: a name server, and one server that is all hosts, with TLS and without.

    with internet() as net:
        net.host("www.example", "93.184.215.14")
        net.web.put("www.example", "/", "<p>Hello</p>")
        Reach(net.network)                    # what the tools dial: addresses are checked as everywhere, then loopback is dialled

Handlers write bytes as they like, so the server can be as broken as a test wants it.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import dns.exception
import dns.resolver
import trustme
from tests.servers.dns import DnsServer, dns_server

from armslength.tools.web.dialling import Network

TLS_PORTS = frozenset({443, 8443})
ADDRESSES = ("93.184.215.14", "2606:4700::6810:84e5")
"""Public addresses for hosts; nothing is sent to them."""


@dataclass(frozen=True)
class Request:
    """What was asked: host, target, and headers in lower case."""

    host: str
    target: str
    headers: dict[str, str]


Handler = Callable[[socket.socket, Request], None]


def answer(body: bytes | str, kind: str = "text/html; charset=utf-8", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer of HTTP/1.1. Headers by name, with `_` for `-`."""
    content = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": kind, "Content-Length": str(len(content))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in named.items() if value), "", ""]
    return "\r\n".join(lines).encode("latin-1") + content


@dataclass
class WebServer:
    """The server. `asked`: each request, in order. `wrong`: hosts that show the certificate of another."""

    authority: trustme.CA = field(default_factory=trustme.CA)
    handlers: dict[tuple[str, str], Handler] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)
    wrong: set[str] = field(default_factory=set)
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

    def context(self, host: str) -> ssl.SSLContext:
        """TLS with a certificate for a host, or for the addresses where none is named."""
        if host not in self._contexts:
            made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            names = ["other.example"] if host in self.wrong else [host] if host else list(ADDRESSES)
            self.authority.issue_cert(*names).configure_cert(made)
            self._contexts[host] = made
        return self._contexts[host]

    def serve(self, connection: socket.socket, *, is_tls: bool) -> None:
        """One connection, one request."""
        with suppress(OSError, ValueError), connection:
            connection.settimeout(10)
            spoken = self._secured(connection) if is_tls else connection
            with spoken:
                request = _read(spoken)
                self.asked.append(request)
                path = request.target.partition("?")[0]
                handler = self.handlers.get((request.host.partition(":")[0], path))
                if handler is None:
                    spoken.sendall(answer("no", status="404 Not Found"))
                else:
                    handler(spoken, request)

    def _secured(self, connection: socket.socket) -> socket.socket:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.authority.issue_cert(*ADDRESSES).configure_cert(made)

        def by_name(spoken: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
            spoken.context = self.context(name or "")

        made.sni_callback = by_name  # type: ignore[assignment]
        return made.wrap_socket(connection, server_side=True)


def _read(connection: socket.socket) -> Request:
    head = b""
    while b"\r\n\r\n" not in head:
        come = connection.recv(4_096)
        if not come:
            raise ValueError("no request")
        head += come
    first, *lines = head.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Request(headers.get("host", ""), first.split(" ")[1], headers)


@dataclass
class Internet:
    """`dialled`: each address and port that was to be connected to, in order. `local`: real ports of hosts that are dialled as they are."""

    dns: DnsServer
    web: WebServer
    ports: dict[bool, int]
    dialled: list[tuple[str, int]] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    """Addresses that nobody answers at."""

    def host(self, name: str, *addresses: str) -> None:
        """A host of the internet."""
        given = addresses or ADDRESSES[:1]
        for kind, colon in (("A", False), ("AAAA", True)):
            of_kind = [each for each in given if (":" in each) is colon]
            if of_kind:
                self.dns.put(name, kind, *of_kind)

    @property
    def network(self) -> Network:
        """How the tools reach it."""
        return Network(self._resolve, self._dial, self._tls)

    def _tls(self) -> ssl.SSLContext:
        made = ssl.create_default_context()
        self.web.authority.configure_trust(made)
        return made

    def _dial(self, address: str, port: int, seconds: float) -> socket.socket:
        self.dialled.append((address, port))
        if address in self.dead:
            raise ConnectionRefusedError
        return socket.create_connection(("127.0.0.1", self.ports[port in TLS_PORTS]), seconds)

    def _resolve(self, host: str, seconds: float) -> list[str]:
        found: list[str] = []
        for kind in ("A", "AAAA"):
            try:
                answered = self.dns.resolver(seconds).resolve(f"{host}.", kind)
            except dns.exception.Timeout:
                raise TimeoutError from None
            except dns.exception.DNSException:
                continue
            found += [each.to_text() for each in answered]
        if not found:
            raise OSError("no such host")
        return found


@contextmanager
def internet() -> Iterator[Internet]:
    """One, stopped at the end."""
    web = WebServer()
    with dns_server() as names, _listening(web, is_tls=True) as secure, _listening(web, is_tls=False) as plain:
        try:
            yield Internet(names, web, {True: secure, False: plain})
        finally:
            web.stopping.set()


@contextmanager
def _listening(web: WebServer, *, is_tls: bool) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        serving: list[threading.Thread] = []

        def accept() -> None:
            while True:
                connection, _ = listening.accept()
                if web.stopping.is_set():
                    connection.close()
                    return
                each = threading.Thread(
                    target=web.serve, args=(connection,), kwargs={"is_tls": is_tls}, name="web", daemon=True
                )
                each.start()
                serving.append(each)

        accepting = threading.Thread(target=accept, name="web", daemon=True)
        accepting.start()
        try:
            yield port
        finally:
            web.stopping.set()
            socket.create_connection(("127.0.0.1", port)).close()
            accepting.join()
            for each in serving:
                each.join()
