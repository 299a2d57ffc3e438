"""What of a message its signer signed, by the names in `h=` of a DKIM-Signature and by what stands in the message now.

Whoever passes a signed message on may put fields above the signed ones (RFC 6376, sections 5.4.2 and 8.15), so a field counts as its signer's
only where each of that name is signed.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from enum import IntEnum

from armslength.tools.mail.headers import Fields, read_parameters


class Cover(IntEnum):
    """NOTHING that could be called the sender's words; WORDS: From, Subject and body; WHOLE: also to whom, when, and after which mails."""

    NOTHING = 0
    WORDS = 1
    WHOLE = 2


_WORDS = ("from", "subject")
_AROUND = ("sender", "reply-to", "to", "cc", "date", "message-id", "in-reply-to", "references")
_READING = ("content-type", "content-transfer-encoding")
_SINGLE = frozenset({*_WORDS, *_AROUND, *_READING, "bcc", "mime-version", "content-disposition", "content-id"})
_CHARSETS = frozenset({"", "us-ascii", "ascii", "utf-8", "iso-8859-1", "iso-8859-15", "windows-1252"})
_ENCODINGS = frozenset({"", "7bit", "8bit", "quoted-printable"})
_BASE64 = string.ascii_letters.encode() + string.digits.encode() + b"+/=\r\n"


def has_each_once(fields: Fields) -> bool:
    """No field that may stand once (RFC 5322, section 3.6; RFC 2045, section 3) stands twice. A second one is somebody else's."""
    names = [name for name, _ in fields.fields if name in _SINGLE]
    return len(names) == len(set(names))


def cover(raw: bytes, fields: Fields, signed: Iterable[str]) -> Cover:
    """What a signature over the fields `signed` (lower case) and the whole body covers of this message.

    How the body is read may be unsigned, as large providers leave it, where it can only be read in one way.
    """
    names = frozenset(signed)
    there = {name for name, _ in fields.fields}
    if not has_each_once(fields) or not there.intersection(_WORDS) <= names or "from" not in names:
        return Cover.NOTHING
    if not there.intersection(_READING) <= names and not _reads_one_way(raw, fields):
        return Cover.NOTHING
    return Cover.WHOLE if there.intersection(_AROUND) <= names else Cover.WORDS


def signed_names(tags: Mapping[str, str]) -> list[str]:
    """The fields that a signature with these tags says it is over, lower case."""
    return [name.strip(" \t\r\n").lower() for name in tags.get("h", "").split(":")]


def _reads_one_way(raw: bytes, fields: Fields) -> bool:
    """Text that anybody may call plain, or parts whose first boundary is the body's first line: another boundary would hide what precedes it."""
    kind = read_parameters(fields.first("content-type"))
    encoding = read_parameters(fields.first("content-transfer-encoding")).value
    body = raw[fields.body_start :].strip(b"\r\n")
    match kind.value.partition("/"):
        case ("", _, _) | ("text", _, "plain"):
            is_known = kind.parameters.get("charset", "").lower() in _CHARSETS
            return is_known and (encoding in _ENCODINGS or (encoding == "base64" and _is_base64(body)))
        case ("multipart", _, "mixed" | "alternative" | "related" | "signed" | "report"):
            mark = b"--" + kind.parameters.get("boundary", "").encode("utf-8", "replace")
            lines = body.partition(b"\n")[0], body.rpartition(b"\n")[2]
            return [line.rstrip(b" \t\r") for line in lines] == [mark, mark + b"--"] and encoding in _ENCODINGS
        case _:
            return False


def _is_base64(body: bytes) -> bool:
    return not body.translate(None, _BASE64)
