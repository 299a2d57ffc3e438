"""The tool `search_web`: one service that answers queries in JSON, by a small table of how each kind of service is asked.

Whoever runs the service learns each query, and tells whomever it asks itself. Sources: the services' own documentation of their
interfaces (SearXNG's search API with `format=json`; Brave's web search API).
"""

from __future__ import annotations

import json
import re
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlencode

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import SATURATED, Label, Source, label
from armslength.schema import ListOf, Origin
from armslength.tools.annotations import record_type
from armslength.tools.base import Prospect, Receivers, Role, Tool, tool, version_of
from armslength.tools.text.html_bare import unescaped
from armslength.tools.usual import Usual
from armslength.tools.web import address as addresses
from armslength.tools.web import dialling, fetching, internet, reading
from armslength.tools.web import services as services_known
from armslength.tools.web.address import WebAddress, web_address
from armslength.tools.web.fetching import Reach, fetch
from armslength.tools.web.services import Service, receivers_of, service_of
from armslength.values import Labelled, Plain

Kind = Literal["searxng", "brave"]
MOST_RESULTS = 20
_MOST_QUERY = 400
_MOST_TEXT = 1_000


@dataclass(frozen=True, slots=True)
class Engine:
    """How a kind of service is asked, and where in its answer what stands. `key_header`: the header of its key, with what stands before it."""

    url: str
    query: str
    more: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    title: str
    text: str
    link: str
    key_header: str = ""


ENGINES: dict[Kind, Engine] = {
    "searxng": Engine("", "q", (("format", "json"),), ("results",), "title", "content", "url"),
    "brave": Engine(
        "https://api.search.brave.com/res/v1/web/search", "q", (("count", str(MOST_RESULTS)),), ("web", "results"), "title", "description",
        "url", "X-Subscription-Token",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Which service is asked. `url`: its address for queries; the usual one of its kind, if it is empty. `tells`: hosts that it asks itself.

    `key`: gives its key when it is needed. `account`: whose key that is, in words for the screen.
    """

    kind: Kind
    url: str = ""
    tells: tuple[str, ...] = ()
    key: Callable[[], str] | None = field(default=None, repr=False)
    account: str = ""


@dataclass(frozen=True, slots=True)
class WebResult:
    """One page that a search found. `text`: some words of it."""

    title: str
    url: str
    text: str


def search_tool(settings: SearchSettings, reach: Reach, services: Iterable[Service], trust: Trust) -> Tool:
    """`search_web`."""
    service = web_address(settings.url or ENGINES[settings.kind].url)
    known = service_of(service.host, services)
    told = receivers_of(web_address(f"{service.scheme}://{service.place}/"), services, settings.tells)

    def receivers(args: dict[str, Plain]) -> Receivers:
        return told

    @tool(
        name="search_web",
        returns=ListOf(record_type(WebResult)),
        origin=Origin("web"),
        roles={"query": Role.CONTENT},
        reads="web",
        changes=None,
        receivers=receivers,
        usually=lambda _args, _where: _usual(service, trust),
        happened=lambda _call, _args: False,  # the service learns nothing new from being asked again
        may_be_granted=True,
        is_independent=True,
        summary=lambda _args: f"search the web by {service.host}",
        prospect=lambda _call, _args: Prospect(account=settings.account or known.account),
    )
    def search_web(query: str) -> Labelled:
        """Pages of the web on it, best first."""
        return asked_for(settings, reach, query, trust)

    return replace(search_web, version=version_of_web(search_web, sys.modules[__name__]))


def asked_for(settings: SearchSettings, reach: Reach, query: str, trust: Trust) -> Labelled:
    """What the service has on it.

    Raises:
        ToolError: it does not answer, or not in its form.
        ConfigError: its key is not there.
    """
    engine, service = ENGINES[settings.kind], web_address(settings.url or ENGINES[settings.kind].url)
    address = _address(service, engine, query)
    headers = {} if settings.key is None or not engine.key_header else {engine.key_header: settings.key()}
    answer = fetch(reach, address, frozenset(), {"Accept": "application/json", **headers})
    return _results(engine, answer.content, service, trust)


def version_of_web(made: Tool, here: types.ModuleType) -> str:
    """The version of a tool of the web: by all that decides who is asked, what is sent, and whose words come back."""
    return version_of(made.signature, here, addresses, internet, dialling, fetching, reading, services_known)


def _address(service: WebAddress, engine: Engine, query: str) -> WebAddress:
    if not 0 < len(query.strip()) <= _MOST_QUERY:
        raise ToolError(f"web: a search needs a query, of at most {_MOST_QUERY} characters")
    joined = "&" if "?" in service.target else "?"
    asked = urlencode([(engine.query, query), *engine.more], errors="replace")
    return web_address(f"{service.url}{joined}{asked}")


def _results(engine: Engine, content: bytes, service: WebAddress, trust: Trust) -> Labelled:
    """The results, in order. What is not of the form is left out; without a list of results nothing is."""
    try:
        found: Any = json.loads(content)
        for name in engine.results:
            found = found[name] if isinstance(found, dict) else None
    except (ValueError, RecursionError, KeyError) as error:
        raise ToolError("web: the search service did not answer in its form") from error
    if not isinstance(found, list):
        raise ToolError("web: the search service did not answer in its form")
    listed = [made for each in found[: 5 * MOST_RESULTS] if (made := _result(engine, each, service, trust)) is not None]
    return Labelled(tuple(listed[:MOST_RESULTS]), _listing(service, trust))


def _result(engine: Engine, found: object, service: WebAddress, trust: Trust) -> Labelled | None:
    if not isinstance(found, dict) or not all(isinstance(found.get(each), str) for each in (engine.title, engine.link)):
        return None
    try:
        address = web_address(found[engine.link])
    except ToolError:
        return None
    text = found.get(engine.text)
    words = _words(service, Source(f"web:{address.host}"), trust)
    parts = {
        "title": Labelled(_plain(found[engine.title]), words),
        "url": Labelled(address.url, words),
        "text": Labelled(_plain(text) if isinstance(text, str) else "", words),
    }
    return Labelled(parts, _listing(service, trust), record_type(WebResult))


def _plain(text: str) -> str:
    """One line of a result. Services mark what was searched for by tags."""
    return " ".join(unescaped(re.sub(r"</?(?:strong|b|em|mark)>", "", text[: 4 * _MOST_TEXT])).split())[:_MOST_TEXT]


def _words(service: WebAddress, page: Source, trust: Trust) -> Label:
    """Words of a page, as the service gives them: both may have written them, and the service says whose they are."""
    return label([trust(f"web:{service.host}"), page])


def _listing(service: WebAddress, trust: Trust) -> Label:
    """Which pages, and in which order: the service says it, and whoever writes for it has a say."""
    return label([trust(f"web:{service.host}")], choice=[Source("web:*")], bits=SATURATED)


def _usual(service: WebAddress, trust: Trust) -> Usual:
    return Usual(_words(service, Source("web:*"), trust), shape=_listing(service, trust))
