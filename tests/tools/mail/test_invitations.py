"""Which mails are about events, and whose they are: in a Maildir and on a server."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.servers.imap_dovecot import Dovecot
from tests.tools.mail.conftest import ME, Home, trust

from armslength.errors import ToolError
from armslength.tools.mail.invitations import Invitations
from armslength.tools.mail.message import read_message
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_room

JULIA, KIM = "julia@example.com", "kim@example.com"
VOUCHED = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
TEXT = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nEND:VCALENDAR\n"


def invitation(sender: str, head: str = VOUCHED, *, part: str = "", text: str = TEXT) -> bytes:
    """A mail whose text has two forms, one of them a calendar."""
    part = part or "Content-Type: text/calendar; method=request; charset=utf-8"
    return (
        f'{head}From: {sender}\nTo: {ME}\nSubject: Tea\nContent-Type: multipart/alternative; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\nTea\n--b\n{part}\n\n{text}\n--b--\n"
    ).encode()


def of_a_folder(path: Path) -> tuple[Home, Invitations]:
    """A Maildir, and what is asked of it."""
    home = Home(path, authserv_id="mx.example.org")
    return home, mail_room(home.settings, trust, path / "state").invitations


def test_only_who_is_asked_for_and_authenticated_is_found(tmp_path: Path) -> None:
    """Oldest first, with what is decoded and when it came; not what lies in trash or junk, nor what we sent."""
    home, ask = of_a_folder(tmp_path)
    base64 = "Content-Transfer-Encoding: base64\nContent-Type: text/calendar; method=CANCEL"
    home.put(invitation(JULIA))
    home.put(invitation(JULIA, part=base64, text="QkVHSU4="))
    home.put(invitation(KIM))
    home.put(invitation(JULIA, head=""))
    for folder in ("Trash", "Junk", "Sent", "Drafts", "Outbox"):
        home.put(invitation(JULIA), folder)
    found = ask(frozenset({JULIA}))
    assert [(each.sender, each.method, each.content.strip()) for each in found] == [
        (JULIA, "REQUEST", TEXT.strip().encode()),
        (JULIA, "CANCEL", b"BEGIN"),
    ]
    assert found[0].delivered < found[1].delivered
    assert (ask(frozenset()), len(ask(frozenset({JULIA, KIM})))) == ([], 3)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(invitation(JULIA, part="Content-Type: text/calendar"), id="no-method"),
        pytest.param(invitation(JULIA, part="Content-Type: text/calendar; method=EVIL"), id="unknown-method"),
        pytest.param(invitation(JULIA).replace(b"\n--b--", b""), id="no-end"),
        pytest.param(invitation(JULIA, text="X" * 200_001), id="too-long"),
        pytest.param(invitation(JULIA, text=f"{TEXT}\n--b\nContent-Type: text/calendar\n\n{TEXT}"), id="two"),
        pytest.param(
            invitation(JULIA, part="Content-Type: text/calendar; method=REQUEST; charset=utf-7"), id="charset"
        ),
        pytest.param(
            invitation(JULIA, part="Content-Type: text/calendar; method=REQUEST\nContent-Transfer-Encoding: x-own"),
            id="encoding",
        ),
    ],
)
def test_what_can_be_read_in_several_ways_is_none(tmp_path: Path, raw: bytes) -> None:
    """Parts that do not end, another calendar beside the first, and what is coded in ways that readers take differently."""
    home, ask = of_a_folder(tmp_path)
    home.put(raw)
    assert ask(frozenset({JULIA})) == []


def test_a_mailbox_that_is_gone_is_said(tmp_path: Path) -> None:
    """As the mail tools do."""
    home, ask = of_a_folder(tmp_path)
    (home.path / "Maildir").rename(tmp_path / "elsewhere")
    with pytest.raises(ToolError):
        ask(frozenset({JULIA}))


def test_on_a_server_they_are_found_by_its_index(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """The same mails, without asking for each."""
    for raw in (invitation(JULIA), invitation(KIM), invitation(JULIA, head="")):
        imap_server.deliver(user, raw)
    server = imap_server.server(user, tmp_path / "mail.index.sqlite")
    settings = MailSettings(Path(), (ME,), "Max Example", "mx.example.org", server=server)
    found = mail_room(settings, trust, tmp_path).invitations(frozenset({JULIA}))
    assert [(each.sender, each.method) for each in found] == [(JULIA, "REQUEST")]
    assert found[0].delivered == datetime.fromtimestamp(1_793_000_000, UTC)


def test_what_is_the_messages_own_text() -> None:
    """Each form of the whole text, and the first part of a mixture; what comes after it, or within a mail that is passed on, is not."""
    inner = invitation(JULIA).decode()
    mixed = (
        f"From: {KIM}\nContent-Type: multipart/mixed; boundary=a\n\n--a\n"
        f"{inner.partition('Subject: Tea')[2].lstrip()}\n--a\nContent-Type: text/calendar; method=REQUEST\n\n{TEXT}"
        f"\n--a\nContent-Type: message/rfc822\n\n{inner}\n--a--\n"
    )
    found = read_message(mixed.encode()).attachments
    assert [(each.mime, each.method) for each in found] == [
        ("text/calendar", "REQUEST"),
        ("text/calendar", ""),
        ("message/rfc822", ""),
    ]
