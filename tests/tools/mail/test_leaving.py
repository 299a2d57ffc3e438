"""What is sent leaves by the account's server, once, whenever the process is killed, and gets its copy among the sent mail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from tests.servers.smtp import DROP, PASSWORD, MailServer, mail_server, scripted_server

from armslength.errors import InDoubt, ToolError
from armslength.events import trust_nobody
from armslength.labels import LITERAL
from armslength.tools.base import Tool, ToolCall
from armslength.tools.mail.held import HeldMails
from armslength.tools.mail.settings import MailSettings, Submission
from armslength.tools.mail.tools import mail_tools

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
HOLD = timedelta(minutes=10)
LETTER = {"recipients": ["kim@example.com", "bob@example.com"], "subject": "Hi", "body": "ping\n.\npong"}
UP_TO_DATA = ("220 hello", "250 me", "250 ok", "250 ok", "250 ok", "354 go on")


class Sending:
    """A mailbox whose mail leaves by a server."""

    def __init__(self, path: Path, way: Submission, hold: timedelta | None = None) -> None:
        self.path = path
        for name in ("cur", "new", "tmp"):
            (path / "Maildir" / name).mkdir(parents=True, exist_ok=True)
        self.settings = MailSettings(path / "Maildir", ("me@example.org",), "Max", hold=hold, submission=way)

    def tool(self, name: str = "send_email") -> Tool:
        """A new process's."""
        tools = mail_tools(self.settings, trust_nobody, self.path / "state")
        return next(tool for tool in tools if tool.name == name)

    def send(self, key: str = "effect 1", **more: Any) -> None:
        """A mail to two."""
        self.tool().run(ToolCall(dict.fromkeys(LETTER, LITERAL), NOW, key), LETTER | more)

    def happened(self, key: str = "effect 1") -> bool | None:
        """What a resumed run is told."""
        return self.tool().happened(ToolCall({}, NOW, key), dict(LETTER))

    def held(self) -> HeldMails:
        """What is held, to a new process."""
        return HeldMails(self.path / "state", self.settings)

    def folder(self, name: str) -> list[bytes]:
        """The bytes of its messages."""
        return [path.read_bytes() for path in (self.path / "Maildir" / f".{name}").glob("*/*")]

    def lying(self) -> dict[str, int]:
        """How many messages lie in the folders that are written to."""
        counts = {name: len(self.folder(name)) for name in ("Held", "Outbox", "Sent", "Drafts", "Trash")}
        return {name: count for name, count in counts.items() if count}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MailServer]:
    """A server over TLS."""
    (tmp_path / "server").mkdir()
    with mail_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def sending(tmp_path: Path, server: MailServer) -> Sending:
    """Nothing is sent yet."""
    return Sending(tmp_path, server.way())


@pytest.fixture
def holding(tmp_path: Path, server: MailServer) -> Sending:
    """The same, held for ten minutes."""
    return Sending(tmp_path, server.way(), HOLD)


def later() -> datetime:
    """When what is held now is due."""
    return datetime.now(UTC) + timedelta(minutes=11)


def test_what_is_sent_is_taken_by_the_server_and_copied(sending: Sending, server: MailServer) -> None:
    """The same bytes for both; nothing lies in the outbox."""
    sending.send()
    (taken,) = server.taken
    assert (taken.sender, taken.recipients) == ("me@example.org", ("kim@example.com", "bob@example.com"))
    assert sending.folder("Sent") == [taken.content.replace(b"\r\n", b"\n")]
    assert (sending.lying(), sending.happened()) == ({"Sent": 1}, True)
    kept = sending.path / "state" / "mail-dispatches.sqlite"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not any(word in kept.read_bytes() for word in (b"kim@example.com", b"ping"))


def test_the_same_effect_leaves_once(sending: Sending, server: MailServer) -> None:
    """Carried out again after a crash; another effect is another mail, with an id of its own."""
    sending.send()
    sending.send()
    sending.send("effect 2")
    ids = {message_from_bytes(each.content)["Message-ID"] for each in server.taken}
    assert (len(server.taken), len(ids), sending.lying()) == (2, 2, {"Sent": 2})


