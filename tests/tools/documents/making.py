"""Documents that tests make themselves: small PDFs and DOCX files, byte by byte."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_REFERENCES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def pdf(
    *pages: bytes, catalog: bytes = b"", page: bytes = b"", trailer: bytes = b"", objects: Iterable[bytes] = ()
) -> bytes:
    """A PDF with these content streams, one a page. `objects` are numbered from 4 + 2 * pages."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(len(pages)))
    made = [
        b"<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>",
        b"<< /Type /Pages /Kids [" + kids + b"] /Count %d >>" % len(pages),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, stream in enumerate(pages):
        made += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R " % (5 + 2 * at)
            + b"/Resources << /Font << /F1 3 0 R >> /XObject << /X1 %d 0 R >> >> " % (4 + 2 * len(pages))
            + page
            + b" >>",
            stream_of(stream),
        ]
    return written_pdf([*made, *objects], trailer)


def stream_of(content: bytes, more: bytes = b"") -> bytes:
    """A stream object."""
    return b"<< /Length %d " % len(content) + more + b" >>\nstream\n" + content + b"\nendstream"


def written_pdf(objects: Iterable[bytes], trailer: bytes = b"") -> bytes:
    """Numbered objects with their table; the first is the catalog."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R " % (len(places) + 1) + trailer
    out += b" >>\nstartxref\n%d\n%%%%EOF\n" % table
    return bytes(out)


def shown(text: bytes, x: int = 72, y: int = 700, before: bytes = b"", size: int = 12) -> bytes:
    """A text object."""
    return b"BT /F1 %d Tf %s %d %d Td (%s) Tj ET\n" % (size, before, x, y, text)


def docx(body: str, parts: Mapping[str, str | bytes] | None = None, links: Mapping[str, str] | None = None) -> bytes:
    """A DOCX with this XML within `w:body`. `links`: external targets of hyperlinks, by id."""
    related = "".join(
        f'<Relationship Id="{name}" Type="{_REFERENCES}/hyperlink" Target="{target}" TargetMode="External"/>'
        for name, target in (links or {}).items()
    )
    return zipped(
        {
            "[Content_Types].xml": TYPES,
            "word/document.xml": word("document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relationships(related),
            **(parts or {}),
        }
    )


def word(root: str, inner: str) -> str:
    """A part of WordprocessingML."""
    return f'<?xml version="1.0"?><w:{root} xmlns:w="{_WORD}" xmlns:r="{_REFERENCES}">{inner}</w:{root}>'


def relationships(inner: str) -> str:
    """A part of relationships."""
    return f'<?xml version="1.0"?><Relationships xmlns="{_RELATIONSHIPS}">{inner}</Relationships>'


def paragraph(text: str, run: str = "", own: str = "") -> str:
    """One paragraph of one run. `run` and `own`: properties of the run, and of the paragraph."""
    return f"<w:p><w:pPr>{own}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def zipped(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()
