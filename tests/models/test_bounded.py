"""An answer of a provider is there whole within its time and size, or there is none, whatever the server sends."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from armslength.errors import ModelNonsense, ModelTimedOut
from armslength.models.base import ModelRequest, Turn
from armslength.models.bounded import MOST_BYTES
from armslength.models.chat import ChatModel
from armslength.models.wire import Endpoint

REQUEST = ModelRequest("", (Turn("user", "hi"),))
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


@contextmanager
def dripping(begun: bytes) -> Iterator[str]:
    """The address of a server that sends this and then a byte now and then, for good."""
    is_over = threading.Event()

    def serve() -> None:
        made, _ = listening.accept()
        with made, suppress(OSError):
            made.recv(65536)
            made.sendall(begun)
            while not is_over.wait(0.05):
                made.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            is_over.set()
            thread.join()


@pytest.mark.parametrize(
    "begun",
    [b"HTTP/1.1 200 O", HEAD + b"x-", HEAD + b"content-length: 100000\r\n\r\n", HEAD + b"connection: close\r\n\r\n"],
    ids=["status", "header", "body", "body without a length"],
)
def test_a_byte_now_and_then_is_no_answer_in_time(begun: bytes) -> None:
    """The time is that of the whole answer: from byte to byte, it would never be over."""
    with dripping(begun) as address:
        model = ChatModel(Endpoint(address, "tiny", name="test", timeout=0.6, retries=0))
        started = time.monotonic()
        with pytest.raises(ModelTimedOut, match=r"^test: no answer within 0\.6 s; try again or raise timeout$"):
            model.complete(REQUEST)
        assert time.monotonic() - started < 20


def asked(provider: Any) -> None:
    """Ask it once."""
    ChatModel(Endpoint(provider.base_url, "tiny", name="test", timeout=20, retries=0)).complete(REQUEST)


def test_a_compressed_answer_is_not_unpacked(provider: Any) -> None:
    """What is small on the wire and endless in memory was not asked for."""
    provider.will(gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"})
    with pytest.raises(ModelNonsense, match=r"^test: the response is compressed, which was not asked for$"):
        asked(provider)
    assert provider.headers[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_has_a_size(provider: Any, status: int) -> None:
    """The rest of a longer one is not read, of an error neither."""
    provider.will(b" " * (MOST_BYTES + 1), status=status)
    with pytest.raises(ModelNonsense, match=r"^test: the response is longer than 8,000,000 bytes$"):
        asked(provider)