def test_the_server_keeps_the_copy_where_it_does(sending: Sending, server: MailServer) -> None:
    """`keep_copy = false`; what is known of the mail is that it left."""
    sending.settings = replace(sending.settings, submission=server.way(keeps_copy=False))
    sending.send()
    sending.send()
    assert (len(server.taken), sending.lying(), sending.happened()) == (1, {}, True)


def test_the_screen_names_the_account_that_writes(sending: Sending) -> None:
    """The address that the server is told and the mail is from."""
    assert sending.tool().prospect(ToolCall({}, NOW), dict(LETTER)).account == "me@example.org"


def test_another_server_is_another_tool(sending: Sending) -> None:
    """A grant for mail that leaves by one does not reach mail by another."""
    before = sending.tool().version
    sending.settings = replace(sending.settings, submission=replace(sending.settings.submission, host="evil.example"))
    assert sending.tool().version != before


def test_what_was_not_sent_did_not_happen(sending: Sending, server: MailServer) -> None:
    """The server took one of two recipients: nothing left, nothing lies anywhere, and it can be sent again."""
    server.answers["bob@example.com"] = "550 no"
    with pytest.raises(ToolError, match=r"does not take recipient 2 of 2 \(550\); nothing was sent"):
        sending.send()
    assert (server.taken, sending.lying(), sending.happened()) == ([], {}, False)
    server.answers.clear()
    sending.send()
    assert (len(server.taken), sending.lying(), sending.happened()) == (1, {"Sent": 1}, True)


def test_without_an_answer_it_cannot_be_told(tmp_path: Path) -> None:
    """The connection broke after the end."""
    with scripted_server(*UP_TO_DATA, DROP) as server:
        sending = Sending(tmp_path, server.way())
        with pytest.raises(InDoubt):
            sending.send()
    assert (sending.happened(), sending.lying()) == (None, {})


def test_a_copy_that_cannot_be_made_is_made_another_time(sending: Sending, server: MailServer) -> None:
    """The mail has left: to say that it failed would be a lie, and to send it again worse."""
    place = sending.path / "Maildir" / ".Sent"
    place.write_text("in the way")
    sending.send()
    assert (len(server.taken), sending.happened()) == (1, True)
    place.unlink()
    assert sending.held().send_due(NOW) == 0
    assert (len(server.taken), sending.lying()) == (1, {"Sent": 1})


def test_a_draft_goes_to_no_server(sending: Sending, server: MailServer) -> None:
    """It only lies there."""
    draft = sending.tool("draft_email")
    assert draft.happened(ToolCall({}, NOW, "effect 1"), dict(LETTER)) is False
    draft.run(ToolCall({}, NOW, "effect 1"), dict(LETTER))
    assert (server.taken, sending.lying()) == ([], {"Drafts": 1})
    assert draft.happened(ToolCall({}, NOW, "effect 1"), dict(LETTER)) is True


def test_nothing_of_what_was_not_sent_is_kept(sending: Sending, server: MailServer) -> None:
    """Neither words nor addresses."""
    server.answers["bob@example.com"] = "550 no"
    with pytest.raises(ToolError):
        sending.send()
    kept = (sending.path / "state" / "mail-dispatches.sqlite").read_bytes()
    assert not any(word in kept for word in (b"kim@example.com", b"ping"))


# --- held -------------------------------------------------------------------------------------------------------------


def test_what_is_held_leaves_when_it_is_due_and_once(holding: Sending, server: MailServer) -> None:
    """By the same server, to those who were allowed, and moves to the sent mail."""
    holding.send()
    assert (holding.held().send_due(datetime.now(UTC)), server.taken, holding.lying()) == (0, [], {"Held": 1})
    assert (holding.held().send_due(later()), holding.lying(), holding.happened()) == (1, {"Sent": 1}, True)
    assert holding.held().send_due(later()) == 0
    assert [taken.recipients for taken in server.taken] == [("kim@example.com", "bob@example.com")]


