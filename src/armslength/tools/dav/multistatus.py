"""Questions in XML, and what a multi-status answer says of each resource (RFC 4918, section 13; RFC 6578, section 3.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from armslength.tools.dav.connection import Answer, Connection, Request, strong_etag
from armslength.tools.dav.xml import Element, read_xml

DAV, CALDAV, CARDDAV, SERVER = (
    "DAV:",
    "urn:ietf:params:xml:ns:caldav",
    "urn:ietf:params:xml:ns:carddav",
    "http://calendarserver.org/ns/",
)
_PREFIXES = {DAV: "d", CALDAV: "c", CARDDAV: "a", SERVER: "s"}
_LONGEST_TOKEN = 2_000
_STATUS = re.compile(r"HTTP/\d(?:\.\d)? (\d{3})\b")


def named(namespace: str, local: str) -> str:
    """An element's name as `read_xml` gives it."""
    return f"{namespace} {local}"


def question(namespace: str, local: str, *inside: str) -> bytes:
    """An XML document with that root; `inside` is XML, made by the functions below."""
    declared = "".join(f' xmlns:{prefix}="{name}"' for name, prefix in _PREFIXES.items())
    tag = f"{_PREFIXES[namespace]}:{local}"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<{tag}{declared}>{"".join(inside)}</{tag}>'.encode()


def element(namespace: str, local: str, text: str = "") -> str:
    """An element with a text."""
    tag = f"{_PREFIXES[namespace]}:{local}"
    return f"<{tag}>{escape(text)}</{tag}>" if text else f"<{tag}/>"


def properties(*asked: tuple[str, str]) -> str:
    """The properties that are asked for."""
    return f"<d:prop>{''.join(element(*each) for each in asked)}</d:prop>"


@dataclass(frozen=True, slots=True, repr=False)
class Resource:
    """What an answer says of one resource: its path as it was named, its status, and the properties that it has."""

    href: str
    status: int
    found: Element

    @property
    def etag(self) -> str:
        """Its strong entity tag, if it has one."""
        return strong_etag(self.found.text_at(named(DAV, "getetag")))

    def kinds(self) -> frozenset[str]:
        """Of which types it is."""
        types = self.found.first(named(DAV, "resourcetype"))
        return frozenset(each.name for each in types.children) if types is not None else frozenset()

    def href_in(self, namespace: str, local: str) -> str:
        """The first reference in a property."""
        return self.found.text_at(named(namespace, local), named(DAV, "href"))


@dataclass(frozen=True, slots=True, repr=False)
class Multistatus:
    """A whole multi-status answer. `token`: of synchronisation, if there is one."""

    resources: tuple[Resource, ...]
    token: str


def asked(connection: Connection, method: str, path: str, body: bytes, depth: int) -> Answer:
    """The answer to such a question."""
    return connection.ask(Request(method, path, body, {"Depth": str(depth)}))


def read_multistatus(connection: Connection, answer: Answer, what: str) -> Multistatus:
    """What an answer says.

    Raises:
        ToolError: its status is another, it is too large, or it cannot be read; `what` was not done.
    """
    if answer.status != 207:
        raise connection.wrong(answer, what)
    if answer.is_cut:
        raise connection.failed(f"{what}: the answer is larger than anything needed for it")
    root = read_xml(answer.body)
    if root is None or root.name != named(DAV, "multistatus"):
        raise connection.failed(
            f"{what}: the answer cannot be read; check that the address is one of a CalDAV or CardDAV server"
        )
    token = root.text_at(named(DAV, "sync-token"))
    token = token if len(token) <= _LONGEST_TOKEN else ""
    return Multistatus(tuple(_resources(root.all(named(DAV, "response")))), token)


def _resources(responses: Iterable[Element]) -> Iterator[Resource]:
    for response in responses:
        own = response.first(named(DAV, "status"))
        found = Element(named(DAV, "prop"))
        for part in response.all(named(DAV, "propstat")):
            given = part.first(named(DAV, "prop"))
            if given is not None and _status(part.text_at(named(DAV, "status"))) == 200:
                found.children += given.children
        status = 200 if own is None else _status(own.text.strip())
        for href in response.all(named(DAV, "href")):
            yield Resource(href.text.strip(), status, found)


def _status(line: str) -> int:
    found = _STATUS.match(line)
    return int(found[1]) if found else 0
