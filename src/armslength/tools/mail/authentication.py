"""Who a message is really from, as far as the person's own mail server vouches for it.

Only the topmost Authentication-Results field counts, and only with the configured authserv-id: that server removes
forged fields with its id and adds its own on top. Sources: RFC 8601 (sections 5, 7.1), RFC 7489 section 3.1.
"""

from __future__ import annotations

from typing import Any

from authres import AuthenticationResultsHeader, AuthResError, FeatureContext, arc, dmarc

from armslength.tools.mail.headers import Address, Fields, read_addresses, split_fields

_MOST_CHARACTERS = 4096
_MOST_PARENTHESES = 50  # the parser recurses into comments
_CONTEXT = FeatureContext(dmarc, arc)


def authentication(raw: bytes, authserv_id: str) -> str | None:
    """The From address if the server `authserv_id` vouches for its domain, else None.

    It vouches by dmarc=pass for that very domain, or, where it reports no DMARC, by dkim=pass or spf=pass of that very
    domain. Anything odd is None: several From fields, several addresses, a broken header block, an unreadable result.
    """
    fields = split_fields(raw)
    sender = None if fields.is_broken else single_sender(fields)
    topmost = fields.first("authentication-results")
    if sender is None or not topmost or not authserv_id:
        return None
    results = _results(topmost, authserv_id)
    domain = sender.address.rpartition("@")[2]
    return sender.address if results and _vouches(results, sender.address, domain) else None


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
    text = value.decode("latin-1").replace("\r", "").replace("\t", " ")
    if len(text) > _MOST_CHARACTERS or text.count("(") > _MOST_PARENTHESES:
        return []
    if not all(" " <= char <= "~" for char in text):
        return []
    try:
        header: AuthenticationResultsHeader = _CONTEXT.parse_value(text)
    except (AuthResError, ValueError, TypeError, AttributeError, RecursionError):
        return []
    is_ours = header.authserv_id is not None and header.authserv_id.lower() == authserv_id.strip().lower()
    return list(header.results) if is_ours else []


def _vouches(results: list[Any], address: str, domain: str) -> bool:
    by_method: dict[str, list[Any]] = {}
    for result in results:
        by_method.setdefault(str(getattr(result, "method", "")).lower(), []).append(result)
    if "dmarc" in by_method:
        dmarcs = by_method["dmarc"]
        return len(dmarcs) == 1 and _passed(dmarcs[0]) and _property(dmarcs[0], "header", "from") in (domain, address)
    if any(_passed(one) and _dkim_domain(one) == domain for one in by_method.get("dkim", [])):
        return True
    spfs = by_method.get("spf", [])
    return len(spfs) == 1 and _passed(spfs[0]) and _spf_domain(spfs[0]) == domain


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
