"""What the mail tools write, to whom a reply goes, and what takes a change back."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from armslength.errors import ConfigError, ToolError
from armslength.events import trust_nobody
from armslength.tools.base import NOBODY, Receivers, Role
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools

ME = "me@example.org"
JULIA, BOB, EVE = "julia@example.com", "bob@example.com", "eve@example.net"
VERIFIED = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
LINE_BREAKS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"]


def read(raw: bytes) -> Any:
    """A message as the standard library reads it."""
    return message_from_bytes(raw, policy=policy.default)


def sent(home: Any) -> Any:
    """The one message in the outbox."""
    (raw,) = home.folder("Outbox")
    return read(raw)


def send(home: Any, **changes: object) -> None:
    """Send a mail with these parts, the others harmless."""
    home.call("send_email", **({"recipients": [JULIA], "subject": "Hi", "body": "Hello."} | changes))


# --- sending ----------------------------------------------------------------------------------------------------------


def test_a_sent_mail_lies_in_the_outbox(home: Any):
    """A whole message: from the user, dated by the run's clock, nothing of the machine in it."""
    send(home, recipients=[JULIA, BOB, "Julia@example.com"], subject="Grüße", body="Äpfel\n.\nFrom here\n")
    message = sent(home)
    assert {name: message[name] for name in ("From", "To", "Subject", "Date", "In-Reply-To")} == {
        "From": f"Max Example <{ME}>",
        "To": f"{JULIA}, {BOB}",
        "Subject": "Grüße",
        "Date": "Mon, 30 Nov 2026 09:00:00 +0000",
        "In-Reply-To": None,
    }
    assert message.get_content() == "Äpfel\n.\nFrom here\n"
    assert home.folder("Outbox")[0].isascii()
    assert message["Message-ID"].endswith("@example.org>")


def test_a_call_that_is_carried_out_again_writes_nothing_twice(home: Any):
    """The same call of the same run is one message; another body is another."""
    for body in ("once", "once", "twice"):
        send(home, body=body)
    assert sorted(read(raw).get_content() for raw in home.folder("Outbox")) == ["once\n", "twice\n"]


@pytest.mark.parametrize("line_break", LINE_BREAKS)
def test_a_subject_with_a_line_break_is_refused(home: Any, line_break: str):
    """Whatever Unicode or Python calls a line break; nothing is stored."""
    with pytest.raises(ToolError) as caught:
        send(home, subject=f"Hi{line_break}Bcc: {EVE}")
    assert str(caught.value) == "send_email: the subject holds a line break; give one line of text"
    assert home.folder("Outbox") == []


@pytest.mark.parametrize(
    "recipient",
    [
        "Julia",
        "Julia <julia@example.com>",
        "julia@example.com, eve@example.net",
        "julia@example.com;eve@example.net",
        "julia@example.com eve@example.net",
        "julia@example.com\n",
        "julia@example.com\nBcc: eve@example.net",
        "julia@example.com\r\n\r\nbody",
        "julia@exаmple.com",
        '"julia"@example.com',
        "julia@[127.0.0.1]",
        "julia@@example.com",
        ".julia@example.com",
        "@example.com",
        "team: julia@example.com;",
        "",
        None,
    ],
)
@pytest.mark.parametrize("tool", ["send_email", "draft_email"])
def test_only_plain_addresses_are_recipients(home: Any, tool: str, recipient: object):
    """No names, no lists in a string, no look-alike letters; the message says which one and does not repeat it."""
    with pytest.raises(ToolError) as caught:
        home.call(tool, recipients=[BOB, recipient], subject="Hi", body="Hello.")
    assert str(caught.value) == f"{tool}: recipient 2 is not one plain address; write it like name@example.com"
    assert home.folder("Outbox") + home.folder("Drafts") == []


@pytest.mark.parametrize("count", [0, 101])
def test_the_number_of_recipients_is_bounded(home: Any, count: int):
    """At least one, at most a hundred."""
    with pytest.raises(ToolError, match=f"^send_email: {count} recipients; give 1 to 100$"):
        send(home, recipients=[f"a{number}@example.com" for number in range(count)])


@pytest.mark.parametrize(
    "subject",
    [
        "=?utf-8?q?a=0D=0ABcc:_eve@example.net?=",
        "bell \x07, escape \x1b[2J and NUL \x00",
        "right to left \u202e and none\u200b",
        "word " * 90,
        "x" * 500,
        "\N{GRINNING FACE}" * 200,
        "Bcc: eve@example.net",
        "",
    ],
)
def test_no_subject_becomes_another_header(home: Any, subject: str):
    """What looks like an encoded word, control characters and long lines arrive as text, in the subject alone."""
    send(home, subject=subject)
    raw = home.folder("Outbox")[0]
    message = message_from_bytes(raw)
    assert raw.partition(b"\n\n")[0].decode("ascii").replace("\n", "").isprintable()
    assert message.keys() == [
        "From", "To", "Subject", "Date", "Message-ID", "Content-Type", "Content-Transfer-Encoding", "MIME-Version",
    ]  # fmt: skip
    home.put(raw)
    assert home.one()["subject"].split() == subject.replace("\0", "\ufffd").split()


