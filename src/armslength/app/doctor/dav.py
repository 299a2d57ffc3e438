"""Calendars and address books on servers: those of the account are listed. What they are called there is others' words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from armslength.app.dav import DavChoice
from armslength.app.doctor.examining import Check, Good
from armslength.app.settings import Settings
from armslength.tools.dav.connection import Connection
from armslength.tools.dav.discovery import chosen

_SHOWN, _LONGEST = 5, 40
"""Of names that a server gives: how many, and how many characters of each."""


def dav_checks(settings: Settings) -> Iterator[Check]:
    """One for each account."""
    for each in settings.calendars:
        yield Check(each.server.setting, partial(calendars, each))
    for each in settings.address_books:
        yield Check(each.server.setting, partial(address_book, each))


def calendars(choice: DavChoice) -> Good:
    """Its calendars, and which one is written to.

    Raises:
        ArmslengthError: there are none, or they cannot be asked for.
    """
    titles = [each.title for each in chosen(Connection(choice.server), "calendar")]
    said = _listed(titles, "calendar")
    written = [each for each in titles if not choice.writes or each == choice.writes]
    if len(written) == 1:
        return Good(said)
    return Good(said, f"which of them is written to is not said; name one in {choice.server.setting}.writes")


def address_book(choice: DavChoice) -> Good:
    """Its address book, of which there has to be one.

    Raises:
        ArmslengthError: there is none, or it cannot be asked for.
    """
    titles = [each.title for each in chosen(Connection(choice.server), "addressbook")]
    setting = choice.server.setting
    more = (
        "" if len(titles) == 1 else f"one that others write into vouches for nobody: name yours in {setting}.collection"
    )
    return Good(_listed(titles, "address book"), more)


def _listed(titles: Sequence[str], noun: str) -> str:
    shown = ", ".join(f'"{each[:_LONGEST]}{"…" * (len(each) > _LONGEST)}"' for each in titles[:_SHOWN])
    more = f" and {len(titles) - _SHOWN:,} more" if len(titles) > _SHOWN else ""
    return f"{len(titles):,} {noun}{'s' * (len(titles) != 1)}: {shown}{more}"
