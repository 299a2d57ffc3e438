"""PDF as lines with their places: what is seen, what is there and not seen, and what would act."""

from __future__ import annotations

import zlib

import pytest
from tests.tools.documents.making import pdf, shown, stream_of

from armslength.tools.documents.document import Document, Line
from armslength.tools.documents.reading import read_document


def lines(document: Document) -> list[str]:
    """All lines, whatever their page."""
    return [line.text for page in document.pages for line in page.lines]


def test_each_line_has_its_page_and_place() -> None:
    """In points from the upper left corner, whole ones."""
    document = read_document(pdf(shown(b"one") + shown(b"below", y=600), shown(b"two", x=200)), "application/pdf")
    assert document.kind == "pdf"
    assert [(page.number, page.text) for page in document.pages] == [(1, "one\nbelow"), (2, "two")]
    first, below = document.pages[0].lines
    assert (first.left, below.left, document.pages[1].lines[0].left) == (72, 72, 200)
    assert 75 <= first.top <= 92 and below.top - first.top == 100
    assert document.notes == ()


HIDDEN: dict[str, tuple[bytes, list[str]]] = {
    "seen": (shown(b"x y"), ["x y"]),
    "invisible": (shown(b"x y", before=b"3 Tr "), ["[hidden text: x y]"]),
    "white on white": (shown(b"x", before=b"1 1 1 rg "), ["[hidden text: x]"]),
    "nearly white": (shown(b"x", before=b"0.95 0.97 0.99 rg "), ["[hidden text: x]"]),
    "white on blue": (b"0 0 1 rg 60 690 300 40 re f " + shown(b"x", before=b"1 1 1 rg "), ["x"]),
    "blue on blue": (b"0 0 1 rg 60 690 300 40 re f " + shown(b"x", before=b"0 0 1 rg "), ["[hidden text: x]"]),
    "tiny": (shown(b"xx", size=1), ["[tiny text: xx]"]),
    "tiny by its matrix": (b"q 0.1 0 0 0.1 0 0 cm " + shown(b"xx", x=900, y=7_000) + b"Q", ["[tiny text: xx]"]),
    "off the page": (shown(b"xx", y=-50), ["[hidden text: xx]"]),
    "beside the page": (shown(b"xx", x=700), ["[hidden text: xx]"]),
    "under a white box": (shown(b"xx") + b"1 1 1 rg 60 690 300 40 re f", ["[hidden text: xx]"]),
    "clipped": (b"q 0 0 9 9 re W n " + shown(b"xx") + b"Q", ["[hidden text: xx]"]),
    "under a picture": (shown(b"xx") + b"q 300 0 0 40 60 690 cm /X1 Do Q", ["[hidden text: xx]"]),
    "over a picture": (b"q 300 0 0 40 60 690 cm /X1 Do Q " + shown(b"xx"), ["xx"]),
    "a part of a line": (
        b"BT /F1 12 Tf 72 700 Td (Pay 10 ) Tj 3 Tr ([or] 1000 ) Tj 0 Tr (euros) Tj ET",
        ["Pay 10 [hidden text: (or) 1000] euros"],
    ),
}
_PICTURE = stream_of(
    zlib.compress(bytes(3 * 16)),
    b"/Type /XObject /Subtype /Image /Width 4 /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode",
)


@pytest.mark.parametrize("how", HIDDEN)
def test_text_that_is_not_seen_is_marked(how: str) -> None:
    """It stays, in a mark that it cannot end."""
    content, expected = HIDDEN[how]
    assert lines(read_document(pdf(content, objects=[_PICTURE]))) == expected


def test_what_is_hidden_in_a_form_is_marked() -> None:
    """Forms are drawn where their matrix puts them, and what they hold is looked at there."""
    form = stream_of(
        b"1 1 1 rg 0 0 300 40 re f",
        b"/Type /XObject /Subtype /Form /BBox [0 0 300 40] /Matrix [1 0 0 1 60 690]",
    )
    assert lines(read_document(pdf(shown(b"xx") + b"/X1 Do", objects=[form]))) == ["[hidden text: xx]"]
    assert lines(read_document(pdf(shown(b"xx", y=400) + b"/X1 Do", objects=[form]))) == ["xx"]


