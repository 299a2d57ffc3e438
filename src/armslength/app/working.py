"""A worker: takes runs that were cut off and goes on with them, one after the other. Any number of them share a database.

A run whose question was answered counts as one that was cut off; one that comes to a question waits, and the worker goes on with others.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from armslength.app.assistant import Assistant, go_on
from armslength.app.beginning import Given
from armslength.app.waiting import NobodyNow
from armslength.errors import ArmslengthError, AtWork, CannotResume, ConfigError, HasEnded, OperatorError, Waits

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Worked:
    """What became of a run. `ending`: as a run ends, or `waiting`, `failed`, or `cannot go on`; `why`: one line, if it is not done."""

    run: str
    ending: str
    why: str = ""


@dataclass(slots=True)
class Worker:
    """`told` hears of each run. What cannot go on is left to a person; where it may be the database's fault, after some tries.

    `first`: what is done before each look. `stopped`: when it is set, no further run is begun.
    """

    assistant: Assistant
    told: Callable[[Worked], None]
    first: Callable[[], object] = lambda: None
    stopped: threading.Event = field(default_factory=threading.Event)
    _failed: Counter[str] = field(default_factory=Counter)

    def once(self) -> int:
        """Go on with every run that can go on now. Gives how many.

        Raises:
            OperatorError: the database cannot be used.
            KeyboardInterrupt: the run that was under way stays cut off.
        """
        if self.assistant.runs is None:
            raise ConfigError("the journals of this assistant are kept in memory, so there is nothing to go on with")
        self.first()
        count = 0
        for run in self.assistant.runs.listed():
            if self.stopped.is_set():
                break
            if run.state in {"cut off", "answered"} and self._failed[run.name] < _TRIES:
                worked = self._go_on(run.name)
                if worked is not None:
                    count += 1
                    self.told(worked)
        return count

    def until_stopped(self, every: float) -> None:
        """Look for such runs again and again, every so many seconds, until it is stopped. A database that is not there is waited for.

        Raises:
            KeyboardInterrupt: as above.
        """
        while not self.stopped.is_set():
            try:
                self.once()
            except OperatorError as error:
                self.told(Worked("", "failed", str(error)))
            self.stopped.wait(every)

    def _go_on(self, run: str) -> Worked | None:
        """None where another worker was quicker."""
        try:
            outcome = go_on(self.assistant, run, Given(approver=NobodyNow(), is_left=True), None).outcome
        except (AtWork, HasEnded):
            return None
        except Waits:
            return Worked(run, "waiting")
        except OperatorError as error:
            self._failed[run] += _TRIES if isinstance(error, CannotResume) else 1
            return Worked(run, "cannot go on", str(error))
        except ArmslengthError as error:
            return Worked(run, "failed", str(error))
        return Worked(run, outcome.ending, outcome.message)
