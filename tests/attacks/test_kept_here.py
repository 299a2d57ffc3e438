"""Attacks on `this_machine_only`, groups and `may_learn` by a name that is nearly another: what keeps holds for whatever may be it."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from bench.home.world import Home, Person, rules, says

from armslength.labels import PRIVATE, Label, Source, label
from armslength.policy.engine import Clearance, Group, PolicySettings
from armslength.testing import SCRIPTED, ScriptedModel

CLOUD = replace(SCRIPTED, name="cloud", is_local=False)
REFUSED = "line 1: cloud is not cleared for data that stays on this machine"
SEND = "send_email(recipients=['bob@example.com'], subject='s', body={})"
READ = "answer(quarantined('Sum it up', {}, returns=str))"
FIRST = "search_emails()[0].{}"
COMPOSED = "Geh\u00e4lter.txt"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def of(*names: str) -> Label:
    return label([Source(name) for name in names], readers=PRIVATE)


def is_kept(home: Home, value: str, *patterns: str) -> bool:
    """Whether it goes to nobody and to no model elsewhere; else it goes to both, the first with the person's yes."""
    policy = PolicySettings(this_machine_only=patterns)
    model = ScriptedModel([says("ok")], processor=CLOUD)
    assistant = replace(home.assistant(READ.format(value), policy=policy), quarantined=model)
    said = assistant.ask("Do it", approver=Person()).outcome
    person = Person([True])
    sent = home.ask(SEND.format(value), person=person, policy=policy)
    stopped = (said.message.partition(";")[0], rules(sent), model.requests, home.outbox(), person.screens)
    if stopped == (REFUSED, ["this-machine-only"], [], [], []):
        return True
    assert (said.ending, len(model.requests), sent.outcome.ending, len(home.outbox())) == ("done", 1, "done", 1)
    return False


@pytest.mark.parametrize("on_disk", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("typed", [COMPOSED, DECOMPOSED, COMPOSED.upper()])
def test_a_files_name_is_kept_in_every_normal_form(home: Home, on_disk: str, typed: str) -> None:
    """Another system, or a synchronisation, writes `ä` as two characters; whoever types the pattern does not see which."""
    home.file(on_disk, "Kai earns 100")
    assert is_kept(home, f"read_file({COMPOSED!r}).content", f"file:{typed}")


@pytest.mark.parametrize("name", ["salaries [2026].txt", "what [a-z] is.txt"])
def test_brackets_in_a_pattern_are_those_of_the_name(home: Home, name: str) -> None:
    """Read as a class of characters alone the pattern would fit every file but the one that was meant."""
    home.file(name, "Kai earns 100")
    assert is_kept(home, f"read_file({name!r}).content", f"file:{name}")


@pytest.mark.parametrize(
    "pattern", ["mail:*@b\u00fccher.example", "mail:*@b\u00fc*.example", "mail:*@BU\u0308CHER.example"]
)
def test_a_host_is_kept_in_both_spellings(home: Home, pattern: str) -> None:
    """A mail's header has the host in ASCII; the person writes it as it is read."""
    home.verified("code 123456", sender="x@xn--bcher-kva.example")
    assert is_kept(home, FIRST.format("body"), pattern)


@pytest.mark.parametrize(
    "name",
    [
        "file:x@work.example",
        "web:evil.example/@work.example",
        "web:x@work.example",
        "mcp:a/b@work.example",
        "calendar:x@work.example",
        "mail:x@work.example.evil.example",
    ],
)
def test_a_member_without_a_kind_is_who_writes_under_that_name(name: str) -> None:
    """An address of mail; no file, page or tool that is called like one."""
    said = PolicySettings(
        groups=(Group("work", ("*@work.example",)),), may_learn=(Clearance(("b@b.example",), ("*@work.example",)),)
    )
    assert (said.groups_touched(of(name)), said.groups_around(of(name))) == ([], [])
    assert not said.is_cleared("b@b.example", of(name))
    assert said.groups_around(of("mail:Kim@Work.example")) == ["work"]


SHARP = PolicySettings(
    groups=(Group("home", ("*@wei\u00df.example", "stra\u00dfe.example")),),
    may_learn=(Clearance(("*@stra\u00dfe.example", "home"), ("calendar:*", "mail:*@wei\u00df.example")),),
)


@pytest.mark.parametrize("receiver", ["mallory@strasse.example", "mallory@STRASSE.example", "m@xn--strasse.example"])
def test_another_domain_learns_nothing_by_folded_letters(receiver: str) -> None:
    """`ß` and `ss` are two hosts, which two people may own (UTS 46, non-transitional)."""
    assert not SHARP.is_cleared(receiver, of("calendar:x"))
    assert SHARP.groups_reached([receiver.replace("strasse", "weiss")]) == []
    assert SHARP.groups_around(of("mail:x@weiss.example")) == []
    assert not SHARP.is_cleared("m@stra\u00dfe.example", of("mail:x@weiss.example"))


@pytest.mark.parametrize(
    "receiver", ["kim@stra\u00dfe.example", "Kim@xn--strae-oqa.example", "kim@Stra\u00dfe.Example"]
)
def test_the_domain_that_is_named_is_one_in_both_spellings(receiver: str) -> None:
    """As it is read and as it is asked for."""
    assert SHARP.is_cleared(receiver, of("calendar:x", "mail:x@xn--wei-7ka.example"))


def test_an_address_of_other_letters_is_not_cleared() -> None:
    """The Kelvin sign is no K before the `@`, and brackets clear no other file."""
    said = PolicySettings(may_learn=(Clearance(("kim@b.example",), ("file:salaries [2026].txt",)),))
    assert said.is_cleared("kim@b.example", of("file:salaries [2026].txt"))
    assert not said.is_cleared("kim@b.example", of("file:salaries 2.txt"))
    assert not said.is_cleared("\u212aim@b.example", of("file:salaries [2026].txt"))
    assert not said.is_cleared("kim@b.example", of(unicodedata.normalize("NFD", "file:salari\u00e9s [2026].txt")))


@pytest.mark.parametrize("field", ["body", "subject", "sender"])
def test_mail_that_nobody_verified_may_be_the_banks(home: Home, field: str) -> None:
    """A folder on disk vouches for nobody: whoever wrote it may be whom the pattern names."""
    home.deliver("code 123456", sender="Bank <x@bank.example>", subject="code")
    assert is_kept(home, FIRST.format(field), "mail:*@bank.example")
