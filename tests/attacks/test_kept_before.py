"""Attacks on `this_machine_only` by labels that were stored before mail carried claims: joined with a mail that claims, they stay anybody's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.home.world import Home, Person

from armslength.agent.runs.trust import trust_of
from armslength.agent.runs.undoing import Done, done_from_json, done_to_json
from armslength.app.talk import Talk
from armslength.events import label_from_json, label_to_json, labelled_from_json, labelled_to_json
from armslength.labels import MAILBOX, PRIVATE, SATURATED, Label, Source, join, keying, label, steered
from armslength.policy.action import Action, Argument, action_from_json, action_to_json
from armslength.policy.engine import PolicySettings
from armslength.store.conversations import Conversations
from armslength.tools.backups import Backups, Kept
from armslength.tools.base import nobody, tool
from armslength.tools.calendar.steps import Step, Steps
from armslength.tools.ledger import Ledger
from armslength.tools.memory import recalled
from armslength.values import Labelled

BANK = "mail:*@bank.example"
KEPT = PolicySettings(this_machine_only=(BANK,))
UNVERIFIED, ANYBODY = Source("mail:unverified"), Source("store:mail:anybody", is_trusted=True)
EVA = Source("store:mail:eva@home.example", is_trusted=True)
CLAIMED = label([UNVERIFIED, EVA], choice=[UNVERIFIED, EVA], bits=1, readers=PRIVATE, steer=PRIVATE)
OLD = label([UNVERIFIED], choice=[UNVERIFIED], bits=1, readers=PRIVATE, steer=PRIVATE)
TRUST = trust_of(frozenset())


def older(stored: Any) -> Any:
    """The same JSON as it was written before there were claims."""
    match stored:
        case list():
            return [older(each) for each in stored if not str(each).startswith("store:mail:")]
        case dict():
            return {name: older(each) for name, each in stored.items()}
        case _:
            return stored


def rewritten(path: Path) -> None:
    """Each JSON file at or below this path, as it was written before there were claims."""
    for each in path.rglob("*.json") if path.is_dir() else [path]:
        each.write_text(json.dumps(older(json.loads(each.read_text("utf-8")))), encoding="utf-8")


def in_ledger(path: Path, given: Label) -> Label:
    """What every store keeps of what the assistant wrote: files, mails, events, contacts, and who moved what."""
    ledger = Ledger(path / "x.ledger.json", TRUST)
    ledger.record("a", b"b", given)
    rewritten(path)
    return ledger.label_of("a", b"b", given)


def in_memory(_path: Path, given: Label) -> Label:
    """A remembered value."""
    return recalled(older(label_to_json(given)), TRUST)


def in_undo(_path: Path, given: Label) -> Label:
    """An effect that can be taken back; a conversation keeps it as well."""
    shown = {"text": Labelled("x", given)}
    done = Done("t", "1", 1, "k", {"text": given}, "s", '{"text": "x"}', None, shown, {})
    again = done_from_json(older(done_to_json(done)), TRUST)
    assert again.labels["text"] is again.shown["text"].label
    return again.labels["text"]


def in_action(_path: Path, given: Label) -> Label:
    """A call of a journal, decided on again."""
    action = Action("t", (Argument("text", "content", given),), given, (), True, None, True)
    again = action_from_json(older(action_to_json(action)), TRUST)
    assert again.control is again.arguments[0].label
    return again.control


def in_backup(path: Path, given: Label) -> Label:
    """What was there before a change."""
    backups = Backups(path / "backups", TRUST)
    backups.keep("t of a", b"after", Kept(b"before", given))
    rewritten(path)
    found = backups.latest("t of a", b"after")
    assert found is not None
    assert found.label is not None
    return found.label


def in_step(path: Path, given: Label) -> Label:
    """A change of a calendar on a server."""
    steps = Steps(path / "steps", TRUST)
    steps.keep("k", Step("c", "p", b"before", b"after", "left", (("a", given),)))
    rewritten(path)
    found = steps.of("k")
    assert found is not None
    return found.labels[0][1]


def in_journal(_path: Path, given: Label) -> Label:
    """A tool's answer of a run that is resumed."""
    return labelled_from_json(older(labelled_to_json(Labelled("x", given))), {}, TRUST).label


READ_BACK = [in_ledger, in_memory, in_undo, in_action, in_backup, in_step, in_journal]


