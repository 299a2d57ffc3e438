"""Begins what is due. A run that a clock or a mail began is like any other: kept, gone on with after a kill, with its questions left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from armslength.app.assistant import Assistant, carry_out
from armslength.app.beginning import Given
from armslength.app.settings import Settings
from armslength.app.tasks import Task
from armslength.app.waiting import NobodyNow
from armslength.app.working import Worked
from armslength.errors import ArmslengthError, OperatorError, Waits
from armslength.store.occasions import Occasions
from armslength.tools.mail.watching import Marks, has_come, marks


@dataclass(frozen=True, slots=True)
class Schedule:
    """Tasks, whose occasions are kept. `marked`: how far the inboxes go, for tasks that wait for mail. `told`: hears what became of a task's run."""

    assistant: Assistant
    tasks: Sequence[Task]
    occasions: Occasions
    marked: Callable[[datetime], Marks]
    told: Callable[[Task, Worked], None]
    _said: set[tuple[str, str]] = field(default_factory=set)
    """Of each task why its mail could not be looked at, as far as it was told already."""

    def begin_what_is_due(self) -> int:
        """Each task once at most, one after the other; gives how many runs were begun. Nothing where another process does it.

        A task that is looked at for the first time begins at its next time, not at one before.

        Raises:
            OperatorError: the occasions cannot be kept.
        """
        count = 0
        with self.occasions.alone() as is_alone:
            if is_alone:
                for task in self.tasks:
                    if self._is_due(task, self.assistant.now()):
                        count += 1
                        self.told(task, self._run(task))
        return count

    def _is_due(self, task: Task, now: datetime) -> bool:
        """Written down before the run begins: whoever is killed between the two finds it here as not begun."""
        last = self.occasions.last(task.name)
        if last is not None and not last.is_begun:
            return True
        there = self._marks(task, now)
        if there is None:
            return False
        if last is None:
            self.occasions.came(task.name, now, there, begins=False)
            return False
        at = task.due(last.at, now)
        if at is None or self._waits(last.run):
            return False
        begins = not task.on_mail or has_come(last.marks, there)
        self.occasions.came(task.name, at, there or last.marks, begins=begins)
        return begins

    def _marks(self, task: Task, now: datetime) -> Marks | None:
        """How far the inboxes go; None where a server lets nobody in, which is told once and keeps no other task from its time."""
        try:
            return self.marked(now) if task.on_mail else {}
        except OperatorError as error:
            if (task.name, str(error)) not in self._said:
                self._said.add((task.name, str(error)))
                self.told(task, Worked("", "failed", str(error)))
            return None

    def _waits(self, run: str) -> bool:
        """Whether the task's last run waits for its answer: until it has one, no other asks the same beside it."""
        runs = self.assistant.runs
        return runs is not None and any(each.name == run and each.state == "waiting" for each in runs.listed())

    def _run(self, task: Task) -> Worked:
        run = ""

        def begun(name: str) -> None:
            nonlocal run
            run = name
            self.occasions.begun(task.name, name)

        given = Given(
            approver=NobodyNow(),
            is_left=True,
            begun=begun,
            occasion="mail" if task.on_mail else "clock",
            task=task.name,
        )
        try:
            outcome = carry_out(self.assistant, task.request, given).outcome
        except Waits:
            return Worked(run, "waiting")
        except ArmslengthError as error:
            with suppress(ArmslengthError):
                self._give_up(task, run)
            return Worked(run, "failed", str(error))
        return Worked(run, outcome.ending, outcome.message)

    def _give_up(self, task: Task, run: str) -> None:
        """What could not even begin is not tried again before its next time."""
        if not run:
            self.occasions.begun(task.name, "")


def schedule_of(settings: Settings, assistant: Assistant, told: Callable[[Task, Worked], None]) -> Schedule:
    """What the configuration says is to begin by itself."""
    return Schedule(
        assistant,
        settings.tasks,
        Occasions(settings.occasions),
        partial(marks, settings.accounts, settings.state),
        told,
    )
