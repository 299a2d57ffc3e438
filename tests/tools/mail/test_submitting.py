"""A message is handed to a server whole, once and over TLS, or the one thing that went wrong is said."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.servers.smtp import DRIP, DROP, HANG, PASSWORD, TOKEN, MailServer, Taken, mail_server, scripted_server

from armslength.errors import ConfigError, InDoubt, ToolError
from armslength.tools.mail.settings import Submission
from armslength.tools.mail.submitting import Envelope, submit

RAW = b"From: me@example.org\nSubject: Hi\n\nOne\n.\n..two\nQUIT\n"
ENVELOPE = Envelope("me@example.org", ("kim@example.com", "bob@example.com"), RAW)
WIRE = b"From: me@example.org\r\nSubject: Hi\r\n\r\nOne\r\n.\r\n..two\r\nQUIT\r\n"


def sent(way: Submission, envelope: Envelope = ENVELOPE) -> list[str]:
    """When the end was about to go out."""
    moments: list[str] = []
    submit(way, envelope, lambda: moments.append("about to"))
    return moments


@pytest.fixture(params=["implicit", "starttls"])
def server(request: Any, tmp_path: Path) -> Iterator[MailServer]:
    """A server over TLS."""
    with mail_server(tmp_path, request.param) as running:
        yield running


def test_a_message_arrives_as_it_was_for_all_its_recipients(server: MailServer) -> None:
    """Dots at the begin of lines too; user and password were asked for."""
    assert sent(server.way()) == ["about to"]
    assert server.taken == [Taken("me@example.org", ENVELOPE.recipients, WIRE)]
    assert server.users == ["PLAIN"]


def test_an_access_token_logs_in(server: MailServer) -> None:
    """XOAUTH2, and a refusal of it ends."""
    sent(server.way(TOKEN, login="oauth"))
    assert server.users == ["by token"]
    with pytest.raises(ToolError, match=r"does not take the access token \(535 5\.7\.8\); nothing was sent"):
        sent(server.way("old", login="oauth"))


def test_a_wrong_password_is_said_and_stands_nowhere(server: MailServer) -> None:
    """Not in the message, nor in what it came from."""
    with pytest.raises(ToolError) as caught:
        sent(server.way("wrong horse"))
    assert str(caught.value) == (
        f"mail: 127.0.0.1:{server.port} does not take user and password (535 5.7.8); nothing was sent"
    )
    assert caught.value.__suppress_context__
    assert "horse" not in repr(server.way("wrong horse"))


def test_the_server_does_not_wait_for_the_password(tmp_path: Path) -> None:
    """Whoever has it may ask the person; it is asked for before the server is."""
    heard: list[list[bytes]] = []

    def slow() -> str:
        heard.append(list(server.heard))
        return PASSWORD

    with scripted_server("220 hello", DROP) as server, pytest.raises(ToolError, match=r"nothing was sent"):
        sent(server.way(user="max", secret=slow))
    assert (heard, server.heard[:1]) == ([[]], [b"ehlo [127.0.0.1]\r\n"])


def test_a_password_that_cannot_be_read_is_said(server: MailServer) -> None:
    """By whoever was to read it."""

    def locked() -> str:
        raise ConfigError("mail.smtp.password: the environment variable X is not set")

    with pytest.raises(
        ToolError, match=r"^mail: mail\.smtp\.password: the environment variable X is not set; nothing was sent"
    ):
        sent(server.way(secret=locked))


def test_a_password_of_other_letters_is_said(server: MailServer) -> None:
    """The protocol has none for it; it stands in nothing that was raised on the way."""
    with pytest.raises(
        ToolError,
        match=r"^mail: .*: user or password are empty, or hold letters that cannot be sent; correct them; nothing was sent",
    ) as caught:
        sent(server.way("pässword"))
    assert caught.value.__context__ is not None
    assert "ssword" not in repr(caught.value.__context__).replace("or password", "")
    assert caught.value.__context__.__context__ is None


def test_a_token_that_cannot_be_had_is_said(server: MailServer) -> None:
    """Nothing was sent then, whatever came of asking for it; what was raised may hold it and is not repeated."""

    def unreachable() -> str:
        raise ToolError("provider a.example: cannot be reached (TimeoutError); try again later")

    with pytest.raises(ToolError, match=r"^mail: provider a\.example: .*; try again later; nothing was sent$"):
        sent(server.way(secret=unreachable))

    def broken() -> str:
        raise LookupError("t0ken")

    with pytest.raises(
        ToolError,
        match=r"^mail: 127\.0\.0\.1:\d+: password or token cannot be had \(LookupError\); .*; nothing was sent$",
    ):
        sent(server.way(secret=broken))


def test_a_certificate_of_another_name_is_refused(tmp_path: Path) -> None:
    """Before anything is said."""
    with mail_server(tmp_path, "implicit", "other.example") as server:
        with pytest.raises(
            ToolError,
            match=r"^mail: 127\.0\.0\.1:\d+ has a certificate that this machine does not accept for it \(it is for another address\)",
        ):
            sent(server.way())
        assert server.users == []


def test_a_certificate_that_nobody_vouches_for_is_refused(server: MailServer) -> None:
    """The machine's authorities do not know it."""
    with pytest.raises(ToolError, match=r"\(nobody that counts .* nothing was sent; .* mail\.smtp\.authorities$"):
        sent(server.way(authorities=None))
    assert server.users == []


