"""All, some or none: what a partial yes does, what it takes with it, and that the end says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bench.home.world import Home, Person, says, statuses

from armslength.agent.approving.approval import Answer, Screen
from armslength.app import Result
from armslength.errors import DeclinedInPart
from armslength.policy.engine import PolicySettings
from armslength.store.sqlite import SqliteRuns
from armslength.surfaces.asking import ending_line
from armslength.surfaces.exits import Exit, exit_of
from armslength.surfaces.reports import change_lines

SLACK, MAIL = 'send_slack_message(channel="x", text=p)', 'send_email(recipients=["kim@b.example"], subject="s", body=p)'
P = "p = read_pasted_text()\n"


@dataclass
class Picking:
    """Accepts the items in whose drawing one of these words stands."""

    words: tuple[str, ...]
    screens: list[Screen] = field(default_factory=list)

    def approve(self, screen: Screen) -> Answer:
        self.screens.append(screen)
        fitting = (item.digest for item in screen.items if any(word in item.text for word in self.words))
        return Answer(frozenset(fitting))


def ask(home: Home, program: str, *words: str, reading: str = "") -> Result:
    """Carry it out with a person who picks by these words."""
    return home.assistant(P + program, reading).ask("Do it", pasted="hello", approver=Picking(words))


def test_what_was_accepted_is_done_in_the_programs_order(home: Home) -> None:
    """Of three that are asked about the one in the middle is refused; the two others, and what needed no yes, are done."""
    result = ask(
        home,
        f'{SLACK}\n{MAIL}\nappend_to_file(filename="a.txt", text="1")\ncreate_calendar_event(title=p, start="2026-12-01 09:00", '
        'end="2026-12-01 10:00", participants=["kim@b.example"])',
        "post a message", "create a calendar event",
    )  # fmt: skip
    assert statuses(result) == [
        ("send_slack_message", "done"),
        ("send_email", "declined"),
        ("append_to_file", "done"),
        ("create_calendar_event", "done"),
    ]
    assert (home.slack("x"), home.outbox(), result.outcome.ending, result.outcome.screens) == (
        ["hello"],
        [],
        "partly",
        1,
    )
    assert isinstance(result.outcome.error, DeclinedInPart)
    assert result.outcome.message == "not approved: send_email (line 3); what is listed as done was done"
    assert ending_line(result, "/undo-last") == f"refused in part: {result.outcome.message}"
    assert exit_of(result.outcome.error) is Exit.REFUSED


def test_what_follows_on_the_store_is_dropped(home: Home) -> None:
    """A change to a place whose earlier change was refused does not happen, also if it needed no yes or has one; before it does."""
    home.deliver("x")
    result = ask(
        home,
        'append_to_file(filename="a.txt", text="1")\nname = quarantined("?", search_emails()[0].body)\n'
        f'append_to_file(filename=name, text="2")\nappend_to_file(filename="a.txt", text="3")\n{SLACK}',
        "post a message",
        reading=says("b.txt"),
    )
    assert [status for _, status in statuses(result)] == ["done", "declined", "dropped", "done"]
    assert home.everything()["files/a.txt"] == b"1"
    assert change_lines(result.outcome.effects, "")[2] == (
        "dropped: make the file a.txt, line 5 (it comes after what you refused, at the same place)"
    )
    assert result.outcome.message == (
        "not approved: append_to_file (line 4); append_to_file (line 5) with it, at the same place; "
        "what is listed as done was done"
    )


def test_two_mails_are_refused_apart(home: Home) -> None:
    """One outbox makes no order among mails: whichever is refused, the other one leaves, and no item says that it needs another."""
    other = MAIL.replace("kim@", "sam@")
    for refused, sent in (("kim", "sam"), ("sam", "kim")):
        before, person = len(home.outbox()), Picking((f"goes to: {sent}@b.example",))
        result = home.assistant(f"{P}{MAIL}\n{other}").ask("Do it", pasted="hello", approver=person)
        assert sorted(status for _, status in statuses(result)) == ["declined", "done"]
        assert len(home.outbox()) == before + 1
        assert refused in str(
            next(each for each in result.outcome.effects if each.status == "declined").effect.receivers.names
        )
        assert all("without it" not in item.text and "comes after" not in item.text for item in person.screens[0].items)


def test_what_needs_no_yes_and_falls_is_named_on_the_item(home: Home) -> None:
    """Before anything is refused its item says which change, that nobody is asked about, would not happen without it."""
    home.deliver("x")
    person = Picking(())
    program = (
        'append_to_file(filename=quarantined("?", search_emails()[0].body), text="2")\n'
        'append_to_file(filename="a.txt", text="3")'
    )
    home.assistant(program, says("b.txt")).ask("Do it", approver=person)
    assert "   without it this will not happen either: make the file a.txt (line 2)\n" in person.screens[0].text


def test_where_all_that_was_accepted_follows_on_a_refusal_nothing_happens(home: Home) -> None:
    """A yes to the second of two posts alone leaves nothing that was accepted, so it is a no."""
    result = ask(
        home,
        f'{SLACK.replace("text=p", "text=p + p")}\n{SLACK}\nappend_to_file(filename="a.txt", text="1")',
        "text: ⟦hello⟧",
    )
    assert [status for _, status in statuses(result)] == ["declined", "dropped", "dropped"]
    assert (result.outcome.ending, home.slack("x")) == ("declined", [])
    assert result.outcome.message == "line 2: send_slack_message was not approved; nothing was done"


def test_a_denied_effect_stops_its_whole_batch(home: Home) -> None:
    """Nobody is asked about the rest, and nothing of it happens."""
    person = Picking(("",))
    policy = PolicySettings(this_machine_only=("file:*",))
    home.file("private.txt", "secret")
    secret = SLACK.replace("text=p", "text=secret")
    program = f'{P}secret = list_files()[0].content\n{SLACK}\nappend_to_file(filename="a.txt", text="1")\n{secret}'
    result = home.assistant(program, policy=policy).ask("Do it", pasted="hello", approver=person)
    assert (result.outcome.ending, person.screens, home.slack("x")) == ("denied", [], [])
    assert "files/a.txt" not in home.everything()


def test_a_program_goes_on_after_a_barrier_that_the_refusal_does_not_concern(home: Home) -> None:
    """The file is read after its change; that the message was refused is said at the end."""
    result = ask(
        home,
        f'{SLACK}\n{MAIL}\nappend_to_file(filename="a.txt", text="1")\nanswer(read_file(filename="a.txt").content)',
        "send a mail",
    )
    assert [status for _, status in statuses(result)] == ["declined", "done", "done"]
    assert (result.outcome.ending, result.outcome.answers[0][0].data) == ("partly", "1")


def test_a_program_does_not_go_on_without_what_it_needs(home: Home) -> None:
    """The change to the store that is read was refused: the rest of its batch is done, and nothing after it."""
    home.deliver("x")
    result = ask(
        home,
        f'{SLACK}\nappend_to_file(filename=quarantined("?", search_emails()[0].body), text="1")\nlist_files()\nanswer("never")',
        "post a message",
        reading=says("b.txt"),
    )
    assert [status for _, status in statuses(result)] == ["done", "declined"]
    assert (result.outcome.ending, result.outcome.answers) == ("partly", ())


def test_taking_back_in_part_keeps_what_was_not_taken_back(home: Home, tmp_path: Path) -> None:
    """Of an event and a file only the event is taken back; the file can be taken back later."""
    runs = SqliteRuns(tmp_path / "r" / "runs.sqlite")
    program = 'create_calendar_event(title="t", start="2026-12-01 09:00", end="2026-12-01 10:00")\nappend_to_file(filename="a.txt", text="1")'
    run = home.assistant(program, runs=runs).ask("Do it", approver=Person([True])).run
    again = home.assistant("", runs=runs)
    undone = again.undo(run, approver=Picking(("create a calendar event",)))
    assert ([each.status for each in undone.settled], undone.count) == (["declined", "done"], 1)
    assert isinstance(undone.error, DeclinedInPart)
    assert [done.tool for done in again.done_in(run)] == ["append_to_file"]
    assert again.undo(run, approver=Person([True])).count == 1
    assert "files/a.txt" not in home.everything()


def test_a_partial_yes_is_gone_through_again(home: Home) -> None:
    """The journal of such a run says what was accepted, and replays to the same end."""
    assistant = home.assistant([P + f"{SLACK}\n{MAIL}"] * 2)
    result = assistant.ask("Do it", pasted="hello", approver=Picking(("post a message",)))
    again = home.assistant("").replay(result.entries)
    assert (again.outcome.ending, statuses(again)) == ("partly", statuses(result))
    assert home.slack("x") == ["hello"]
