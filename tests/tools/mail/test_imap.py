"""Mail on a server, against a real one: found, read, written and moved, as another program changes it meanwhile."""

from __future__ import annotations

import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from imap_tools.imap_utf7 import utf7_encode
from tests.servers.imap_dovecot import PASSWORD, Dovecot
from tests.tools.mail.conftest import FIRST, ME, NOW, Home
from tests.tools.mail.online import LETTER, Online, online

from armslength.errors import ConfigError, ToolError
from armslength.tools.base import ToolCall
from armslength.tools.mail import imap
from armslength.tools.mail.held import HeldMails
from armslength.values import Labelled

VOUCHED = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"


def mail(
    subject: str, body: str = "Hello.", sender: str = "Julia Novak <julia@example.com>", head: str = "", ident: str = ""
) -> bytes:
    """A message."""
    ids = f"Message-ID: <{ident}@example.com>\n" if ident else ""
    return f"{head}From: {sender}\nTo: {ME}\nSubject: {subject}\n{ids}\n{body}\n".encode()


@pytest.fixture(autouse=True)
def _looked_at_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server has is asked at each call, as a person's next call comes later."""
    monkeypatch.setattr(imap, "_FRESH", 0.0)


@pytest.fixture
def ada(imap_server: Dovecot, user: str, tmp_path: Path) -> Online:
    """The tools of a user without mail."""
    return online(imap_server, user, tmp_path)


def test_mail_is_found_and_read(ada: Online, imap_server: Dovecot, user: str) -> None:
    """By words and parts of words of subject, body and sender, in every folder but those that are written; as the server knows it."""
    imap_server.deliver(user, mail("Budget", "Grüße aus Köln 東京", ident="1"))
    imap_server.deliver(user, mail("Other", ident="2"), when=1_793_000_060, flags="(\\Seen)")
    imap_server.deliver(user, mail("Gone budget"), "Trash")
    assert ada.subjects() == ["Other", "Budget"]
    assert ada.subjects(query="budg") == ["Budget"]
    assert ada.subjects(query="köln 東京") == ["Budget"]
    assert ada.subjects(query="東") == ["Budget"]
    assert ada.subjects(sender="novak") == ada.subjects(sender="julia@") == ["Other", "Budget"]
    assert ada.subjects(query='"nothing" OR *') == []
    assert [email["subject"] for email in ada.plain("get_unread_emails")] == ["Budget"]
    found = ada.one(query="budget")
    assert (found["is_unread"], found["folder"], found["timestamp"]) == (True, "INBOX", "2026-10-26 07:33")
    assert ada.plain("read_email", email_id=found["id"]) == found


def same(one: Labelled, other: Labelled) -> bool:
    """Whether two results are equal with all their labels, but for the ids that stores give."""
    if one.label is not other.label:
        return False
    match one.data, other.data:
        case tuple(), tuple():
            return len(one.data) == len(other.data) and all(map(same, one.data, other.data))
        case dict(), dict():
            return one.data.keys() == other.data.keys() and all(
                same(one.data[name], other.data[name]) for name in one.data if name != "id"
            )
        case left, right:
            return left == right


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"query": "a"},
        {"query": "hello"},
        {"sender": "julia"},
        {"query": "re", "sender": "kim"},
        {"query": "absent"},
    ],
)
def test_labels_are_those_of_a_folder_on_disk(
    ada: Online, imap_server: Dovecot, user: str, home: Home, query: dict[str, object]
) -> None:
    """The same mails in a Maildir and on a server: the same results, with the same labels at every node."""
    mails = [
        mail("Verified", head=VOUCHED, ident="1"),
        mail("Unverified", ident="2"),
        mail("Re: Verified", sender="Kim <kim@example.com>", head="In-Reply-To: <1@example.com>\n", ident="3"),
        mail("Twice", head="From: x@example.com\n"),
        b"no header at all",
    ]
    for minute, raw in enumerate(mails, 1):
        home.put(raw)
        imap_server.deliver(user, raw, when=FIRST.timestamp() + 60 * minute)
    assert same(home.call("search_emails", **query), ada.call("search_emails", **query))
    first, second = home.one(query="unverified"), ada.one(query="unverified")
    assert same(home.call("get_thread", email=first), ada.call("get_thread", email=second))
    thread = [each["subject"] for each in ada.plain("get_thread", email=ada.one(query="verified", sender="kim"))]
    assert thread == ["Verified", "Re: Verified"]


