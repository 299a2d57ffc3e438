"""What an address is to everything that sends: one plain ASCII address, so that what is decided on and what is written are the same."""

from __future__ import annotations

import re

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_NAME}(?:\.{_NAME})*")
_MEANS_MORE_IN_A_URI = frozenset("%?#&/^`{|}")


def without_query(url: str) -> str:
    """An address of the web for a person: what stands behind `?` is left out, for some services want a key there."""
    place, mark, _ = url.partition("?")
    return f"{place}?…" if mark else place


def plain_address(text: object) -> str | None:
    """The address, if `text` is one plain ASCII address (RFC 5321 dot-string and domain) and nothing else."""
    if not isinstance(text, str) or len(text) > 254:
        return None
    stripped = text.strip(" ")
    return stripped if _ADDRESS.fullmatch(stripped) else None


def uri_address(text: object) -> str | None:
    """A plain address in lower case that reads the same in a `mailto:` URI (RFC 6068): without escapes or further fields."""
    address = plain_address(text)
    return None if address is None or _MEANS_MORE_IN_A_URI & set(address) else address.lower()