@pytest.mark.parametrize(
    "body", ["", "a\r\nb\rc\n", "\x00\x1b", "\ud800", "x" * 5000, "\n\nFrom me\n.\n", "=?utf-8?q?a?="]
)
def test_any_body_can_be_written(home: Any, body: str):
    """No line is too long for a mail server, and the body begins where the headers end."""
    send(home, body=body)
    raw = home.folder("Outbox")[0]
    assert max(map(len, raw.split(b"\n"))) < 998
    expected = body.replace("\ud800", "?").replace("\r\n", "\n").replace("\r", "\n")
    assert read(raw).get_content().rstrip("\n") == expected.rstrip("\n")


# --- replying ---------------------------------------------------------------------------------------------------------


def test_a_reply_goes_to_the_authenticated_sender_alone(home: Any):
    """Reply-To and Cc are the sender's wish, not the user's."""
    home.deliver("Flat", ident="1", head=f"{VERIFIED}Reply-To: {EVE}\nCc: {EVE}\nReferences: <0@example.com>\n")
    assert home.receivers("Flat") == Receivers((JULIA,), are_vouched=True)
    home.call("reply_to_email", email=home.one(), body="Yes.")
    message = sent(home)
    assert {name: message[name] for name in ("To", "Cc", "Subject", "In-Reply-To", "References")} == {
        "To": JULIA,
        "Cc": None,
        "Subject": "Re: Flat",
        "In-Reply-To": "<1@example.com>",
        "References": "<0@example.com> <1@example.com>",
    }
    assert message.get_content() == "Yes.\n"


def test_a_sender_that_only_the_mail_names_is_not_vouched_for(home: Any):
    """Nobody authenticated it and the user never wrote to it in this thread; elsewhere counts for nothing."""
    home.deliver("Other", sender=ME, to=JULIA, ident="0", folder="Sent")
    home.deliver("Flat", ident="1")
    assert home.receivers("Flat") == Receivers((JULIA,), are_vouched=False)


def test_addresses_that_the_user_wrote_to_in_the_thread_are_vouched_for(home: Any):
    """The sender, and whoever of its company the user had written to; the subject is the user's own."""
    home.deliver("Flat", sender=ME, to=f"{JULIA}, {BOB}", ident="1", folder="Sent")
    home.deliver("Money", to=f"{ME}, {BOB}, {EVE}", ident="2", head="In-Reply-To: <1@example.com>\n")
    assert home.receivers("Money") == Receivers((JULIA, BOB), are_vouched=True)
    home.call("reply_to_email", email=home.one(), body="Yes.")
    assert (sent(home)["Subject"], sent(home)["To"]) == ("Re: Flat", f"{JULIA}, {BOB}")


def test_whom_the_sender_left_out_gets_no_reply(home: Any):
    """The user wrote to two; one answers to the user alone."""
    home.deliver("Flat", sender=ME, to=f"{JULIA}, {BOB}", ident="1", folder="Sent")
    home.deliver("Private", ident="2", head="In-Reply-To: <1@example.com>\n")
    assert home.receivers("Private") == Receivers((JULIA,), are_vouched=True)


def test_a_forged_company_does_not_learn_what_the_user_wrote_to_another(home: Any):
    """An unverified mail brings together two people to whom the user wrote apart, in one thread."""
    home.deliver("For Bob", sender=ME, to=BOB, ident="1", folder="Sent")
    home.deliver("For Julia", sender=ME, to=JULIA, ident="2", head="In-Reply-To: <1@example.com>\n", folder="Sent")
    home.deliver("Forged", to=f"{ME}, {BOB}", ident="3", head="In-Reply-To: <2@example.com>\n")
    assert home.receivers("Forged") == Receivers((JULIA,), are_vouched=True)


def test_a_mail_that_ties_two_threads_vouches_for_nobody(home: Any):
    """The user wrote to Bob in one thread; a third mail claims that it belongs to Julia's."""
    home.deliver("For Bob", sender=ME, to=BOB, ident="1", folder="Sent")
    home.deliver("Tie", sender=EVE, ident="2", head="References: <1@example.com> <3@example.com>\n")
    home.deliver("Flat", sender=BOB, ident="3")
    assert home.receivers("Flat") == Receivers((BOB,), are_vouched=False)


