"""A page is asked for with what is the same for everybody, and whatever the host does ends in its text or in one line."""

from __future__ import annotations

import gzip
import socket
import time
import zlib
from contextlib import suppress

import pytest
from bench.home.internet import Internet as OverPairs
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.servers.web import Internet, Request, answer
from tests.tools.web.calling import fetching, page

from armslength.errors import ToolError

URL = "https://www.example/"


def test_what_a_host_is_sent(net: Internet) -> None:
    """No cookie, even after it set one, no referrer, no language, nothing of the person's or the machine's."""
    net.web.handle(
        "www.example",
        "/",
        lambda connection, _: connection.sendall(answer("", status="302 Found", Location="/two", Set_Cookie="a=b")),
    )
    net.web.put("www.example", "/two", "Hello")
    page(fetching(net), URL)

    assert [set(each.headers) for each in net.web.asked] == [
        {"host", "user-agent", "accept", "accept-encoding", "connection"}
    ] * 2
    assert net.web.asked[1].headers["user-agent"] == "Mozilla/5.0 (compatible; Armslength/1)"


def test_the_next_address_is_tried(net: Internet) -> None:
    """Those that were checked, in their order."""
    net.host("www.example", "93.184.215.14", "2606:4700::6810:84e5")
    net.dead.add("93.184.215.14")
    net.web.put("www.example", "/", "Hello")
    assert page(fetching(net), URL).data == "Hello"
    assert net.dialled == [("93.184.215.14", 443), ("2606:4700::6810:84e5", 443)]


@pytest.mark.parametrize(
    ("first", "to"),
    [
        (URL, "/two"),
        (URL, "two"),
        (URL, "https://www.example/two"),
        (URL, "https://WWW.example:443/two#x"),
        ("http://www.example/", "https://www.example/two"),
    ],
)
def test_a_page_that_moves_on_its_host_is_followed(net: Internet, first: str, to: str) -> None:
    """Also to the same host with TLS."""
    net.web.move("www.example", "/", to)
    net.web.put("www.example", "/two", "Hello")
    assert page(fetching(net), first).data == "Hello"


def test_a_page_that_moves_to_another_host_is_told_and_not_followed(net: Internet) -> None:
    """Its host is named, the other learns nothing. Where the program lets it move there, it is followed."""
    net.host("other.example")
    net.web.move("www.example", "/", "https://other.example/x?y", status="301 Moved Permanently")
    net.web.put("other.example", "/x", "Hello")
    with pytest.raises(
        ToolError,
        match=r"^web: the page has moved to other\.example, which was not asked; ask for it there if that is what you mean$",
    ):
        page(fetching(net), URL)
    assert [each.host for each in net.web.asked] == ["www.example"]
    assert ("other.example", "A") not in net.dns.asked

    assert page(fetching(net), URL, "Other.Example").data == "Hello"


def test_a_page_that_moves_to_where_it_can_be_read_on_the_way_is_not_followed(net: Internet) -> None:
    """From https to http, on its own host too."""
    net.web.move("www.example", "/", "http://www.example/two")
    with pytest.raises(
        ToolError, match=r"^web: the page has moved to where it can be read and changed on the way \(http\)$"
    ):
        page(fetching(net), URL)


@pytest.mark.parametrize("to", ["/", "/other"])
def test_a_page_that_moves_in_circles(net: Internet, to: str) -> None:
    """Six requests, then one line."""
    net.web.move("www.example", "/", to)
    net.web.move("www.example", "/other", "/")
    with pytest.raises(ToolError, match=r"^web: the page moves in circles$"):
        page(fetching(net), URL)
    assert len(net.web.asked) == 6


@pytest.mark.parametrize(
    "to", ["", "https://user@www.example/", "\\\\other.example", "mailto:a@b.example", "https://www.example/ x"]
)
def test_a_page_that_moves_to_no_plain_address(net: Internet, to: str) -> None:
    """Whatever its host says."""
    net.web.move("www.example", "/", to)
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net), URL)
    assert len(net.dialled) in (1, 6)  # an empty place is the page itself


def _at_once(content: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + content


WHOLE = {
    "a length": b"Content-Length: 5\r\n\r\nHello",
    "parts": b"Transfer-Encoding: chunked\r\n\r\n2\r\nHe\r\n3\r\nllo\r\n0\r\n\r\n",
    "no length": b"\r\nHello",
    "packed": b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"Hello"),
    "packed in two": b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"Hel") + gzip.compress(b"lo"),
    "more behind the length": b"Content-Length: 5\r\n\r\nHello and more",
}


@pytest.mark.parametrize("content", WHOLE.values(), ids=WHOLE)
def test_an_answer_in_each_form(net: Internet, content: bytes) -> None:
    """As the standard has them."""
    net.web.handle("www.example", "/", lambda connection, _: connection.sendall(_at_once(content)))
    assert page(fetching(net), URL).data == "Hello"


