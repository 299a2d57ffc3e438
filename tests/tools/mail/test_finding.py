"""What the mail tools find, in which order, and what a message reads as."""

from __future__ import annotations

from typing import Any

import pytest

from armslength.errors import ToolError
from armslength.tools.documents.pages import texts_of
from armslength.tools.mail import catalogue, message, senders
from armslength.tools.mail.labels import EMAIL
from armslength.tools.mail.mailbox import Entry
from armslength.tools.mail.maildir import Maildir

ME = "me@example.org"


def test_an_empty_search_lists_the_inbox_newest_first(home: Any):
    """Other folders, sent, drafts, outbox and trash among them, are not the inbox."""
    home.deliver("old")
    home.deliver("new")
    for folder in ("Sent", "Trash", "Drafts", "Outbox", "Archive", "Junk"):
        home.deliver(f"in {folder}", folder=folder)
    assert home.subjects("search_emails") == ["new", "old"]


def test_a_search_for_words_looks_into_kept_folders_too(home: Any):
    """All but sent, drafts, outbox, trash and junk."""
    for folder in ("", "Sent", "Trash", "Drafts", "Outbox", "Archive", "Junk"):
        home.deliver(f"flat {folder}".strip(), folder=folder)
    assert home.subjects("search_emails", query="flat") == ["flat Archive", "flat"]


