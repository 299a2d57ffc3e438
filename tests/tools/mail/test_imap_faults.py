"""Mail on a server while the line breaks, stands still or drips, and a server that answers nonsense: one clear error each, no half state."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from tests.servers.imap_between import Line, line_to
from tests.servers.imap_dovecot import PASSWORD, Dovecot
from tests.servers.imap_hostile import MAIL, Hostile, fetched, hostile
from tests.servers.smtp import authority
from tests.tools.mail.online import LETTER, Online, at
from tests.tools.mail.test_imap import mail

from armslength.errors import ConfigError, ToolError
from armslength.tools.mail import imap
from armslength.tools.mail.connection import Connection
from armslength.tools.mail.settings import ImapServer

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _looked_at_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server has is asked at each call, as a person's next call comes later."""
    monkeypatch.setattr(imap, "_FRESH", 0.0)


@pytest.fixture
def line(imap_server: Dovecot) -> Iterator[Line]:
    """A line to the real server."""
    with line_to(imap_server.port) as made:
        yield made


@pytest.fixture
def over(line: Line, tmp_path: Path, user: str) -> Callable[..., Online]:
    """Makes the tools of a user over that line, with this patience in seconds."""

    def made(timeout: float = 5.0) -> Online:
        index = tmp_path / "mail.index.sqlite"
        server = ImapServer("127.0.0.1", user, lambda: PASSWORD, index, line.port, "none", timeout=timeout)
        return Online(tmp_path, server)

    return made


def refused(online: Online) -> str:
    """What a search is told."""
    with pytest.raises(ToolError) as caught:
        online.subjects()
    return str(caught.value)


@pytest.mark.parametrize("more", [0, 1, 700, 2_500])
def test_a_line_that_breaks_in_a_fetch(
    line: Line, over: Callable[..., Online], imap_server: Dovecot, user: str, more: int
) -> None:
    """Whatever came until then is kept or left out whole, and the next call gets the rest."""
    for number in range(5):
        imap_server.deliver(user, mail(f"mail {number}", "x" * 500))
    line.will("break", "BODY.PEEK", more)
    online = over()
    assert refused(online) == "mail server 127.0.0.1: the connection failed (it hung up); try again"
    line.will("none", "")
    assert sorted(online.subjects()) == [f"mail {number}" for number in range(5)]
    assert all(len(email["body"]) == 500 for email in online.plain("search_emails"))


@pytest.mark.parametrize("fault", ["stand still", "drip"])
def test_a_line_that_stands_still_or_drips(
    line: Line, over: Callable[..., Online], imap_server: Dovecot, user: str, fault: str
) -> None:
    """An answer has its time as a whole: a byte now and then gives it no more."""
    imap_server.deliver(user, mail("one", "x" * 500))
    line.will(fault, "BODY.PEEK", 10)  # type: ignore[arg-type]
    online, began = over(timeout=1.0), time.monotonic()
    assert refused(online) == "mail server 127.0.0.1: no whole answer within 1 s; try again"
    assert time.monotonic() - began < 8
    line.will("none", "")
    assert online.subjects() == ["one"]


def test_an_answer_that_is_lost_leaves_what_was_done_findable(
    line: Line, over: Callable[..., Online], imap_server: Dovecot, user: str
) -> None:
    """The draft is there and is known to be; made again it is still one."""
    online = over(timeout=1.0)
    online.subjects()
    line.will("stand still", "Subject: Hi")
    with pytest.raises(ToolError, match="no whole answer within 1 s"):
        online.call("draft_email", "effect", **LETTER)
    line.will("none", "")
    assert online.happened("draft_email", "effect", **LETTER) is True
    online.call("draft_email", "effect", **LETTER)
    with imap_server.session(user) as client:
        assert client.select("Entwuerfe")[1] == [b"1"]


def test_what_never_reached_the_server_did_not_happen(line: Line, over: Callable[..., Online]) -> None:
    """A line that breaks before the server is asked to take it."""
    online = over()
    online.subjects()
    line.will("break", "HEADER")
    with pytest.raises(ToolError, match="the connection failed"):
        online.call("draft_email", "effect", **LETTER)
    line.will("none", "")
    assert online.happened("draft_email", "effect", **LETTER) is False


