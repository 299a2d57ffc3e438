"""Header fields of a message from bytes: splitting, charsets, encoded words, parameters, addresses, dates.

Written by hand and not with `email.policy.default`, which raises on some fields, while `compat32` splits lines at bare CR
and takes `a@x <b@y>` apart leniently; both would let a sender write fields that the mail server did not see.
Sources: RFC 5322, 2047, 2231, WHATWG Encoding. Nothing here raises, whatever the bytes.
"""

from __future__ import annotations

import binascii
import codecs
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MOST_HEADER_BYTES = 256 * 1024
_MOST_FIELDS = 2_000
_MOST_VALUE = 64 * 1024
_MOST_ADDRESSES = 1_000


@dataclass(frozen=True, slots=True)
class Address:
    """A mailbox as someone wrote it; `address` is '' if it is not plainly `local@domain` in ASCII."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The header block: (lower-case name, unfolded value) from the top, where the body begins, what was wrong.

    `is_cut`: of a value more was there than is kept, so what it says is not known.
    """

    fields: tuple[tuple[str, bytes], ...]
    body_start: int
    is_broken: bool
    is_cut: bool = False

    def all(self, name: str) -> list[bytes]:
        """The values of every field of that (lower-case) name, topmost first."""
        return [value for one, value in self.fields if one == name]

    def first(self, name: str) -> bytes:
        """The topmost value, or b''."""
        return next(iter(self.all(name)), b"")


_LINE = re.compile(rb"[^\n]*\n?")
_NAME = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")


def split_fields(raw: bytes, start: int = 0, end: int | None = None) -> Fields:
    """The header block at `start`. Only LF ends a line, as for a mail server; the first line that is no field ends it."""
    end = len(raw) if end is None else end
    limit = min(end, start + MOST_HEADER_BYTES)
    if raw.startswith((b"From ", b">From "), start, limit):  # the line that an mbox writer put before the message
        start = _LINE.match(raw, start, end).end()  # type: ignore[union-attr]  # the pattern matches anything
    fields: list[tuple[str, list[bytes]]] = []
    at = start
    while at < limit:
        after = raw.find(b"\n", at, limit) + 1 or limit
        line = raw[at:after].rstrip(b"\r\n")
        if not line:
            return _joined(fields, after, is_broken=False)
        name = _NAME.match(line)
        if line[:1] in b" \t" and fields:
            fields[-1][1].append(line)
        elif name is not None and len(fields) < _MOST_FIELDS:
            fields.append((name.group(1).decode("ascii").lower(), [line[name.end() :]]))
        else:
            return _joined(fields, at, is_broken=True)
        at = after
    return _joined(fields, at, is_broken=limit < end)


def _joined(fields: list[tuple[str, list[bytes]]], body_start: int, *, is_broken: bool) -> Fields:
    whole = [(name, b"".join(lines)) for name, lines in fields]
    kept = tuple((name, value[:_MOST_VALUE].strip(b" \t")) for name, value in whole)
    is_cut = any(len(value) > _MOST_VALUE for _, value in whole)
    return Fields(kept, body_start, is_broken=is_broken, is_cut=is_cut)


# --- charsets ---------------------------------------------------------------------------------------------------------

