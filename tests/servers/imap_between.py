"""A line between a client and an IMAP server that does what lines do: it breaks, stands still or drips, from a moment on that a test names."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Fault = Literal["none", "break", "stand still", "drip"]


@dataclass(slots=True)
class Line:
    """A line at `port`. Once the client has sent `word` after `fault` was set, that is what becomes of the answers."""

    port: int
    fault: Fault = "none"
    word: bytes = b""
    more: int = 0
    """Bytes of answer that still pass."""
    met: threading.Event = field(default_factory=threading.Event)
    ends: list[socket.socket] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def will(self, fault: Fault, word: str, more: int = 0) -> None:
        """Set the fault."""
        self.met.clear()
        self.fault, self.word, self.more = fault, word.encode(), more


@contextlib.contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line to the server at that port of this machine, closed at the end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        line = Line(listening.getsockname()[1])
        threads = [threading.Thread(target=_serve, args=(listening, port, line), daemon=True)]
        line.threads = threads
        threads[0].start()
        try:
            yield line
        finally:
            listening.shutdown(socket.SHUT_RDWR)  # ends `accept`
            threads[0].join(10)
            for end in line.ends:
                _close(end)
            for thread in threads[1:]:
                thread.join(10)


def _serve(listening: socket.socket, port: int, line: Line) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listening.accept()
            line.ends.append(client)
            server = socket.create_connection(("127.0.0.1", port))
            line.ends.append(server)
            seen = threading.Event()
            for work, ends in ((_up, (client, server)), (_down, (server, client))):
                line.threads.append(threading.Thread(target=work, args=(*ends, line, seen), daemon=True))
                line.threads[-1].start()


def _up(client: socket.socket, server: socket.socket, line: Line, seen: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while data := client.recv(65_536):
            if line.fault != "none" and line.word in data:
                seen.set()
            server.sendall(data)
            if seen.is_set():
                line.met.set()
    _close(server)


def _down(server: socket.socket, client: socket.socket, line: Line, seen: threading.Event) -> None:
    left: int | None = None
    with contextlib.suppress(OSError):
        while data := server.recv(65_536):
            if not seen.is_set() or line.fault == "none":
                client.sendall(data)
                continue
            left = line.more if left is None else left
            client.sendall(data[:left])
            rest, left = data[left:], max(0, left - len(data))
            if rest and line.fault == "break":
                break
            for at in range(len(rest) if line.fault == "drip" else 0):
                client.sendall(rest[at : at + 1])
                time.sleep(0.2)
    _close(client)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        end.close()
