"""Radicale, a server of calendars and address books: in a process of its own on a loopback port, gone when the block ends.

Run as a script it is that process: it prints its port and serves until its input ends.
"""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

USER, PASSWORD = "kim", "correct horse: ünlocked"


@dataclass(frozen=True)
class Radicale:
    """A running server with one user. `authority`: the file of who made its certificate, None where it has none."""

    port: int
    authority: Path | None

    @property
    def url(self) -> str:
        """Its root."""
        return f"{'http' if self.authority is None else 'https'}://localhost:{self.port}/"

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, bytes]:
        """What another program of the same user's gets."""
        context = None if self.authority is None else ssl.create_default_context(cafile=self.authority)
        connection = (
            HTTPConnection("localhost", self.port, timeout=30)
            if context is None
            else HTTPSConnection("localhost", self.port, timeout=30, context=context)
        )
        secret = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        try:
            connection.request(method, path, body.encode(), {"Authorization": f"Basic {secret}", **named})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def make(self, path: str, kind: str, title: str) -> str:
        """A new collection; `kind` is `calendar` or `addressbook`. Gives its path."""
        types = {
            "calendar": '<c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/>',
            "addressbook": '<c:addressbook xmlns:c="urn:ietf:params:xml:ns:carddav"/>',
        }
        body = (
            '<d:mkcol xmlns:d="DAV:"><d:set><d:prop><d:resourcetype><d:collection/>'
            f"{types[kind]}</d:resourcetype><d:displayname>{title}</d:displayname></d:prop></d:set></d:mkcol>"
        )
        status, _ = self.ask("MKCOL", path, body)
        assert status == 201, status
        return path

    def put(self, path: str, text: str) -> None:
        """Another program writes a resource, whatever lies there."""
        status, _ = self.ask("PUT", path, text.replace("\n", "\r\n"))
        assert status in {201, 204}, status

    def remove(self, path: str) -> None:
        """Another program removes one."""
        status, _ = self.ask("DELETE", path)
        assert status == 200, status


@contextmanager
def radicale(
    folder: Path, certificate: tuple[Path, Path] | None = None, authority: Path | None = None
) -> Iterator[Radicale]:
    """A server with its files in `folder`. `certificate`: files of the chain and of the key; `authority`: of who made it."""
    files = [] if certificate is None else list(map(str, certificate))
    child = subprocess.Popen(
        [sys.executable, "-W", "ignore", __file__, str(folder), *files],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "PYTHONSAFEPATH": "1"},
        text=True,
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        yield Radicale(int(child.stdout.readline()), authority)
    finally:
        child.stdin.close()
        child.wait(timeout=30)
        child.stdout.close()


def _serve(folder: Path, certificate: list[str]) -> None:
    import threading
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

    from radicale import Application, config

    class Server(ThreadingMixIn, WSGIServer):
        daemon_threads = True

        def get_request(self) -> tuple[socket.socket, object]:
            connection, address = super().get_request()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # head and body go in two pieces
            return connection, address

    class Handler(WSGIRequestHandler):
        def log_message(self, *_given: object) -> None:
            pass

    (folder / "users").write_text(f"{USER}:{PASSWORD}\n", encoding="utf-8")
    configuration = config.load()
    configuration.update(
        {
            "auth": {
                "type": "htpasswd",
                "htpasswd_filename": str(folder / "users"),
                "htpasswd_encryption": "plain",
                "delay": "0",
            },
            "storage": {"filesystem_folder": str(folder / "collections")},
            "logging": {"level": "critical"},
        },
        "test",
    )
    server = make_server("127.0.0.1", 0, Application(configuration), Server, Handler)
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)  # noqa: T201  # for whoever started it
    sys.stdin.read()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
