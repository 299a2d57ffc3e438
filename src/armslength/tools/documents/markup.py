"""HTML as lines: links kept, hidden text marked, nothing loaded. In a process of its own alone, as what parses it is written in C."""

from __future__ import annotations

import json

from armslength.tools.documents.plain import decoded
from armslength.tools.documents.wire import LONGEST_LINE, Output, Reader
from armslength.tools.text.html_text import html_to_text
from armslength.tools.web.address import leading, web_address


def read_html(content: bytes, charset: str, output: Output) -> None:
    """The text of a document."""
    for line in html_to_text(decoded(content, charset, output)).split("\n"):
        output.line(line)


def read_pages(content: bytes, _charset: str, output: Output) -> None:
    """The texts of pages or of what a mail has, one after the other. A line that goes on what the one before began stands at 1."""
    given = json.loads(content)
    leads = leading(web_address(given["address"])) if given["address"] else str
    for number, html in enumerate(given["pages"], 1):
        output.page(number)
        for line in html_to_text(html, leads).split("\n"):
            for at in range(0, max(len(line), 1), LONGEST_LINE):
                output.line(line[at : at + LONGEST_LINE], left=min(at, 1))


READERS: dict[str, Reader] = {"html": read_html, "page": read_pages}
