"""An internet on loopback: a name server, and one server that is all hosts, with TLS and without.

    with internet() as net:
        net.host("www.example", "93.184.215.14")
        net.web.put("www.example", "/", "<p>Hello</p>")
        Reach(net.network)                    # what the tools dial: addresses are checked as everywhere, then loopback is dialled

Handlers write bytes as they like, so the server can be as broken as a test wants it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.exception
import dns.resolver
from bench.home.internet import ADDRESSES, Handler, Request, WebServer, answer
from tests.servers.dns import DnsServer, dns_server

from armslength.tools.web.dialling import Network

__all__ = ["Handler", "Internet", "Request", "answer", "internet"]


@dataclass
class Internet:
    """`port`: where all of it is. `dialled`: each address and port that was to be connected to, in order."""

    dns: DnsServer
    web: WebServer
    port: int
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
        return Network(self._resolve, self._dial, self.web.trust)

    def _dial(self, address: str, port: int, seconds: float) -> socket.socket:
        self.dialled.append((address, port))
        if address in self.dead:
            raise ConnectionRefusedError
        return socket.create_connection(("127.0.0.1", self.port), seconds)

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
    with dns_server() as names, _listening(web) as port:
        yield Internet(names, web, port)


@contextmanager
def _listening(web: WebServer) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        serving: list[threading.Thread] = []

        def accept() -> None:
            while True:
                connection, _ = listening.accept()
                if web.stopping.is_set():
                    connection.close()
                    return
                each = threading.Thread(target=web.serve, args=(connection,), name="web", daemon=True)
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
