"""`init`: the questions from the first to the last. Whoever breaks it off has changed nothing."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from armslength.app.draft import Draft, check_free, write_draft
from armslength.app.settings import default_file
from armslength.errors import ConfigError
from armslength.models.fetch import find_model
from armslength.surfaces.exits import Exit
from armslength.surfaces.output import complain
from armslength.surfaces.setup.answers import Answered, Lines
from armslength.surfaces.setup.asking import Asker
from armslength.surfaces.setup.further import ask_for_model, ask_for_servers, ask_for_web
from armslength.surfaces.setup.mail import ask_for_mail
from armslength.surfaces.setup.places import ask_for_collections, ask_for_files

_ADDRESS = re.compile(r"[^\s@,<>\"]+@[^\s@,<>\"]+\.[^\s@,<>\"]+|[^\s@,<>\"]+@localhost")


def init(config: Path | None, answers: Path | None, *, is_forced: bool) -> Exit:
    """Ask, try, and write the file.

    Raises:
        ConfigError: there is a file already, the answers end or are wrong, or it cannot be written.
        KeyboardInterrupt: Ctrl-C; nothing was written.
    """
    file = (config or default_file()).expanduser().absolute()
    check_free(file, is_forced=is_forced)
    from_file = None if answers is None else Answered(answers)
    asker = Asker(from_file or Lines())
    used: list[str] = []
    try:
        asker.say("Enter takes what stands in brackets, - leaves it out. Nothing is written before the last question.")
        draft = _asked(asker, Draft(file))
        if from_file is not None:
            from_file.check_used()
        if not asker.agrees("write", f"Write {file}", usually=True):
            raise ConfigError("init: nothing was written, as you wanted")
        kept = write_draft(draft, is_forced=is_forced)
        used = draft.secrets("keyring")
    except KeyboardInterrupt:
        complain("init: nothing was written")
        raise
    finally:
        asker.end(used)
    _say_what_is_next(asker, draft, kept)
    return Exit.DONE


def _asked(asker: Asker, draft: Draft) -> Draft:
    name = asker.ask("user.name", "Your name")
    said = asker.ask("user.addresses", "Your mail addresses, the first is the one that writes", "", _wrong_addresses)
    addresses = [each.strip() for each in said.split(",") if each.strip()]
    user = {**({"name": name} if name else {}), **({"addresses": addresses} if addresses else {})}
    draft = draft.having("user", user) if user else draft
    if addresses:
        draft = ask_for_mail(asker, draft)
    draft = ask_for_files(asker, draft)
    draft = ask_for_collections(asker, draft, "calendar")
    draft = ask_for_collections(asker, draft, "contacts")
    draft = ask_for_web(asker, draft)
    draft = ask_for_servers(asker, draft)
    return ask_for_model(asker, draft)


def _wrong_addresses(text: str) -> str:
    given = [each.strip() for each in text.split(",") if each.strip()]
    return "" if all(map(_ADDRESS.fullmatch, given)) else "plain addresses with commas between, such as ada@example.com"


def _say_what_is_next(asker: Asker, draft: Draft, kept: Path | None) -> None:
    settings = draft.settings()
    asker.say(f"Written: {draft.file}" + ("" if kept is None else f"; what was there before is {kept.name}"))
    if draft.file != default_file().absolute():
        asker.say(f"  export ARMSLENGTH_CONFIG={shlex.quote(str(draft.file))}")
    for variable in draft.secrets("environment"):
        asker.say(f"  {variable} has to be set in the environment, with the secret that goes there")
    for server in settings.mcp:
        asker.say(f"  armslength mcp review {server.name}: nothing of it is a tool before")
    if settings.planner.provider == "embedded" and find_model() is None:
        asker.say("  armslength model fetch")
    asker.say('  armslength doctor tries all of it again; armslength ask "what is new?" is a first request')
