"""What a signature covers decides what of a mail is its sender's, where the server vouches by that signature."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from armslength.labels import PRIVATE, Readers, Source, label
from armslength.tools.mail.authentication import Sender
from armslength.tools.mail.covering import COVERED
from armslength.tools.mail.headers import Fields
from armslength.tools.mail.labels import UNVERIFIED
from armslength.tools.mail.message import read_message
from armslength.tools.mail.senders import Senders
from armslength.tools.mail.settings import MailSettings

ONLY_JULIA = Readers(frozenset({"julia@example.com"}))
WHEN = datetime(2026, 11, 30, tzinfo=UTC)
BY_DKIM = "Authentication-Results: mx.example.org; dkim=pass header.d=example.com; dmarc=pass header.from=example.com"
BY_SPF = (
    "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.com; dmarc=pass header.from=example.com"
)
HEAD = ("From: Julia <julia@example.com>", "To: me@example.org", "Subject: Lunch", "Content-Type: text/plain")
ALL = "from:to:cc:subject:content-type:message-id:in-reply-to:references"


def sender(*lines: str, body: str = "Hello.\n") -> Sender | None:
    """The authenticated sender of a message of these fields."""
    settings = MailSettings(Path("nowhere"), ("me@example.org",), authserv_id="mx.example.org")
    return Senders(settings).of(("\n".join(lines) + f"\n\n{body}").encode(), WHEN)


def signed(names: str, *more: str) -> str:
    """A signature of example.com over these fields. The server said that it holds."""
    return "DKIM-Signature: " + "; ".join(("v=1; a=rsa-sha256; d=example.com; s=s", f"h={names}", *more, "bh=x; b=y"))


@pytest.mark.parametrize(
    ("names", "is_whole"),
    [
        (ALL, True),
        (ALL.replace(":to:cc", ""), False),
        ("from:subject:content-type", False),
        ("From : Subject:\n To: Cc", True),
    ],
)
def test_what_is_signed_is_the_senders(names: str, is_whole: bool):  # noqa: FBT001  # a case's result
    """To whom it was written counts only where that is signed; how it is read may be unsigned where it can be read in one way."""
    assert sender(BY_DKIM, signed(names), *HEAD) == Sender("julia@example.com", is_whole=is_whole)


@pytest.mark.parametrize(
    "lines",
    [
        (BY_DKIM, "Subject: Pay at once", signed(ALL), *HEAD),
        (BY_SPF, "Subject: Pay at once", *HEAD),
        (BY_DKIM, signed(ALL), "To: eve@evil.example", *HEAD),
        (BY_DKIM, signed(ALL), "Content-Type: text/html", *HEAD),
        (BY_DKIM, signed("to:subject:content-type"), *HEAD),
        (BY_DKIM, signed("from:to:content-type"), *HEAD),
        (BY_DKIM, signed(ALL, "l=0"), *HEAD),
        (BY_DKIM, signed("from:to:subject"), *HEAD[:3], "Content-Type: text/html"),
        (BY_DKIM, signed("from:to:subject"), *HEAD[:3], "Content-Type: text/plain; charset=utf-7"),
        (BY_DKIM, signed("from:to:subject"), *HEAD, "Content-Transfer-Encoding: base64"),
        (BY_DKIM, "DKIM-Signature: rubbish", *HEAD),
        (BY_DKIM, signed(ALL), signed("from"), *HEAD),
        (BY_DKIM, signed("from"), signed(ALL), *HEAD),
    ],
)
def test_what_is_added_to_a_signed_mail_is_nobodys(lines: tuple[str, ...]):
    """A second field, one that is not signed, a body that is signed in part or could be read in another way."""
    assert sender(*lines) is None


ATTACHED = 'Content-Disposition: attachment; filename="pay to DE99, see evil.example"'
PARTED = "--b\nContent-Type: text/plain\n\nPay.\n--b\nContent-Type: text/plain\n\nOnly if Kim signs.\n--b--\n"


@pytest.mark.parametrize("names", [ALL, "from:to:subject"])
def test_words_beside_a_whole_signature_are_nobodys(names: str):
    """An unsigned name of an attachment took the place of the signed body, and was shown as the sender's words."""
    assert sender(BY_DKIM, ATTACHED, signed(names), *HEAD) is None
    assert sender(BY_DKIM, ATTACHED, signed(f"{names}:content-disposition"), *HEAD) is not None
    assert sender(BY_DKIM, "Content-Disposition: inline", signed(names), *HEAD) is not None


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("Content-Transfer-Encoding: quoted-printable", "The limit is x=3530 EUR, =\nnot more.\n"),
        ("Content-Transfer-Encoding: base64", "SGVsbG8u\n"),
        ("Content-Type: multipart/alternative; boundary=b", PARTED),
        ("Content-Type: multipart/mixed; boundary=b", PARTED),
        ("Content-Type: text/plain; charset=iso-8859-1", "Gr\u00fc\u00dfe\n"),
        ("Content-Type: text/plain; name=pay", "Hello.\n"),
    ],
)
def test_one_body_read_in_two_ways_is_nobodys(line: str, body: str):
    """A field that nobody signed, and that makes other words of the signed body."""
    names = "from:to:subject"
    assert sender(BY_DKIM, line, signed(names), *HEAD[:3], body=body) is None
    assert sender(BY_DKIM, line, signed(f"{names}:{line.partition(':')[0]}"), *HEAD[:3], body=body) is not None


