"""The commands and their options. Each imports what it needs when it is called, so that `--help` stays light."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from armslength.surfaces.exits import EXIT_HELP, Exit

_Request = Annotated[str, Parameter(help="What you want, in your own words.")]
_Config = Annotated[Path | None, Parameter(name="--config", help="The configuration file to use.")]
_Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON object and nothing else.")]
_Run = Annotated[str, Parameter(help="The run's name, as armslength runs lists it.")]
_Page = Annotated[
    bool,
    Parameter(name="--page", negative="", help="Ask for a yes on a local page; its link is printed on standard error."),
]
_Quiet = Annotated[bool, Parameter(name="--quiet", negative="", help="No progress and no costs on standard error.")]


def _version() -> str:
    try:
        return version("armslength")
    except PackageNotFoundError:
        return "not installed: run from its sources"


app = App(
    name="armslength",
    help="An assistant that reads your mail, calendars and files, acts for you, and takes no orders from what it reads.",
    help_format="plaintext",
    help_epilogue=EXIT_HELP,
    version=_version,
    result_action="return_value",
    exit_on_error=False,
    print_error=False,
    suppress_keyboard_interrupt=False,
)
_model = App(name="model", help="Which models are used, and the embedded model's file.")
app.command(_model)
_policy = App(name="policy", help="The rules that decide what happens, is asked about or never happens.")
app.command(_policy)
_grants = App(
    name="grants", help="What you said yes to beforehand: exactly what it covers, until when, how often it was used."
)
app.command(_grants)
_memory = App(name="memory", help="What is remembered from one request to the next, and whose words it is.")
app.command(_memory)


@app.command
def ask(
    *request: _Request,
    config: _Config = None,
    is_json: _Json = False,
    is_strict: Annotated[
        bool, Parameter(name="--strict", negative="", help="Ask about every effect; tell the planner of no failure.")
    ] = False,
    is_quiet: _Quiet = False,
    waits: Annotated[
        bool,
        Parameter(
            name="--wait",
            negative="",
            help="Where there is no terminal to ask on, the run waits for you instead of a no.",
        ),
    ] = False,
    is_page: _Page = False,
) -> Exit:
    """Carry a request to its end. Text on standard input is handed over as `pasted`: data, never orders."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.asking import ask as carry_out

    return carry_out(request, How(config, is_json, is_strict, is_quiet, waits, is_page))


@app.command
def plan(*request: _Request, config: _Config = None, is_json: _Json = False, is_quiet: _Quiet = False) -> Exit:
    """Write the program for a request and run nothing."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.asking import plan as write_program

    return write_program(request, How(config, is_json, is_quiet=is_quiet))


@app.command
def chat(
    *,
    config: _Config = None,
    is_strict: Annotated[
        bool,
        Parameter(name="--strict", negative="", help="Ask about every effect; the planner learns nothing of data."),
    ] = False,
    is_resumed: Annotated[
        bool, Parameter(name="--resume", negative="", help="Go on with the last conversation.")
    ] = False,
    is_quiet: _Quiet = False,
    is_page: _Page = False,
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
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Show which words of a run came from whom, and why each effect was done or not."""
    from armslength.surfaces.why import why as explain

    return explain(run, config, is_json=is_json)


