"""Servers for the tests of calendars and address books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from tests.servers.dav_hostile import Hostile, hostile
from tests.servers.dav_radicale import PASSWORD, USER, Radicale, radicale

from armslength.tools.dav.settings import DavSettings


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    """One Radicale for all tests of this process."""
    with radicale(tmp_path_factory.mktemp("radicale")) as running:
        yield running


@pytest.fixture
def liar() -> Iterator[Hostile]:
    """A server that answers what the test says."""
    with hostile() as running:
        yield running


_numbers = count(1)


@pytest.fixture
def collection(server: Radicale) -> Callable[..., str]:
    """Makes an empty collection of its own for the test."""

    def make(kind: str = "calendar", title: str = "Work") -> str:
        return server.make(f"/{USER}/{kind}{next(_numbers)}/", kind, title)

    return make


def settings_for(url: str, **changed: object) -> DavSettings:
    """Those of the one user, over plain HTTP."""
    made = DavSettings("calendar.work", url, USER, lambda: PASSWORD, tls="none")
    return replace(made, **changed)  # type: ignore[arg-type]  # as its fields are


def event(uid: str, *lines: str, around: str = "") -> str:
    """An .ics text with one event."""
    inside = "".join(f"{line}\n" for line in (f"UID:{uid}", "DTSTAMP:20261101T090000Z", *lines))
    return (
        f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n{around}BEGIN:VEVENT\n{inside}END:VEVENT\nEND:VCALENDAR\n"
    )


def files_in(folder: Path) -> list[Path]:
    """All files below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())
