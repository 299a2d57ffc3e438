"""`export`: a run as one file, for whoever is to look at it elsewhere."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from armslength.agent.runs.trust import trust_of
from armslength.app import Settings, load_settings
from armslength.app.kept import Kept
from armslength.errors import OperatorError
from armslength.surfaces.exits import Exit
from armslength.surfaces.leaving_out import without_content
from armslength.surfaces.output import complain, local, write_text
from armslength.surfaces.run_page import Shown, draw_page
from armslength.surfaces.why import read_story, why_unverified

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Export:
    """What is to be written and where. `to`: None is the run's name with `.html`, here."""

    run: str
    to: Path | None = None
    is_forced: bool = False
    has_content: bool = True


def export(wanted: Export, config: Path | None) -> Exit:
    """Write a run as one page. The journal is verified first; if it is not as it was written, the page and the exit code say so.

    Raises:
        OperatorError: there is no such run, its journal cannot be read, or the file cannot be written.
    """
    settings = load_settings(config)
    kept = Kept(settings)
    listed = next((each for each in kept.listed() if each.name == wanted.run), None)
    if listed is None:
        raise OperatorError(f"export: there is no run {wanted.run}; armslength runs lists them")
    to = wanted.to or _own_name(wanted.run)
    unverified = why_unverified(kept, wanted.run)
    page = draw_page(_shown(settings, wanted, listed.state, unverified))
    _write(to, page.encode("utf-8"), is_forced=wanted.is_forced)
    write_text(f"written to {to}; only you can read it" + ("" if wanted.has_content else ", and it has no content"))
    if unverified:
        complain(f"the journal is not verified: {unverified}; the page says so")
        return Exit.DAMAGED
    return Exit.DONE


def _shown(settings: Settings, wanted: Export, state: str, unverified: str) -> Shown:
    story, trust = read_story(settings, wanted.run), trust_of(settings.trusted)
    return Shown(
        story=story if wanted.has_content else without_content(story),
        state=state,
        unverified=unverified,
        is_trusted=lambda name: trust(name).is_trusted,
        has_content=wanted.has_content,
        made=local(datetime.now(UTC)),
    )


def _own_name(run: str) -> Path:
    if not re.fullmatch(r"[\w-][\w.-]*", run, re.ASCII):
        raise OperatorError("export: this run's name is no name for a file; say where with --to")
    return Path(f"{run}.html")


def _write(path: Path, content: bytes, *, is_forced: bool) -> None:
    """A new file of mode 600. What is there is only replaced if that was asked for, whole, and what a link points to never.

    Raises:
        OperatorError: it is there already, or cannot be written.
    """
    target = path.with_name(f".{path.name}.{secrets.token_hex(4)}") if is_forced else path
    try:
        handle = os.open(target, _FLAGS, 0o600)
    except FileExistsError:
        raise OperatorError(f"export: {path} is there already; name another file, or replace it with --force") from None
    except OSError as error:
        raise OperatorError(f"export: {path} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if is_forced:
            target.replace(path)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise OperatorError(f"export: {path} cannot be written: {error.strerror}") from error
