"""What kind a document is, by its first bytes. What others call it only tells kinds of plain text apart.

Source of the signatures: the formats' own; WHATWG MIME Sniffing, "matching an archive type pattern" and what follows.
"""

from __future__ import annotations

import re

from armslength.errors import ToolError
from armslength.tools.documents.document import Kind

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_BINARY: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "a file of an old Office program, or an encrypted one"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture, sound or film"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"\x1f\x8b", "an archive"),
    (b"PK\x05\x06", "an empty archive"),
)
"""Those that begin like a word are so if there is a zero byte in them: a letter may be from MZ & Sons."""
_MARKED_UP = ((b"{\\rtf", "an RTF file"), (b"%!PS", "a PostScript file"))
_HTML = re.compile(rb"\s*(?:<!--[^>]{0,200}-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_NAMES = frozenset({"text/html", "application/xhtml+xml", "html", "htm", "xhtml"})
_CSV_NAMES = frozenset({"text/csv", "text/tab-separated-values", "csv", "tsv"})
_LOOKED_AT = 1_024
_CHARSET = re.compile(rb"\bcharset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_CHARSETS = (
    {f"windows-{page}": f"cp{page}" for page in range(1250, 1258)}
    | {f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)}
    | dict.fromkeys(("us-ascii", "iso-8859-1", "latin1"), "cp1252")
    | {"iso-8859-9": "cp1254", "koi8-r": "koi8-r", "koi8-u": "koi8-u", "ibm866": "cp866", "shift_jis": "shift_jis"}
    | {
        "euc-jp": "euc_jp",
        "euc-kr": "euc_kr",
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "gb18030": "gb18030",
        "big5": "big5",
    }
)
"""Source: WHATWG Encoding, the names that are used most."""


def kind_of(content: bytes, declared: str) -> Kind:
    """The kind of these bytes, or the last branch refuses.

    Raises:
        ToolError: of none that is read.
    """
    head = content[:_LOOKED_AT]
    begun = head.removeprefix(_BOMS[0]).lstrip(b" \t\r\n\f\0")
    if begun.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return "docx"
    is_text = head.isascii() and b"\0" not in content
    looked_for = _MARKED_UP if is_text else _BINARY + _MARKED_UP
    found = next((what for signature, what in looked_for if head.startswith(signature)), None)
    if found is not None:
        raise ToolError(f"document: {found}; PDF, DOCX, HTML, CSV and plain text are read")
    if b"\0" in content and not head.startswith(_BOMS):
        raise ToolError("document: no kind that is known; PDF, DOCX, HTML, CSV and plain text are read")
    named = _named(declared)
    if named in _HTML_NAMES or _HTML.match(begun):
        return "html"
    return "csv" if named in _CSV_NAMES else "text"


def is_document(content: bytes) -> bool:
    """Whether these bytes are a PDF, or an archive such as a DOCX: no text, whatever they are called."""
    begun = content[:_LOOKED_AT].removeprefix(_BOMS[0]).lstrip(b" \t\r\n\f\0")
    return begun.startswith(b"%PDF-") or content.startswith(b"PK\x03\x04")


def charset_of(content: bytes, declared: str) -> str:
    """The character set that a media type or the head of a page names, as Python calls it; nothing if it is none of the list."""
    found = _CHARSET.search(declared[:_LOOKED_AT].encode("ascii", "replace")) or _CHARSET.search(content[:_LOOKED_AT])
    return "" if found is None else _CHARSETS.get(found[1].decode("ascii").lower(), "")


def _named(declared: str) -> str:
    """A media type without its parameters, or what stands behind the last dot of a file name, in lower case."""
    whole = declared[:1_000].partition(";")[0].strip().lower()
    is_type = re.fullmatch(r"[\w.+-]+/[\w.+-]+", whole, re.ASCII) is not None and whole.partition("/")[0] in _TYPES
    return whole if is_type else whole.rpartition(".")[2]


_TYPES = frozenset({"application", "audio", "image", "message", "text", "video"})
