"""The question at the terminal: what counts as a yes, and that all of it is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

APPROVE = """
import sys
from armslength.agent.approving.approval import Item, Offer, Screen
from armslength.surfaces.terminal import TerminalApprover
approver = TerminalApprover()
print("ready", flush=True)
{before}
items = [Item("digest", {text}), Item("second", "2. two", (Offer("week", "for a week"),)), Item("third", "3. three")]
said = approver.approve(Screen("run", tuple(items[:{count}]), "all"))
print(f"[{{sorted(said.accepted | said.taken)}}: {{approver.refusal}}]", flush=True)
"""
QUESTION = "anything else to refuse: "
MORE = "Enter shows more, anything else refuses: "
SOURCE = str(Path(__file__).parents[2] / "src")


def ask(
    at_terminal: Any,
    typed: str,
    *,
    text: str = "'1 thing'",
    before: str = "",
    early: str = "",
    count: int = 1,
    more: str = "\n",
) -> str:
    """The screen after a question that is answered with `typed`, a page with `more`; `early` is typed before any stands there."""
    waiting = [(trigger, keys) for trigger, keys in (("ready", early), (QUESTION, typed)) if keys]
    pages = [0]

    def say(screen: str) -> str | None:
        if screen.count(MORE) > pages[0]:
            pages[0] += 1
            return more
        return waiting.pop(0)[1] if waiting and waiting[0][0] in screen else None

    command = [sys.executable, "-c", APPROVE.format(text=text, before=before, count=count)]
    environment = {**os.environ, "PYTHONPATH": SOURCE, "ARMSLENGTH_SCREEN": "plain"}
    return str(at_terminal(command, environment, say).screen)


@pytest.mark.parametrize("typed", ["yes\n", "YES\n", "  yes \n"])
def test_a_clear_yes_is_a_yes(at_terminal: Any, typed: str) -> None:
    """`yes` in any case, with blanks around it."""
    assert ask(at_terminal, typed).endswith("[['digest']: ]\n")


@pytest.mark.parametrize("typed", ["no\n", "y\n", "\n", "yes please\n", "yes\x00\n", "oui\n"])
def test_any_other_line_is_a_no(at_terminal: Any, typed: str) -> None:
    """Whatever is not exactly `yes`."""
    assert ask(at_terminal, typed).endswith("[[]: you did not say yes]\n")


@pytest.mark.parametrize("typed", ["\x04", "yes\x04\x04", "yes " * 300 + "\n"])
def test_an_input_that_ends_is_a_no(at_terminal: Any, typed: str) -> None:
    """End of input, also in the middle of a line, and a line too long to be an answer."""
    assert ask(at_terminal, typed).endswith("[[]: the input ended without a yes]\n")


def test_ctrl_c_is_a_no(at_terminal: Any) -> None:
    """The interrupt goes on to whoever ends the run."""
    shown = ask(at_terminal, "\x03")
    assert shown.rstrip().endswith("KeyboardInterrupt")
    assert "[['digest" not in shown


def test_what_was_typed_before_answers_nothing(at_terminal: Any) -> None:
    """A yes typed ahead is dropped; the answer is what is typed under the question."""
    shown = ask(at_terminal, "no\n", early="yes\nyes\n", before="import time; time.sleep(0.5)")
    assert shown.endswith("[[]: you did not say yes]\n")


def test_a_large_screen_is_shown_whole(at_terminal: Any) -> None:
    """A hundred kilobytes with lines of all lengths come out in order, by screenfuls, broken at 80 columns."""
    text = "'\\n'.join(f'   │ {n:05} ' + 'x' * (n % 300) + f' {n:05}' for n in range(620))"
    shown = ask(at_terminal, "yes\n", text=text)
    screen = shown[shown.index("your yes") : shown.index(QUESTION)]
    lines = screen.split("\n")[1:]
    pages = [line for line in lines if MORE in line]
    whole = "".join(
        line.split("┆ ", 1)[1] if "┆ " in line else f"\n{line}" for line in lines if "  │" in line or "┆" in line
    )
    assert whole == "".join(f"\n   │ {n:05} {'x' * (n % 300)} {n:05}" for n in range(620))
    assert len(whole) > 100_000
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r"\(22 of [\d,]+ lines\) Enter shows more, anything else refuses: ", pages[0])
    assert len(pages) == (len(lines) - len(pages)) // 22


RESIZED = """
sizes = [{sizes}]
os = __import__("os")
os.get_terminal_size = lambda _: os.terminal_size(sizes.pop(0) if len(sizes) > 1 else sizes[0])
"""


@pytest.mark.parametrize("size", ["(80, 1)", "(80, 4)", "(19, 24)", "(30, 5)"])
def test_in_a_window_that_shows_hardly_a_line_nothing_is_asked(at_terminal: Any, size: str) -> None:
    """What would scroll by was not in view."""
    shown = ask(at_terminal, "yes\n", before=RESIZED.format(sizes=size))
    assert shown.endswith("[[]: the window is too small to show what is asked; make it larger]\n")
    assert QUESTION not in shown


@pytest.mark.parametrize(("columns", "lines"), [(80, 5), (40, 9), (25, 12)])
def test_a_screenful_still_stands_there_under_the_question(at_terminal: Any, columns: int, lines: int) -> None:
    """Between two stops there are no more rows than the window has, the stop's own among them, however wide it is."""
    text = "'\\n'.join(map(str, range(40)))"
    shown = ask(at_terminal, "yes\n", text=text, count=2, before=RESIZED.format(sizes=f"({columns}, {lines})"))
    assert shown.endswith("[['digest', 'second']: ]\n")
    rows, stops = 0, 0
    for line in shown[shown.index("ready\n") + 7 : shown.index("[[")].split("\n"):
        rows += max(-(-len(line) // columns), 1)
        if MORE in line or QUESTION in line:
            assert rows <= lines
            rows, stops = 0, stops + 1
    assert stops > 5


def test_a_window_that_gets_smaller_shows_all_again(at_terminal: Any) -> None:
    """From the first line, in screenfuls of the new size."""
    text = "'\\n'.join(map(str, range(40)))"
    shown = ask(at_terminal, "yes\n", text=text, before=RESIZED.format(sizes="(80, 24), (80, 24), (80, 24), (80, 8)"))
    assert shown.endswith("[['digest']: ]\n")
    assert shown.count("your yes is needed") == 2
    again = shown[shown.rindex("your yes is needed") : shown.index(QUESTION)]
    assert [number for number in map(str, range(40)) if f"\n{number}\n" not in again] == []
    assert again.count(MORE) == 7


@pytest.mark.parametrize("more", ["yes\n", "q\n", "\x04"])
def test_who_does_not_read_on_has_not_said_yes(at_terminal: Any, more: str) -> None:
    """Whatever is typed at the end of the first page but a bare Enter: the question is not even asked."""
    shown = ask(at_terminal, "yes\n", text="'\\n'.join(map(str, range(40)))", more=more)
    assert shown.endswith("]\n")
    assert "[[]: " in shown
    assert QUESTION not in shown


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("yes", "'digest', 'second', 'third'"), ("2", "'second'"), ("1, 3", "'digest', 'third'"), ("3 1", "'digest', 'third'"),
        ("2 +1", "'second', 'week'"), ("yes +1", "'digest', 'second', 'third', 'week'"),
    ],
)  # fmt: skip
def test_numbers_accept_some(at_terminal: Any, typed: str, accepted: str) -> None:
    """Items by their numbers, a choice by a plus behind them."""
    shown = ask(at_terminal, f"{typed}\n", count=3)
    why = "" if typed.startswith("yes") else "you did not say yes"
    assert shown.endswith(f"[[{accepted}]: {why}]\n")
    assert "   +1 you may also choose: for a week\n" in shown


