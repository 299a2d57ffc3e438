"""HTML as lines, read as in mails: links kept, hidden text marked, nothing loaded."""

from __future__ import annotations

from armslength.tools.documents.plain import decoded
from armslength.tools.documents.wire import Output, Reader
from armslength.tools.text.html_text import html_to_text


def read_html(content: bytes, charset: str, output: Output) -> None:
    """The text of a page."""
    for line in html_to_text(decoded(content, charset, output)).split("\n"):
        output.line(line)


READERS: dict[str, Reader] = {"html": read_html}
