"""Memory through the configuration and the library's face: given to programs, taken back, gone through again, gone on with after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.home.world import Home, Person

from armslength.app import tools_of
from armslength.app.settings import Settings, load_settings
from armslength.store.sqlite import SqliteRuns
from armslength.tools.base import Tool, ToolCall, nobody, tool

BRANCH = "for mail in search_emails():\n    if mail.body == 'x':\n        remember('k', 1)\nremember('l', 'kept')\nanswer('done')\n"


class Died(BaseException):
    """The process ends here."""


def configured(path: Path, more: str) -> Settings:
    """A configuration file and what it says."""
    file = path / "config.toml"
    file.write_text(f'state = "state"\n{more}', "utf-8")
    return load_settings(file)


def memory_of(path: Path) -> list[Tool]:
    """The tools of the memory, as a start of the program makes them."""
    tools = tools_of(configured(path, "[memory]\nkeep = true\n"))
    return [each for each in tools if each.name in {"remember", "recall"}]


def test_programs_have_it_if_it_is_configured(tmp_path: Path) -> None:
    """Not by default."""
    assert memory_of(tmp_path)
    names = {each.name for each in tools_of(configured(tmp_path, ""))}
    assert not names & {"remember", "recall"}


def test_it_is_taken_back_and_gone_through_again(home: Home) -> None:
    """`undo` puts back what was there; a replay touches nothing, and what decided over a key is in the journal."""
    home.deliver("y")
    runs = SqliteRuns(home.path / "state" / "runs.sqlite")
    home.more = memory_of(home.path)
    home.assistant("remember('l', 'before')\n", runs=runs).ask("Keep it")
    result = home.assistant(BRANCH, runs=runs).ask("Keep it")
    noted = [entry["asked"]["key"] for entry in runs.entries(result.run) if entry.get("name") == "remember, set or not"]
    assert noted == ["k", "l", "k", "l"]  # before anything is set, and when all is settled
    kept = (home.path / "state" / "memory.kept").read_bytes()
    assert home.assistant([], runs=runs).replay(runs.entries(result.run)).text == result.text
    assert (home.path / "state" / "memory.kept").read_bytes() == kept
    assert home.assistant([], runs=runs).undo(result.run, approver=Person([True])).count == 1
    assert home.assistant("answer(recall('l'))", runs=runs).ask("What is it?").text == "before"


def test_a_run_that_was_cut_off_remembers_once(home: Home) -> None:
    """Killed after it remembered and before it ended: going on does not do it a second time."""
    runs = SqliteRuns(home.path / "state" / "runs.sqlite")
    dies = [True]

    @tool(name="die", changes="world", receivers=nobody, undo=lambda _call, _args, _outcome: None, happened=_not_yet)
    def die() -> None:
        """End the process."""
        if dies.pop():
            raise Died

    home.more = [*memory_of(home.path), die]
    with pytest.raises(Died):
        home.assistant("remember('k', 'a')\ndie()\nanswer('done')\n", runs=runs).ask("Keep it", approver=Person([True]))
    dies.append(False)
    result = home.assistant([], runs=runs).resume(runs.names()[-1], approver=Person([True]))
    assert result.text == "done"
    assert home.assistant("answer(recall('k'))", runs=runs).ask("What is it?").text == "a"


def _not_yet(_call: ToolCall, _args: object) -> bool:
    return False