@pytest.mark.parametrize(
    "query", ["athens TRIP", "trip athens", "CAFÉ", "cafe\N{COMBINING ACUTE ACCENT}", "novak", "  "]
)
def test_a_query_matches_by_all_its_words(home: Any, query: str):
    """Subject, body and the sender's name count, in any order, case and Unicode form."""
    home.deliver(
        "The trip", body="To Athens, to the café.", head="MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    )
    assert home.subjects("search_emails", query=query) == ["The trip"]


@pytest.mark.parametrize("query", ["athens rome", "from:julia", "julia@example.com"])
def test_a_query_is_no_language(home: Any, query: str):
    """One word that is missing is enough, and the sender's address is not searched."""
    home.deliver("The trip", body="To Athens.")
    assert home.subjects("search_emails", query=query) == []


@pytest.mark.parametrize("sender", ["Julia", "julia@example.com", "JULIA@", "novak julia", "nov"])
def test_a_sender_matches_by_name_or_address(home: Any, sender: str):
    """Whole words or parts of them."""
    home.deliver("from Julia")
    home.deliver("from Bob", sender="Bob <bob@example.com>")
    assert home.subjects("search_emails", sender=sender) == ["from Julia"]


def test_unread_mail_is_what_was_not_seen(home: Any):
    """By the store's own flag, in both tools."""
    home.put("Subject: read\n\n", is_read=True)
    home.deliver("unread")
    assert home.subjects("get_unread_emails") == ["unread"]


def test_a_search_gives_the_newest_two_hundred(home: Any):
    """The bound stands in the tool's description."""
    for number in range(203):
        home.deliver(f"number {number}")
    found = home.subjects("search_emails")
    assert (len(found), found[0], found[-1]) == (200, "number 202", "number 3")
    assert "at most 200" in home.tools["search_emails"].signature.doc


def test_a_mail_reads_as_a_record(home: Any):
    """Every field, the time of delivery in the zone of the run's clock; the date that the mail claims counts for nothing."""
    home.deliver("Hi", to=f"{ME}, bob@example.com", head="Date: Mon, 1 Jan 1990 00:00:00 +0000\n")
    email = home.one()
    assert home.plain("read_email", email_id=email["id"]) == email
    assert email == {
        "id": email["id"],
        "sender": "julia@example.com",
        "sender_name": "Julia Novak",
        "recipients": [ME, "bob@example.com"],
        "subject": "Hi",
        "body": "Hello.",
        "timestamp": "2026-11-01 08:01",
        "is_unread": True,
        "folder": email["folder"],
        "attachments": [],
    }
    assert list(email) == [field.name for field in EMAIL.fields]


def test_an_unknown_id_is_an_error(home: Any):
    """The message says what to do and does not hold the id."""
    with pytest.raises(ToolError) as caught:
        home.call("read_email", email_id="no such")
    assert str(caught.value) == "mail: there is no message with this id any more; search again"


def test_a_thread_follows_ids_and_holds_what_the_user_sent(home: Any):
    """Oldest first, over inbox, sent and outbox; equal subjects join nothing."""
    home.deliver("Flat", ident="1")
    home.deliver(
        "Re: Flat", sender=ME, to="julia@example.com", ident="2", head="In-Reply-To: <1@example.com>\n", folder="Sent"
    )
    home.deliver("Flat")
    home.deliver("Re: Re: Flat", ident="3", head="References: <1@example.com> <2@example.com>\n")
    home.deliver("Re: gone", head="References: <1@example.com>\n", folder="Trash")
    start = home.one(query="re: re:")
    assert home.subjects("get_thread", email=start) == ["Flat", "Re: Flat", "Re: Re: Flat"]


def test_a_message_that_leaves_while_it_is_looked_for_is_not_found(home: Any, monkeypatch: pytest.MonkeyPatch):
    """Another program moves it after it was listed and before it is read; the others are found."""
    home.deliver("moved")
    home.deliver("kept")
    listed = Maildir.entries

    def moved_afterwards(self: Maildir, folder: str) -> list[Entry]:
        entries = listed(self, folder)
        for path in (home.path / "Maildir" / "new").glob("*.N1.host"):
            path.rename(home.path / "Maildir" / ".Trash" / "new" / path.name)
        return entries

    monkeypatch.setattr(Maildir, "entries", moved_afterwards)
    assert home.subjects("search_emails") == ["kept"]


@pytest.mark.parametrize(
    "html", ["<b>" * 500 + "&#" + "9" * 5_000 + ";", "&#" + "9" * 5_000 + ";"], ids=["nested", "plain"]
)
def test_a_mail_that_no_number_can_be_made_of_ends_no_search(home: Any, html: str):
    """A reference of thousands of digits, read with its structure or without: the mails beside it are found."""
    home.deliver("poison", head="MIME-Version: 1.0\nContent-Type: text/html\n", body=html)
    home.deliver("dinner", body="at eight")
    assert home.subjects("search_emails", query="eight") == ["dinner"]
    assert home.subjects("search_emails") == ["dinner", "poison"]


def test_a_mail_that_cannot_be_read_costs_itself_alone(home: Any, monkeypatch: pytest.MonkeyPatch):
    """Whatever its author makes fail, in its text or in who vouches for it."""
    home.deliver("poison")
    home.deliver("dinner", sender="kim@example.com")
    head = message.split_fields

    def failing_head(raw: bytes, *rest: Any) -> Any:
        if b"poison" in raw:
            raise OverflowError
        return head(raw, *rest)

    def failing_vouching(*_: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr(message, "split_fields", failing_head)
    assert home.subjects("search_emails") == ["dinner", "[this mail cannot be read here; open it in another program]"]
    monkeypatch.setattr(message, "split_fields", head)
    monkeypatch.setattr(senders, "vouched", failing_vouching)
    home.deliver("supper", sender="kim@example.com")
    assert "supper" in home.subjects("search_emails")


def test_html_is_read_of_what_is_found_alone(home: Any, monkeypatch: pytest.MonkeyPatch):
    """A search by sender reads no body that it does not give, and one for words reads each once."""
    read: list[int] = []

    def counted(pages: list[str], **how: Any) -> list[str]:
        read.append(len(pages))
        return texts_of(pages, **how)

    monkeypatch.setattr(catalogue, "texts_of", counted)
    html = "MIME-Version: 1.0\nContent-Type: text/html\n"
    for name in ("kim", "lee", "julia"):
        home.deliver(f"by {name}", sender=f"{name}@example.com", head=html, body="<p>Hi<p hidden>unseen</p>")
    assert home.one(sender="kim")["body"] == "Hi\n\n[hidden text: unseen]"
    assert sum(read) == 1
    assert home.subjects("search_emails", query="unseen") == ["by julia", "by lee", "by kim"]
    assert home.subjects("search_emails") == ["by julia", "by lee", "by kim"]
    assert sum(read) == 3
