"""The databases that keep runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.places import Kept


@pytest.fixture(params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    """An empty database of each kind."""
    folder = tmp_path / "state"
    if request.param == "sqlite":
        return Kept(folder)
    return Kept(folder, request.getfixturevalue("postgresql").database())
