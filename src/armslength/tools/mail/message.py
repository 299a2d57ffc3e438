"""A mail message from its bytes, read as far as it can be: nothing here raises, and what is wrong stands in `flaws`.

MIME is taken apart over offsets into the bytes, so that attachments are measured and never decoded or copied. Time and
memory are bounded by the counts below. Sources: RFC 5322, 2045, 2046, 2183.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Literal

from armslength.errors import ArmslengthError
from armslength.tools.documents.pages import texts_of
from armslength.tools.mail.authentication import single_sender
from armslength.tools.mail.headers import (
    Address,
    Fields,
    Parameters,
    decode,
    decode_base64,
    decode_field,
    read_addresses,
    read_date,
    read_message_ids,
    read_parameters,
    split_fields,
)

_MOST_DEPTH = 20  # of parts in parts
_MOST_PARTS = 1_000
_MOST_TEXT = 2_000_000  # bytes of body text, before decoding, over all parts
_MIXTURES = frozenset({"multipart/mixed", "multipart/related"})
_METHODS = frozenset({"PUBLISH", "REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER"})

_SINGLE_FIELDS = (
    "From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
    "Content-Type", "Content-Transfer-Encoding",
)  # fmt: skip
FLAWS = frozenset(
    {
        "broken header block", "broken MIME", "broken transfer encoding", "wrong charset", "no sender",
        "several senders", "unreadable sender", "unreadable address", "no date", "unreadable date", "no message id",
        "nested too deeply", "too many parts", "body cut", "NUL characters", "unreadable",
        *(f"duplicate header {name}" for name in _SINGLE_FIELDS),
    }
)  # fmt: skip
"""Everything that `Message.flaws` may hold: fixed text, so that showing it shows nothing of the message."""


@dataclass(frozen=True, slots=True, repr=False)
class Attachment:
    """A part that is not body text: its claimed name ('' if none), MIME type, and size in bytes once decoded.

    `span`: where it lies in the message's bytes, which are coded as `encoding` says; `charset`: as it claims.
    `method`: of a calendar that is a form of the message's own text what is done by it (RFC 6047, section 2.4), upper case; else ''.
    """

    name: str
    mime: str
    size: int
    span: tuple[int, int] = field(default=(0, 0), compare=False)
    encoding: str = field(default="", compare=False)
    charset: str = field(default="", compare=False)
    method: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Message:
    """What a message claims. Every field is its sender's word; `from_address` is '' unless exactly one is plain there.

    Ids keep their angle brackets. `date_claimed` is UTC. Of duplicate fields the topmost counts, address lists are
    joined, and two From fields leave no sender.
    """

    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    from_name: str
    from_address: str
    reply_to: tuple[Address, ...]
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    subject: str
    date_claimed: datetime | None
    body: str
    body_kind: Literal["plain", "html", "none"]
    attachments: tuple[Attachment, ...]
    flaws: tuple[str, ...]


Pages = Callable[[Sequence[str]], list[str]]
"""What makes texts of the HTML parts of a message."""


def read_message(raw: bytes, pages: Pages = texts_of) -> Message:
    """The message in these bytes; bounded in time and memory beyond the bytes themselves. `pages` reads its HTML.

    Whatever its author makes fail fails for this message alone: then it is one that says that it cannot be read, from nobody.
    """
    try:
        return _message(raw, pages)
    except ArmslengthError:
        raise
    except Exception:  # noqa: BLE001  # whoever wrote it ends no search by it
        return _UNREADABLE


_CANNOT_BE_READ = "[this mail cannot be read here; open it in another program]"
_UNREADABLE = Message(
    message_id="",
    in_reply_to="",
    references=(),
    from_name="",
    from_address="",
    reply_to=(),
    to=(),
    cc=(),
    subject=_CANNOT_BE_READ,
    date_claimed=None,
    body=_CANNOT_BE_READ,
    body_kind="plain",
    attachments=(),
    flaws=("unreadable",),
)


def _message(raw: bytes, pages: Pages) -> Message:
    fields = split_fields(raw)
    flaws = _Flaws()
    flaws.when("broken header block", fields.is_broken)
    for name in _SINGLE_FIELDS:
        flaws.when(f"duplicate header {name}", len(fields.all(name.lower())) > 1)
    found = _Reader(raw, flaws).read(fields, len(raw), depth=0)
    body, kind = _body(found.texts, pages)
    flaws.when("NUL characters", "\0" in body)
    sender = _sender(fields, flaws)
    ids = read_message_ids(fields.first("message-id"))
    flaws.when("no message id", not ids)
    return Message(
        message_id=ids[0] if ids else "",
        in_reply_to=next(iter(read_message_ids(fields.first("in-reply-to"))), ""),
        references=read_message_ids(fields.first("references")),
        from_name=sender.name,
        from_address=sender.address,
        reply_to=_addresses(fields, "reply-to", flaws),
        to=_addresses(fields, "to", flaws),
        cc=_addresses(fields, "cc", flaws),
        subject=_text(fields.first("subject"), flaws),
        date_claimed=_date(fields, flaws),
        body=body.replace("\0", "\ufffd"),
        body_kind=kind,
        attachments=tuple(found.attachments),
        flaws=tuple(sorted(flaws.found)),
    )


def attachments_in(raw: bytes) -> tuple[Attachment, ...]:
    """The attachments of the message in these bytes, as `read_message` lists them; its text is not read."""
    return _Reader(raw, _Flaws()).read(split_fields(raw), len(raw), depth=0).attachments


# --- fields -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Flaws:
    found: set[str] = field(default_factory=set)

    def when(self, flaw: str, is_so: object) -> None:
        """Notes a flaw of the fixed list."""
        if is_so and flaw in FLAWS:
            self.found.add(flaw)


def _sender(fields: Fields, flaws: _Flaws) -> Address:
    sender = single_sender(fields)
    if sender is not None:
        return sender
    values = fields.all("from")
    written = [one for value in values for one in read_addresses(value).addresses]
    several = len(values) > 1 or len(written) > 1
    flaws.when("no sender" if not any(values) else "several senders" if several else "unreadable sender", True)
    return Address("" if several or not written else written[0].name, "")


def _addresses(fields: Fields, name: str, flaws: _Flaws) -> tuple[Address, ...]:
    read = [read_addresses(value) for value in fields.all(name)]
    flaws.when("unreadable address", not all(one.is_exact for one in read))
    return tuple(address for one in read for address in one.addresses)


def _text(value: bytes, flaws: _Flaws) -> str:
    decoded = decode_field(value)
    flaws.when("wrong charset", decoded.is_guess)
    return decoded.text


def _date(fields: Fields, flaws: _Flaws) -> datetime | None:
    value = fields.first("date")
    date = read_date(value) if value else None
    flaws.when("unreadable date" if value else "no date", date is None)
    return date


# --- parts ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class _Text:
    kind: Literal["plain", "html"]
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class _Found:
    texts: tuple[_Text, ...] = ()
    attachments: tuple[Attachment, ...] = ()


class _Reader:
    """Takes one message apart; counts parts and text over the whole of it."""

    def __init__(self, raw: bytes, flaws: _Flaws) -> None:
        self._raw, self._flaws = raw, flaws
        self._parts, self._text_left = 0, _MOST_TEXT

    def read(self, fields: Fields, end: int, depth: int, default: str = "text/plain", *, is_own: bool = True) -> _Found:
        """The texts and attachments of the part with these fields, whose body ends at `end`. `is_own`: it is the message's own text."""
        self._parts += 1
        kind = read_parameters(fields.first("content-type"))
        mime = kind.value if re.fullmatch(r"[\w.+-]{1,80}/[\w.+-]{1,80}", kind.value, re.ASCII) else default
        self._flaws.when("broken MIME", kind.value and mime is not kind.value)
        start = min(fields.body_start, end)
        if mime.startswith("multipart/"):
            spans = self._spans(kind.parameters.get("boundary", ""), start, end)
            if spans and depth < _MOST_DEPTH:
                inner = "message/rfc822" if mime == "multipart/digest" else "text/plain"
                return self._children(mime, spans, depth, inner, is_own=is_own)
            self._flaws.when("nested too deeply" if spans else "broken MIME", True)
            mime = "text/plain" if not spans else mime
        found = self._leaf(fields, kind, mime, (start, end), depth)
        return _with_method(found, kind, fields) if is_own and mime == "text/calendar" else found

    def _children(self, mime: str, spans: list[tuple[int, int]], depth: int, default: str, *, is_own: bool) -> _Found:
        """`is_own`: of a whole every form, of a mixture the first part is the message's own text."""
        children: list[_Found] = []
        for ordinal, (start, end) in enumerate(spans):
            if self._parts >= _MOST_PARTS:
                self._flaws.when("too many parts", True)
                break
            fields = split_fields(self._raw, start, end)
            is_its = is_own and (mime == "multipart/alternative" or (mime in _MIXTURES and ordinal == 0))
            children.append(self.read(fields, end, depth + 1, default, is_own=is_its))
        attachments = tuple(one for child in children for one in child.attachments)
        if mime == "multipart/alternative":
            return _Found(_best([child.texts for child in children]), attachments)
        return _Found(tuple(text for child in children for text in child.texts), attachments)

    def _spans(self, boundary: str, start: int, end: int) -> list[tuple[int, int]]:
        """Where the parts between the boundary lines lie; none if there is no such line."""
        mark = boundary.rstrip().encode("utf-8", "replace")
        if not 0 < len(mark) <= 250:
            return []
        line = re.compile(rb"\n--" + re.escape(mark) + rb"(--)?[ \t]*(?=\r?\n|\r?\Z)")
        spans: list[tuple[int, int]] = []
        opened: int | None = None
        for found in islice(line.finditer(self._raw, max(start - 1, 0), end), _MOST_PARTS + 2):
            if opened is not None:
                stop = found.start() - (self._raw[found.start() - 1 : found.start()] == b"\r")
                spans.append((opened, max(opened, stop)))
            opened = None if found.group(1) else min(self._raw.find(b"\n", found.end(), end) + 1 or end, end)
            if found.group(1):
                break
        if opened is not None:  # the closing line is missing
            self._flaws.when("broken MIME", True)
            spans.append((opened, end))
        return spans

    def _leaf(self, fields: Fields, kind: Parameters, mime: str, span: tuple[int, int], depth: int) -> _Found:
        disposition = read_parameters(fields.first("content-disposition"))
        name = disposition.parameters.get("filename") or kind.parameters.get("name", "")
        is_apart = disposition.value == "attachment" or (bool(name) and depth > 0)
        encoding = read_parameters(fields.first("content-transfer-encoding")).value
        if mime not in ("text/plain", "text/html") or is_apart:
            charset = kind.parameters.get("charset", "")
            return _Found(attachments=(Attachment(name, mime, self._size(span, encoding), span, encoding, charset),))
        start, end = span
        self._flaws.when("body cut", end - start > self._text_left)
        data = self._decoded(self._raw[start : min(end, start + self._text_left)], encoding)
        self._text_left = max(0, self._text_left - (end - start))
        charset = kind.parameters.get("charset", "")
        decoded = decode(data, charset)
        self._flaws.when("wrong charset", decoded.is_guess)
        text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
        return _Found(texts=(_Text("html" if mime == "text/html" else "plain", text),))

    def _decoded(self, data: bytes, encoding: str) -> bytes:
        match encoding:
            case "base64":
                decoded, left = decode_base64(data)
                self._flaws.when("broken transfer encoding", left)
                return decoded
            case "quoted-printable":
                return binascii.a2b_qp(data)
            case "" | "7bit" | "8bit" | "binary":
                return data
            case _:
                self._flaws.when("broken transfer encoding", True)
                return data

    def _size(self, span: tuple[int, int], encoding: str) -> int:
        start, end = span
        if encoding != "base64":
            return end - start
        breaks = sum(self._raw.count(one, start, end) for one in (b"\n", b"\r", b" ", b"="))
        return (end - start - breaks) * 3 // 4