def test_what_was_added_and_removed_again_cannot_be_told(
    line: Line, over: Callable[..., Online], imap_server: Dovecot, user: str
) -> None:
    """The server was asked, no answer came, and it is not there: neither yes nor no."""
    online = over(timeout=1.0)
    online.subjects()
    line.will("stand still", "Subject: Hi")
    with pytest.raises(ToolError, match="no whole answer"):
        online.call("draft_email", "effect", **LETTER)
    line.will("none", "")
    with imap_server.session(user) as client:
        client.select("Entwuerfe")
        client.store("1", "+FLAGS", "\\Deleted")
        client.expunge()
    assert online.happened("draft_email", "effect", **LETTER) is None


_CHILD = """
import sys
from pathlib import Path
from armslength.tools.mail.connection import Connection
from armslength.tools.mail.settings import ImapServer
from tests.servers.smtp import authority
from tests.tools.mail.online import LETTER, Online
path, port, user, tool = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
server = ImapServer("127.0.0.1", user, lambda: "correct-horse", path / "mail.index.sqlite", port, "none", timeout=60.0)
online = Online(path, server)
args = LETTER if tool == "draft_email" else {"email": online.one()}
online.call(tool, "effect", **args)
"""


@pytest.mark.parametrize(("tool", "word"), [("draft_email", "Subject: Hi"), ("trash_email", "MOVE")])
def test_a_process_that_is_killed_waiting_for_the_answer(
    line: Line, over: Callable[..., Online], imap_server: Dovecot, user: str, tmp_path: Path, tool: str, word: str
) -> None:
    """The next one sees that it was done, does it no second time, and can take it back."""
    imap_server.deliver(user, mail("junk"))
    online = over()
    found = online.one()
    line.will("stand still", word)
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(tmp_path), str(line.port), user, tool],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        cwd=ROOT,
    )
    assert line.met.wait(60)
    time.sleep(0.5)  # the server has it, and its answer is held back
    child.send_signal(signal.SIGKILL)
    child.wait(10)
    line.will("none", "")
    args = LETTER if tool == "draft_email" else {"email": found}
    assert over().happened(tool, "effect", **args) is True
    over().call(tool, "effect", **args)
    with imap_server.session(user) as client:
        where = "Entwuerfe" if tool == "draft_email" else "Trash"
        assert client.select(where)[1] == [b"1"]
    over().undo(tool, "effect", **args)


@pytest.fixture
def server() -> Iterator[Hostile]:
    """A server that answers what the test says."""
    with hostile() as made:
        yield made


@pytest.fixture
def against(server: Hostile, tmp_path: Path) -> Online:
    """The tools over it."""
    return Online(tmp_path, at(server.port, tmp_path / "mail.index.sqlite", timeout=1.5))


def test_what_is_kept_is_read_without_the_server_giving_it_again(server: Hostile, against: Online) -> None:
    """One fetch of the bytes, however often it is searched and read."""
    found = against.one()
    against.plain("read_email", email_id=found["id"])
    assert against.subjects(query="budget") == ["Hello"]
    assert sum(b"BODY.PEEK" in command for command in server.told) == 1