@pytest.mark.parametrize("stored", READ_BACK)
def test_a_label_of_before_hides_behind_no_claim(tmp_path: Path, stored: Callable[[Path, Label], Label]) -> None:
    """Wherever a label is read back: words and choice of whoever claimed nothing may be the bank's, whatever stands beside them."""
    found = stored(tmp_path, OLD)
    assert ({UNVERIFIED, ANYBODY} <= found.data, {UNVERIFIED, ANYBODY} <= found.choice) == (True, True)
    for joined in (found, join(found, CLAIMED), steered(CLAIMED, label(choice=found.choice))):
        assert KEPT.is_confined(joined)
    assert not PolicySettings(this_machine_only=("file:*",)).is_confined(found)


@pytest.mark.parametrize("stored", READ_BACK)
def test_a_claim_comes_back_as_it_was(tmp_path: Path, stored: Callable[[Path, Label], Label], monkeypatch: Any) -> None:
    """What was stored with a claim is his who is named, and nobody else's."""
    monkeypatch.setattr(f"{__name__}.older", lambda given: given)
    found = stored(tmp_path, CLAIMED)
    assert (found.data - {Source(each.name, is_trusted=True) for each in found.data}) == {UNVERIFIED}
    assert EVA in found.data
    assert ANYBODY not in found.data | found.choice
    assert not KEPT.is_confined(found)
    assert PolicySettings(this_machine_only=("mail:eva@home.example",)).is_confined(found)


def test_what_is_counted_out_of_a_listing_is_nobodys_words_when_it_is_stored() -> None:
    """A place in a list that was counted has the mailbox's name without a claim: not kept, stored or not; a move by it keeps nothing for good."""
    box = Source(MAILBOX)
    shape = label([Source("store:mail", is_trusted=True)], choice=[box], bits=SATURATED, readers=PRIVATE, intact=False)
    counted = steered(CLAIMED, keying(shape, 1))
    again = label_from_json(label_to_json(steered(label(readers=PRIVATE), keying(shape, 1))), TRUST)
    assert UNVERIFIED in keying(shape, 1).choice
    assert ANYBODY not in again.choice
    assert not KEPT.is_confined(again)
    assert not KEPT.is_confined(counted)
    assert KEPT.is_confined(label(again.choice, readers=PRIVATE))


@pytest.mark.parametrize(
    "given",
    [
        label([UNVERIFIED], readers=PRIVATE),
        label([Source("store:mine", is_trusted=True)], choice=[UNVERIFIED], bits=SATURATED, readers=PRIVATE),
    ],
)
def test_a_tool_that_claims_nothing_gives_anybodys_mail(home: Home, given: Label) -> None:
    """A tool of the person's own, beside mail that names somebody: what it gives was written, or picked, by anybody."""

    @tool(changes=None, receivers=nobody)
    def latest() -> str:
        """The latest mail, read by other software."""
        return ""

    home.more = [replace(latest, run=lambda *_: Labelled("code 123456", given))]
    home.deliver("hello", sender="Eva <eva@home.example>")
    assert send(home, "latest() + search_emails()[0].body") == ["this-machine-only"]


def send(home: Home, value: str) -> list[str]:
    """The rules that spoke when this goes to somebody."""
    program = f"send_email(recipients=['bob@example.com'], subject='s', body={value})"
    result = home.ask(program, person=Person([True]), policy=KEPT)
    return [reason.rule for each in result.outcome.effects for reason in each.decision.reasons]


@pytest.mark.parametrize("sender", ["Bank <x@bank.example>", "Eva <eva@home.example>"])
def test_a_file_of_before_stays_beside_a_mail_that_claims(home: Home, sender: str) -> None:
    """The assistant wrote the mail down before mail carried claims; now somebody's mail goes out together with it."""
    home.deliver("code 123456", sender=sender)
    home.ask("write_file('a.txt', search_emails()[0].body)", person=Person([True]))
    home.deliver("hello", sender="Eva <eva@home.example>")
    both = "read_file('a.txt').content + search_emails()[0].body"
    assert ("this-machine-only" in send(home, both)) is ("bank" in sender)
    rewritten(home.path / "state")
    assert send(home, both) == ["this-machine-only"]


def test_a_name_of_before_stays_beside_a_mail_that_claims(home: Home, tmp_path: Path) -> None:
    """A conversation that began before mail carried claims."""
    home.deliver("code 123456", sender="Bank <x@bank.example>")
    assistant = home.assistant(["body = search_emails()[0].body"])
    Talk(assistant, tmp_path / "c").ask("read it")
    kept = Conversations(tmp_path / "c")
    name = str(kept.latest())
    kept.save(name, older(kept.load(name)))
    talk = Talk(assistant, tmp_path / "c")
    assert talk.resume()
    (found,) = [each.found.label for each in talk.names() if each.found is not None]
    assert ANYBODY in found.data
    assert KEPT.is_confined(join(found, CLAIMED))
