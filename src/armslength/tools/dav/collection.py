"""One calendar or address book on a server: what lies in it, brought up to date by what changed, and changes that overwrite nothing.

Where the server can say what changed (RFC 6578), that is asked; else the entity tags of all, unless the whole collection's tag is the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from armslength.tools.dav.connection import Answer, Connection, Request
from armslength.tools.dav.copy import Copy, Item
from armslength.tools.dav.discovery import Found, Kind
from armslength.tools.dav.multistatus import (
    CALDAV,
    CARDDAV,
    DAV,
    SERVER,
    Multistatus,
    Resource,
    asked,
    element,
    named,
    properties,
    question,
    read_multistatus,
)
from armslength.tools.dav.places import is_member, named_place

MOST_ITEMS = 20_000
MOST_ITEM_BYTES = 2_000_000
MOST_ALL_BYTES = 200_000_000
_AT_ONCE = 100
"""Resources that one request asks for."""
_MOST_PAGES = 200
_WHAT = "what lies there could not be listed"
_DATA = {
    "calendar": (CALDAV, "calendar-data", "calendar-multiget"),
    "addressbook": (CARDDAV, "address-data", "addressbook-multiget"),
}
_TYPES = {"calendar": "text/calendar; charset=utf-8", "addressbook": "text/vcard; charset=utf-8"}


@dataclass(frozen=True, slots=True, repr=False)
class Listing:
    """What lies in a collection, and how many resources were left out: too large, or named and not given."""

    items: list[Item]
    left_out: int


class Collection:
    """A collection by its connection and path."""

    def __init__(self, connection: Connection, kind: Kind, found: Found, state: Path) -> None:
        """`state`: the folder of local copies."""
        self.connection, self.path, self.title, self._kind = connection, found.path, found.title, kind
        whose = f"{connection.origin.url}{self.path} {connection.settings.user}"
        self._copy = Copy(state / f"{hashlib.sha256(whose.encode()).hexdigest()[:24]}.sqlite")

    def listed(self) -> Listing:
        """All that lies there now.

        Raises:
            ToolError: it cannot be asked for, or is too much.
        """
        with self._copy.held():
            self._refresh()
            items = self._copy.items()
            return Listing(items, int(self._copy.state("left out") or "0"))

    def read(self, path: str) -> Item | None:
        """One resource as it lies on the server now, None if there is none."""
        answer = self.connection.ask(Request("GET", self._own(path)))
        if answer.status in {404, 410}:
            return None
        if answer.status != 200:
            raise self.connection.wrong(answer, "it could not be read")
        if answer.is_cut or len(answer.body) > MOST_ITEM_BYTES:
            raise self.connection.failed(f"it is over the limit of {MOST_ITEM_BYTES:,} bytes")
        return Item(path, answer.etag, answer.body)

    def create(self, path: str, content: bytes) -> bool:
        """Put a new resource there (If-None-Match). False: something lies there already, and stays as it is."""
        answer = self._put(path, content, {"If-None-Match": "*"})
        if answer.status == 412:
            return False
        self._done(answer, "it was not written")
        return True

    def replace(self, path: str, content: bytes, etag: str) -> None:
        """Put other bytes in place of those with this entity tag (If-Match).

        Raises:
            ToolError: others lie there by now, or it has no tag that guards them.
        """
        self._done(self._put(path, content, {"If-Match": self._guard(etag)}), "nothing was changed")

    def remove(self, path: str, etag: str) -> None:
        """Remove the resource with this entity tag (If-Match).

        Raises:
            ToolError: another lies there by now, or it has no tag that guards it.
        """
        answer = self.connection.ask(Request("DELETE", self._own(path), headers={"If-Match": self._guard(etag)}))
        self._done(answer, "nothing was removed")

    def _guard(self, etag: str) -> str:
        if not etag:
            raise self.connection.failed(
                "the server gives it no strong ETag, so a change could overwrite another's; nothing was done"
            )
        return etag

    def _put(self, path: str, content: bytes, headers: dict[str, str]) -> Answer:
        if len(content) > MOST_ITEM_BYTES:
            raise self.connection.failed(f"it would be over the limit of {MOST_ITEM_BYTES:,} bytes")
        return self.connection.ask(
            Request("PUT", self._own(path), content, {"Content-Type": _TYPES[self._kind], **headers})
        )

    def _done(self, answer: Answer, what: str) -> None:
        if answer.status not in {200, 201, 204}:
            raise self.connection.wrong(answer, what)

    def _own(self, path: str) -> str:
        if not is_member(path, self.path):
            raise self.connection.failed("a path leads out of the collection; nothing was done")
        return path

    # Bringing the copy up to date

    def _refresh(self) -> None:
        token = self._copy.state("token")
        if token and self._follow(token):
            return
        before = self._copy.state("tag")
        tag = self._tag()
        if tag and tag == before and not token:
            return
        listed, token = self._all()
        self._compare(listed)
        self._copy.note("token", token)
        self._copy.note("tag", tag)

    def _follow(self, token: str) -> bool:
        """Whether what changed since `token` could be told, and is kept now."""
        for _ in range(_MOST_PAGES):
            answer = self._sync(token)
            if answer.status in {400, 403, 404, 405, 409, 410, 501}:
                return False  # the token is not known any more, or the server does not do this: all is compared
            found = read_multistatus(self.connection, answer, _WHAT)
            gone = {path for each in found.resources if each.status == 404 and (path := self._member(each))}
            changed = {path: each.etag for path, each in self._members(found)}
            self._fetch(sorted(changed), gone)
            if not found.token:
                return False
            self._copy.note("token", found.token)
            if not _is_cut_short(found):
                return True
            token = found.token
        raise self.connection.failed("the server tells of changes without end")

    def _sync(self, token: str) -> Answer:
        inside = [element(DAV, "sync-token", token), element(DAV, "sync-level", "1"), properties((DAV, "getetag"))]
        return asked(self.connection, "REPORT", self.path, question(DAV, "sync-collection", *inside), 0)

    def _all(self) -> tuple[dict[str, str], str]:
        """The entity tags of all by path, and the token from which changes can be followed, if there is one."""
        found: dict[str, str] = {}
        token = ""
        for _ in range(_MOST_PAGES):
            answer = self._sync(token)
            if answer.status != 207:
                break
            page = read_multistatus(self.connection, answer, _WHAT)
            found |= {path: each.etag for path, each in self._members(page)}
            token = page.token
            if not token:
                break
            if not _is_cut_short(page):
                return found, token
        wanted = question(DAV, "propfind", properties((DAV, "getetag"), (DAV, "resourcetype")))
        answer = asked(self.connection, "PROPFIND", self.path, wanted, 1)
        return {path: each.etag for path, each in self._members(read_multistatus(self.connection, answer, _WHAT))}, ""

    def _tag(self) -> str:
        """The collection's own tag, which changes with anything in it; nothing where the server has none."""
        wanted = question(DAV, "propfind", properties((SERVER, "getctag")))
        answer = asked(self.connection, "PROPFIND", self.path, wanted, 0)
        found = read_multistatus(self.connection, answer, _WHAT).resources
        return found[0].found.text_at(named(SERVER, "getctag"))[:500] if found else ""

    def _compare(self, listed: dict[str, str]) -> None:
        if len(listed) > MOST_ITEMS:
            raise self.connection.failed(f"more than {MOST_ITEMS:,} things lie there; name a smaller collection")
        kept = self._copy.etags()
        wanted = [path for path, etag in listed.items() if not etag or kept.get(path) != etag]
        self._copy.note("left out", "0")
        self._fetch(sorted(wanted), kept.keys() - listed.keys())

    def _member(self, resource: Resource) -> str | None:
        """The path of what lies directly in the collection. What a server names elsewhere is no part of it."""
        place = named_place(resource.href, self.connection.origin)
        is_ours = place is not None and place.origin == self.connection.origin and is_member(place.path, self.path)
        return place.path if place is not None and is_ours else None

    def _members(self, found: Multistatus) -> Iterator[tuple[str, Resource]]:
        for each in found.resources:
            path = self._member(each)
            if path is not None and each.status == 200 and named(DAV, "collection") not in each.kinds():
                yield path, each

    def _fetch(self, paths: list[str], gone: set[str] | frozenset[str] = frozenset()) -> None:
        """Ask for these, piece by piece; each piece is kept at once, so that what broke off goes on from there."""
        self._copy.put([], gone)
        missing = 0
        for begin in range(0, len(paths), _AT_ONCE):
            batch = paths[begin : begin + _AT_ONCE]
            found = self._many(batch)
            self._copy.put(found, set(batch) - {each.path for each in found})
            missing += len(batch) - len(found)
        self._check_size()
        if missing:
            self._copy.note("left out", str(int(self._copy.state("left out") or "0") + missing))

    def _check_size(self) -> None:
        if len(self._copy.etags()) > MOST_ITEMS or self._copy.size() > MOST_ALL_BYTES:
            raise self.connection.failed("so much lies there that it is not kept; name a smaller collection")

    def _many(self, paths: list[str]) -> list[Item]:
        """What lies at these paths; where that is too much for one answer, half of them at a time."""
        namespace, data, report = _DATA[self._kind]
        inside = [properties((DAV, "getetag"), (namespace, data)), *(element(DAV, "href", path) for path in paths)]
        answer = asked(self.connection, "REPORT", self.path, question(namespace, report, *inside), 1)
        if answer.status == 207 and answer.is_cut:
            if len(paths) == 1:
                return []
            middle = len(paths) // 2
            return self._many(paths[:middle]) + self._many(paths[middle:])
        wanted, found = set(paths), dict[str, Item]()
        for path, each in self._members(read_multistatus(self.connection, answer, _WHAT)):
            content = each.found.first(named(namespace, data))
            if path in wanted and content is not None and len(content.text) <= MOST_ITEM_BYTES:
                # XML has one line end (XML 1.0, section 2.11); these texts have another
                lines = re.sub(r"\r\n|\n|\r", "\r\n", content.text)
                found[path] = Item(path, each.etag, lines.encode("utf-8", "replace"))
        return list(found.values())


def _is_cut_short(found: Multistatus) -> bool:
    """Whether there is more than the answer holds (RFC 6578, section 3.6)."""
    return any(each.status == 507 for each in found.resources)
