"""What works of all that is configured, what does not, and what to do: each a check that is really made.

Files:
    examining  a check, what it finds, and all of them one after the other
    basics     the folder of ours, the database, the rules, secrets, where documents are parsed
    models     the models
    places     mail, calendars, contacts and files
    servers    servers of MCP
    mail_servers  the servers of mail
    dav        calendars and address books on servers
    web        searching
    running    what goes on without the person
"""

from __future__ import annotations

from collections.abc import Iterator

from armslength.app.doctor.basics import basic_checks
from armslength.app.doctor.dav import dav_checks
from armslength.app.doctor.examining import Check, Finding, State, examined, named
from armslength.app.doctor.models import model_checks
from armslength.app.doctor.places import place_checks
from armslength.app.doctor.running import running_checks
from armslength.app.doctor.servers import server_checks
from armslength.app.doctor.web import web_checks
from armslength.app.settings import Settings


def checks_of(settings: Settings) -> Iterator[Check]:
    """Every check of what this configuration has, in the order in which things are needed."""
    yield from basic_checks(settings)
    yield from model_checks(settings)
    yield from place_checks(settings)
    yield from server_checks(settings)
    yield from dav_checks(settings)
    yield from web_checks(settings)
    yield from running_checks(settings)


__all__ = ["Check", "Finding", "State", "checks_of", "examined", "named"]