def _with_method(found: _Found, kind: Parameters, fields: Fields) -> _Found:
    """What a calendar part says is done by it, where it is not attached as a file."""
    method = kind.parameters.get("method", "").upper()
    if method not in _METHODS or read_parameters(fields.first("content-disposition")).value == "attachment":
        return found
    return replace(found, attachments=tuple(replace(each, method=method) for each in found.attachments))


def _best(alternatives: list[tuple[_Text, ...]]) -> tuple[_Text, ...]:
    """Of several forms of the same text: the first plain one that is not blank, else the last that is not blank."""
    filled = [texts for texts in alternatives if any(one.text.strip() for one in texts)]
    plain = [texts for texts in filled if all(one.kind == "plain" for one in texts)]
    return (plain[:1] or filled[-1:] or [()])[0]


def _body(texts: tuple[_Text, ...], pages: Pages) -> tuple[str, Literal["plain", "html", "none"]]:
    read = iter(pages([one.text for one in texts if one.kind == "html"]))
    pieces = [next(read) if one.kind == "html" else one.text for one in texts]
    body = "\n\n".join(piece.strip("\n") for piece in pieces if piece.strip())
    if not body:
        return "", "none"
    return body, "html" if any(one.kind == "html" and one.text.strip() for one in texts) else "plain"
