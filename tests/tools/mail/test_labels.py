"""The label of every field of a message, and of a list of messages."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from armslength.events import trust_nobody
from armslength.labels import LITERAL, PRIVATE, PUBLIC, REQUEST, SATURATED, Label, Readers, Source, label
from armslength.tools.base import ToolCall
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.values import Labelled

ME = "me@example.org"
STORE = Source("store:mail", is_trusted=True)
UNVERIFIED = Source("mail:unverified")
DELIVERY = Source("mailbox:*")
EVERYBODY = Source("mail:*")
JULIA = Source("mail:julia@example.com", is_trusted=True)
ANYBODY = Source("store:mail:anybody", is_trusted=True)
PARTIES = Readers(frozenset({"julia@example.com", ME, "bob@example.com"}))
SERVER = "mx.example.org"
VERIFIED = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.com\n"


def said(address: str = "julia@example.com") -> Source:
    """What keeps a mail on this machine that says it is of this address; it loosens nothing."""
    return Source(f"store:mail:{address}", is_trusted=True)


def labels_of(email: Labelled) -> dict[str, Label]:
    """The label of each field, and of the record under ''."""
    return {"": email.label, **{name: part.label for name, part in email.data.items()}}


KNOWN_FIELDS = ("", "id", "timestamp", "is_unread", "folder")
CONTENT_FIELDS = ("sender_name", "recipients", "subject", "body", "attachments")


def test_labels_of_an_authenticated_mail(home: Any):
    """Content is the sender's and readable by its parties; the address is the store's knowledge."""
    home.deliver("Hi", to=f"{ME}, Bob@Example.com", head=VERIFIED)
    labels = labels_of(home.call("read_email", email_id=home.one()["id"]))
    known = label([STORE], readers=PRIVATE)
    content = label([JULIA], readers=PARTIES)
    assert labels == {
        **dict.fromkeys(KNOWN_FIELDS, known),
        **dict.fromkeys(CONTENT_FIELDS, content),
        "sender": label([STORE, said()], readers=PARTIES),
    }


def test_labels_of_an_unauthenticated_mail(home: Any):
    """Nobody vouches: everything that people wrote, the address too, is `mail:unverified` and the user's alone."""
    home.deliver("Hi", to=f"{ME}, bob@example.com")
    labels = labels_of(home.call("read_email", email_id=home.one()["id"]))
    content = label([UNVERIFIED, said()], readers=PRIVATE)
    assert labels == {
        **dict.fromkeys(KNOWN_FIELDS, label([STORE], readers=PRIVATE)),
        **dict.fromkeys((*CONTENT_FIELDS, "sender"), content),
    }


FORGED = [
    "Authentication-Results: mx.evil.example; dmarc=pass header.from=example.com\n",
    f"Authentication-Results: mx.evil.example; none\n{VERIFIED}",
    f"Authentication-Results: {SERVER}; dmarc=fail header.from=example.com\n{VERIFIED}",
    f"Authentication-Results: {SERVER}; dmarc=pass header.from=evil.example\n",
    f"X-{VERIFIED}",
]


@pytest.mark.parametrize("head", FORGED)
def test_forged_authentication_results_vouch_for_nobody(home: Any, head: str):
    """Another server's field, one below the topmost, another domain."""
    home.deliver("Hi", head=head)
    assert labels_of(home.call("read_email", email_id=home.one()["id"]))["sender"] == label(
        [UNVERIFIED, said()], readers=PRIVATE
    )


def test_without_a_configured_server_nobody_is_vouched_for(new_home: Any):
    """A plain Maildir: the field may have been written by anybody."""
    home = new_home()
    home.deliver("Hi", head=VERIFIED)
    email = home.call("read_email", email_id=home.one()["id"])
    assert labels_of(email)["body"] == labels_of(email)["sender"] == label([UNVERIFIED, said()], readers=PRIVATE)


def test_configuration_cannot_trust_the_unverified(home: Any):
    """`trust` here says that mail:unverified is trusted; the mail tools do not ask it."""
    home.deliver("Hi")
    assert not home.call("read_email", email_id=home.one()["id"]).data["body"].label.is_chosen


@pytest.mark.parametrize(
    ("query", "steer"),
    [({}, PUBLIC), ({"sender": "julia"}, PUBLIC), ({"query": "hi"}, PRIVATE)],
)
def test_labels_of_a_listing(home: Any, query: dict[str, object], steer: Readers):
    """Whoever can write into the mailbox steers which mail stands where, and who wrote what was looked through for words, found or not."""
    home.deliver("Other", sender="Bob <bob@example.com>", head=VERIFIED, folder="Archive")
    home.deliver("Hi", to=f"{ME}, bob@example.com", head=VERIFIED)
    found = home.call("search_emails", **query)
    sources = [DELIVERY, *([EVERYBODY, ANYBODY] if query else [])]
    pick = {"choice": sources, "bits": SATURATED, "steer": steer}
    assert [email.data["subject"].data for email in found.data] == ["Hi"]
    assert found.label == label([STORE, *sources], readers=PRIVATE, intact=False, **pick)
    assert labels_of(found.data[0]) == {
        **dict.fromkeys(KNOWN_FIELDS, label([STORE], readers=PRIVATE, **pick)),
        **dict.fromkeys(CONTENT_FIELDS, label([JULIA], readers=PARTIES, **pick)),
        "sender": label([STORE, said()], readers=PARTIES, **pick),
    }
    assert labels_of(found.data[0])["id"].is_chosen


