"""Whether the domain that signed a message may speak for the domain of its From (RFC 7489, section 3.1)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from armslength.tools.mail.headers import read_tags
from armslength.tools.mail.lookups import Lookups

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


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


def could_align(signer: str, domain: str) -> bool:
    """Whether any server could take the two, both lower case, for one organisation, by whichever list of public suffixes it has.

    One is below the other, or they share their last two names: no list makes an organisation of fewer. What is no name of a host could be any.
    """
    if not _NAME.fullmatch(signer):
        return True
    is_below = f".{domain}".endswith(f".{signer}") or f".{signer}".endswith(f".{domain}")
    return is_below or signer.split(".")[-2:] == domain.split(".")[-2:]


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
