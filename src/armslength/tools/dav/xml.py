"""XML that a server sent, read without anything that XML can do beyond elements and text.

A document type, and with it every entity, ends the reading; attributes but `name`, comments and processing instructions are left out. Size, depth and
number of elements are capped. expat itself opens nothing; no handler for outside entities is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

DEEPEST = 30
MOST_ELEMENTS = 600_000


@dataclass(slots=True, repr=False)
class Element:
    """An element: `name` is `namespace local`; `text` is what stands directly in it; `called` is its attribute `name`."""

    name: str
    text: str = ""
    called: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Element]:
        """The elements of that name directly below."""
        return (each for each in self.children if each.name == name)

    def first(self, *names: str) -> Element | None:
        """The first element on that way down."""
        found: Element | None = self
        for name in names:
            found = None if found is None else next(found.all(name), None)
        return found

    def text_at(self, *names: str) -> str:
        """The text of the first element on that way down, without blanks around it; empty if there is none."""
        found = self.first(*names)
        return "" if found is None else found.text.strip()


class _Unreadable(Exception):
    """Raised out of a handler."""


class _Reading:
    def __init__(self) -> None:
        self.above: list[Element] = []
        self.pieces: list[list[str]] = []
        self.root: Element | None = None
        self.count = 0

    def open(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS or len(self.above) >= DEEPEST:
            raise _Unreadable
        made = Element(name, called=attributes.get("name", ""))
        if self.above:
            self.above[-1].children.append(made)
        else:
            self.root = made
        self.above.append(made)
        self.pieces.append([])

    def close(self, _name: str) -> None:
        self.above.pop().text = "".join(self.pieces.pop())

    def add(self, text: str) -> None:
        if self.pieces:
            self.pieces[-1].append(text)


def _refuse(*_given: object) -> None:
    raise _Unreadable


def read_xml(content: bytes) -> Element | None:
    """The root of a document in UTF-8. None: it is no such document, or does what is not read here."""
    reading = _Reading()
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reading.open, reading.close
    parser.CharacterDataHandler = reading.add
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.UnparsedEntityDeclHandler = _refuse
    try:
        parser.Parse(content, True)  # the last piece
    except (expat.ExpatError, _Unreadable, ValueError):
        return None
    return reading.root
