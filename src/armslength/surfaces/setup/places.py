"""Files, calendars and address books: a folder on disk, or a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from armslength.app.dav import DavChoice
from armslength.app.doctor import Check, named
from armslength.app.doctor.dav import dav_checks, titles
from armslength.app.doctor.examining import Good
from armslength.app.doctor.places import place_checks
from armslength.app.draft import Draft
from armslength.app.settings import Settings
from armslength.app.wiring import local_tools
from armslength.surfaces.output import tame_line
from armslength.surfaces.setup.asking import Asker
from armslength.surfaces.setup.mail import whole_path, wrong_file, wrong_place
from armslength.surfaces.setup.trying import connected
from armslength.tools.mail.providers import Provider, known_provider

Kind = Literal["calendar", "contacts"]
_WHAT: dict[Kind, tuple[str, str, str]] = {
    "calendar": ("calendars", ".ics", "writes"),
    "contacts": ("contacts", ".vcf", "collection"),
}
_LONGEST_TITLE = 100


def ask_for_files(asker: Asker, draft: Draft) -> Draft:
    """The draft with a folder of files, if there is one."""

    def ask() -> dict[str, Any] | None:
        path = asker.ask("files.path", "A folder of files that it may read and change (- for none)", "", _wrong_folder)
        return {"path": whole_path(path)} if path else None

    return connected(asker, draft, "files", ask, partial(_of_folder, "files"))


def _wrong_folder(text: str) -> str:
    return "" if not text or Path(whole_path(text)).is_dir() else "there is no such folder; make it first"


def _of_folder(what: str, settings: Settings) -> Iterable[Check]:
    """What lies there, and that it is apart from the other places."""
    yield from named(place_checks(settings), what)
    yield Check("places", partial(_apart, settings))


def _apart(settings: Settings) -> Good:
    local_tools(settings)
    return Good("none lies in another")


def ask_for_collections(asker: Asker, draft: Draft, kind: Kind) -> Draft:
    """The draft with calendars, or with an address book, if there are some."""
    addresses = draft.tables.get("user", {}).get("addresses", [])
    provider = (known_provider(addresses[0]) if addresses else None) or Provider()
    url = {"calendar": provider.calendars, "contacts": provider.contacts or asker.given.get("calendar.url", "")}[kind]
    noun, ending, _ = _WHAT[kind]
    where = asker.choose(
        f"{kind}.where", f"Where are your {noun}", ("server", "files", "nowhere"), "server" if url else "nowhere"
    )
    match where:
        case "nowhere":
            return draft
        case "files":
            return connected(asker, draft, kind, lambda: _files(asker, kind, ending), partial(_of_folder, kind))
        case _:
            made = connected(asker, draft, kind, lambda: _server(asker, kind, url), dav_checks_of(kind))
            return _which(asker, made, kind) if kind in made.tables else made


def dav_checks_of(kind: Kind) -> Callable[[Settings], Iterable[Check]]:
    """Those of one of the two."""
    return lambda settings: named(dav_checks(settings), kind)


def _files(asker: Asker, kind: Kind, ending: str) -> dict[str, Any]:
    path = asker.ask(f"{kind}.path", f"  A folder of {ending} files, or one file", "", wrong_place)
    return {"path": whole_path(path)}


def _server(asker: Asker, kind: Kind, url: str) -> dict[str, Any]:
    content: dict[str, Any] = {"url": asker.ask(f"{kind}.url", "  The address of the server", url, _wrong_url)}
    user = asker.given.get("calendar.user", asker.given.get("mail.imap.user", ""))
    content["user"] = asker.ask(f"{kind}.user", "  Your user name there", user)
    like = "calendar.password" if kind == "contacts" else "mail.imap.password"
    content["password" if content["user"] else "token"] = asker.secret(
        f"{kind}.password", f"the password of {content['user'] or kind}", f"{kind.upper()}_PASSWORD", like
    )
    if urlsplit(content["url"]).scheme == "http":
        content["tls"] = "none"
    elif known := asker.ask(
        f"{kind}.authorities",
        "  A file of certificates that vouch for it, if the system's do not",
        asker.given.get("calendar.authorities", ""),
        wrong_file,
    ):
        content["authorities"] = whole_path(known)
    return content


def _wrong_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_plain = parts.scheme in {"https", "http"} and bool(parts.hostname) and parts.username is None
    except ValueError:
        is_plain = False
    return "" if is_plain else "an address such as https://dav.example.com/, without a password in it"


def _which(asker: Asker, draft: Draft, kind: Kind) -> Draft:
    """Where there are several, one is written to, or is the person's own. Their names are the server's words: one is picked by its number."""
    settings = draft.settings()
    (choice,) = settings.calendars if kind == "calendar" else settings.address_books
    found = _pickable(choice, kind)
    if len(found) < 2:
        return draft
    for number, title in enumerate(found, 1):
        asker.say(f"  {number}. {tame_line(title)}")

    def wrong(answer: str) -> str:
        return "" if answer in found or (answer.isdecimal() and 0 < int(answer) <= len(found)) else "one of the numbers"

    setting = _WHAT[kind][2]
    question = "  Which one is written to" if kind == "calendar" else "  Which one do you alone write"
    said = asker.ask(f"{kind}.{setting}", question, "1", wrong)
    title = said if said in found else found[int(said) - 1]
    return draft.having(kind, {**draft.tables[kind], setting: title})


def _pickable(choice: DavChoice, kind: Kind) -> Sequence[str]:
    """Names that are there once and can stand in the file."""
    from armslength.errors import ArmslengthError

    try:
        all_titles = titles(choice, "calendar" if kind == "calendar" else "addressbook")
    except ArmslengthError:
        return ()
    return [
        each
        for each in all_titles
        if each.isprintable() and 0 < len(each) <= _LONGEST_TITLE and all_titles.count(each) == 1
    ]
