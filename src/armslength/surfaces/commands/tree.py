"""The program's commands as a tree, and the options that several of them have."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from armslength.surfaces.exits import EXIT_HELP

Request = Annotated[str, Parameter(help="What you want, in your own words.")]
Config = Annotated[Path | None, Parameter(name="--config", help="The configuration file to use.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON object and nothing else.")]
Run = Annotated[str, Parameter(help="The run's name, as armslength runs lists it.")]
Page = Annotated[
    bool,
    Parameter(name="--page", negative="", help="Ask for a yes on a local page; its link is printed on standard error."),
]
Quiet = Annotated[bool, Parameter(name="--quiet", negative="", help="No progress and no costs on standard error.")]


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
model_app = App(name="model", help="Which models are used, and the embedded model's file.")
app.command(model_app)
policy_app = App(name="policy", help="The rules that decide what happens, is asked about or never happens.")
app.command(policy_app)
grants_app = App(
    name="grants", help="What you said yes to beforehand: exactly what it covers, until when, how often it was used."
)
app.command(grants_app)
secret_app = App(
    name="secret", help="Passwords and keys in the keyring of your system, for settings that name an entry there."
)
app.command(secret_app)
mcp_app = App(name="mcp", help="Servers of the Model Context Protocol, and what you accepted of them.")
app.command(mcp_app)
mail_app = App(name="mail", help="Accounts of mail on a server.")
app.command(mail_app)
memory_app = App(name="memory", help="What is remembered from one request to the next, and whose words it is.")
app.command(memory_app)
