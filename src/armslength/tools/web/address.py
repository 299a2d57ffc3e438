"""The one form of a web address: what is shown, decided on and asked for is the same string. No other file reads a URL's parts.

Source: the URL standard (WHATWG, url.spec.whatwg.org), as the library `ada` reads it. What parsers read differently is refused before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from armslength.errors import ToolError

MOST_URL = 2_000
_MOST_HOST = 253
_MOST_LINKS = 5_000
_PLAIN = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<rest>[/?#].*)?", re.IGNORECASE | re.ASCII)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@%\\]+?)\.?(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, repr=False)
class WebAddress:
    """A URL in the one form that is decided on and asked for, and its parts in that form. All of it is printable ASCII.

    `host`: in lower case, without a dot at its end; of IPv6 in brackets. `target`: path and query. There is no fragment.
    """

    url: str
    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return self.scheme, self.host, self.port

    @property
    def place(self) -> str:
        """Host and port, as a configuration names them."""
        return f"{self.host}:{self.port}"


def web_address(text: str) -> WebAddress:
    """The one form of an http(s) URL: the only place that takes one apart.

    Raises:
        ToolError: it is none, or has what parsers read differently: user names, backslashes, spaces, control characters, numbers
            for an address, letters that stand for others in a host, or it is overlong.
    """
    found = _PLAIN.fullmatch(text) if len(text) <= MOST_URL and text.isprintable() else None
    named = None if found is None or set(text) & set("\\ ") else _AUTHORITY.fullmatch(found["authority"])
    if named is None:
        raise ToolError("web: that is no plain web address; give one like https://example.com/page")
    parts = _parsed(text)
    host = parts["hostname"].removesuffix(".")
    if not _is_plain_host(named["host"], host):
        raise ToolError("web: the address has no plain name of a host; give one like https://example.com/page")
    scheme = parts["protocol"].removesuffix(":")
    port = int(parts["port"] or _USUAL_PORTS[scheme])
    if port == 0:
        raise ToolError("web: the port is out of range; leave it out")
    shown = "" if port == _USUAL_PORTS[scheme] else f":{port}"
    target = parts["pathname"] + parts["search"]
    made = WebAddress(f"{scheme}://{host}{shown}{target}", scheme, host, port, target)
    if len(made.url) > MOST_URL or not (made.url.isascii() and made.url.isprintable()):
        raise ToolError("web: the address is too long")
    return made


def address_from(page: WebAddress, link: str) -> WebAddress:
    """Where a link of a page leads.

    Raises:
        ToolError: nowhere that `web_address` takes.
    """
    from ada_url import join_url

    if len(link) > MOST_URL or not link.isprintable() or set(link) & set("\\ "):
        raise ToolError("web: that link leads to no plain web address")
    try:
        return web_address(join_url(page.url, link))
    except ValueError as error:
        raise ToolError("web: that link leads to no plain web address") from error


def leading(page: WebAddress) -> Callable[[str], str]:
    """From a link of a page to its whole address, for as many different links as are worth the time; the others stay as they are."""
    known: dict[str, str] = {}

    def leads(link: str) -> str:
        if link not in known:
            if len(known) >= _MOST_LINKS:
                return link
            try:
                known[link] = address_from(page, link).url
            except ToolError:
                known[link] = link
        return known[link]

    return leads


def _parsed(text: str) -> dict[str, str]:
    from ada_url import parse_url

    try:
        return dict(parse_url(text, attributes=("hostname", "protocol", "port", "pathname", "search")))  # type: ignore[arg-type]
    except ValueError as error:
        raise ToolError("web: that is no plain web address; give one like https://example.com/page") from error


def _is_plain_host(written: str, host: str) -> bool:
    """Whether a host is what it was written as, but for case, or for whole labels of other letters, which are then shown encoded.

    Source: UTS #46; a letter that it takes for another (a wide one, a ligature, a dot of another script) makes another host than is read.
    """
    if host.startswith("["):
        return written.startswith("[")
    labels, shown = written.split("."), host.split(".")
    return (
        len(host) <= _MOST_HOST
        and _HOST.fullmatch(host) is not None
        and len(labels) == len(shown)
        and all(
            label.lower() == each if label.isascii() else each.startswith("xn--")
            for label, each in zip(labels, shown, strict=True)
        )
    )
