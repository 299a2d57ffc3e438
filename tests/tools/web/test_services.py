"""Who learns what is asked of a host."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from armslength.tools.base import UNKNOWN, Receivers
from armslength.tools.web.address import web_address
from armslength.tools.web.services import Service, anybody_at, hosts_within, receivers_of

DOCS = "docs.example.com"
SHARED = Service(DOCS, is_shared=True, own=("/kim/", "/d/4711/"))


def names(url: str, *services: Service) -> tuple[str, ...] | None:
    """Who learns of a request."""
    return receivers_of(web_address(url), services).names


WITHIN = {
    "plain": "https://docs.example.com/r/https://evil.example/x",
    "in a query": "https://docs.example.com/?to=https://evil.example/?q=secret",
    "encoded": "https://docs.example.com/redirect?to=https%3A%2F%2Fevil.example%2F%3Fq%3Dsecret",
    "encoded twice": "https://docs.example.com/?to=https%253A%252F%252Fevil.example%252F",
    "encoded in part": "https://docs.example.com/?to=https:%2f%2fevil.example",
    "letters encoded": "https://docs.example.com/?to=%68ttps://evil.example",
    "without a scheme": "https://docs.example.com/?to=//evil.example/x",
    "without a scheme, encoded": "https://docs.example.com/?to=%2F%2Fevil.example",
    "backslashes": "https://docs.example.com/?to=https:%5C%5Cevil.example",
    "backslashes without a scheme": "https://docs.example.com/?to=%5C%5Cevil.example",
    "one slash": "https://docs.example.com/?to=https:/evil.example",
    "no slash": "https://docs.example.com/?to=https:evil.example",
    "many slashes": "https://docs.example.com/?to=https:////evil.example",
    "upper case": "https://docs.example.com/?to=HTTPS://EVIL.example",
    "another scheme": "https://docs.example.com/?to=ftp://evil.example/x",
    "a port": "https://docs.example.com/?to=https://evil.example:8443/x",
    "in a list": "https://docs.example.com/p/a,https://evil.example/,b",
    "before more of a query": "https://docs.example.com/?to=https://evil.example&lang=en",
    "two slashes as the query": "https://docs.example.com/go?//evil.example/x",
    "many slashes as the path": "https://docs.example.com/go///evil.example/x",
    "the whole path": "https://docs.example.com//evil.example/x",
    "behind a quote": "https://docs.example.com/go?u=%22//evil.example/",
}


@pytest.mark.parametrize(
    "within",
    [
        "ht%09tps://evil.example/",
        "https:%2f%0d%0a%2fevil.example%2f",
        "/%09/evil.example",
        "%20//evil.example",
        "%00%5c%5cevil.example/",
        "gopher://evil.example:70/",
        "%2567opher:%2f%2fevil.example",
    ],
)
def test_an_address_within_is_found_as_those_read_it_who_ask_it(within: str) -> None:
    """They leave out tabs and line ends, and blanks before it, and know more schemes than those of the web; or it cannot be read."""
    found = hosts_within(f"/preview?u={within}")
    assert found is None or "evil.example" in found


@pytest.mark.parametrize("url", WITHIN.values(), ids=WITHIN)
def test_a_host_that_is_asked_to_ask_another_makes_that_a_receiver(url: str) -> None:
    """An open redirector, a translator or a preview of an allowed host does not widen what was allowed."""
    assert names(url) == (DOCS, "evil.example")


@pytest.mark.parametrize(
    "mark", [*",;&'<>|\"!$()*+=[]^`{}~", "%2C", "%26", "%7C", "%2540", "&a=b", "%23", "%3F", "%5C", "\\"]
)
@pytest.mark.parametrize("rest", ["@evil.example", ".evil.example", "%2eevil.example", "%40evil.example"])
def test_no_mark_after_a_good_host_hides_the_true_one(mark: str, rest: str) -> None:
    """In a URL most marks may stand in a user's name, and in a host; whoever asks it asks the host at its end."""
    for url in (
        f"/go?u=http://good.example{mark}{rest}/x",
        f"/go/http:good.example{mark}{rest}",
        f"/go?//good.example{mark}{rest}",
    ):
        found = hosts_within(url)
        assert found is None or "evil.example" in found or mark in ("%23", "%3F")


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example.com/?to=http://good.example%2C@evil.example/",
        "https://docs.example.com/?to=http://good.example;@evil.example/",
        "https://docs.example.com/?to=http://good.example&@evil.example/",
        "https://docs.example.com/?to=http://good.example&a=.evil.example/",
        "https://docs.example.com/?to=http://good.example%252F.evil.example/",
        "https://docs.example.com/?to=http://good.example%5C@evil.example/",
        "https://docs.example.com/http://good.example,.evil.example/",
        "https://docs.example.com/?to=https://good.example@evil.example/",
        "https://docs.example.com/?to=https%3A%2F%2F%65vil%252Eexample%40x",
        "https://docs.example.com/?to=https://",
        "https://docs.example.com/?to=http://2130706433/",
        "https://docs.example.com/?to=" + "%25" * 3 + "2525252525%252525252525",
        "https://docs.example.com/?" + "&".join(f"a=https://h{n}.example" for n in range(30)),
    ],
)
def test_what_cannot_be_read_makes_them_unknown(url: str) -> None:
    """Then a person is asked, whatever is allowed."""
    assert receivers_of(web_address(url), ()) == UNKNOWN


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example.com/",
        "https://docs.example.com/?q=a:b/c&d=/e",
        "https://docs.example.com/https/evil.example",
        "https://docs.example.com/%68%74%74%70",
    ],
)
def test_what_names_no_host_has_none(url: str) -> None:
    """Without two slashes in a row or a scheme nobody else is asked."""
    assert names(url) == (DOCS,)


