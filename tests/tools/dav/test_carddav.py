"""An address book on a server: the same record and the same vouching as one of files, and changes elsewhere are seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.servers.dav_radicale import Radicale
from tests.tools.dav.conftest import settings_for

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import PRIVATE, Source, label
from armslength.tools.base import Tool, ToolCall
from armslength.tools.contacts.carddav import ServedBook
from armslength.tools.contacts.tools import CONTACT, STORE, contacts_tools
from armslength.tools.contacts.vcard import read_cards
from armslength.tools.ledger import Ledger
from armslength.values import Labelled

CALL = ToolCall({}, datetime(2026, 11, 30, tzinfo=UTC))
VOUCHED = label([STORE], choice=[STORE], readers=PRIVATE)


def _card(uid: str, name: str, email: str) -> str:
    return f"BEGIN:VCARD\nVERSION:3.0\nUID:{uid}\nFN:{name}\nN:{name};;;;\nEMAIL:{email}\nEND:VCARD\n"


def _search(server: Radicale, path: str, state: Path, files: Path | None = None) -> Tool:
    settings = settings_for(server.url.rstrip("/") + path, setting="contacts.home")
    (search,) = contacts_tools(files, trust_nobody, state, ServedBook(settings, state / "dav"))
    return search


def _shown(search: Tool, name: str = "") -> list[tuple[str, str]]:
    found = search.run(CALL, {"name": name}).plain()
    assert isinstance(found, list)
    return [(str(each["name"]), str(each["email"])) for each in found if isinstance(each, dict)]


def test_entries_are_trusted_and_a_change_elsewhere_is_seen(
    server: Radicale, collection: Callable[..., str], tmp_path: Path
) -> None:
    """Made, changed and removed by another program; who is known follows."""
    book = collection("addressbook", "Home")
    search = _search(server, book, tmp_path)
    assert _shown(search) == []
    server.put(f"{book}anna.vcf", _card("anna", "Anna Berg", "anna@example.com"))
    server.put(f"{book}bo.vcf", _card("bo", "Bo Berg", "bo@example.com"))
    parts = {
        name: Labelled(text, VOUCHED)
        for name, text in (("name", "Anna Berg"), ("email", "anna@example.com"), ("phone", ""))
    }
    shape = label([STORE], choice=[STORE], readers=PRIVATE, intact=False)
    assert search.run(CALL, {"name": "anna"}) == Labelled((Labelled(parts, VOUCHED, CONTACT),), shape)
    assert search.knows is not None and search.knows() == {"anna@example.com", "bo@example.com"}

    server.put(f"{book}anna.vcf", _card("anna", "Anna Berg", "anna@new.example"))
    server.remove(f"{book}bo.vcf")
    assert _shown(search) == [("Anna Berg", "anna@new.example")]
    assert search.knows() == {"anna@new.example"}


def test_files_and_servers_are_one_book(server: Radicale, collection: Callable[..., str], tmp_path: Path) -> None:
    """A search finds the entries of both."""
    book = collection("addressbook", "Home")
    server.put(f"{book}anna.vcf", _card("anna", "Anna Berg", "anna@example.com"))
    (tmp_path / "own.vcf").write_text(_card("kim", "Kim Berg", "kim@example.com"))
    search = _search(server, book, tmp_path / "state", tmp_path / "own.vcf")
    assert _shown(search, "berg") == [("Kim Berg", "kim@example.com"), ("Anna Berg", "anna@example.com")]


def test_an_entry_that_the_ledger_knows_vouches_for_nobody(
    server: Radicale, collection: Callable[..., str], tmp_path: Path
) -> None:
    """The rule of the files: what was written from a mail keeps that, on a server as well."""
    evil = Source("mail:evil@example.com")
    book = collection("addressbook", "Home")
    server.put(f"{book}anna.vcf", _card("anna", "Anna Berg", "evil@example.com"))
    (card,) = read_cards(server.ask("GET", f"{book}anna.vcf")[1])
    ledger = Ledger(tmp_path / "contacts.ledger.json", lambda name: STORE if name == STORE.name else Source(name))
    ledger.record("anna", card.raw.encode(), label([evil]))
    search = _search(server, book, tmp_path)
    assert search.knows is not None and search.names is not None
    assert (search.knows(), search.names()) == (frozenset(), {})
    (found,) = search.run(CALL, {"name": "anna"}).data  # type: ignore[misc]  # a list of one
    assert found.label.data == {STORE, evil}


def test_one_of_several_books_has_to_be_named(server: Radicale, tmp_path: Path) -> None:
    """A shared one beside it would vouch for whomever others write into it."""
    for number in range(2):
        server.make(f"/kim/shared{number}/", "addressbook", f"Shared {number}")
    with pytest.raises(
        ToolError,
        match=r"and one that others write into vouches for nobody; name your own in contacts\.home\.collection",
    ):
        _search(server, "/kim/", tmp_path).run(CALL, {"name": "anna"})


def test_a_server_that_is_gone_knows_nobody(tmp_path: Path) -> None:
    """The error names the account; the copy of before vouches for nobody."""
    settings = settings_for("http://localhost:9/", setting="contacts.home")
    (search,) = contacts_tools(None, trust_nobody, tmp_path, ServedBook(settings, tmp_path))
    assert search.knows is not None
    for ask in (search.knows, lambda: search.run(CALL, {"name": "anna"})):
        with pytest.raises(ToolError, match=r"contacts\.home: no connection to http://localhost:9"):
            ask()