def test_a_mail_in_the_inbox_that_claims_to_be_the_users_vouches_for_nobody(home: Any):
    """Only the sent folder tells to whom the user wrote, and only mails from an own address there."""
    home.deliver("Forged", sender=ME, to=EVE, ident="1")
    home.deliver("Filed", sender=BOB, to=EVE, ident="2", folder="Sent")
    home.deliver("Flat", sender=EVE, head="References: <1@example.com> <2@example.com>\n")
    assert home.receivers("Flat") == Receivers((EVE,), are_vouched=False)


@pytest.mark.parametrize(
    "sender",
    [
        f"{JULIA}, {EVE}",
        f"{JULIA}\nFrom: {EVE}",
        "Julia",
        f"{JULIA} <{EVE}>",
        f"<{JULIA}> <{EVE}>",
        "j\N{LATIN SMALL LETTER U WITH DIAERESIS}@example.com",
    ],
)
def test_a_mail_from_no_one_plain_address_gets_no_reply(home: Any, sender: str):
    """Two addresses, two From fields, no address: neither receivers nor a reply."""
    home.deliver("Flat", sender=sender, head=VERIFIED)
    calls: list[Callable[[], object]] = [
        lambda: home.receivers("Flat"),
        lambda: home.call("reply_to_email", email=home.one(), body="Yes."),
    ]
    for call in calls:
        with pytest.raises(ToolError) as caught:
            call()
        assert str(caught.value) == (
            "reply_to_email: the mail is not from one plain address; write to the person with send_email"
        )


def test_a_reply_to_ones_own_mail_goes_to_its_recipients(home: Any):
    """As every mail program does it."""
    home.deliver("Flat", sender=ME, to=f"{JULIA}, {BOB}, {ME}", ident="1", folder="Sent")
    own = home.plain("read_email", email_id=home.ids("Sent")[0])
    receivers = home.tools["reply_to_email"].receivers({"email": own, "body": ""})
    assert receivers == Receivers((JULIA, BOB), are_vouched=True)


def test_a_reply_takes_only_the_id_of_the_record(home: Any):
    """A record with other fields than the store's changes nothing."""
    home.deliver("Flat", ident="1", head=VERIFIED)
    email = home.one() | {"sender": EVE, "subject": "Obey", "folder": "Sent"}
    assert home.tools["reply_to_email"].handles == {"email"}
    assert home.tools["reply_to_email"].receivers({"email": email, "body": ""}).names == (JULIA,)
    home.call("reply_to_email", email={"id": email["id"]}, body="Yes.")
    assert (sent(home)["To"], sent(home)["Subject"]) == (JULIA, "Re: Flat")


def test_headers_of_a_reply_hold_nothing_that_a_mail_could_inject(home: Any):
    """A subject with line breaks in an encoded word, ids with odd characters: neither makes a header."""
    home.deliver(
        "RE: =?utf-8?q?a=0D=0ABcc:_eve@example.net=1B=E2=80=A8x?=",
        head=f'{VERIFIED}Message-ID: <1"(x)\u00e9@example.com>\nReferences: <a b> <2@example.com>\n',
    )
    home.call("reply_to_email", email=home.one(), body="Yes.")
    raw = home.folder("Outbox")[0]
    assert "Bcc" not in message_from_bytes(raw)
    assert "In-Reply-To" not in message_from_bytes(raw)
    home.put(raw)
    assert home.one()["subject"] == "Re: a Bcc: eve@example.net\x1b x"


# --- forwarding -------------------------------------------------------------------------------------------------------


def test_a_forwarded_mail_is_a_marked_quotation(home: Any):
    """Every line of the original stands behind `> `, whatever ends it; the note is above."""
    home.deliver("Flat", body="one\n\u2028two", head="MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n")
    home.call("forward_email", email=home.one(), recipients=[BOB], note="See below.")
    message = sent(home)
    assert (message["To"], message["Subject"]) == (BOB, "Fwd: Flat")
    assert message.get_content() == (
        "See below.\n\n> Forwarded message\n> From: julia@example.com\n> Date: 2026-11-01 08:01\n> Subject: Flat\n>\n"
        "> one\n>\n> two\n"
    )


def test_what_is_forwarded_is_the_record_that_was_checked(home: Any):
    """Its labels were looked at, not those of the store's message: hence content, and no handle."""
    home.deliver("Flat")
    home.call("forward_email", email=home.one() | {"body": "other"}, recipients=[BOB])
    assert sent(home).get_content().endswith("> other\n")
    tool = home.tools["forward_email"]
    assert (tool.handles, tool.roles["email"], tool.roles["recipients"]) == (frozenset(), Role.CONTENT, Role.TARGET)
    with pytest.raises(ToolError, match=r"^forward_email: email must be a mail that was found or read before$"):
        home.call("forward_email", email={"id": "1"}, recipients=[BOB])


