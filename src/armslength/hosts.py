"""What a host's name is, and which hosts are this machine. Said here alone."""

from __future__ import annotations

import re

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-f:]{2,39}")


def is_host(text: str) -> bool:
    """Whether it is a name or an address, with nothing else in it."""
    return _HOST.fullmatch(text) is not None


def is_here(host: str | None) -> bool:
    """Whether what goes to this host, named in lower case as `urlsplit` gives it, stays on this machine; no host is none."""
    return host in _HERE
