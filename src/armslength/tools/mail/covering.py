"""What of a message its signer signed, by the names in `h=` of a DKIM-Signature and by what stands in the message now.

Whoever passes a signed message on may put fields above the signed ones (RFC 6376, sections 5.4.2 and 8.15), so a field counts as its signer's
only where each of that name is signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from armslength.tools.mail.headers import Fields, Parameters, read_parameters


class Cover(IntEnum):
    """NOTHING that could be called the sender's words; WORDS: From, Subject and body; WHOLE: also to whom, when, and after which mails."""

    NOTHING = 0
    WORDS = 1
    WHOLE = 2


_WORDS = ("from", "subject")
_AROUND = ("sender", "reply-to", "to", "cc", "date", "message-id", "in-reply-to", "references")
_READING = ("content-type", "content-transfer-encoding", "content-disposition")
COVERED = frozenset({*_WORDS, *_AROUND, *_READING})
"""Every field of its head that a message is read by. What is read by another one would be whoever's passed the message on."""
_SINGLE = frozenset({*COVERED, "bcc", "mime-version", "content-id"})
_CHARSETS = frozenset({"", "us-ascii", "ascii", "utf-8"})
_OTHER_CHARSETS = frozenset({"iso-8859-1", "iso-8859-15", "windows-1252"})
_OF_TEXT = frozenset({"charset", "format", "delsp"})
_MIXTURES = frozenset({"multipart/mixed", "multipart/alternative", "multipart/related"})
_AS_IT_IS = frozenset({"", "7bit", "8bit", "binary"})


def has_each_once(fields: Fields) -> bool:
    """No field that may stand once (RFC 5322, section 3.6; RFC 2045, section 3) stands twice. A second one is somebody else's."""
    names = [name for name, _ in fields.fields if name in _SINGLE]
    return len(names) == len(set(names))


def cover(raw: bytes, fields: Fields, signed: Iterable[str]) -> Cover:
    """What a signature over the fields `signed` (lower case) and the whole body covers of this message.

    How the body is read may be unsigned where it says the same without.
    """
    names = frozenset(signed)
    there = {name for name, _ in fields.fields}
    if not has_each_once(fields) or not there.intersection(_WORDS) <= names or "from" not in names:
        return Cover.NOTHING
    body = raw[fields.body_start :]
    if not all(name in names or _changes_nothing(name, body, fields) for name in there.intersection(_READING)):
        return Cover.NOTHING
    return Cover.WHOLE if there.intersection(_AROUND) <= names else Cover.WORDS


def signed_names(tags: Mapping[str, str]) -> list[str]:
    """The fields that a signature with these tags says it is over, lower case."""
    return [name.strip(" \t\r\n").lower() for name in tags.get("h", "").split(":")]


def _changes_nothing(name: str, body: bytes, fields: Fields) -> bool:
    """Whether the body says with this field what it says without: whoever passed it on may have put the field there, or another in its place."""
    found = read_parameters(fields.first(name))
    match name:
        case "content-type":
            charset = found.parameters.get("charset", "").lower()
            is_text = found.value in ("", "text/plain") and found.parameters.keys() <= _OF_TEXT
            is_coded = not _is_as_it_is(body, read_parameters(fields.first("content-transfer-encoding")).value)
            is_same = charset in _CHARSETS or (charset in _OTHER_CHARSETS and body.isascii() and not is_coded)
            return (is_text and is_same) or _is_one_part(body, found)
        case "content-transfer-encoding":
            return _is_as_it_is(body, found.value)
        case "content-disposition":
            return found.value in ("", "inline") and not found.parameters
        case _:
            return False


def _is_one_part(body: bytes, kind: Parameters) -> bool:
    """One part that begins with the body and ends with it: there is nothing that another kind of mixture, or another boundary, would drop."""
    mark = b"--" + kind.parameters.get("boundary", "").encode("utf-8", "replace")
    lines = [line.rstrip(b" \t\r") for line in body.strip(b"\r\n").split(b"\n")]
    marks = [at for at, line in enumerate(lines) if line in (mark, mark + b"--")]
    is_whole = marks == [0, len(lines) - 1] and (lines[0], lines[-1]) == (mark, mark + b"--")
    return kind.value in _MIXTURES and kind.parameters.keys() == {"boundary"} and is_whole


def _is_as_it_is(body: bytes, encoding: str) -> bool:
    return encoding in _AS_IT_IS or (encoding == "quoted-printable" and b"=" not in body)
