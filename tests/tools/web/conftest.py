"""What the tests of the web ask: an internet of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.servers.web import Internet, internet


@pytest.fixture
def net() -> Iterator[Internet]:
    """An internet with the host www.example."""
    with internet() as made:
        made.host("www.example")
        yield made
