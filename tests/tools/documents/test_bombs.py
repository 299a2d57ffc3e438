"""Documents that are made to harm their reader, or that are broken: each ends in one line, and this process is as it was."""

from __future__ import annotations

import gc
import os
import re
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.tools.documents.making import TYPES, docx, paragraph, pdf, shown, stream_of, word, written_pdf, zipped

from armslength.errors import ToolError
from armslength.tools.documents.confinement import MOST_BYTES, Confinement
from armslength.tools.documents.reading import read_document

SMALL = Confinement(memory=384 * 1024 * 1024, seconds=3)
_HELLO = pdf(shown(b"Hello"))
_LETTER = docx(paragraph("Hello"))
_ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
_LAUGHS = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY e0 "ha">{_ENTITIES}]><w>&e9;</w>'
_OUTSIDE = '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w>&x;</w>'
_KEYS = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (b"11" * 32, b"22" * 32)


def _body(content: str | bytes) -> bytes:
    """A DOCX whose body is this part."""
    return zipped({"[Content_Types].xml": TYPES, "word/document.xml": content})


def _spaces(megabytes: int) -> bytes:
    """A DOCX whose body unpacks to so much."""
    return _body(word("document", "<w:body>" + " " * (megabytes * 1_000_000) + "</w:body>"))


def _packed_twice(megabytes: int) -> bytes:
    """A content stream that unpacks to so much, packed twice."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(b" " * 1_000_000) for _ in range(megabytes)) + packer.flush()
    return stream_of(zlib.compress(once, 9), b"/Filter [/FlateDecode /FlateDecode]")


def _bomb_pdf() -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
        _packed_twice(500),
    ]
    return written_pdf(objects)


def _page_tree(kids: bytes, count: int) -> bytes:
    return written_pdf(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count)]
    )


def _same_names() -> bytes:
    """Two bodies: the name of the second is written over one of the same length."""
    parts = {"[Content_Types].xml": TYPES, "word/document.xml": word("document", ""), "word/dokument.xml": "<w/>"}
    return zipped(parts).replace(b"word/dokument.xml", b"word/document.xml")


def _flagged() -> bytes:
    """Marked as encrypted in its list of files."""
    at = _LETTER.index(b"PK\x01\x02") + 8
    return _LETTER[:at] + b"\x01" + _LETTER[at + 1 :]


def _many_files() -> bytes:
    return zipped({f"{number}": b"" for number in range(20_000)}, zipfile.ZIP_STORED)


def _wrong_sum() -> bytes:
    """A body that is not what its checksum says."""
    plain = zipped({"[Content_Types].xml": TYPES, "word/document.xml": word("document", "")}, zipfile.ZIP_STORED)
    return plain.replace(b"<w:document", b"<x:document")


DAMAGED_PDF = "document: it cannot be read as PDF: it is damaged or cut off"
DAMAGED_DOCX = "document: it cannot be read as DOCX: it is damaged or cut off"
TOO_DEEP = "document: it is nested too deeply to be read"
ENTITIES = "document: its XML declares types or entities, which no DOCX needs, so it is not read"
EXPANDS = "document: it unpacks to more than is read"
ENCRYPTED = "document: it is encrypted; save it without a password and ask again"
UNKNOWN = "document: no kind that is known; PDF, DOCX, HTML, CSV and plain text are read"
TWICE = "document: it holds two files of one name, so programs would read different ones; it is not read"
NO_DOCX = "document: an archive that is no DOCX; PDF, DOCX, HTML, CSV and plain text are read"
TIME = "document: reading it takes more than 3 seconds"
STOPPED = "document: the reader of PDF stopped on it: it is damaged, or needs more memory than is allowed"


def _is(what: str) -> str:
    return f"document: {what}; PDF, DOCX, HTML, CSV and plain text are read"


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a PDF of its head alone": (lambda: b"%PDF-1.7\n", DAMAGED_PDF),
    "a PDF cut off in its objects": (lambda: _HELLO[: len(_HELLO) // 3], DAMAGED_PDF),
    "a PDF of noise": (lambda: b"%PDF-1.7\n" + bytes(range(1, 256)) * 4_000, DAMAGED_PDF),
    "a PDF with a password": (lambda: pdf(shown(b"x"), trailer=_KEYS), ENCRYPTED),
    "a PDF whose pages contain themselves": (lambda: _page_tree(b"2 0 R", 1), DAMAGED_PDF),
    "a PDF without pages": (lambda: _page_tree(b"", 0), DAMAGED_PDF),
    "a PDF that says it has two billion pages": (lambda: _page_tree(b"", 2_000_000_000), DAMAGED_PDF),
    "a PDF whose catalog is a number": (lambda: written_pdf([b"7"]), DAMAGED_PDF),
    "a PDF of arrays within arrays": (lambda: written_pdf([b"[" * 2_000_000]), DAMAGED_PDF),
    "a PDF whose page unpacks to 500 megabytes": (_bomb_pdf, STOPPED),
    "a DOCX that unpacks to 80 megabytes": (lambda: _spaces(80), EXPANDS),
    "a DOCX with a billion laughs": (lambda: _body(_LAUGHS), ENTITIES),
    "a DOCX that names a file outside": (lambda: _body(_OUTSIDE), ENTITIES),
    "a DOCX of elements within elements": (lambda: _body("<w>" * 100_000), TOO_DEEP),
    "a DOCX with an unclosed element": (lambda: _body("<w>"), DAMAGED_DOCX),
    "a DOCX with an empty body part": (lambda: _body(""), DAMAGED_DOCX),
    "a DOCX in a character set that is none": (
        lambda: _body(b'<?xml version="1.0" encoding="utf-7"?><w/>'),
        DAMAGED_DOCX,
    ),
    "a DOCX with two bodies": (_same_names, TWICE),
    "a DOCX that is marked as encrypted": (_flagged, ENCRYPTED),
    "a DOCX of 20,000 files": (_many_files, EXPANDS),
    "a DOCX cut off before its list of files": (lambda: _LETTER[:-60], DAMAGED_DOCX),
    "a DOCX packed in an unusual way": (
        lambda: zipped({"[Content_Types].xml": TYPES, "word/document.xml": word("document", "")}, zipfile.ZIP_LZMA),
        DAMAGED_DOCX,
    ),
    "a DOCX with a wrong checksum": (_wrong_sum, DAMAGED_DOCX),
    "an archive of something else": (lambda: zipped({"xl/workbook.xml": b"<x/>"}), NO_DOCX),
    "an archive without files": (lambda: zipped({}), _is("an empty archive")),
    "the head of an archive": (lambda: b"PK\x03\x04", DAMAGED_DOCX),
    "an old or encrypted Office file": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
        _is("a file of an old Office program, or an encrypted one"),
    ),
    "a program": (lambda: b"\x7fELF" + bytes(100), _is("a program")),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), _is("a picture")),
    "a packed file": (lambda: b"\x1f\x8b\x08" + bytes(100), _is("an archive")),
    "an RTF file": (lambda: b"{\\rtf1 x}", _is("an RTF file")),
    "zeros": (lambda: bytes(1_000_000), UNKNOWN),
    "text with a zero": (lambda: b"Hello\0", UNKNOWN),
    "a file that is too large": (
        lambda: b"a" * (MOST_BYTES + 1),
        "document: it is over the limit of 25,000,000 bytes",
    ),
}


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _resident() -> int:
    """Bytes of memory that this process holds."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


