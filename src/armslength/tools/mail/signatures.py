"""Who signed a message, by its DKIM signatures and the keys that its domain publishes now (RFC 6376, RFC 8301).

`dkimpy` computes; what is asked of a signature is decided here, before anything is looked up and before its parts reach the library: it
accepts signatures that leave From out, keys for other uses, SHA-1, and numbers of any size.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from armslength.tools.mail.alignment import is_aligned, may_align
from armslength.tools.mail.covering import Cover, cover, signed_names
from armslength.tools.mail.headers import Fields, read_tags
from armslength.tools.mail.lookups import Lookups, NoAnswer

_MOST_SIGNATURES = 5
"""Of one message that are looked at; each may cost a question."""
_MOST_FIELD = 4_096
_MOST_NAMES = 200
_MOST_LINES = 3_000
_FEWEST_BITS, _MOST_BITS = 1_024, 4_096
_MOST_EXPONENT = 2**32
_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_LINE = re.compile(rb"(?:[!-9;-~]{1,100}:|[ \t]+[^ \t\r])[^\r\0]*")
_BLANKS = re.compile(rb"[ \t]++")
_LONG_BLANK = re.compile(rb"\s{40}")  # the library's patterns take the square of its length
_NUMBER = re.compile(r"[0-9]{1,12}")
_METHODS = {"simple", "simple/simple", "simple/relaxed", "relaxed", "relaxed/simple", "relaxed/relaxed"}


@dataclass(frozen=True, slots=True)
class Signature:
    """One that could vouch for the sender, if its key says so. `place`: among those of the message, from the top; `form`: of the body."""

    place: int
    signer: str
    selector: str
    identity: str
    form: str
    covers: Cover = Cover.NOTHING


def those_that_could(raw: bytes, fields: Fields, domain: str, now: datetime) -> Iterator[Signature]:
    """The signatures that need but their key, found without asking anybody: of the sender's organisation, in time, over this body."""
    if not _is_strict(raw, fields):
        return
    bodies = _Bodies(raw[fields.body_start :])
    for place, value in enumerate(fields.all("dkim-signature")[:_MOST_SIGNATURES]):
        tags = read_tags(value) if len(value) <= _MOST_FIELD and not _LONG_BLANK.search(value) else {}
        found = _read(tags, place, now)
        if found is None or not may_align(found.signer, domain):
            continue
        covers = cover(raw, fields, signed_names(tags))
        if covers is not Cover.NOTHING and bodies.have(found.form, tags.get("bh", "")):
            yield replace(found, covers=covers)


def what_holds(raw: bytes, fields: Fields, domain: str, among: Sequence[Signature], lookups: Lookups) -> Cover:
    """The most that one of these covers whose key says that it holds, and whose signer may speak for the domain.

    Raises:
        NoAnswer: none does, and of one it could not be found out.
    """
    found, is_unsure = Cover.NOTHING, False
    for signature in among:
        try:
            if signature.covers > found and _holds(raw, fields, signature, domain, lookups):
                found = signature.covers
        except NoAnswer:
            is_unsure = True
    if found is Cover.NOTHING and is_unsure:
        raise NoAnswer
    return found


def _is_strict(raw: bytes, fields: Fields) -> bool:
    """Whether the head can be read in one way: two readers that part on a line would part on what was signed."""
    lines = raw[: fields.body_start].replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    is_short = len(lines) <= _MOST_LINES  # the library takes the square of their number
    return is_short and not lines[0].startswith((b" ", b"\t")) and all(map(_LINE.fullmatch, lines))


def _read(tags: Mapping[str, str], place: int, now: datetime) -> Signature | None:
    """A signature of the one kind that is checked: RSA with SHA-256, over a whole body, not past its time."""
    signer, selector = tags.get("d", "").lower(), tags.get("s", "").lower()
    identity = tags.get("i", f"@{signer}").lower().rpartition("@")[2]
    method = tags.get("c", "simple")
    is_fit = (
        (tags.get("v"), tags.get("a"), tags.get("q", "dns/txt")) == ("1", "rsa-sha256", "dns/txt")
        and "l" not in tags
        and tags.get("h", "").count(":") < _MOST_NAMES
        and method in _METHODS
        and _is_in_time(tags, now)
        and _NAME.fullmatch(signer) is not None
        and _NAME.fullmatch(f"{selector}._domainkey.{signer}") is not None
        and f".{identity}".endswith(f".{signer}")
    )
    form = method.partition("/")[2] or "simple"
    return Signature(place, signer, selector, identity, form) if is_fit else None


