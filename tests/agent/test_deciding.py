"""What a call is decided on: who decided over it, who learns of it, what may not leave this machine, and that it is the same when it is done."""

from __future__ import annotations

import pytest
from bench.home.world import Home, Person, rules, says, statuses
from tests.agent.made_tools import NOTHING_TOLD, noting

from armslength.errors import Declined, Denied, ModelNotCleared
from armslength.events import label_from_json
from armslength.labels import label
from armslength.models.base import Processor
from armslength.policy.engine import PolicySettings
from armslength.policy.patterns import spoken
from armslength.testing import ScriptedModel
from armslength.tools.base import Receivers, Role, tool
from armslength.tools.ledger import Ledger

FAR = Processor("far", "large", is_local=False, is_small=False, window=100_000)


def test_an_outward_call_is_decided_before_it_runs(home: Home) -> None:
    """A declined fetch never ran, and nothing after it did."""
    home.page("https://a.example/", "page")
    home.deliver("https://a.example/")
    result = home.ask("answer(fetch_web_page(url=search_emails()[0].body))")
    assert (result.outcome.ending, statuses(result)) == ("declined", [("fetch_web_page", "declined")])
    assert [entry["name"] for entry in result.entries if entry["kind"] == "tool"] == ["search_emails"]


def test_an_outward_call_carries_halt(home: Home) -> None:
    """That a fixed page is fetched at all tells that the mail was a number: its steering is on the call."""
    home.page("https://a.example/", "page")
    home.deliver("12")
    fetch = 'answer(fetch_web_page(url="https://a.example/"))'
    assert home.ask(fetch).outcome.ending == "done"
    result = home.ask(f"int(search_emails()[0].body)\n{fetch}")
    assert (result.outcome.ending, rules(result)) == ("declined", ["steer-not-readable"])


def test_an_immediate_effect_with_a_result_carries_halt(home: Home) -> None:
    """A call that changes a store, has receivers and gives a result happens at once, so halt counts for it as well."""

    @tool(name="post", changes="board", receivers=lambda args: Receivers(("board",)), roles={"text": Role.CONTENT})
    def post(text: str) -> str:
        return "id"

    home.more = [post]
    home.deliver("12")
    assert home.ask('post(text="hi")').outcome.ending == "done"
    assert rules(home.ask('int(search_emails()[0].body)\npost(text="hi")', policy=NOTHING_TOLD)) == [
        "steer-not-readable"
    ]


def test_a_barrier_puts_halt_on_what_others_learn(home: Home) -> None:
    """An invitation goes out only if the program got that far, in its middle as at its end."""
    home.deliver("12")
    invite = 'create_calendar_event(title="t", start="2026-12-01 09:00", end="2026-12-01 10:00", participants=["kim@b.example"])'
    asked = home.ask(f"{invite}\nint(search_emails()[0].body)", person=Person([True]), policy=NOTHING_TOLD)
    assert rules(asked) == ["steer-not-readable"]
    result = home.ask(f"{invite}\nint(search_emails()[0].body)\nsearch_calendar_events()", policy=NOTHING_TOLD)
    assert (result.outcome.ending, rules(result)) == ("declined", ["steer-not-readable"])


def test_effects_in_an_untrusted_branch_carry_it(home: Home) -> None:
    """The call's control context names whoever decided that it happens."""
    home.deliver("yes")
    result = home.ask(
        'if search_emails()[0].body == "yes":\n    append_to_file(filename="a.txt", text="1")\nappend_to_file(filename="a.txt", text="2")'
    )
    inside, outside = (pending.effect for pending in result.outcome.effects)
    assert [{source.name for source in spoken(effect.control.choice)} for effect in (inside, outside)] == [
        {"mail:unverified", "mailbox:*", "store:mail"},
        set(),
    ]


def test_the_ledger_knows_who_decided_that_something_was_written(home: Home) -> None:
    """A literal that was appended in a branch on a mail is not the user's own when it is read back."""
    home.deliver("yes")
    home.ask('if "yes" in search_emails()[0].body:\n    append_to_file(filename="a.txt", text="1")')
    home.ask('append_to_file(filename="b.txt", text="1")')
    result = home.ask('answer(read_file(filename="a.txt").content)\nanswer(read_file(filename="b.txt").content)')
    steered, own = (answer[0].label for answer in result.outcome.answers)
    assert "mail:unverified" in {source.name for source in steered.choice | steered.data}
    assert {source.name for source in own.choice | own.data} == {"store:files"}
    ledger = Ledger(home.path / "state" / "files.ledger.json", home.trust)
    assert ledger.label_of("a.txt", b"1", label()).is_trusted is False


