"""Finds planted secrets, in every form in which one could lie about."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from quopri import encodestring
from urllib.parse import quote, quote_plus


def forms(secret: str) -> set[bytes]:
    """The secret as it is, in other encodings, and inside of a longer text in base64, at each of the three places that it can have there."""
    raw = secret.encode()
    found = {raw, secret.encode("utf-16-le"), secret.encode("latin-1", "replace"), raw.hex().encode()}
    found |= {encodestring(raw).rstrip(b"\n"), encodestring(raw, quotetabs=True).rstrip(b"\n")}
    found |= {quote(secret).encode(), quote(secret, safe="").encode(), quote_plus(secret).encode()}
    found |= {json.dumps(secret)[1:-1].encode(), repr(secret)[1:-1].encode(), repr(raw)[2:-1].encode()}
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            whole = encode(b"\0" * before + raw + b"\0" * 3)
            found.add(whole[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6])
    return found


def planted(secrets: Iterable[str], texts: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """Where one was found, by the names of the texts."""
    wanted = {secret: forms(secret) for secret in secrets}
    for name, text in texts:
        for secret, each in wanted.items():
            yield from (f"{name}: {secret!r} as {form!r}" for form in each if form in text)


def files_below(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, by its path."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield str(path), path.read_bytes()
