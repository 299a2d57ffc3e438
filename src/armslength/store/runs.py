"""What keeps runs, whatever database it is: a run begins, its entries are durable before it goes on, one process at a time works on it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from armslength.errors import HasEnded, OperatorError
from armslength.events import Crossing
from armslength.store.journal import Entry

State = Literal["running", "waiting", "answered", "cut off", "done", "failed", "cancelled"]
"""`waiting`: for a person. `answered`: nobody has gone on with it yet. `cut off`: no process works on it and it has no end. All three can be
resumed."""
Effects = Literal["none", "left", "undone in part", "undone", "unknown"]
"""What a run did to the world: nothing, something that is `left`, or what was taken back. `unknown`: its journal alone says it."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is listed. `started`: ISO 8601. `ending`: how it ended, as `end` says it; nothing where it has not.

    `since`: when it came to its question, ISO 8601, where it waits.
    """

    name: str
    started: str
    state: State
    ending: str
    request: str = field(repr=False)
    since: str = ""
    effects: Effects = "unknown"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a journal, first place first. `entry` counts from 1; 0 where it is the run as a whole."""

    run: str
    entry: int
    what: str


class OpenRun(Protocol):
    """A run that this process works on. Whatever is written is durable when the call returns.

    Every method raises OperatorError where it cannot be written.
    """

    @property
    def run(self) -> str:
        """Its name."""
        ...

    @property
    def entries(self) -> list[Entry]:
        """What was in the journal when the run was taken up; nothing of a new one."""
        ...

    def crossing(self, crossed: Crossing) -> None:
        """Write down what came from outside."""
        ...

    def note(self, kind: str, content: Entry) -> None:
        """Write down what the controller did. A second `started` of one digest is refused: a yes is used up by the first."""
        ...

    def waits(self) -> None:
        """A person is asked now; whatever is written next says that this is over."""
        ...

    def close(self) -> None:
        """This process works on it no more."""
        ...


class Runs(Protocol):
    """All runs of one person. Every method raises OperatorError where the database cannot be used."""

    def begin(self, started: datetime) -> OpenRun:
        """A new run, named by its start."""
        ...

    def take(self, run: str) -> OpenRun:
        """Work on a run that another process began. Its journal was verified.

        Raises:
            AtWork: another process works on it.
            OperatorError: there is none, or its journal is not what was written.
        """
        ...

    def names(self) -> list[str]:
        """The runs, oldest first."""
        ...

    def listed(self) -> list[Run]:
        """Each run with its state, oldest first."""
        ...

    def entries(self, run: str) -> list[Entry]:
        """The journal of a run.

        Raises:
            OperatorError: there is none, or it is damaged.
        """
        ...

    def verify(self, run: str | None = None) -> list[Fault]:
        """What is wrong with one journal, or with any."""
        ...

    def purge(self, before: datetime, but: Collection[State] = ()) -> list[str]:
        """Remove runs that began before then and on which no process works, and nothing of them is left. Gives their names.

        `but`: those in one of these states stay; `answered` has all that were, and have no end.
        """
        ...

    def remove(self, run: str) -> None:
        """Remove one run, whatever its state and whether or not its journal is as it was written.

        Raises:
            AtWork: a process works on it.
            OperatorError: there is none.
        """
        ...


def state_after(entry: Entry) -> tuple[State, str] | None:
    """State and ending that an entry leads to, None where it changes neither."""
    match entry:
        case {"entry": "note", "kind": "end", "ending": "done"}:
            return "done", "done"
        case {"entry": "note", "kind": "end", "ending": str(ending)}:
            return "failed", ending
        case {"entry": "note", "kind": "failed"}:
            return "failed", "stopped"
        case {"entry": "note", "kind": "cancelled"}:
            return "cancelled", "cancelled"
        case _:
            return None


def check_waits(runs: Runs, run: str) -> None:
    """The run is there, and waits for an answer.

    Raises:
        OperatorError: it is not, or does not.
    """
    states = {each.name: each.state for each in runs.listed()}
    if run not in states:
        raise OperatorError(f"there is no run {run}; armslength runs lists them")
    if states[run] != "waiting":
        raise OperatorError(f"the run {run} waits for no answer; armslength runs lists those that do")


KeySource = Callable[[], bytes]
"""Where the key of the audit comes from: at least 32 secret bytes, the same each time. A file for now; a keyring later."""


def check_open(opened: OpenRun) -> None:
    """The run has no end yet.

    Raises:
        HasEnded: it has.
    """
    for entry in opened.entries:
        after = state_after(entry)
        if after is not None:
            raise HasEnded(f"the run {opened.run} has ended already ({after[1]}); armslength why {opened.run} shows it")
