"""The date of the run."""

from __future__ import annotations

from datetime import UTC, datetime

from armslength.labels import Source, label
from armslength.tools.base import ToolCall
from armslength.tools.clock import clock_tools
from armslength.values import Labelled


def test_today_is_the_day_the_run_began() -> None:
    """A trusted public string, from the call's clock and no other."""
    (today,) = clock_tools()

    assert today.run(ToolCall({}, datetime(2026, 2, 3, 23, 59, tzinfo=UTC)), {}) == Labelled(
        "2026-02-03", label([Source("clock", is_trusted=True)])
    )
    assert (today.name, today.is_effect, today.signature.parameters) == ("today", False, ())
