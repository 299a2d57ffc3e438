"""At which URLs a server is spoken with."""

from __future__ import annotations

from urllib.parse import urlsplit

from armslength.hosts import is_here


def wrong_with(url: str) -> str:
    """Why a server is not spoken with at this URL; nothing if it is."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "it is no URL"
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not url.isascii()
        or not url.isprintable()
        or set(url) & set(" \\")
    ):
        return "it is no URL of http or https"
    if parts.username is not None or parts.password is not None:
        return "a user name or password stands in it; say in token where the token is"
    if parts.fragment:
        return "a # stands in it"
    return (
        ""
        if parts.scheme == "https" or is_here(parts.hostname)
        else "it is not encrypted; only this machine is spoken with by http"
    )
