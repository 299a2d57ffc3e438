"""The databases that keep runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.server import Server, server
from tests.store.places import Kept


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for all tests of this process."""
    with server(is_durable=False) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    """An empty database of each kind."""
    folder = tmp_path / "state"
    if request.param == "sqlite":
        return Kept(folder)
    return Kept(folder, request.getfixturevalue("postgresql").database())
