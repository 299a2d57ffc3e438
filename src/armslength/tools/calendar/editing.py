"""An .ics text changed line by line (RFC 5545, section 3.1): whatever is not meant stays, byte for byte but for folding.

No value from outside reaches a line unchecked: texts are escaped and hold no control characters, addresses are plain ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from armslength.errors import ToolError

_DEEPEST = 10
_BREAK = re.compile(r"\r\n|\n|\r")
_PARAMETER = r';[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*'
_PROPERTY = re.compile(rf"([A-Za-z0-9-]+)((?:{_PARAMETER})*):(.*)", re.DOTALL)
_EACH = re.compile(r';([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)')
_OCTETS = 75


@dataclass(frozen=True, slots=True, repr=False)
class Property:
    """One content line: its name in upper case, its parameters by name in upper case as they are written, its value as it is written."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    value: str

    def parameter(self, name: str) -> str:
        """A parameter without quotes around it, or nothing."""
        return next((value.strip('"') for each, value in self.parameters if each == name), "")

    def line(self) -> str:
        """As it is written."""
        return f"{self.name}{''.join(f';{name}={value}' for name, value in self.parameters)}:{self.value}"


@dataclass(slots=True, repr=False)
class Component:
    """A component: its name in upper case, and its lines and components in order."""

    name: str
    parts: list[str | Component] = field(default_factory=list)

    def components(self, name: str) -> list[Component]:
        """The components of that name directly in it."""
        return [each for each in self.parts if isinstance(each, Component) and each.name == name]

    def properties(self, name: str) -> Iterator[Property]:
        """Its own properties of that name."""
        for each in self.parts:
            if isinstance(each, str) and (found := read_property(each)) is not None and found.name == name:
                yield found

    def value(self, name: str) -> str:
        """The value of the first, as it is written; nothing if there is none."""
        return next((each.value.strip() for each in self.properties(name)), "")

    def put(self, name: str, *made: Property) -> None:
        """These in place of all its own properties of that name, where the first of them stood, else first."""
        places = [place for place, each in enumerate(self.parts) if isinstance(each, str) and _is_named(each, name)]
        kept = [each for place, each in enumerate(self.parts) if place not in places]
        at = places[0] if places else 0
        self.parts = [*kept[:at], *(each.line() for each in made), *kept[at:]]


def read_property(line: str) -> Property | None:
    """The property of an unfolded line, None if it is none."""
    found = _PROPERTY.fullmatch(line)
    if found is None:
        return None
    parameters = tuple((each[1].upper(), each[2]) for each in _EACH.finditer(found[2]))
    return Property(found[1].upper(), parameters, found[3])


def _is_named(line: str, name: str) -> bool:
    found = read_property(line)
    return found is not None and found.name == name


def read_calendar(content: bytes) -> Component:
    """The one calendar in a text.

    Raises:
        ToolError: it is damaged, or there is more than one.
    """
    try:
        lines = _unfolded(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _damaged() from None
    root = Component("")
    above = [root]
    for line in lines:
        key, _, name = line.partition(":")
        match key.strip().upper():
            case "BEGIN" if len(above) <= _DEEPEST:
                made = Component(name.strip().upper())
                above[-1].parts.append(made)
                above.append(made)
            case "END" if len(above) > 1 and above[-1].name == name.strip().upper():
                above.pop()
            case "BEGIN" | "END":
                raise _damaged()
            case _ if line:
                above[-1].parts.append(line)
    if len(above) > 1 or len(root.parts) != 1 or len(root.components("VCALENDAR")) != 1:
        raise _damaged()
    return root.components("VCALENDAR")[0]


def _damaged() -> ToolError:
    return ToolError(
        "calendar: what lies there is damaged, so nothing was changed; repair it with the program that wrote it"
    )


def _unfolded(text: str) -> Iterator[str]:
    line: str | None = None
    for each in _BREAK.split(text):
        if line is not None and each[:1] in (" ", "\t"):
            line += each[1:]
            continue
        if line is not None:
            yield line
        line = each
    if line is not None:
        yield line


def written_calendar(calendar: Component) -> bytes:
    """The text of a calendar, folded, with CRLF."""
    return b"".join(_folded(line) for line in _lines(calendar))


def _lines(component: Component) -> Iterator[str]:
    yield f"BEGIN:{component.name}"
    for each in component.parts:
        if isinstance(each, str):
            yield each
        else:
            yield from _lines(each)
    yield f"END:{component.name}"


def _folded(line: str) -> bytes:
    """Pieces of at most 75 octets, none of which ends within a character."""
    data, pieces, size = line.encode(), [], _OCTETS
    while len(data) > size:
        end = size
        while data[end] & 0xC0 == 0x80:
            end -= 1
        pieces.append(data[:end])
        data, size = data[end:], _OCTETS - 1
    return b"\r\n ".join([*pieces, data]) + b"\r\n"


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def unescaped(value: str) -> str:
    """A text as it is meant (RFC 5545, section 3.3.11)."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


# What is written


def text_property(name: str, text: str) -> Property:
    """A property of text (RFC 5545, section 3.3.11)."""
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return Property(name, (), escaped.replace("\r\n", "\\n").replace("\n", "\\n"))


def utc_property(name: str, moment: datetime) -> Property:
    """A property of a moment, in UTC. `moment` has a time zone."""
    return Property(name, (), f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}")


def day_property(name: str, day: date) -> Property:
    """A property of a day."""
    return Property(name, (("VALUE", "DATE"),), f"{day:%Y%m%d}")


def address_of(given: Property) -> str:
    """The address that an attendee or organizer has, lower case; nothing where it is none of mail."""
    value = given.value.strip()
    return value[7:].strip().lower() if value[:7].lower() == "mailto:" and "@" in value else ""


def attendee(address: str) -> Property:
    """Somebody who is asked to come. `address` is a plain one."""
    parameters = (("ROLE", "REQ-PARTICIPANT"), ("PARTSTAT", "NEEDS-ACTION"), ("RSVP", "TRUE"))
    return Property("ATTENDEE", parameters, f"mailto:{address}")


def answered(given: Property, answer: str) -> Property:
    """The same attendee with this answer (PARTSTAT), which is not asked for any more."""
    kept = tuple(each for each in given.parameters if each[0] not in {"PARTSTAT", "RSVP", "SCHEDULE-STATUS"})
    return Property(given.name, (*kept, ("PARTSTAT", answer)), given.value)


def asked_again(given: Property) -> Property:
    """The same attendee, who has not answered yet."""
    kept = tuple(each for each in given.parameters if each[0] not in {"PARTSTAT", "RSVP", "SCHEDULE-STATUS"})
    return Property(given.name, (*kept, ("PARTSTAT", "NEEDS-ACTION"), ("RSVP", "TRUE")), given.value)
