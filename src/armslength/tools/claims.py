"""Whose a stored thing says that it is, as a source that only keeps: what the configuration keeps on this machine is kept by it, too.

Nobody vouches for a claim. So it is no word of anybody's, makes nothing trusted and lets nothing go; the policy looks at it for
`privacy.this_machine_only` alone, and there it can only make more stay. It stands beside the source whose words they are (`mail:unverified`).
"""

from __future__ import annotations

from armslength.events import ANYBODY, NOBODY
from armslength.labels import Source

_OF_MANY = (":*", ":unverified")
"""How the names of sources end that stand for anybody."""
_MOST = 254  # characters of an address, RFC 5321, 4.5.3.1.3


def claim(store: str, address: str) -> Source:
    """That something in a store says it is of this address, which need not be one: then it may be anybody's."""
    is_one = "@" in address and len(address) <= _MOST and not address.lower().endswith(_OF_MANY)
    return Source(f"store:{store}:{address.lower() if is_one else ANYBODY}", is_trusted=True)


def no_words(store: str) -> Source:
    """That whoever may be anybody only had a say in what there is, so that nobody's words are in it."""
    return Source(f"store:{store}:{NOBODY}", is_trusted=True)