BROKEN = {
    "nothing": (b"", "what the host answers is not HTTP, or breaks off"),
    "no HTTP": (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "what the host answers is not HTTP, or breaks off"),
    "an old form": (b"Hello", "what the host answers is not HTTP, or breaks off"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-", "what the host answers is not HTTP, or breaks off"),
    "less than the length": (_at_once(b"Content-Length: 9\r\n\r\nHello"), "what the host answers is not HTTP, or breaks off"),
    "half a part": (_at_once(b"Transfer-Encoding: chunked\r\n\r\nff\r\nHello"), "what the host answers is not HTTP, or breaks off"),
    "a part without a length": (_at_once(b"Transfer-Encoding: chunked\r\n\r\nzz\r\nHello"), "what the host answers is not HTTP, or breaks off"),
    "two lengths": (_at_once(b"Content-Length: 5\r\nContent-Length: 4\r\n\r\nHello"), "what the host answers is not HTTP, or breaks off"),
    "a length of letters": (_at_once(b"Content-Length: five\r\n\r\nHello"), "what the host answers is not HTTP, or breaks off"),
    "a length that is too great": (_at_once(b"Content-Length: 100000001\r\n\r\nHello"), "the page is over the limit of 100,000 bytes"),
    "a length of many digits": (_at_once(b"Content-Length: " + b"9" * 15 + b"\r\n\r\nHello"), "the page is over the limit of 100,000 bytes"),
    "a packing that was not asked for": (_at_once(b"Content-Encoding: br\r\n\r\nHello"), "the page is packed in a way that was not asked for"),
    "two packings": (_at_once(b"Content-Encoding: gzip, gzip\r\n\r\nHello"), "the page is packed in a way that was not asked for"),
    "packed, and not": (_at_once(b"Content-Encoding: gzip\r\n\r\nHello"), "the page is packed, and damaged"),
    "half of what is packed": (_at_once(b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"Hello")[:-4]), "the page is packed, and breaks off"),
    "a wrong sum": (_at_once(b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"Hello")[:-8] + b"12345678"), "the page is packed, and damaged"),
    "a bomb": (_at_once(b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"\0" * 20_000_000)), "the page is over the limit of 100,000 bytes"),
    "many small parts": (
        _at_once(b"Transfer-Encoding: chunked\r\n\r\n" + b"a\r\n0123456789\r\n" * 12_000),
        "the page is over the limit of 100,000 bytes",
    ),
    "no such page": (answer("secret words", status="404 Not Found"), "the host answers 404: it has no such page"),
    "an account is wanted": (answer("", status="401 Unauthorized", WWW_Authenticate="Basic"), "the host answers 401: it wants an account, and none is used"),
    "a fault": (answer("secret words", status="500 Oh no"), "the host answers 500"),
    "a part of the page": (answer("x", status="206 Partial"), "the host answers 206"),
    "another protocol": (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", ""),
    "a picture": (answer("x", kind="image/png"), "what is there is image/png, which is not read; pages, plain text, tables and JSON are"),
    "no type": (answer("x", kind=""), "what is there is of a type that the host does not say, which is not read"),
    "words for a type": (answer("x", kind="ignore all/rules"), "what is there is of a type that the host does not say"),
    "no text": (answer(b"\x7fELF\0\0", kind="text/plain"), "what is there is said to be text, and is none"),
}  # fmt: skip


@pytest.mark.parametrize(("sent", "line"), BROKEN.values(), ids=BROKEN)
def test_an_answer_that_cannot_be_taken(net: Internet, sent: bytes, line: str) -> None:
    """One line, without a word of the host's."""

    def send(connection: socket.socket, _request: Request) -> None:
        connection.sendall(sent)

    net.web.handle("www.example", "/", send)
    with pytest.raises(ToolError, match=r"^web: ") as caught:
        page(fetching(net), URL)
    assert str(caught.value).startswith(f"web: {line}")
    assert "secret" not in str(caught.value)


def _endlessly(piece: bytes, head: bytes = b"") -> object:
    def send(connection: socket.socket, _request: Request) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece * 1_000)

    return send


ENDLESS = {
    "headers": (b"X-More: and more\r\n", b"HTTP/1.1 200 OK\r\n"),
    "one header": (b"x" * 16, b"HTTP/1.1 200 OK\r\nX-More: "),
    "provisional answers": (b"HTTP/1.1 103 Early Hints\r\n\r\n", b""),
    "a body": (b"x" * 100, _at_once(b"\r\n")),
    "a body in parts": (b"1\r\nx\r\n", _at_once(b"Transfer-Encoding: chunked\r\n\r\n")),
    "extensions of a part": (b";x=y", _at_once(b"Transfer-Encoding: chunked\r\n\r\n1")),
    "empty parts of what is packed": (gzip.compress(b""), _at_once(b"Content-Encoding: gzip\r\n\r\n")),
    "a bomb": (zlib.compress(b"\0" * 1_000_000), _at_once(b"Content-Encoding: gzip\r\n\r\n")),
}


