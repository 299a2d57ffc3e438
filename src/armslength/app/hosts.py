"""Which hosts are this machine."""

from __future__ import annotations

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_here(host: str) -> bool:
    """Whether what goes to this host stays on this machine."""
    return host in _HERE
