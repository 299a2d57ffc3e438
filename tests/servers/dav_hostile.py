"""A server of calendars that does what no server should: what each path answers is a list of bytes, sent as they are, piece by piece."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Reply = bytes | Callable[[socket.socket], None]


def answer(status: str, body: str | bytes = "", *headers: str) -> bytes:
    """A whole HTTP answer that ends the connection."""
    content = body if isinstance(body, bytes) else body.encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + content


def multistatus(*responses: str, token: str = "") -> bytes:
    """A multi-status answer."""
    told = f"<d:sync-token>{token}</d:sync-token>" if token else ""
    return answer(
        "207 Multi-Status",
        '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
        f'xmlns:s="http://calendarserver.org/ns/">{"".join(responses)}{told}</d:multistatus>',
        "Content-Type: application/xml",
    )


def response(href: str, properties: str = "", status: str = "200 OK") -> str:
    """What is said of one resource."""
    if not properties:
        return f"<d:response><d:href>{href}</d:href><d:status>HTTP/1.1 {status}</d:status></d:response>"
    return (
        f"<d:response><d:href>{href}</d:href><d:propstat><d:prop>{properties}</d:prop>"
        f"<d:status>HTTP/1.1 {status}</d:status></d:propstat></d:response>"
    )


CALENDAR = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname>"


@dataclass
class Hostile:
    """The running server. `says`: from method and path to the answers, one after the other, the last again and again."""

    port: int
    says: dict[str, list[Reply]] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)
    """Each request's first line and headers."""

    @property
    def url(self) -> str:
        """Its root."""
        return f"http://localhost:{self.port}/"

    def asked(self, beginning: str) -> int:
        """How many requests began so."""
        return sum(each.startswith(beginning) for each in self.heard)


@contextmanager
def hostile(context: ssl.SSLContext | None = None) -> Iterator[Hostile]:
    """The server for the block."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = Hostile(listener.getsockname()[1])
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=_serve, args=(server, connection, context)))
            threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield server
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(30)
        for each in threads:
            each.join(30)


def _serve(server: Hostile, plain: socket.socket, context: ssl.SSLContext | None) -> None:
    with plain, suppress(OSError):
        connection = plain if context is None else context.wrap_socket(plain, server_side=True)
        with connection:
            connection.settimeout(30)
            head = _head(connection)
            server.heard.append(head)
            method, path = head.split(" ")[:2]
            replies = server.says.get(f"{method} {path}") or server.says.get(path) or [answer("404 Not Found")]
            reply = replies.pop(0) if len(replies) > 1 else replies[0]
            if callable(reply):
                reply(connection)
            else:
                connection.sendall(reply)


def _head(connection: socket.socket) -> str:
    """The request's head; its body is read and left."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65_536)
        if not piece:
            raise OSError
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    text = head.decode("latin-1")
    length = next(
        (int(line.split(":")[1]) for line in text.split("\r\n") if line.lower().startswith("content-length:")), 0
    )
    while len(body) < length:
        piece = connection.recv(65_536)
        if not piece:
            break
        body += piece
    return text
