"""Attacks on what must stay on this machine: settings that fit nothing, and what a search tells of the mail it looked through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.attacks.world import Home, Person, says

from armslength.agent.trust import trust_of
from armslength.app import load_settings
from armslength.errors import ConfigError
from armslength.models.base import Processor
from armslength.policy.engine import PolicySettings
from armslength.testing import ScriptedModel

BOSS = "Boss <Boss@Corp.example>"
BOSS_STAYS = PolicySettings(this_machine_only=("mail:boss@corp.example",))
CLOUD = Processor(name="cloud", model="m", is_local=False, is_small=False, window=131_072)


def asked_in_cloud(home: Home, program: str, policy: PolicySettings) -> tuple[str, int]:
    """How it ends with a reader's model elsewhere, and how often that model was asked."""
    model = ScriptedModel([says("ok")], processor=CLOUD)
    assistant = replace(home.assistant(program, policy=policy), quarantined=model)
    outcome = assistant.ask("Do it", approver=Person()).outcome
    return outcome.message.partition(";")[0] or outcome.ending, len(model.requests)


@pytest.mark.parametrize("body", ["About layoffs in March", "About lunch"])
@pytest.mark.parametrize(
    "search",
    [
        'search_emails("layoffs")',
        'search_emails("layoffs", "boss@corp.example")',
        'search_emails("", "boss@corp.example")',
        'get_unread_emails("layoffs")',
        "get_thread(search_emails()[0])",
    ],
)
def test_how_many_mails_a_search_finds_stays_with_the_mails(home: Home, body: str, search: str) -> None:
    """What was looked through decides what is found: the count goes to no model and nobody elsewhere, found or not."""
    home.verified(body, sender=BOSS)
    home.verified("Minutes")
    count = f'n = len({search})\nanswer(quarantined("Write a sentence for this number", n))'
    refused = "line 2: cloud is not cleared for data that stays on this machine"
    assert asked_in_cloud(home, count, BOSS_STAYS) == (refused, 0)
    branch = f'news = "news" if {search} else "nothing"\nsend_email(["bob@example.com"], "Hi", f"There is {{news}}")'
    person = Person([True])
    sent = home.ask(branch, person=person, policy=BOSS_STAYS)
    assert (sent.outcome.ending, person.screens, home.outbox()) == ("denied", [], [])


def test_another_persons_mail_may_leave_without_a_search(home: Home) -> None:
    """A plain listing looks into no mail: it stands in it because it was delivered."""
    home.verified("About layoffs", sender=BOSS)
    home.verified("Minutes")
    program = 'answer(quarantined("Sum up", search_emails()[0].body))'
    assert asked_in_cloud(home, program, BOSS_STAYS) == ("done", 1)


def configured(tmp_path: Path, table: str, name: str) -> tuple[str, ...]:
    """The setting as it is read."""
    file = tmp_path / "config.toml"
    setting = {"privacy": "this_machine_only", "trust": "sources"}[table]
    file.write_text(f'[{table}]\n{setting} = ["{name}"]\n', "utf-8")
    settings = load_settings(file)
    return settings.this_machine_only if table == "privacy" else tuple(settings.trusted)


@pytest.mark.parametrize("pattern", ["mail:Boss@Corp.example", "MAIL:*@CORP.example", "mail:boss@corp.example", "*"])
def test_a_pattern_fits_in_any_case(tmp_path: Path, home: Home, pattern: str) -> None:
    """Addresses are kept in lower case; whoever writes one as it is printed means the same person."""
    home.verified("About layoffs", sender=BOSS)
    policy = PolicySettings(this_machine_only=configured(tmp_path, "privacy", pattern))
    refused = "line 1: cloud is not cleared for data that stays on this machine"
    assert asked_in_cloud(home, 'answer(quarantined("Sum up", search_emails()[0].body))', policy) == (refused, 0)


def test_all_mail_cannot_be_trusted_at_once(tmp_path: Path) -> None:
    """`trust.sources` knows no patterns, and the source that stands for everybody's mail is never trusted."""
    with pytest.raises(ConfigError, match="names no source"):
        configured(tmp_path, "trust", "mail:*")
    assert trust_of(frozenset({"mail:*"}))("mail:*").is_trusted is False


KINDS = "mail:…, file:…, web:…, calendar:…, store:…, tool:…, user, program, quarantined, pasted, clock"


@pytest.mark.parametrize(
    "name",
    ["boss@corp.example", "mail:", "mail:corp.example", "email:boss@corp.example", "files:*", "", "*@corp.example"],
)
def test_a_setting_that_fits_no_source_is_refused(tmp_path: Path, name: str) -> None:
    """It would keep nothing here, in silence."""
    place = f"{tmp_path}/config.toml"
    with pytest.raises(ConfigError) as caught:
        configured(tmp_path, "privacy", name)
    assert str(caught.value) == f"{place}: privacy.this_machine_only: {name!r} names no source; there are: {KINDS}, *"
    with pytest.raises(ConfigError) as caught:
        configured(tmp_path, "trust", name)
    assert str(caught.value) == f"{place}: trust.sources: {name!r} names no source; there are: {KINDS}"
