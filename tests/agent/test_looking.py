"""What a person is shown of the world before a yes, and that the yes is for that world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from bench.home.world import Home, Person, says, statuses

from armslength.agent.approving.approval import Screen
from armslength.agent.effects.effects import Look
from armslength.surfaces.reports import change_lines
from armslength.tools.base import Prospect, Receivers, Role, nobody, tool

WRITE = 'write_file(filename="a.txt", text=quarantined("?", search_emails()[0].body))'
APPEND = 'append_to_file(filename=quarantined("?", search_emails()[0].body), text="- milk")'
SEND = 'send_email(recipients=["{}"], subject="s", body=search_emails()[0].body)'


@dataclass
class Meanwhile:
    """Says yes, after it did something."""

    act: Callable[[], object]
    screens: list[Screen] = field(default_factory=list)

    def approve(self, screen: Screen) -> bool:
        self.screens.append(screen)
        self.act()
        return True


def screen(home: Home, program: str, reading: str = "") -> str:
    """What is asked."""
    person = Person([False])
    home.deliver("x", subject="Offer")
    home.ask(program, reading, person=person, is_strict=True)
    return person.screens[0].text


def test_a_file_is_shown_before_and_after(home: Home) -> None:
    """Lines that go and come, whose the old ones are, and the new text once."""
    home.file("a.txt", "one\ntwo\nthree\n")
    assert screen(home, WRITE, says("one\n2\nthree\nfour")).split("\n")[3:14] == [
        "1. replace all of the file a.txt",
        "   filename: a.txt",
        "   text: words of mail:unverified, mailbox:*, quarantined; it stands below",
        "   what changes in a.txt (what was there: words of file: a.txt):",
        "     │   one",
        "     │ - two",
        "     │ + 2",
        "     │   three",
        "     │ + four ⟨no newline⟩",
        "   can be undone: yes",
        "   why you are asked: you asked to be asked about everything",
    ]  # fmt: skip


def test_an_append_is_shown_where_it_comes(home: Home) -> None:
    """After the last lines, and the line that gets a newline by it changes too. A place that others chose is marked."""
    home.file("a.txt", "".join(f"{number}\n" for number in range(20)) + "end")
    shown = screen(home, APPEND, says("a.txt"))
    assert (
        "   text: yours or the program's; it stands below\n   what changes in ⟦a.txt⟧ (what was there: words of file: a.txt):\n"
        in shown
    )
    assert (
        "     │ … 17 lines that stay …\n     │   17\n     │   18\n     │   19\n     │ - end ⟨no newline⟩\n     │ + end\n"
        "     │ + - milk ⟨no newline⟩\n"
    ) in shown  # fmt: skip


def test_an_event_is_shown_on_its_day(home: Home) -> None:
    """The day's events before and after, in order."""
    for hour in ("08", "12"):
        home.ask(f'create_calendar_event(title="at {hour}", start="2026-12-01 {hour}:00", end="2026-12-01 {hour}:30")')
    shown = screen(home, 'create_calendar_event(title="dentist", start="2026-12-01 10:00", end="2026-12-01 11:00")')
    assert (
        "   what changes in the calendar on 2026-12-01:\n     │   08:00 to 08:30 at 08\n     │ + 10:00 to 11:00 dentist\n"
        "     │   12:00 to 12:30 at 12\n"
    ) in shown  # fmt: skip


def test_a_mail_that_is_trashed_is_shown_with_its_folder(home: Home) -> None:
    """Which one it is, whose words its subject is, and where it goes."""
    shown = screen(home, "trash_email(email=search_emails()[0])")
    assert (
        "   what changes in the mailbox (what was there: words of mail:unverified):\n     │   From: julia@example.com\n"
        "     │   Subject: Offer\n     │ - Folder: INBOX\n     │ + Folder: Trash\n"
    ) in shown  # fmt: skip


def test_a_reply_is_shown_with_the_head_that_it_gets(home: Home) -> None:
    """Receiver and subject are worked out of the mail, and the account is named."""
    shown = screen(home, 'reply_to_email(email=search_emails()[0], body="b")')
    assert "   goes out from: me@example.org\n   goes to: ⟦julia@example.com⟧\n" in shown
    assert "     │ + To: julia@example.com\n     │ + Subject: Re: Offer\n" in shown


def test_what_changes_after_it_was_shown_is_refused(home: Home) -> None:
    """The file gets another line between the screen and the yes: nothing is written, and what came stays."""
    home.file("a.txt", "one\n")
    home.deliver("x")
    person = Meanwhile(lambda: home.file("a.txt", "one\nprecious\n"))
    result = home.assistant(WRITE, says("two")).ask("Do it", approver=person, is_strict=True)
    assert (result.outcome.ending, statuses(result)) == ("denied", [("write_file", "denied")])
    assert home.everything()["files/a.txt"] == b"one\nprecious\n"
    assert (
        "since something changed meanwhile: what was shown of its place (files) is not so any more; ask again"
        in result.outcome.message
    )
    assert change_lines(result.outcome.effects, "")[0].endswith(
        " (it changed meanwhile: what was shown of its place (files) is not so any more)"
    )