_CHARSETS = re.compile(
    r"utf-?(?:8(?:-sig)?|7|16(?:-[lb]e)?|32(?:-[lb]e)?)|ascii|iso8859-\d+|cp(?:125\d|437|8\d\d|9\d\d)|koi8-[ru]|gb2312|gbk|"
    r"gb18030|hz|big5(?:hkscs)?|euc_(?:jp|kr|jis_2004|jisx0213)|shift_jis(?:_2004|x0213)?|iso2022_(?:jp|kr)[\d_a-z]*|johab|"
    r"mac-[a-z]+|tis-620|ptcp154"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text from bytes; `is_guess` if the charset named was missing, unknown or wrong."""

    text: str
    is_guess: bool


def decode(data: bytes, charset: str) -> Decoded:
    """The text of `data`: by the charset named, if it is one for text and fits, else UTF-8, else Windows-1252."""
    name = _charset_name(charset)
    if name is not None:
        try:
            return Decoded(_whole(data.decode(name)), is_guess=False)
        except (UnicodeError, ValueError):
            pass
    for guess in ("utf-8", "cp1252"):
        try:
            return Decoded(data.decode(guess), is_guess=bool(charset) or guess != "utf-8")
        except UnicodeDecodeError:
            continue
    return Decoded(_whole(data.decode(name or "cp1252", "replace")), is_guess=True)


def _charset_name(charset: str) -> str | None:
    charset = charset.strip(" \"'").lower()
    if not charset.isascii() or not 0 < len(charset) < 40:
        return None
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return None
    if name in ("iso8859-1", "ascii"):
        return "cp1252" if name == "iso8859-1" else "ascii"
    return name if _CHARSETS.fullmatch(name) else None


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# --- text in fields ---------------------------------------------------------------------------------------------------

_WORD = re.compile(r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bBqQ])\?([^?\s]{0,4000}|[^?\r\n]{0,200})\?=")
_BREAKS = re.compile(r"[\r\n\x0b\x0c\x85\u2028\u2029]+")


def decode_field(value: bytes) -> Decoded:
    """The text of an unstructured field: 8-bit characters, then encoded words (RFC 2047); always one line."""
    outer = decode(value, "")
    inner = decode_words(outer.text)
    return Decoded(inner.text, outer.is_guess or inner.is_guess)


def decode_words(text: str) -> Decoded:
    """Encoded words decoded, the space between two of them dropped; line breaks and NUL are replaced."""
    pieces: list[str] = []
    at, pending, is_guess = 0, None, False  # `pending`: bytes and charset of words not yet decoded
    for word in _WORD.finditer(text):
        between = text[at : word.start()]
        charset, data = word.group(1).lower(), _word_bytes(word.group(2), word.group(3))
        if pending is not None and not between.strip():
            if pending[0] == charset:  # one character may be split over two words
                pending = (charset, pending[1] + data)
                at = word.end()
                continue
            between = ""
        if pending is not None:
            decoded = decode(pending[1], pending[0])
            pieces.append(decoded.text)
            is_guess |= decoded.is_guess
        pieces.append(between)
        pending, at = (charset, data), word.end()
    if pending is not None:
        decoded = decode(pending[1], pending[0])
        pieces.append(decoded.text)
        is_guess |= decoded.is_guess
    pieces.append(text[at:])
    return Decoded(_BREAKS.sub(" ", "".join(pieces)).replace("\0", "\ufffd"), is_guess)


def _word_bytes(encoding: str, coded: str) -> bytes:
    data = coded.encode("utf-8", "replace")
    if encoding in "qQ":
        return binascii.a2b_qp(data.replace(b"_", b" ") + b"", header=False)
    return decode_base64(data)[0]


_NOT_BASE64 = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))


def decode_base64(data: bytes) -> tuple[bytes, int]:
    """The bytes, as far as they go, and how many characters were left over (0 if it was whole)."""
    digits = data.translate(None, _NOT_BASE64)
    left = 1 if len(digits) % 4 == 1 else 0
    digits = digits[: len(digits) - left]
    try:
        return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4)), left
    except binascii.Error:
        return b"", len(digits)


# --- parameters -------------------------------------------------------------------------------------------------------

_PARAMETER = re.compile(r";\s*+([^\s=;\"]++)\s*+=\s*+(?:\"((?:[^\"\\]|\\.)*+)\"?|([^;]*+))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parameters:
    """`text/plain; charset=x` as a lower-case value and its parameters, RFC 2231 forms decoded and joined."""

    value: str
    parameters: dict[str, str]


def read_parameters(value: bytes) -> Parameters:
    """The value and parameters of Content-Type or Content-Disposition; the first of two equal names counts."""
    text = decode(value, "").text
    plain: dict[str, str] = {}
    parts: dict[str, dict[int, tuple[str, bool]]] = {}
    for found in _PARAMETER.finditer(text):
        name = found.group(1).lower()
        quoted, bare = found.group(2), found.group(3)
        content = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare.strip()
        star = re.fullmatch(r"([^*]+)\*(?:(\d{1,3})(\*)?)?", name)
        if star is None:
            plain.setdefault(name, decode_words(content).text)
            continue
        is_coded = star.group(2) is None or star.group(3) is not None
        parts.setdefault(star.group(1), {}).setdefault(int(star.group(2) or 0), (content, is_coded))
    extended = {name: _extended(pieces) for name, pieces in parts.items()}
    return Parameters(text.partition(";")[0].strip().lower(), {**plain, **extended})


def _extended(pieces: dict[int, tuple[str, bool]]) -> str:
    charset, data = "", b""
    for number in sorted(pieces):
        content, is_coded = pieces[number]
        if number == min(pieces) and is_coded and content.count("'") >= 2:
            charset, _, content = content.split("'", 2)
        coded = content.encode("utf-8", "replace")
        data += re.sub(rb"%([0-9a-fA-F]{2})", lambda m: bytes([int(m.group(1), 16)]), coded) if is_coded else coded
    return _BREAKS.sub(" ", decode(data, charset).text).replace("\0", "\ufffd")


def read_tags(value: bytes) -> dict[str, str]:
    """The tags of a DKIM signature, key record or DMARC record (RFC 6376, section 3.2); none if one is no tag, or stands there twice."""
    tags: dict[str, str] = {}
    for part in value.decode("latin-1").rstrip("; \t\r\n").split(";"):
        name, equals, content = part.partition("=")
        name = name.strip(" \t\r\n")
        if not equals or not _TAG.fullmatch(name) or name in tags:
            return {}
        tags[name] = content.strip(" \t\r\n")
    return tags


_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,20}")


# --- addresses --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Addresses:
    """The mailboxes of an address field; `is_exact` if all of it followed the grammar of RFC 5322; `has_group`: some stand in a group."""

    addresses: tuple[Address, ...]
    is_exact: bool
    has_group: bool = False


_PLAIN = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)
_TOKEN = re.compile(
    r"(?P<quoted>\"(?:[^\"\\]|\\.)*+\")|(?P<angle><[^<>]*+>)|(?P<mark>[,:;])|(?P<space>\s++)|(?P<open>\()|"
    r"(?P<atom>[^\s\",:;<>()]++)|(?P<odd>\"(?:[^\"\\]|\\.)*+\\?|.)",  # a quote that does not end is one token
    re.DOTALL,
)


@dataclass(slots=True)
class _Mailbox:
    """A mailbox being read: its words, the address in angle brackets, whether anything was out of place."""

    phrase: str = ""
    comment: str = ""
    angle: str | None = None
    is_odd: bool = False
    is_quoted: bool = False


def read_addresses(value: bytes) -> Addresses:
    """The mailboxes of From, To, Cc or Reply-To; groups are taken apart. Names are decoded after the structure is read."""
    text = decode(value, "").text
    found: list[_Mailbox] = []
    current, at, in_group, is_exact, has_group = _Mailbox(), 0, False, True, False
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            break
        at = token.end()
        kind = token.lastgroup
        if kind == "open":
            at, comment = _skip_comment(text, at)
            is_exact &= comment is not None
            current.comment = current.comment or comment or ""
        elif kind == "mark" and token.group() == ":" and current.angle is None and not in_group:
            current, in_group, has_group = _Mailbox(), True, True
        elif kind == "mark" and (token.group() == "," or (token.group() == ";" and in_group)):
            in_group &= token.group() == ","
            found.append(current)
            current = _Mailbox()
        else:
            _take(current, kind or "odd", token.group())
    found = [one for one in (*found, current) if one.phrase.strip() or one.angle is not None or one.is_odd]
    read = [_finish(one) for one in found[:_MOST_ADDRESSES]]
    is_exact &= len(found) <= _MOST_ADDRESSES and not in_group and len(value) < _MOST_VALUE
    return Addresses(tuple(one for one, _ in read), is_exact and all(exact for _, exact in read), has_group)


def _take(current: _Mailbox, kind: str, token: str) -> None:
    match kind:
        case "angle" if current.angle is None:
            current.angle = token[1:-1].strip()
        case "space":
            current.phrase += " "
        case "quoted" if current.angle is None:
            current.phrase += re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
            current.is_quoted = True
        case "atom" if current.angle is None:
            current.phrase += token
            current.is_odd |= "@" in token and current.is_quoted
        case _:
            current.phrase += token
            current.is_odd = True


def _finish(one: _Mailbox) -> tuple[Address, bool]:
    phrase = " ".join(one.phrase.split())
    address = phrase if one.angle is None else one.angle
    is_plain = len(address) <= 254 and _PLAIN.fullmatch(address) is not None
    if one.angle is None and is_plain and not one.is_quoted and not one.is_odd:
        return Address(decode_words(one.comment).text.strip(), _lower_domain(address)), True
    has_at_in_words = not one.is_quoted and "@" in phrase
    is_exact = one.angle is not None and is_plain and not one.is_odd and not has_at_in_words
    return Address(decode_words(phrase).text, _lower_domain(address) if is_exact else ""), is_exact


def _lower_domain(address: str) -> str:
    local, at, domain = address.rpartition("@")
    return local + at + domain.lower()


def _skip_comment(text: str, at: int) -> tuple[int, str | None]:
    """The place after a comment whose `(` was read, and its text; None if it never ends."""
    start, depth = at, 1
    while at < len(text):
        char = text[at]
        at += 2 if char == "\\" else 1
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return at, text[start : at - 1]
    return len(text), None


# --- dates ------------------------------------------------------------------------------------------------------------


def read_date(value: bytes) -> datetime | None:
    """A Date field as UTC, or None if it is no date. Sources: RFC 5322 section 3.3, 4.3."""
    text = re.sub(r"\([^()]*\)", " ", decode(value[:200], "").text).strip()
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo is not None else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None


_MESSAGE_ID = re.compile(r"<[^<>\s\x00-\x1f]{1,990}>")


def read_message_ids(value: bytes) -> tuple[str, ...]:
    """The ids of Message-ID, In-Reply-To or References with their angle brackets, at most the last hundred."""
    return tuple(_MESSAGE_ID.findall(decode(value, "").text)[-100:])
