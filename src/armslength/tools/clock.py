"""The date of the run: its only clock is the moment it began."""

from __future__ import annotations

from dataclasses import replace

from armslength.labels import Source, label
from armslength.schema import STR, Origin
from armslength.tools.base import Tool, ToolCall, nobody, tool
from armslength.tools.usual import Usual
from armslength.values import Labelled

CLOCK = Source("clock", is_trusted=True)


def clock_tools() -> list[Tool]:
    """The tool that says which day it is. The planner knows the day, and given this tool a small one filters by it for no reason."""
    today = _today()
    return [replace(today, signature=replace(today.signature, is_told=False))]


def _today() -> Tool:
    @tool(
        name="today",
        returns=STR,
        origin=Origin("program", is_trusted=True),
        reads=None,
        changes=None,
        receivers=nobody,
        picks=True,
        fails_by=(),
        usually=lambda _args, _where: Usual(label([CLOCK])),
    )
    def today(call: ToolCall) -> Labelled:
        """Today's date, "YYYY-MM-DD"."""
        return Labelled(call.now.date().isoformat(), label([CLOCK]))

    return today