def test_a_handle_counts_as_its_id(home: Home) -> None:
    """A mail picked whole may be moved to the trash without a question; its words neither travel nor count."""
    home.deliver("x" * 1000)
    result = home.ask("trash_email(email=search_emails()[0])")
    assert (result.outcome.ending, rules(result)) == ("done", ["nothing-objects"])
    assert result.outcome.effects[0].effect.arguments() == {"email": {"id": "1793520060.N1.host"}}


def test_a_handle_from_text_is_refused(home: Home) -> None:
    """Only a whole record is a handle; an id spelled from untrusted text is none."""
    home.deliver("x")
    result = home.ask('ids = [search_emails()[0], "1793520060.N1.host"]\ntrash_email(email=ids[1])')
    assert result.outcome.message == "trash_email takes one whole record as email, such as search results hold"


def test_a_record_built_by_the_program_is_judged_by_its_id(home: Home) -> None:
    """An id that the quarantined model gave decides what is affected, so it is asked about."""
    home.deliver("x")
    result = home.ask(
        'class Mail(BaseModel):\n    id: str\nm = quarantined("Which?", search_emails()[0].body, returns=Mail)\ntrash_email(email=m)',
        '{"id": "1793520060.N1.host"}',
    )
    assert (result.outcome.ending, rules(result)) == ("declined", ["target-untrusted"])


def test_receivers_are_worked_out_again_before_anything_happens(home: Home) -> None:
    """A store that answers otherwise after the yes is refused; nothing of the queue happens."""
    members, done = ["a@b.example"], list[str]()

    @tool(name="post", changes="board", receivers=lambda args: Receivers(tuple(members)), roles={"text": Role.CONTENT})
    def post(text: str) -> None:
        done.append(text)

    class Meanwhile:
        def approve(self, screen: object) -> bool:
            members.append("mallory@evil.example")
            return True

    home.more = [post, noting("note", done)]
    assistant = home.assistant('note(text="1")\npost(text=read_pasted_text())')
    result = assistant.ask("Do it", pasted="p", approver=Meanwhile())
    assert isinstance(result.outcome.error, Denied)
    assert result.outcome.message == (
        "line 2: post would not do any more what was decided on, since something changed meanwhile: those who would learn of it are "
        "others by now; ask again"
    )
    assert statuses(result) == [("note", "dropped"), ("post", "denied")]
    assert done == []


def test_a_summary_that_changes_after_the_yes_is_refused(home: Home) -> None:
    """The screen said that a file is made; meanwhile it exists, so the yes does not cover what would happen."""
    home.deliver("x")

    class Meanwhile:
        def approve(self, screen: object) -> bool:
            home.file("a.txt", "precious")
            return True

    assistant = home.assistant(
        'write_file(filename=quarantined("Which file?", search_emails()[0].body, returns=str), text="1")', says("a.txt")
    )
    result = assistant.ask("Do it", approver=Meanwhile())
    assert (result.outcome.ending, statuses(result)) == ("denied", [("write_file", "denied")])
    assert home.everything()["files/a.txt"] == b"precious"


def test_several_effects_on_a_new_file_still_happen(home: Home) -> None:
    """The first makes the file, so the line of the second is another by then; that was in the same yes."""
    home.deliver("x")
    person = Person([True])
    result = home.ask(
        'f = quarantined("Which file?", search_emails()[0].body, returns=str)\n'
        'append_to_file(filename=f, text="1")\nappend_to_file(filename=f, text="2")',
        says("a.txt"),
        person=person,
    )
    assert (result.outcome.ending, result.outcome.screens) == ("done", 1)
    assert home.everything()["files/a.txt"] == b"1\n2"


