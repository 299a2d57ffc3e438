"""Mail that is held: it leaves when it is due and not before, once, whoever moves it and whenever a process is killed."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench.home.world import ME, Home, Person, statuses

from armslength.app import Assistant
from armslength.errors import OperatorError, ToolError
from armslength.store.sqlite import SqliteRuns
from armslength.tools.mail.held import HeldMails
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.tools import mail_tools
from armslength.tools.mail.work import message_key

SEND = 'send_email(["kim@example.com"], "Hi", "ping")'
HOLD = timedelta(minutes=10)
SOON, LATER = timedelta(minutes=9), timedelta(minutes=11)


class Held:
    """A home whose mail is held for ten minutes."""

    def __init__(self, home: Home) -> None:
        self.home, self.runs = home, SqliteRuns(home.path / "state" / "runs.sqlite")
        self.settings = MailSettings(home.path / "mail", (ME,), authserv_id="mx.example.org", hold=HOLD)
        self.mails = HeldMails(home.path / "state", self.settings)

    def assistant(self, *programs: str) -> Assistant:
        made = self.home.assistant(programs, runs=self.runs)
        mail = mail_tools(self.settings, self.home.trust, self.home.path / "state")
        others = [each for each in made.tools if each.name not in {tool.name for tool in mail}]
        return replace(made, tools=[*mail, *others])

    def send(self, program: str = SEND) -> str:
        """Something is sent; the run's name."""
        result = self.assistant(program).ask("Do it", approver=Person([True]))
        assert result.outcome.ending == "done"
        return result.run

    def lying(self) -> tuple[int, int, int]:
        """How many messages are held, in the outbox, among the drafts."""
        counts = (
            len(list((self.home.path / "mail" / f".{name}").glob("*/*"))) for name in ("Held", "Outbox", "Drafts")
        )
        return tuple(counts)  # type: ignore[return-value]


@pytest.fixture
def held(tmp_path: Path) -> Held:
    """Nothing is sent yet."""
    return Held(Home(tmp_path))


def now() -> datetime:
    """By the clock that the mailbox uses."""
    return datetime.now(UTC)


def test_what_is_sent_is_held_and_leaves_when_it_is_due(held: Held) -> None:
    """Not before; and once."""
    held.send()
    (mail,) = held.mails.listed()
    assert (mail.recipients, mail.subject, mail.due - now() <= HOLD) == (("kim@example.com",), "Hi", True)
    assert (held.mails.send_due(now() + SOON), held.lying()) == (0, (1, 0, 0))
    assert (held.mails.send_due(now() + LATER), held.lying()) == (1, (0, 1, 0))
    assert (held.mails.send_due(now() + LATER), held.lying()) == (0, (0, 1, 0))


def test_without_a_time_it_leaves_at_once_and_what_is_held_is_due(held: Held) -> None:
    """Somebody took the setting out."""
    held.send()
    none = replace(held.settings, hold=None)
    assert HeldMails(held.home.path / "state", none).send_due(now() + timedelta(seconds=1)) == 1
    held.settings = none
    held.send()
    assert held.lying() == (0, 2, 0)


def test_it_can_be_undone_until_it_has_left(held: Held) -> None:
    """It becomes a draft; later the tool says why not, and nothing moves."""
    first, second = held.send(), held.send()
    undone = held.assistant().undo(first, approver=Person([True]))
    assert (undone.count, held.lying()) == (1, (1, 0, 1))
    held.mails.send_due(now() + LATER)
    undone = held.assistant().undo(second, approver=Person([True]))
    assert str(undone.error) == "send_email: the mail is not held any more, it has left, so nothing was undone"
    assert held.lying() == (0, 1, 1)


def test_a_mail_that_is_not_held_cannot_be_undone(held: Held) -> None:
    """As before."""
    held.settings = replace(held.settings, hold=None)
    with pytest.raises(OperatorError, match="can be taken back"):
        held.assistant().undo(held.send(), approver=Person([True]))


