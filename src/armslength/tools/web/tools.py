"""The tool `fetch_web_page` as it is declared."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from armslength.errors import ToolError
from armslength.events import Trust
from armslength.labels import PRIVATE, PUBLIC, SATURATED, Label, Source, label
from armslength.schema import STR, Origin
from armslength.tools.base import UNKNOWN, ByArguments, Prospect, Receivers, Role, Tool, tool
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.usual import Usual
from armslength.tools.web.address import WebAddress, web_address
from armslength.tools.web.fetching import Reach, fetch
from armslength.tools.web.reading import text_of
from armslength.tools.web.search import SearchSettings, search_tool, version_of_web
from armslength.tools.web.services import Service, receivers_of, service_of
from armslength.values import Labelled, Plain

UNVERIFIED = "web:unverified"
"""Whoever is between this machine and a host that is asked without TLS."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the tools are told about the web. `fetches`: whether there is `fetch_web_page`; `search`: the service that `search_web` asks.

    `confinement`: how documents are parsed.
    """

    fetches: bool = True
    reach: Reach = field(default_factory=Reach)
    services: tuple[Service, ...] = ()
    search: SearchSettings | None = None
    confinement: Confinement = USUAL


def web_tools(settings: WebSettings, trust: Trust) -> list[Tool]:
    """The tools that are configured."""
    found = [_fetch_web_page(settings, trust)] if settings.fetches else []
    if settings.search is not None:
        found.append(search_tool(settings.search, settings.reach, settings.services, trust))
    return found


def label_of(asked: Iterable[WebAddress], reach: Reach, trust: Trust) -> Label:
    """Whose words a page is: its host's, and of each host that said where it has moved to; for everybody, unless one is of the person's network.

    Without TLS nobody vouches for the host: whoever is on the way may have written it, and the host had a say.
    """
    pages = tuple(asked)
    hosts = [f"web:{each.host}" for each in pages]
    readers = PRIVATE if any(map(reach.is_local, pages)) else PUBLIC
    if any(each.scheme == "http" and not reach.is_local(each) for each in pages):
        by = [Source(each) for each in hosts]
        return label([Source(UNVERIFIED)], choice=by, bits=SATURATED, readers=readers, steer=readers)
    return label([trust(each) for each in hosts], readers=readers, steer=readers)


def _fetch_web_page(settings: WebSettings, trust: Trust) -> Tool:
    def receivers(args: dict[str, Plain]) -> Receivers:
        try:
            address, further = _asked(args)
        except ToolError:
            return UNKNOWN
        is_open = address.scheme == "http" and not settings.reach.is_local(address)
        return receivers_of(address, settings.services, further, is_open=is_open)

    def usually(args: dict[str, Plain]) -> Usual:
        try:
            return Usual(label_of([_asked(args)[0]], settings.reach, trust))
        except ToolError:
            return Usual(label([Source("web:*")]))

    @tool(
        name="fetch_web_page",
        returns=STR,
        origin=Origin("web"),
        roles={"url": Role.TARGET, "may_move_to": Role.TARGET},
        reads="web",
        changes=None,
        receivers=ByArguments(("url", "may_move_to"), receivers),
        usually=lambda args, _where: usually(dict(args)),
        happened=lambda _call, _args: False,  # the host learns nothing new from being asked again
        may_be_granted=True,
        is_independent=True,
        summary=_summary,
    )
    def fetch_web_page(url: str, may_move_to: list[str] = []) -> Labelled:  # noqa: B006  # a declaration, never changed
        """The text of a web page; may_move_to: other hosts to which it may have moved, such as www.example.com."""
        address, further = _asked({"url": url, "may_move_to": list(may_move_to)})
        told = frozenset([*further, *service_of(address.host, settings.services).tells])
        answer = fetch(settings.reach, address, told)
        text = text_of(answer.type, answer.content, answer.asked[-1], settings.confinement)
        return Labelled(text, label_of(answer.asked, settings.reach, trust))

    made = replace(fetch_web_page, version=version_of_web(fetch_web_page, sys.modules[__name__]))
    if not any(each.account for each in settings.services):
        return made
    return replace(made, prospect=lambda _call, args: _prospect(args, settings))


def _summary(args: dict[str, Plain]) -> str:
    try:
        return f"ask {_asked(args)[0].host} for a page"
    except ToolError:
        return "ask an unknown host for a page"


def _prospect(args: dict[str, Plain], settings: WebSettings) -> Prospect:
    return Prospect(account=service_of(_asked(args)[0].host, settings.services).account)


def _asked(args: dict[str, Plain]) -> tuple[WebAddress, list[str]]:
    """The address of a call, and the hosts to which it may move.

    Raises:
        ToolError: one of them is none.
    """
    further = args.get("may_move_to") or []
    if not isinstance(further, list | tuple) or len(further) > _MOST_HOSTS:
        raise ToolError("web: may_move_to is a short list of hosts")
    return web_address(str(args.get("url"))), [host_named(str(each)) for each in further]


def host_named(text: str) -> str:
    """The host of that name, in the form that it has in an address.

    Raises:
        ToolError: it is none.
    """
    address = web_address(f"https://{text}/")
    if address.url != f"https://{address.host}/":
        raise ToolError("web: a host is named without anything behind it, like www.example.com")
    return address.host


_MOST_HOSTS = 10
