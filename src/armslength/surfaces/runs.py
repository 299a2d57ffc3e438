"""Runs that are kept: listed, shown, gone on with, ended, taken back, verified, removed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from armslength.agent.runs.undoing import nobody_is_told
from armslength.app import Settings, assistant_without_models, load_settings
from armslength.app.assistant import can_be_taken_back
from armslength.app.durations import duration_of
from armslength.app.kept import Kept
from armslength.errors import ModelError, OperatorError, Waits
from armslength.store.runs import Run
from armslength.surfaces.approvers import asking
from armslength.surfaces.asking import Asked, How, say_interrupted, say_waits, tell_result, watched
from armslength.surfaces.exits import Exit
from armslength.surfaces.flaws import tell_flaws
from armslength.surfaces.held import opened
from armslength.surfaces.output import local, tame_line, write_json, write_text
from armslength.surfaces.progress import Progress
from armslength.surfaces.states import Now, now_of
from armslength.surfaces.undoing import say_stays, tell_undone
from armslength.surfaces.why import draw_story, exit_of_story, print_drawn, read_story, table

_LONGEST = 60
"""Characters of a request in the list."""


def list_runs(config: Path | None, most: int, states: Sequence[str], *, is_json: bool) -> Exit:
    """List the latest runs, oldest first. `states`: none but those that stand so, if any is named.

    Raises:
        OperatorError: there is no state of that name.
    """
    wanted = {state.replace("-", " ").lower() for state in states}
    if unknown := sorted(wanted - set(_STATES)):
        raise OperatorError(f"runs: there is no state {unknown[0]}; there are {', '.join(_STATES)}")
    kept = Kept(opened(config))
    listed = kept.listed()
    found = [run for run in listed if not wanted or _word(run, now_of(run, kept)) in wanted]
    shown = found[max(len(found) - max(most, 0), 0) :]
    if is_json:
        write_json(
            {
                "runs": [_to_json(run, now_of(run, kept)) for run in shown],
                "earlier": len(found) - len(shown),
            }
        )
        return Exit.DONE
    if not shown:
        write_text("" if found else "there are no runs" if not listed else f"no run is {_either(wanted)}")
        return Exit.DONE
    print_drawn(table(("run", "began", "state", "request"), (_row(run, now_of(run, kept)) for run in shown)))
    if len(found) > len(shown):
        write_text(f"{len(found) - len(shown):,} earlier ones; --last {len(found)} shows all")
    return Exit.DONE


_STATES = (
    *("running", "waiting", "cut off", "answered", "done", "partly", "declined", "denied", "stopped", "cancelled"),
    *("undone", "undone in part"),
)
"""What a run can be found by: the first words of how it stands in the list."""


def _either(states: Collection[str]) -> str:
    """Them in the order of the list of states, as a sentence says them."""
    return " or ".join("partly done" if state == "partly" else state for state in _STATES if state in states)


def _word(run: Run, now: Now) -> str:
    return run.ending if now.state == "failed" else now.state


def _to_json(run: Run, now: Now) -> dict[str, object]:
    told = ("name", "started", "ending", "request", "since")
    return {**{name: getattr(run, name) for name in told}, "state": now.state}


def _row(run: Run, now: Now) -> tuple[str, str, str, str]:
    request = tame_line(run.request)
    cut = request if len(request) <= _LONGEST else f"{request[:_LONGEST]} …"
    return tame_line(run.name), local(run.started), _state(run, now), cut


def _state(run: Run, now: Now) -> str:
    return f"waiting for you{_how_long(run.since)}" if now.state == "waiting" else tame_line(_word(run, now))


def _how_long(since: str) -> str:
    """In the largest unit that there is one of. Nothing where an earlier version did not write it down."""
    try:
        seconds = int((datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds())
    except (ValueError, TypeError):
        return ""
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f", {seconds // unit:,} {name}"
    return ", just now"


def show(run: str, config: Path | None, *, is_json: bool) -> Exit:
    """Show a run and what can be done about it.

    Raises:
        OperatorError: there is no such run, or its journal is damaged.
    """
    settings = opened(config)
    kept = Kept(settings)
    listed = next((each for each in kept.listed() if each.name == run), None)
    if listed is None:
        raise OperatorError(f"show: there is no run {run}; armslength runs lists them")
    story, now = read_story(settings, run), now_of(listed, kept)
    if is_json:
        write_json({**asdict(story), "is_all_done": story.is_all_done, "state": now.state})
        return exit_of_story(story, kept)
    if not story.unverified:
        write_text(_what_now(run, now))
    draw_story(story)
    return exit_of_story(story, kept)


def _what_now(run: str, now: Now) -> str:
    goes_on = f"armslength resume {run} goes on, armslength cancel {run} ends it"
    match now.state:
        case "running":
            return "a process works on it"
        case "waiting":
            return f"it waits for your answer; {goes_on}"
        case "cut off":
            return f"its process ended in the middle; {goes_on}"
        case "answered":
            return f"your answer is written down, and nobody has gone on with it yet; {goes_on}"
        case "undone":
            return "all that it did was taken back"
        case "undone in part":
            return f"a part of what it did was taken back; armslength undo {run} takes back what can be of the rest"
        case _ if not now.has_effects:
            return "it did nothing that could be taken back"
        case _:
            return f"armslength undo {run} takes back what can be"


def resume(run: str, happened: bool | None, how: How) -> Exit:  # noqa: FBT001  # three answers
    """Go on with a run that was cut off. Where there is no terminal to ask on, a question stays.

    Raises:
        ArmslengthError: it cannot be gone on with.
    """
    progress = Progress("quiet" if how.is_quiet else "shown")
    settings = opened(how.config)
    Kept(settings).check_open(run)
    assistant = watched(settings, progress)
    try:
        with asking(settings, is_page=how.is_page, is_patient=True) as approver:
            result = assistant.resume(run, approver=approver, happened=happened)
    except KeyboardInterrupt:
        return say_interrupted(run, settings, assistant, how)
    except Waits as waits:
        return say_waits(waits, how, again="resume")
    except ModelError as error:
        progress.say(f"run {run}; armslength why shows how far it came")
        raise error from None
    tell_flaws(settings, result.outcome.program)
    return tell_result(result, Asked(settings, assistant, approver.refusal), progress, how)


def cancel(run: str, config: Path | None) -> Exit:
    """End a run.

    Raises:
        OperatorError: another process works on it, or it has ended.
    """
    Kept(opened(config)).cancel(run)
    write_text(f"{run} is cancelled; what it did stays done")
    return Exit.DONE


def undo(run: str | None, how: How) -> Exit:
    """Take back what a run did, and say what of it stays and why. No model is needed.

    Raises:
        OperatorError: no run is named, since the last may be another's or an undoing; or nothing of it can be taken back.
    """
    if run is None:
        raise OperatorError("undo: name a run, as armslength runs lists it")
    progress = Progress("quiet" if how.is_quiet else "shown")
    settings = load_settings(how.config)
    assistant = replace(assistant_without_models(settings), waiting=progress.waiting)
    with asking(settings, is_page=how.is_page, is_patient=False) as approver:
        undone = assistant.undo(run, approver=approver, stays=say_stays)
    return tell_undone(undone, approver.refusal)


def verify(run: str | None, config: Path | None, *, is_json: bool) -> Exit:
    """Say what is wrong with the journals.

    Raises:
        OperatorError: there is no such run, or the database or the key cannot be read.
    """
    kept = Kept(load_settings(config))
    faults = kept.verify(run)
    code = Exit.DAMAGED if faults else Exit.DONE
    if is_json:
        write_json({"faults": [asdict(fault) for fault in faults], "exit": int(code)})
        return code
    for fault in faults:
        write_text(f"{tame_line(fault.run)}: {tame_line(fault.what)}")
    if not faults:
        count = 1 if run is not None else len(kept.database.names())
        write_text(f"{count:,} journal{'s' * (count != 1)} as written")
    return code


def purge(run: str | None, age: str | None, config: Path | None) -> Exit:
    """Remove one run, or those that began longer ago.

    Raises:
        OperatorError: neither or both are named, the age is not understood, or they cannot be removed.
    """
    if (run is None) is (age is None):
        raise OperatorError("purge: name a run, as armslength runs lists it, or say --older-than 30d")
    longest = duration_of(age or "")
    lost = ""
    if run is not None:
        settings = load_settings(config)
        if _can_be_taken_back(run, settings):
            lost = "; its changes can no longer be taken back"
        Kept(settings).remove(run)
        gone = [run]
    elif longest is None:
        raise OperatorError(f"purge: {age!r} is no age; write it like 30d, 8w or 12h")
    else:
        gone = Kept(load_settings(config)).purge(datetime.now().astimezone() - longest)
    write_text(f"{len(gone):,} run{'s' * (len(gone) != 1)} removed{lost}")
    return Exit.DONE


def _can_be_taken_back(run: str, settings: Settings) -> bool:
    """Whether `undo` would offer anything of it. Not where it could not be used: removing needs neither places nor a whole journal."""
    try:
        assistant = assistant_without_models(settings)
        return bool(can_be_taken_back(assistant, assistant.done_in(run), nobody_is_told))
    except OperatorError:
        return False
