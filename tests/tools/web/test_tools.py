"""`fetch_web_page` as it is declared: who learns of it, whose words come back, and for whom."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path

import pytest
from tests.servers.web import Internet
from tests.tools.web.calling import CALL, fetching, page

from armslength.errors import ConfigError, ToolError
from armslength.labels import PRIVATE, SATURATED, Source, label
from armslength.policy.grants import is_authenticated
from armslength.tools.base import UNKNOWN, Prospect, Receivers, Role
from armslength.tools.web.fetching import Reach
from armslength.tools.web.services import Service
from armslength.tools.web.tools import WebSettings, web_tools
from armslength.values import Labelled


def trusting(name: str) -> Source:
    """The configuration trusts www.example."""
    return Source(name, is_trusted=name == "web:www.example")


def test_a_page_is_its_hosts_words_and_for_everybody(net: Internet) -> None:
    """Its host learns the address, and nobody else."""
    net.web.put("www.example", "/a", "Open 9 to 5", kind="text/plain")
    fetch = fetching(net)

    assert page(fetch, "https://www.example/a") == Labelled("Open 9 to 5", label([Source("web:www.example")]))
    assert fetch.receivers({"url": "https://WWW.example/a?b"}) == Receivers(("www.example",))
    assert (fetch.reads, fetch.changes, fetch.is_effect) == ("web", None, True)
    assert fetch.roles == {"url": Role.TARGET, "may_move_to": Role.TARGET}
    assert fetch.summary is not None
    assert fetch.summary({"url": "https://www.example/"}) == "ask www.example for a page"


def test_receivers_are_those_that_are_told_and_to_which_it_may_move(net: Internet) -> None:
    """Each of them is decided on before anything is asked."""
    fetch = fetching(net, Service("www.example", tells=("cdn.example",)))
    given = {"url": "https://www.example/?u=https://within.example", "may_move_to": ["Two.example"]}
    assert fetch.receivers(given) == Receivers(("www.example", "two.example", "within.example", "cdn.example"))
    for wrong in (
        {"url": "http://a@b.example"},
        {"url": "https://a.example", "may_move_to": ["b.example/x"]},
        {"may_move_to": []},
    ):
        assert fetch.receivers(wrong) == UNKNOWN  # type: ignore[arg-type]
    assert fetch.receivers({"url": "https://a.example", "may_move_to": [f"h{n}.example" for n in range(11)]}) == UNKNOWN


def test_without_tls_whoever_is_on_the_way_is_told(net: Internet) -> None:
    """But for a host of the person's own network that the configuration names."""
    fetch = fetching(net, local=frozenset({"nas.home.lan:8080"}))
    assert fetch.receivers({"url": "http://www.example/x"}) == Receivers(("www.example", "network:www.example/anybody"))
    assert fetch.receivers({"url": "http://nas.home.lan:8080/x"}) == Receivers(("nas.home.lan",))


def test_a_page_moves_to_whom_its_host_tells(net: Internet) -> None:
    """It was a receiver, so it may be asked."""
    net.host("cdn.example")
    net.web.move("www.example", "/", "https://cdn.example/")
    net.web.put("cdn.example", "/", "Hello")
    fetch = fetching(net, Service("www.example", tells=("cdn.example",)), trust=trusting)
    assert page(fetch, "https://www.example/") == Labelled(
        "Hello", label([trusting("web:www.example"), Source("web:cdn.example")])
    )


def test_a_trusted_host_is_trusted_over_tls_alone(net: Internet) -> None:
    """Without TLS whoever is on the way may have written the page."""
    net.web.put("www.example", "/", "Hello")
    fetch = fetching(net, trust=trusting)

    assert page(fetch, "https://www.example/").label == label([trusting("web:www.example")])
    unverified = label([Source("web:unverified")], choice=[Source("web:www.example")], bits=SATURATED)
    assert page(fetch, "http://www.example/").label == unverified
    assert not unverified.is_chosen
    assert not is_authenticated(Source("web:unverified"))


