"""A question over HTTP ends at its time, goes where it was meant to, and is answered or said to be not."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from armslength.asking import Answered, Question, asked_once
from armslength.errors import ConfigError, ToolError

SECONDS = 0.6


@contextlib.contextmanager
def answering(
    first: bytes, dripped: bytes = b"", tls: ssl.SSLContext | None = None
) -> Iterator[tuple[int, list[bytes]]]:
    """A server on a loopback port that says `first`, then `dripped` again and again, each byte a while later. Gives its port and what it heard."""
    heard: list[bytes] = []
    over = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            plain, _ = listening.accept()
            with contextlib.closing(tls.wrap_socket(plain, server_side=True) if tls else plain) as connected:
                heard.append(connected.recv(65_536))
                # What is left unread when a connection is closed resets it, and the answer with it.
                while heard[0].startswith(b"POST") and not heard[0].endswith(b"hello"):
                    heard[0] += connected.recv(65_536)
                connected.sendall(first)
                while dripped:
                    for each in dripped:
                        if over.wait(0.02):
                            return
                        connected.sendall(bytes([each]))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1], heard
        finally:
            over.set()
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def asked(port: int, scheme: str = "http", authorities: Path | None = None, **more: Any) -> Answered:
    """The answer to a question."""
    url, headers = f"{scheme}://127.0.0.1:{port}/hook?a=1", {"Authorization": "Bearer t0ken"}
    return asked_once(Question("it", url, b"hello", headers, authorities=authorities, setting="it.authorities", **more))


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("first", "dripped", "scheme"),
    [
        (b"", b"HTTP/1.1 200 OK ", "http"),
        (OK, b"A: 1\r\n", "http"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "http"),
        (OK + b"Content-Length: 90000\r\n\r\n", b"x", "http"),
        (OK + b"\r\n", b"x", "http"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", "http"),
        (b"\x16\x03\x03\x40\x00", b"\x02", "https"),
    ],
    ids=["status", "headers", "continue", "body", "endless body", "chunks", "handshake"],
)
def test_a_server_that_drips_holds_nobody(first: bytes, dripped: bytes, scheme: str) -> None:
    """A byte now and then gives it no more time: a time-out that counts from read to read would never come."""
    with answering(first, dripped) as (port, _):
        began = time.monotonic()
        with pytest.raises(ToolError, match=r"^it: it gives no whole answer in time; try again later$"):
            asked(port, scheme, seconds=SECONDS)
        assert time.monotonic() - began < SECONDS + 2


def test_nothing_is_left_that_still_asks() -> None:
    """The connection ends with the call, so the thread that asked does too."""
    with answering(OK, b"A: 1\r\n") as (port, _):
        with pytest.raises(ToolError):
            asked(port, seconds=SECONDS)
        for thread in threading.enumerate():
            if thread.name == "armslength-asking":
                thread.join(5)
                assert not thread.is_alive()


@pytest.mark.parametrize("status", [b"200", b"302", b"404"])
def test_whatever_the_status_it_is_an_answer(status: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """No redirect is followed, and no proxy of the environment is asked."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with answering(b"HTTP/1.1 " + status + b" X\r\nLocation: /elsewhere\r\nContent-Length: 2\r\n\r\nok") as (
        port,
        heard,
    ):
        assert asked(port) == Answered(int(status), b"ok")
    assert len(heard) == 1
    assert heard[0].startswith(b"POST /hook?a=1 HTTP/1.1\r\n")


def test_of_an_answer_no_more_is_read_than_was_wanted() -> None:
    """The rest is left where it is."""
    with answering(OK + b"Content-Length: 50\r\n\r\n" + b"x" * 50) as (port, _):
        assert asked(port, most=10) == Answered(200, b"x" * 10)


@pytest.mark.parametrize(
    "first",
    [OK + b"Content-Length: 50\r\n\r\nx", OK + b"Transfer-Encoding: chunked\r\n\r\nfff\r\nx", b"220 mail\r\n", b""],
)
def test_half_an_answer_is_none(first: bytes) -> None:
    """Nor is what is no HTTP."""
    with (
        answering(first) as (port, _),
        pytest.raises(ToolError, match=r"^it: cannot be reached \([A-Za-z]+\); try again"),
    ):
        asked(port)


def test_what_cannot_be_sent_is_said_without_it() -> None:
    """A token with an end of a line in it, an address that is none."""
    for url, token in (
        ("http://127.0.0.1:9/", "t0\r\nken"),
        ("http://[::1", "t0ken"),
        ("http://127.0.0.1:x/", "t0ken"),
    ):
        with pytest.raises(ToolError, match=r"^it: cannot be reached") as caught:
            asked_once(Question("it", url, b"", {"A": token}, SECONDS))
        assert "ken" not in str(caught.value)
        assert caught.value.__context__ is None


def test_the_certificate_is_one_for_the_server(tmp_path: Path) -> None:
    """Else nothing is sent."""
    authority = trustme.CA()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(served)
    authority.cert_pem.write_to_path(tmp_path / "own.pem")
    answer = OK + b"Content-Length: 2\r\n\r\nok"
    with answering(answer, tls=served) as (port, _):
        assert asked(port, "https", tmp_path / "own.pem") == Answered(200, b"ok")
    with (
        answering(answer, tls=served) as (port, heard),
        pytest.raises(ConfigError, match=r"^it has a certificate .* name its authority in it\.authorities$"),
    ):
        asked(port, "https")
    assert heard == []
    with pytest.raises(
        ConfigError, match=r"^it\.authorities: .*none\.pem is no file of certificates \(PEM\); correct it$"
    ):
        asked(port, "https", tmp_path / "none.pem")