def _is_in_time(tags: Mapping[str, str], now: datetime) -> bool:
    made, ends = tags.get("t", "0"), tags.get("x", "999999999999")
    is_read = _NUMBER.fullmatch(made) is not None and _NUMBER.fullmatch(ends) is not None
    return is_read and int(made) <= int(ends) and int(ends) >= now.timestamp()


class _Bodies:
    """A body in its canonical forms, hashed."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._hashes: dict[str, bytes] = {}

    def have(self, form: str, claimed: str) -> bool:
        """Whether this is the body that was signed."""
        if form not in self._hashes:
            self._hashes[form] = hashlib.sha256(_canonical(self._body, form)).digest()
        return _decoded(claimed) == self._hashes[form]


def _canonical(body: bytes, form: str) -> bytes:
    """A body in canonical form (RFC 6376, section 3.4), in time that grows with its length."""
    text = body.replace(b"\r\n", b"\n")
    if form == "relaxed":
        text = _BLANKS.sub(b" ", text).replace(b" \n", b"\n").removesuffix(b" ")
    text = text.rstrip(b"\n")
    if not text:
        return b"" if form == "relaxed" else b"\r\n"
    return text.replace(b"\n", b"\r\n") + b"\r\n"


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def _holds(raw: bytes, fields: Fields, signature: Signature, domain: str, lookups: Lookups) -> bool:
    """Whether the key says that the signer signed this, and the signer may speak for the domain."""
    keys = lookups.texts(f"{signature.selector}._domainkey.{signature.signer}")
    if len(keys) != 1 or not _is_fit_key(keys[0], signature):
        return False
    return _is_signed(raw, fields, signature, keys[0]) and is_aligned(signature.signer, domain, lookups)


def _is_fit_key(record: bytes, signature: Signature) -> bool:
    """Whether a key record is for mail, for this signature, and of a size that is neither weak nor a burden (RFC 8301, section 3.2)."""
    tags = read_tags(record)
    flags, uses, hashes = (_listed(tags.get(name, "")) for name in ("t", "s", "h"))
    return (
        tags.get("v", "DKIM1") == "DKIM1"
        and tags.get("k", "rsa") == "rsa"
        and ("h" not in tags or "sha256" in hashes)
        and ("s" not in tags or not uses.isdisjoint({"*", "email"}))
        and "y" not in flags
        and ("s" not in flags or signature.identity == signature.signer)
        and _is_fit_number(_decoded(tags.get("p", "")) or b"")
    )


def _listed(text: str) -> set[str]:
    return {each.strip() for each in text.split(":")}


def _is_fit_number(key: bytes) -> bool:
    from dkim.crypto import UnparsableKeyError, parse_public_key

    try:
        found = parse_public_key(key)
    except (UnparsableKeyError, ValueError, AssertionError, IndexError, TypeError, KeyError):
        return False
    modulus, exponent = found["modulus"], found["publicExponent"]
    is_sized = _FEWEST_BITS <= modulus.bit_length() <= _MOST_BITS
    return is_sized and bool(modulus & exponent & 1) and 3 <= exponent < _MOST_EXPONENT


def _is_signed(raw: bytes, fields: Fields, signature: Signature, record: bytes) -> bool:
    """The library's verdict, of which only True is one.

    Its own work on the body takes the square of a line's blanks, and memory for each line: it gets the body as it has to be.
    """
    import dkim

    def its_key(_name: bytes, timeout: float = 0) -> bytes:
        return record

    head, body = raw[: fields.body_start], raw[fields.body_start :]
    try:
        message = dkim.DKIM(head.rstrip(b"\r\n") + b"\r\n\r\n", minkey=_FEWEST_BITS)
        message.body = _canonical(body, signature.form)
        return message.verify(signature.place, dnsfunc=its_key) is True
    except (dkim.DKIMException, ValueError, TypeError, KeyError, IndexError, AssertionError, ArithmeticError):
        return False
