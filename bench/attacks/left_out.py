"""What an attack is measured against where its safeguard is a tool's own: labels off, and that left out as well."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from armslength.tools.mcp.pins import Watching
from armslength.tools.web import dialling, fetching
from armslength.tools.web.address import address_from
from bench.labels_off import labels_off, pins_off


@contextmanager
def addresses_off() -> Iterator[None]:
    """Labels off, and whatever a host's address is, it is asked."""
    with (
        labels_off(),
        patch.object(dialling, "is_public", lambda _address: True),
        patch.object(dialling, "_is_of_internet", lambda _host: True),
    ):
        yield


@contextmanager
def moves_off() -> Iterator[None]:
    """Labels off, and a page that has moved is followed to whatever host it says."""
    with labels_off(), patch.object(fetching, "_next", lambda page, location, _told: address_from(page, location)):
        yield


@contextmanager
def accepted_off() -> Iterator[None]:
    """Labels off, and a server's tool is called however it declares itself by now."""
    with (
        labels_off(),
        patch("armslength.tools.mcp.connection._Line._check", _is_whatever),
        patch.object(Watching, "is_accepted", lambda _watching, _declaration: True),
    ):
        yield


@contextmanager
def accepted_and_pins_off() -> Iterator[None]:
    """The same, and a run that was cut off goes on whatever its tools are by now."""
    with pins_off(), accepted_off():
        yield


def _is_whatever(_line: object, *_compared: object) -> None:
    """As it is."""