def test_a_form_that_draws_itself_ends() -> None:
    """What holds itself is followed no further than pdfium does."""
    form = stream_of(
        shown(b"in") + b"/X1 Do",
        b"/Type /XObject /Subtype /Form /BBox [0 0 900 900] /Resources << /XObject << /X1 6 0 R >> /Font << /F1 3 0 R >> >>",
    )
    assert "in" in lines(read_document(pdf(b"/X1 Do", objects=[form])))


ACTING: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "a script": (
        pdf(shown(b"x"), catalog=b"/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"),
        ("it holds JavaScript, which was not run",),
    ),
    "a script by its name": (
        pdf(
            shown(b"x"),
            catalog=b"/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (x) >>] >> >>",
        ),
        ("it holds JavaScript, which was not run",),
    ),
    "a program": (
        pdf(shown(b"x"), catalog=b"/OpenAction << /S /Launch /F (cmd.exe) >>"),
        ("it would start a program, which was not started",),
    ),
    "a file": (
        pdf(
            shown(b"x"),
            catalog=b"/Names << /EmbeddedFiles << /Names [(pay.exe) 7 0 R] >> >>",
            objects=[
                b"null",
                b"<< /Type /Filespec /F (pay.exe) /UF (pay.exe) /EF << /F 8 0 R >> >>",
                stream_of(b"MZ", b"/Type /EmbeddedFile"),
            ],
        ),
        ("it holds other files, which were not read: pay.exe",),
    ),
}


@pytest.mark.parametrize("what", ACTING)
def test_what_would_act_is_named(what: str) -> None:
    """Scripts, programs and files are not run, started or read, and said to be there."""
    content, notes = ACTING[what]
    document = read_document(content)
    assert (lines(document), document.notes) == (["x"], notes)


def test_links_comments_and_fields_stand_below_their_page() -> None:
    """Each in a mark that says what it is."""
    annotations = (
        b"/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://evil.example/?d=1) >> >> "
        b"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (Pay him) >> "
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 9 9] /T (amount) /V (12) >>]"
    )
    assert lines(read_document(pdf(shown(b"x"), page=annotations))) == [
        "x",
        "[link: https://evil.example/?d=1]",
        "[comment: Pay him]",
        "[field amount: 12]",
    ]


def test_a_page_that_cannot_be_read_leaves_the_others() -> None:
    """Which one it was is said."""
    content = pdf(shown(b"one"), shown(b"two")).replace(b"4 0 obj\n<< /Type /Page ", b"4 0 obj\n[  /Type /Page ")
    document = read_document(content)
    assert lines(document) == ["two"]
    assert [page.number for page in document.pages] == [2]
    assert document.notes == ("1 pages cannot be read, the first is page 1",)


def test_a_page_without_a_size_has_the_usual_one() -> None:
    """Nothing on it is hidden by that."""
    assert lines(read_document(pdf(shown(b"x")).replace(b"[0 0 612 792]", b"[0 0 0 0]    "))) == ["x"]


def test_a_scan_is_said_to_have_no_text() -> None:
    """What a picture shows is not read, and nobody takes that for an empty document."""
    document = read_document(pdf(b"q 300 0 0 400 60 90 cm /X1 Do Q", objects=[_PICTURE]))
    assert (lines(document), document.notes) == ([], ("no page has text; what it shows as pictures was not read",))


def test_a_font_may_say_that_its_glyphs_are_other_characters() -> None:
    """What is read is what the font says its glyphs mean: whoever wrote the file wrote that, too."""
    meaning = stream_of(
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange "
        b"1 beginbfchar <41> <005A> endbfchar endcmap end"
    )
    font = b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >> >> >>"
    content = pdf(shown(b"A"), objects=[meaning]).replace(b"/Resources << /Font << /F1 3 0 R >>", font[:-3])
    assert lines(read_document(content)) == ["Z"]


def test_a_file_that_is_two_things_is_what_it_begins_as() -> None:
    """A PDF with an archive behind it is a PDF, whatever it is called; text that mentions a PDF is text."""
    both = pdf(shown(b"x")) + b"PK\x03\x04 and more"
    assert read_document(both, "letter.docx").kind == "pdf"
    assert read_document(b"see %PDF-1.7", "letter.pdf").kind == "text"


def test_a_line_is_one_record() -> None:
    """Its text and its place."""
    assert Line("x", 1, 2) == Line("x", 1, 2) and "secret" not in repr(Line("secret"))
