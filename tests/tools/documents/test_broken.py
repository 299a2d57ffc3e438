"""Documents with bytes changed, cut and doubled at random: each is read, or ends in one line; nothing else comes of it."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tools.documents.making import docx, paragraph, pdf, shown, stream_of

from armslength.errors import ToolError
from armslength.tools.documents.confinement import Confinement
from armslength.tools.documents.document import Document
from armslength.tools.documents.reading import read_document

WHOLE = (
    pdf(shown(b"One") + b"/X1 Do", shown(b"Two", before=b"3 Tr "), objects=[stream_of(b"1 0 0 rg 0 0 9 9 re f")]),
    docx(paragraph("One", "<w:vanish/>") + "<w:tbl><w:tr><w:tc>" + paragraph("Two") + "</w:tc></w:tr></w:tbl>"),
    b"<html><body><p>One<p hidden>Two<table><tr><td>Three",
    b'one,"two",three\r\nfour;five',
)
LINE = re.compile(r"document: [^\n]{1,300}")


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """One of the whole documents, changed."""
    content = bytearray(draw(st.sampled_from(WHOLE)))
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(content) - 1)) if content else 0
        match draw(st.integers(0, 3)):
            case 0:
                content[at : at + 1] = draw(st.binary(min_size=1, max_size=4))
            case 1:
                del content[at:]
            case 2:
                content[at:at] = content[at : at + draw(st.integers(1, 400))]
            case _:
                del content[at : at + draw(st.integers(1, 50))]
    return bytes(content)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(broken(), st.sampled_from(["", "a.csv", "text/html", "application/pdf"]))
def test_a_broken_document_is_read_or_ends_in_one_line(content: bytes, declared: str) -> None:
    """No exception but a tool's own leaves, and what is read keeps its form."""
    try:
        found = read_document(content, declared, Confinement(seconds=5))
    except ToolError as error:
        assert LINE.fullmatch(str(error))  # noqa: PT017
        return
    assert isinstance(found, Document)
    assert all("\n" not in line.text for page in found.pages for line in page.lines)
    assert [page.number for page in found.pages] == sorted({page.number for page in found.pages})
