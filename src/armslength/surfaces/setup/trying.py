"""What was answered is tried at once, by the checks of `doctor`; where it fails, the person corrects it, keeps it or leaves it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from armslength.app.doctor import Check, Finding, examined
from armslength.app.draft import Draft
from armslength.app.settings import Settings
from armslength.errors import ArmslengthError, ConfigError
from armslength.surfaces.doctor import MARKS
from armslength.surfaces.setup.asking import Asker

Section = Callable[[], Mapping[str, Any] | None]
"""Asks, and gives a table for the file; None: it is left out."""
Checks = Callable[[Settings], Iterable[Check]]


def connected(  # what is asked, what is tried, and where it goes
    asker: Asker, draft: Draft, table: str, ask: Section, checks: Checks, *, name: str = ""
) -> Draft:
    """The draft with that table, once it works, or the person keeps it all the same; without it, if it is left out.

    `name`: of the question what to do where it fails, if not the table's.

    Raises:
        ConfigError: nobody answers any more.
    """
    failed = f"{name or table}.if_it_fails"
    while True:
        content = ask()
        if content is None:
            return draft
        tried = draft.having(table, content)
        works = _works(asker, tried, checks)
        if works is Came.WORKS:
            return tried
        if asker.answers.is_file and works is Came.NOT_UNDERSTOOD:
            raise ConfigError(f"init: the answers about {name or table} make no configuration; nothing was written")
        options = [] if asker.answers.is_file else ["correct"]
        options += ["keep", "skip"] if works is Came.FAILS else ["skip"]
        asker.given.pop(failed, None)
        match asker.choose(
            failed,
            f"What now: {', '.join(map(_MEANT.__getitem__, options))}",
            options,
            options[-1] if asker.answers.is_file else "correct",
        ):
            case "keep":
                return tried
            case "skip":
                return draft
            case _:
                continue


_MEANT = {"correct": "correct it", "keep": "keep it as it is", "skip": "leave it out"}


class Came(Enum):
    """What came of trying. What is not understood cannot be kept: it may be a secret in a wrong place."""

    WORKS = "works"
    FAILS = "fails"
    NOT_UNDERSTOOD = "not understood"


def _works(asker: Asker, draft: Draft, checks: Checks) -> Came:
    """Each check's line is said."""
    try:
        made = list(checks(draft.settings()))
    except ArmslengthError as error:
        _say(asker, Finding("configuration", "does not work", str(error)))
        return Came.NOT_UNDERSTOOD
    has_failed = False
    for finding in examined(made):
        _say(asker, finding)
        has_failed |= finding.state == "does not work"
    return Came.FAILS if has_failed else Came.WORKS


def _say(asker: Asker, finding: Finding) -> None:
    asker.say(f"  {MARKS[finding.state]} {finding.what}: {finding.said}")
    if finding.do:
        asker.say(f"       {finding.do}")
