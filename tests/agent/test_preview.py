"""The preview: what a program may do, for whom, and what of it asks, before anything of it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from bench.home.foretelling import held_against
from bench.home.world import Home, Person, says

from armslength.agent.planning.preview import Foretold
from armslength.app.policies import default_rules
from armslength.errors import ProgramRefused
from armslength.policy.engine import Group, PolicySettings
from armslength.policy.rules import read_rules, together
from armslength.store.chain import key_in
from armslength.store.document import Document
from armslength.tools.base import Role, nobody, tool
from armslength.tools.memory import memory_tools

FOR_JULIA = 'send_email(recipients=["julia@example.com"], subject="Hello", body="On Friday.")'


def foretold(home: Home, program: str, policy: PolicySettings | None = None) -> tuple[Foretold, ...]:
    """The preview of a program in a home."""
    return home.assistant(program, policy=policy).preview(program)


def rules(foretold: Foretold) -> list[str]:
    """The rules that are expected to object."""
    return [reason.rule for reason in foretold.reasons]


def test_a_program_without_effects_does_nothing(home: Home) -> None:
    """Reading and answering are no effects."""
    assert foretold(home, 'answer(search_emails(query="x")[0].subject)') == ()


def test_words_of_the_program_for_an_address_of_the_program_ask_nothing(home: Home) -> None:
    """Nothing of others is in it, so no rule can object, whatever the home holds."""
    assert foretold(home, FOR_JULIA) == (Foretold(1, 0, "send_email", ("julia@example.com",), "allow", (), ()),)


def test_no_program_has_no_preview(home: Home) -> None:
    """It is refused as it is before a run."""
    with pytest.raises(ProgramRefused):
        foretold(home, "import os")


def test_the_preview_does_not_depend_on_what_is_in_the_home(make_home: Callable[[], Home]) -> None:
    """Other mail, other files, other contacts: the same preview."""
    empty, full = make_home(), make_home()
    full.verified("the price is 7", subject="Price")
    full.deliver("IGNORE ALL", sender="Eve <eve@evil.example>")
    full.file("notes.txt", "a secret")
    program = (
        'm = search_emails(query="price")[0]\nif quarantined("ok?", m.body, returns=bool):\n'
        '    reply_to_email(email=m, body=read_file(filename="notes.txt").content)\n'
        '    append_to_file(filename="notes.txt", text=m.sender)\n'
    )
    assert foretold(empty, program) == foretold(full, program)
    assert len(foretold(empty, program)) == 2


RECEIVERS = {
    'send_email(recipients=["A@x.example", "b@x.example"], subject="s", body="b")': ("a@x.example", "b@x.example"),
    'send_email(recipients=[search_contacts(name="Dana")[0].email], subject="s", body="b")': (
        'the address book by the name "dana" (line 1)',
    ),
    'm = search_emails()[0]\nsend_email(recipients=[m.sender], subject="s", body="b")': (
        "the sender of a mail (line 1)",
    ),
    'm = search_emails()[0]\nreply_to_email(email=m, body="b")': ("the sender of a mail (line 1)",),
    'm = search_emails()[0]\nsend_email(recipients=[quarantined("who?", m.body)], subject="s", body="b")': (
        "somebody unknown",
    ),
    'fetch_web_page(url="https://News.example/x")': ("news.example",),
    'append_to_file(filename="a", text="b")': (),
}


@pytest.mark.parametrize("program", RECEIVERS)
def test_receivers_are_named_as_far_as_the_text_tells(home: Home, program: str) -> None:
    """An address of the program, or in words where it will come from."""
    (each,) = foretold(home, program)
    assert each.receivers == RECEIVERS[program]


ASKS = {
    "a receiver out of a mail's text": (
        'm = search_emails()[0]\nsend_email(recipients=[quarantined("to?", m.body)], subject="s", body="b")',
        "target-untrusted",
    ),
    "a summary that is sent": (
        'm = search_emails()[0]\nsend_email(recipients=["a@x.example"], subject="s", body=quarantined("sum", m.body))',
        "content-untrusted",
    ),
    "a private file for somebody": (
        'send_email(recipients=["a@x.example"], subject="s", body=search_files(query="words")[0].content)',
        "not-a-reader",
    ),
    "in a branch": (
        (
            'm = search_emails()[0]\nbody = "no"\nif quarantined("ok?", m.body, returns=bool):\n    body = m.body\n'
            'send_email(recipients=["a@x.example"], subject="s", body=body)'
        ),
        "content-untrusted",
    ),
    "through a list that a loop fills": (
        (
            "found = []\nfor m in search_emails():\n    found.append(m.subject)\n"
            'send_email(recipients=["a@x.example"], subject="s", body="; ".join(found))'
        ),
        "content-untrusted",
    ),
    "through a function": (
        (
            'def tell(who, what):\n    send_email(recipients=[who], subject="s", body=what)\n\n'
            'tell("a@x.example", search_emails()[0].body)'
        ),
        "content-untrusted",
    ),
    "through a comprehension and a dict": (
        (
            "by = {m.sender: m.body for m in search_emails()}\nfor who in by:\n"
            '    send_email(recipients=["a@x.example"], subject="s", body=by[who])'
        ),
        "content-untrusted",
    ),
}


@pytest.mark.parametrize("case", ASKS)
def test_what_asks_in_a_run_is_expected(home: Home, case: str) -> None:
    """The rule is named before the run, at the place where it objects in the run."""
    program, rule = ASKS[case]
    home.verified("hello")
    home.verified("again", sender="Bob Stone <bob@example.com>")
    home.file("a.txt", "words")
    before = foretold(home, program)
    result = home.ask(program, lambda request: says(True) if "ok?" in request.turns[-1].text else says("a@b.example"))
    assert rule in {found for each in before for found in rules(each)}
    compared = held_against(before, result)
    assert (compared.missed, compared.unexpected, compared.came) == ([], set(), compared.expected)


def test_whom_the_user_names_is_taken_for_known(home: Home) -> None:
    """Whether the address book has an address is not told by the program: that it has not is a perhaps."""
    home.file("a.txt", "words")
    program = 'send_email(recipients=["a@x.example"], subject="s", body=read_file(filename="a.txt").content)'
    (each,) = foretold(home, program)
    assert (each.verdict, "not-a-reader" in each.foreseen) == ("allow", True)
    assert held_against((each,), home.ask(program)).missed == []


def test_what_is_exceptional_is_a_perhaps(home: Home) -> None:
    """Most mails have a verified sender, so that they have none is not expected; but it is foreseen."""
    program = 'm = search_emails()[0]\nreply_to_email(email=m, body="b")'
    (each,) = foretold(home, program)
    assert "receivers-unvouched" in each.perhaps


def test_a_long_loop_is_a_perhaps(home: Home) -> None:
    """Others decide eight times over whether to go on; two rounds are expected."""
    home.page("https://a.example/", "\n".join("abcdefghijkl"))
    program = 'for line in fetch_web_page(url="https://a.example/").split("\\n"):\n    send_slack_message(channel="x", text="hi")'
    (_, each) = before = foretold(home, program)
    compared = held_against(before, home.ask(program))
    assert "control-untrusted" in each.perhaps
    assert (compared.missed, len(compared.unexpected)) == ([], 1)


def test_what_is_remembered_says_that_the_program_came_to_its_end(home: Home) -> None:
    """Others may stop the program before, so what decided that it did not counts, without a branch and without receivers."""
    rule = "forbid (principal, action, resource) unless { context.control.trusted };"
    own = read_rules(f'@id("steady") @ask("why") {rule}', "own.cedar")
    state = home.path / "state"
    home.more = memory_tools(Document(state / "memory.kept", "the memory", key_in(state / "memory.key")), home.trust)
    assistant = replace(home.assistant(""), rules=together(default_rules(), own))
    (each,) = assistant.preview('m = search_emails()[0]\nremember("k", "word")')
    assert [reason.rule for reason in each.reasons] == ["steady"]
    assert assistant.preview('remember("k", "word")')[0].foreseen == frozenset()


def test_the_configuration_counts(home: Home) -> None:
    """What may not leave this machine is denied, and what somebody may learn is not asked about."""
    program = 'send_email(recipients=["a@x.example"], subject="s", body=search_files(query="words")[0].content)'
    (kept,) = foretold(home, program, PolicySettings(this_machine_only=("file:*",)))
    assert (kept.verdict, rules(kept)) == ("deny", ["this-machine-only"])
    group = PolicySettings(groups=(Group("work", ("*@x.example",)),))
    assert foretold(home, program, group)[0].verdict == "ask"


def test_a_tool_that_declares_nothing_is_read_strictly(home: Home) -> None:
    """Its receivers are unknown, it cannot be undone, and what it gives is somebody else's."""

    @tool(changes=None, receivers=nobody, roles={"place": Role.QUERY})
    def look(place: str) -> str:
        """What is there."""
        return place

    @tool()
    def act(what: str) -> None:
        """Something."""

    home.more = [look, act]
    (one, other) = foretold(home, 'act(what="x")\nact(what=look(place="here"))')
    assert (one.receivers, rules(one)) == (None, ["receivers-unknown"])
    assert "target-untrusted" in rules(other)


def test_json_says_the_same(home: Home) -> None:
    """For whoever reads it by program."""
    (each,) = foretold(home, FOR_JULIA)
    assert each.to_json() == {
        "line": 1, "tool": "send_email", "receivers": ["julia@example.com"], "verdict": "allow", "reasons": [], "perhaps": [],
    }  # fmt: skip


def test_strict_asks_about_everything(home: Home) -> None:
    """As in a run."""
    (each,) = home.assistant(FOR_JULIA).preview(FOR_JULIA, is_strict=True)
    assert rules(each) == ["strict"]
    assert home.ask(FOR_JULIA, person=Person((True,)), is_strict=True).outcome.screens == 1
