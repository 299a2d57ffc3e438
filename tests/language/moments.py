"""Moments, zones and spans of time for tests of `datetime`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import strategies as st

from armslength.errors import ProgramFailed

EAST = timezone(timedelta(hours=5, minutes=30))
MOMENTS = [
    datetime(2026, 11, 30, 9, 5, 7, 12),  # noqa: DTZ001 - as a program writes it
    datetime(2024, 2, 29, 23, 59, tzinfo=EAST),
    datetime(2000, 1, 1, tzinfo=UTC),
    date(2026, 1, 4),
    date(1, 1, 1),
    time(0, 30),
    time(17, 5, 6, 70, tzinfo=EAST),
]
zones = st.one_of(
    st.none(), st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes))), st.just(UTC)
)
moments = st.datetimes(timezones=zones)


def failure(act: Callable[[], object]) -> tuple[str, str]:
    """How it fails: the code and the reason."""
    with pytest.raises(ProgramFailed) as failed:
        act()
    return failed.value.code, failed.value.reason