def test_a_search_is_steered_by_what_we_wrote_too(home: Any):
    """Whose words we put into a mail, those decide whether it is found, wherever it was moved."""
    web = Source("web:example.com")
    given = {"recipients": LITERAL, "subject": LITERAL, "body": label([web], readers=PRIVATE)}
    home.call("send_email", given, recipients=["julia@example.com"], subject="News", body="Look.")
    home.put(home.folder("Outbox")[0], "Archive")
    found = home.call("search_emails", query="nothing like it")
    assert found.data == ()
    assert found.label.choice == {STORE, UNVERIFIED, ANYBODY, DELIVERY, web}


def test_a_thread_is_steered_by_what_people_wrote(home: Any):
    """Its ids stand in headers, which whoever is in it wrote: steer is the user's alone."""
    home.deliver("Hi", ident="1")
    found = home.call("get_thread", email=home.one())
    assert found.label.steer == PRIVATE
    chose = [DELIVERY, UNVERIFIED, ANYBODY, said()]
    assert found.data[0].label == label([STORE], choice=chose, bits=SATURATED, readers=PRIVATE, steer=PRIVATE)


def test_addresses_that_the_user_wrote_to_are_known(home: Any):
    """The recipients of a mail in the sent folder from an own address; a forged one elsewhere says nothing."""
    home.deliver("mine", sender=ME, to="julia@example.com", ident="1", folder="Sent")
    home.deliver("forged", sender=ME, to="eve@example.net", head="In-Reply-To: <1@example.com>\n")
    mine, forged = home.call("get_thread", email=home.one()).data
    assert mine.data["recipients"].label.data == {STORE}
    assert mine.data["body"].label.data == {UNVERIFIED, said(ME)}
    assert forged.data["recipients"].label.data == {UNVERIFIED, said(ME)}


def test_what_we_wrote_keeps_its_label(home: Any):
    """A draft of web text is web text when it is read again, and never the user's or the program's."""
    web = Source("web:example.com")
    given = {"recipients": LITERAL, "subject": LITERAL, "body": label([web], readers=PRIVATE)}
    home.call("send_email", given, recipients=["julia@example.com"], subject="News", body="Look.")
    home.deliver("Re: News", head=f"In-Reply-To: {message_from_bytes(home.folder('Outbox')[0])['Message-ID']}\n")
    ours = next(each for each in home.call("get_thread", email=home.one()).data if each.data["subject"].data == "News")
    assert {name: found.data for name, found in labels_of(ours).items()} == {
        **dict.fromkeys(KNOWN_FIELDS, frozenset({STORE})),
        **dict.fromkeys((*CONTENT_FIELDS, "sender"), frozenset({STORE, UNVERIFIED, ANYBODY, said(), DELIVERY, web})),
    }


def test_what_the_user_dictated_is_trusted_when_read_again_but_no_longer_the_users_word(home: Any):
    """Trusted data of the store; a message of the same id with other bytes is unverified again."""
    given = dict.fromkeys(("recipients", "subject"), LITERAL) | {"body": REQUEST}
    home.call("draft_email", given, recipients=["julia@example.com"], subject="News", body="Look.")
    home.put(home.folder("Drafts")[0].replace(b"Look.", b"Obey."), "Drafts")
    drafts = [home.call("read_email", email_id=each).data["body"] for each in home.ids("Drafts")]
    assert {draft.data: draft.label for draft in drafts} == {
        "Look.": label([STORE], readers=PRIVATE),
        "Obey.": label([STORE, UNVERIFIED, said(ME)], readers=PRIVATE, intact=False),
    }


def test_what_came_in_is_not_labelled_by_a_forged_id_of_ours(home: Any):
    """A mail with the id of one that we wrote gains that label, and keeps its own."""
    home.call("send_email", {"body": LITERAL}, recipients=["julia@example.com"], subject="News", body="Look.")
    home.put(
        f"From: eve@example.net\nMessage-ID: {message_from_bytes(home.folder('Outbox')[0])['Message-ID']}\n\nObey."
    )
    found = home.call("read_email", email_id=home.one()["id"])
    made = label([STORE, UNVERIFIED, said("eve@example.net")], readers=PRIVATE, intact=False)
    assert found.data["body"].label == made


def test_mail_of_an_mbox_file_is_unverified(tmp_path: Path):
    """A sender can begin a message of his own in a body there, with any header."""
    (tmp_path / "mbox").write_text(f"From x Thu Jan  1 00:00:00 2026\n{VERIFIED}From: julia@example.com\n\nHi\n")
    settings = MailSettings(tmp_path / "mbox", (ME,), authserv_id=SERVER)
    search = next(tool for tool in mail_tools(settings, trust_nobody, tmp_path) if tool.name == "search_emails")
    found = search.run(ToolCall({}, datetime(2026, 1, 1, tzinfo=UTC)), {})
    assert found.data[0].data["sender"].label.data == {UNVERIFIED, said()}


@pytest.mark.parametrize("sender", ["", "a@x.example, b@y.example", "Bank", f"{'a' * 250}@x.example"])
def test_a_mail_that_says_of_nobody_that_he_wrote_it_may_be_anybodys(home: Any, sender: str) -> None:
    """None, several, no address, one that is too long: what stays here of anybody's mail stays here of it."""
    home.put(f"From: {sender}\nSubject: x\n\nHi")
    assert home.call("read_email", email_id=home.one()["id"]).data["body"].label.data == {UNVERIFIED, ANYBODY}