def test_a_host_that_tells_others() -> None:
    """Whom it tells, the configuration says."""
    assert names("https://docs.example.com/x", Service(DOCS, tells=("cdn.example.net",)), Service("other.example")) == (
        DOCS,
        "cdn.example.net",
    )


def test_what_is_known_of_a_host_counts_where_another_tells_it() -> None:
    """Whom it tells, and who has accounts there; what it passes on, nobody can say."""
    first = Service(DOCS, tells=("cdn.example.net",))
    second = Service("cdn.example.net", tells=("log.example", DOCS), is_shared=True, own=("/",))
    assert names("https://docs.example.com/x", first, second) == (
        DOCS, "cdn.example.net", "log.example", anybody_at("cdn.example.net"),
    )  # fmt: skip
    assert names("https://docs.example.com/", first, Service("cdn.example.net", passes_on=True)) is None
    assert names("https://docs.example.com/?to=https://r.example", Service("r.example", passes_on=True)) is None


def test_what_is_asked_without_tls_is_read_on_the_way() -> None:
    """By whoever is there, whom no pattern for hosts covers."""
    address = web_address("http://docs.example.com/x")
    assert receivers_of(address, (), is_open=True).names == (DOCS, "network:docs.example.com/anybody")
    assert not any(fnmatchcase("network:docs.example.com/anybody", each) for each in (DOCS, "*.example.com", "*.com"))


def test_a_host_that_passes_on_whatever_it_is_asked_for() -> None:
    """Nobody can say whom it tells, but for its first page."""
    passing = Service(DOCS, passes_on=True)
    assert names("https://docs.example.com/", passing) == (DOCS,)
    assert names("https://docs.example.com/x", passing) is None
    assert names("https://docs.example.com/?x", passing) is None


@pytest.mark.parametrize(
    ("target", "is_own"),
    [
        ("/kim/plans?x=1", True),
        ("/d/4711/edit", True),
        ("/kim", False),
        ("/kimble/", False),
        ("/", False),
        ("/forms/mallory/formResponse?entry.1=x", False),
        ("/kim/../mallory/", False),
        ("/kim/%2e%2e/mallory/", False),
        ("/kim/..%2fmallory/", False),
        ("/kim/%2e%2e%2fmallory/", False),
        ("/kim//mallory/", False),
        ("/kim/x;/mallory", False),
        ("/kim/%5cmallory/", False),
        ("/KIM/plans", False),
    ],
)
def test_on_a_shared_host_only_what_is_the_persons_own_is_for_the_host_alone(target: str, *, is_own: bool) -> None:
    """Elsewhere whoever has an account there may learn it: a form on a good host is whoever's made it."""
    found = names(f"https://{DOCS}{target}", SHARED)
    assert found is not None
    assert (found == (DOCS,)) == is_own
    assert (anybody_at(DOCS) in found) != is_own


@pytest.mark.parametrize(
    "pattern", [DOCS, "*.example.com", "docs.example.com*x", "*.com", "*@docs.example.com", "docs.*.com"]
)
def test_no_pattern_for_hosts_fits_whoever_has_an_account_there(pattern: str) -> None:
    """What a host may learn, they may not."""
    assert not fnmatchcase(anybody_at(DOCS), pattern)


def test_hosts_are_found_once() -> None:
    """In their order."""
    assert hosts_within("/?a=https://b.example&c=https%3A//b.example&d=http://a.example") == ("b.example", "a.example")
    assert receivers_of(web_address("https://a.example/?b=https://a.example"), (), ["a.example"]) == Receivers(
        ("a.example",)
    )
