"""`search_web`: who learns a query, and whose words the results are."""

from __future__ import annotations

import json

import pytest
from tests.servers.web import Internet, answer
from tests.tools.web.calling import CALL

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import SATURATED, Source, label
from armslength.tools.base import Prospect, Receivers, Role, Tool
from armslength.tools.web.fetching import Reach
from armslength.tools.web.search import SearchSettings, WebResult
from armslength.tools.web.services import Service
from armslength.tools.web.tools import WebSettings, web_tools
from armslength.values import Labelled

FOUND = {
    "title": "Opening <strong>hours</strong>",
    "content": "We open\n at 9 &amp; close at 5",
    "url": "https://Museum.example:443/hours#x",
}
WORDS = label([Source("web:search.example"), Source("web:museum.example")])
LISTING = label([Source("web:search.example")], choice=[Source("web:*")], bits=SATURATED)


def searching(net: Internet, settings: SearchSettings, *services: Service) -> Tool:
    """`search_web` over that internet."""
    reach = Reach(net.network, most_bytes=100_000, seconds=5)
    tools = web_tools(WebSettings(fetches=False, reach=reach, services=services, search=settings), trust_nobody)
    assert [each.name for each in tools] == ["search_web"]
    return tools[0]


SEARXNG = SearchSettings("searxng", "https://search.example/search", tells=("upstream.example",))


def test_a_query_goes_to_the_service_alone_and_its_results_are_both_their_words(net: Internet) -> None:
    """Each result is of the service and of the page's host; which they are, anybody of the web had a say in."""
    net.host("search.example")
    net.web.put("search.example", "/search", json.dumps({"results": [FOUND]}), kind="application/json")
    search = searching(net, SEARXNG)
    result = search.run(CALL, {"query": "museum & hours=?#"})

    assert result.plain() == [
        {"title": "Opening hours", "url": "https://museum.example/hours", "text": "We open at 9 & close at 5"}
    ]
    assert result.label == LISTING
    assert isinstance(result.data, tuple)
    assert isinstance(result.data[0].data, dict)
    assert {name: part.label for name, part in result.data[0].data.items()} == dict.fromkeys(
        ("title", "url", "text"), WORDS
    )
    assert [(each.host, each.target) for each in net.web.asked] == [
        ("search.example", "/search?q=museum+%26+hours%3D%3F%23&format=json")
    ]


def test_it_is_declared_as_what_tells_somebody(net: Internet) -> None:
    """The query is content for the service, for whom it asks, and for whom the configuration says that it tells."""
    search = searching(net, SEARXNG, Service("search.example", tells=("log.example",), account="nobody's"))
    assert search.receivers({"query": "x"}) == Receivers(("search.example", "upstream.example", "log.example"))
    assert search.roles == {"query": Role.CONTENT}
    assert (search.changes, search.is_effect) == (None, True)
    assert search.prospect is not None
    assert search.prospect(CALL, {"query": "x"}) == Prospect(account="nobody's")
    assert search.usually is not None
    assert search.usually({}, "").shape == LISTING


def test_a_key_goes_to_the_service_in_its_header_and_stands_nowhere_else(net: Internet) -> None:
    """It is read when it is needed, once a call."""
    read: list[str] = []

    def key() -> str:
        read.append("x")
        return "s3cret"

    settings = SearchSettings("brave", key=key, account="kim@example.org")
    net.host("api.search.brave.com")
    net.web.put(
        "api.search.brave.com", "/res/v1/web/search", json.dumps({"web": {"results": []}}), kind="application/json"
    )
    search = searching(net, settings)
    assert read == []

    assert search.run(CALL, {"query": "x"}) == Labelled(
        (), label([Source("web:api.search.brave.com")], choice=[Source("web:*")], bits=SATURATED)
    )
    assert net.web.asked[0].headers["x-subscription-token"] == "s3cret"
    assert "s3cret" not in repr(settings) + repr(search) + net.web.asked[0].target
    assert read == ["x"]
    assert search.receivers({"query": "x"}) == Receivers(("api.search.brave.com",))


def test_a_service_that_moves_gets_no_key_elsewhere(net: Internet) -> None:
    """It is not followed, not even on its host."""
    net.host("search.example")
    net.web.move("search.example", "/search", "/elsewhere")
    with pytest.raises(ToolError, match=r"^web: the service has moved; correct its address in the configuration$"):
        searching(net, SEARXNG).run(CALL, {"query": "x"})
    assert len(net.web.asked) == 1


NO_RESULTS = {
    "no JSON": "<html>",
    "another form": "[]",
    "a form within": '{"results": {"a": 1}}',
    "nothing": "{}",
    "deep": "[" * 40_000,
    "a number": "7",
}


@pytest.mark.parametrize("body", NO_RESULTS.values(), ids=NO_RESULTS)
def test_an_answer_of_another_form_is_one_line(net: Internet, body: str) -> None:
    """Without its words."""
    net.host("search.example")
    net.web.put("search.example", "/search", body, kind="application/json")
    with pytest.raises(ToolError, match=r"^web: the search service did not answer in its form$"):
        searching(net, SEARXNG).run(CALL, {"query": "x"})


def test_results_of_another_form_are_left_out(net: Internet) -> None:
    """Whatever is no page, has no title, or names a host that is none; and what are too many."""
    odd = [
        None,
        7,
        {},
        {"title": 7, "url": "https://a.example"},
        {"title": "x", "url": "javascript:alert(1)"},
        {"title": "x", "url": "https://a@b.example"},
    ]
    plain = [{"title": str(number), "url": "https://a.example/"} for number in range(40)]
    net.host("search.example")
    net.web.put("search.example", "/search", json.dumps({"results": [*odd, *plain]}), kind="application/json")
    found = searching(net, SEARXNG).run(CALL, {"query": "x"}).plain()

    assert isinstance(found, list)
    assert [each["title"] for each in found] == [str(number) for number in range(20)]  # type: ignore[index,call-overload]
    assert WebResult("0", "https://a.example/", "").__slots__ == ("title", "url", "text")


@pytest.mark.parametrize("query", ["", "  ", "x" * 401, "ä" * 400])
def test_a_query_that_cannot_be_asked(net: Internet, query: str) -> None:
    """Nobody learns anything."""
    with pytest.raises(ToolError, match=r"^web: "):
        searching(net, SEARXNG).run(CALL, {"query": query})
    assert net.dialled == []


def test_a_large_answer_is_refused(net: Internet) -> None:
    """Like a page."""
    net.host("search.example")
    net.web.handle(
        "search.example",
        "/search",
        lambda connection, _: connection.sendall(answer(b"[" * 200_000, "application/json")),
    )
    with pytest.raises(ToolError, match=r"^web: the page is over the limit of 100,000 bytes$"):
        searching(net, SEARXNG).run(CALL, {"query": "x"})
