"""What the person sees while a run goes on: which model is at work and for how long. On standard error."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rich.console import Console
from rich.progress import Progress as LiveLine
from rich.progress import SpinnerColumn, TextColumn
from rich.text import Text

from armslength.agent.planning.planner import COULD_RUN, NOT_ACCEPTED
from armslength.agent.showing.cleaning import clean_line
from armslength.models.base import Model, ModelReply, ModelRequest, Processor

_SLOW_START = "the embedded model is loading; its first use can take a minute"


def stderr_console() -> Console:
    """A console that reads no markup, no emoji names, and highlights nothing."""
    return Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)


@dataclass(slots=True)
class Progress:
    """Lines on standard error: one live line with seconds on a terminal, one line for each call elsewhere, none if quiet."""

    mode: Literal["shown", "quiet"] = "shown"
    console: Console = field(default_factory=stderr_console)
    _said: set[str] = field(default_factory=set)
    _counts: str = ""
    _rewrite: Callable[[], None] = field(default=lambda: None)

    def say(self, line: str) -> None:
        """One line, above the live one."""
        if self.mode == "shown":
            self.console.print(Text(clean_line(line)))

    def say_once(self, line: str) -> None:
        """One line, the first time only."""
        if line not in self._said:
            self._said.add(line)
            self.say(line)

    @contextlib.contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Somebody is at work until the block ends. Beside the run, where `waiting` shows it, a terminal is left alone."""
        if not self._is_live:
            self.say(what)
        with self._live(what):
            yield

    def waiting(self, lane: str) -> contextlib.AbstractContextManager[None]:
        """The run waits for what goes on beside it (`Assistant.waiting`). A line where a terminal is; elsewhere each call has one."""
        is_reading = lane in {"quarantined", "confined"}
        return self._live(
            "the quarantined model is reading" if is_reading else f"{lane.removeprefix('tool ')} is at work"
        )

    def counted(self, done: int, total: int) -> None:
        """So many mails of so many were read: said at the end of the live line, and nowhere else. From any thread."""
        self._counts = f", {done:,} of {total:,} mails read" if done < total else ""
        self._rewrite()

    @property
    def _is_live(self) -> bool:
        return self.console.is_terminal and not self.console.is_dumb_terminal

    @contextlib.contextmanager
    def _live(self, what: str) -> Iterator[None]:
        """The live line, of one thread only: it ends with the block, also by Ctrl-C, and is gone before anybody is asked anything."""
        if self.mode == "quiet" or not self._is_live or threading.current_thread() is not threading.main_thread():
            yield
            return
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TextColumn("{task.elapsed:.0f} s", markup=False),
        )
        with LiveLine(
            *columns, console=self.console, transient=True, redirect_stdout=False, redirect_stderr=False
        ) as live:
            task = live.add_task(clean_line(what) + self._counts, total=None)
            self._rewrite = lambda: live.update(task, description=clean_line(what) + self._counts)
            try:
                yield
            finally:
                self._rewrite, self._counts = _nothing, ""


def _nothing() -> None:
    """Where no line is live."""


def planning(request: ModelRequest) -> str:
    """What the planner does, by what it was told last."""
    last = request.turns[-1].text
    if last.startswith(COULD_RUN):
        return "writing the program once more, since the first one would ask you something"
    return (
        "writing the program again, since the one before cannot be used" if last.startswith(NOT_ACCEPTED) else _WRITING
    )


_WRITING = "writing the program"


def reading(_request: ModelRequest) -> str:
    """What the quarantined model does."""
    return "reading, quarantined"


@dataclass(frozen=True, slots=True)
class WatchedModel:
    """A model whose calls are shown while they run. `doing` is said of it, e.g. `writing the program`."""

    model: Model
    progress: Progress
    doing: Callable[[ModelRequest], str]

    @property
    def processor(self) -> Processor:
        """Who computes the answer."""
        return self.model.processor

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask the model itself."""
        self._announce()
        with self.progress.working(f"{self.processor.model} is {self.doing(request)}"):
            return self.model.complete(request)

    def count_tokens(self, text: str) -> int:
        """As the model itself counts."""
        self._announce()
        return self.model.count_tokens(text)

    def _announce(self) -> None:
        if self.processor.name == "embedded":
            self.progress.say_once(_SLOW_START)
