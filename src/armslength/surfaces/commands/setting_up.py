"""What is configured: models, policy, places, secrets; and the demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from armslength.surfaces.commands.tree import Config, Json, app, mail_app, model_app, policy_app, secret_app
from armslength.surfaces.exits import Exit


@model_app.default
def model(*, config: Config = None, is_json: Json = False) -> Exit:
    """Show which models are used, what they are cleared for, and the embedded model's file."""
    from armslength.surfaces.modelling import show_model

    return show_model(config, is_json=is_json)


@model_app.command
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
def init(
    *,
    config: Config = None,
    answers: Annotated[
        Path | None, Parameter(name="--answers", help="A TOML file with the answers, by the names of the questions.")
    ] = None,
    is_forced: Annotated[
        bool, Parameter(name="--force", negative="", help="Replace a file that is there; it is kept as .bak.")
    ] = False,
) -> Exit:
    """Make a configuration by questions. What is connected is tried at once; nothing is written before the end."""
    from armslength.surfaces.setup import init as ask_and_write

    return ask_and_write(config, answers, is_forced=is_forced)


@app.command
def config(
    *,
    config: Config = None,
    is_json: Json = False,
    is_example: Annotated[
        bool, Parameter(name="--example", negative="", help="Print a whole configuration with comments.")
    ] = False,
) -> Exit:
    """Show where the configuration is and what it says, as it was understood."""
    from armslength.surfaces.configured import show_config, show_example

    return show_example() if is_example else show_config(config, is_json=is_json)


@policy_app.command
def show(
    *,
    config: Config = None,
    is_json: Json = False,
    is_schema: Annotated[
        bool,
        Parameter(name="--schema", negative="", help="Print what a rule can name: tools, parameters, groups, stores."),
    ] = False,
) -> Exit:
    """Print all that is enforced: the shipped rules, yours, and what the configuration adds."""
    from armslength.surfaces.policies import show_policy, show_schema

    return show_schema(config) if is_schema else show_policy(config, is_json=is_json)


@policy_app.command(name="test")
def decide_cases(
    file: Annotated[Path, Parameter(help="A file of cases; docs/policy.md shows the form.")],
    /,
    *,
    config: Config = None,
    is_json: Json = False,
) -> Exit:
    """Decide the calls that a file describes, and say which come out otherwise than it expects."""
    from armslength.surfaces.policies import decide_cases as decide_all

    return decide_all(file, config, is_json=is_json)


@policy_app.command
def explain(
    what: Annotated[str | None, Parameter(help="A run, or a file of cases; without it the last run.")] = None,
    number: Annotated[int, Parameter(help="Which effect of the run, or which case, from 1.")] = 1,
    /,
    *,
    config: Config = None,
    is_json: Json = False,
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


@secret_app.command(name="set")
def set_secret(
    entry: Annotated[str, Parameter(help="The entry, as the configuration names it.")],
    /,
    *,
    config: Config = None,
) -> Exit:
    """Ask for a secret without showing it, and put it into the keyring. Standard input may give it as one line."""
    from armslength.surfaces.secrets import set_secret as ask_and_keep

    return ask_and_keep(entry, config)


@secret_app.command(name="remove")
def remove_secret(
    entry: Annotated[str, Parameter(help="The entry, as the configuration names it.")],
    /,
    *,
    config: Config = None,
) -> Exit:
    """Take a secret out of the keyring."""
    from armslength.surfaces.secrets import remove_secret as take_out

    return take_out(entry, config)


@app.command
def doctor(*, config: Config = None, is_json: Json = False) -> Exit:
    """Try all that is configured: what works, what does not, and what to do. A model provider and a search service are asked for one word."""
    from armslength.surfaces.doctor import doctor as examine

    return examine(config, is_json=is_json)


@mail_app.command
def login(
    account: Annotated[str, Parameter(help="The account, as its table is called; without it the only one.")] = "",
    /,
    *,
    config: Config = None,
) -> Exit:
    """Let a provider of mail give access to an account: shows an address and a code to type in there."""
    from armslength.surfaces.mail_login import log_in

    return log_in(account, config)