def test_what_left_and_cannot_be_put_away_does_not_leave_again(holding: Sending, server: MailServer) -> None:
    """It lies among the held mail until it can."""
    place = holding.path / "Maildir" / ".Sent"
    place.write_text("in the way")
    holding.send()
    assert (holding.held().send_due(later()), len(server.taken), holding.lying()) == (1, 1, {"Held": 1})
    with pytest.raises(ToolError, match=r"has left, or is leaving right now"):
        holding.held().take_back(lambda mail: True)
    place.unlink()
    assert (holding.held().send_due(later()), len(server.taken), holding.lying()) == (0, 1, {"Sent": 1})


def test_two_processes_send_what_is_held_once(holding: Sending, server: MailServer) -> None:
    """Both transmit it, and one of them ends it."""
    holding.send()
    both = threading.Barrier(2)
    counts: list[int] = []

    def send() -> None:
        both.wait()
        try:
            counts.append(holding.held().send_due(later()))
        except ToolError:
            counts.append(0)

    threads = [threading.Thread(target=send) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (len(server.taken), sum(counts), holding.lying()) == (1, 1, {"Sent": 1})


def test_what_is_taken_back_does_not_leave(holding: Sending, server: MailServer) -> None:
    """By the run or by name, until it has left."""
    holding.send()
    tool = holding.tool()
    tool.undo(ToolCall({}, NOW, "effect 1"), dict(LETTER), None)
    assert (holding.held().send_due(later()), server.taken, holding.lying()) == (0, [], {"Drafts": 1})
    holding.send("effect 2")
    assert holding.held().take_back(lambda mail: True) == 1
    assert (holding.held().send_due(later()), server.taken, holding.lying()) == (0, [], {"Drafts": 2})


def test_it_cannot_be_taken_back_while_it_leaves(holding: Sending, server: MailServer) -> None:
    """The server has the whole mail and thinks about it."""
    holding.send()
    said: list[str] = []

    def undo() -> None:
        try:
            holding.tool().undo(ToolCall({}, NOW, "effect 1"), dict(LETTER), None)
        except ToolError as error:
            said.append(str(error))

    server.before_answering = undo
    assert holding.held().send_due(later()) == 1
    assert said == ["mail: the mail has left, or is leaving right now, so nothing was undone"]
    assert (len(server.taken), holding.lying()) == (1, {"Sent": 1})


def test_a_held_mail_that_is_refused_stays_held_and_is_tried_later(holding: Sending, server: MailServer) -> None:
    """Not with each command; why stands in the list; others leave meanwhile."""
    holding.send()
    holding.send("effect 2", recipients=["kim@example.com"])
    server.answers["bob@example.com"] = "450 later"
    said = r"does not take recipient 2 of 2 \(450\); it may do so later; nothing was sent"
    with pytest.raises(ToolError, match=said):
        holding.held().send_due(later())
    assert (len(server.taken), holding.lying()) == (1, {"Held": 1, "Sent": 1})
    (mail,) = holding.held().listed()
    assert (mail.failure.endswith("(450); it may do so later; nothing was sent"), mail.is_in_doubt) == (True, False)
    server.answers.clear()
    assert (holding.held().send_due(later()), len(server.taken)) == (0, 1)


def test_a_held_mail_that_was_changed_does_not_leave(holding: Sending, server: MailServer) -> None:
    """Whoever can write into the folder has no say in what was allowed; nor has a mail that he puts there."""
    holding.send()
    (place,) = (holding.path / "Maildir" / ".Held").glob("*/*")
    good = place.read_bytes()
    place.write_bytes(good.replace(b"ping", b"pong"))
    with pytest.raises(ToolError, match=r"^mail: a held mail was changed since it was allowed; recall it"):
        holding.held().send_due(later())
    forged = place.with_name(f"1.M1P1Q1.{'0' * 32}.armslength:2,S")
    place.unlink()
    forged.write_bytes(good)
    with pytest.raises(ToolError, match=r"^mail: a held mail is none that was held for this server; recall it"):
        holding.held().send_due(later())
    assert server.taken == []


def test_a_held_mail_in_doubt_is_not_sent_again(tmp_path: Path, server: MailServer) -> None:
    """It is listed as what it is, and becomes a draft if the person says so."""
    with scripted_server(*UP_TO_DATA, DROP) as dropping:
        holding = Sending(tmp_path, dropping.way(), HOLD)
        holding.send()
        with pytest.raises(InDoubt):
            holding.held().send_due(later())
    holding.settings = replace(holding.settings, submission=server.way())
    assert (holding.held().send_due(later()), server.taken, holding.lying()) == (0, [], {"Held": 1})
    with pytest.raises(ToolError, match=r"has left, or is leaving right now"):
        holding.held().take_back(lambda mail: True)
    much_later = HeldMails(tmp_path / "state", holding.settings, clock=lambda: later().timestamp() + 1_000)
    assert [mail.is_in_doubt for mail in much_later.listed()] == [True]
    assert much_later.take_back(lambda mail: True) == 1
    assert (server.taken, holding.lying()) == ([], {"Drafts": 1})


# --- killed -----------------------------------------------------------------------------------------------------------

KILLED = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
sys.path[:0] = {paths!r}
from tests.tools.mail.test_leaving import HOLD, Sending
from armslength.tools.mail.settings import Submission
way = Submission("127.0.0.1", {port}, "implicit", "max", lambda: {password!r}, authorities=Path({authorities!r}), seconds=20.0)
sending = Sending(Path({folder!r}), way, HOLD if {is_held} else None)
if {is_held}:
    sending.held().send_due(datetime.now(UTC) + timedelta(minutes=11))
else:
    sending.send()
"""


def kill_within(sending: Sending, server: MailServer, *, is_held: bool, is_end: bool) -> None:
    """A process sends and is killed: once the server has the whole mail, or at its first recipient."""
    way = sending.settings.submission
    assert way is not None
    root = Path(__file__).parents[3]
    code = KILLED.format(
        paths=[str(root / "src"), str(root)], port=way.port, password=PASSWORD,
        authorities=str(way.authorities), folder=str(sending.path), is_held=is_held,
    )  # fmt: skip
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)

    def kill() -> None:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    if is_end:
        server.before_answering = kill
    else:
        server.before_recipient = kill
    errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (-signal.SIGKILL, b"")
    server.before_answering = server.before_recipient = lambda: None


def test_killed_between_the_end_and_its_answer_nobody_can_tell(sending: Sending, server: MailServer) -> None:
    """The server took it here, and might not have: the tool says that it does not know, whatever lies where."""
    kill_within(sending, server, is_held=False, is_end=True)
    assert (len(server.taken), sending.happened(), sending.lying()) == (1, None, {})


def test_what_the_person_says_of_it_counts(sending: Sending, server: MailServer) -> None:
    """That it did not leave: then it is sent, with the same id, by which a server can tell that it is the same."""
    kill_within(sending, server, is_held=False, is_end=True)
    sending.send()
    ids = {message_from_bytes(each.content)["Message-ID"] for each in server.taken}
    assert (len(server.taken), len(ids), sending.happened()) == (2, 1, True)


def test_killed_before_the_end_it_did_not_leave(sending: Sending, server: MailServer) -> None:
    """And can be sent again."""
    kill_within(sending, server, is_held=False, is_end=False)
    assert (server.taken, sending.happened()) == ([], False)
    sending.send()
    assert (len(server.taken), sending.lying()) == (1, {"Sent": 1})


def test_a_held_mail_whose_sender_was_killed_at_the_end_stays(holding: Sending, server: MailServer) -> None:
    """It may have left, so it does not leave by itself any more."""
    holding.send()
    kill_within(holding, server, is_held=True, is_end=True)
    assert (holding.held().send_due(later()), len(server.taken), holding.lying()) == (0, 1, {"Held": 1})


def test_a_held_mail_whose_sender_was_killed_before_leaves_next_time(holding: Sending, server: MailServer) -> None:
    """Nothing was begun that could not be told."""
    holding.send()
    kill_within(holding, server, is_held=True, is_end=False)
    assert (holding.held().send_due(later()), len(server.taken), holding.lying()) == (1, 1, {"Sent": 1})
