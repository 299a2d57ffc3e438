"""What a host's name is, and which hosts are this machine."""

from __future__ import annotations

import re

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-f:]{2,39}")


def is_host(text: str) -> bool:
    """Whether it is a name or an address, with nothing else in it."""
    return _HOST.fullmatch(text) is not None


def is_here(host: str) -> bool:
    """Whether what goes to this host stays on this machine."""
    return host in _HERE
