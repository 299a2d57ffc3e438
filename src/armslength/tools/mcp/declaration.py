"""What a server says of one of its tools: text of whoever wrote the server, in a form in which any change is seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

PARTS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""What of a declaration is shown, pinned and used; all else that a server sends with it is dropped."""
MOST_CHARACTERS, MOST_DEPTH = 50_000, 24


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool as its server declares it. `content`: the parts as JSON."""

    name: str
    content: Mapping[str, Any] = field(repr=False)

    @property
    def digest(self) -> str:
        """SHA-256 of the content as canonical JSON, hexadecimal: names sorted, no blanks, ASCII."""
        return hashlib.sha256(canonical(self.content).encode()).hexdigest()

    @property
    def description(self) -> str:
        """Its own words."""
        return str(self.content.get("description") or "")

    @property
    def text(self) -> str:
        """The whole content as lines: the description as it is, then a line for each part, and for each part of a schema."""
        rest = sorted(part for part in self.content if part != "description")
        return "\n".join([self.description, *(line for part in rest for line in _lines(part, self.content[part], 2))])

    @property
    def strings(self) -> Iterator[str]:
        """Every text in it, names of parameters among them."""
        waiting: list[Any] = [dict(self.content)]
        while waiting:
            match waiting.pop():
                case str() as text:
                    yield text
                case dict() as parts:
                    waiting += [*parts.values(), *parts]
                case list() as items:
                    waiting += items
                case _:
                    pass

    @property
    def hints(self) -> Mapping[str, Any]:
        """What it says it does; a server's claim."""
        found = self.content.get("annotations")
        return found if isinstance(found, dict) else {}


def declaration_of(said: Mapping[str, Any]) -> Declaration:
    """The declaration in what a server said of a tool.

    Raises:
        ValueError: it has no name, or is too long or nested too deep to be looked at; the message says which.
    """
    content = {part: said[part] for part in PARTS if said.get(part) is not None}
    name = content.get("name")
    if not isinstance(name, str) or not name:
        raise ValueError("it has no name")
    if not isinstance(content.get("inputSchema"), dict):
        raise ValueError("it has no schema of what it takes")
    if _depth(content) > MOST_DEPTH:
        raise ValueError(f"what it declares is nested deeper than {MOST_DEPTH}")
    if len(canonical(content)) > MOST_CHARACTERS:
        raise ValueError(f"what it declares is longer than {MOST_CHARACTERS:,} characters")
    return Declaration(name, content)


def canonical(content: Any) -> str:
    """JSON in the one form of which digests are made."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _lines(name: str, content: Any, depth: int) -> Iterator[str]:
    """An object's parts, each on a line of its own down to a depth; what is in them as JSON."""
    if isinstance(content, dict) and content and depth:
        for part in sorted(content):
            yield from _lines(f"{name} {json.dumps(part, ensure_ascii=False)}", content[part], depth - 1)
    else:
        yield f"{name}: {json.dumps(content, sort_keys=True, ensure_ascii=False)}"


def _depth(content: Any) -> int:
    """How deep it is nested, at most one more than what is allowed; no recursion, which a server could exhaust."""
    depth, level = 0, [content]
    while level and depth <= MOST_DEPTH:
        depth += 1
        level = [
            part
            for each in level
            if isinstance(each, dict | list)
            for part in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
