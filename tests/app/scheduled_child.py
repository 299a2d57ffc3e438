"""A process that begins what is due and is killed by SIGKILL in the middle of it: `scheduled_child HOME DATABASE`."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from datetime import time, timedelta
from pathlib import Path

from bench.home.world import NOW, Home

from armslength.app.scheduling import Schedule
from armslength.app.tasks import Task
from armslength.models.base import ModelRequest
from armslength.store.occasions import Occasions
from armslength.store.sqlite import SqliteRuns
from armslength.testing import ScriptedModel


def die(_request: ModelRequest) -> str:
    """In the middle of the run: its name is written down, and nothing was done."""
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


if __name__ == "__main__":
    place, runs = Path(sys.argv[1]), SqliteRuns(Path(sys.argv[2]))
    assistant = replace(Home(place).assistant([], runs=runs), planner=ScriptedModel(die), now=NOW.astimezone)
    at = (NOW.astimezone() - timedelta(minutes=1)).time().replace(second=0)
    Schedule(
        assistant,
        [Task("morning", "Do it", at=time(at.hour, at.minute))],
        Occasions(place / "schedule.sqlite"),
        lambda _now: {},
        lambda _task, _worked: None,
    ).begin_what_is_due()
