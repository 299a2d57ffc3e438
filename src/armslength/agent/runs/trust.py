"""Which sources are trusted: `user` and `program` always, what the stores themselves know, and what the configuration names."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from armslength.events import Trust, trust_nobody
from armslength.labels import Source

_STORE = "store:"
_CLOCK = "clock"
_NEVER = ("quarantined", "pasted")
_ANYBODY = (":unverified", ":*")


def trust_of(configured: AbstractSet[str]) -> Trust:
    """The source of a name, by today's configuration. Names that our own stores give (`store:mail`) and the clock are trusted.

    Names that stand for anybody (`quarantined`, `pasted`, `mail:unverified`, `mail:*`) are not, whatever the configuration says.
    """

    def trust(name: str) -> Source:
        if name in _NEVER or name.endswith(_ANYBODY):
            return Source(name)
        if name in configured or name.startswith(_STORE) or name == _CLOCK:
            return Source(name, is_trusted=True)
        return trust_nobody(name)

    return trust
