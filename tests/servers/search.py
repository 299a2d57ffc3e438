"""A service that searches, on loopback without TLS, as one asks it for JSON. It gives results to whoever has its key."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class SearchService:
    """`key`: that it wants. `asked`: the queries that it got. `drops`: it breaks connections off."""

    key: str
    port: int = 0
    asked: list[str] = field(default_factory=list)
    drops: bool = False

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Where queries go."""
        return f"http://{self.place}/search"


@contextmanager
def search_service(key: str) -> Iterator[SearchService]:
    """One, stopped at the end."""
    made = SearchService(key)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_given: Any) -> None:
            pass

        def do_GET(self) -> None:  # http.server's name
            if made.drops:
                self.close_connection = True
                return
            query = parse_qs(urlsplit(self.path).query).get("q", [""])[0]
            made.asked.append(query)
            is_known = self.headers.get("X-Subscription-Token") == made.key
            found = [{"title": "Weather", "description": "Rain.", "url": "https://weather.example/"}]
            refusal = {"error": f"no such key: {self.headers.get('X-Subscription-Token')}"}
            content = json.dumps({"web": {"results": found}} if is_known else refusal).encode()
            self.send_response(200 if is_known else 403)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.port = server.server_address[1]
        serving = threading.Thread(target=server.serve_forever, args=(0.05,), name="search", daemon=True)
        serving.start()
        try:
            yield made
        finally:
            server.shutdown()
            serving.join()
