"""What is asked of the assistant: requests, conversations, what came of them."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from armslength.surfaces.commands.tree import Config, Json, Page, Quiet, Request, Run, app
from armslength.surfaces.exits import Exit


@app.command
def ask(
    *request: Request,
    config: Config = None,
    is_json: Json = False,
    is_strict: Annotated[
        bool, Parameter(name="--strict", negative="", help="Ask about every effect; tell the planner of no failure.")
    ] = False,
    is_quiet: Quiet = False,
    waits: Annotated[
        bool,
        Parameter(
            name="--wait",
            negative="",
            help="Where there is no terminal to ask on, the run waits for you instead of a no.",
        ),
    ] = False,
    is_page: Page = False,
) -> Exit:
    """Carry a request to its end. Text on standard input is handed over as `pasted`: data, never orders."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.asking import ask as carry_out

    return carry_out(request, How(config, is_json, is_strict, is_quiet, waits, is_page))


@app.command
def plan(*request: Request, config: Config = None, is_json: Json = False, is_quiet: Quiet = False) -> Exit:
    """Write the program for a request and run nothing."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.asking import plan as write_program

    return write_program(request, How(config, is_json, is_quiet=is_quiet))


@app.command
def chat(
    *,
    config: Config = None,
    is_strict: Annotated[
        bool,
        Parameter(name="--strict", negative="", help="Ask about every effect; the planner learns nothing of data."),
    ] = False,
    is_resumed: Annotated[
        bool, Parameter(name="--resume", negative="", help="Go on with the last conversation.")
    ] = False,
    is_quiet: Quiet = False,
    is_page: Page = False,
) -> Exit:
    """Ask one thing after the other; what a program finds is there for the next. Standard input gives a request a line."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.chat import chat as go_on

    return go_on(How(config, is_strict=is_strict, is_quiet=is_quiet, is_page=is_page), is_resumed=is_resumed)


@app.command
def why(
    run: Annotated[str | None, Parameter(help="The run; without it the last one.")] = None,
    /,
    *,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """Show which words of a run came from whom, and why each effect was done or not."""
    from armslength.surfaces.why import why as explain

    return explain(run, config, is_json=is_json)


@app.command
def answer(
    run: Run, /, *, config: Config = None, is_json: Json = False, is_quiet: Quiet = False, is_page: Page = False
) -> Exit:
    """Answer the question of a run that waits for you, and leave the rest to armslength work."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.waiting import answer as write_answer

    return write_answer(run, How(config, is_json, is_quiet=is_quiet, is_page=is_page))


@app.command
def work(
    *,
    is_once: Annotated[
        bool, Parameter(name="--once", negative="", help="End when nothing is left that can go on.")
    ] = False,
    every: Annotated[float, Parameter(name="--every", help="Seconds between two looks.")] = 2.0,
    config: Config = None,
    is_quiet: Quiet = False,
) -> Exit:
    """Go on with runs that were cut off or whose question was answered, one after the other."""
    from armslength.surfaces.waiting import work as go_on

    return go_on(config, every, is_once=is_once, is_quiet=is_quiet)


@app.command
def tools(*, config: Config = None, is_json: Json = False) -> Exit:
    """List the tools with what each reads, changes and tells others."""
    from armslength.surfaces.places import show_tools

    return show_tools(config, is_json=is_json)


@app.command
def schedule(*, config: Config = None, is_json: Json = False) -> Exit:
    """List what begins by itself: at a time, or when mail came. `armslength work` begins it."""
    from armslength.surfaces.scheduled import show_schedule

    return show_schedule(config, is_json=is_json)
