"""PDF as lines, page by page, with their places; text that is not seen is marked, scripts and files in it are named.

By pdfium, which has no JavaScript here, draws nothing and asks for nothing. Source: its public headers; ISO 32000-2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ctypes import POINTER, addressof, byref, c_double, c_float, cast, create_string_buffer
from typing import Any

import pypdfium2_raw as pdfium

from armslength.tools.documents.marks import Mark, Marked
from armslength.tools.documents.pdf_paint import Box, Painting
from armslength.tools.documents.wire import MOST_CHARACTERS, MOST_PAGES, Failed, Output, Reader

_TINY = 3.0  # points
_MOST_ASIDE = 300  # links, comments and fields of a page
_LONGEST_ASIDE = 4_000  # characters
_MOST_NAMES = 10
_HYPHEN = 2  # what pdfium gives for one at the end of a line
_SCRIPT = re.compile(rb"/(?:JavaScript|JS)\b")
_LAUNCH = re.compile(rb"/Launch\b")


def read_pdf(content: bytes, charset: str, output: Output) -> None:
    """All pages, then what else it holds."""
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(content, len(content), None)
    if not document:
        is_locked = pdfium.FPDF_GetLastError() in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
        raise Failed("encrypted" if is_locked else "damaged")
    count = pdfium.FPDF_GetPageCount(document)
    if count < 1:
        raise Failed("damaged")
    for note in _notes(document, content):
        output.note(note)
    unread = [number for number in range(1, min(count, MOST_PAGES) + 1) if not _read_page(document, number, output)]
    if len(unread) == count:
        raise Failed("damaged")
    if output.is_blank:
        output.note("no page has text; what it shows as pictures was not read")
    if unread:
        output.note(f"{len(unread):,} pages cannot be read, the first is page {unread[0]:,}")
    if count > MOST_PAGES:
        output.note(f"cut here: {MOST_PAGES:,} of {count:,} pages are read")


def _read_page(document: Any, number: int, output: Output) -> bool:
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        return False
    text = pdfium.FPDFText_LoadPage(page)
    output.page(number)
    if text:
        painting = Painting(_crop(page))
        painting.read(page)
        _Lines(text, painting, output).read()
        pdfium.FPDFText_ClosePage(text)
        if painting.is_partial:
            output.note(f"page {number} has more shapes than are looked at: text may have been hidden")
    for aside in _asides(document, page):
        output.line(f"[{aside}]")
    pdfium.FPDF_ClosePage(page)
    return bool(text)


def _crop(page: Any) -> Box:
    """What is shown of a page."""
    for get in (pdfium.FPDFPage_GetCropBox, pdfium.FPDFPage_GetMediaBox):
        edges = [c_float() for _ in range(4)]
        if get(page, *map(byref, edges)):
            left, bottom, right, top = (edge.value for edge in edges)
            if abs(right - left) >= 1 and abs(top - bottom) >= 1:  # else pdfium takes another one
                return Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    return Box(0, 0, pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page))


class _Lines:
    """The characters of a page, gathered into lines in pdfium's order."""

    def __init__(self, text: Any, painting: Painting, output: Output) -> None:
        self._text, self._painting, self._output = text, painting, output
        self._line, self._place = Marked(), (0.0, 0.0)
        self._is_begun = False
        self._mark: Mark = ""
        self._tiny: dict[int, bool] = {}
        self._edges = [c_double() for _ in range(4)]

    def read(self) -> None:
        """All of them, as lines of the output."""
        last = 0
        is_new_word = True
        for at in range(min(pdfium.FPDFText_CountChars(self._text), MOST_CHARACTERS)):
            code = pdfium.FPDFText_GetUnicode(self._text, at)
            if code in (10, 13):
                self._end_line()
                is_new_word = True
                continue
            thing = pdfium.FPDFText_GetTextObject(self._text, at)
            address = addressof(thing.contents) if thing else 0
            char = "-" if code == _HYPHEN else chr(code) if 0 < code < 0x110000 else "\ufffd"
            if char.isspace() or not address:
                self._line.add(char, self._mark if self._is_begun else "")
                is_new_word = True
                continue
            if is_new_word or address != last:
                self._look_at(at, address)
            self._line.add(char, self._mark)
            is_new_word, last = False, address
        self._end_line()

    def _look_at(self, at: int, address: int) -> None:
        """Where a word or a text object begins: whether it is seen there."""
        left, right, bottom, top = self._edges
        if not pdfium.FPDFText_GetCharBox(self._text, at, *map(byref, self._edges)):
            self._mark = ""
            return
        if not self._is_begun:
            self._place, self._is_begun = (left.value, self._top(at) or top.value), True
        self._mark = self._painting.mark(address, (left.value + right.value) / 2, (bottom.value + top.value) / 2)
        if not self._mark and self._is_tiny(at, address):
            self._mark = "tiny"

    def _top(self, at: int) -> float:
        """Of the line, whichever its first character is."""
        box = pdfium.FS_RECTF()
        return float(max(box.top, box.bottom)) if pdfium.FPDFText_GetLooseCharBox(self._text, at, byref(box)) else 0

    def _is_tiny(self, at: int, address: int) -> bool:
        if address not in self._tiny:
            box = pdfium.FS_RECTF()
            is_known = pdfium.FPDFText_GetLooseCharBox(self._text, at, byref(box))
            self._tiny[address] = bool(is_known) and 0 < abs(box.top - box.bottom) < _TINY
        return self._tiny[address]

    def _end_line(self) -> None:
        text, crop = self._line.take().rstrip(), self._painting.crop
        if text:
            whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            self._output.line(whole, self._place[0] - crop.left, crop.top - self._place[1])
        self._place, self._is_begun, self._mark = (0.0, 0.0), False, ""


