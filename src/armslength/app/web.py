"""The table `[web]`: whether pages are fetched, of which hosts, what is known of them, and by which service the web is searched."""

from __future__ import annotations

from armslength.app.table import Table
from armslength.errors import ToolError
from armslength.tools.documents.confinement import Confinement
from armslength.tools.web.address import web_address
from armslength.tools.web.fetching import Reach
from armslength.tools.web.search import ENGINES, Kind, SearchSettings
from armslength.tools.web.services import Service
from armslength.tools.web.tools import WebSettings, host_named

_KINDS: tuple[Kind, ...] = ("searxng", "brave")
_MEGABYTE = 1_000_000


def web_settings(table: Table, confinement: Confinement) -> WebSettings | None:
    """What the table says, None where it gives no tools. `confinement`: of documents.

    Raises:
        ConfigError: it says something that is not understood, or names no host where one is named.
    """
    usual = Reach()
    reach = Reach(
        local=frozenset(_place(table, each) for each in table.texts("local")),
        ports=frozenset(_port(table, each) for each in table.numbers("ports", tuple(sorted(usual.ports)))),
        authorities=table.path("authorities"),
        most_bytes=table.between("megabytes", usual.most_bytes // _MEGABYTE, 1, 50) * _MEGABYTE,
        seconds=float(table.between("timeout", int(usual.seconds), 1, 600)),
    )
    listed = table.table("services")
    services = tuple(_service(listed.table(name), _host(listed, name, name)) for name in listed.names())
    fetches, search = table.switch("fetch"), _search(table.table("search"), reach)
    return WebSettings(fetches, reach, services, search, confinement) if fetches or search is not None else None


def _service(table: Table, host: str) -> Service:
    own = table.texts("own")
    if not all(each.startswith("/") and each.endswith("/") for each in own):
        raise table.wrong("own", 'a list of paths that begin and end with a slash, such as "/kim/"')
    shared = table.switch("shared")
    if own and not shared:
        raise table.wrong("own", "left out where the host is not shared")
    return Service(
        host,
        tells=tuple(_host(table, "tells", each) for each in table.texts("tells")),
        is_shared=shared,
        own=own,
        passes_on=table.switch("passes_on"),
        account=table.text("account"),
    )


def _search(table: Table, reach: Reach) -> SearchSettings | None:
    given = table.is_given
    kind, url, key = table.one_of("kind", _KINDS), table.text("url"), table.secret("key")
    tells = table.choice_of_texts("tells")
    account = table.text("account")
    if not given:
        return None
    try:
        address = web_address(url or ENGINES[kind].url)
    except ToolError:
        raise table.wrong("url", "the address of the service for queries") from None
    if address.scheme == "http" and not reach.is_local(address):
        raise table.wrong("url", "an https address, unless its host and port stand in web.local")
    if ENGINES[kind].key_header and key is None:
        raise table.wrong("key", 'the place of the service\'s key, such as { environment = "VARIABLE" }')
    if kind == "searxng" and tells is None:
        raise table.wrong("tells", "the list of hosts that the service asks itself; they learn what is searched for")
    told = tuple(_host(table, "tells", each) for each in tells or ())
    return SearchSettings(kind, address.url, told, key, account)


def _host(table: Table, setting: str, text: str) -> str:
    try:
        return host_named(text)
    except ToolError:
        raise table.wrong(setting, f"about hosts, such as docs.example.com; {text!r} names none") from None


def _place(table: Table, text: str) -> str:
    """A host of the person's own network with its port, in the form that both have in an address."""
    host, colon, port = text.rpartition(":")
    try:
        address = web_address(f"http://{text}/")
    except ToolError:
        address = None
    if not colon or not host or not port.isdecimal() or address is None or address.target != "/":
        raise table.wrong("local", f"a list of hosts with their ports, such as nas.home.lan:8080; {text!r} is none")
    return address.place


def _port(table: Table, number: int) -> int:
    if not 1 <= number <= 65_535:
        raise table.wrong("ports", "a list of ports, from 1 to 65535")
    return number