# --- keeping and taking back ------------------------------------------------------------------------------------------


def test_a_draft_is_kept_and_taken_back(home: Any):
    """Nobody receives it; undone, it lies in the trash."""
    args = {"recipients": [JULIA], "subject": "Hi", "body": "Hello."}
    home.call("draft_email", **args)
    assert [read(raw)["Subject"] for raw in home.folder("Drafts")] == ["Hi"]
    assert home.tools["draft_email"].receivers(args) == NOBODY
    home.undo("draft_email", **args)
    assert home.folder("Drafts") == []
    with pytest.raises(ToolError) as caught:
        home.undo("draft_email", **args)
    assert (
        str(caught.value)
        == "draft_email: the draft is not among the drafts of any account that is configured now, so nothing was undone"
    )


@pytest.mark.parametrize("folder", ["", "Archive"])
def test_a_trashed_mail_goes_back_to_its_folder(home: Any, folder: str):
    """By the handle that was given; unread stays unread."""
    home.deliver("Flat", folder=folder)
    email = home.one(query="flat")
    home.call("trash_email", email={"id": email["id"]})
    assert (home.subjects("search_emails", query="flat"), len(home.folder("Trash"))) == ([], 1)
    home.undo("trash_email", email={"id": email["id"]})
    assert (home.one(query="flat"), home.folder("Trash")) == (email, [])
    with pytest.raises(ToolError) as caught:
        home.undo("trash_email", email={"id": email["id"]})
    assert str(caught.value) == "trash_email: the mail is not in the trash as it was left, so nothing was undone"


def test_what_is_no_mail_is_no_handle(home: Any):
    """A record without an id, a number."""
    for given in ({}, 1, None, {"id": 1}):
        with pytest.raises(ToolError, match=r"^mail: email must be a mail that was found or read before$"):
            home.call("trash_email", email=given)


# --- declarations -----------------------------------------------------------------------------------------------------


def test_what_each_tool_declares(home: Any):
    """Stores, receivers, inverses, and the line on the approval screen."""
    args = {"recipients": ["Julia@example.com"], "email": {"id": "x"}}
    assert {
        name: (
            tool.reads,
            tool.changes,
            tool.is_effect,
            tool.undo is not None,
            tool.picks,
            tool.summary and tool.summary(args),
        )
        for name, tool in home.tools.items()
    } == {
        "search_emails": ("mail", None, False, False, True, None),
        "get_unread_emails": ("mail", None, False, False, True, None),
        "read_email": ("mail", None, False, False, True, None),
        "get_thread": ("mail", None, False, False, True, None),
        "read_attachment": ("mail", None, False, False, True, None),
        "send_email": (None, "outbox", True, False, False, "send a mail"),
        "reply_to_email": (None, "outbox", True, False, False, "reply to a mail"),
        "forward_email": (None, "outbox", True, False, False, "forward a mail"),
        "draft_email": (None, "drafts", True, True, False, "keep a draft of a mail"),
        "trash_email": ("mail", "mail", True, True, False, "move a mail to the trash"),
    }
    assert home.tools["send_email"].receivers(args) == Receivers((JULIA,))


@pytest.mark.parametrize("addresses", [(), ("Max",), ("me@example.org", "x\n@y")])
def test_a_mailbox_needs_its_owners_addresses(tmp_path: Path, addresses: tuple[str, ...]):
    """Without them nobody can tell what the user wrote."""
    with pytest.raises(ConfigError) as caught:
        mail_tools(MailSettings(tmp_path, addresses), trust_nobody, tmp_path)
    assert str(caught.value) == (
        "mail: addresses must name at least one address of your own, each like name@example.com"
    )


FIXTURES = sorted(path for path in (Path(__file__).parents[2] / "fixtures" / "mail").rglob("*") if path.is_file())


def test_mail_that_others_wrote_can_be_read_answered_or_refused_and_forwarded(home: Any):
    """Every message of the fixtures, however broken: a record, a quotation in one message, a reply or its refusal."""
    for path in FIXTURES:
        home.put(path.read_bytes())
    emails = home.plain("search_emails")
    assert len(emails) == min(len(FIXTURES), 200) > 50
    for email in emails:
        home.call("forward_email", email=email, recipients=[BOB])
        try:
            home.call("reply_to_email", email={"id": email["id"]}, body="Yes.")
        except ToolError as error:
            assert str(error).startswith("reply_to_email: the mail is not from one plain address")  # noqa: PT017
    assert len(home.folder("Outbox")) >= len(emails)
