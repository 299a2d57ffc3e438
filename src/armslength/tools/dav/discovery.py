"""Which collections an account has, from any address of it (RFC 6764, section 6; RFC 5397; RFC 4791, section 6.2; RFC 6352, section 7.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from armslength.tools.dav.connection import Connection
from armslength.tools.dav.multistatus import (
    CALDAV,
    CARDDAV,
    DAV,
    Resource,
    asked,
    named,
    properties,
    question,
    read_multistatus,
)

Kind = Literal["calendar", "addressbook"]
MOST_COLLECTIONS = 200


@dataclass(frozen=True, slots=True)
class _Protocol:
    namespace: str
    home: str
    well_known: str
    noun: str


_PROTOCOLS: dict[Kind, _Protocol] = {
    "calendar": _Protocol(CALDAV, "calendar-home-set", "/.well-known/caldav", "calendar"),
    "addressbook": _Protocol(CARDDAV, "addressbook-home-set", "/.well-known/carddav", "address book"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """A collection: its path, which ends with `/`, and what it is called there, which is the words of whoever named it."""

    path: str
    title: str


def collections(connection: Connection, kind: Kind) -> list[Found]:
    """The calendars that take events, or the address books, of the account: the one at the configured address, else all of its home.

    Raises:
        ToolError: there are none, or what is found on the way cannot be used.
    """
    protocol = _PROTOCOLS[kind]
    at = _look(connection, connection.start.path, protocol)
    if at is None or not (_is_collection(at, protocol) or _leads_on(at, protocol)):
        if connection.start.path != "/" and at is None:
            raise connection.failed(f"there is nothing at that address; check {connection.name}.url")
        at = _look(connection, protocol.well_known, protocol)
    if at is None:
        raise connection.failed(
            f"the server tells of no {protocol.noun}; write the address of one in {connection.name}.url"
        )
    if _is_collection(at, protocol):
        return [_found(connection, at)]
    return _below(connection, _home(connection, at, protocol), protocol)


def chosen(connection: Connection, kind: Kind) -> list[Found]:
    """Those of them that the configuration means: the one that it names, else all.

    Raises:
        ToolError: it names none, or more than one.
    """
    found, wanted = collections(connection, kind), connection.settings.collection
    if not wanted:
        return found
    fitting = [each for each in found if each.title == wanted]
    if len(fitting) != 1:
        noun, count = _PROTOCOLS[kind].noun, "no" if not fitting else "more than one"
        raise connection.failed(
            f"there is {count} {noun} of the name in {connection.name}.collection; correct it, or write the address of one in {connection.name}.url"
        )
    return fitting


_ASKED = ((DAV, "resourcetype"), (DAV, "displayname"), (DAV, "current-user-principal"))


def _look(connection: Connection, path: str, protocol: _Protocol) -> Resource | None:
    """What lies at a path, None if nothing does."""
    wanted = properties(*_ASKED, (protocol.namespace, protocol.home), (CALDAV, "supported-calendar-component-set"))
    answer = asked(connection, "PROPFIND", path, question(DAV, "propfind", wanted), 0)
    if answer.status in {200, 204, 404, 405, 410, 501}:  # the first two: no WebDAV there
        return None
    found = read_multistatus(connection, answer, "the account could not be looked up").resources
    return found[0] if found else None


def _is_collection(at: Resource, protocol: _Protocol) -> bool:
    return named(protocol.namespace, "calendar" if protocol.namespace == CALDAV else "addressbook") in at.kinds()


def _leads_on(at: Resource, protocol: _Protocol) -> bool:
    return bool(at.href_in(protocol.namespace, protocol.home) or at.href_in(DAV, "current-user-principal"))


def _home(connection: Connection, at: Resource, protocol: _Protocol) -> str:
    home = at.href_in(protocol.namespace, protocol.home)
    if not home and (principal := at.href_in(DAV, "current-user-principal")):
        person = _look(connection, connection.place(principal), protocol)
        home = "" if person is None else person.href_in(protocol.namespace, protocol.home)
    if home:
        return connection.place(home)
    if named(DAV, "collection") in at.kinds():
        return connection.place(at.href)  # a folder of collections, of a server that tells of no principals
    raise connection.failed(
        f"the server does not say where the account's {protocol.noun}s are; write the address of one in {connection.name}.url"
    )


def _below(connection: Connection, home: str, protocol: _Protocol) -> list[Found]:
    wanted = properties(*_ASKED, (CALDAV, "supported-calendar-component-set"))
    answer = asked(connection, "PROPFIND", home, question(DAV, "propfind", wanted), 1)
    listed = read_multistatus(connection, answer, f"the {protocol.noun}s could not be listed").resources
    found = {
        each.path: each
        for each in (_found(connection, at) for at in listed if _is_collection(at, protocol) and _takes_events(at))
    }
    if not found:
        raise connection.failed(f"the account has no {protocol.noun}; make one there, or correct {connection.name}.url")
    if len(found) > MOST_COLLECTIONS:
        raise connection.failed(
            f"more than {MOST_COLLECTIONS} {protocol.noun}s; write the address of one in {connection.name}.url"
        )
    return [found[path] for path in sorted(found)]


def _takes_events(at: Resource) -> bool:
    """Where nothing is said, everything may lie there (RFC 4791, section 5.2.3)."""
    said = at.found.first(named(CALDAV, "supported-calendar-component-set"))
    return said is None or not said.children or any(each.called.upper() == "VEVENT" for each in said.children)


def _found(connection: Connection, at: Resource) -> Found:
    path = connection.place(at.href)
    return Found(path if path.endswith("/") else f"{path}/", at.found.text_at(named(DAV, "displayname")))
