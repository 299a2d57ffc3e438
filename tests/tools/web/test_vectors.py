"""Requests that a page, a mail or a name server tries to send where nobody meant: each is refused before anything is dialled."""

from __future__ import annotations

import pytest
from tests.servers.web import Internet
from tests.tools.web.calling import fetching, page

from armslength.errors import ToolError

WRITTEN = {
    "this machine by name": "http://localhost/admin",
    "this machine below its name": "http://app.localhost/",
    "this machine": "http://127.0.0.1/",
    "this machine, another of its addresses": "http://127.8.8.8/",
    "this machine with a dot at the end": "http://127.0.0.1./",
    "this machine as one number": "http://2130706433/",
    "this machine in octal": "http://0177.0.0.1/",
    "this machine in hexadecimal": "http://0x7f000001/",
    "this machine, shortened": "http://127.1/",
    "this machine in circled digits": "http://①②⑦.⓪.⓪.①/",
    "this machine behind a user": "http://www.example@127.0.0.1/",
    "this machine behind a backslash": "http://www.example\\@127.0.0.1/",
    "zero": "http://0.0.0.0/",
    "zero, shortened": "http://0/",
    "this machine in IPv6": "http://[::1]/",
    "nobody in IPv6": "http://[::]/",
    "this machine mapped": "http://[::ffff:127.0.0.1]/",
    "this machine mapped, in letters": "http://[::ffff:7f00:1]/",
    "this machine compatible": "http://[::127.0.0.1]/",
    "this machine by 6to4": "http://[2002:7f00:1::]/",
    "this machine by Teredo": "http://[2001:0:7f00:1::]/",
    "this machine by NAT64": "http://[64:ff9b::7f00:1]/",
    "this machine by a NAT64 of its own": "http://[64:ff9b:1::7f00:1]/",
    "a metadata service": "http://169.254.169.254/latest/meta-data/",
    "a metadata service mapped": "http://[::ffff:a9fe:a9fe]/",
    "a metadata service in IPv6": "http://[fd00:ec2::254]/",
    "a router": "http://192.168.0.1/reboot",
    "a private network": "http://10.0.0.5/",
    "a provider's own": "http://100.64.0.1/",
    "link-local in IPv6": "http://[fe80::1]/",
    "link-local with a zone": "http://[fe80::1%25eth0]/",
    "multicast": "http://239.255.255.250:1900/",
    "broadcast": "http://255.255.255.255/",
    "a name of the network": "http://router/",
    "a name that the network gives itself": "http://printer.local/",
    "a name that clouds give their services": "http://metadata.google.internal/",
    "another scheme": "gopher://www.example/",
    "a file": "file:///etc/passwd",
    "another port": "https://www.example:22/",
    "a port that is named twice": "https://www.example:443:22/",
}

ANSWERED = {
    "a name for this machine": ["127.0.0.1"],
    "a name for a private network": ["192.168.0.1"],
    "a name for a metadata service": ["169.254.169.254"],
    "a name for a provider's own": ["100.64.0.1"],
    "a name for zero": ["0.0.0.0"],
    "a name for this machine in IPv6": ["::1"],
    "a name for this machine mapped": ["::ffff:127.0.0.1"],
    "a name for a unique local": ["fd00::1"],
    "a name for NAT64": ["64:ff9b::7f00:1"],
    "a good address before another": ["93.184.215.14", "127.0.0.1"],
    "a good address behind another": ["10.0.0.1", "93.184.215.14"],
    "a good address beside another of IPv6": ["93.184.215.14", "::1"],
}


@pytest.mark.parametrize("url", WRITTEN.values(), ids=WRITTEN)
def test_an_address_that_is_written_to_reach_elsewhere(net: Internet, url: str) -> None:
    """Nothing is dialled, and no name server is asked for it."""
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net), url)
    assert (net.dialled, net.web.asked, net.dns.asked) == ([], [], [])


@pytest.mark.parametrize("addresses", ANSWERED.values(), ids=ANSWERED)
def test_a_name_that_leads_elsewhere(net: Internet, addresses: list[str]) -> None:
    """Each address of a name is looked at, not the first alone."""
    net.host("rebound.example", *addresses)
    with pytest.raises(
        ToolError, match=r"^web: that host's address is one of this machine, of your network or of nobody; "
    ):
        page(fetching(net), "https://rebound.example/")
    assert (net.dialled, net.web.asked) == ([], [])