def test_what_another_program_does_is_seen(ada: Online, imap_server: Dovecot, user: str) -> None:
    """New mail, mail that was read and mail that was removed, without the rest being fetched again."""
    for number in range(3):
        imap_server.deliver(user, mail(f"mail {number}"), when=1_793_000_000 + number)
    before = {email["subject"]: email["id"] for email in ada.plain("search_emails")}
    with imap_server.session(user) as client:
        client.select("INBOX")
        client.store("1", "+FLAGS", "\\Seen")
        client.store("2", "+FLAGS", "\\Deleted")
        client.expunge()
    imap_server.deliver(user, mail("mail 3"), when=1_793_000_100)
    after = ada.plain("search_emails")
    assert [(email["subject"], email["is_unread"]) for email in after] == [
        ("mail 3", True), ("mail 2", True), ("mail 0", False),
    ]  # fmt: skip
    assert [email["id"] for email in after[1:]] == [before["mail 2"], before["mail 0"]]
    with pytest.raises(ToolError, match="no message with this id any more"):
        ada.call("read_email", email_id=before["mail 1"])


def test_a_message_that_another_program_moves_keeps_its_id(ada: Online, imap_server: Dovecot, user: str) -> None:
    """Into a folder that is new, and renamed with it."""
    imap_server.deliver(user, mail("kept"))
    found = ada.one()
    with imap_server.session(user) as client:
        client.create("Archive")
        client.select("INBOX")
        client.uid("MOVE", "1", "Archive")
    assert ada.plain("read_email", email_id=found["id"])["folder"] == "Archive"
    with imap_server.session(user) as client:
        client.rename("Archive", "Old")
    assert ada.plain("read_email", email_id=found["id"])["folder"] == "Old"


def test_a_server_that_forgets_its_uids_makes_no_id_another_mail(ada: Online, imap_server: Dovecot, user: str) -> None:
    """A folder made anew has the same UIDs for others: the id of what is there still stays its own, that of what is gone finds nothing."""
    with imap_server.session(user) as client:
        client.create("Work")
    imap_server.deliver(user, mail("first"), "Work")
    imap_server.deliver(user, mail("second"), "Work")
    ids = {email["subject"]: email["id"] for email in ada.plain("search_emails", sender="julia")}
    with imap_server.session(user) as client:
        client.delete("Work")
        client.create("Work")
    imap_server.deliver(user, mail("a stranger's"), "Work")
    imap_server.deliver(user, mail("second"), "Work")
    assert ada.plain("read_email", email_id=ids["second"])["subject"] == "second"
    with pytest.raises(ToolError, match="no message with this id any more"):
        ada.call("read_email", email_id=ids["first"])
    assert sorted(ada.subjects(sender="julia")) == ["a stranger's", "second"]


def test_a_draft_lies_on_the_server_once(ada: Online, imap_server: Dovecot, user: str) -> None:
    """In the folder that the server has for drafts, flagged as one; made again it stays one, and taken back it is in the trash."""
    ada.call("draft_email", "effect", **LETTER)
    assert ada.happened("draft_email", "effect", **LETTER) is True
    ada.call("draft_email", "effect", **LETTER)
    with imap_server.session(user) as client:
        answered, (count,) = client.select("Entwuerfe")
        assert (answered, count) == ("OK", b"1")
        _, ((_, raw), _) = client.fetch("1", "(FLAGS BODY[])")
        _, (flags,) = client.fetch("1", "FLAGS")
    assert b"\\Draft" in flags
    assert b"Subject: Hi\r\n" in raw
    ada.undo("draft_email", "effect", **LETTER)
    with imap_server.session(user) as client:
        assert client.select("Entwuerfe")[1] == [b"0"]
        assert client.select("Trash")[1] == [b"1"]


def test_a_mail_goes_to_the_trash_and_back(ada: Online, imap_server: Dovecot, user: str) -> None:
    """With its id; what was to be removed by another program there stays."""
    imap_server.deliver(user, mail("junk"))
    imap_server.deliver(user, mail("other"), flags="(\\Deleted)")
    found = ada.one(query="junk")
    ada.call("trash_email", email=found)
    assert ada.plain("read_email", email_id=found["id"])["folder"] == "Trash"
    assert ada.happened("trash_email", "", email=found) is True
    ada.undo("trash_email", email=found)
    assert ada.plain("read_email", email_id=found["id"])["folder"] == "INBOX"
    assert ada.subjects(query="other") == ["other"]


def holding(imap_server: Dovecot, user: str, path: Path) -> tuple[Online, HeldMails]:
    """The tools of an account that holds what is sent, with one mail that waits."""
    server = imap_server.server(user, path / "mail.index.sqlite")
    made = Online(path, server, hold=timedelta(minutes=10))
    made.call("send_email", "effect", **LETTER)
    return made, HeldMails(path, made.settings)


def counts(imap_server: Dovecot, user: str, *folders: str) -> list[int]:
    """How many messages lie in these folders of the server."""
    with imap_server.session(user) as client:
        return [int(client.select(folder, readonly=True)[1][0]) for folder in folders]


