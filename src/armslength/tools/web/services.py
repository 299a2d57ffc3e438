"""What is known of hosts: whom each tells further what it is asked for, who has an account there, and on whose account it is asked.

Who learns of a request is the host, whoever it passes the request on to, and, where many people share a host, whoever has an account
there: a form, a sheet or a file of theirs on a good host is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from armslength.errors import ToolError
from armslength.tools.base import UNKNOWN, Receivers
from armslength.tools.web.address import WebAddress, web_address


@dataclass(frozen=True, slots=True)
class Service:
    """One host.

    `tells`: hosts that it tells further, to which its pages may move. `is_shared`: others have accounts there, and may learn what is asked
    for anywhere but below the paths `own`, which are the person's. `passes_on`: it asks whatever an address that it is asked for names.
    `account`: whose account is used, in words for the screen.
    """

    host: str
    tells: tuple[str, ...] = ()
    is_shared: bool = False
    own: tuple[str, ...] = ()
    passes_on: bool = False
    account: str = ""


NOTHING_KNOWN = Service("")


def service_of(host: str, services: Iterable[Service]) -> Service:
    """What is known of a host."""
    return next((each for each in services if each.host == host), NOTHING_KNOWN)


def anybody_at(host: str) -> str:
    """The name of whoever has an account at a host, as a receiver. No pattern for hosts fits it."""
    return f"account:{host}/anybody"


def anybody_on_the_way_to(host: str) -> str:
    """The name of whoever is between this machine and a host that is asked without TLS, as a receiver. No pattern for hosts fits it."""
    return f"network:{host}/anybody"


def receivers_of(
    address: WebAddress, services: Iterable[Service], more: Iterable[str] = (), *, is_open: bool = False
) -> Receivers:
    """Who learns what stands in an address that is asked for. `more`: hosts told besides. `is_open`: it is read on the way.

    Hosts by their names, with all that they tell, and `anybody_at` a shared one, but below the person's own paths. They are unknown
    where a host passes on what it is asked for, or where an address within the address cannot be read.
    """
    known, within = tuple(services), hosts_within(address.target)
    if within is None or (service_of(address.host, known).passes_on and address.target != "/"):
        return UNKNOWN
    told = dict.fromkeys([address.host, *more, *within])
    listed = list(told)
    for host in listed:  # grows by whom each tells
        service = service_of(host, known)
        if service.passes_on and host != address.host:
            return UNKNOWN
        listed += [each for each in service.tells if each not in told]
        told |= dict.fromkeys(service.tells)
        if service.is_shared and not (host == address.host and _is_below(address.target, service.own)):
            told[anybody_at(host)] = None
    if is_open:
        told[anybody_on_the_way_to(address.host)] = None
    return Receivers(tuple(told))


def hosts_within(target: str) -> tuple[str, ...] | None:
    """The hosts of addresses that stand in a path or query, however often encoded: the host may ask them. None where one cannot be read.

    A redirector, a translator, a preview and an archive are asked so. What is encoded in another way than by `%` is not found.
    """
    texts = [target]
    while len(texts) <= _MOST_ROUNDS and (decoded := unquote(texts[-1])) != texts[-1]:
        texts.append(decoded)
    if len(texts) > _MOST_ROUNDS:
        return None
    found: list[str] = []
    read_whole = texts[-1], texts[-1].translate(_DROPPED)
    for text in dict.fromkeys((*texts, *(each.translate(_DROPPED) for each in texts))):
        for match in _WITHIN.finditer(text):
            if text not in read_whole and _BEGINS_ENCODED.match(match["authority"]):
                continue  # read once it is decoded
            host = _host_in(match["authority"])
            if host is None or match["odd"]:
                return None
            found.append(host)
    return tuple(dict.fromkeys(found)) if len(found) <= _MOST_WITHIN else None


def _host_in(authority: str) -> str | None:
    """The host of an address within; None where those who ask it may read another out of it, or none."""
    host, _, more = authority.partition("&")
    if not _MORE.fullmatch(more):
        return None
    try:
        return web_address(f"http://{host}/").host
    except ToolError:
        return None


_MOST_ROUNDS = 5
_MOST_WITHIN = 20
_DROPPED = dict.fromkeys(map(ord, "\t\r\n"))
"""What whoever follows the URL standard leaves out of an address."""
_WITHIN = re.compile(
    r"(?:(?:https?|ftp|wss?):[/\\]*|[/\\]{2,})(?P<authority>[^/\\?#]*)(?P<odd>\\?)", re.IGNORECASE | re.ASCII
)
"""An authority runs to `/`, `?` or `#` (RFC 3986, section 3.2), and by the URL standard to a backslash, which is odd: not all read it so."""
_BEGINS_ENCODED = re.compile(r"%(?:25)*(?:2f|5c|20|[01][0-9a-f])", re.IGNORECASE)
"""Slashes and what is left out before the authority, so that it is none yet."""
_MORE = re.compile(r"[a-z0-9_=&%+-]*:?", re.IGNORECASE | re.ASCII)
"""What may follow a host as the next words of a query: without dot and `@`, it makes no host that there is where an address runs on over `&`."""


def _is_below(target: str, paths: Iterable[str]) -> bool:
    """Whether a path lies below one of these, each of which ends in a slash. One that a server may read as leading out again does not."""
    path = target.partition("?")[0]
    plain = not re.search(r"%2f|%5c|%2e|//|;|\\", path, re.IGNORECASE)
    return plain and any(path.startswith(each) for each in paths)
