"""Attacks by making a run begin: what a mail that came, or did not, tells a later run, a model elsewhere, and whoever gets something."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from bench.home.world import NOW, Home, Person, keeper, rules, statuses

from armslength.app import Result
from armslength.app.assistant import carry_out
from armslength.app.beginning import Given
from armslength.app.scheduling import Schedule
from armslength.app.tasks import Task
from armslength.errors import ModelNotCleared
from armslength.policy.engine import PolicySettings
from armslength.store.occasions import Occasions
from armslength.testing import SCRIPTED, ScriptedModel
from armslength.tools.mail.settings import MailSettings
from armslength.tools.mail.watching import marks
from armslength.tools.memory import memory_tools

BY_MAIL = Given(occasion="mail", task="watch")
FRIEND = "kim@b.example"
BOOK = f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Kim Berg\r\nEMAIL:{FRIEND}\r\nEND:VCARD\r\n"


def watched(home: Home, program: str, person: Person | None = None, policy: PolicySettings | None = None) -> Result:
    """A run that a mail began."""
    return carry_out(home.assistant([program, program], policy=policy), "Do it", replace(BY_MAIL, approver=person))


@pytest.mark.parametrize("comes", [True, False])
def test_that_no_mail_came_is_not_told_by_a_key_that_is_not_there(home: Home, *, comes: bool) -> None:
    """A watch that did not begin writes nothing down, so one that did sets nothing: a later run is the same in both worlds."""
    home.more = memory_tools(keeper(home), home.trust)
    if comes:
        result = watched(home, 'remember("flag", "1")')
        assert (statuses(result), "there is no tool or function remember" in str(result.outcome.message)) == ([], True)
    later = home.ask(
        f'if recall("flag") is None:\n    send_email(recipients=["{FRIEND}"], subject="s", body="none came")',
        policy=PolicySettings(this_machine_only=("mail:*",)),
    )
    assert statuses(later) == [("send_email", "done")]


def test_a_watch_recalls_what_requests_remembered(home: Home) -> None:
    """Only setting is taken from it."""
    home.more = memory_tools(keeper(home), home.trust)
    home.ask('remember("place", "the harbour")')
    assert "the harbour" in watched(home, 'answer(recall("place"))').text


@pytest.mark.parametrize("kept", ["mail:*", "mail:*@bank.example", "mail:unverified"])
def test_a_planner_elsewhere_is_not_asked_because_of_mail_that_stays_here(home: Home, kept: str) -> None:
    """Being asked at all would tell its provider that some came; at the person's own word it is asked."""
    far = ScriptedModel(['answer("x")'], replace(SCRIPTED, name="far", is_local=False))
    assistant = replace(home.assistant([], policy=PolicySettings(this_machine_only=(kept,))), planner=far)
    with pytest.raises(ModelNotCleared, match="far is not cleared for mail"):
        carry_out(assistant, "Do it", BY_MAIL)
    assert far.requests == []
    assert assistant.ask("Do it").outcome.ending == "done"


def test_a_mail_from_the_future_stops_no_watch(home: Home, tmp_path: Path) -> None:
    """One that says it was delivered in a hundred years is the newest until then; what comes meanwhile begins the watch all the same."""
    began: list[str] = []
    mail = MailSettings(path=home.path / "mail", addresses=("me@example.org",))
    watch = Task("w", "Do it", every=timedelta(minutes=1), on_mail=True)
    occasions = Occasions(tmp_path / "schedule.sqlite")

    def look(minute: int) -> int:
        at = NOW + timedelta(minutes=minute)
        assistant = replace(home.assistant(['answer("x")']), now=lambda: at)
        return Schedule(
            assistant, [watch], occasions, partial(marks, [mail], tmp_path), lambda _, it: began.append(it.ending)
        ).begin_what_is_due()

    future = home.path / "mail" / "new" / f"{int(NOW.timestamp()) + 3_153_600_000}.N0.host"
    future.write_bytes(b"From: x@y.example\nTo: me@example.org\nSubject: s\n\nb\n")
    assert look(0) == 0
    home.deliver("real")
    assert (look(2), look(4), began) == (1, 0, ["done"])


WAYS = {
    "a text of the program's": f'send_email(recipients=["{FRIEND}"], subject="s", body="b")',
    "a file that the program names": f'send_email(recipients=["{FRIEND}"], subject="s", body=read_file("plan.txt").content)',
    "an answer": 'reply_to_email(email=search_emails(sender="Kim")[0], body="b")',
    "in a handler": f'try:\n    x = int("y")\nexcept ValueError:\n    send_email(recipients=["{FRIEND}"], subject="s", body="b")',
    "by a function": f'def tell():\n    send_email(recipients=["{FRIEND}"], subject="s", body="b")\ntell()',
    "a page": 'answer(fetch_web_page("https://page.example/"))',
    "a chat": 'send_slack_message(channel="general", text="b")',
    "an invitation": f'create_calendar_event(title="t", start="2026-12-24 09:00", end="2026-12-24 10:00", participants=["{FRIEND}"])',
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_nobody_learns_unasked_that_a_mail_came(home: Home, way: str) -> None:
    """Whatever it is, and whoever gets it: that it goes out was decided by whoever wrote."""
    (home.path / "contacts" / "all.vcf").write_text(BOOK, "utf-8")
    home.file("plan.txt", "the plan")
    home.verified("Hello", sender=f"Kim Berg <{FRIEND}>")
    before = home.everything()
    result = watched(home, WAYS[way], Person([False]))
    assert (result.outcome.ending, home.everything() == before) == ("declined", True), result.outcome.message
    assert "steer-not-readable" in rules(result)
