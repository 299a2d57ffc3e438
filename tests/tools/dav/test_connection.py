"""Where requests and credentials go, and what each fault of a server is called."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trustme
from tests.servers.dav_hostile import CALENDAR, Hostile, answer, hostile, multistatus, response
from tests.servers.dav_radicale import PASSWORD, USER, Radicale, radicale
from tests.tools.dav.conftest import settings_for

from armslength.errors import ConfigError, ToolError
from armslength.tools.dav import connection as room
from armslength.tools.dav.connection import Connection, Request, strong_etag
from armslength.tools.dav.discovery import collections
from armslength.tools.dav.settings import DavSettings


def _error(settings: DavSettings, method: str = "GET", path: str = "/") -> str:
    with pytest.raises((ToolError, ConfigError)) as caught:
        Connection(settings).ask(Request(method, path))
    assert PASSWORD not in str(caught.value)
    return str(caught.value)


def test_tls_unless_told_otherwise() -> None:
    """Neither a plain address under TLS, nor TLS where none was wanted."""
    with pytest.raises(ConfigError) as caught:
        Connection(DavSettings("calendar.work", "http://dav.example.com/"))
    assert str(caught.value) == (
        'calendar.work.url: begins with http://, and calendar.work.tls is "implicit"; write https://, or tls = "none" and http://: '
        "then whoever is on the way reads and changes everything, the password too"
    )


def test_over_tls_with_an_authority_of_ones_own(tmp_path: Path) -> None:
    """The certificate counts if the configuration names who made it; by default it does not, and nothing was sent."""
    authority = trustme.CA()
    made = authority.issue_cert("localhost")
    chain, key, root = tmp_path / "chain.pem", tmp_path / "key.pem", tmp_path / "root.pem"
    made.cert_chain_pems[0].write_to_path(chain)
    made.private_key_pem.write_to_path(key)
    authority.cert_pem.write_to_path(root)
    with radicale(tmp_path, (chain, key), root) as server:
        server.make(f"/{USER}/cal/", "calendar", "Work")
        good = DavSettings("calendar.work", server.url, USER, lambda: PASSWORD, authorities=root)
        assert [each.title for each in collections(Connection(good), "calendar")] == ["Work"]
        bad = DavSettings("calendar.work", server.url, USER, lambda: PASSWORD)
        assert _error(bad) == (
            f"calendar.work: https://localhost:{server.port} has a certificate that this machine does not accept for it (nobody that counts "
            "vouches for it), so nothing was sent; check the address, or name its authority in calendar.work.authorities"
        )
        broken = DavSettings("calendar.work", server.url, authorities=tmp_path / "users")
        assert _error(broken) == (
            f"calendar.work.authorities: {tmp_path / 'users'} is no file of certificates (PEM); correct it"
        )


def test_a_certificate_for_another_name_hears_no_password(tmp_path: Path) -> None:
    """Right authority, wrong host: the connection ends before anything is asked."""
    import ssl

    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "root.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("other.example").configure_cert(context)
    with hostile(context) as server:
        settings = DavSettings(
            "calendar.work",
            f"https://localhost:{server.port}/",
            USER,
            lambda: PASSWORD,
            authorities=tmp_path / "root.pem",
        )
        assert "(it is for another name)" in _error(settings)
        assert server.heard == []


def test_a_wrong_password_is_told(server: Radicale) -> None:
    """With what to check, and not the password."""
    settings = settings_for(server.url, secret=lambda: "wrong")
    with pytest.raises(ToolError) as caught:
        collections(Connection(settings), "calendar")
    assert str(caught.value) == (
        "calendar.work: the account could not be looked up (HTTP 401): the server does not accept the user or the password; check both, "
        "and whether it wants a password made for apps"
    )


def test_a_token_goes_as_one(liar: Hostile) -> None:
    """Without a user the secret is a bearer token; what is none is not sent."""
    liar.says["/"] = [answer("200 OK")]
    Connection(settings_for(liar.url, user="", secret=lambda: "abc.def-1")).ask(Request("GET", "/"))
    assert "Authorization: Bearer abc.def-1" in liar.heard[0].split("\r\n")
    assert (
        _error(settings_for(liar.url, user=""))
        == "calendar.work.token: is no token; write password and user, if it is a password"
    )
    assert len(liar.heard) == 1


def test_a_token_that_ran_out_is_asked_for_again(liar: Hostile) -> None:
    """Once; meanwhile whoever prints it is not asked for each request. One that stays refused is told."""
    liar.says["/"] = [answer("200 OK"), answer("200 OK"), answer("401 Unauthorized"), answer("200 OK", "in")]
    tokens = iter(["old", "new", "new"])
    connection = Connection(settings_for(liar.url, user="", secret=lambda: next(tokens)))
    assert [connection.ask(Request("GET", "/")).status for _ in range(3)] == [200, 200, 200]
    sent = [line[22:] for head in liar.heard for line in head.split("\r\n") if line.startswith("Authorization:")]
    assert sent == ["old", "old", "old", "new"]
    liar.says["/"] = [answer("401 Unauthorized")]
    assert connection.ask(Request("GET", "/")).status == 401
    assert len(liar.heard) == 5


@pytest.mark.parametrize("to", ["http://127.0.0.1:{port}/", "https://evil.example/", "https://localhost:1/"])
def test_a_redirect_elsewhere_is_not_followed(liar: Hostile, to: str) -> None:
    """Not to another name of the same machine, not to another host or port: the password would go with it."""
    liar.says["/"] = [answer("302 Found", "", f"Location: {to.format(port=liar.port)}")]
    assert "where your password does not go by itself" in _error(settings_for(liar.url))
    assert len(liar.heard) == 1


@pytest.mark.parametrize(
    "to", ["", "x", "/a/../b", "//evil.example/", "http://kim:pw@localhost/", "gopher://x/", "/a b\\c"]
)
def test_a_redirect_to_no_place_is_told(liar: Hostile, to: str) -> None:
    """Whatever it says."""
    liar.says["/"] = [answer("302 Found", "", f"Location: {to}")]
    assert _error(settings_for(liar.url)) == "calendar.work: the server redirects to a place that is none"


def test_a_redirect_within_is_followed_and_ends(liar: Hostile) -> None:
    """A few times for what reads, never for what changes."""
    liar.says["/"] = [answer("301 Moved Permanently", "", "Location: /b")]
    liar.says["/b"] = [answer("200 OK", "there")]
    liar.says["/loop"] = [answer("307 Temporary Redirect", "", "Location: /loop")]
    assert Connection(settings_for(liar.url)).ask(Request("GET", "/")).body == b"there"
    assert _error(settings_for(liar.url), path="/loop") == "calendar.work: the server redirects without end"
    assert _error(settings_for(liar.url), "PUT") == (
        "calendar.work: the server says that this lies elsewhere now, so nothing was changed; ask again"
    )


def _drip(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X: y\r\n")
            time.sleep(0.02)


def _drip_body(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while True:
            connection.sendall(b"x")
            time.sleep(0.02)


def _drop(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")


def _silent(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.recv(1)


SLOW = "calendar.work: no whole answer from http://localhost:{port} within 0.3 s; try again later"
BROKEN = "calendar.work: the connection to http://localhost:{port} broke off in the middle of an answer; try again"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (_drip, SLOW),
        (_drip_body, SLOW),
        (_drop, BROKEN),
        (b"", BROKEN),
        (b"\x00\x01garbage\r\n\r\n", BROKEN),
        (
            answer("200 OK", b"\x1f\x8b", "Content-Encoding: gzip"),
            "calendar.work: the answer is compressed, which was not asked for",
        ),
    ],
)
def test_each_fault_has_one_error(liar: Hostile, reply: bytes | Callable[[socket.socket], None], told: str) -> None:
    """Slow bytes in head and body, an end in the middle, garbage, compression that nobody asked for."""
    liar.says["/"] = [reply]
    began = time.monotonic()
    assert _error(settings_for(liar.url, seconds=0.3)) == told.format(port=liar.port)
    assert time.monotonic() - began < 10


def test_silence_ends(liar: Hostile) -> None:
    """A server that takes a request and says nothing."""
    liar.says["/"] = [_silent]
    assert _error(settings_for(liar.url, seconds=0.3)) in {
        SLOW.format(port=liar.port),
        f"calendar.work: http://localhost:{liar.port} did not answer in time; try again later",
    }


def test_nobody_there() -> None:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert _error(settings_for(f"http://localhost:{port}/")) == (
        f"calendar.work: no connection to http://localhost:{port}; check calendar.work.url and that the server runs"
    )


def test_a_huge_answer_is_cut(liar: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is kept than the cap; the rest of 100 MB is never read."""
    monkeypatch.setattr(room, "MOST_BYTES", 1_000_000)
    sent = 0

    def flood(connection: socket.socket) -> None:
        nonlocal sent
        with suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            for _ in range(100):
                connection.sendall(b"x" * 1_000_000)
                sent += 1

    liar.says["/"] = [flood]
    found = Connection(settings_for(liar.url)).ask(Request("GET", "/"))
    assert (found.is_cut, found.body) == (True, b"")
    assert sent < 50