@pytest.mark.parametrize(("piece", "head"), ENDLESS.values(), ids=ENDLESS)
def test_an_answer_without_an_end(net: Internet, piece: bytes, head: bytes) -> None:
    """It is cut off by what it is allowed in bytes, long before the time is over."""
    net.web.handle("www.example", "/", _endlessly(piece, head))  # type: ignore[arg-type]
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net, seconds=20), URL)
    assert time.monotonic() - begun < 15


SLOW = {
    "nothing": (b"", b""),
    "a head, byte by byte": (b"", b"x"),
    "a body, byte by byte": (_at_once(b"Content-Length: 1000\r\n\r\n"), b"x"),
    "provisional answers": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
}


@pytest.mark.parametrize(("head", "piece"), SLOW.values(), ids=SLOW)
def test_an_answer_that_comes_slowly(net: Internet, head: bytes, piece: bytes) -> None:
    """The time is that of the whole page, however often a byte comes."""

    def send(connection: socket.socket, _request: Request) -> None:
        connection.sendall(head)
        while not net.web.stopping.wait(0.05):
            connection.sendall(piece)

    net.web.handle("www.example", "/", send)
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"^web: the host did not answer in time; try again later$"):
        page(fetching(net, seconds=0.6), URL)
    assert time.monotonic() - begun < 3


def test_the_time_is_that_of_all_requests_together(net: Internet) -> None:
    """A page that moves again and again has no more of it."""

    def move(connection: socket.socket, _request: Request) -> None:
        net.web.stopping.wait(0.3)
        connection.sendall(answer("", status="302 Found", Location="/"))

    net.web.handle("www.example", "/", move)
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"^web: the host did not answer in time; try again later$"):
        page(fetching(net, seconds=0.8), URL)
    assert time.monotonic() - begun < 3


def test_a_name_server_that_is_silent(net: Internet) -> None:
    """The time counts from there."""
    net.dns.silent.add("silent.example")
    with pytest.raises(ToolError, match=r"^web: the host did not answer in time; try again later$"):
        page(fetching(net, seconds=0.4), "https://silent.example/")


def test_a_host_that_is_not_there(net: Internet) -> None:
    """No address, or nobody at it."""
    with pytest.raises(ToolError, match=r"^web: that host has no address; check its name$"):
        page(fetching(net), "https://nowhere.example/")
    net.dead.add("93.184.215.14")
    with pytest.raises(ToolError, match=r"^web: no connection to the host, or it broke off; try again later"):
        page(fetching(net), URL)


def test_a_wrong_certificate(net: Internet) -> None:
    """Of another host, or by an authority that nobody knows: nothing is asked."""
    net.web.wrong.add("www.example")
    net.web.put("www.example", "/", "Hello")
    with pytest.raises(
        ToolError, match=r"^web: the host has a certificate that .* so nothing was sent; check the address$"
    ):
        page(fetching(net), URL)
    assert net.web.asked == []


def test_a_host_that_speaks_no_tls(net: Internet) -> None:
    """One line."""
    net.web.speaks_tls = False
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net), URL)


def test_a_page_at_the_limit_is_whole_and_one_byte_more_is_refused(net: Internet) -> None:
    """What is counted is what was unpacked."""
    for size, packed in ((100_000, gzip.compress(b"x" * 100_000)), (100_001, gzip.compress(b"x" * 100_001))):
        sent = answer(packed, "text/plain", Content_Encoding="gzip")
        net.web.handle("www.example", f"/{size}", lambda connection, _, sent=sent: connection.sendall(sent))  # type: ignore[misc]
    assert len(str(page(fetching(net), f"{URL}100000").data)) == 100_000
    with pytest.raises(ToolError, match=r"^web: the page is over the limit of 100,000 bytes$"):
        page(fetching(net), f"{URL}100001")


def _given(sent: bytes) -> Internet:
    net = OverPairs()
    net.web.handle("www.example", "/", lambda connection, _: connection.sendall(sent))
    return net  # type: ignore[return-value]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", _at_once(b""), _at_once(b"\r\n")]))
def test_whatever_a_host_sends_ends_in_text_or_in_one_line(sent: bytes, head: bytes) -> None:
    """No exception of a library's reaches anybody."""
    with suppress(ToolError):
        assert isinstance(page(fetching(_given(head + sent), seconds=2), "http://www.example/").data, str)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"(https?:)?[/\\]{0,3}[a-z.@:]{0,12}[/?#]?[a-z]{0,3}", fullmatch=True))
def test_wherever_a_page_says_that_it_has_moved_nobody_else_is_asked(place: str) -> None:
    """However it is written."""
    net = _given(
        b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + place.encode("utf-8", "replace") + b"\r\n\r\n"
    )
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net, seconds=2), "http://www.example/")
    assert {each.host for each in net.web.asked} == {"www.example"}
    assert set(net.looked_up) == {"www.example"}  # type: ignore[attr-defined]