def test_starttls_that_is_not_offered_is_no_reason_to_go_without(tmp_path: Path) -> None:
    """Somebody on the way may have taken it out; no password goes out."""
    said = r"offers no STARTTLS, or somebody on the way took it out; nothing was sent"
    script = ("220 hello", "250-me\r\n250 AUTH PLAIN", "235 ok")
    with scripted_server(*script) as server, pytest.raises(ToolError, match=said):
        sent(server.way(tls="starttls", user="max", secret=lambda: PASSWORD))
    assert server.heard == [b"ehlo [127.0.0.1]\r\n", b""]


def test_bytes_before_tls_do_not_count_within_it() -> None:
    """What follows the answer to STARTTLS in the clear is thrown away, and what is no TLS is said."""
    with (
        scripted_server("220 hello", "250-me\r\n250 STARTTLS", "220 go on\r\n250-me\r\n250 AUTH PLAIN", DROP) as server,
        pytest.raises(ToolError, match=r"nothing was sent"),
    ):
        sent(server.way(tls="starttls", user="max", secret=lambda: PASSWORD))
    assert not any(b"AUTH" in line or b"auth" in line for line in server.heard)


def test_a_handshake_that_drips_holds_nobody() -> None:
    """Each byte comes in time, and the whole does not: the time of all of it ends the handshake too."""

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"\x16\x03\x03\x40\x00")
            for _ in range(500):
                connection.sendall(b"\0")
                time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=[listening])
        thread.start()
        begun = time.monotonic()
        with pytest.raises(ToolError, match="does not answer in time; nothing was sent"):
            sent(Submission("127.0.0.1", listening.getsockname()[1], seconds=0.1))
        assert time.monotonic() - begun < 5
        thread.join()


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "452 4.5.3 too many"])
def test_one_refused_recipient_is_nobodys_mail(server: MailServer, answer: str) -> None:
    """A yes was to all of them; the message says which one and stays free of the server's words."""
    server.answers["bob@example.com"] = answer
    code, more = answer.split()[:2]
    later = "; it may do so later" if code == "452" else ""
    with pytest.raises(ToolError) as caught:
        sent(server.way())
    assert str(caught.value) == (
        f"mail: 127.0.0.1:{server.port} does not take recipient 2 of 2 ({code} {more}){later}; nothing was sent"
    )
    assert server.taken == []


def test_a_refused_message_is_not_sent(server: MailServer) -> None:
    """The answer to its end is a no: that is known."""
    server.answers["DATA"] = "554 5.7.1 spam"
    with pytest.raises(ToolError, match=r"does not take the mail \(554 5\.7\.1\); nothing was sent") as caught:
        sent(server.way())
    assert not isinstance(caught.value, InDoubt)


def test_a_message_that_is_too_large_is_said_before(tmp_path: Path) -> None:
    """The server says how much it takes."""
    large = Envelope("me@example.org", ("kim@example.com",), b"Subject: Hi\n\n" + b"x" * 142 + b"\n")
    said = r"takes mails of 100 bytes at most, and this one has 159; nothing was sent"
    with mail_server(tmp_path, data_size_limit=100) as server, pytest.raises(ToolError, match=said):
        sent(server.way(), large)
    assert server.taken == []


def test_a_size_of_many_digits_is_not_said() -> None:
    """They would be words of the server's."""
    script = ("220 hello", f"250-me\r\n250 SIZE {'0' * 17}1{'9' * 900}", "550 no")
    said = pytest.raises(ToolError, match=r"does not take mail from your address \(550\)")
    with scripted_server(*script) as server, said:
        submit(server.way(seconds=2), ENVELOPE, lambda: None)


UP_TO_DATA = ("220 hello", "250 me", "250 ok", "250 ok", "250 ok", "354 go on")