def test_data_that_stays_here_is_not_sent(home: Home) -> None:
    """A denial comes before any question, also where the data only chose or decided."""
    policy = PolicySettings(this_machine_only=("file:*",))
    home.file("a.txt", "secret")
    sends = (
        'send_slack_message(channel="x", text=read_file(filename="a.txt").content)',
        'send_slack_message(channel="x", text=quarantined("?", read_file(filename="a.txt").content, returns=Literal["a", "b"]))',
        'if read_file(filename="a.txt").content == "secret":\n    send_slack_message(channel="x", text="hi")',
        'if read_file(filename="a.txt").content == "secret":\n    fetch_web_page(url="https://a.example/")',
    )
    for program in sends:
        person = Person([True])
        result = home.ask(program, says("a"), policy=policy, person=person)
        assert isinstance(result.outcome.error, Denied)
        assert (rules(result), person.screens) == (["this-machine-only"], [])
    assert home.slack("x") == []


@pytest.mark.parametrize(
    "program",
    [
        'quarantined("?", read_file(filename="a.txt").content)',
        'quarantined(read_file(filename="a.txt").content, "x")',
        'quarantined("?", ["a", "b"][len(read_file(filename="a.txt").content) % 2])',
        'if "s" in read_file(filename="a.txt").content:\n    quarantined("?", "x")',
        'x = "a"\nif "s" in read_file(filename="a.txt").content:\n    x = "b"\nquarantined("?", x)',
    ],
)
def test_data_that_stays_here_goes_to_no_other_processor(home: Home, program: str) -> None:
    """A processor elsewhere gets neither the data, nor what it chose, nor a call that it decided."""
    home.file("a.txt", "secret")
    assistant = home.assistant(program, policy=PolicySettings(this_machine_only=("file:*",)))
    far = ScriptedModel([says("x")], FAR)
    object.__setattr__(assistant, "quarantined", far)
    result = assistant.ask("Do it")
    assert isinstance(result.outcome.error, ModelNotCleared)
    assert result.outcome.message.endswith(
        ": far is not cleared for data that stays on this machine; name a model that runs here in [models.confined], or change [privacy]"
    )
    assert far.requests == []


def test_a_processor_on_this_machine_may_read_all(home: Home) -> None:
    """The clearance is about where it runs."""
    home.file("a.txt", "secret")
    result = home.ask(
        'answer(quarantined("?", read_file(filename="a.txt").content))',
        says("fine"),
        policy=PolicySettings(this_machine_only=("*",)),
    )
    assert result.text.startswith("⟦fine⟧")


def test_the_users_words_may_have_to_stay_here_too(home: Home) -> None:
    """A planner elsewhere is not even asked where the user's own words are confined."""
    assistant = home.assistant('answer("x")', policy=PolicySettings(this_machine_only=("user",)))
    far = ScriptedModel(['answer("x")'], FAR)
    object.__setattr__(assistant, "planner", far)
    with pytest.raises(ModelNotCleared) as caught:
        assistant.ask("Do it")
    assert str(caught.value) == (
        "far is not cleared for your own words, which stay on this machine; use the embedded model for the planner, or change [privacy]"
    )
    assert far.requests == []


def test_too_many_questions_at_once_are_a_no(home: Home) -> None:
    """Nobody reads a thousand entries: the screen is not shown, nothing happens."""
    person = Person([True])
    result = home.ask(
        'for n in range(101):\n    send_slack_message(channel="x", text=read_pasted_text())', pasted="p", person=person
    )
    assert isinstance(result.outcome.error, Declined)
    assert result.outcome.message == (
        "line 2: 101 things would need your yes, and nobody reads more than 100; ask for less at once"
    )
    assert (person.screens, home.slack("x"), {status for _, status in statuses(result)}) == ([], [], {"dropped"})


def test_labels_that_a_journal_keeps_are_read_back_as_they_were(home: Home) -> None:
    """The decision's note holds every label that the policy saw."""
    home.deliver("x")
    result = home.ask('append_to_file(filename="a.txt", text=search_emails()[0].body)')
    noted = next(entry for entry in result.entries if entry["kind"] == "decision")
    effect = result.outcome.effects[0].effect
    assert label_from_json(noted["effect"]["arguments"]["text"]["label"], home.trust) is effect.shown["text"].label
    assert label_from_json(noted["effect"]["control"], home.trust) is effect.control