def test_a_page_that_came_by_a_trusted_host_is_that_of_both(net: Internet) -> None:
    """Trusted words that say where a page moves do not make others' words trusted."""
    net.host("other.example")
    net.web.move("www.example", "/", "https://other.example/")
    net.web.put("other.example", "/", "Hello")
    came = page(fetching(net, trust=trusting), "https://www.example/", "other.example").label
    assert not came.is_trusted
    assert came.data == {trusting("web:www.example"), Source("web:other.example")}


def test_a_host_of_the_persons_own_network_is_asked_where_the_configuration_names_it(net: Internet) -> None:
    """With the very port; what it says is private."""
    net.host("nas.home.lan", "192.168.1.5")
    net.web.put("nas.home.lan", "/", "Photos")
    fetch = fetching(net, local=frozenset({"nas.home.lan:8080", "127.0.0.1:80"}))

    private = label([Source("web:nas.home.lan")], readers=PRIVATE, steer=PRIVATE)
    assert page(fetch, "http://nas.home.lan:8080/") == Labelled("Photos", private)
    assert net.dialled == [("192.168.1.5", 8080)]
    for elsewhere in (
        "http://nas.home.lan/",
        "http://nas.home.lan:8081/",
        "http://127.0.0.1:8080/",
        "http://other.home.lan:8080/",
    ):
        with pytest.raises(ToolError, match=r"^web: "):
            page(fetch, elsewhere)
    assert net.dialled == [("192.168.1.5", 8080)]


def test_a_certificate_of_the_persons_own_counts_for_local_hosts_alone(net: Internet, tmp_path: Path) -> None:
    """By the file that the configuration names; the system's authorities do not count for these hosts then."""
    net.host("nas.home.lan", "192.168.1.5")
    net.web.put("nas.home.lan", "/", "Photos")
    net.web.put("www.example", "/", "Hello")
    net.web.authority.cert_pem.write_to_path(tmp_path / "home.pem")
    usual = replace(net.network, tls=ssl.create_default_context)
    reach = Reach(usual, frozenset({"nas.home.lan:443"}), authorities=tmp_path / "home.pem", seconds=5)
    fetch = web_tools(WebSettings(reach=reach), trusting)[0]

    assert page(fetch, "https://nas.home.lan/").data == "Photos"
    with pytest.raises(
        ToolError, match=r"^web: the host has a certificate that .* so nothing was sent; check the address$"
    ):
        page(fetch, "https://www.example/")

    unnamed = web_tools(WebSettings(reach=replace(reach, authorities=None)), trusting)[0]
    with pytest.raises(ToolError, match=r"check the address, or name its authority in web\.authorities$"):
        page(unnamed, "https://nas.home.lan/")

    (tmp_path / "home.pem").write_text("no certificate")
    with pytest.raises(
        ConfigError, match=r"^web\.authorities: .*home\.pem is no file of certificates \(PEM\); correct it$"
    ):
        page(fetch, "https://nas.home.lan/")


def test_a_name_of_the_persons_own_network_that_leads_to_a_metadata_service_is_refused(net: Internet) -> None:
    """Naming a host does not allow each address."""
    net.host("nas.home.lan", "169.254.169.254")
    fetch = fetching(net, local=frozenset({"nas.home.lan:8080"}))
    with pytest.raises(ToolError, match=r"^web: that host's address is one of this machine"):
        page(fetch, "http://nas.home.lan:8080/")
    assert net.dialled == []


def test_what_is_usual_is_said_before_the_call(net: Internet) -> None:
    """Of an address that stands in the program, whose words it gives; of another, anybody's."""
    fetch = fetching(net, trust=trusting, local=frozenset({"nas.home.lan:8080"}))
    assert fetch.usually is not None
    assert fetch.usually({"url": "https://www.example/x"}, "").whole == label([trusting("web:www.example")])
    assert fetch.usually({}, "").whole == label([Source("web:*")])
    assert fetch.usually({"url": "http://nas.home.lan:8080/"}, "").whole.readers == PRIVATE


def test_whose_account_is_used_is_shown(net: Internet) -> None:
    """Where the configuration says it of the host."""
    fetch = fetching(net, Service("www.example", account="kim's"))
    assert fetch.prospect is not None
    assert fetch.prospect(CALL, {"url": "https://www.example/"}) == Prospect(account="kim's")
    assert fetch.prospect(CALL, {"url": "https://other.example/"}) == Prospect()
    assert fetching(net).prospect is None
