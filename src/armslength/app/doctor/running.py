"""What goes on without the person: the schedule, who is told, what models may cost, the key of what is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from armslength.agent.planning.planner import Sampling
from armslength.agent.planning.prompt import estimate_tokens, system_text
from armslength.app.doctor.examining import Check, Good
from armslength.app.notifying import Notify
from armslength.app.occasions import WHY_KEPT, is_kept_from_planner
from armslength.app.settings import Settings
from armslength.app.tasks import Task
from armslength.app.wiring import spending_of, tools_of
from armslength.errors import ConfigError
from armslength.store.occasions import Occasions

_SOON = timedelta(minutes=15)
"""How late a worker may be to begin what is due."""


def running_checks(settings: Settings) -> Iterator[Check]:
    """Of each that is configured."""
    if settings.keeping.is_encrypted:
        yield Check("key of what is kept", partial(_key, settings))
    if settings.tasks:
        yield Check("schedule", partial(_schedule, settings))
    if settings.notify.command or settings.notify.webhook:
        yield Check("notify", partial(_notify, settings.notify))
    if settings.caps.are_any:
        yield Check("spending", partial(_spending, settings))


def _key(settings: Settings) -> Good:
    """Looked for, not made: the first run makes it."""
    place = settings.contents.place
    if place is None:
        raise ConfigError("runs.encrypt: there is no place of the key; set runs.key_file, or use a keyring")
    found = place.read()
    return Good(f"in {place.name}" if found is not None else f"{place.name} has none yet; the first run makes it")


def _schedule(settings: Settings) -> Good:
    """A task that is due and was not begun: no worker is running."""
    occasions, now = Occasions(settings.occasions), datetime.now().astimezone()
    last = {task.name: occasions.last(task.name) for task in settings.tasks}
    waiting = [task.name for task in settings.tasks if (found := last[task.name]) and _is_late(task, found.at, now)]
    unseen = [name for name, found in last.items() if found is None]
    said = f"{len(settings.tasks)} task{'s' * (len(settings.tasks) != 1)}"
    start = "let armslength work run; it begins what is due"
    if kept := [task.name for task in settings.tasks if is_kept_from_planner(task, settings)]:
        return Good(f"{said}; cannot begin: {', '.join(kept)}", WHY_KEPT)
    if waiting:
        return Good(f"{said}; due and not begun: {', '.join(waiting)}", start)
    if unseen:
        return Good(f"{said}; never looked at: {', '.join(unseen)}", start)
    return Good(f"{said}; none is late")


def _is_late(task: Task, last: datetime, now: datetime) -> bool:
    return task.due(last, now - _SOON) is not None


def _notify(notify: Notify) -> Good:
    """Nobody is told anything."""
    if notify.command and shutil.which(notify.command[0]) is None:
        raise ConfigError(f"notify.command: there is no program {notify.command[0]}; correct it")
    if notify.token is not None:
        notify.token()
    ways = [notify.command[0]] if notify.command else []
    return Good(f"by {' and '.join([*ways, *(['the web hook'] if notify.webhook else [])])}; nothing was sent now")


def _spending(settings: Settings) -> Good:
    spending = spending_of(settings, lambda _line: None)
    caps = settings.caps
    amounts = (
        (caps.run_cost, f"{caps.currency} a run"),
        (caps.day_cost, f"{caps.currency} a day"),
        (caps.run_tokens, "tokens a run"),
        (caps.day_tokens, "tokens a day"),
    )
    assert spending is not None
    said = f"at most {', '.join(f'{amount:,} {of}'.replace('  ', ' ') for amount, of in amounts if amount is not None)}"
    return Good(said, _too_low(settings))


def _too_low(settings: Settings) -> str:
    """Which caps are below what is set aside for one call of the planner, so that none is made."""
    signatures = [tool.signature for tool in tools_of(settings)]
    choice, most = settings.planner, Sampling().max_tokens
    told = estimate_tokens(system_text(signatures, datetime.now().astimezone().date(), is_small=choice.is_small))
    needed = {"cost": choice.price.of(told, most), "tokens": float(told + most)}
    low = [
        f"spending.{span}_{what} is {cap:,}"
        for span in ("run", "day")
        for what, need in needed.items()
        if (cap := getattr(settings.caps, f"{span}_{what}")) is not None and cap < need
    ]
    if not low:
        return ""
    return (
        f"{' and '.join(low)}, and about {needed['tokens']:,.0f} tokens{_costing(needed['cost'], settings.caps.currency)} are set aside for one "
        "call of the planner, so no request is planned; raise it"
    )


def _costing(cost: float, currency: str) -> str:
    return f" ({cost:.4g} {currency}".rstrip() + ")" if cost else ""
