"""Questions that are answered later, and the worker that goes on with what was answered or cut off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

from armslength.app import load_settings
from armslength.app.kept import Kept
from armslength.app.scheduling import schedule_of
from armslength.app.settings import Settings
from armslength.app.tasks import Task
from armslength.app.working import Worked, Worker
from armslength.errors import OperatorError, Waits
from armslength.store.runs import check_waits
from armslength.surfaces.approvers import asking
from armslength.surfaces.asking import Asked, How, say_waits, tell_result, watched
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened, send_due, tell_stranded
from armslength.surfaces.output import complain, tame_line, write_json, write_text
from armslength.surfaces.progress import Progress


def answer(run: str, how: How) -> Exit:
    """Show the question of a run that waits and write the answer down; a worker does the rest.

    Raises:
        ArmslengthError: it waits for none, or cannot go on.
    """
    progress = Progress("quiet" if how.is_quiet else "shown")
    settings = opened(how.config)
    check_waits(Kept(settings).database, run)
    assistant = watched(settings, progress)
    try:
        with asking(settings, is_page=how.is_page, is_patient=True) as approver:
            result = assistant.answer(run, approver=approver)
    except Waits as waits:
        return say_waits(waits, how, again="answer")
    if result is not None:
        return tell_result(result, Asked(settings, assistant, approver.refusal), progress, how)
    if how.is_json:
        write_json({"run": run, "ending": "answered", "exit": int(Exit.DONE)})
    else:
        write_text(f"{run}: your answer is written down; armslength work or armslength resume {run} goes on with it")
    return Exit.DONE


def work(config: Path | None, every: float, *, is_once: bool, is_quiet: bool) -> Exit:
    """Go on with runs that were cut off, or whose question was answered, until Ctrl-C or SIGTERM.

    Held mail that is due leaves, and what the schedule has for now begins.

    Raises:
        OperatorError: nothing can be worked on.
    """
    if not every > 0:
        raise OperatorError(f"work: --every is {every}; give the seconds between two looks, such as 2")
    progress = Progress("quiet" if is_quiet else "shown")
    settings = load_settings(config)
    tell_stranded(settings)
    assistant = watched(settings, progress)
    schedule = schedule_of(settings, assistant, partial(_tell_and_notify, settings))

    def first() -> None:
        send_due(settings)
        schedule.begin_what_is_due()

    worker = Worker(assistant, _tell, first)
    with _stopping(worker.stopped):
        if is_once:
            worker.once()
        else:
            progress.say("working; Ctrl-C ends it, and what is under way is gone on with later")
            worker.until_stopped(every)
    return Exit.DONE


def _tell(worked: Worked) -> None:
    if worked.ending == "done":
        write_text(f"{worked.run}: done")
    elif worked.ending == "waiting":
        whose = f" ({tame_line(worked.why)})" if worked.why else ""
        complain(f"{worked.run}: waiting{whose}; armslength answer {worked.run} shows its question")
    elif worked.run:
        complain(f"{worked.run}: {worked.ending}{f': {tame_line(worked.why)}' if worked.why else ''}")
    else:
        complain(tame_line(worked.why))


def _tell_and_notify(settings: Settings, task: Task, worked: Worked) -> None:
    """A run that began by itself: at the terminal, and wherever the person is."""
    _tell(replace(worked, why=f"{task.name}: {worked.why}" if worked.why else task.name))
    if worked.run:
        try:
            settings.notify.tell(task.name, worked.run)
        except OperatorError as error:
            complain(tame_line(str(error)))


@contextmanager
def _stopping(stopped: threading.Event) -> Iterator[None]:
    """SIGTERM lets the run that is under way come to its end or question, and begins no other."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
