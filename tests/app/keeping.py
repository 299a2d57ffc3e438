"""Runs that are cut off, and what goes on with them."""

from __future__ import annotations

import pytest
from bench.home.world import Home, Person, says

from armslength.app import Assistant, Result
from armslength.store.sqlite import SqliteRuns
from armslength.tools.base import Tool

APPEND = 'append_to_file(filename="todo.txt", text="milk")'


class Died(BaseException):
    """The process ends here."""


def dying_before(home: Home, runs: SqliteRuns, more: Tool, program: str) -> str:
    """A run whose process dies in this tool."""
    home.more = [more]
    with pytest.raises(Died):
        home.assistant(program, runs=runs).ask("Do it", approver=Person([True]))
    return runs.names()[-1]


def again(home: Home, runs: SqliteRuns) -> Assistant:
    """The assistant of another process, whose models are asked nothing that was answered."""
    return home.assistant([], runs=runs)


def carried_out(home: Home, runs: SqliteRuns, program: str) -> Result:
    """A run that is done."""
    result = home.assistant(program, says(["x"]), runs=runs).ask("Do it", approver=Person([True]))
    assert result.outcome.ending == "done"
    return result