def test_a_mail_that_is_another_by_now_gets_no_reply(home: Home) -> None:
    """The message under the same id has other bytes than when its receiver was shown."""
    home.deliver("x")
    (path,) = (home.path / "mail" / "new").iterdir()
    person = Meanwhile(lambda: path.write_bytes(path.read_bytes() + b"more"))
    result = home.assistant('reply_to_email(email=search_emails()[0], body="b")').ask("Do it", approver=person)
    assert (result.outcome.ending, home.outbox()) == ("denied", [])


def test_an_earlier_change_of_the_same_run_is_no_surprise(home: Home) -> None:
    """Two appends to one file, both asked about, are both done."""
    home.deliver("x")
    result = home.ask(
        'append_to_file(filename="a.txt", text="1")\nappend_to_file(filename="a.txt", text="2")', person=Person([True]), is_strict=True
    )  # fmt: skip
    assert (result.outcome.ending, home.everything()["files/a.txt"]) == ("done", b"1\n2")


def test_a_change_between_two_effects_is_refused(home: Home) -> None:
    """What another store's tool did meanwhile to the file of the second effect is seen just before that."""

    @tool(name="touch", changes="board", receivers=nobody, undo=lambda _call, _args, _outcome: None)
    def touch() -> None:
        home.file("a.txt", "precious")

    home.more = [touch]
    result = home.ask('touch()\nwrite_file(filename="a.txt", text="x")', person=Person([True]), is_strict=True)
    assert statuses(result) == [("touch", "done"), ("write_file", "denied")]
    assert home.everything()["files/a.txt"] == b"precious"


@pytest.mark.parametrize("known", ["nothing", "a mail that you sent", "an entry", "your own address"])
def test_a_receiver_of_whom_nothing_is_known_is_named(home: Home, known: str) -> None:
    """Whom the sent mail or the address book has is not new; a mail that only came in from there changes nothing."""
    address = "me@example.org" if known == "your own address" else "kim@b.example"
    home.deliver("x", sender="Kim <kim@b.example>")
    if known == "a mail that you sent":
        home.deliver("hi", sender="me@example.org", to="Kim <Kim@B.example>", folder="Sent")
    if known == "an entry":
        card = "BEGIN:VCARD\nVERSION:3.0\nFN:Kim\nEMAIL:Kim@B.example\nEND:VCARD\n"
        (home.path / "contacts" / "kim.vcf").write_text(card)
    shown = screen(home, SEND.format(address))
    warning = "   ⚠ new: you never wrote to this address; it is not in your address book\n"
    assert (warning in shown) is (known == "nothing")


def test_a_receiver_that_looks_like_one_of_the_address_book_is_named(home: Home) -> None:
    """Also where nothing in the effect comes from the one that it looks like."""
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Kim\nEMAIL:kim@example.com\nEND:VCARD\n"
    (home.path / "contacts" / "kim.vcf").write_text(card)
    assert "   ⚠ kim@exarnple.com looks like kim@example.com but is another address\n" in screen(
        home, 'send_email(recipients=["kim@exarnple.com"], subject="s", body="b")'
    )


def test_a_store_that_cannot_be_read_knows_nobody(home: Home) -> None:
    """Then every receiver is new, and the question is asked."""

    @tool(
        name="post", changes="board", receivers=lambda args: Receivers(("a@b.example",)), roles={"text": Role.CONTENT}
    )
    def post(text: str) -> None:
        raise AssertionError

    home.more = [post]
    home.deliver("x")
    (home.path / "contacts" / "big.vcf").write_bytes(b"x" * 10_000_001)
    assert "⚠ new:" in screen(home, "post(text=search_emails()[0].body)")


def test_a_tool_that_cannot_say_what_it_would_find_is_not_asked_about(home: Home) -> None:
    """Its error ends the run, whatever it raises; nobody is asked and nothing is done."""

    def broken(_call: object, _args: object) -> Prospect:
        raise RuntimeError("words")

    @tool(name="note", changes="notes", receivers=nobody, prospect=broken)
    def note() -> None:
        raise AssertionError

    home.more = [note]
    person = Person([True])
    result = home.ask("note()", person=person, is_strict=True)
    assert (result.outcome.message, person.screens) == ("note cannot say what it would find: RuntimeError", [])


def test_a_yes_covers_each_part_of_what_was_shown() -> None:
    """Another place, text, state, account, stranger or warning is another digest; nothing looked up leaves the effect's own."""
    whole = Prospect("p", "b", "a", ("file:p",), ("text",), "s", "me")
    looks = [
        Look(), Look(whole), Look(Prospect("q", "b", "a", ("file:p",), ("text",), "s", "me")), Look(Prospect("p", None, "a")),
        Look(Prospect("p", "b", None)), Look(Prospect(state="t")), Look(Prospect(account="x")), Look(None, frozenset({"a@b"})),
        Look(None, frozenset(), {"a@b": "looks like"}),
    ]  # fmt: skip
    assert len({each.covered("d") for each in looks}) == len(looks)
    assert Look().covered("d") == "d"
