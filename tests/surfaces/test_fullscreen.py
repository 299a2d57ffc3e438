"""The screen over the whole terminal: what the keys do, and that nothing is accepted that was not in view."""

from __future__ import annotations

import pytest
from prompt_toolkit.data_structures import Size
from tests.surfaces.driving import drive, screen_with

from armslength.agent.approving.approval import REFUSED, Answer, Offer

SHORT = screen_with("send a mail\n   goes to: kim@b.example", "post a message", "make the file a.txt")
LONG = "send a mail\n" + "\n".join(f"   │ line {number}" for number in range(100))


def test_a_short_screen_whole() -> None:
    """Bar, head, items with a bar at the one that the keys are about, where it ends, the keys."""
    (shown, *_) = drive(SHORT, [], rows=14).shown
    assert shown.split("\n") == [
        " armslength · 0 of 3 accepted · all was in view",
        "3 things need your yes: all of them, some or none.",
        "Between ⟦ and ⟧, and after │, stand words that others wrote.",
        "▌[ ]  1. send a mail",
        "▌        goes to: kim@b.example",
        "",
        " [ ]  2. post a message",
        "",
        " [ ]  3. make the file a.txt",
        *[""] * 3,
        " this is the end",
        " y yes · q no · x accept · a all · n none · Tab next · ↑↓ PgUp PgDn scroll",
    ]


def test_all_some_or_none() -> None:
    """a and y accept all, x the one at the bar, n none, and y says yes to what is accepted."""
    assert drive(SHORT, ["a", "y"]).accepted() == ["1", "2", "3"]
    assert drive(SHORT, ["tab", "x", "y"]).accepted() == ["2"]
    assert drive(SHORT, ["a", "tab", "tab", "enter", "y"]).accepted() == ["1", "2"]
    assert drive(SHORT, ["x", "tab", "x", "back", "x", "y"]).accepted() == ["2"]
    assert drive(SHORT, ["a", "n", "y"]).answer == REFUSED
    assert drive(SHORT, ["a"]).answer == REFUSED


@pytest.mark.parametrize("key", ["q", "escape"])
def test_a_no_is_a_no(key: str) -> None:
    """Also where all was accepted before."""
    assert drive(SHORT, ["a", key]).answer == REFUSED


def test_an_interrupt_and_the_end_of_input_are_no_answer() -> None:
    """They go on to whoever ends the run, or says why nobody answered."""
    assert isinstance(drive(SHORT, ["a", "ctrl-c"]).error, KeyboardInterrupt)
    assert isinstance(drive(SHORT, ["a", "ctrl-d"]).error, EOFError)


@pytest.mark.parametrize("key", ["Y", "yes"[1], "s", "A", "\x1b[200~ay\x1b[201~", "0", "ü", "\x01", "\x1b[15~"])
def test_other_keys_do_nothing(key: str) -> None:
    """Capitals, letters, keys with modifiers, and what is pasted."""
    assert drive(SHORT, [key, "y"]).answer == REFUSED


@pytest.mark.parametrize("words", ["party", "ay", "x\ry", "xy", "say it\rany time\r"])
def test_keys_that_come_in_one_go_are_no_yes(words: str) -> None:
    """As of a paste where the terminal does not mark it: what they accepted was not drawn before the y. Once it was, y is a yes."""
    assert drive(SHORT, [words]).answer == REFUSED
    assert drive(SHORT, ["ay", "y"]).accepted() == ["1", "2", "3"]


@pytest.mark.parametrize("words", ["party", "ay", "xy", "1ay", "say"])
def test_who_was_typing_when_it_came_up_answers_nothing(words: str) -> None:
    """Key by key, each drawn: none accepts anything until nobody typed for a moment; what says no is heard at once."""
    driven = drive(SHORT, list(words), quiet=30.0)
    assert driven.answer == REFUSED
    assert " 0 of 3 accepted " in driven.shown[-1]
    assert " nothing is accepted while you are still typing; wait a moment" in driven.shown[-1]
    assert isinstance(drive(SHORT, ["ctrl-c"], quiet=30.0).error, KeyboardInterrupt)


def test_a_yes_to_nothing_says_so() -> None:
    """y without anything accepted does nothing."""
    assert " nothing is accepted yet: x accepts the item at the bar, a accepts all" in drive(SHORT, ["y"]).shown[1]


def test_nothing_is_accepted_before_all_of_it_was_in_view() -> None:
    """A long item, and all together, only once the last line stood there; the keys say why."""
    screen = screen_with("post a message", LONG)
    driven = drive(screen, ["a", "y", "tab", "x", "y"])
    assert driven.answer == REFUSED
    assert " 2 was not in view to the end yet; scroll on" in driven.shown[1]
    assert " 2 was not in view to its end yet; scroll on" in driven.shown[4]
    assert drive(screen, ["x", "y"]).accepted() == ["1"]
    read = ["pagedown"] * 7
    assert drive(screen, [*read, "a", "y"]).accepted() == ["1", "2"]


def test_jumping_to_the_end_is_not_reading() -> None:
    """What was skipped was not in view; the way back through it is as good as the way down."""
    screen = screen_with(LONG)
    assert drive(screen, ["end", "a", "y"]).answer == REFUSED
    assert drive(screen, ["end", *["pageup"] * 7, "a", "y"]).accepted() == ["1"]


