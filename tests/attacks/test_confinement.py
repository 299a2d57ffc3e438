"""Attacks on what must stay on this machine: settings that fit nothing, and what a search tells of the mail it looked through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import Home, Person, rules, says

from armslength.agent.runs.trust import trust_of
from armslength.app import load_settings
from armslength.app.dav import DavChoice, calendars_of
from armslength.errors import ConfigError
from armslength.models.base import Processor
from armslength.policy.engine import PolicySettings
from armslength.testing import ScriptedModel
from armslength.tools.dav.settings import DavSettings

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


KINDS = "mail:…, file:…, web:…, calendar:…, mcp:…, store:…, tool:…, user, program, quarantined, pasted, clock"


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


FILES_STAY = PolicySettings(this_machine_only=("file:*",))


@pytest.mark.parametrize(
    "said",
    [
        "[f.filename for f in list_files()]",
        "list_files()[0].id",
        "search_files('health')[0].filename",
        "read_file('health').filename",
        "len(list_files())",
        "'many' if len(search_files('health')) > 1 else 'few'",
    ],
)
@pytest.mark.parametrize("pattern", ["file:*", "file:health*"])
def test_what_files_are_called_and_how_many_there_are_stays_with_them(home: Home, said: str, pattern: str) -> None:
    """A name is of the same source as what stands in the file, and which files there are tells of all of them."""
    home.file("health.txt", "I have asthma")
    refused = "line 1: cloud is not cleared for data that stays on this machine"
    policy = PolicySettings(this_machine_only=(pattern,))
    assert asked_in_cloud(home, f'answer(quarantined("Sum up", {said}))', policy) == (refused, 0)


SORT_BY_NOTE = """note = read_file("health.txt").content
mails = search_emails("newsletter")
if "asthma" in note:
    trash_email(mails[0])
"""
LOOK = {
    "unread": "said = [mail.subject for mail in get_unread_emails()]",
    "all": "said = [mail.subject for mail in search_emails()]",
    "searched": 'said = len(search_emails("newsletter"))',
    "folder": "said = read_email(search_emails()[0].id).folder",
}


@pytest.mark.parametrize("look", LOOK.values(), ids=LOOK.keys())
def test_which_mails_were_trashed_stays_with_what_decided_it(home: Home, look: str) -> None:
    """A note that stays here decides which mail is moved; no listing tells that elsewhere, in a later run or in the same one."""
    home.file("health.txt", "I have asthma")
    for number in range(2):
        home.deliver("news", subject=f"newsletter {number}")
    program = f'{look}\nanswer(quarantined("Sum up", said))'
    assert asked_in_cloud(home, program, FILES_STAY) == ("done", 1)
    assert home.ask(SORT_BY_NOTE, policy=FILES_STAY).outcome.ending == "done"
    refused = "line 2: cloud is not cleared for data that stays on this machine"
    assert asked_in_cloud(home, program, FILES_STAY) == (refused, 0)


def test_an_ordinary_move_leads_to_no_more_questions(home: Home) -> None:
    """Whoever writes mail steers plain listings anyhow: what went without a question still does, what was asked about still is."""
    for number in range(4):
        home.verified(f"news {number}", subject=f"newsletter {number}")
    news = "mail = get_unread_emails()[0]\n"
    asked: list[list[tuple[str, list[str]]]] = []
    for _ in range(2):
        sent = [
            home.ask(news + 'reply_to_email(mail, "Thanks.")', person=Person([True])),
            home.ask(news + 'reply_to_email(mail, f"You wrote: {mail.body}")', person=Person([True])),
            home.ask(news + 'send_email(["bob@example.com"], "News", mail.body)', person=Person([True])),
        ]
        asked.append([(result.outcome.ending, rules(result)) for result in sent])
        assert home.ask("trash_email(get_unread_emails()[0])").outcome.ending == "done"
    assert asked[0] == asked[1]
    assert [ending for ending, _ in asked[0]] == ["done"] * 3


def test_what_may_not_go_elsewhere_is_read_by_the_model_that_is_here(home: Home) -> None:
    """Each question goes to the first model that the policy clears for all of it: the data, and what decided that it is asked."""
    home.verified("About layoffs", sender=BOSS)
    home.verified("Minutes")
    program = (
        'for mail in search_emails():\n    answer(quarantined("Sum up", mail.body))\n'
        'answer(quarantined("Is it true?", search_emails("layoffs")[0].subject, returns=bool))'
    )
    cloud, here = ScriptedModel([says("ok")], CLOUD), ScriptedModel([says("here"), says(True)])
    assistant = replace(home.assistant(program, policy=BOSS_STAYS), quarantined=cloud, confined=here)
    result = assistant.ask("Do it", approver=Person())
    assert result.outcome.ending == "done"
    assert (len(cloud.requests), len(here.requests)) == (1, 2)
    assert all("layoffs" not in turn.text for request in cloud.requests for turn in request.turns)
    assert {role: len(spent) for role, spent in result.spent.items()} == {"planner": 1, "quarantined": 1, "confined": 2}


def test_a_model_elsewhere_is_not_cleared_by_being_second(home: Home) -> None:
    """Where no model may have it, none is asked, and the person is told which there are."""
    home.verified("About layoffs", sender=BOSS)
    models = [ScriptedModel([says("ok")], replace(CLOUD, name=name)) for name in ("cloud", "other")]
    program = 'answer(quarantined("Sum up", search_emails()[0].body))'
    assistant = replace(home.assistant(program, policy=BOSS_STAYS), quarantined=models[0], confined=models[1])
    outcome = assistant.ask("Do it", approver=Person()).outcome
    assert outcome.message.startswith("line 1: cloud and other is not cleared for data that stays on this machine;")
    assert [len(model.requests) for model in models] == [0, 0]


@pytest.mark.parametrize(
    ("url", "effects"), [("https://dav.example.com/me/", "denied"), ("https://localhost:9/me/", "allowed")]
)
def test_what_stays_on_this_machine_is_written_into_no_calendar_on_a_server(home: Home, url: str, effects: str) -> None:
    """An event of nobody else's goes to whoever has the server, though it is the user's own account there."""
    home.verified("About layoffs", sender=BOSS)
    choice = DavChoice("", DavSettings("calendar", url), addresses=("me@example.org",))
    mail = [
        tool
        for tool in home.tools()
        if not tool.name.endswith("calendar_event") and tool.name != "search_calendar_events"
    ]
    tools = [*mail, *calendars_of((choice,), trust_of(frozenset()), home.path / "dav", is_confined=True)]
    program = (
        'create_calendar_event("Talk", "2026-12-01T10:00", "2026-12-01T11:00", description=search_emails()[0].body)'
    )
    assistant = replace(home.assistant(program, policy=replace(BOSS_STAYS, addresses=("me@example.org",))), tools=tools)
    outcome = assistant.ask("Do it", approver=Person([True])).outcome
    assert (outcome.ending == "denied") is (effects == "denied")
    assert [each.decision.verdict for each in outcome.effects] != ["deny"] or effects == "denied"
