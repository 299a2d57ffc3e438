"""The controller's half of a run: what is settled when, in which order, under whose steering, and what a refusal leaves behind."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import NOW, Home, Person, rules, says, statuses
from tests.agent.made_tools import NOTHING_TOLD, no_undo, noting

from armslength.errors import ToolError
from armslength.labels import LITERAL, PRIVATE, PUBLIC, Source, construct, label
from armslength.tools.base import Receivers, Role, Tool, ToolCall, names_in, nobody, receivers_in, tool
from armslength.values import Labelled


def test_what_is_queued_is_settled_before_its_store_is_read(home: Home) -> None:
    """An append is seen by the read after it, and the second append comes after that read."""
    result = home.ask(
        'append_to_file(filename="a.txt", text="1")\nbefore = read_file(filename="a.txt").content\n'
        'append_to_file(filename="a.txt", text="2")\nanswer(before)\nanswer(read_file(filename="a.txt").content)'
    )
    assert [[piece.data for piece in answer] for answer in result.outcome.answers] == [["1"], ["1\n2"]]
    assert statuses(result) == [("append_to_file", "done"), ("append_to_file", "done")]
    kinds = [entry["name"] for entry in result.entries if entry["kind"] == "tool"]
    assert kinds == ["append_to_file", "read_file", "append_to_file", "read_file"]


def test_a_barrier_that_needs_a_yes_is_a_screen_of_its_own(home: Home) -> None:
    """Each settling asks once, and the screens are counted."""
    home.deliver("x")
    person = Person([True])
    result = home.ask(
        'name = quarantined("Which file?", search_emails()[0].body, returns=str)\n'
        'append_to_file(filename=name, text="1")\nread_file(filename="a.txt")\nappend_to_file(filename=name, text="2")',
        says("a.txt"),
        person=person,
    )
    assert (result.outcome.ending, result.outcome.screens, len(person.screens)) == ("done", 2, 2)
    assert rules(result) == ["target-untrusted", "target-untrusted"]
    assert home.everything()["files/a.txt"] == b"1\n2"


def test_a_store_without_queued_changes_is_read_at_once(home: Home) -> None:
    """A barrier is for the store that was changed, not for any."""
    result = home.ask(
        'append_to_file(filename="a.txt", text="1")\nanswer(len(search_emails()))\nanswer(len(list_files()))'
    )
    kinds = [entry["name"] for entry in result.entries if entry["kind"] == "tool"]
    assert kinds == ["search_emails", "append_to_file", "list_files"]


def test_what_decides_who_learns_of_an_effect_is_settled_before_that_is_looked_up(home: Home) -> None:
    """Who was let in by the same program stands on the screen of what is posted then; two posts are on one screen."""
    home.more = _group(["ann"])
    person = Person([True])
    result = home.ask('let_in(who="bob")\npost(text="1")\npost(text="2")', person=person, is_strict=True)
    assert statuses(result) == [("let_in", "done"), ("post", "done"), ("post", "done")]
    assert [effect.effect.receivers.names for effect in result.outcome.effects] == [(), ("ann", "bob"), ("ann", "bob")]
    assert ["goes to: bob" in screen.text for screen in person.screens] == [False, True]


def test_what_goes_out_beside_the_arguments_is_settled_before_its_label_is_looked_up(home: Home) -> None:
    """What the same program wrote into a thing that it hands over counts with it."""
    home.more = _hand_over()
    home.deliver("x")
    program = 'write(text=search_emails()[0].body)\nhand_over(to="kim@b.example")'
    found = home.ask(program, person=Person([True])).outcome.effects[-1]
    assert [name for name in names_in(found.effect.carried["notes"]) if name.startswith("mail:")]
    assert "not-a-reader" in [reason.rule for reason in found.decision.reasons]


def test_who_is_known_is_looked_up_for_what_goes_out_beside_the_arguments(home: Home) -> None:
    """A thing of the user's that the program names goes to somebody he wrote to without a question, though its id is for everybody."""
    home.more = _hand_over()
    card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Kim\r\nEMAIL:kim@b.example\r\nEND:VCARD\r\n"
    (home.path / "contacts" / "kim.vcf").write_text(card)
    found = home.ask('hand_over(to="kim@b.example")').outcome.effects[-1]
    assert (found.status, found.effect.acquaintance.are_known) == ("done", True)


def test_what_waits_elsewhere_is_not_settled_for_whoever_learns_of_an_effect(home: Home) -> None:
    """Only a change of the store that says who learns of it: a yes is asked for both at the end."""
    home.deliver("x")
    home.more = _group(["ann"])
    program = 'name = quarantined("Which?", search_emails()[0].body, returns=str)\n'
    result = home.ask(
        program + 'append_to_file(filename=name, text="1")\npost(text=name)', says("a.txt"), person=Person([True])
    )
    assert (result.outcome.ending, result.outcome.screens) == ("done", 1)


