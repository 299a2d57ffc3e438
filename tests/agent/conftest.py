"""Empty homes for runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from bench.home.world import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return Home(tmp_path)


@pytest.fixture
def make_home(tmp_path: Path) -> Callable[[], Home]:
    """Makes empty homes."""
    numbers = count()
    return lambda: Home(tmp_path / str(next(numbers)))
