"""What a document is once it was read: pages of lines, each with its place, and notes on what it holds besides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["pdf", "docx", "html", "csv", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_MARK = re.compile(r"^\[(page \d+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True, repr=False)
class Line:
    """One line of a page. `left` and `top`: of a PDF, in points (1/72 inch) from the page's upper left corner; else 0."""

    text: str
    left: int = 0
    top: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """One page, or the whole of what has none. `number` counts from 1."""

    number: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """Its lines."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A document. All of it is the word of whoever wrote it, `kind` and the number of pages among it.

    `notes`: what was cut, is hidden somewhere, or acts and was not carried out, one line each; they may hold words of the document.
    """

    kind: Kind
    pages: tuple[Page, ...]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The pages under a line `[page 3]` each, if there is more than one, and the notes at the end, in brackets.

        A line of the document that looks like such a mark has round brackets.
        """
        several = len(self.pages) > 1
        pages = [(f"[page {page.number}]\n" if several else "") + _MARK.sub(r"(\1)", page.text) for page in self.pages]
        return "\n".join([*pages, *(f"[{note}]" for note in self.notes)])
