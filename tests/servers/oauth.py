"""A provider of tokens on a loopback port (RFC 8628, 6749): it answers the token questions with what the test lined up."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

CODE = {
    "device_code": "device-1",
    "user_code": "WDJB-MJHT",
    "verification_uri": "http://localhost/device",
    "expires_in": 60,
    "interval": 1,
}


@dataclass(slots=True)
class Authorisation:
    """The provider. `answers`: to the token questions, in turn, the last again and again; `asked`: path and fields of all questions.

    `breaks`: an answer breaks off before its end.
    """

    url: str
    code: Any = field(default_factory=lambda: dict(CODE))
    answers: list[tuple[int, Any]] = field(default_factory=list)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    breaks: bool = False


@contextmanager
def authorisation() -> Iterator[Authorisation]:
    """A running one."""
    made: list[Authorisation] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            provider = made[0]
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            provider.asked.append((self.path, {name: values[0] for name, values in parse_qs(body).items()}))
            status, answer = (200, provider.code)
            if self.path == "/token":
                status, answer = provider.answers.pop(0) if len(provider.answers) > 1 else provider.answers[0]
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            if status == 302:
                self.send_header("Location", f"{provider.url}/elsewhere")
            if provider.breaks:
                self.send_header("Transfer-Encoding", "chunked")
                content = b"fff\r\n" + content
            else:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.append(Authorisation(f"http://127.0.0.1:{server.server_address[1]}"))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield made[0]
        finally:
            server.shutdown()
