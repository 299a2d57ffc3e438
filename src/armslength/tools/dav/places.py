"""Where things lie on a server: origins, and paths in one spelling. What a server names elsewhere is not gone to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes, urlsplit

from armslength.errors import ConfigError

LONGEST = 2_000
"""Characters of a path or URL."""
_PORTS = {"https": 443, "http": 80}
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")
_KEPT = "!$&'()*+,;=:@-._~"


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host in lower case and port: what credentials belong to (RFC 6454)."""

    scheme: str
    host: str
    port: int

    @property
    def url(self) -> str:
        """As a URL begins."""
        usual = _PORTS.get(self.scheme) == self.port
        return f"{self.scheme}://{self.host}" + ("" if usual else f":{self.port}")

    def leads_to(self, other: Origin) -> bool:
        """Whether what is meant for this origin may go to that one: the same, or https of the same host instead of http."""
        is_upgrade = (self.scheme, other.scheme) == ("http", "https") and self.host == other.host
        return self == other or (is_upgrade and (self.port == other.port or (self.port, other.port) == (80, 443)))


@dataclass(frozen=True, slots=True)
class Place:
    """A path on an origin, in one spelling."""

    origin: Origin
    path: str


def place_of(url: str, setting: str) -> Place:
    """The place that a configured URL names.

    Raises:
        ConfigError: it is no plain http or https URL; `setting` names it.
    """
    found = _parsed(url)
    path = None if found is None else spelled(found[1] or "/")
    if found is None or found[0] is None or path is None:
        raise ConfigError(
            f"{setting} is no plain address; write it like https://dav.example.com/ without a password in it"
        )
    return Place(found[0], path)


def named_place(reference: str, origin: Origin) -> Place | None:
    """The place that an answer of `origin` names: by an absolute path or a whole URL. None: it names no place."""
    found = _parsed(reference)
    if found is None:
        return None
    path = spelled(found[1])
    return None if path is None else Place(found[0] or origin, path)


def _parsed(reference: str) -> tuple[Origin | None, str] | None:
    """Origin, if there is one, and path as it stands."""
    if not reference or len(reference) > LONGEST or "\\" in reference or not reference.isprintable():
        return None
    try:
        parts = urlsplit(reference)
        scheme, host, port = parts.scheme, (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    if parts.query or parts.fragment or "@" in parts.netloc:
        return None
    if not scheme and not parts.netloc:
        return None, parts.path
    host = f"[{host}]" if ":" in host else host
    if scheme not in _PORTS or not _HOST.fullmatch(host) or port == 0:
        return None
    return Origin(scheme, host, port or _PORTS[scheme]), parts.path


def spelled(path: str) -> str | None:
    """An absolute path in one spelling (RFC 3986, section 6.2.2). None: it leads upwards, or its parts cannot be told apart."""
    if not path.startswith("/"):
        return None
    *parts, last = path.split("/")[1:]
    made = []
    for part in [*parts, *([last] if last else [])]:
        try:
            name = unquote_to_bytes(part).decode("utf-8")
        except UnicodeDecodeError:
            return None
        if not name or name in {".", ".."} or "/" in name or "\\" in name or not name.isprintable():
            return None
        made.append(quote(name, safe=_KEPT))
    return "/" + "".join(f"{part}/" for part in made[:-1]) + "".join(made[-1:]) + ("/" if made and not last else "")


def is_member(path: str, collection: str) -> bool:
    """Whether a path, spelled, is that of a thing directly in the collection, whose path ends with `/`."""
    name = path.removeprefix(collection)
    return path.startswith(collection) and bool(name) and "/" not in name
