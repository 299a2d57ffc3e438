"""Whether the domain that signed a message may speak for the domain of its From (RFC 7489, section 3.1)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from armslength.tools.mail.headers import read_tags
from armslength.tools.mail.lookups import Lookups

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def organisation(domain: str) -> str | None:
    """The organisational domain: what somebody registered below a public suffix. None of a public suffix itself.

    Shared hosts' domains count as public suffixes, so that two of their customers are two organisations. Source: https://publicsuffix.org
    """
    return _suffixes().privatesuffix(domain.lower())


def may_align(signer: str, domain: str) -> bool:
    """Whether the two are one domain or of one organisation, so whether there is a point in asking for the rest."""
    if signer == domain:
        return True
    ours = organisation(domain)
    return ours is not None and ours == organisation(signer)


def is_aligned(signer: str, domain: str, lookups: Lookups) -> bool:
    """Whether a signature of `signer` vouches for a From of `domain`, both lower case.

    The same domain always does. Another one of the organisation does if the DMARC record allows it, which is what it does unless it says
    otherwise; a domain without a record allows nothing.

    Raises:
        NoAnswer: the record could not be asked for.
    """
    if signer == domain:
        return True
    return may_align(signer, domain) and _is_relaxed(domain, lookups)


def _is_relaxed(domain: str, lookups: Lookups) -> bool:
    for place in dict.fromkeys((domain, organisation(domain) or domain)):
        records = [each for each in map(read_tags, lookups.texts(f"_dmarc.{place}")) if each.get("v") == "DMARC1"]
        if len(records) > 1:
            return False
        if records:
            return records[0].get("adkim", "r").lower() == "r"
    return False


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