def test_held_mail_waits_here_and_is_taken_back_to_the_server(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """In our own Maildir until then; a draft on the server afterwards, and nowhere else."""
    made, mails = holding(imap_server, user, tmp_path)
    assert [mail.recipients for mail in mails.listed()] == [("kim@example.com",)]
    assert mails.take_back(lambda _: True) == 1
    assert (mails.listed(), counts(imap_server, user, "Entwuerfe", "Sent")) == ([], [1, 0])
    assert made.happened("send_email", "effect", **LETTER) is True


def test_held_mail_that_is_due_goes_to_the_outbox_here(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """Where there is no server by which it leaves; the mail server is not asked for that."""
    made, _ = holding(imap_server, user, tmp_path)
    assert made.settings.server is not None
    nowhere = replace(made.settings, server=replace(made.settings.server, port=9))
    assert HeldMails(tmp_path, nowhere).send_due(datetime.now(UTC) + timedelta(hours=1)) == 1
    assert len(list((tmp_path / "mail.index.waiting").glob(".Outbox/*/*"))) == 1


def test_what_is_on_its_way_arrives_after_a_kill(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """A mail that was taken back and not yet handed over leaves no more, and is a draft once the server is there again."""
    made, mails = holding(imap_server, user, tmp_path)
    assert made.settings.server is not None
    made.subjects()
    waiting = tmp_path / "mail.index.waiting"
    for inner in ("tmp", "new", "cur"):
        (waiting / ".To drafts" / inner).mkdir(parents=True)
    (held,) = waiting.glob(".Held/cur/*")
    held.rename(waiting / ".To drafts" / "cur" / held.name)
    assert mails.send_due(datetime.now(UTC) + timedelta(hours=1)) == 0
    again = online(imap_server, user, tmp_path)
    again.subjects()
    again.subjects()
    assert counts(imap_server, user, "Entwuerfe") == [1]
    assert list(waiting.glob(".To drafts/*/*")) == []


def test_a_precondition_is_the_message_and_its_bytes(ada: Online, imap_server: Dovecot, user: str) -> None:
    """The same mail has the same state; in another folder it has another."""
    imap_server.deliver(user, mail("junk"))
    found, prospect = ada.one(), ada.tools["trash_email"].prospect
    assert prospect is not None
    first = prospect(ToolCall({}, NOW), {"email": found})
    assert first == prospect(ToolCall({}, NOW), {"email": found})
    assert first.before == "From: julia@example.com\nSubject: junk\nFolder: INBOX\n"
    assert first.state.startswith(f"{found['id']} ")


def test_whom_a_reply_goes_to_is_known_by_what_was_sent(ada: Online, imap_server: Dovecot, user: str) -> None:
    """By the server's Sent; a name that the mail adds gets nothing."""
    sent = (
        f"From: {ME}\nTo: julia@example.com, kim@example.com\nSubject: Plan\nMessage-ID: <plan@example.org>\n\nWhat?\n"
    )
    imap_server.deliver(user, sent.encode(), "Sent")
    answer = (
        f"{VOUCHED}From: julia@example.com\nTo: {ME}\nCc: kim@example.com, evil@example.net\nSubject: Re: Plan\n"
        "Message-ID: <answer@example.com>\nIn-Reply-To: <plan@example.org>\n\nThis.\n"
    )
    imap_server.deliver(user, answer.encode())
    receivers = ada.tools["reply_to_email"].receivers({"email": ada.one(query="re: plan"), "body": "yes"})
    assert receivers.names == ("julia@example.com", "kim@example.com")
    knows = ada.tools["send_email"].knows
    assert knows is not None
    assert knows() == {ME, "julia@example.com", "kim@example.com"}


def test_a_long_mail_is_kept_in_part_and_given_whole(ada: Online, imap_server: Dovecot, user: str) -> None:
    """Its beginning is searched; its bytes come from the server when they are asked for."""
    imap_server.deliver(user, mail("long", "x" * 70 + ("\n" + "y" * 70) * 20_000))
    found = ada.one(query="long")
    state = ada.tools["trash_email"].prospect
    assert state is not None
    assert len(found["body"]) > 1_000_000
    ada.call("trash_email", email=found)
    assert ada.plain("read_email", email_id=found["id"])["folder"] == "Trash"


def test_the_index_is_the_persons_alone(ada: Online, tmp_path: Path) -> None:
    """Mode 600, and so what SQLite makes beside it."""
    ada.subjects()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("mail.index.sqlite*")}
    assert set(modes) >= {"mail.index.sqlite", "mail.index.sqlite-wal"}
    assert set(modes.values()) == {0o600}


def test_a_damaged_index_is_said(ada: Online, tmp_path: Path, imap_server: Dovecot, user: str) -> None:
    """With what to do; once removed it is made anew."""
    file = tmp_path / "mail.index.sqlite"
    file.write_bytes(b"no database" * 1_000)
    with pytest.raises(ToolError) as caught:
        ada.subjects()
    assert str(caught.value) == "the index mail.index.sqlite is damaged; remove it, it is made anew"
    file.unlink()
    assert ada.subjects() == []


def test_two_processes_share_an_index(ada: Online, imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """Each sees what the other took from the server."""
    other = online(imap_server, user, tmp_path)
    imap_server.deliver(user, mail("one"))
    assert ada.one()["id"] == other.one()["id"]
    ada.call("trash_email", email=ada.one())
    assert other.subjects() == []


def test_the_line_may_be_encrypted_later(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """STARTTLS, with the certificate checked before a password is sent."""
    server = imap_server.server(user, tmp_path / "mail.index.sqlite", "starttls")
    assert Online(tmp_path, server).subjects() == []
    with pytest.raises(ConfigError, match="has a certificate that this machine does not accept for it"):
        Online(tmp_path, replace(server, authorities=None)).subjects()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"authorities": None},
            r"mail server localhost has a certificate .* \(nobody that .*\), .* or name its authority in mail\.imap\.authorities",
        ),
        (
            {"host": "127.0.0.1"},
            r"mail server 127\.0\.0\.1 has a certificate that this machine does not accept for it \(it is for another address\), .*",
        ),
        (
            {"authorities": Path(__file__)},
            r"mail\.imap\.authorities: .*test_imap\.py is no file of certificates \(PEM\); correct it",
        ),
        (
            {"authorities": Path(__file__), "tls": "starttls"},
            r"mail\.imap\.authorities: .*test_imap\.py is no file of certificates \(PEM\); correct it",
        ),
        (
            {"secret": lambda: "wrong"},
            "mail server localhost: it does not accept the user and the password; look at both, and .*",
        ),
        ({"login": "oauth"}, "mail server localhost: it does not accept the user and the token; look at both, and .*"),
    ],
)
def test_a_server_that_is_another_or_does_not_know_the_user(
    imap_server: Dovecot, user: str, tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    """One line each, and the password in none."""
    with pytest.raises(ConfigError, match=f"^{message}$") as caught:
        online(imap_server, user, tmp_path, **changed).subjects()
    assert PASSWORD not in repr(caught.value)
    assert PASSWORD not in repr(online(imap_server, user, tmp_path).settings)


def test_a_full_mailbox_takes_nothing_and_says_so(ada: Online, imap_server: Dovecot, user: str) -> None:
    """What was there stays, and that nothing was written is known."""
    with imap_server.session(user) as client:
        for number in range(60):
            assert client.append("INBOX", "", None, mail(f"mail {number}").replace(b"\n", b"\r\n"))[0] == "OK"
    with pytest.raises(ToolError, match=r"^mail server localhost: the mailbox on the server is full; make room in it$"):
        ada.call("draft_email", "effect", **LETTER)
    assert len(ada.subjects()) == 60
    assert ada.happened("draft_email", "effect", **LETTER) is False


def test_nothing_of_a_folder_name_is_a_command(ada: Online, imap_server: Dovecot, user: str) -> None:
    """Names with quotes, signs of patterns and letters of other scripts are folders like others."""
    for number, name in enumerate(('a "b" c', "50% * off", "Entwürfe & mehr", "日本")):
        wire = utf7_encode(name).decode().replace('"', '\\"')
        with imap_server.session(user) as client:
            assert client.create(f'"{wire}"')[0] == "OK"
        imap_server.deliver(user, mail(f"mail {number}"), f'"{wire}"')
    assert sorted(email["folder"] for email in ada.plain("search_emails", sender="julia")) == sorted(
        ['a "b" c', "50% * off", "Entwürfe & mehr", "日本"]
    )


def test_mails_are_counted_while_they_are_read(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """How many of how many, and in the end that all are; only what is new, and all of it once more where it is read otherwise."""
    counts: list[tuple[int, int]] = []
    server = imap_server.server(user, tmp_path / "mail.index.sqlite")

    def tools(**settings: object) -> Online:
        return Online(tmp_path, server, counting=lambda done, of: counts.append((done, of)), **settings)

    for number in range(3):
        imap_server.deliver(user, mail(f"One {number}"))
        imap_server.deliver(user, mail(f"Two {number}"), "Trash")
    assert len(tools().subjects()) == 3
    assert (counts[-1], {of for _, of in counts}) == ((6, 6), {6})
    assert [done for done, _ in counts] == sorted({done for done, _ in counts})
    counts.clear()
    assert len(tools().subjects()) == 3
    assert counts == []
    imap_server.deliver(user, mail("New"))
    assert len(tools().subjects()) == 4
    assert counts == [(1, 1)]
    counts.clear()
    assert len(tools(checks_signatures=True, resolver="127.0.0.1:1").subjects()) == 4
    assert counts[-1] == (7, 7)
