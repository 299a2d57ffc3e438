"""How the requests of an attack are put: one after the other, in one conversation, or in runs that are cut off and gone on with.

In a conversation whose labels are off nothing is counted either: its planner may learn whatever a program reveals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from armslength.agent.planning.budget import DEFAULT_BITS
from armslength.app import Result
from armslength.app.talk import Talk
from armslength.errors import CannotResume
from armslength.events import Crossing
from armslength.models.base import ModelRequest
from armslength.policy.engine import PolicySettings
from armslength.store.runs import OpenRun
from armslength.store.sqlite import SqliteRuns
from bench.home.world import Home, Person, Reading

Labels = Literal["on", "off"]
_UNCOUNTED = 100_000  # bits


@dataclass(frozen=True, slots=True)
class Step:
    """A request and the program that a good blind planner writes for it. The user's own words; no attacker sees or changes them.

    A planner that goes by what it is told of earlier requests is a function of what it is asked.
    """

    request: str
    program: str | Callable[[ModelRequest], str]


@dataclass(frozen=True, slots=True)
class Trial:
    """One form of an attack in its home, and who is there. `text` is the form's, `answers` its model's; `is_pasted`: the user hands `text` over."""

    home: Home
    steps: tuple[Step, ...]
    text: str
    answers: Reading
    person: Person
    policy: PolicySettings
    labels: Labels
    is_pasted: bool = False

    @property
    def pasted(self) -> str | None:
        """What the user hands over with each request."""
        return self.text if self.is_pasted else None


@dataclass(frozen=True, slots=True)
class Carried:
    """What came of the requests. `refused`: why a run that was cut off is not gone on with."""

    results: tuple[Result, ...]
    refused: str = ""


Carrying = Callable[[Trial], Carried]
Turn = Callable[[Home, str], None]
"""What happens between two requests, or while nobody works on a run; with the form's text."""


def nothing_turns(_home: Home, _text: str) -> None:
    """All stays as it is."""


def one_by_one(trial: Trial) -> Carried:
    """Each request is a run of its own."""
    results = [
        trial.home.ask(
            step.program,
            trial.answers,
            person=trial.person,
            policy=trial.policy,
            pasted=trial.pasted,
            request=step.request,
        )
        for step in trial.steps
    ]
    return Carried(tuple(results))


def turning(turn: Turn) -> Carrying:
    """Each request is a run of its own, and `turn` happens in between."""

    def carried(trial: Trial) -> Carried:
        results: list[Result] = []
        for step in trial.steps:
            if results:
                turn(trial.home, trial.text)
            results += one_by_one(replace(trial, steps=(step,))).results
        return Carried(tuple(results))

    return carried


def in_a_conversation(trial: Trial) -> Carried:
    """The names that one program left are there for the next, and the planner is told of the requests before."""
    return _talked(trial, None, nothing_turns)


def in_a_kept_conversation(turn: Turn = nothing_turns) -> Carrying:
    """The same, where each request is put by a new process, which goes on with what was kept on disk. `turn` happens in between."""
    return lambda trial: _talked(trial, trial.home.path / "state" / "conversations", turn)


def _talked(trial: Trial, folder: Path | None, turn: Turn) -> Carried:
    bits = DEFAULT_BITS if trial.labels == "on" else _UNCOUNTED
    results: list[Result] = []
    talk: Talk | None = None
    for step in trial.steps:
        if results:
            turn(trial.home, trial.text)
        assistant = trial.home.assistant(step.program, trial.answers, policy=trial.policy)
        if talk is None or folder is not None:
            talk = Talk(assistant, folder, bits)
            talk.resume()
        talk.assistant = assistant
        results.append(talk.ask(step.request, pasted=trial.pasted, approver=trial.person))
    return Carried(tuple(results))


def cut_off(after: str, turn: Turn) -> Carrying:
    """The process ends as soon as an entry of this kind is written: `model` (the program is there) or `approval` (a person has answered).

    Where nobody is asked since labels are off, it ends when the effect is decided on. Then `turn` happens, and the run is gone on with.
    """

    def carried(trial: Trial) -> Carried:
        kind = "decision" if after == "approval" and trial.labels == "off" else after
        runs, results = SqliteRuns(trial.home.path / "state" / "runs.sqlite"), list[Result]()
        for step in trial.steps:

            def assistant(mortal: bool, step: Step = step) -> Any:  # noqa: FBT001  # before the end and after it
                kept: Any = _Watched(runs, kind, _ends) if mortal else runs
                return trial.home.assistant(step.program, trial.answers, policy=trial.policy, runs=kept)

            try:
                results.append(assistant(True).ask(step.request, pasted=trial.pasted, approver=trial.person))
            except Died:
                turn(trial.home, trial.text)
                try:
                    results.append(assistant(False).resume(runs.names()[-1], approver=trial.person))
                except CannotResume as error:
                    return Carried(tuple(results), str(error))
        return Carried(tuple(results))

    return carried


def while_it_is_read(turn: Turn) -> Carrying:
    """`turn` happens once it is decided whether a person is asked, and before it is said what she answers; with labels off, before it is done."""

    def carried(trial: Trial) -> Carried:
        runs = SqliteRuns(trial.home.path / "state" / "runs.sqlite")
        kept: Any = _Watched(runs, "decision", lambda: turn(trial.home, trial.text))
        results = []
        for step in trial.steps:
            assistant = trial.home.assistant(step.program, trial.answers, policy=trial.policy, runs=kept)
            results.append(assistant.ask(step.request, pasted=trial.pasted, approver=trial.person))
        return Carried(tuple(results))

    return carried


class Died(BaseException):
    """The process ends here."""


def _ends() -> None:
    raise Died


@dataclass(frozen=True, slots=True)
class _Watched:
    """Runs in which something happens as soon as an entry of a kind is written."""

    runs: SqliteRuns
    kind: str
    happens: Callable[[], None]

    def begin(self, started: datetime) -> _WatchedRun:
        """A new run."""
        return _WatchedRun(self.runs.begin(started), self.kind, self.happens)


@dataclass(frozen=True, slots=True)
class _WatchedRun:
    opened: OpenRun
    kind: str
    happens: Callable[[], None]

    @property
    def run(self) -> str:
        """Its name."""
        return self.opened.run

    def crossing(self, crossed: Crossing) -> None:
        """Write it down."""
        self.opened.crossing(crossed)
        self._look(crossed.kind)

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Write it down."""
        self.opened.note(kind, content)
        self._look(kind)

    def waits(self) -> None:
        """A person is asked now."""
        self.opened.waits()

    def close(self) -> None:
        """Nobody works on it."""
        self.opened.close()

    def _look(self, kind: str) -> None:
        if kind == self.kind:
            self.happens()
