"""`schedule`: what begins by itself, when, and what its last run was."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.app.occasions import WHY_KEPT, is_kept_from_planner
from armslength.app.settings import Settings
from armslength.app.tasks import Task
from armslength.store.occasions import Occasion, Occasions
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened
from armslength.surfaces.output import local, tame_line, write_json, write_text


def show_schedule(config: Path | None, *, is_json: bool) -> Exit:
    """Each task. Nothing begins: armslength work does that.

    Raises:
        OperatorError: the configuration cannot be used, or what is kept of the schedule cannot be read.
    """
    settings = opened(config)
    now = datetime.now().astimezone()
    shown = [
        {**_facts(task, last, now), "cannot_begin": WHY_KEPT if is_kept_from_planner(task, settings) else None}
        for task, last in _kept(settings)
    ]
    if is_json:
        write_json({"tasks": shown})
    elif shown:
        write_text("\n".join(line for facts in shown for line in _lines(facts)))
    else:
        write_text("nothing begins by itself; docs/schedule.md says how to write [schedule.NAME]")
    return Exit.DONE


def _kept(settings: Settings) -> list[tuple[Task, Occasion | None]]:
    occasions = Occasions(settings.occasions)
    return [(task, occasions.last(task.name)) for task in settings.tasks]


def _facts(task: Task, last: Occasion | None, now: datetime) -> dict[str, Any]:
    following = None if last is None else task.following(last.at, now)
    return {
        "name": task.name,
        "request": task.request,
        "when": task.when,
        "last": None if last is None else last.at.isoformat(timespec="minutes"),
        "run": last.run if last is not None and last.run else None,
        "next": None if following is None else following.isoformat(timespec="minutes"),
    }


def _lines(facts: dict[str, Any]) -> list[str]:
    if facts["next"] is None:
        state = "not looked at yet; armslength work begins it"
    else:
        ran = f"last run {facts['run']}" if facts["run"] else "no run yet"
        state = f"{ran}; next {local(facts['next'])}, while armslength work runs"
    if facts["cannot_begin"]:
        state = f"cannot begin: {facts['cannot_begin']}"
    return [tame_line(f"{facts['name']}: {facts['when']}: {facts['request']}"), f"  {tame_line(state)}"]