HUGE = b"* 1 FETCH (UID 1 FLAGS () BODY[]<0> {99999999999}\r\n"
STATUS = b"* STATUS INBOX (UIDVALIDITY 1 UIDNEXT 2 MESSAGES 1 UNSEEN 1 HIGHESTMODSEQ 1)\r\n"
NONSENSE = {
    "a literal of a hundred gigabytes": ("UID FETCH", HUGE),
    "a literal that never comes": ("UID FETCH", HUGE.replace(b"99999999999", b"999")),
    "no numbers": ("STATUS", b"* STATUS INBOX (UIDVALIDITY x)\r\n"),
    "a status of nothing": ("STATUS", b""),
    "UIDs that are none": ("UID SEARCH", b"* SEARCH one two\r\n"),
    "a time that is none": ("UID FETCH", fetched().replace(b"30-Nov-2026", b"99-Xxx-2026")),
    "no time at all": ("UID FETCH", fetched().replace(b"INTERNALDATE", b"EXTERNALDATE")),
    "a UIDNEXT of 20 digits": ("STATUS", STATUS.replace(b"UIDNEXT 2", b"UIDNEXT " + b"9" * 20)),
    "a UIDVALIDITY of 20 digits": ("STATUS", STATUS.replace(b"UIDVALIDITY 1", b"UIDVALIDITY " + b"9" * 20)),
    "a UIDVALIDITY of 33 bits": ("STATUS", STATUS.replace(b"UIDVALIDITY 1", b"UIDVALIDITY 4294967296")),
    "a modification sequence of 64 bits": ("STATUS", STATUS.replace(b"MODSEQ 1", b"MODSEQ 9223372036854775808")),
    "a UID of thousands of digits": ("UID SEARCH", b"* SEARCH " + b"9" * 5_000 + b"\r\n"),
    "a UID of 20 digits": ("UID SEARCH", b"* SEARCH " + b"9" * 20 + b"\r\n"),
    "a time before all times": (
        "UID FETCH",
        fetched().replace(b"30-Nov-2026 09:00:00 +0000", b"01-Jan-0001 00:00:00 +1400"),
    ),
    "a list that never ends": ("LIST", b"* LIST " + b"(" * 40_000 + b"\r\n"),
    "a status that never ends": ("STATUS", b"* STATUS INBOX (" + b"A" * 40_000 + b")\r\n"),
    "messages that never end": ("UID FETCH", b"* 1 FETCH x\r\n" * 10_000),
    "no IMAP": ("STATUS", b"HTTP/1.1 200 OK\r\n\r\n<html>\r\n"),
    "goodbye": ("STATUS", b"* BYE\r\n"),
    "a refusal": ("STATUS", lambda _: b"TAG NO [ALERT] \x1b[31mcall 555-0100 at once\r\n"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_one_line(server: Hostile, against: Online, name: str) -> None:
    """Which holds nothing of what the server said; a server that comes to its senses is read as if nothing had been."""
    command, answer = NONSENSE[name]
    right = server.answers[command]
    server.answers[command] = answer  # type: ignore[assignment]
    said = refused(against)
    assert said.startswith("mail server 127.0.0.1: ")
    assert said.isprintable()
    assert "555" not in said
    server.answers[command] = right
    assert against.subjects() == ["Hello"]


def test_many_brackets_in_a_list_take_no_time(server: Hostile, against: Online) -> None:
    """Each line is gone over once: a pattern that begins anew at each bracket took seconds for one."""
    right = server.answers["LIST"]
    server.answers["LIST"] = (b"* LIST " + b"(" * 8_000 + b"\r\n") * 200 + right  # type: ignore[operator]
    began = time.monotonic()
    assert against.subjects() == ["Hello"]
    assert time.monotonic() - began < 5


def test_answers_without_end_end(server: Hostile, against: Online, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much of it is well-formed."""
    from armslength.tools.mail import client

    monkeypatch.setattr(client, "_MOST_ANSWERED", 1_000_000)
    server.answers["STATUS"] = b"* 1 EXISTS\r\n" * 200_000
    assert refused(against) == "mail server 127.0.0.1: the connection failed (it hung up); try again"


@pytest.mark.parametrize("greeting", [b"* BYE too many\r\n", b"220 mail ESMTP\r\n", b"\x00" * 100 + b"\r\n", b""])
def test_whatever_else_listens_there_is_no_imap_server(server: Hostile, against: Online, greeting: bytes) -> None:
    """One line again, and no password is sent."""
    server.greeting = greeting
    assert refused(against).startswith("mail server 127.0.0.1: ")
    assert not any(b"LOGIN" in command for command in server.told)


@pytest.fixture
def later(server: Hostile, tmp_path: Path) -> ImapServer:
    """The same, which speaks TLS after STARTTLS and has two folders."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert("localhost", key_type=trustme.KeyType.ECDSA).configure_cert(context)
    authority().cert_pem.write_to_path(tmp_path / "authority.pem")
    server.context = context
    server.answers["CAPABILITY"] = b"* CAPABILITY IMAP4rev1 STARTTLS MOVE\r\n"
    server.answers["LIST"] = b'* LIST () "/" INBOX\r\n* LIST (\\Sent) "/" "Sent Items"\r\n'
    found = at(server.port, tmp_path / "mail.index.sqlite")
    return replace(found, host="localhost", tls="starttls", authorities=tmp_path / "authority.pem")


def test_what_is_said_after_starttls_counts(server: Hostile, later: ImapServer) -> None:
    """An honest server, with a greeting that says much: its folders, and the capabilities that it has over TLS."""
    server.greeting = b"* OK [CAPABILITY IMAP4rev1 STARTTLS CONDSTORE] ready\r\n"
    connection = Connection(later)
    assert [each.name for each in connection.folders()] == ["INBOX", "Sent Items"]
    assert connection.status("INBOX").messages == 1
    connection.close()
    asked = next(command for command in server.told if command.startswith(b"STATUS"))
    assert b"HIGHESTMODSEQ" not in asked


@pytest.mark.parametrize("at_what", ["greeting", "CAPABILITY", "STARTTLS"])
@pytest.mark.parametrize(
    "line",
    [
        b'* LIST (\\Sent) "/" "Junk"\r\n',
        b'* NAMESPACE (("" "/")) NIL NIL\r\n',
        b"* STATUS INBOX (UIDVALIDITY 9)\r\n",
        b"* OK [UIDVALIDITY 9] x\r\n",
        b"* 9 EXISTS\r\n",
        b"* NO x\r\n",
        b"* PREAUTH x\r\n",
    ],
    ids=["list", "namespace", "status", "code", "exists", "no", "preauth"],
)
def test_what_is_said_before_starttls_ends_the_connection(
    server: Hostile, later: ImapServer, line: bytes, at_what: str
) -> None:
    """Whoever stands in between and writes in the clear what the server would be asked over TLS: no password is sent."""
    if at_what == "greeting":
        server.greeting += line
    else:
        server.answers[at_what] = line + server.answers.get(at_what, b"")  # type: ignore[operator]
    with pytest.raises(ToolError, match=r"^mail server localhost: the connection failed"):
        Connection(later)
    assert not any(b"LOGIN" in command for command in server.told)


def test_nothing_that_is_said_before_starttls_is_kept(server: Hostile, later: ImapServer) -> None:
    """A line right after the word to begin is forgotten, and so are capabilities in the clear."""
    server.answers["STARTTLS"] = lambda _: b'TAG OK go\r\n* LIST (\\Sent) "/" "Junk"\r\n'
    with contextlib.suppress(ToolError, ConfigError):  # where the line came later it is no TLS
        connection = Connection(later)
        assert [each.name for each in connection.folders()] == ["INBOX", "Sent Items"]
        connection.close()
    server.answers["STARTTLS"] = b"* CAPABILITY IMAP4rev1 CONDSTORE\r\n"
    connection = Connection(later)
    assert [each.name for each in connection.folders()] == ["INBOX", "Sent Items"]
    assert "CONDSTORE" not in connection._box.client.capabilities
    connection.close()


def test_nobody_listens(tmp_path: Path) -> None:
    """A port at which there is nothing."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    said = refused(Online(tmp_path, at(port, tmp_path / "mail.index.sqlite")))
    assert said == "mail server 127.0.0.1: the connection failed (ConnectionRefusedError); try again"


def test_a_message_that_is_not_the_one_asked_for_is_none(server: Hostile, against: Online) -> None:
    """A server that gives UID 7 where UID 1 was asked for puts nothing into the index."""
    server.answers["UID FETCH"] = fetched(uid=7)
    assert against.subjects() == []


def test_a_uid_that_was_given_anew_is_not_moved(server: Hostile, against: Online) -> None:
    """The UIDVALIDITY changes between looking and moving: nothing is moved."""
    found = against.one()
    server.answers["LIST"] = b'* LIST () "/" INBOX\r\n* LIST (\\Trash) "/" Trash\r\n'
    server.answers["SELECT"] = b"* 1 EXISTS\r\n* OK [UIDVALIDITY 2] x\r\n"
    with pytest.raises(ToolError, match="a message is no longer there; list the folder again"):
        against.call("trash_email", email=found)
    assert not any(b"MOVE" in command for command in server.told)


def test_a_server_that_cannot_move_in_one_step_moves_nothing(server: Hostile, against: Online) -> None:
    """Copy and removal could be cut in two, and a removal takes what others marked with it."""
    server.answers["CAPABILITY"] = b"* CAPABILITY IMAP4rev1\r\n"
    server.answers["LIST"] = b'* LIST () "/" INBOX\r\n* LIST (\\Trash) "/" Trash\r\n'
    with pytest.raises(ToolError, match="it cannot move a mail in one step, so none is moved"):
        against.call("trash_email", email=against.one())
    assert not any(word in command for command in server.told for word in (b"COPY", b"STORE", b"EXPUNGE"))


def test_a_mail_bears_what_it_likes(server: Hostile, against: Online) -> None:
    """A message that looks like an answer of the server's is read as the message that it is."""
    raw = MAIL + b"\r\n)\r\n* 2 FETCH (UID 2 FLAGS (\\Seen) BODY[] {5}\r\nhello)\r\nA1 OK\r\n"
    server.answers["UID FETCH"] = fetched(raw)
    assert against.subjects() == ["Hello"]
    assert against.one()["is_unread"] is True
    assert "* 2 FETCH" in against.one()["body"]


def test_a_mail_that_no_number_can_be_made_of_ends_no_search(server: Hostile, against: Online) -> None:
    """It is nested too deeply, and a reference in it has thousands of digits."""
    html = b"<b>" * 500 + b"&#" + b"9" * 5_000 + b";\r\n"
    server.answers["UID FETCH"] = fetched(
        b"From: eve@e.example\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n" + html
    )
    assert against.subjects() == ["x"]


def test_a_token_is_sent_as_one(server: Hostile, tmp_path: Path) -> None:
    """XOAUTH2; after a refusal an empty answer, as the server waits for one, and one error."""
    from base64 import b64decode

    given = replace(at(server.port, tmp_path / "mail.index.sqlite"), login="oauth", secret=lambda: "t0ken")
    server.answers["AUTHENTICATE XOAUTH2"] = lambda _: b"+ \r\n"
    online = Online(tmp_path, given)
    with pytest.raises((ToolError, ConfigError)):
        online.subjects()
    sent = [command for command in server.told if command.startswith(b"dXNlcj")]
    assert b64decode(sent[0]) == b"user=ada\x01auth=Bearer t0ken\x01\x01"


@pytest.mark.parametrize(
    ("secret", "message"),
    [
        (
            lambda: {}["t0ken"],
            r"mail server 127\.0\.0\.1: password or token cannot be had \(KeyError\); try again, or name another place for it",
        ),
        (
            lambda: "pässword",
            r"mail server 127\.0\.0\.1: user or password are empty, or hold letters that cannot be sent; correct them",
        ),
    ],
)
def test_a_secret_that_cannot_be_had_is_one_line(
    server: Hostile, tmp_path: Path, secret: Callable[[], str], message: str
) -> None:
    """And no server is contacted without one."""
    online = Online(tmp_path, replace(at(server.port, tmp_path / "mail.index.sqlite"), secret=secret))
    with pytest.raises((ToolError, ConfigError), match=f"^{message}$"):
        online.subjects()
    assert server.clients == []


def test_the_server_does_not_wait_for_the_password(server: Hostile, tmp_path: Path) -> None:
    """Whoever has it may ask the person; it is asked for before the server is."""
    contacted: list[int] = []

    def slow() -> str:
        contacted.append(len(server.clients))
        return PASSWORD

    given = replace(at(server.port, tmp_path / "mail.index.sqlite"), secret=slow)
    assert Online(tmp_path, given).subjects() == ["Hello"]
    assert (contacted, len(server.clients)) == ([0], 1)