@pytest.mark.parametrize(
    "script",
    [
        (DROP,),
        (HANG,),
        (DRIP,),
        ("rubbish",),
        ("554 no",),
        ("421 later",),
        ("220 hello", DROP),
        ("220 hello", "500 what", "500 what"),
        ("220 hello", "250 me", "550 not you"),
        ("220 hello", "250 me", "250 ok", DROP),
        (*UP_TO_DATA[:-1], "451 later"),
        (*UP_TO_DATA[:-1], HANG),
        ("220 hello", "250-me\r\n" * 10_000 + "250 me"),
    ],
)
def test_whatever_fails_before_the_end_nothing_was_sent(script: tuple[str, ...]) -> None:
    """One clear error, in time, and nobody was told that the end is about to go out."""
    began = time.monotonic()
    with scripted_server(*script) as server:
        moments: list[str] = []
        with pytest.raises(
            ToolError, match=r"^mail: 127\.0\.0\.1:\d+ [^;]+(; it may do so later)?; nothing was sent"
        ) as caught:
            submit(server.way(seconds=0.4), ENVELOPE, lambda: moments.append("about to"))
    assert not isinstance(caught.value, InDoubt)
    assert (moments, time.monotonic() - began < 5) == ([], True)
    assert not any(line.endswith(b"\r\n.\r\n") for line in server.heard)


@pytest.mark.parametrize("last", [DROP, HANG, DRIP, "rubbish", "200 hm"])
def test_without_an_answer_to_the_end_nobody_can_tell(last: str) -> None:
    """Neither sent nor not."""
    said = r"got the whole mail and did not say whether it took it"
    with scripted_server(*UP_TO_DATA, last) as server, pytest.raises(InDoubt, match=said):
        sent(server.way(seconds=0.4))
    assert server.heard[-1].endswith(b"\r\n.\r\n")


def test_a_server_that_breaks_off_after_taking_it_took_it() -> None:
    """The answer came."""
    with scripted_server(*UP_TO_DATA, "250 taken", DROP) as server:
        assert sent(server.way()) == ["about to"]


def test_nothing_is_sent_if_it_may_not_any_more(server: MailServer) -> None:
    """Whoever took it back before the end went out took it back."""

    def taken_back() -> None:
        raise ToolError("taken back")

    with pytest.raises(ToolError, match=r"^taken back$"):
        submit(server.way(), ENVELOPE, taken_back)
    assert server.taken == []


def test_a_server_that_is_not_there_is_said() -> None:
    """No name, nobody listening."""
    with scripted_server("220 hello") as server:
        port = server.port
    with pytest.raises(
        ToolError, match=rf"^mail: 127\.0\.0\.1:{port} cannot be reached \(Connection refused\); nothing was sent"
    ):
        sent(Submission("127.0.0.1", port, "none"))
    with pytest.raises(ToolError, match=r"has no address; look at smtp\.host; nothing was sent"):
        sent(Submission("nowhere.invalid", 25, "none"))


def test_authorities_that_cannot_be_read_are_said(server: MailServer, tmp_path: Path) -> None:
    """The path is the user's own."""
    with pytest.raises(
        ToolError,
        match=r"^mail: mail\.smtp\.authorities: .*none\.pem is no file of certificates \(PEM\); correct it; nothing was sent$",
    ):
        sent(server.way(authorities=tmp_path / "none.pem"))


def test_a_server_that_takes_no_password_gets_none() -> None:
    """One that offers a method which shows it to others, or none."""
    said = r"takes no PLAIN or LOGIN; look at smtp\.tls and smtp\.user; nothing was sent"
    script = ("220 hello", "250-me\r\n250 AUTH CRAM-MD5")
    with scripted_server(*script) as server, pytest.raises(ToolError, match=said):
        sent(server.way(user="max", secret=lambda: PASSWORD))
    assert server.heard == [b"ehlo [127.0.0.1]\r\n"]


@pytest.mark.parametrize("raw", [b"a\r\n.\r\nMAIL FROM:<x>\n", b"a\r.\rb\n", b"a\0b\n", "ü\n".encode()])
def test_another_end_of_a_line_is_not_sent(server: MailServer, raw: bytes) -> None:
    """A server that takes a bare CR for an end of a line would read a second message out of the first."""
    with pytest.raises(ToolError, match=r"holds bytes that cannot be sent; nothing was sent"):
        sent(server.way(), Envelope("me@example.org", ("kim@example.com",), raw))
    assert server.taken == []


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: Any) -> Iterator[MailServer]:
    """One server for many messages."""
    with mail_server(tmp_path_factory.mktemp("smtp"), "none", auth_required=False) as running:
        yield running


@given(st.text(st.sampled_from("a.\n\t "), max_size=60))
def test_any_text_arrives_as_one_message(lasting: MailServer, text: str) -> None:
    """Whatever dots and empty lines it has."""
    lasting.taken.clear()
    raw = f"Subject: x\n\n{text}\n".encode()
    submit(lasting.way(user=""), Envelope("me@example.org", ("kim@example.com",), raw), lambda: None)
    assert [each.content for each in lasting.taken] == [raw.replace(b"\n", b"\r\n")]
    assert os.linesep == "\n"
