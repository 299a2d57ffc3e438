"""Names, addresses and numbers out of vCard text (2.1, RFC 2426 for 3.0, RFC 6350 for 4.0), card by card, line by line.

A line that cannot be read is left out, the rest of its card is kept; a card that does not end is kept up to the next one.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from armslength.tools.mail.headers import decode

_BREAK = re.compile(r"\r\n|\n|\r")
_NAME = re.compile(r"(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)((?:;(?:[^\";:]|\"[^\"]*\")*)*):(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True, repr=False)
class Card:
    """What a card says, first values first. `raw` is its text, for the ledger."""

    raw: str = ""
    uid: str = ""
    formatted: str = ""
    structured: str = ""
    organisation: str = ""
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    nicknames: str = ""

    @property
    def name(self) -> str:
        """The name to show: FN, else N in reading order, else the organisation or the first address."""
        return self.formatted or self.structured or self.organisation or next(iter(self.emails), "")


def read_cards(content: bytes) -> list[Card]:
    """The cards in a .vcf file, in order."""
    text = content.decode("utf-8-sig", "replace")
    return [_card(lines) for lines in _blocks(text)]


def _blocks(text: str) -> Iterator[list[str]]:
    """The raw lines between BEGIN and END of each card."""
    lines: list[str] | None = None
    for line in _BREAK.split(text):
        upper = line.strip().upper()
        if upper in ("BEGIN:VCARD", "END:VCARD"):
            if lines is not None:
                yield lines
            lines = [] if upper == "BEGIN:VCARD" else None
        elif lines is not None:
            lines.append(line)
    if lines is not None:
        yield lines


def _unfolded(lines: list[str]) -> Iterator[str]:
    """Content lines: continuations begin with white space; in quoted-printable a line ends with `=` (2.1, section 2.1.3)."""
    parts: list[str] = []
    may_be_quoted = False
    for line in lines:
        if may_be_quoted and parts[-1].endswith("="):
            parts[-1] = parts[-1][:-1]
            parts.append(line)
        elif parts and line[:1] in (" ", "\t"):
            parts.append(line[1:])
        else:
            if parts:
                yield "".join(parts)
            parts, may_be_quoted = [line], "QUOTED-PRINTABLE" in line.upper()
    if parts:
        yield "".join(parts)


def _card(lines: list[str]) -> Card:
    card = Card(raw="\n".join(lines))
    for line in _unfolded(lines):
        found = _NAME.fullmatch(line)
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2].upper(), found[3]
        value = _decoded(value, parameters)
        match name:
            case "FN":
                card.formatted = card.formatted or _plain(value)
            case "N":
                card.structured = card.structured or _reading_order(value)
            case "ORG":
                card.organisation = card.organisation or ", ".join(filter(None, _split(value)))
            case "NICKNAME":
                card.nicknames += "\n" + _plain(value)
            case "UID":
                card.uid = card.uid or value.strip()
            case "EMAIL" if _plain(value):
                card.emails.append(_without_scheme(_plain(value), "mailto:"))
            case "TEL" if _plain(value):
                card.phones.append(_without_scheme(_plain(value), "tel:"))
            case _:
                pass
    return card


def _decoded(value: str, parameters: str) -> str:
    if "QUOTED-PRINTABLE" not in parameters:
        return value
    charset = re.search(r";CHARSET=\"?([A-Z0-9_-]+)", parameters)
    return decode(quopri.decodestring(value.encode("utf-8", "replace")), charset[1] if charset else "").text


def _split(value: str) -> list[str]:
    """The components of a structured value, unescaped."""
    return [_plain(part) for part in re.split(r"(?<!\\);", value)]


def _reading_order(value: str) -> str:
    family, given, additional, prefix, suffix = [*_split(value), "", "", "", "", ""][:5]
    return " ".join(part for part in (prefix, given, additional, family, suffix) if part)


def _plain(value: str) -> str:
    """Unescaped, on one line."""
    unescaped = _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return " ".join(unescaped.split())


def _without_scheme(value: str, scheme: str) -> str:
    return value[len(scheme) :] if value.lower().startswith(scheme) else value
