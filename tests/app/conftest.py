"""An empty home for each run."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.home.world import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return Home(tmp_path)