def test_the_screen_says_for_how_long(held: Held) -> None:
    """Counted from when it is sent, which nobody knows while it is read."""
    person = Person([True])
    held.assistant(SEND).ask("Do it", approver=person, is_strict=True)
    assert "   can be undone: yes, for 10 minutes after it is sent: it is held for so long\n" in person.screens[0].text


def test_answers_and_forwarded_mail_are_held_too(held: Held) -> None:
    """Whatever sends."""
    held.home.verified("Come at nine", subject="Plan")
    held.send('m = search_emails("Plan")[0]\nreply_to_email(m, "Yes")\nforward_email(m, ["kim@example.com"])')
    assert held.lying() == (2, 0, 0)


def test_a_draft_is_not_held(held: Held) -> None:
    """It goes nowhere."""
    held.send('draft_email(["kim@example.com"], "Hi", "ping")')
    assert held.lying() == (0, 0, 1)


def test_what_others_put_there_stays_there(held: Held) -> None:
    """A message of another name is none that we sent."""
    held.send()
    (held.home.path / "mail" / ".Held" / "cur" / "1.N1.host:2,S").write_text("From: eve@c.example\nSubject: x\n\nx")
    assert len(held.mails.listed()) == 1
    assert (held.mails.send_due(now() + LATER), held.lying()) == (1, (1, 1, 0))


def test_held_mail_is_not_found_by_looking(held: Held) -> None:
    """No more than what lies in the outbox."""
    held.send()
    result = held.assistant('answer(str(len(search_emails("ping"))))').ask("Do it")
    assert result.text.startswith("⟦0⟧")


def test_several_processes_send_each_mail_once(held: Held) -> None:
    """Each with a mailbox of its own, at the same time."""
    for _ in range(5):
        held.send()
    counts: list[int] = []
    threads = [
        threading.Thread(
            target=lambda: counts.append(HeldMails(held.home.path / "state", held.settings).send_due(now() + LATER))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(counts) >= 5, held.lying()) == (True, (0, 5, 0))


class Died(BaseException):
    """The process ends here."""


def test_a_run_that_was_killed_while_sending_sends_nothing_twice(held: Held) -> None:
    """Its mail was held, left, and is found when the run goes on; the mail of one that is held is found, too."""
    assistant = held.assistant(f"{SEND}\n{SEND.replace('kim', 'lee')}")

    def dying(each: object, deadly: list[int]) -> object:
        def run(call: object, args: object) -> object:
            given = each.run(call, args)  # type: ignore[attr-defined]
            deadly.pop()
            if not deadly:
                raise Died
            return given

        return replace(each, run=run)  # type: ignore[type-var]

    deadly = [1, 1]
    tools = [dying(each, deadly) if each.name == "send_email" else each for each in assistant.tools]
    with pytest.raises(Died):
        replace(assistant, tools=tools).ask("Do it", approver=Person([True]))  # type: ignore[arg-type]
    assert held.lying() == (2, 0, 0)
    keys = sorted(mail.key for mail in held.mails.listed())
    assert held.mails.take_back(lambda mail: mail.key == keys[0]) == 1
    held.mails.send_due(now() + LATER)
    result = held.assistant().resume(held.runs.names()[-1], approver=Person([True]))
    assert (statuses(result), held.lying()) == ([("send_email", "done"), ("send_email", "done")], (0, 1, 1))


def test_a_move_that_fails_leaves_the_mail_where_it_was(held: Held) -> None:
    """The folder cannot be made; the next command tries again."""
    held.send()
    mails = HeldMails(held.home.path / "state", replace(held.settings, outbox="not/a name"))
    with pytest.raises(ToolError, match="mailbox: a folder name may hold"):
        mails.send_due(now() + LATER)
    assert held.lying() == (1, 0, 0)


def test_a_message_has_the_key_of_its_effect() -> None:
    """So that what a run sent is found by its journal."""
    assert message_key("send_email", "a") != message_key("reply_to_email", "a")
    assert len(message_key("send_email", "a")) == 32
