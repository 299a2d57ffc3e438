"""The server of `bench.home.mcp_server`, made with the SDK and over HTTP, ended with the block."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.home.mcp_server import FakeServer

from armslength.tools.mcp.settings import Remote

SDK = Path(__file__).with_name("mcp_sdk.py")


@contextmanager
def over_http(fake: FakeServer, **how: Any) -> Iterator[Remote]:
    """A server whose program is `SDK`, in a process of its own. `how`: as its program says."""
    words = [sys.executable, *fake.arguments, "http", json.dumps(how)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        scheme = "https" if "certificate" in how else "http"
        yield Remote(f"{scheme}://localhost:{port}/mcp")
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()