def test_the_queue_of_a_failed_program_is_dropped(home: Home) -> None:
    """Nothing that was only queued happens once the program has failed."""
    home.deliver("x")
    result = home.ask('append_to_file(filename="a.txt", text="1")\nint(search_emails()[0].body)')
    assert (result.outcome.ending, statuses(result)) == ("stopped", [("append_to_file", "dropped")])
    assert "files/a.txt" not in home.everything()


def test_a_failure_after_a_barrier_keeps_what_was_done_and_drops_the_rest(home: Home) -> None:
    """What a barrier committed stays and is listed; the planner is asked no second time."""
    result = home.ask(
        [
            'append_to_file(filename="a.txt", text="1")\nlist_files()\nappend_to_file(filename="a.txt", text="2")\nint("x")',
            'answer("again")',
        ]
    )
    assert (result.outcome.ending, result.outcome.attempts, len(home.transcript())) == ("stopped", 1, 1)
    assert statuses(result) == [("append_to_file", "done"), ("append_to_file", "dropped")]
    assert home.everything()["files/a.txt"] == b"1"


def test_effects_happen_in_the_order_of_the_program(home: Home) -> None:
    """Stores do not matter for the order."""
    done: list[str] = []
    home.more = [noting("first", done), noting("second", done)]
    home.ask('second(text="1")\nfirst(text="2")\nsecond(text="3")')
    assert done == ["second 1", "first 2", "second 3"]


def test_a_failing_tool_stops_what_comes_after_it(home: Home) -> None:
    """What was done before is listed as done; the failed one has its line; the rest is dropped."""
    done: list[str] = []
    home.more = [noting("note", done), _raising(ToolError("the disk is full; make room"))]
    result = home.ask('note(text="1")\nbreak_it()\nnote(text="2")')
    assert (result.outcome.ending, result.outcome.message) == ("stopped", "the disk is full; make room")
    assert statuses(result) == [("note", "done"), ("break_it", "failed"), ("note", "dropped")]
    assert result.outcome.effects[1].note == "the disk is full; make room"
    assert done == ["note 1"]


@pytest.mark.parametrize(
    "error", [ValueError("secret"), KeyError("secret"), RecursionError(), MemoryError(), SystemExit("secret")]
)
def test_whatever_a_tool_raises_is_one_line(home: Home, error: BaseException) -> None:
    """The line names the tool and the kind of error, and nothing that the error carries."""
    home.more = [_raising(error)]
    result = home.ask("break_it()")
    assert (result.outcome.ending, result.outcome.message) == ("stopped", f"break_it failed: {type(error).__name__}")
    assert isinstance(result.outcome.error, ToolError)


@pytest.mark.parametrize(
    "given", [object(), Labelled(object(), LITERAL), Labelled({"a": 3}, LITERAL), b"x", {"x": {1}}]
)
def test_a_result_that_is_no_data_is_one_line(home: Home, given: object) -> None:
    """A tool of somebody's own may return anything; only labelled plain data comes in."""

    @tool(name="odd", changes=None, receivers=nobody)
    def odd() -> str:
        return given  # type: ignore[return-value]

    home.more = [odd]
    result = home.ask("answer(odd())")
    assert result.outcome.ending == "stopped"
    assert result.outcome.message.startswith("odd ")
    assert "\n" not in result.outcome.message


def test_a_tool_that_cannot_say_who_learns_of_it_is_one_line(home: Home) -> None:
    """Receivers are asked for under the same care as the call itself."""

    def broken(args: object) -> Receivers:
        raise ZeroDivisionError

    @tool(name="odd", changes="odd", receivers=broken)
    def odd() -> None:
        return None

    home.more = [odd]
    assert home.ask("odd()").outcome.message == "odd cannot say what it would do: ZeroDivisionError"


def test_results_of_undeclared_tools_are_strict(home: Home) -> None:
    """No declaration: a question before it runs, a result that is untrusted, private, and holds the arguments."""

    @tool(name="lookup")
    def lookup(word: str) -> str:
        return "found"

    home.more = [lookup]
    home.deliver("x")
    person = Person([True])
    result = home.ask("answer(lookup(word=search_emails()[0].subject))", person=person)
    assert set(rules(result)) >= {"target-untrusted", "receivers-unknown"}
    (piece,) = result.outcome.answers[0]
    assert {source.name for source in piece.label.data} >= {"tool:lookup", "mail:unverified"}
    assert (piece.label.is_chosen, piece.label.readers) == (False, PRIVATE)


def test_without_anybody_to_ask_the_answer_is_no(home: Home) -> None:
    """No approver at all is a no, and nothing of the queue happens, not even what needed no yes."""
    result = home.ask('append_to_file(filename="a.txt", text="1")\nsend_email(recipients=["a@b.example"], subject="s", body=today())\n'
                      'send_slack_message(channel="x", text=read_pasted_text())', pasted="p", policy=NOTHING_TOLD)  # fmt: skip
    assert result.outcome.ending == "declined"
    assert result.outcome.message == "line 2: send_email was not approved; nothing was done"
    assert [status for _, status in statuses(result)] == ["dropped", "declined", "declined"]
    assert home.outbox() == []
    assert "files/a.txt" not in home.everything()


