"""Who a message is really from, as far as the person's own mail server vouches for it.

Only the topmost Authentication-Results field counts, and only with the configured authserv-id: that server removes
forged fields with its id and adds its own on top. Sources: RFC 8601 (sections 5, 7.1), RFC 7489 section 3.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

from authres import AuthenticationResultsHeader, AuthResError, FeatureContext, arc, dmarc

from armslength.tools.mail.alignment import could_align
from armslength.tools.mail.covering import Cover, cover, has_each_once, signed_names
from armslength.tools.mail.headers import Address, Fields, read_addresses, read_tags, split_fields

_MOST_CHARACTERS = 4096
_MOST_PARENTHESES = 50  # the parser recurses into comments
_LONGEST_NAME = 253
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_CONTEXT = FeatureContext(dmarc, arc)


@dataclass(frozen=True, slots=True, repr=False)
class Sender:
    """An authenticated sender. `is_whole`: also to whom, when and after which mails it was written is the sender's word."""

    address: str
    is_whole: bool = True


class Word(Enum):
    """What the server says where it vouches for nobody."""

    DENIED = "denied"
    SILENT = "silent"


def authentication(raw: bytes, authserv_id: str) -> str | None:
    """The From address if the server `authserv_id` vouches for its domain, else None."""
    fields = split_fields(raw)
    sender = authenticatable(fields)
    if sender is None:
        return None
    found = vouched(raw, fields, sender, authserv_id)
    return found.address if isinstance(found, Sender) else None


def authenticatable(fields: Fields) -> Address | None:
    """The sender that there is a point in authenticating: the one mailbox, in no group, of a message that is kept whole and has nothing twice."""
    if fields.is_broken or fields.is_cut or not has_each_once(fields) or read_addresses(fields.first("from")).has_group:
        return None
    return single_sender(fields)


def vouched(raw: bytes, fields: Fields, sender: Address, authserv_id: str) -> Sender | Word:
    """Whether the server vouches for the domain of `sender`.

    It vouches by dmarc=pass for that very domain, or, where that domain publishes no DMARC or the server reports none, by dkim=pass or
    spf=pass of that very domain. What came by way of others counts as far as the signature by which it passed covers it.
    """
    topmost = fields.first("authentication-results")
    results = _results(topmost, authserv_id) if topmost and authserv_id else None
    if not results:
        return Word.SILENT
    domain = sender.address.rpartition("@")[2]
    said = _said(results, sender.address, domain)
    if said is not None:
        return said
    if _is_by_spf(results, domain):
        return Sender(sender.address)
    covered = _covered(raw, fields, domain)
    return Word.SILENT if covered is Cover.NOTHING else Sender(sender.address, is_whole=covered is Cover.WHOLE)


def vouching_server(raw: bytes) -> str | None:
    """The authserv-id of the topmost Authentication-Results: whose word it claims to be. Anybody can have written it.

    None: there is no such field, or its first word is no name of a host.
    """
    header = _header(split_fields(raw).first("authentication-results"))
    name = "" if header is None else str(header.authserv_id or "").lower()
    return name if len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) else None


def single_sender(fields: Fields) -> Address | None:
    """The one mailbox of the one From field, or None if it is not exactly that."""
    values = fields.all("from")
    if len(values) != 1:
        return None
    read = read_addresses(values[0])
    is_single = read.is_exact and len(read.addresses) == 1 and read.addresses[0].address
    return read.addresses[0] if is_single else None


def _results(value: bytes, authserv_id: str) -> list[Any]:
    """The results in the field, or none if it is not the server's or cannot be read to its end."""
    header = _header(value)
    if header is None or header.authserv_id is None:
        return []
    return list(header.results) if header.authserv_id.lower() == authserv_id.strip().lower() else []


def _header(value: bytes) -> AuthenticationResultsHeader | None:
    """The field, None if it cannot be read to its end."""
    text = value.decode("latin-1").replace("\r", "").replace("\t", " ")
    if not text or len(text) > _MOST_CHARACTERS or text.count("(") > _MOST_PARENTHESES:
        return None
    if not all(" " <= char <= "~" for char in text):
        return None
    try:
        header: AuthenticationResultsHeader = _CONTEXT.parse_value(text)
    except (AuthResError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return header


def _said(results: list[Any], address: str, domain: str) -> Word | None:
    """None if it vouches."""
    by_method = _by_method(results)
    dmarcs = by_method.get("dmarc", [])
    if len(dmarcs) > 1:
        return Word.DENIED
    if dmarcs and _passed(dmarcs[0]):
        return None if _property(dmarcs[0], "header", "from") in (domain, address) else Word.DENIED
    verdict = str(dmarcs[0].result).lower() if dmarcs else "none"
    if verdict != "none":
        return Word.SILENT if verdict == "temperror" else Word.DENIED
    if any(_passed(one) and _dkim_domain(one) == domain for one in by_method.get("dkim", [])):
        return None
    return None if _is_by_spf(results, domain) else Word.SILENT


def _by_method(results: list[Any]) -> dict[str, list[Any]]:
    by_method: dict[str, list[Any]] = {}
    for result in results:
        by_method.setdefault(str(getattr(result, "method", "")).lower(), []).append(result)
    return by_method


def _is_by_spf(results: list[Any], domain: str) -> bool:
    """Whether it came straight from a server of that very domain: then nobody stood between who could have added anything."""
    spfs = _by_method(results).get("spf", [])
    return len(spfs) == 1 and _passed(spfs[0]) and _spf_domain(spfs[0]) == domain


def _covered(raw: bytes, fields: Fields, domain: str) -> Cover:
    """What every signature that may be the one by which it passed covers, so the least; where none stands there, the server's word is all."""
    found = Cover.WHOLE
    for value in fields.all("dkim-signature"):
        tags = read_tags(value)
        if not tags:
            return Cover.NOTHING
        if could_align(tags.get("d", "").lower(), domain):
            signed = signed_names(tags)
            found = min(found, Cover.NOTHING if "l" in tags else cover(raw, fields, signed))
    return found


def _passed(result: Any) -> bool:
    return str(result.result).lower() == "pass"


def _dkim_domain(result: Any) -> str | None:
    """`header.d`, or the domain of `header.i`; None where both stand and the identity lies outside the domain."""
    signer, identity = _property(result, "header", "d"), _property(result, "header", "i")
    of_identity = identity.rpartition("@")[2] if identity else None
    if signer and of_identity and of_identity != signer and not of_identity.endswith("." + signer):
        return None
    return signer or of_identity


def _spf_domain(result: Any) -> str | None:
    mailfrom = _property(result, "smtp", "mailfrom")
    return mailfrom.rpartition("@")[2] if mailfrom else None


def _property(result: Any, kind: str, name: str) -> str | None:
    """The value of a property in lower case, or None unless it stands there exactly once."""
    values = [one.value for one in result.properties if (one.type.lower(), one.name.lower()) == (kind, name)]
    return str(values[0]).lower() if len(values) == 1 and values[0] else None
