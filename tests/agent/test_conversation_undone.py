"""`/undo-last`: the inverses of what the last request did, and why something stays."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from bench.home.world import Home, Person

from armslength.agent.approving.approval import Screen
from armslength.agent.runs.undoing import Undone
from armslength.app import Assistant
from armslength.app.talk import Talk
from armslength.errors import OperatorError
from armslength.store.conversations import Conversations
from armslength.store.document import Document
from armslength.tools.base import Role, Tool, ToolCall, nobody, tool
from armslength.tools.memory import memory_tools
from armslength.values import Plain

ADD = "append_to_file('a.txt', 'one')\nappend_to_file('b.txt', 'two')\n"
YES, NO = Person([True]), Person([False])


class Interrupting(Person):
    """Whoever presses Ctrl-C at the question."""

    def approve(self, screen: Screen) -> bool:
        raise KeyboardInterrupt


def files(home: Home) -> dict[str, str]:
    """The files that are there."""
    return {path.name: path.read_text("utf-8") for path in sorted((home.path / "files").iterdir())}


def lines(undone: Undone) -> list[tuple[str, str]]:
    """What became of each inverse."""
    return [(pending.status, pending.effect.resolved.summary) for pending in undone.settled]


def why_not(talk: Talk, person: Person = YES) -> str:
    """Why nothing is taken back."""
    with pytest.raises(OperatorError) as caught:
        talk.undo_last(approver=person)
    return str(caught.value)


def asked(assistant: Assistant, folder: Path | None = None) -> Talk:
    """A conversation after its first request."""
    talk = Talk(assistant, folder)
    assert talk.ask("do it", approver=Person([True])).outcome.ending == "done"
    return talk


def test_the_last_request_is_taken_back(home: Home) -> None:
    """The latest effect first, all on one screen, once; and the planner hears nothing of it."""
    home.file("a.txt", "before")
    talk, person = asked(home.assistant([ADD, "x = 1\n"])), Person([True])
    assert files(home) == {"a.txt": "before\none", "b.txt": "two"}
    undone = talk.undo_last(approver=person)
    assert lines(undone) == [
        ("done", "take back: make the file b.txt"),
        ("done", "take back: append to the file a.txt"),
    ]
    assert (undone.error, files(home), len(person.screens)) == (None, {"a.txt": "before"}, 1)
    assert why_not(talk) == "the last request changed nothing, or it was taken back already"
    talk.ask("next")
    assert "undo" not in "".join(turn.text for turn in home.planner.requests[-1].turns)


def test_only_the_last_request_is_taken_back(home: Home) -> None:
    """What came before it stays; after a request that changed nothing there is nothing."""
    assistant = home.assistant(["append_to_file('a.txt', 'one')\n", "append_to_file('a.txt', 'two')\n", "x = 1\n"])
    talk = asked(assistant)
    talk.ask("more", approver=YES)
    talk.undo_last(approver=YES)
    assert files(home) == {"a.txt": "one"}
    talk.ask("nothing")
    assert why_not(talk) == "the last request changed nothing, or it was taken back already"


@pytest.mark.parametrize("person", [NO, None, Interrupting()])
def test_without_a_yes_nothing_is_taken_back(home: Home, person: Person | None) -> None:
    """A no, nobody there, Ctrl-C: all stays, and can still be taken back."""
    talk = asked(home.assistant([ADD]))
    undone = talk.undo_last(approver=person)
    assert {pending.status for pending in undone.settled} <= {"declined", "dropped"}
    assert undone.error is not None
    assert files(home) == {"a.txt": "one", "b.txt": "two"}
    assert talk.undo_last(approver=YES).count == 2
    assert files(home) == {}


def test_what_has_no_inverse_is_named(home: Home) -> None:
    """A sent mail stays, and is named before anybody is asked; the rest is taken back."""
    talk = asked(home.assistant(["append_to_file('a.txt', 'one')\nsend_email(['kim@example.com'], 'x', 'y')\n"]))
    assert talk.lasting() == ("send a mail (this cannot be taken back)",)
    assert lines(talk.undo_last(approver=YES)) == [("done", "take back: make the file a.txt")]
    assert files(home) == {}
    assert len(home.outbox()) == 1
    assert why_not(talk) == "nothing of it can be taken back: send a mail (this cannot be taken back)"


def test_what_was_changed_since_stays(home: Home) -> None:
    """The tool says so before anybody is asked; what else can be is taken back, and what stays is not asked about."""
    talk = asked(home.assistant(["append_to_file('a.txt', 'one')\n" + ADD]))
    home.file("a.txt", "edited by hand")
    why = (
        "files: the file was changed since, or what it was is not kept any more, so nothing was undone; edit it by hand"
    )
    told: list[tuple[str, str]] = []
    person = Watching(told)
    undone = talk.undo_last(approver=person, stays=lambda done, why: told.append((done.summary, why)))
    assert told == [
        ("make the file a.txt", why),
        ("make the file a.txt", why),
        ("the screen", "1 thing needs your yes."),
    ]
    assert lines(undone) == [("done", "take back: make the file b.txt")]
    assert str(undone.error) == why
    assert files(home) == {"a.txt": "edited by hand"}
    again = talk.undo_last(approver=person)
    assert (lines(again), str(again.error), len(told)) == ([], why, 3), "nothing is left to ask about"


class Watching(Person):
    """Says yes, and writes down when the screen came."""

    def __init__(self, told: list[tuple[str, str]]) -> None:
        super().__init__([True])
        self.told = told

    def approve(self, screen: Screen) -> bool:
        self.told.append(("the screen", screen.text.split("\n")[0]))
        return True


def drawn(screen: Screen) -> list[str]:
    """What would change, by place, and why a person is asked."""
    return [
        line.strip()
        for line in screen.text.split("\n")
        if line.strip().startswith(("what changes", "│", "why you", "comes after"))
    ]


WHY = "why you are asked: it takes back what a run did, which needs your yes"


def test_the_screen_shows_what_would_change(home: Home) -> None:
    """Of each store, as it is and as it would be."""
    home.deliver("x", subject="Offer")
    home.file("a.txt", "before")
    program = (
        "remember('boss', 'Kim')\ntrash_email(search_emails('')[0])\ndraft_email(['kim@example.com'], 'Hi', 'y')\n"
        "create_calendar_event('Lunch', '2026-12-01 12:00', '2026-12-01 13:00')\nappend_to_file('a.txt', 'one')\n"
    )
    home.more = memory_tools(Document(home.path / "memory", "the memory", lambda: b"key"), home.trust)
    talk, person = asked(home.assistant(["remember('boss', 'Lee')\n", program])), Person([True])
    talk.ask("more", approver=YES)
    assert talk.undo_last(approver=person).count == 5
    mail = ["│   From: julia@example.com", "│   Subject: Offer", "│ - Folder: Trash", "│ + Folder: INBOX"]
    draft = ["│   From: me@example.org", "│   Subject: Hi", "│ - Folder: Drafts", "│ + Folder: Trash"]
    assert drawn(person.screens[0]) == [
        *("what changes in a.txt (what was there: words of file: a.txt):", "│ - before", "│ - one ⟨no newline⟩"),
        *("│ + before ⟨no newline⟩", WHY),
        *("what changes in the calendar on 2026-12-01:", "│ - 12:00 to 13:00 Lunch", WHY),
        *("what changes in the mailbox:", *draft, WHY),
        *("what changes in the mailbox (what was there: words of mail:unverified):", *mail, WHY),
        *('what changes in the memory, "boss":', '│ - "Kim"', '│ + "Lee"', WHY),
    ]


def test_what_was_done_twice_at_one_place_is_shown_in_turn(home: Home) -> None:
    """Each item says how things are after those before it, and that is what happens."""
    home.file("a.txt", "x\n")
    program = (
        "append_to_file('a.txt', 'one\\n')\nwrite_file('a.txt', 'two')\nwrite_file('a.txt', 'two')\n"
        "remember('n', 1)\nremember('n', 2)\n"
        + "create_calendar_event('Lunch', '2026-12-01 12:00', '2026-12-01 13:00')\n"
        * 2
    )
    home.more = memory_tools(Document(home.path / "memory", "the memory", lambda: b"key"), home.trust)
    talk, person = asked(home.assistant([program])), Person([True])
    undone = talk.undo_last(approver=person)
    assert (undone.error, undone.count, files(home)) == (None, 7, {"a.txt": "x\n"})
    after = "at the same place; what is said here is how things are after that"
    assert [line for line in drawn(person.screens[0]) if line.startswith(("│", "comes"))] == [
        *("│   12:00 to 13:00 Lunch", "│ - 12:00 to 13:00 Lunch"),
        *("│ - 12:00 to 13:00 Lunch", f"comes after 1, {after}"),
        *("│ - 2", "│ + 1"),
        *("│ - 1", f"comes after 3, {after}"),
        "│ … 1 line that stays …",
        *("│ - two ⟨no newline⟩", "│ + x", "│ + one", f"comes after 5, {after}"),
        *("│   x", "│ - one", f"comes after 5 and 6, {after}"),
    ]


def test_mail_and_calendar_are_taken_back(home: Home) -> None:
    """A mail out of the trash, a draft into it, an event out of the calendar."""
    home.deliver("x")
    program = (
        "mails = search_emails('')\ntrash_email(mails[0])\ndraft_email(['kim@example.com'], 'x', 'y')\n"
        "create_calendar_event('Lunch', '2026-12-01 12:00', '2026-12-01 13:00')\n"
    )
    talk = asked(home.assistant([program]))
    assert (len(home.drafts()), len(list((home.path / "calendar").iterdir()))) == (1, 1)
    undone = talk.undo_last(approver=YES)
    assert (undone.error, undone.count) == (None, 3)
    assert (home.drafts(), [path.name for path in (home.path / "calendar").iterdir() if path.is_file()]) == ([], [])
    assert (
        "x"
        in next(
            (home.path / "mail" / "cur").glob("*"), next((home.path / "mail" / "new").glob("*"), Path())
        ).read_text()
    )


def test_a_declined_effect_is_none(home: Home) -> None:
    """What was not done is not taken back; of a request that stopped in its middle, what was done is."""
    home.deliver("x")
    refused = "append_to_file('a.txt', search_emails('')[0].body)\nsend_email(['kim@example.com'], 'x', search_emails('')[0].body)\n"
    stopped = "append_to_file('b.txt', 'one')\nn = len(list_files())\nsend_email(['kim@example.com'], 'x', search_emails('')[0].body)\n"
    talk = Talk(home.assistant([refused, stopped]))
    talk.ask("one", approver=NO)
    assert why_not(talk) == "the last request changed nothing, or it was taken back already"
    assert talk.ask("two", approver=NO).outcome.ending == "declined"
    assert files(home) == {"b.txt": "one"}
    assert lines(talk.undo_last(approver=YES)) == [("done", "take back: make the file b.txt")]


def test_another_process_takes_back(home: Home, tmp_path: Path) -> None:
    """What was done survives; the screen shows the same words with the same marks, and what was taken back is so for good."""
    home.deliver("Buy\nmilk", subject="List")
    program = "mail = search_emails('')[0]\nappend_to_file('a.txt', mail.subject)\ntrash_email(mail)\n"
    here, there = Person([False]), Person([True])
    asked(home.assistant([program]), tmp_path / "c").undo_last(approver=here)
    talk = Talk(home.assistant([]), tmp_path / "c")
    assert talk.resume()
    assert talk.undo_last(approver=there).count == 2
    assert [screen.text for screen in there.screens] == [screen.text for screen in here.screens]
    assert "text: ⟦List⟧" in here.screens[0].text
    assert files(home) == {}
    last = Talk(home.assistant([]), tmp_path / "c")
    assert last.resume()
    assert why_not(last) == "the last request changed nothing, or it was taken back already"


def noting(path: Path) -> Tool:
    """A tool of one's own that can be taken back."""

    def undo(_call: ToolCall, args: dict[str, Plain], outcome: Plain) -> None:
        path.write_text(path.read_text("utf-8").replace(f"{outcome} {args['text']}\n", ""), "utf-8")

    @tool(roles={"text": Role.CONTENT}, changes="notes", receivers=nobody, undo=undo)
    def note_down(text: str) -> int:
        """Notes a text and says its number."""
        before = path.read_text("utf-8") if path.exists() else ""
        number = before.count("\n") + 1
        path.write_text(f"{before}{number} {text}\n", "utf-8")
        return number

    return note_down