@pytest.mark.parametrize(
    "typed", ["4", "0", "1 1", "1 yes", "yes 1", "+1", "1 +1", "1 +2", "2 +1 +1", "-1", "1-3", "² ", "1 no", "all"]
)
def test_an_unclear_line_refuses_all(at_terminal: Any, typed: str) -> None:
    """A number that is none, twice the same, a choice without its item, words between."""
    assert ask(at_terminal, f"{typed}\n", count=3).endswith("[[]: you did not say yes]\n")


def test_the_whole_terminal_is_used_where_it_can_be(at_terminal: Any) -> None:
    """On a terminal that places its cursor the items stand on a screen of their own, which is left behind as it was."""
    waiting = [("y yes", "a"), ("[x]", "y")]

    def say(screen: str) -> str | None:
        if not waiting or waiting[0][0] not in screen:
            return None
        time.sleep(1.0)  # as somebody who reads it first
        return waiting.pop(0)[1]

    command = [sys.executable, "-c", APPROVE.format(text="'1. send'", before="", count=1)]
    kept = {name: value for name, value in os.environ.items() if name != "ARMSLENGTH_SCREEN"}
    shown = at_terminal(command, {**kept, "PYTHONPATH": SOURCE, "TERM": "xterm", "LC_ALL": "C.UTF-8"}, say).screen
    assert "\x1b[?1049h" in shown
    assert shown.rstrip().endswith("[['digest']: ]")
    assert shown.index("\x1b[?1049l") < shown.index("[['digest']")


def test_a_screen_cannot_drive_the_terminal(at_terminal: Any) -> None:
    """Even a screen that nobody cleaned is written as text."""
    shown = ask(at_terminal, "no\n", text=repr("\x1b]8;;https://evil.example\x07here\x1b[2J"))
    assert "⟨U+001B⟩]8;;https://evil.example⟨U+0007⟩here⟨U+001B⟩[2J" in shown
    assert "\x1b" not in shown


def test_without_a_terminal_the_answer_is_no() -> None:
    """A process without a controlling terminal asks nobody, although standard input says yes."""
    done = subprocess.run(
        [sys.executable, "-c", APPROVE.format(text="'1 thing'", before="", count=1)],
        env={**os.environ, "PYTHONPATH": SOURCE},
        input="yes\n",
        text=True,
        capture_output=True,
        check=True,
        start_new_session=True,
    )
    assert done.stdout == "ready\n[[]: there is no terminal to ask on]\n"
    assert done.stderr == ""
