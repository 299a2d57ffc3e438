"""How much of an .ics text is read: the parser takes some microseconds for each value and each line, of texts that anybody may have written."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

MOST_LISTED = 2_000
"""Times that one event lists, beside its rule."""
MOST_CHARACTERS, MOST_VALUES = 100_000, 10_000
"""Of one line: of text, which costs little, and of anything else, which is taken apart."""
MOST_LINES = 5_000
"""Of one event."""
_MOST_AROUND = 20_000
"""Lines of a text that belong to no event and no zone."""
_TEXTS = ("SUMMARY", "LOCATION", "DESCRIPTION", "COMMENT", "ATTACH", "X-")
_LISTS = ("RDATE", "EXDATE")
_OTHERS = re.compile(r"^BEGIN:(VTODO|VJOURNAL)\r\n(?:(?!BEGIN:\1\r\n|END:\1\r\n).*\r\n)*END:\1\r\n", re.MULTILINE)
"""What is no event, as a whole."""


@dataclass(slots=True)
class _Reading:
    """What was kept so far. `event`: the lines of the one that is read, with how many times it may list yet."""

    kept: list[str] = field(default_factory=list)
    event: list[str] | None = None
    listed: int = MOST_LISTED
    around: int = 0
    flaws: dict[str, None] = field(default_factory=dict)


def within_bounds(text: str) -> tuple[str, list[str]]:
    """The unfolded text (lines end in CRLF) without what is too much of it, and what that was, in words of ours.

    A line that is left out leaves its digest, so that another one in its place makes the event another.
    """
    reading = _Reading()
    for line in _OTHERS.sub("", text).split("\r\n"):
        if line:
            _take(reading, line)
    if reading.event is not None:
        _end(reading)
    return ("\r\n".join([*reading.kept, ""]), list(reading.flaws)) if reading.flaws else (text, [])


def _take(reading: _Reading, line: str) -> None:
    if line == "BEGIN:VEVENT" and reading.event is None:
        reading.event, reading.listed = [], MOST_LISTED
    if reading.event is None:
        reading.around += 1
        if reading.around <= _MOST_AROUND or line == "END:VCALENDAR":
            reading.kept.append(_cut(reading, line))
        else:
            reading.flaws[f"more than {_MOST_AROUND:,} lines belong to no event; the rest was left out"] = None
        return
    if len(reading.event) <= MOST_LINES:
        reading.event.append(_cut(reading, line))
    if line == "END:VEVENT":
        _end(reading)


def _end(reading: _Reading) -> None:
    event, reading.event = reading.event or [], None
    if len(event) > MOST_LINES:
        reading.flaws[f"an event of more than {MOST_LINES:,} lines was left out"] = None
    else:
        reading.kept += event


def _cut(reading: _Reading, line: str) -> str:
    name = line[:12].upper()
    if name.startswith(_LISTS):
        values = line.split(",")
        if len(values) > reading.listed:
            reading.flaws[f"an event lists more than {MOST_LISTED:,} times; the rest was left out"] = None
        line = ",".join(values[: reading.listed])
        reading.listed -= min(len(values), reading.listed)
    most = MOST_CHARACTERS if name.startswith((*_TEXTS, *_LISTS)) else MOST_VALUES
    if len(line) <= most:
        return line
    reading.flaws[f"a line of more than {most:,} characters was left out"] = None
    return f"X-LEFT-OUT:{hashlib.sha256(line.encode('utf-8', 'surrogatepass')).hexdigest()}"