def test_a_tool_of_ones_own_is_taken_back(home: Home, tmp_path: Path) -> None:
    """Its inverse gets the arguments and what the effect gave, also in another process."""
    path = tmp_path / "notes"
    home.more = [noting(path)]
    asked(home.assistant(["a = note_down('x')\nb = note_down('x')\n"]), tmp_path / "c")
    assert path.read_text("utf-8") == "1 x\n2 x\n"
    talk = Talk(home.assistant([]), tmp_path / "c")
    assert talk.resume()
    assert talk.undo_last(approver=YES).count == 2
    assert path.read_text("utf-8") == ""


def test_a_tool_that_is_another_by_now_takes_nothing_back(home: Home, tmp_path: Path) -> None:
    """An inverse belongs to the version that did it; and a tool that is gone has none."""
    noted = noting(tmp_path / "notes")
    home.more = [noted]
    asked(home.assistant(["a = note_down('x')\n"]), tmp_path / "c")
    for more, why in (
        ([replace(noted, version="2")], "its tool is another version by now"),
        ([], "its tool is not there any more"),
        ([replace(noted, undo=None)], "this cannot be taken back"),
    ):
        home.more = more
        talk = Talk(home.assistant([]), tmp_path / "c")
        assert talk.resume()
        assert why_not(talk) == f"nothing of it can be taken back: note_down ({why})"


