"""Times as the configuration and the command line write them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from armslength.app.durations import duration_of, written_duration


@pytest.mark.parametrize(
    ("text", "meant"),
    [("10m", timedelta(minutes=10)), ("36h", timedelta(hours=36)), ("90d", timedelta(days=90)), ("8w", timedelta(weeks=8)), ("0d", timedelta())],
)  # fmt: skip
def test_a_number_and_a_unit(text: str, meant: timedelta) -> None:
    """Minutes, hours, days or weeks."""
    assert duration_of(text) == meant


@pytest.mark.parametrize("text", ["", "10", "m", "-1m", "1y", "1.5h", "10 m", "10M", "99999999w", "36501d", "٣m"])
def test_whatever_else_is_none(text: str) -> None:
    """More than a hundred years, too."""
    assert duration_of(text) is None


@pytest.mark.parametrize("text", ["90m", "2h", "36h", "1d", "2w", "15d"])
def test_it_is_written_as_it_is_read(text: str) -> None:
    """In the largest unit that it is whole in."""
    found = duration_of(text)
    assert found is not None
    assert written_duration(found) == text
