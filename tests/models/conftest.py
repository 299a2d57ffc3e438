"""A provider on a loopback port that answers what a test tells it to, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Answer:
    """What the provider sends for one request."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    closes: bool = False


@dataclass
class Provider:
    """The fake provider: answers in order, the last one again and again."""

    base_url: str
    answers: list[Answer] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def will(self, body: Any = None, **how: Any) -> None:
        """Queues an answer."""
        self.answers.append(Answer(body, **how))

    def next_answer(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def _handler(provider: Callable[[], Provider]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            self._answer()

        def _answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            provider().paths.append(self.path)
            provider().headers.append({key.lower(): value for key, value in self.headers.items()})
            provider().seen.append(json.loads(sent) if sent else {})
            answer = provider().next_answer()
            provider().stopped.wait(answer.seconds)
            if answer.closes:
                self.close_connection = True
                return
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for key, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Nothing on the test's screen."""

    return Handler


class _Server(ThreadingHTTPServer):
    """Takes as many at once as a test sends."""

    request_queue_size = 256


@pytest.fixture
def provider() -> Iterator[Provider]:
    server = _Server(("127.0.0.1", 0), _handler(lambda: made))
    made = Provider(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield made
    finally:
        made.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
