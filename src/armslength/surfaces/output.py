"""Writing to standard output and standard error. Text from outside is cleaned here or before, never by the terminal."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from datetime import datetime
from typing import Any

from armslength.agent.approving.display import tame
from armslength.agent.showing.cleaning import clean, clean_line
from armslength.surfaces.wrapping import wrap

PLAIN_WIDTH = 120
"""Columns of a table that goes into a file or a pipe."""


def make_printable() -> None:
    """Both streams escape what their encoding lacks instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def tame_line(text: str) -> str:
    """Words from outside on one line, inert and without our marks."""
    return tame(clean_line(text))


def local(moment: datetime | str) -> str:
    """A moment as whoever looks at it reads a clock: to the minute, with the zone. What is no moment (ISO 8601) stands as it is."""
    try:
        found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
        return f"{found.astimezone():%Y-%m-%d %H:%M %Z}"
    except (ValueError, OverflowError):
        return tame_line(str(moment))


def complain(line: str) -> None:
    """One line on standard error, with the program's name, cleaned."""
    print(f"armslength: {clean_line(line)}", file=sys.stderr, flush=True)


def write_text(text: str) -> None:
    """Drawn text on standard output; wrapped with marks where that is a terminal, so that no mark is lost at its edge.

    What nobody drew, such as a name in a database that others edited, acts on no terminal either.
    """
    text, width = clean(text), terminal_width()
    print("\n".join(wrap(text, width)) if width is not None else text, flush=True)


def write_json(content: dict[str, Any]) -> None:
    """One JSON object on standard output, in ASCII: control characters and all others are escaped."""
    print(json.dumps(content, ensure_ascii=True, indent=2), flush=True)


def terminal_width() -> int | None:
    """Columns of standard output, or None where it is no terminal."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None


def stop_writing() -> None:
    """Whoever read standard output has gone: what is still buffered goes nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
