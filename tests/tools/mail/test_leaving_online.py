"""An account that lies on one server and sends by another: copies on the server, held mail, and who its mails are from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.servers.dns import DnsServer, dns_server
from tests.servers.imap_dovecot import Dovecot
from tests.servers.smtp import DROP, MailServer, mail_server, scripted_server
from tests.tools.mail.online import LETTER, Online
from tests.tools.mail.signing import key, letter, public, quoted, signed

from armslength.errors import InDoubt, OperatorError
from armslength.tools.mail import imap, syncing
from armslength.tools.mail.held import HeldMails

UP_TO_DATA = ("220 hello", "250 me", "250 ok", "250 ok", "354 go on")


@pytest.fixture(autouse=True)
def _looked_at_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server has is asked at each call, as a person's next call comes later."""
    monkeypatch.setattr(imap, "_FRESH", 0.0)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MailServer]:
    """By which mail leaves."""
    (tmp_path / "smtp").mkdir()
    with mail_server(tmp_path / "smtp") as running:
        yield running


def in_folder(imap_server: Dovecot, user: str, folder: str) -> int:
    """How many messages lie there, to another program."""
    with imap_server.session(user) as client:
        said, found = client.select(folder)
        return int(found[0]) if said == "OK" and found[0] else 0


def test_a_copy_of_what_left_lies_on_the_server(
    imap_server: Dovecot, user: str, tmp_path: Path, server: MailServer
) -> None:
    """Once, also if the effect is carried out again."""
    ada = Online(tmp_path, imap_server.server(user, tmp_path / "i.sqlite"), submission=server.way())
    for _ in range(2):
        ada.call("send_email", "effect 1", **LETTER)
    assert (len(server.taken), in_folder(imap_server, user, "Sent")) == (1, 1)
    assert ada.happened("send_email", "effect 1", **LETTER) is True


def wrong() -> str:
    """A password that was changed meanwhile."""
    return "another"


def locked() -> str:
    """A secret that cannot be had now."""
    raise OperatorError("the keyring is locked")


@pytest.mark.parametrize("secret", [wrong, locked])
def test_a_mailbox_that_lets_nobody_in_makes_no_failure_of_a_mail_that_left(
    imap_server: Dovecot, user: str, tmp_path: Path, server: MailServer, secret: Callable[[], str]
) -> None:
    """Its copy waits; what is held leaves, too."""
    way, place = server.way(), imap_server.server(user, tmp_path / "i.sqlite")
    ada = Online(tmp_path, replace(place, secret=secret), submission=way)
    ada.call("send_email", "effect 1", **LETTER)
    assert (len(server.taken), HeldMails(tmp_path, ada.settings).send_due(datetime.now(UTC))) == (1, 0)
    again = Online(tmp_path, place, submission=way)
    assert HeldMails(tmp_path, again.settings).send_due(datetime.now(UTC)) == 0
    assert (len(server.taken), in_folder(imap_server, user, "Sent")) == (1, 1)


def test_held_mail_leaves_and_goes_among_the_sent_mail_there(
    imap_server: Dovecot, user: str, tmp_path: Path, server: MailServer
) -> None:
    """It waited here."""
    way, hold = server.way(), timedelta(minutes=10)
    ada = Online(tmp_path, imap_server.server(user, tmp_path / "i.sqlite"), submission=way, hold=hold)
    ada.call("send_email", "effect 1", **LETTER)
    mails = HeldMails(tmp_path, ada.settings)
    assert (len(mails.listed()), server.taken) == (1, [])
    assert mails.send_due(datetime.now(UTC) + timedelta(hours=1)) == 1
    assert (len(server.taken), mails.listed(), in_folder(imap_server, user, "Sent")) == (1, [], 1)


def test_a_copy_that_the_server_made_tells_that_it_left(imap_server: Dovecot, user: str, tmp_path: Path) -> None:
    """No answer came, and then the mail with that id lies among the sent mail."""
    with scripted_server(*UP_TO_DATA, DROP) as dropping:
        ada = Online(tmp_path, imap_server.server(user, tmp_path / "i.sqlite"), submission=dropping.way())
        with pytest.raises(InDoubt):
            ada.call("send_email", "effect 1", **LETTER)
    assert ada.happened("send_email", "effect 1", **LETTER) is None
    imap_server.deliver(user, dropping.heard[-1].removesuffix(b".\r\n").replace(b"\r\n", b"\n"), "Sent")
    assert ada.happened("send_email", "effect 1", **LETTER) is True


@pytest.fixture
def names() -> Iterator[DnsServer]:
    """A name server in which x.example has a key."""
    with dns_server() as dns:
        dns.put("s._domainkey.x.example", "TXT", quoted(f"p={public(key())}"))
        yield dns


def test_a_signature_vouches_for_a_mail_on_a_server(
    imap_server: Dovecot, user: str, tmp_path: Path, names: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found out when it is read into the index, or an hour after nobody answered; in the index it stays."""
    imap_server.deliver(user, signed(letter()).replace("\r\n", "\n").encode(), when=datetime.now(UTC).timestamp())
    names.broken.add("s._domainkey.x.example")
    more = {"checks_signatures": True, "resolver": f"127.0.0.1:{names.port}"}
    ada = Online(tmp_path, imap_server.server(user, tmp_path / "i.sqlite"), **more)

    def who() -> set[str]:
        sources = ada.call("search_emails").data[0].data["body"].label.data
        return {source.name for source in sources if not source.is_trusted}

    assert who() == {"mail:unverified"}
    names.broken.clear()
    assert who() == {"mail:unverified"}
    monkeypatch.setattr(syncing, "AGAIN", 0.0)
    assert who() == {"mail:boss@x.example"}
    asked = len(names.asked)
    assert (who(), len(names.asked)) == ({"mail:boss@x.example"}, asked)