# --- beside the text --------------------------------------------------------------------------------------------------


def _asides(document: Any, page: Any) -> Iterator[str]:
    """Links, comments and fields of a page, as it names them."""
    for at in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ASIDE)):
        annotation = pdfium.FPDFPage_GetAnnot(page, at)
        if not annotation:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_LINK:
            if target := _target(document, annotation):
                yield f"link: {target}"
        elif kind == pdfium.FPDF_ANNOT_WIDGET:
            if value := _string(annotation, b"V"):
                yield f"field {_string(annotation, b'T')}: {value}"
        elif comment := _string(annotation, b"Contents"):
            yield f"comment: {comment}"
        pdfium.FPDFPage_CloseAnnot(annotation)


def _target(document: Any, annotation: Any) -> str:
    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    match pdfium.FPDFAction_GetType(action) if action else pdfium.PDFACTION_UNSUPPORTED:
        case pdfium.PDFACTION_URI:
            found = _bytes(lambda buffer, size: pdfium.FPDFAction_GetURIPath(document, action, buffer, size))
            return " ".join(found.rstrip(b"\0").decode("utf-8", "replace").split())
        case pdfium.PDFACTION_LAUNCH:
            return "a program would be started"
        case _:
            return ""


def _string(annotation: Any, key: bytes) -> str:
    found = _bytes(
        lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, _as(buffer, pdfium.FPDF_WCHAR), size)
    )
    return _utf16(found)


def _utf16(content: bytes) -> str:
    """Text of pdfium's, on one line."""
    text = content.decode("utf-16-le", "replace").rstrip("\0")
    return " ".join(text.split())[:_LONGEST_ASIDE]


def _as(buffer: Any, kind: Any) -> Any:
    return None if buffer is None else cast(buffer, POINTER(kind))


def _bytes(get: Callable[[Any, int], int]) -> bytes:
    """What a function of pdfium's writes into a buffer whose size it tells."""
    size = get(None, 0)
    if not 0 < size <= 4 * _LONGEST_ASIDE:
        return b""
    buffer = create_string_buffer(size)
    get(buffer, size)
    return buffer.raw


def _notes(document: Any, content: bytes) -> Iterator[str]:
    if pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0 or _SCRIPT.search(content):
        yield "it holds JavaScript, which was not run"
    if _LAUNCH.search(content):
        yield "it would start a program, which was not started"
    if pdfium.FPDF_GetFormType(document) in (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND):
        yield "it holds an XFA form, which was not read"
    count = pdfium.FPDFDoc_GetAttachmentCount(document)
    if count > 0:
        names = [_attached(document, at) for at in range(min(count, _MOST_NAMES))]
        yield f"it holds other files, which were not read: {', '.join(names)}"


def _attached(document: Any, at: int) -> str:
    attachment = pdfium.FPDFDoc_GetAttachment(document, at)
    if not attachment:
        return "one without a name"
    found = _bytes(lambda buffer, size: pdfium.FPDFAttachment_GetName(attachment, _as(buffer, pdfium.FPDF_WCHAR), size))
    return _utf16(found)[:100]


READERS: dict[str, Reader] = {"pdf": read_pdf}
