"""What was answered is tried at once, by the checks of `doctor`; where it fails, the person corrects it, keeps it or leaves it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from armslength.app.doctor import Check, Finding, examined
from armslength.app.draft import Draft
from armslength.app.settings import Settings
from armslength.errors import ArmslengthError
from armslength.surfaces.setup.asking import Asker

MARKS = {"works": "ok  ", "could be better": "hint", "does not work": "FAIL"}
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
    while True:
        content = ask()
        if content is None:
            return draft
        tried = draft.having(table, content)
        if _works(asker, tried, checks):
            return tried
        options = ("keep", "skip") if asker.answers.is_file else ("correct", "keep", "skip")
        usual = "skip" if asker.answers.is_file else "correct"
        failed = f"{name or table}.if_it_fails"
        asker.given.pop(failed, None)
        match asker.choose(failed, "Correct it, keep it as it is, or skip it", options, usual):
            case "keep":
                return tried
            case "skip":
                return draft
            case _:
                continue


def _works(asker: Asker, draft: Draft, checks: Checks) -> bool:
    """Each check's line is said."""
    try:
        made = list(checks(draft.settings()))
    except ArmslengthError as error:
        _say(asker, Finding("configuration", "does not work", str(error)))
        return False
    has_failed = False
    for finding in examined(made):
        _say(asker, finding)
        has_failed |= finding.state == "does not work"
    return not has_failed


def _say(asker: Asker, finding: Finding) -> None:
    asker.say(f"  {MARKS[finding.state]} {finding.what}: {finding.said}")
    if finding.do:
        asker.say(f"       {finding.do}")
