"""What a host's name is, and which hosts are this machine. Said here alone."""

from __future__ import annotations

import re
from functools import lru_cache

from ada_url import idna_to_ascii, idna_to_unicode

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_DOTS = re.compile("[.\u3002\uff0e\uff61]")  # UTS 46, section 2.3
_WILD = re.compile(r"[*?\[\]]")
_LOWER = {ord(letter): ord(letter) + 32 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9a-f:]{2,39}")


def is_host(text: str) -> bool:
    """Whether it is a name or an address, with nothing else in it."""
    return _HOST.fullmatch(text) is not None


def is_here(host: str | None) -> bool:
    """Whether what goes to this host, named in lower case as `urlsplit` gives it, stays on this machine; no host is none."""
    return host in _HERE


def ascii_host(host: str) -> str:
    """A host, or a pattern of hosts, as it is asked for: each label by IDNA (UTS 46, non-transitional), so `ß` is no `ss`.

    A label with `*`, `?` or what no host has in it is only taken in lower case, in ASCII.
    """
    return ".".join(map(_encoded, _DOTS.split(host)))


def unicode_host(host: str) -> str:
    """The same in letters; what has no other spelling stays as it is in ASCII."""
    return ".".join(map(_decoded, ascii_host(host).split(".")))


@lru_cache(4_096)
def _encoded(part: str) -> str:
    lowered = part.translate(_LOWER)
    if part.isascii() or _WILD.search(part):
        return lowered
    try:
        return idna_to_ascii(part).decode("ascii") or lowered
    except (UnicodeError, ValueError):
        return lowered


@lru_cache(4_096)
def _decoded(part: str) -> str:
    if not part.startswith("xn--") or _WILD.search(part):
        return part
    try:
        return idna_to_unicode(part.encode("ascii"))
    except (UnicodeError, ValueError):
        return part