def test_several_pages_at_once_are_not_in_view() -> None:
    """Keys that come in one go move on without a drawing between, so the rows between were never there."""
    assert drive(screen_with(LONG), ["\x1b[6~" * 7, "a", "y"]).answer == REFUSED


def test_each_line_stands_there_once_it_counts_as_read() -> None:
    """Over all that was shown, every line of the item is found."""
    driven = drive(screen_with(LONG), [*["space"] * 0, *["pagedown"] * 7, "a", "y"])
    whole = "\n".join(driven.shown)
    assert driven.accepted() == ["1"]
    assert [number for number in range(100) if f"│ line {number}\n" not in whole] == []


def test_a_window_that_gets_narrower_is_read_again() -> None:
    """What was in view in part before does not count at another width; what was read stays read."""
    screen, narrow = screen_with(LONG), Size(rows=24, columns=60)
    assert drive(screen, [*["pagedown"] * 4, narrow, *["pagedown"] * 4, "a", "y"]).answer == REFUSED
    assert drive(screen, [*["pagedown"] * 4, narrow, *["pagedown"] * 6, "a", "y"]).accepted() == ["1"]
    assert drive(screen, [*["pagedown"] * 6, narrow, "a", "y"]).accepted() == ["1"]


@pytest.mark.parametrize(("columns", "rows"), [(25, 24), (80, 6), (10, 4), (1, 1)])
def test_in_a_tiny_window_nothing_is_read(columns: int, rows: int) -> None:
    """It says to make it larger, and no key accepts anything."""
    driven = drive(SHORT, ["a", "x", "y"], columns, rows)
    assert driven.answer == REFUSED
    assert drive(SHORT, [Size(rows=24, columns=80), "a", "y"], columns, rows).accepted() == ["1", "2", "3"]


def test_a_yes_needs_the_window() -> None:
    """A window that became tiny shows nothing, so y does nothing there."""
    assert drive(SHORT, ["a", Size(rows=4, columns=80), "y", Size(rows=24, columns=80)]).answer == REFUSED


@pytest.mark.parametrize("columns", [26, 40, 79, 80, 200])
@pytest.mark.parametrize(
    "text", ["x" * 500 + "END", "字" * 300 + "END", "👨‍👩‍👧" * 90 + "END", "a " * 300 + "END", "e\u0301" * 300 + "END"]
)
def test_no_line_goes_beyond_the_edge(columns: int, text: str) -> None:
    """However wide characters are, all of them stand there."""
    driven = drive(screen_with(f"send\n   │ {text}"), ["down"] * 70 + ["a", "y"], columns)
    assert driven.accepted() == ["1"]
    whole = "".join(driven.shown)
    joined = "".join(line.strip(" ▌[]…┆│") for line in whole.split("\n"))
    assert "END" in whole or "END" in joined


def test_an_offer_goes_with_its_item() -> None:
    """A digit takes it once the item is accepted; without the item it is gone."""
    screen = screen_with(
        "send a mail",
        "post",
        offers={1: [Offer("week", "not to be asked for a week")], 2: [Offer("run", "in this run")]},
    )
    assert drive(screen, ["1", "y"]).answer == REFUSED
    assert drive(screen, ["x", "1", "2", "tab", "1", "y"]).answer == Answer(frozenset({"1"}), frozenset({"week"}))
    assert drive(screen, ["a", "1", "tab", "1", "back", "x", "y"]).answer == Answer(
        frozenset({"2"}), frozenset({"run"})
    )
    assert drive(screen, ["a", "1", "1", "9", "y"]).answer == Answer(frozenset({"1", "2"}))
    assert "[x]  1: not to be asked for a week" in drive(screen, ["a", "1"]).shown[2]
    assert " there is no choice 2 here" in drive(screen, ["a", "2"]).shown[2]


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        (40, " y yes · q no · x accept · 1-2 choice"),
        (50, " y yes · q no · x accept · 1-2 choice · a all"),
        (80, " y yes · q no · x accept · 1-2 choice · a all · n none · Tab next"),
    ],
)
def test_the_keys_that_answer_stand_there_at_every_width(columns: int, keys: str) -> None:
    """What is left out for want of room is left out whole, from the end; digits stand there where there are choices."""
    screen = screen_with("send a mail", offers={1: [Offer("run", "in this run"), Offer("week", "the same for a week")]})
    assert drive(screen, [], columns).shown[0].split("\n")[-1] == keys


def test_a_long_offer_has_one_box() -> None:
    """Its further lines are indented below its first."""
    screen = screen_with(
        "send", offers={1: [Offer("run", "do not ask about it " * 4), Offer("week", "the same for a week")]}
    )
    rows = drive(screen, [], 60).shown[0].split("\n")
    assert [row[1:] for row in rows if "ask" in row or "week" in row] == [
        "[ ]  1: do not ask about it do not ask about it do not ask",
        "        ┆ about it do not ask about it",
        "[ ]  2: the same for a week",
    ]


def test_what_falls_with_what_is_not_accepted_is_said() -> None:
    """Accepting the second of two that follow on one another says that it needs the first, until that is accepted too."""
    screen = screen_with("write a", "write b", needs={2: "1"})
    shown = drive(screen, ["tab", "x", "back", "x"]).shown
    assert [" 2 will not happen without 1" in each.split("\n") for each in shown] == [False, False, True, True, False]
