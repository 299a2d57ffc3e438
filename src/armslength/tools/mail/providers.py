"""Where an address's mail lies and leaves: by a table of well-known domains, else by what its domain says in DNS (RFC 6186, RFC 8314).

What DNS says is not authenticated: a host outside of the domain is none that a password goes to unless the person knows it (RFC 6186, section 6).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from dns.resolver import Resolver

Tls = Literal["implicit", "starttls"]
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+")
_SECONDS = 4.0
OF_A_PROGRAM = (
    "it takes an app password, which you make in the account's settings, and not the one that you log in with"
)
GRANT = "it takes no password from programs: write its tables as docs/mail.md shows, then armslength mail login; it is left out here"
BRIDGE = "its bridge has to run on this machine, which shows a password and has a certificate of its own"


@dataclass(frozen=True, slots=True)
class Place:
    """A server and how it is spoken to. `is_within`: its name lies in the domain whose mail it has, or we know it."""

    host: str
    port: int
    tls: Tls = "implicit"
    is_within: bool = True


@dataclass(frozen=True, slots=True)
class Provider:
    """Its servers, as far as they are known. `note`: what a person has to know. `calendars`, `contacts`: addresses."""

    imap: Place | None = None
    smtp: Place | None = None
    note: str = ""
    calendars: str = ""
    contacts: str = ""


def _hosts(imap: str, smtp: str, port: int = 465, note: str = "", calendars: str = "", contacts: str = "") -> Provider:
    tls: Tls = "implicit" if port == 465 else "starttls"
    return Provider(Place(imap, 993), Place(smtp, port, tls), note, calendars, contacts)


_GMX = _hosts(
    "imap.gmx.net", "mail.gmx.net", note="reading by programs has to be allowed in the account's settings first"
)
_ICLOUD = _hosts("imap.mail.me.com", "smtp.mail.me.com", 587, OF_A_PROGRAM)
_MICROSOFT = _hosts("outlook.office365.com", "smtp-mail.outlook.com", 587, GRANT)
_FASTMAIL = _hosts(
    "imap.fastmail.com",
    "smtp.fastmail.com",
    465,
    OF_A_PROGRAM,
    "https://caldav.fastmail.com/",
    "https://carddav.fastmail.com/",
)
_POSTEO = _hosts("posteo.de", "posteo.de", 465, "", "https://posteo.de:8443/", "https://posteo.de:8443/")
_YAHOO = _hosts("imap.mail.yahoo.com", "smtp.mail.yahoo.com", 465, OF_A_PROGRAM)
_PROTON = Provider(Place("127.0.0.1", 1143, "starttls"), Place("127.0.0.1", 1025, "starttls"), BRIDGE)
_KNOWN: dict[str, Provider] = {
    **dict.fromkeys(("gmail.com", "googlemail.com"), _hosts("imap.gmail.com", "smtp.gmail.com", 465, OF_A_PROGRAM)),
    **dict.fromkeys(("outlook.com", "hotmail.com", "live.com", "msn.com"), _MICROSOFT),
    **dict.fromkeys(("icloud.com", "me.com", "mac.com"), _ICLOUD),
    **dict.fromkeys(("yahoo.com", "ymail.com"), _YAHOO),
    **dict.fromkeys(("gmx.de", "gmx.net", "gmx.at", "gmx.ch"), _GMX),
    **dict.fromkeys(("fastmail.com", "fastmail.fm"), _FASTMAIL),
    **dict.fromkeys(("posteo.de", "posteo.net"), _POSTEO),
    **dict.fromkeys(("proton.me", "protonmail.com", "pm.me"), _PROTON),
    "aol.com": _hosts("imap.aol.com", "smtp.aol.com", 465, OF_A_PROGRAM),
    "web.de": _hosts("imap.web.de", "smtp.web.de", 587, _GMX.note),
    "t-online.de": _hosts("secureimap.t-online.de", "securesmtp.t-online.de", 465, OF_A_PROGRAM),
    "mailbox.org": _hosts(
        "imap.mailbox.org", "smtp.mailbox.org", 465, "", "https://dav.mailbox.org/", "https://dav.mailbox.org/"
    ),
    "zoho.com": _hosts("imap.zoho.com", "smtp.zoho.com", 465, OF_A_PROGRAM),
    "yandex.com": _hosts("imap.yandex.com", "smtp.yandex.com", 465, OF_A_PROGRAM),
    "laposte.net": _hosts("imap.laposte.net", "smtp.laposte.net"),
    "orange.fr": _hosts("imap.orange.fr", "smtp.orange.fr"),
    "free.fr": _hosts("imap.free.fr", "smtp.free.fr"),
}


def known_provider(address: str) -> Provider | None:
    """Of an address whose domain is well known; nobody is asked."""
    return _KNOWN.get(address.rpartition("@")[2].lower())


def announced_provider(address: str, resolver: Resolver | None = None) -> Provider | None:
    """What its domain says in DNS, None if that is nothing. `resolver`: who is asked; None: the machine's.

    Whoever is asked learns the domain. Where the library is missing or nobody answers, nothing is known.
    """
    domain = address.rpartition("@")[2].lower()
    if not _HOST.fullmatch(domain):
        return None
    imap = _first(domain, (("_imaps", "implicit"), ("_imap", "starttls")), resolver)
    smtp = _first(domain, (("_submissions", "implicit"), ("_submission", "starttls")), resolver)
    return None if imap is None and smtp is None else Provider(imap, smtp)


def _first(domain: str, services: tuple[tuple[str, Tls], ...], resolver: Resolver | None) -> Place | None:
    """The first service that there is, with TLS from the start before one that begins without."""
    for service, tls in services:
        found = _place(f"{service}._tcp.{domain}.", resolver)
        if found is not None:
            within = found.host == domain or found.host.endswith(f".{domain}")
            return replace(found, tls=tls, is_within=within)
    return None


def _place(name: str, resolver: Resolver | None) -> Place | None:
    """The target of the lowest priority, and of the largest weight among those (RFC 2782). One of `.` says that there is no such service."""
    try:
        import dns.exception
        import dns.resolver
    except ImportError:
        return None
    try:
        asked = resolver or dns.resolver.Resolver()
        asked.lifetime = _SECONDS
        records = sorted(asked.resolve(name, "SRV"), key=lambda each: (each.priority, -each.weight))
    except (dns.exception.DNSException, OSError):
        return None
    host = records[0].target.to_text(omit_final_dot=True).lower() if records else ""
    return Place(host, records[0].port) if _HOST.fullmatch(host) and records[0].port > 0 else None
