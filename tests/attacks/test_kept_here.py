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
BANK = "mail:*@bank.example"


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


@pytest.mark.parametrize("field", ["body", "subject", "sender", "sender_name"])
def test_mail_that_nobody_verified_is_kept_as_that_of_whom_it_names(home: Home, field: str) -> None:
    """A folder on disk vouches for nobody, so the bank's own mail is unverified there; and its sender's address says who wrote."""
    home.deliver("code 123456", sender="Bank <x@Bank.example>", subject="code")
    assert is_kept(home, FIRST.format(field), BANK)


@pytest.mark.parametrize("field", ["body", "subject", "sender"])
def test_other_mail_that_nobody_verified_is_not(home: Home, field: str) -> None:
    """It says that it is somebody else's; whoever writes so keeps nothing of the bank's from staying."""
    home.deliver("hello", sender="Eva <eva@home.example>", subject="hi")
    assert not is_kept(home, FIRST.format(field), BANK)


@pytest.mark.parametrize("sender", ["", "a@x.example, x@bank.example", "Bank"])
def test_mail_that_names_nobody_may_be_the_banks(home: Home, sender: str) -> None:
    """No sender, several, or none that can be read: unknown means no."""
    name = home.path / "mail" / "new" / "1796000000.N1.host"
    name.write_text(f"From: {sender}\nTo: me@example.org\nSubject: s\n\nb\n")
    assert is_kept(home, FIRST.format("body"), BANK)
    assert not PolicySettings(this_machine_only=("file:*",)).is_confined(of("mail:unverified"))


@pytest.mark.parametrize("value", [FIRST.format("sender"), "'\\n'.join(m.sender for m in search_emails())"])
def test_the_address_of_a_verified_sender_stays_too(home: Home, value: str) -> None:
    """The store knows it, so it is no word of his; that the clinic writes at all is what was to stay here."""
    home.verified("you are ill", sender="oncology@clinic.example")
    assert is_kept(home, value, "mail:*@clinic.example")


def test_what_a_search_finds_among_unverified_mail_tells_of_the_banks(home: Home) -> None:
    """It was compared with the words that were looked for, found or not."""
    home.deliver("layoffs in March", sender="Bank <x@bank.example>")
    assert is_kept(home, "str(len(search_emails('layoffs')))", BANK)


def test_a_claim_beside_other_words_keeps_and_loosens_nothing() -> None:
    """In one value with anybody's, the bank's stays; a mail that claims to be from a trusted one, or a cleared one, is not."""
    eva, bank = (Source(f"store:mail:x@{each}.example", is_trusted=True) for each in ("home", "bank"))
    said = PolicySettings(
        this_machine_only=(BANK,),
        groups=(Group("home", ("*@home.example",)),),
        may_learn=(Clearance(("bob@example.com",), ("mail:*@home.example",)),),
    )
    words = [Source("mail:unverified")]
    assert said.is_confined(label([*words, eva, bank]))
    assert said.is_confined(label(choice=[*words, eva, bank], bits=1))
    assert said.is_confined(label(words))
    claimed = label([*words, eva], readers=PRIVATE)
    assert not said.is_confined(claimed)
    assert (said.groups_touched(claimed), said.groups_around(claimed)) == ([], [])
    assert not said.is_cleared("bob@example.com", claimed)


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


LIST = "Kim via team <team@lists.example>"


@pytest.mark.parametrize(
    "answers",
    [
        "Kim <kim@bank.example>",
        "team@lists.example, kim@bank.example",
        "kim@bank",
        ", ".join(f"{n}@x.example" for n in range(9)),
    ],
)
def test_a_list_that_writes_under_its_own_address_says_whose_the_mail_is(home: Home, answers: str) -> None:
    """It puts the author where answers go, so that mail is his, too; an address that cannot be read, or many, may be anybody's."""
    home.deliver("code 123456", sender=LIST, head=f"Reply-To: {answers}\n")
    assert is_kept(home, FIRST.format("body"), BANK if "@bank.example" in answers else "mail:kim@bank*")


@pytest.mark.parametrize(
    "answers", ["", "Reply-To: eva@home.example\n", "Reply-To: Eva <eva@home.example>, team@lists.example\n"]
)
def test_other_mail_of_a_list_is_not(home: Home, answers: str) -> None:
    """Nobody whose mail stays here is named in it."""
    home.deliver("hello", sender=LIST, head=answers)
    assert not is_kept(home, FIRST.format("body"), BANK)


@pytest.mark.parametrize(
    "sender", ["Bank: x@bank.example, eve@evil.example;", "eve@evil.example\nFrom: x@bank.example", "(x@bank.example"]
)
def test_a_claim_is_read_out_of_one_plain_address_alone(home: Home, sender: str) -> None:
    """A group, two fields, a comment that does not end: who reads the first address would take the bank's for another's."""
    home.deliver("code 123456", sender=sender)
    assert is_kept(home, FIRST.format("body"), BANK)


def test_what_was_put_into_a_verified_mail_on_its_way_may_be_anybodys(home: Home) -> None:
    """Whom it is addressed to, its sender did not sign: whoever passed it on wrote that, and claims nothing."""
    names = "from:subject"
    signed = f"DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h={names}; bh=x; b=y\n"
    home.verified("hello", to="me@example.org, x@bank.example", head=signed)
    assert is_kept(home, "','.join(search_emails()[0].recipients)", BANK)
    assert not is_kept(home, FIRST.format("body"), BANK)


def test_a_number_that_a_search_counts_may_pick_the_banks(home: Home) -> None:
    """What stands in it was compared; the words that it picks are somebody else's."""
    home.deliver("layoffs in March", sender="Bank <x@bank.example>")
    home.deliver("a", sender="Eva <eva@home.example>")
    home.deliver("b", sender="Eva <eva@home.example>")
    picked = "[m.body for m in search_emails() if m.sender == 'eva@home.example'][len(search_emails('layoffs'))]"
    assert is_kept(home, picked, BANK)
