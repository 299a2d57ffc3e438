"""Calendars and address books on servers in the tables `[calendar]` and `[contacts]`: one there itself, or each in a table of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from armslength.app.secrets import SecretPlace
from armslength.app.table import Table
from armslength.events import Trust
from armslength.hosts import is_here
from armslength.tools.base import Tool
from armslength.tools.contacts.tools import Book
from armslength.tools.dav.places import place_of
from armslength.tools.dav.settings import DavSettings, Tls
from armslength.tools.mail.invitations import Invitations
from armslength.tools.text.addresses import uri_address

_TLS: tuple[Tls, ...] = ("implicit", "none")
_LONGEST_WAIT = 600  # seconds


@dataclass(frozen=True, slots=True)
class DavChoice:
    """A calendar or an address book on a server. `name`: of its table; nothing, where it stands in the table itself.

    `addresses`: by which its owner is invited, lower case, the first invites. `shared_with`: whoever else sees what is in it. `writes`: what
    the calendar is called that is written to.
    """

    name: str
    server: DavSettings
    secret: SecretPlace | None = None
    addresses: tuple[str, ...] = ()
    shared_with: tuple[str, ...] = ()
    writes: str = ""


def calendars_in(table: Table, user: Table) -> tuple[DavChoice, ...]:
    """The calendars on servers, in the order of the file; the first is written to if nothing else is said.

    Raises:
        ConfigError: something is not what it must be, or a path stands beside them.
    """
    found = _choices(table, "calendar", user)
    if found and table.path("path") is not None:
        raise table.wrong("path", "left out where calendars on servers are given: an event lies in one or the other")
    return found


def address_books_in(table: Table) -> tuple[DavChoice, ...]:
    """The address books on servers. Files may stand beside them.

    Raises:
        ConfigError: something is not what it must be.
    """
    return _choices(table, "contacts", None)


def _choices(table: Table, kind: str, user: Table | None) -> tuple[DavChoice, ...]:
    names = table.tables("password", "token")
    if not names:
        return (_choice(table, "", kind, user),) if table.text("url") else ()
    below = [table.table(name) for name in names]
    for each in below:
        if not each.text("url"):
            raise each.wrong("url", "given: the address of a server, of an account on it, or of one collection")
    return tuple(_choice(each, name, kind, user) for name, each in zip(names, below, strict=True))


def _choice(table: Table, name: str, kind: str, user: Table | None) -> DavChoice:
    password, token = table.secret("password"), table.secret("token")
    user_name, secret = table.text("user"), password or token
    server = DavSettings(
        setting=f"{kind}.{name}" if name else kind,
        url=table.text("url"),
        user=user_name,
        secret=secret,
        tls=table.one_of("tls", _TLS),
        authorities=table.path("authorities"),
        collection=table.text("collection"),
        seconds=float(table.between("timeout", 60, 1, _LONGEST_WAIT)),
    )
    if bool(user_name) != (password is not None):
        raise table.wrong("password", "given where a user is, and nowhere else; a token needs no user")
    if password is not None and token is not None:
        raise table.wrong("token", "left out where user and password are")
    if user is None:
        return DavChoice(name, server, secret)
    own = table.texts("addresses") or user.texts("addresses")
    return DavChoice(
        name,
        server,
        secret,
        _addresses(table, "addresses", own),
        _addresses(table, "shared_with", table.texts("shared_with")),
        table.text("writes"),
    )


def _addresses(table: Table, setting: str, given: tuple[str, ...]) -> tuple[str, ...]:
    found = [uri_address(each) for each in given]
    plain = tuple(each for each in found if each is not None)
    if len(plain) < len(given):
        raise table.wrong(setting, "a list of plain addresses, each like name@example.com")
    return tuple(dict.fromkeys(plain))


def calendars_of(
    choices: tuple[DavChoice, ...],
    trust: Trust,
    state: Path,
    invitations: Invitations | None = None,
    *,
    is_confined: bool = False,
) -> list[Tool]:
    """The tools over the calendars on servers, none if there are none. Nothing is contacted before a tool is called.

    `invitations`: what the mail knows of organizers; `is_confined`: some data stays on this machine, so what is written to a server elsewhere counts as told to somebody.

    Raises:
        ConfigError: a calendar cannot be used as it is described.
    """
    if not choices:
        return []
    from armslength.tools.calendar.agenda import CalendarAccount
    from armslength.tools.calendar.caldav import served_calendar_tools
    from armslength.tools.calendar.invited import nobody_invited

    accounts = [
        CalendarAccount(
            each.name,
            each.server,
            each.addresses,
            each.shared_with,
            each.writes,
            is_told=is_confined and not is_here(place_of(each.server.url, each.server.setting).origin.host),
        )
        for each in choices
    ]
    return served_calendar_tools(accounts, trust, state, invitations=invitations or nobody_invited)


def books_of(choices: tuple[DavChoice, ...], state: Path) -> list[Book]:
    """The address books on servers. None is contacted before it is looked into.

    Raises:
        ConfigError: one cannot be used as it is described.
    """
    from armslength.tools.contacts.carddav import ServedBook

    return [ServedBook(each.server, state / "dav") for each in choices]