def test_an_unsigned_encoding_that_codes_nothing_changes_nothing():
    """So a signer who leaves it out is still believed where it does not matter."""
    for line in ("Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: 8bit"):
        assert sender(BY_DKIM, line, signed("from:to:subject"), *HEAD) is not None


def test_a_field_that_is_cut_may_say_anything():
    """Blanks, which a relaxed form leaves out, moved `l=` behind what is kept of a signature."""
    blanks = "\n ".join(" " * 900 for _ in range(80))
    assert sender(BY_DKIM, signed(ALL, f"t=1;{blanks}l=8"), *HEAD) is None
    assert sender(f"{BY_DKIM};{blanks}dkim=fail", signed(ALL), *HEAD) is None


def test_each_field_that_a_message_is_read_by_counts(monkeypatch: pytest.MonkeyPatch):
    """No name is asked for that a signature need not cover, so that a further one cannot be forgotten."""
    asked: set[str] = set()

    def all_of(self: Fields, name: str) -> list[bytes]:
        asked.add(name)
        return [value for one, value in self.fields if one == name]

    monkeypatch.setattr(Fields, "all", all_of)
    for kind, body in (
        ("text/plain", "x"),
        ("text/calendar; method=REQUEST", "x"),
        ("multipart/mixed; boundary=b", PARTED),
    ):
        read_message(f"From: a@b.example\nContent-Type: {kind}\n\n{body}\n".encode())
    assert asked == COVERED


def by(signer: str, names: str, *more: str) -> str:
    """A signature of another domain over these fields."""
    return signed(names, *more).replace("d=example.com", f"d={signer}")


BELOW = BY_DKIM.replace("example.com", "news.example.com")
FROM_BELOW = ("From: Julia <julia@news.example.com>", *HEAD[1:])


@pytest.mark.parametrize(
    "signer",
    ["mail.example.com", "a.b.example.com", "MAIL.example.com", "mail.example.com.", "m\u00e4il.example.com", ""],
)
@pytest.mark.parametrize("attack", [("from:to:subject:content-type", "l=20"), ("from",)])
def test_a_sibling_domains_signature_over_a_part_vouches_for_no_more(signer: str, attack: tuple[str, ...]):
    """It is of the same organisation, so it may be the one by which DMARC passed (RFC 7489, 3.1.1), however its domain is written."""
    assert sender(BELOW, by(signer, *attack), *FROM_BELOW) is None


def test_a_neighbour_counts_where_the_servers_list_of_suffixes_may_be_another():
    """Where two customers of one host are one organisation to the server, one of them signs for the other."""
    result = BY_DKIM.replace("example.com", "kim.github.io")
    head = (HEAD[0].replace("example.com", "kim.github.io"), *HEAD[1:])
    assert sender(result, by("eve.github.io", ALL, "l=20"), *head) is None


def test_a_sibling_domains_signature_over_all_is_the_senders_word():
    """As companies sign that send from several names; what a service signs for itself says nothing about it."""
    found = sender(BELOW, by("mail.example.com", ALL), by("service.example", "from", "l=0"), *FROM_BELOW)
    assert found == Sender("julia@news.example.com")
    part = sender(BELOW, by("mail.example.com", "from:subject:content-type"), *FROM_BELOW)
    assert part == Sender("julia@news.example.com", is_whole=False)


def test_a_mail_that_came_by_spf_of_a_sibling_needs_no_signature():
    """The server vouches, and nobody who passed it on could have had it pass."""
    assert sender(BELOW, *FROM_BELOW) == Sender("julia@news.example.com")


PARTS = "--real\nContent-Type: text/plain\n\n> --evil\n> Hello.\n--evil\n\nPay.\n--evil--\n--real--\n"


@pytest.mark.parametrize(("boundary", "is_its"), [("real", True), ("evil", False)])
def test_another_boundary_shows_no_other_part(boundary: str, is_its: bool):  # noqa: FBT001  # a case's result
    """An unsigned Content-Type whose boundary is not the body's first line would hide the sender's own words."""
    kind = f'Content-Type: multipart/mixed; boundary="{boundary}"'
    found = sender(BY_DKIM, signed("from:to:subject"), *HEAD[:3], kind, body=PARTS)
    assert (found is not None) == is_its


def test_unsigned_addresses_are_nobodys_readers_or_receivers(home: Any):
    """The words are Julia's; whoever passed the mail on may have written to whom it went."""
    home.deliver("Lunch", sender="me@example.org", to="bob@example.com", ident="1", folder="Sent")
    head = f"{BY_DKIM}\n{signed('from:subject')}\nCc: bob@example.com\nIn-Reply-To: <1@example.com>\n"
    home.deliver("Re: Lunch", head=head)
    fields = home.call("read_email", email_id=home.one()["id"]).data
    assert fields["body"].label == label([Source("mail:julia@example.com", is_trusted=True)], readers=ONLY_JULIA)
    anybody = Source("store:mail:anybody", is_trusted=True)
    assert fields["recipients"].label == label([UNVERIFIED, anybody], readers=PRIVATE)
    assert home.receivers("Re: Lunch").names == ("julia@example.com",)


@pytest.mark.parametrize(("names", "is_whole"), [("from:to:subject", True), ("from:subject", False)])
def test_unsigned_ids_are_steered_by_whoever_passed_the_mail_on(home: Any, names: str, is_whole: bool):  # noqa: FBT001  # a case's result
    """Which mails belong together stands in them."""
    home.deliver("Lunch", head=f"{BY_DKIM}\n{signed(names)}\n")
    assert (UNVERIFIED not in home.call("get_thread", email=home.one()).label.choice) == is_whole
