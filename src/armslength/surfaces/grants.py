"""Grants and endorsements: listed, shown with their uses, revoked."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from armslength.agent.approving.granted import covers_from_json, line_of, until_in_words
from armslength.app.kept import Kept, grants_of
from armslength.app.settings import Settings
from armslength.errors import OperatorError
from armslength.store.grants import Listed
from armslength.surfaces.exits import Exit
from armslength.surfaces.held import opened
from armslength.surfaces.output import tame_line, write_json, write_text


def list_grants(config: Path | None, *, is_json: bool) -> Exit:
    """Each that counts now, with what it covers; the others by name.

    Raises:
        OperatorError: they cannot be read, or are not as they were written.
    """
    settings = opened(config)
    found = [(each, _state(each, settings)) for each in grants_of(settings).listed()]
    if is_json:
        shown = [_to_json(each, state) for each, state in found]
        write_json({"grants": shown, "lasting_grants": settings.lasting_grants})
        return Exit.DONE
    live = [each for each, state in found if state == _LIVE]
    lines = [f"{each.given.name}: {_line(each)}; {_times(each)}" for each in live] or ["no grant counts now"]
    if over := [each.given.name for each, state in found if state != _LIVE]:
        lines.append(f"over: {', '.join(over)}; armslength grants show NAME says why")
    write_text("\n".join(lines))
    return Exit.DONE


def show_grant(name: str, config: Path | None, *, is_json: bool) -> Exit:
    """One with all its uses.

    Raises:
        OperatorError: there is none of that name, or they cannot be read.
    """
    settings = opened(config)
    each = next((found for found in grants_of(settings).listed() if found.given.name == name), None)
    if each is None:
        raise OperatorError(f"there is no {name}; armslength grants lists what there is")
    given, state = each.given, _state(each, settings)
    if is_json:
        write_json(_to_json(each, state))
        return Exit.DONE
    lines = [
        f"{given.name}: {_line(each)}",
        f"given in the run {tame_line(given.run)}, for version {tame_line(given.version)} of {tame_line(given.tool)}",
        f"state: {state}",
        *(f"used in the run {tame_line(use.run)}, at work since {use.at:%Y-%m-%d %H:%M}" for use in each.uses),
    ]
    write_text("\n".join(lines))
    return Exit.DONE


def revoke(name: str | None, config: Path | None, *, is_all: bool) -> Exit:
    """One, or all that count, are over.

    Raises:
        OperatorError: neither or both are named, there is none of that name, or they cannot be written.
    """
    if (name is None) is not is_all:
        raise OperatorError("grants revoke: name one, as armslength grants lists it, or write --all")
    settings, now = opened(config), datetime.now().astimezone()
    kept = grants_of(settings)
    names = [each.given.name for each in kept.listed() if _state(each, settings) == _LIVE] if name is None else [name]
    for each in names:
        kept.revoke(each, now)
    if names:
        write_text(f"revoked: {', '.join(names)}. What was done by {'it' if len(names) == 1 else 'them'} stays done")
    else:
        write_text("no grant counted, so none was revoked")
    return Exit.DONE


_LIVE = "live"


def _state(each: Listed, settings: Settings) -> str:
    state = each.state(datetime.now().astimezone())
    if state != _LIVE:
        return state
    if each.given.scope != "run":
        return _LIVE if settings.lasting_grants else "does not count, since lasting_grants is false"
    at_work = {
        run.name for run in Kept(settings).listed() if run.state in {"running", "waiting", "answered", "cut off"}
    }
    return _LIVE if each.given.run in at_work else "over with its run"


def _line(each: Listed) -> str:
    given = each.given
    when = f"in the run {tame_line(given.run)}" if given.scope == "run" else until_in_words(given.scope, given.until)
    return line_of(covers_from_json(given.tool, given.version, given.covers), when)


def _times(each: Listed) -> str:
    return f"used {len(each.uses)} time{'s' * (len(each.uses) != 1)}"


def _to_json(each: Listed, state: str) -> dict[str, Any]:
    given = each.given
    return {
        "name": given.name,
        "tool": given.tool,
        "version": given.version,
        "covers": dict(given.covers),
        "scope": given.scope,
        "run": given.run,
        "given": given.at.isoformat(),
        "until": None if given.until is None else given.until.isoformat(),
        "state": state,
        "uses": [{"run": use.run, "digest": use.digest, "at": use.at.isoformat()} for use in each.uses],
    }