def test_a_second_request_after_a_fault(liar: Hostile) -> None:
    """A broken connection is not used again."""
    liar.says["/"] = [_drop, answer("200 OK", "whole")]
    connection = Connection(settings_for(liar.url))
    with pytest.raises(ToolError):
        connection.ask(Request("GET", "/"))
    assert connection.ask(Request("GET", "/")).body == b"whole"


@pytest.mark.parametrize("reference", ["http://evil.example/a", "https://localhost/"])
def test_an_href_to_another_host_is_not_gone_to(liar: Hostile, reference: str) -> None:
    """The home of the account, said to be elsewhere, is told with its address."""
    liar.says["/"] = [
        multistatus(response("/", f"<c:calendar-home-set><d:href>{reference}</d:href></c:calendar-home-set>"))
    ]
    with pytest.raises(ToolError) as caught:
        collections(Connection(settings_for(liar.url)), "calendar")
    assert "write the address there in calendar.work.url" in str(caught.value)
    assert len(liar.heard) == 1


def test_discovery_by_well_known_address(liar: Hostile) -> None:
    """A root that knows nothing, a redirect within the origin, a principal, a home, and calendars of events there."""
    tasks = '<d:resourcetype><c:calendar/></d:resourcetype><c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>'
    liar.says["/.well-known/caldav"] = [answer("301 Moved", "", "Location: /dav/")]
    principal = "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"
    liar.says["/dav/"] = [multistatus(response("/dav/", principal))]
    liar.says["/me/"] = [
        multistatus(response("/me/", "<c:calendar-home-set><d:href>/home/</d:href></c:calendar-home-set>"))
    ]
    liar.says["/home/"] = [
        multistatus(
            response("/home/", "<d:resourcetype><d:collection/></d:resourcetype>"),
            response("/home/desk", CALENDAR),
            response("/home/tasks/", tasks),
        )
    ]
    found = collections(Connection(settings_for(liar.url)), "calendar")
    assert [(each.path, each.title) for each in found] == [("/home/desk/", "Work")]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (answer("404 Not Found"), "the server tells of no calendar; write the address of one in calendar.work.url"),
        (answer("200 OK", "<html>"), "the server tells of no calendar; write the address of one in calendar.work.url"),
        (answer("418 Teapot"), "the account could not be looked up (HTTP 418): the server refuses it"),
        (answer("507 Full"), "the account could not be looked up (HTTP 507): the server has no room left; make some"),
        (
            answer("500 Oops"),
            "the account could not be looked up (HTTP 500): the server has a fault of its own; try again later",
        ),
        (
            answer("207 Multi-Status", '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'),
            "the account could not be looked up: the answer cannot be read; check that the address is one of a CalDAV or CardDAV server",
        ),
        (
            multistatus(response("/", CALENDAR.replace("<c:calendar/>", ""))),
            "the account has no calendar; make one there, or correct calendar.work.url",
        ),
    ],
)
def test_what_is_no_account_is_told(liar: Hostile, reply: bytes, told: str) -> None:
    """Each by its kind."""
    liar.says["/"] = [reply]
    liar.says["/.well-known/caldav"] = [reply]
    with pytest.raises(ToolError) as caught:
        collections(Connection(settings_for(liar.url)), "calendar")
    assert str(caught.value) == f"calendar.work: {told}"


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ('"abc"', '"abc"'),
        (' "a!~" ', '"a!~"'),
        ('W/"abc"', ""),
        ('""', ""),
        ("abc", ""),
        ('"a"b"', ""),
        ('"a\r\nX: y"', ""),
        ('"ü"', ""),
    ],
)
def test_only_strong_tags_guard(text: str, tag: str) -> None:
    """Weak ones, and what could break out of a header, count as none."""
    assert strong_etag(text) == tag


def test_nothing_shows_the_secret() -> None:
    """Neither the settings nor the connection print it."""
    settings = settings_for("http://localhost:9/")
    connection = Connection(settings)
    with pytest.raises(ToolError):
        connection.ask(Request("GET", "/"))
    assert PASSWORD not in repr(settings) + repr(connection) + str(vars(connection))
    assert "Basic" not in repr(connection) + str(vars(connection))
