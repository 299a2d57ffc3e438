"""How hosts are really reached: the system's resolver, and a connection to a number."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from armslength.deadlines import Deadline
from armslength.errors import ToolError
from armslength.tools.web.address import web_address
from armslength.tools.web.dialling import Dialler, Network, system_dial, system_resolve, usual_tls


@pytest.fixture
def port() -> Iterator[int]:
    """Of a server on loopback that says hello once."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(b"hello")

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield listening.getsockname()[1]
        serving.join()


def test_a_name_has_the_addresses_that_the_system_says() -> None:
    """Each once."""
    assert "127.0.0.1" in system_resolve("localhost", 5.0)


@pytest.mark.parametrize("host", ["nothing.invalid", "a" * 64 + ".example", ""])
def test_a_name_without_an_address_is_an_error(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """Whatever the system says of it."""

    def unknown(name: str, *_more: object, **_how: object) -> list[object]:
        name.encode("idna")
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(OSError, match=r"."):
        system_resolve(host, 5.0)


def test_a_name_is_looked_up_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not below a domain of the network's search list."""
    asked: list[str] = []

    def known(name: str, *_more: object, **_how: object) -> list[object]:
        asked.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 0))] * 2

    monkeypatch.setattr(socket, "getaddrinfo", known)
    assert system_resolve("www.example", 5.0) == ["93.184.215.14"]
    assert asked == ["www.example."]


def test_a_resolver_that_does_not_answer_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be stopped, and nobody waits for it."""
    going_on = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_more, **_how: going_on.wait(10) and [])
    with pytest.raises(TimeoutError):
        system_resolve("www.example", 0.1)
    going_on.set()


def test_an_address_is_dialled(port: int) -> None:
    """By its number."""
    with system_dial("127.0.0.1", port, 5.0) as connection:
        assert connection.recv(5) == b"hello"


def test_an_address_at_which_nobody_is_is_an_error() -> None:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        free = listening.getsockname()[1]
    with pytest.raises(OSError, match=r"."):
        system_dial("127.0.0.1", free, 5.0)


def test_certificates_are_checked_for_the_name() -> None:
    """As the standard library does for clients."""
    assert usual_tls().check_hostname
    assert usual_tls() is usual_tls()


@pytest.mark.parametrize("other", [("other.example", 443), ("www.example", 80), ("93.184.215.14", 443)])
def test_what_the_library_asks_for_is_what_was_decided_on(other: tuple[str, int]) -> None:
    """Another host or port is refused before anything is looked up."""
    network = Network(resolve=lambda _host, _seconds: pytest.fail("looked up"))
    dialler = Dialler(network, web_address("https://www.example/"), Deadline.in_seconds(5), 100, is_local=False)
    with pytest.raises(ToolError, match=r"^web: another host was to be asked than the one that was decided on$"):
        dialler.connect_tcp(*other)
    with pytest.raises(ToolError, match=r"^web: hosts are asked over the network alone$"):
        dialler.connect_unix_socket("/run/docker.sock")