def _children() -> set[int]:
    """The processes of this one, those that ended and were not asked for among them; servers of other tests may run."""
    own = f" {os.getpid()} "
    found = set()
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            before, _, after = each.read_text("utf-8", "replace").rpartition(")")
            if f" {after.split()[1]} " == own:
                found.add(int(before.partition(" ")[0]))
    return found


@pytest.mark.parametrize("named", BOMBS)
def test_a_document_bomb_ends_in_one_line(named: str) -> None:
    """The reader says what is wrong without a word of the document; no file stays open, no process is left, no memory is kept."""
    make, line = BOMBS[named]
    content = make()
    gc.collect()
    files, memory, children = _open_files(), _resident(), _children()
    with pytest.raises(ToolError) as raised:
        read_document(content, "harmless.txt", SMALL)
    assert str(raised.value) == line
    assert _open_files() == files
    assert _resident() - memory < 16_000_000
    assert _children() == children


_CUT = "cut here: more text follows"
LONG: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "a page nested deeply": (
        lambda: b"<html>" + b"<div>" * 100_000 + b"x",
        "",
        "[too deeply nested to be read as a page: text may have been hidden]",
    ),
    "a page of one long line": (
        lambda: b"<html><p>" + b"x " * 5_000_000,
        "cut here: only 8,000,000 bytes are read",
        "",
    ),
    "a text of line ends": (lambda: b"\n" * 20_000_000, _CUT, ""),
    "a text of one line": (lambda: b"x" * 20_000_000, _CUT, ""),
    "a text of form feeds": (lambda: b"\f" * 1_000_000, "cut here: only 2,000 pages are read", ""),
    "a table of commas": (lambda: b"name.csv," + b"," * 10_000_000, _CUT, ""),
    "a PDF of many pages": (
        lambda: pdf(*[b""] * 2_100),
        "cut here: 2,000 of 2,100 pages are read",
        "",
    ),
    "a PDF of one huge page": (
        lambda: pdf(shown(b"x")).replace(b"[0 0 612 792]", b"[0 0 99999999 99999999]"),
        "",
        "x",
    ),
    "a PDF of many shapes": (
        lambda: pdf(b"1 0 0 rg 0 0 9 9 re f " * 20_000 + shown(b"x")),
        "page 1 has more shapes than are looked at: text may have been hidden",
        "x",
    ),
    "a DOCX of many paragraphs": (lambda: docx("<w:p/>" * 150_000), _CUT, ""),
}


@pytest.mark.parametrize("named", LONG)
def test_a_long_document_is_cut_and_says_so(named: str) -> None:
    """What is bounded without harm is read up to there; no more than that comes out, and nothing stays open."""
    make, note, line = LONG[named]
    content = make()
    files = _open_files()
    document = read_document(content, "name.csv" if "table" in named else "", Confinement(seconds=15))
    assert not note or note in document.notes
    assert not line or line in [each.text for page in document.pages for each in page.lines]
    assert sum(len(each.text) for page in document.pages for each in page.lines) <= 2_000_000
    assert _open_files() == files
