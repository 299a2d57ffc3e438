"""The address book: cards of all versions, trusted unless the ledger knows better."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armslength.errors import ToolError
from armslength.events import trust_nobody
from armslength.labels import PRIVATE, SATURATED, Label, Source, label
from armslength.tools.base import Role, Tool, ToolCall
from armslength.tools.contacts.tools import CONTACT, STORE, contacts_tools
from armslength.tools.contacts.vcard import read_cards
from armslength.tools.ledger import Ledger
from armslength.values import Labelled

CARDS = Path(__file__).parent.parent / "fixtures" / "vcf"
CALL = ToolCall({}, datetime(2026, 11, 30, tzinfo=UTC))
VOUCHED = label([STORE], choice=[STORE], readers=PRIVATE)


def _search(path: Path, state: Path) -> Tool:
    (search,) = contacts_tools(path, trust_nobody, state)
    return search


def _contact(name: str, email: str, phone: str, own: Label = VOUCHED) -> Labelled:
    parts = {"name": Labelled(name, own), "email": Labelled(email, own), "phone": Labelled(phone, own)}
    return Labelled(parts, own, CONTACT)


def _shown(path: Path, name: str) -> list[tuple[str, ...]]:
    found = _search(path, path.parent / "state").run(CALL, {"name": name}).plain()
    assert isinstance(found, list)
    return [tuple(str(part) for part in each.values()) for each in found if isinstance(each, dict)]


def test_entries_are_trusted_and_picked_whole(tmp_path: Path) -> None:
    """First address and number of each card of the RFCs' examples, with the store's own label."""
    search = _search(CARDS, tmp_path)
    shape = label([STORE], choice=[STORE], readers=PRIVATE, intact=False)

    assert search.run(CALL, {"name": "frank DAWSON"}) == Labelled(
        (_contact("Frank Dawson", "Frank_Dawson@Lotus.com", "+1-919-676-9515"),), shape
    )
    assert search.run(CALL, {"name": "perreault"}) == Labelled(
        (_contact("Simon Perreault", "simon.perreault@viagenie.ca", "+1-418-656-9254;ext=102"),), shape
    )
    assert VOUCHED.is_trusted
    assert (search.name, search.picks, search.is_effect, search.roles) == (
        "search_contacts",
        True,
        False,
        {"name": Role.QUERY},
    )


def test_an_empty_query_gives_all_in_order(tmp_path: Path) -> None:
    """Files by path, cards as they stand; a missing book is empty."""
    assert [name for name, _, _ in _shown(CARDS, "")] == ["Frank Dawson", "Tim Howes", "Simon Perreault"]
    assert _shown(tmp_path / "none.vcf", "") == []
    assert _shown(tmp_path / "none", "") == []


def test_exact_matches_come_first_and_all_words_count(tmp_path: Path) -> None:
    """`search_contacts("Anna")[0]` is Anna, not Joanna or Anna Maria."""
    book = tmp_path / "book.vcf"
    names = ["Joanna Berg", "Anna Maria Holt", "Anna", "Bert Annaud"]
    book.write_text("".join(f"BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nEND:VCARD\n" for name in names))

    assert [name for name, _, _ in _shown(book, "anna")] == ["Anna", "Anna Maria Holt", "Bert Annaud", "Joanna Berg"]
    assert [name for name, _, _ in _shown(book, "holt anna")] == ["Anna Maria Holt"]
    assert _shown(book, "anna nobody") == []


def test_an_entry_that_the_ledger_knows_as_untrusted_has_that_label(tmp_path: Path) -> None:
    """The book vouches only for clean entries, and then steers which are found."""
    book = tmp_path / "book.vcf"
    book.write_text(
        "BEGIN:VCARD\nUID:1\nFN:Kim\nEMAIL:kim@evil.example\nEND:VCARD\nBEGIN:VCARD\nUID:2\nFN:Kim\nEMAIL:kim@x.org\nEND:VCARD\n"
    )
    evil = Source("mail:evil@example.com")
    first = read_cards(book.read_bytes())[0]
    Ledger(tmp_path / "contacts.ledger.json").record("1", first.raw.encode(), label([evil]))

    found = _search(book, tmp_path).run(CALL, {"name": "kim"})

    sources = [STORE, evil]
    assert found == Labelled(
        (
            _contact("Kim", "kim@evil.example", "", label(sources, choice=sources, bits=SATURATED, readers=PRIVATE)),
            _contact("Kim", "kim@x.org", "", label([STORE], choice=sources, bits=SATURATED, readers=PRIVATE)),
        ),
        label([STORE], choice=sources, bits=SATURATED, readers=PRIVATE, intact=False),
    )


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        (
            (
                "VERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen\n"
                "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen M=C3=\n=BCller\nTEL;CELL:+49 1\nEMAIL;INTERNET:j@x.org"
            ),
            ("Jürgen Müller", "j@x.org", "+49 1"),
        ),
        ("VERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Ren=E9e", ("Renée", "", "")),
        ("VERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=nonsense:Ren=C3=A9e", ("Renée", "", "")),
        ("FN:Long\n  name\nitem1.EMAIL;type=pref:a@x.org\nEMAIL:b@x.org", ("Long name", "a@x.org", "")),
        ("N:Berg;Jo\\;anna;;Dr.;\nEMAIL:", ("Dr. Jo;anna Berg", "", "")),
        ("ORG:Acme\\, Inc.;Sales", ("Acme, Inc., Sales", "", "")),
        ('FN:A\\nB\nEMAIL;X="a:b;c":MAILTO:a@x.org', ("A B", "a@x.org", "")),
        ("a broken line\nFN:Kept\n:\n;;;\nEMAIL", ("Kept", "", "")),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_cards_are_read_as_far_as_they_can_be(tmp_path: Path, card: str, shown: tuple[str, ...], newline: str) -> None:
    """Versions 2.1 to 4.0: folding, quoted-printable, charsets, groups, escapes, broken lines."""
    book = tmp_path / "book.vcf"
    book.write_bytes(f"begin:vcard\n{card}\nend:vcard\n".replace("\n", newline).encode())

    assert _shown(book, "") == [shown]


def test_a_card_without_an_end_does_not_hide_the_next(tmp_path: Path) -> None:
    """What stands outside of cards is not read."""
    book = tmp_path / "book.vcf"
    book.write_text(
        "FN:Outside\nBEGIN:VCARD\nFN:One\nBEGIN:VCARD\nFN:Two\nEND:VCARD\nFN:Outside\nBEGIN:VCARD\nFN:Three"
    )

    assert [name for name, _, _ in _shown(book, "")] == ["One", "Two", "Three"]


def test_a_book_that_is_a_link_or_too_large_is_an_error(tmp_path: Path) -> None:
    """One line that says what to do."""
    (tmp_path / "link.vcf").symlink_to(CARDS / "rfc6350-section-8.vcf")
    (tmp_path / "large.vcf").write_bytes(b"x" * 10_000_001)

    with pytest.raises(ToolError, match=r"^contacts: symbolic links are not followed"):
        _shown(tmp_path / "link.vcf", "")
    with pytest.raises(ToolError, match=r"^contacts: the file is over the limit of 10,000,000 bytes$"):
        _shown(tmp_path / "large.vcf", "")


@given(
    st.lists(
        st.sampled_from(
            [
                "BEGIN:VCARD",
                "END:VCARD",
                "FN:",
                "N:a;",
                ";",
                "=",
                "\\",
                '"',
                "\n",
                " ",
                "ENCODING=QUOTED-PRINTABLE:",
                "ä",
            ]
        )
    )
)
def test_any_text_is_read(parts: list[str]) -> None:
    """No text makes the reader fail, and every card is among the lines."""
    content = "".join(parts)
    assert all(card.raw in content for card in read_cards(content.encode()))