@pytest.mark.parametrize("answer", [1, "yes", None, [True], "True"])
def test_only_true_is_a_yes(home: Home, answer: object) -> None:
    """Whatever else an approver returns is no clear yes."""
    result = home.ask(_SEND_PASTED, pasted="p", person=Person([answer]))  # type: ignore[list-item]
    assert (result.outcome.ending, home.slack("x")) == ("declined", [])


def test_an_approver_that_breaks_has_not_said_yes(home: Home) -> None:
    """A terminal that goes away is a no, and the run ends as declined."""

    class Broken:
        def approve(self, screen: object) -> bool:
            raise OSError("gone")

    assistant = home.assistant(_SEND_PASTED)
    result = assistant.ask("Do it", pasted="p", approver=Broken())
    assert (result.outcome.ending, home.slack("x")) == ("declined", [])


def test_an_interrupt_at_the_question_leaves_nothing_waiting(home: Home) -> None:
    """Ctrl-C at the screen ends the run; what waited for the answer is dropped, and the journal has no tool call."""

    class Leaving:
        def approve(self, screen: object) -> bool:
            raise KeyboardInterrupt

    assistant = home.assistant(_SEND_PASTED)
    with pytest.raises(KeyboardInterrupt):
        assistant.ask("Do it", pasted="p", approver=Leaving())
    assert home.slack("x") == []


def test_an_interrupt_during_a_change_waits_until_it_is_done(home: Home) -> None:
    """SIGINT in the middle of the first of two changes: the first is whole, the second does not happen."""
    done: list[str] = []

    @tool(name="slow", changes="notes", receivers=nobody, roles={}, undo=no_undo)
    def slow() -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("whole")

    home.more = [slow, noting("note", done)]
    with pytest.raises(KeyboardInterrupt):
        home.ask('slow()\nnote(text="after")')
    assert done == ["whole"]


_SEND_PASTED = 'send_slack_message(channel="x", text=read_pasted_text())'


def _group(members: list[str]) -> list[Tool]:
    """Who is in a group, and what is posted there for all who are."""

    @tool(roles={"who": Role.CONTENT}, changes="members", receivers=nobody, undo=lambda *_: members.pop())
    def let_in(who: str) -> None:
        """Let somebody in."""
        members.append(who)

    @tool(
        roles={"text": Role.CONTENT},
        reads="members",
        changes="posts",
        receivers=lambda _args: Receivers(tuple(members)),
    )
    def post(text: str) -> None:
        """Post something for all who are in."""

    return [let_in, post]


def _hand_over() -> list[Tool]:
    """A thing of the user's, what is written into it, and handing it over whole."""
    written = [label([Source("store:notes", is_trusted=True)], readers=PRIVATE)]

    @tool(roles={"text": Role.CONTENT}, changes="notes", receivers=nobody, undo=no_undo)
    def write(call: ToolCall, text: str) -> None:
        """Write into it."""
        written.append(call.labels["text"])

    @tool(roles={"to": Role.TARGET}, reads="notes", changes="posts", receivers=receivers_in("to"))
    def hand_over(to: str) -> None:
        """Hand it over."""

    return [
        write,
        replace(hand_over, carries=("notes", lambda _args: construct(*written) if written[1:] else written[0])),
    ]


def _raising(error: BaseException) -> Tool:
    @tool(name="break_it", changes="it", receivers=nobody, undo=no_undo)
    def break_it() -> None:
        raise error

    return break_it


def test_a_trusted_public_result_stays_so(home: Home) -> None:
    """The counterpart of all these rules: trusted data that anybody may know is sent without a question."""

    @tool(name="motto", changes=None, receivers=nobody, fails_by=())
    def motto() -> str:
        return Labelled("Onward", label([Source("store:motto")], readers=PUBLIC))  # type: ignore[return-value]

    home.more = [motto]
    result = home.ask('send_slack_message(channel="x", text=motto())')
    assert (result.outcome.ending, home.slack("x"), NOW.year) == ("done", ["Onward"], 2026)


def test_whoever_may_make_a_read_fail_is_told_of_by_no_send(home: Home) -> None:
    """The same without saying who decides over its failing: that the message goes out tells that it did not."""

    @tool(name="motto", changes=None, receivers=nobody)
    def motto() -> str:
        return Labelled("Onward", label([Source("store:motto")], readers=PUBLIC))  # type: ignore[return-value]

    home.more = [motto]
    result = home.ask('motto()\nsend_slack_message(channel="x", text="hi")', policy=NOTHING_TOLD)
    assert (result.outcome.ending, rules(result), home.slack("x")) == ("declined", ["steer-not-readable"], [])


def test_the_home_of_these_tests_is_real(home: Home, tmp_path: Path) -> None:
    """What is asserted above is read from disk, below the folder of the test."""
    home.ask('write_file(filename="a.txt", text="1")')
    assert (tmp_path / "files" / "a.txt").read_text("utf-8") == "1"
