"""Calendars and address books on servers: those of the account are listed. What they are called there is others' words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from armslength.app.dav import DavChoice
from armslength.app.doctor.examining import Check, Good
from armslength.app.settings import Settings
from armslength.tools.dav.connection import Connection
from armslength.tools.dav.discovery import Kind, chosen

_SHOWN, _LONGEST = 5, 40
"""Of names that a server gives: how many, and how many characters of each."""


def dav_checks(settings: Settings) -> Iterator[Check]:
    """One for each account."""
    for each in settings.calendars:
        yield Check(each.server.setting, partial(calendars, each), "calendar")
    for each in settings.address_books:
        yield Check(each.server.setting, partial(address_book, each), "contacts")


def titles(choice: DavChoice, kind: Kind) -> list[str]:
    """What its collections are called, in their order.

    Raises:
        ArmslengthError: there are none, or they cannot be asked for.
    """
    return [each.title for each in chosen(Connection(choice.server), kind)]


def calendars(choice: DavChoice) -> Good:
    """Its calendars, and which one is written to.

    Raises:
        ArmslengthError: there are none, or they cannot be asked for.
    """
    found = titles(choice, "calendar")
    said = _listed(found, "calendar")
    written = [each for each in found if not choice.writes or each == choice.writes]
    if len(written) == 1:
        return Good(said)
    return Good(said, f"which of them is written to is not said; name one in {choice.server.setting}.writes")


def address_book(choice: DavChoice) -> Good:
    """Its address book, of which there has to be one.

    Raises:
        ArmslengthError: there is none, or it cannot be asked for.
    """
    found = titles(choice, "addressbook")
    setting = choice.server.setting
    more = (
        "" if len(found) == 1 else f"one that others write into vouches for nobody: name yours in {setting}.collection"
    )
    return Good(_listed(found, "address book"), more)


def _listed(found: Sequence[str], noun: str) -> str:
    shown = ", ".join(f'"{each[:_LONGEST]}{"…" * (len(each) > _LONGEST)}"' for each in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return f"{len(found):,} {noun}{'s' * (len(found) != 1)}: {shown}{more}"
