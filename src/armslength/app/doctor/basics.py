"""What everything else needs: a folder of our own, the database, the rules, secrets, where documents are parsed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from armslength.app.databases import runs_of
from armslength.app.doctor.examining import Check, Good
from armslength.app.policies import rules_of
from armslength.app.settings import Settings
from armslength.app.wiring import tools_of
from armslength.errors import ConfigError
from armslength.tools.documents.reading import are_confined, sandbox_line


def basic_checks(settings: Settings) -> Iterator[Check]:
    """Of the configuration itself."""
    yield Check("configuration", partial(_file, settings))
    yield Check("state", partial(_state, settings.state))
    yield Check("runs", partial(_runs, settings))
    yield Check("tools and rules", partial(_tools, settings))
    yield Check("documents", partial(_documents, settings))


def _file(settings: Settings) -> Good:
    if settings.file is None:
        return Good("there is none; all is default", "armslength init makes one")
    if settings.file.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return Good(
            str(settings.file), f"others may write it, and it decides whom you trust: chmod go-w {settings.file}"
        )
    return Good(str(settings.file))


def _state(state: Path) -> Good:
    there = next(folder for folder in (state, *state.parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        raise ConfigError(f"{there} cannot be written; set state to a folder of your own")
    if state.exists() and state.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return Good(str(state), f"others may look into it, and runs hold what was read: chmod 700 {state}")
    return Good(str(state))


def _runs(settings: Settings) -> Good:
    runs = runs_of(settings)
    count = len(runs.listed())
    encrypted = "encrypted" if settings.keeping.is_encrypted else "not encrypted"
    return Good(f"{count:,} run{'s' * (count != 1)}, {encrypted}")


def _tools(settings: Settings) -> Good:
    tools = tools_of(settings)
    rules_of(settings, tools)
    return Good(
        f"{len(tools)} tool{'s' * (len(tools) != 1)}; the shipped rules{'' if settings.policy is None else ' and yours'}"
    )


def _documents(settings: Settings) -> Good:
    """A document's process is really started for this, if bubblewrap is there."""
    line = sandbox_line(settings.documents)
    return Good(line) if are_confined() else Good("no PDF, DOCX or other document is read with walls around", line)
