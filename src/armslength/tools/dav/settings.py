"""What is told about one account on a server of calendars or address books."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Tls = Literal["implicit", "none"]


@dataclass(frozen=True, slots=True)
class DavSettings:
    """`setting`: what messages call it, such as `calendar.work`. `url`: of the server, of an account's home, or of one collection.

    `secret`: the password of `user`, or without a user a token (RFC 6750); asked again after some minutes. `authorities`: a PEM file
    of authorities that count instead of the system's. `collection`: the name of the one that is meant, where the URL leads to several.
    `seconds`: for one request, from the connection to its last byte.
    """

    setting: str
    url: str
    user: str = ""
    secret: Callable[[], str] | None = field(default=None, repr=False, compare=False)
    tls: Tls = "implicit"
    authorities: Path | None = None
    collection: str = ""
    seconds: float = 60.0
