"""What a host answered as text, by the type that it says: pages, plain text, tables, JSON. Pages and documents are parsed elsewhere.

Sources: RFC 9110 (8.3), the HTML standard (4.2.5.4, 13.2.3.2), the encoding standard's table of labels (WHATWG).
"""

from __future__ import annotations

import codecs
import re

from armslength.errors import ToolError
from armslength.tools.documents.confinement import USUAL, Confinement
from armslength.tools.documents.pages import page_text
from armslength.tools.documents.reading import read_document
from armslength.tools.web.address import WebAddress

MOST_CHARACTERS = 1_000_000
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_TEXTS = frozenset(
    {
        "text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "text/calendar", "text/vcard", "text/xml", "text/x-rst",
        "application/xml", "application/rss+xml", "application/atom+xml", "application/json", "application/ld+json",
        "application/feed+json", "application/geo+json", "application/problem+json", "application/yaml", "text/yaml",
    }
)  # fmt: skip
_DOCUMENTS = frozenset({"application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"})
_CHARSETS = {
    "utf-8": "utf-8", "utf8": "utf-8", "us-ascii": "cp1252", "ascii": "cp1252", "iso-8859-1": "cp1252", "latin1": "cp1252",
    "windows-1252": "cp1252", "iso-8859-2": "iso8859-2", "iso-8859-5": "iso8859-5", "iso-8859-7": "iso8859-7", "iso-8859-9": "cp1254",
    "iso-8859-15": "iso8859-15", "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1253": "cp1253", "windows-1254": "cp1254",
    "windows-1255": "cp1255", "windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258", "koi8-r": "koi8-r",
    "koi8-u": "koi8-u", "shift_jis": "cp932", "shift-jis": "cp932", "euc-jp": "euc_jp", "gb2312": "gb18030", "gbk": "gb18030",
    "gb18030": "gb18030", "big5": "big5hkscs", "euc-kr": "cp949", "utf-16": "utf-16-le", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be",
}  # fmt: skip
"""Only what takes time and gives text in proportion to what comes in; no codec of Python's that does anything else."""
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_PARAMETER = re.compile(r";\s*charset\s*=\s*\"?([\w.:-]{1,40})", re.IGNORECASE | re.ASCII)
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_LOOKED_AT = 1_024  # bytes in which a page says its charset


def text_of(declared: str, content: bytes, page: WebAddress, confinement: Confinement = USUAL) -> str:
    """The text of an answer. `declared`: its Content-Type. Links of a page stand with their whole address; pages and documents are parsed confined.

    Raises:
        ToolError: it is of a type that is not read, or is no text although it says so.
    """
    kind = declared.partition(";")[0].strip().lower()
    if kind in _DOCUMENTS:
        return read_document(content, kind, confinement, page.url).text
    if kind not in _PAGES | _TEXTS:
        raise ToolError(
            f"web: what is there is {_named(kind)}, which is not read; pages, plain text, tables and JSON are"
        )
    text = _decoded(content, declared, is_page=kind in _PAGES)
    if "\0" in text:
        raise ToolError("web: what is there is said to be text, and is none")
    if kind in _PAGES:
        return page_text(text, page.url, confinement)
    rest = len(text) - MOST_CHARACTERS
    return text[:MOST_CHARACTERS] + (f"\n[cut here: {rest} more characters]" if rest > 0 else "")


def _named(kind: str) -> str:
    """What the host says that it is, if that is the form of a type."""
    return kind if re.fullmatch(r"[a-z]{1,20}/[a-z0-9.+-]{1,60}", kind) else "of a type that the host does not say"


def _decoded(content: bytes, declared: str, *, is_page: bool) -> str:
    """By the mark at its beginning, by what the host says, by what a page says of itself, or as UTF-8, or as the web's old default."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(codec, "replace")
    said = _said_by_host(declared) or (_said_by_page(content) if is_page else None)
    if said is not None:
        return content.decode(said, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _said_by_host(declared: str) -> str | None:
    named = _PARAMETER.search(declared)
    return None if named is None else _CHARSETS.get(named[1].lower())


def _said_by_page(content: bytes) -> str | None:
    named = _DECLARED.search(content[:_LOOKED_AT])
    codec = None if named is None else _CHARSETS.get(named[1].decode("ascii").lower())
    return "utf-8" if codec in ("utf-16-le", "utf-16-be") else codec  # it was read as ASCII just now
