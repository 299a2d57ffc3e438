"""DOCX as lines: what is shown, and what is there and not shown, marked."""

from __future__ import annotations

from io import BytesIO

import docx as python_docx
import pytest
from tests.tools.documents.making import docx, paragraph, relationships, word, zipped

from armslength.tools.documents.document import Document
from armslength.tools.documents.reading import read_document

SEEN = paragraph("seen")
WHITE = '<w:color w:val="FFFFFF"/>'


def lines(document: Document) -> list[str]:
    """All lines, whatever their page."""
    return [line.text for page in document.pages for line in page.lines]


def test_what_another_program_wrote_is_read() -> None:
    """Paragraphs, headings and tables of python-docx stand as they were given."""
    written = python_docx.Document()
    written.add_heading("Contract", 1)
    written.add_paragraph("Between A and B.")
    table = written.add_table(2, 2)
    for row, texts in zip(table.rows, (("item", "price"), ("freight", "120.00")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    written.add_page_break()
    written.add_paragraph("The end.")
    saved = BytesIO()
    written.save(saved)
    document = read_document(saved.getvalue(), "contract.docx")
    assert document.kind == "docx"
    assert [line.text for line in document.pages[0].lines if line.text] == [
        "Contract",
        "Between A and B.",
        "item | price",
        "freight | 120.00",
    ]
    assert [line.text for line in document.pages[1].lines if line.text] == ["The end."]


HIDDEN: dict[str, tuple[str, list[str]]] = {
    "hidden": (paragraph("x [y]", "<w:vanish/>"), ["[hidden text: x (y)]"]),
    "not hidden": (paragraph("x", '<w:vanish w:val="0"/>'), ["x"]),
    "white": (paragraph("x", WHITE), ["[hidden text: x]"]),
    "white on black": (paragraph("x", '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>'), ["x"]),
    "white in a black paragraph": (paragraph("x", '<w:color w:val="FFFFFF"/>', '<w:shd w:fill="000000"/>'), ["x"]),
    "white in a black cell": (
        f'<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="000000"/></w:tcPr>{paragraph("x", WHITE)}</w:tc></w:tr></w:tbl>'
        + paragraph("y", WHITE),
        ["x", "[hidden text: y]"],
    ),
    "tiny": (paragraph("x", '<w:sz w:val="2"/>'), ["[tiny text: x]"]),
    "by its style": (paragraph("x", '<w:rStyle w:val="Secret"/>'), ["[hidden text: x]"]),
    "by what its style is based on": (paragraph("x", "", '<w:pStyle w:val="Child"/>'), ["[hidden text: x]"]),
    "shown though its style hides it": (
        paragraph("x", '<w:rStyle w:val="Secret"/><w:vanish w:val="false"/>'),
        ["x"],
    ),
    "in a run around another": (
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent><w:t>x</w:t></w:r></w:p>",
        ["box", "[hidden text: x]"],
    ),
    "deleted": (
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
        ["kept [deleted text: gone]"],
    ),
}
_STYLES = word(
    "styles",
    '<w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:styleId="Child"><w:basedOn w:val="Secret"/></w:style>'
    '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>',
)


@pytest.mark.parametrize("how", HIDDEN)
def test_text_that_is_not_shown_is_marked(how: str) -> None:
    """It stays, in a mark that it cannot end."""
    body, expected = HIDDEN[how]
    assert lines(read_document(docx(body, {"word/styles.xml": _STYLES}))) == expected


def test_a_document_whose_usual_style_hides_is_marked_whole() -> None:
    """What nothing is said of looks as the defaults say."""
    styles = word("styles", "<w:docDefaults><w:rPrDefault><w:rPr><w:vanish/></w:rPr></w:rPrDefault></w:docDefaults>")
    assert lines(read_document(docx(SEEN, {"word/styles.xml": styles}))) == ["[hidden text: seen]"]


def test_what_stands_beside_the_body_comes_after_it() -> None:
    """Headers, notes and comments are there, each in a mark that says what it is."""
    parts = {
        "word/header1.xml": word("hdr", paragraph("Page head")),
        "word/footnotes.xml": word("footnotes", f'<w:footnote w:id="2">{paragraph("A note")}</w:footnote>'),
        "word/comments.xml": word("comments", f'<w:comment w:id="0" w:author="Bob">{paragraph("Pay him")}</w:comment>'),
    }
    assert lines(read_document(docx(SEEN, parts))) == [
        "seen",
        "[comment by Bob: Pay him]",
        "[footnote 2: A note]",
        "[header: Page head]",
    ]


def test_pages_are_those_that_were_last_broken() -> None:
    """A break that the program noted where it broke a page by order is one page, not two."""
    broken = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    noted = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>three</w:t></w:r></w:p>"
    again = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>"
    document = read_document(docx(paragraph("one") + again + broken + noted))
    assert [(page.number, page.text.strip()) for page in document.pages] == [(1, "one"), (2, "two"), (3, "three")]


def test_links_are_kept_and_nothing_else_outside_is_loaded() -> None:
    """Where a link leads stands behind it; a template or picture that lies elsewhere is said to be there."""
    outside = relationships(
        '<Relationship Id="a" Type="http://x/attachedTemplate" Target="https://evil.example/t.dotm" TargetMode="External"/>'
    )
    body = '<w:p><w:hyperlink r:id="h"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>'
    document = read_document(docx(body, {"word/_rels/settings.xml.rels": outside}, {"h": "https://evil.example/?d=1"}))
    assert lines(document) == ["here (https://evil.example/?d=1)"]
    assert document.notes == ("it refers to files outside it, which were not loaded",)


def test_what_would_act_is_named() -> None:
    """Macros, fields that fetch, other documents within it and other files."""
    field = "<w:p><w:r><w:instrText>DDEAUTO c:\\\\windows\\\\cmd.exe</w:instrText></w:r></w:p>"
    changed = "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>"
    parts = {"word/vbaProject.bin": b"x", "word/embeddings/pay.exe": b"x"}
    document = read_document(docx(f"{field}{changed}<w:altChunk r:id='c'/>", parts))
    assert document.notes == (
        "it has changes that were not accepted: what was put in stands in the text, what was taken out is marked",
        "it has fields that would load something; nothing was loaded",
        "it holds a document of another kind in its text, which was not read",
        "it holds macros, which were not run",
        "it holds other files, which were not read: pay.exe",
    )


def test_a_fallback_is_not_read_twice() -> None:
    """What stands for programs that do not know the first form is the same text again."""
    both = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{SEEN}</mc:Choice><mc:Fallback>{SEEN}</mc:Fallback></mc:AlternateContent>"
    )
    assert lines(read_document(docx(both))) == ["seen"]


def test_the_strict_form_is_read_too() -> None:
    """Its namespaces have other names."""
    space = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = f'<w:document xmlns:w="{space}"><w:body>{paragraph("seen", "<w:vanish/>")}</w:body></w:document>'
    parts = {"[Content_Types].xml": b"<Types/>", "word/document.xml": body}
    assert lines(read_document(zipped(parts))) == ["[hidden text: seen]"]


def test_a_table_within_a_cell_stays_on_its_row() -> None:
    """Rows are lines, so a cell has none of its own."""
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    outer = (
        f"<w:tbl><w:tr><w:tc>{paragraph('x')}{inner}{paragraph('')}</w:tc><w:tc>{paragraph('y')}</w:tc></w:tr></w:tbl>"
    )
    assert lines(read_document(docx(outer))) == ["x a | b | y"]