@app.command
def runs(
    *,
    most: Annotated[int, Parameter(name="--last", help="So many, the latest ones.")] = 20,
    states: Annotated[
        list[str] | None,
        Parameter(name="--state", negative="", help="None but these, such as waiting; may be said more than once."),
    ] = None,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """List the runs with their state: running, waiting for a person, cut off, answered, done, undone and others."""
    from armslength.surfaces.runs import list_runs

    return list_runs(config, most, states or (), is_json=is_json)


@app.command(name="show")
def show_run(run: _Run, /, *, config: _Config = None, is_json: _Json = False) -> Exit:
    """Show a run: its state, what can be done about it, and all that why shows."""
    from armslength.surfaces.runs import show as show_whole

    return show_whole(run, config, is_json=is_json)


@app.command
def resume(
    run: _Run,
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
    config: _Config = None,
    is_json: _Json = False,
    is_quiet: _Quiet = False,
    is_page: _Page = False,
) -> Exit:
    """Go on with a run that was cut off or waits for you. What it read is not read again, what it did is not done again."""
    from armslength.surfaces.asking import How
    from armslength.surfaces.runs import resume as go_on

    return go_on(run, happened, How(config, is_json, is_quiet=is_quiet, is_page=is_page))


@app.command
def answer(
    run: _Run, /, *, config: _Config = None, is_json: _Json = False, is_quiet: _Quiet = False, is_page: _Page = False
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
    config: _Config = None,
    is_quiet: _Quiet = False,
) -> Exit:
    """Go on with runs that were cut off or whose question was answered, one after the other."""
    from armslength.surfaces.waiting import work as go_on

    return go_on(config, every, is_once=is_once, is_quiet=is_quiet)


@app.command
def cancel(run: _Run, /, *, config: _Config = None) -> Exit:
    """End a run that was cut off or waits for you. What it did stays done."""
    from armslength.surfaces.runs import cancel as end

    return end(run, config)


@app.command
def undo(
    run: Annotated[str | None, Parameter(help="The run's name, as armslength runs lists it.")] = None,
    /,
    *,
    config: _Config = None,
    is_quiet: _Quiet = False,
    is_page: _Page = False,
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
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """List the mail that was sent and is held, until when, and send what is due."""
    from armslength.surfaces.held import list_held

    return list_held(config, is_sending=is_sending, is_json=is_json)


@app.command
def recall(
    what: Annotated[str, Parameter(help="A run, or a mail as armslength held lists it.")],
    /,
    *,
    config: _Config = None,
) -> Exit:
    """Take back mail that is held; it lies among the drafts then."""
    from armslength.surfaces.held import recall as take_back

    return take_back(what, config)


@app.command
def verify(
    run: Annotated[str | None, Parameter(help="The run; without it all of them.")] = None,
    /,
    *,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Find an entry of a journal that was edited, dropped, moved or cut off, and say which."""
    from armslength.surfaces.runs import verify as look

    return look(run, config, is_json=is_json)


@app.command
def export(
    run: _Run,
    /,
    *,
    to: Annotated[
        Path | None, Parameter(name="--to", help="The file; without it the run's name with .html, here.")
    ] = None,
    is_forced: Annotated[bool, Parameter(name="--force", negative="", help="Replace a file that is there.")] = False,
    without_content: Annotated[
        bool, Parameter(name="--without-content", negative="", help="Labels, times and decisions only; no texts.")
    ] = False,
    config: _Config = None,
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
        str | None, Parameter(name="--older-than", help="Days, weeks or hours, such as 30d, 8w or 12h.")
    ] = None,
    config: _Config = None,
) -> Exit:
    """Remove a run, or those that began longer ago, with all that they read. What is at work stays."""
    from armslength.surfaces.runs import purge as remove

    return remove(run, age, config)


@_grants.default
def grants(*, config: _Config = None, is_json: _Json = False) -> Exit:
    """List what counts now, and exactly what each covers."""
    from armslength.surfaces.grants import list_grants

    return list_grants(config, is_json=is_json)


@_grants.command(name="show")
def show_grant(
    name: Annotated[str, Parameter(help="Its name, as armslength grants lists it.")],
    /,
    *,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Show one with the runs that used it."""
    from armslength.surfaces.grants import show_grant as show_whole

    return show_whole(name, config, is_json=is_json)


@_grants.command(name="revoke")
def revoke_grant(
    name: Annotated[str | None, Parameter(help="Its name, as armslength grants lists it.")] = None,
    /,
    *,
    is_all: Annotated[bool, Parameter(name="--all", negative="", help="All that count.")] = False,
    config: _Config = None,
) -> Exit:
    """End one, or all of them. A run that is at work does nothing more by it."""
    from armslength.surfaces.grants import revoke

    return revoke(name, config, is_all=is_all)


@_memory.default
def memory(*, config: _Config = None, is_json: _Json = False) -> Exit:
    """List the names, with what lies under each and whose words that is."""
    from armslength.surfaces.remembered import list_remembered

    return list_remembered(config, is_json=is_json)


@_memory.command(name="show")
def show_memory(
    name: Annotated[str, Parameter(help="The name, as armslength memory lists it.")],
    /,
    *,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Show what lies under a name, whole."""
    from armslength.surfaces.remembered import show_remembered

    return show_remembered(name, config, is_json=is_json)


@_memory.command(name="forget")
def forget_memory(
    name: Annotated[str | None, Parameter(help="The name, as armslength memory lists it.")] = None,
    /,
    *,
    is_all: Annotated[bool, Parameter(name="--all", negative="", help="Everything.")] = False,
    config: _Config = None,
) -> Exit:
    """Forget a name, or everything, with what stood there before. This cannot be undone."""
    from armslength.surfaces.remembered import forget

    return forget(name, config, is_all=is_all)


@app.command
def tools(*, config: _Config = None, is_json: _Json = False) -> Exit:
    """List the tools with what each reads, changes and tells others."""
    from armslength.surfaces.places import show_tools

    return show_tools(config, is_json=is_json)


@_model.default
def model(*, config: _Config = None, is_json: _Json = False) -> Exit:
    """Show which models are used, what they are cleared for, and the embedded model's file."""
    from armslength.surfaces.modelling import show_model

    return show_model(config, is_json=is_json)


@_model.command
def fetch(
    *,
    source: Annotated[
        Path | None, Parameter(name="--from", help="A file or folder that has the model or its parts.")
    ] = None,
) -> Exit:
    """Get the embedded model (1.1 GB), verified by its SHA-256. May be stopped and run again."""
    from armslength.surfaces.modelling import fetch as fetch_embedded

    return fetch_embedded(source)


@app.command
def config(
    *,
    config: _Config = None,
    is_json: _Json = False,
    is_example: Annotated[
        bool, Parameter(name="--example", negative="", help="Print a whole configuration with comments.")
    ] = False,
) -> Exit:
    """Show where the configuration is and what it says, as it was understood."""
    from armslength.surfaces.places import show_config, show_example

    return show_example() if is_example else show_config(config, is_json=is_json)


@_policy.command
def show(
    *,
    config: _Config = None,
    is_json: _Json = False,
    is_schema: Annotated[
        bool,
        Parameter(name="--schema", negative="", help="Print what a rule can name: tools, parameters, groups, stores."),
    ] = False,
) -> Exit:
    """Print all that is enforced: the shipped rules, yours, and what the configuration adds."""
    from armslength.surfaces.policies import show_policy, show_schema

    return show_schema(config) if is_schema else show_policy(config, is_json=is_json)


@_policy.command(name="test")
def decide_cases(
    file: Annotated[Path, Parameter(help="A file of cases; docs/policy.md shows the form.")],
    /,
    *,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Decide the calls that a file describes, and say which come out otherwise than it expects."""
    from armslength.surfaces.policies import decide_cases as decide_all

    return decide_all(file, config, is_json=is_json)


@_policy.command
def explain(
    what: Annotated[str | None, Parameter(help="A run, or a file of cases; without it the last run.")] = None,
    number: Annotated[int, Parameter(help="Which effect of the run, or which case, from 1.")] = 1,
    /,
    *,
    config: _Config = None,
    is_json: _Json = False,
) -> Exit:
    """Say which rule decides a call, and what would change it."""
    from armslength.surfaces.explaining import explain as explain_decision

    return explain_decision(what, number, config, is_json=is_json)


@app.command
def demo(
    *,
    is_recorded: Annotated[
        bool, Parameter(name="--recorded", negative="", help="Play recorded models instead of asking one.")
    ] = False,
    folder: Annotated[Path | None, Parameter(name="--folder", help="Where to make the demo's home.")] = None,
) -> Exit:
    """Make a small home with attacks in its mail, and run three requests in it."""
    from rich.console import Console

    from armslength.demo import run_demo

    code = run_demo(recorded=is_recorded, folder=folder, console=Console(markup=False, emoji=False, highlight=False))
    return Exit(code or 0)
