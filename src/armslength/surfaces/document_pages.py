"""On which page of a document a text stands, as far as a run's journal has the document: found by its words, which the labels do not follow to a page.

So a short text may stand on several, and what a model put in other words stands on none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

_LEAST = 4
"""Characters of a text that is looked for: shorter ones stand everywhere."""
_LEAST_OF_A_PAGE = 20
_MOST = 3
_MARK = re.compile(r"^\[page (\d{1,6})\]\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OnPage:
    """A page of a document, by the name that others may have given it."""

    page: int
    document: str


@dataclass(frozen=True, slots=True)
class _Page:
    place: OnPage
    text: str
    sources: frozenset[str]


class DocumentPages:
    """The pages that a run read."""

    def __init__(self) -> None:
        self._pages: list[_Page] = []

    def hear(self, answered: Any) -> None:
        """What a tool returned, as the journal has it: a document with its pages, a file whose text has marks of pages, or neither."""
        match answered:
            case {"parts": {"filename": {"data": str(name)}, "pages": {"items": list(items)}}}:
                self._pages += (each for item in items for each in _page(name, item))
            case {"parts": {"filename": {"data": str(name)}, "content": {"data": str(text), "label": dict(label)}}}:
                first, *rest = _MARK.split(text)
                if not first:
                    for number, page in zip(rest[::2], rest[1::2], strict=True):
                        self._pages.append(_Page(OnPage(int(number), name), _plain(page), _names(label)))
            case _:
                pass

    def clear(self) -> None:
        """Another program begins."""
        self._pages.clear()

    def places(self, text: str, came_from: Collection[str]) -> tuple[OnPage, ...]:
        """The first pages on which it stands, or that stand in it, of documents by those whose words it is."""
        wanted = _plain(text)
        if len(wanted) < _LEAST:
            return ()
        found = (each.place for each in self._pages if _has(each, wanted) and not each.sources.isdisjoint(came_from))
        return tuple(dict.fromkeys(found))[:_MOST]


def _has(page: _Page, wanted: str) -> bool:
    return wanted in page.text or (len(page.text) >= _LEAST_OF_A_PAGE and page.text in wanted)


def _page(document: str, stored: Any) -> Iterator[_Page]:
    match stored:
        case {"parts": {"number": {"data": int(number)}, "text": {"data": str(text), "label": dict(label)}}}:
            yield _Page(OnPage(number, document), _plain(text), _names(label))
        case _:
            return


def _names(label: dict[str, Any]) -> frozenset[str]:
    """The sources of a label, without the store that the document lies in, as all that lies there has that."""
    data = label.get("data")
    return (
        frozenset(str(each) for each in data if not str(each).startswith("store:"))
        if isinstance(data, list)
        else frozenset()
    )


def _plain(text: str) -> str:
    return " ".join(text.split())
