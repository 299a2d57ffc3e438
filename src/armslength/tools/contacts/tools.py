"""The address book: .vcf files that the person keeps, and address books on servers. No tool of ours writes into either.

Its entries are trusted and pick whole: a program may send to them. An entry that our ledger knows as written from untrusted data has the
ledger's label instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from armslength.events import Trust
from armslength.labels import PRIVATE, PUBLIC, Label, Source, label, steered
from armslength.schema import ListOf, Origin
from armslength.tools.annotations import record_type
from armslength.tools.base import Role, Tool, nobody, tool
from armslength.tools.contacts.vcard import Card, read_cards
from armslength.tools.folder import Shelf, shelf_at
from armslength.tools.ledger import Ledger, knowing, read_back
from armslength.tools.listing import listing_among
from armslength.tools.usual import Usual
from armslength.values import Labelled, Plain

STORE = Source("store:contacts", is_trusted=True)
MOST_BYTES = 10_000_000
_VOUCHED = label([STORE], readers=PRIVATE)


@dataclass(frozen=True, slots=True, repr=False)
class Contact:
    """A contact as programs see it: the first address and number, "" where there is none."""

    name: str
    email: str
    phone: str


CONTACT = record_type(Contact)


@dataclass(frozen=True, slots=True, repr=False)
class Listed:
    """A card with the label of what it says."""

    card: Card
    label: Label


class Book(Protocol):
    """Where cards lie."""

    def texts(self) -> Iterable[tuple[str, bytes]]:
        """The vCard texts that lie there now, each with the name under which it does.

        Raises:
            ToolError: they cannot be read.
        """


@dataclass(frozen=True, slots=True)
class FileBook:
    """The .vcf files of a folder, or one of them."""

    shelf: Shelf

    def texts(self) -> Iterable[tuple[str, bytes]]:
        """By their paths below the folder."""
        for path in self.shelf.paths():
            yield path, self.shelf.folder.read(path) or b""


def contacts_tools(path: Path | None, trust: Trust, state: Path, *served: Book) -> list[Tool]:
    """The tools over one .vcf file or a folder of them, and over books elsewhere; `state` is where a ledger would be."""
    files = [] if path is None else [FileBook(shelf_at(path, "contacts", MOST_BYTES, ".vcf"))]
    books = Books((*files, *served), Ledger(state / "contacts.ledger.json", knowing(trust, STORE)))
    return [replace(_search_contacts(books), names=lambda: _names(books))]


@dataclass(frozen=True, slots=True)
class Books:
    """All address books as one, with their ledger."""

    books: tuple[Book, ...]
    ledger: Ledger

    def listed(self) -> list[Listed]:
        """Every card with its label."""
        listed = []
        for book in self.books:
            for path, content in book.texts():
                for card in read_cards(content):
                    known = self.ledger.label_of(card.uid or f"{path}#{card.name}", card.raw.encode(), _VOUCHED)
                    listed.append(Listed(card, read_back(known, STORE)))
        return listed


def _search_contacts(books: Books) -> Tool:
    @tool(
        name="search_contacts",
        returns=ListOf(CONTACT),
        origin=Origin("contacts", is_trusted=True),
        roles={"name": Role.QUERY},
        reads="contacts",
        changes=None,
        receivers=nobody,
        picks=True,
        fails_by=(STORE,),
        knows=lambda: _addresses(books),
        usually=_usually,
    )
    def search_contacts(name: str) -> Labelled:
        """Exact matches first."""
        listed = books.listed()
        words = name.casefold().split()
        ranked = sorted(
            ((rank, index) for index, each in enumerate(listed) if (rank := _rank(each.card, words)) is not None)
        )
        listing = listing_among(STORE, [each.label for each in listed], steer=PUBLIC)
        return Labelled(tuple(_record(listed[index], listing.gain) for _, index in ranked), listing.shape)

    return search_contacts


def _names(books: Books) -> dict[str, str]:
    """The names of those entries, by address in lower case; of an address with several entries all of them."""
    found: dict[str, str] = {}
    for each in books.listed():
        for email in each.card.emails if each.label.is_trusted else ():
            address = email.strip().lower()
            found[address] = f"{found.get(address, '')} {each.card.name} {each.card.nicknames}".strip()
    return found


def _addresses(books: Books) -> frozenset[str]:
    """The addresses of entries that nobody untrusted wrote, lower case."""
    listed = (each for each in books.listed() if each.label.is_trusted)
    return frozenset(email.strip().lower() for each in listed for email in each.card.emails)


def _usually(args: Mapping[str, Plain], _where: str) -> Usual:
    """Entries that the person keeps. One that the ledger knows as others' words is the exception."""
    listing = listing_among(STORE, [_VOUCHED], steer=PUBLIC)
    name = args.get("name")
    known_as = f'the address book by the name "{name}"' if isinstance(name, str) else "somebody in the address book"
    return Usual(steered(_VOUCHED, listing.gain), shape=listing.shape, known_as={"email": known_as})


def _rank(card: Card, words: list[str]) -> int | None:
    """0: the whole name or an address; 1: all words begin words of the name; 2: all are somewhere in it; None: no match."""
    query, name = " ".join(words), " ".join(card.name.casefold().split())
    if query in (name, *(email.casefold() for email in card.emails)):
        return 0
    if all(any(part.startswith(word) for part in name.split()) for word in words):
        return 1
    whole = "\n".join((card.name, card.structured, card.nicknames, card.organisation, *card.emails)).casefold()
    return 2 if all(word in whole for word in words) else None


def _record(listed: Listed, gain: Label) -> Labelled:
    own, card = steered(listed.label, gain), listed.card
    parts = {
        "name": Labelled(card.name, own),
        "email": Labelled(next(iter(card.emails), ""), own),
        "phone": Labelled(next(iter(card.phones), ""), own),
    }
    return Labelled(parts, own, CONTACT)
