"""Mail: the server or the folder in which it lies, the server by which it leaves, and who vouches for senders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from armslength.app.doctor import Check, named
from armslength.app.doctor.places import place_checks
from armslength.app.draft import Draft
from armslength.app.settings import Settings
from armslength.errors import ArmslengthError
from armslength.hosts import is_here
from armslength.surfaces.setup.asking import Asker
from armslength.surfaces.setup.trying import connected
from armslength.tools.mail.providers import GRANT, Place, Provider, announced_provider, known_provider
from armslength.tools.mail.vouching import claimed_server

_PORTS = {
    "imap": {"implicit": 993, "starttls": 143, "none": 143},
    "smtp": {"implicit": 465, "starttls": 587, "none": 25},
}


def ask_for_mail(asker: Asker, draft: Draft) -> Draft:
    """The draft with mail, if there is some."""
    address = draft.tables["user"]["addresses"][0]
    where = asker.choose("mail.where", "Where does your mail lie", ("server", "folder", "nowhere"), "server")
    if where == "nowhere":
        return draft
    provider = provider_of(asker, address) if where == "server" else None
    if provider is not None and provider.note == GRANT:
        return draft
    if provider is None:
        draft = connected(asker, draft, "mail", lambda: _folder(asker), _reading)
    else:
        draft = connected(
            asker,
            draft,
            "mail",
            lambda: {"imap": _server(asker, "imap", provider.imap, address)},
            _reading,
            name="mail.imap",
        )
    if "mail" not in draft.tables:
        return draft
    if asker.agrees(
        "mail.sends",
        "Shall what you send leave by a server (else it lies in a folder, and you deliver it)",
        usually=provider is not None,
    ):
        smtp = None if provider is None else provider.smtp
        reading = draft.tables["mail"]
        draft = connected(
            asker,
            draft,
            "mail",
            lambda: {**reading, "smtp": _server(asker, "smtp", smtp, address)},
            _sending,
            name="mail.smtp",
        )
    return _vouched(asker, draft)


def provider_of(asker: Asker, address: str) -> Provider:
    """What is known of an address's servers, or nothing of them."""
    domain = address.rpartition("@")[2]
    found = known_provider(address)
    if found is None and asker.agrees(
        "mail.looks_up", f"Look in DNS for the servers of {domain} (your resolver learns its name)", usually=True
    ):
        found = announced_provider(address)
    if found is None:
        return Provider()
    for place in (found.imap, found.smtp):
        if place is not None and not place.is_within:
            asker.say(
                f"  DNS names {place.host}, which is not in {domain}. Nobody vouches for what DNS says: type it only if you know it"
            )
    if found.note:
        asker.say(f"  {domain}: {found.note}")
    return found


def whole_path(text: str) -> str:
    """A path as the person means it, who types it here and not in the file's folder."""
    return str(Path(text).expanduser().absolute()) if text else ""


def wrong_place(text: str) -> str:
    """What is wrong with a path: nothing lies there."""
    return "" if text and Path(whole_path(text)).exists() else "there is nothing at that place"


def wrong_file(text: str) -> str:
    """What is wrong with the path of a file that need not be given."""
    return "" if not text or Path(whole_path(text)).is_file() else "there is no such file"


def _folder(asker: Asker) -> dict[str, Any]:
    path = asker.ask("mail.path", "The Maildir or mbox file", "~/Maildir", wrong_place)
    content: dict[str, Any] = {"path": whole_path(path)}
    if Path(whole_path(path)).is_file():
        beside = asker.ask(
            "mail.folders_path", "A Maildir for drafts and what is sent, beside that file", "~/armslength-mail"
        )
        content["folders_path"] = whole_path(beside)
    return content


def _server(asker: Asker, kind: str, place: Place | None, address: str) -> dict[str, Any]:
    """The table of a server. What is known of a provider is not asked."""
    does = "on which your mail lies" if kind == "imap" else "by which it leaves"
    name, content = f"mail.{kind}", dict[str, Any]()
    host = place.host if place is not None and place.is_within else ""
    content["host"] = asker.ask(f"{name}.host", f"The server {does}", host, _wrong_host)
    is_known = place is not None and content["host"] == place.host and known_provider(address) is not None
    tls = place.tls if place is not None else "implicit"
    if not is_known:
        tls = asker.choose(f"{name}.tls", "  How it is encrypted", ("implicit", "starttls", "none"), tls)  # type: ignore[assignment]  # one of these
    port = place.port if place is not None and place.tls == tls else _PORTS[kind][tls]
    content["tls"], content["port"] = tls, port
    if not is_known:
        content["port"] = int(asker.ask(f"{name}.port", "  Its port", str(port), _wrong_port))
    content["user"] = asker.ask(f"{name}.user", "  Your user name there", asker.given.get("mail.imap.user", address))
    if content["user"]:
        like = "mail.imap.password" if kind == "smtp" else ""
        content["password"] = asker.secret(
            f"{name}.password", f"the password of {content['user']}", "MAIL_PASSWORD", like
        )
    if is_here(content["host"]) or not is_known:
        usual = asker.given.get("mail.imap.authorities", "")
        own = asker.ask(
            f"{name}.authorities",
            "  A file of certificates that vouch for it, if the system's do not",
            usual,
            wrong_file,
        )
        content |= {"authorities": whole_path(own)} if own else {}
    return content


def _wrong_host(text: str) -> str:
    return "" if text and not set(text) & set(" /@\"'") else "the name of a server, such as imap.example.com"


def _wrong_port(text: str) -> str:
    return "" if text.isdecimal() and 0 < int(text) < 65_536 else "a number from 1 to 65535"


def _reading(settings: Settings) -> Iterable[Check]:
    return named(place_checks(settings), "mailbox")


def _sending(settings: Settings) -> Iterable[Check]:
    return named(place_checks(settings), "sending")


def _vouched(asker: Asker, draft: Draft) -> Draft:
    """Whose word about senders counts is the person's to say: what stands on top of the mails may be a sender's."""
    try:
        found = claimed_server(draft.settings().accounts[0])
    except ArmslengthError:  # said already, when it was tried
        return draft
    if found is None:
        asker.say(
            "  No server stands for the senders of your latest mails, so each is unverified, and more is asked; docs/mail.md says what can be done"
        )
        return draft
    name, count, of = found
    asker.say(f"  {count} of your {of} latest mails have on top what {name} found out about their senders.")
    asker.say(
        "  If that is the server that receives your mail, let it vouch. If it is not, whoever sent you these could have written it."
    )

    def wrong(answer: str) -> str:
        return "" if answer in {"yes", "no", name} else "yes, no, or its name"

    if asker.ask("mail.authserv_id", f"Does {name} receive your mail (yes, no)", "no", wrong) == "no":
        return draft
    return draft.having("mail", {"authserv_id": name, **draft.tables["mail"]})
