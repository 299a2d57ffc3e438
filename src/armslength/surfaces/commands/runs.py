"""Runs that are kept: looked at, gone on with, taken back, removed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from armslength.surfaces.commands.tree import Config, Json, Page, Quiet, Run, app
from armslength.surfaces.exits import Exit


@app.command
def runs(
    *,
    most: Annotated[int, Parameter(name="--last", help="So many, the latest ones.")] = 20,
    states: Annotated[
        list[str] | None,
        Parameter(name="--state", negative="", help="None but these, such as waiting; may be said more than once."),
    ] = None,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """List the runs with their state: running, waiting for a person, cut off, answered, done, undone and others."""
    from armslength.surfaces.runs import list_runs

    return list_runs(config, most, states or (), is_json=is_json)


@app.command(name="show")
def show_run(run: Run, /, *, config: Config = None, is_json: Json = False) -> Exit:
    """Show a run: its state, what can be done about it, and all that why shows."""
    from armslength.surfaces.runs import show as show_whole

    return show_whole(run, config, is_json=is_json)


@app.command
def resume(
    run: Run,
    /,
    *,
    happened: Annotated[
        bool | None,
        Parameter(
            name="--it-happened",
            negative="--it-did-not",
            help="What you found out about the effect that was under way when the run was cut off.",
        ),
    ] = None,
    config: Config = None,
    is_json: Json = False,
    is_quiet: Quiet = False,
    is_page: Page = False,
) -> Exit:
    """Go on with a run that was cut off or waits for you. What it read is not read again, what it did is not done again."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.runs import resume as go_on

    return go_on(run, happened, How(config, is_json, is_quiet=is_quiet, is_page=is_page))


@app.command
def cancel(run: Run, /, *, config: Config = None) -> Exit:
    """End a run that was cut off or waits for you. What it did stays done."""
    from armslength.surfaces.runs import cancel as end

    return end(run, config)


@app.command
def undo(
    run: Annotated[str | None, Parameter(help="The run's name, as armslength runs lists it.")] = None,
    /,
    *,
    config: Config = None,
    is_quiet: Quiet = False,
    is_page: Page = False,
) -> Exit:
    """Take back what a run did, the latest first, as far as that can be; asks first."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.runs import undo as take_back

    return take_back(run, How(config, is_quiet=is_quiet, is_page=is_page))


@app.command
def held(
    *,
    is_sending: Annotated[
        bool, Parameter(name="--send-due", negative="", help="Send what is due and say how many; for a timer.")
    ] = False,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """List the mail that was sent and is held, until when, and send what is due."""
    from armslength.surfaces.held import list_held

    return list_held(config, is_sending=is_sending, is_json=is_json)


@app.command
def recall(
    what: Annotated[str, Parameter(help="A run, or a mail as armslength held lists it.")],
    /,
    *,
    config: Config = None,
) -> Exit:
    """Take back mail that is held; it lies among the drafts then."""
    from armslength.surfaces.held import recall as take_back

    return take_back(what, config)


@app.command
def verify(
    run: Annotated[str | None, Parameter(help="The run; without it all of them.")] = None,
    /,
    *,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """Find an entry of a journal that was edited, dropped, moved or cut off, and say which."""
    from armslength.surfaces.runs import verify as look

    return look(run, config, is_json=is_json)


@app.command
def export(
    run: Run,
    /,
    *,
    to: Annotated[
        Path | None, Parameter(name="--to", help="The file; without it the run's name with .html, here.")
    ] = None,
    is_forced: Annotated[bool, Parameter(name="--force", negative="", help="Replace a file that is there.")] = False,
    without_content: Annotated[
        bool, Parameter(name="--without-content", negative="", help="Labels, times and decisions only; no texts.")
    ] = False,
    config: Config = None,
) -> Exit:
    """Write a run as one HTML page that loads and runs nothing, for somebody else to look at."""
    from armslength.surfaces.export import Export
    from armslength.surfaces.export import export as write_page

    return write_page(Export(run, to, is_forced, not without_content), config)


@app.command
def purge(
    run: Annotated[str | None, Parameter(help="One run, whatever its state.")] = None,
    /,
    *,
    age: Annotated[
        str | None, Parameter(name="--older-than", help="Minutes, hours, days or weeks, such as 30d, 8w or 12h.")
    ] = None,
    config: Config = None,
) -> Exit:
    """Remove a run, or those that began longer ago, with all that they read. What is at work stays."""
    from armslength.surfaces.runs import purge as remove

    return remove(run, age, config)
