"""What is shown while a model is at work."""

from __future__ import annotations

import io
import threading
from typing import Literal

import pytest
from rich.console import Console

from armslength.models.base import ModelRequest, Processor, Turn
from armslength.surfaces.progress import Progress, WatchedModel
from armslength.testing import SCRIPTED, ScriptedModel

REQUEST = ModelRequest(system="", turns=(Turn("user", "hi"),))
EMBEDDED = Processor("embedded", "tiny [bold]\x1b[31m", is_local=True, is_small=True, window=8192, at_once=1)


def shown(processor: Processor, mode: Literal["shown", "quiet"] = "shown", *, is_terminal: bool = False) -> str:
    """What two calls of a model leave on standard error."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, markup=False, emoji=False, highlight=False, width=200)
    watched = WatchedModel(ScriptedModel(["a", "b"], processor), Progress(mode, console), lambda _request: "at it")
    assert watched.count_tokens("hi") == 2
    assert [watched.complete(REQUEST).text, watched.complete(REQUEST).text] == ["a", "b"]
    assert watched.processor is processor
    return file.getvalue()


def test_each_call_is_a_line_where_there_is_no_terminal() -> None:
    """One line for each call, so that a log has them all."""
    assert shown(SCRIPTED) == "scripted is at it\nscripted is at it\n"


def test_the_embedded_model_says_once_that_it_is_slow() -> None:
    """Before its first work; its name is shown as text."""
    line = "tiny [bold]⟨U+001B⟩[31m is at it\n"
    assert shown(EMBEDDED) == "the embedded model is loading; its first use can take a minute\n" + line * 2


def test_on_a_terminal_the_line_has_seconds_and_goes_away() -> None:
    """The line is rewritten while the call lasts and erased at its end."""
    written = shown(SCRIPTED, is_terminal=True)
    assert "scripted is at it 0 s" in written
    assert written.endswith("\x1b[1A\x1b[2K")


@pytest.mark.parametrize(("is_terminal", "lines"), [(True, ""), (False, "tool is at it\n")])
def test_what_goes_on_beside_the_run_leaves_the_terminal_alone(lines: str, *, is_terminal: bool) -> None:
    """A person may be asked something meanwhile; a log gets its line."""
    file = io.StringIO()
    progress = Progress("shown", Console(file=file, force_terminal=is_terminal, markup=False, width=200))

    def work() -> None:
        with progress.working("tool is at it"):
            pass

    beside = threading.Thread(target=work)
    beside.start()
    beside.join()
    assert file.getvalue() == lines


@pytest.mark.parametrize(
    ("lane", "line"),
    [("quarantined", "the quarantined model is reading 0 s"), ("tool fetch\x1b", "fetch⟨U+001B⟩ is at work 0 s")],
)
def test_what_the_run_waits_for_is_shown_on_a_terminal(lane: str, line: str) -> None:
    """While it waits, with seconds; where there is no terminal the call's own line is enough."""
    for is_terminal in (True, False):
        file = io.StringIO()
        progress = Progress("shown", Console(file=file, force_terminal=is_terminal, markup=False, width=200))
        with progress.waiting(lane):
            pass
        assert (line in file.getvalue()) == is_terminal == bool(file.getvalue())


@pytest.mark.parametrize("is_terminal", [True, False])
def test_mails_that_are_read_are_counted_on_the_live_line(*, is_terminal: bool) -> None:
    """By the tool's thread, while the run waits for it; nowhere else, and not once all are read."""
    file = io.StringIO()
    progress = Progress("shown", Console(file=file, force_terminal=is_terminal, markup=False, width=200))
    progress.counted(50, 1_200)
    with progress.waiting("tool search_emails"):
        beside = threading.Thread(target=progress.counted, args=(100, 1_200))
        beside.start()
        beside.join()
    assert ("search_emails is at work, 50 of 1,200 mails read 0 s" in file.getvalue()) == is_terminal
    assert bool(file.getvalue()) == is_terminal
    progress.counted(1_200, 1_200)
    with progress.waiting("tool search_emails"):
        pass
    assert is_terminal == ("search_emails is at work 0 s" in file.getvalue())


def test_quiet_says_nothing() -> None:
    """Neither lines nor the notice."""
    assert shown(EMBEDDED, "quiet") == ""