def test_the_screen_is_of_the_bytes_that_are_used(home: Home, tmp_path: Path) -> None:
    """A kept effect whose arguments for the eye are not those for the tool is refused whole."""
    asked(home.assistant([ADD]), tmp_path / "c")
    kept = Conversations(tmp_path / "c")
    name = str(kept.latest())
    content = kept.load(name)
    content["last"]["done"][0]["canonical"] = content["last"]["done"][1]["canonical"]
    kept.save(name, content)
    talk = Talk(home.assistant([]), tmp_path / "c")
    with pytest.raises(OperatorError) as caught:
        talk.resume()
    assert str(caught.value) == f"the conversation {name} is damaged; chat without --resume begins a new one"
    assert files(home) == {"a.txt": "one", "b.txt": "two"}


def test_ctrl_c_between_two_inverses(home: Home, tmp_path: Path) -> None:
    """The one under way is carried to its end; how far it came is known, and the rest can be taken back later."""
    path = tmp_path / "notes"
    noted = noting(path)
    assert noted.undo is not None
    before = noted.undo

    def undo(call: ToolCall, args: dict[str, Plain], outcome: Plain) -> None:
        if outcome == 2 and not interrupted:
            interrupted.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        before(call, args, outcome)

    interrupted: list[bool] = []
    home.more = [replace(noted, undo=undo)]
    talk = asked(home.assistant(["a = note_down('x')\nb = note_down('y')\n"]), tmp_path / "c")
    undone = talk.undo_last(approver=YES)
    assert [status for status, _ in lines(undone)] == ["done", "dropped"]
    assert str(undone.error) == "it was stopped by Ctrl-C"
    assert path.read_text("utf-8") == "1 x\n"
    assert talk.undo_last(approver=YES).count == 1
    assert path.read_text("utf-8") == ""