def test_a_name_that_leads_elsewhere_the_second_time(net: Internet) -> None:
    """It is looked up once: what was checked is dialled."""
    net.dns.put_turns("rebound.example", "A", ["93.184.215.14"], ["127.0.0.1"])
    net.web.put("rebound.example", "/", "Hello")

    assert page(fetching(net), "https://rebound.example/").data == "Hello"
    assert net.dialled == [("93.184.215.14", 443)]
    assert net.dns.asked.count(("rebound.example", "A")) == 1


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.1/",
        "https://[::1]/",
        "http://localhost/",
        "//192.168.0.1/",
        "https://rebound.example/",
        "file:///etc/passwd",
    ],
)
def test_a_page_that_moves_elsewhere(net: Internet, to: str) -> None:
    """Not followed, even to a host that the program lets it move to."""
    net.host("rebound.example", "127.0.0.1")
    net.web.move("www.example", "/", to)
    with pytest.raises(ToolError, match=r"^web: "):
        page(fetching(net), "https://www.example/", "rebound.example", "127.0.0.1", "[::1]", "192.168.0.1", "localhost")
    assert net.dialled == [("93.184.215.14", 443)]


def test_a_name_that_leads_elsewhere_when_its_page_moves(net: Internet) -> None:
    """Each request looks its host up anew, and checks what it finds."""
    net.dns.put_turns("rebound.example", "A", ["93.184.215.14"], ["127.0.0.1"])
    net.web.move("rebound.example", "/", "/further")
    with pytest.raises(ToolError, match=r"^web: that host's address is one of this machine, "):
        page(fetching(net), "https://rebound.example/")
    assert net.dialled == [("93.184.215.14", 443)]


def test_a_proxy_of_the_environment_is_not_asked(net: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would look names up, and ask whomever it is told to; where nobody answers, the message says that there is one."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    net.web.put("www.example", "/", "Hello")
    assert page(fetching(net), "https://www.example/").data == "Hello"

    net.dead.add("93.184.215.14")
    with pytest.raises(
        ToolError, match=r"^web: no connection to the host, .*the environment names a proxy; none is used"
    ):
        page(fetching(net), "https://www.example/")


LEGITIMATE = {
    "a page": ("https://www.example/", "/"),
    "upper case": ("HTTPS://WWW.EXAMPLE/", "/"),
    "without a path": ("https://www.example", "/"),
    "a dot at the end": ("https://www.example./", "/"),
    "its usual port": ("https://www.example:443/", "/"),
    "a path and a query": ("https://www.example/a/b?c=d&e=f", "/a/b?c=d&e=f"),
    "a fragment": ("https://www.example/a#b", "/a"),
    "dots in the path": ("https://www.example/a/../b/./c", "/b/c"),
    "letters in the path": ("https://www.example/straße", "/stra%C3%9Fe"),
    "an encoded path": ("https://www.example/%7Ekim/%20x", "/%7Ekim/%20x"),
    "two slashes in the path": ("https://www.example/a//b", "/a//b"),
    "an @ in the path": ("https://www.example/@kim", "/@kim"),
    "without TLS": ("http://www.example/", "/"),
    "letters in the host": ("https://bücher.example/", "/"),
    "those letters encoded": ("https://xn--bcher-kva.example/", "/"),
    "an address": ("https://93.184.215.14/", "/"),
    "an address in IPv6": ("https://[2606:4700:0::6810:84e5]/", "/"),
    "IPv6 behind a name": ("https://six.example/", "/"),
    "a long name": (f"https://{'a' * 63}.{'b' * 63}.example/", "/"),
    "another port that is allowed": ("https://www.example:8443/", "/"),
}


@pytest.mark.parametrize(("url", "target"), LEGITIMATE.values(), ids=LEGITIMATE)
def test_what_is_meant_is_fetched(net: Internet, url: str, target: str) -> None:
    """By the host that was decided on, with the target that was decided on."""
    net.host("xn--bcher-kva.example")
    net.host("six.example", "2606:4700::6810:84e5")
    net.host(f"{'a' * 63}.{'b' * 63}.example")
    fetch = fetching(net, ports=frozenset({80, 443, 8443}))
    names = fetch.receivers({"url": url, "may_move_to": []}).names
    assert names is not None
    host = names[0]
    net.web.put(host, target.partition("?")[0], "Hello")
    net.web.put("[2606", target, "Hello")

    assert page(fetch, url).data == "Hello"
    assert [(each.host.removesuffix(":8443"), each.target) for each in net.web.asked] == [(host, target)]
