"""Text holds whole characters: half of a surrogate pair is none, and nothing outside could write it."""

from __future__ import annotations

import re

from armslength.labels import Label
from armslength.language.machine import Machine

_HALF = re.compile("[\ud800-\udfff]")


def whole(machine: Machine, text: str, decided_by: Label) -> str:
    """The text, if it is one. For what makes characters of numbers or of escapes.

    Raises:
        ProgramFailed: it holds half a character.
    """
    if _HALF.search(text):
        raise machine.failed("value", "half of a character is no text", decided_by)
    return text
