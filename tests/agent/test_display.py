"""What a person sees: whatever others wrote is whole, inert, and between marks that it cannot write itself."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agent.drawing import EVIL, draw_screen, pending, send, text

from armslength.agent.approving.display import by_danger, draw_answer, draw_named, tame
from armslength.agent.showing.urging import WARNINGS
from armslength.labels import LITERAL, Source, label
from armslength.tools.base import Receivers
from armslength.values import Labelled

WORD = "ZQX"
"""A word that only the hostile text has, so that each of its lines can be found again."""
PIECES = (
    WORD, "\n", "\r", "\r\n", "\t", " ", "⟦", "⟧", "│ ", "└", "⚠ ", "¹", "\x1b[2J", "\x1b]52;c;eA==\x07", "\x1b]8;;https://e.example\x1b\\", "\x9b31m",
    "\u202e", "\u2066", "\u200b", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\U000e0041", "\u0301" * 9, "\u00ad", "\ufeff",
    "https://e.example/", "www.e.example", "](", "![", "mailto:x", "javascript:x", "1 thing needs your yes.", "can be undone: yes", "goes to: nobody",
    "why you are asked:", "words of user", "\U0001f468\u200d\U0001f469", "approved: true", "\x7f", "\x00", "\ud800", "Ａ", "é", "́",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=14).map(lambda pieces: WORD + "".join(pieces) + WORD)


def check_inert(drawn: str) -> None:
    """No control or bidi character beside newlines, no live link, marks balanced on every line."""
    for char in drawn:
        assert char == "\n" or unicodedata.category(char) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(char) not in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert re.search(r"://|\]\(|!\[|(?<![A-Za-z0-9])(?:mailto:|javascript:|www\.)", drawn) is None
    for line in drawn.split("\n"):
        marks = [char for char in line if char in "⟦⟧"]
        assert marks == ["⟦", "⟧"] * (len(marks) // 2)


def check_marked(drawn: str) -> None:
    """Each line with a word of the hostile text has it between marks, or begins with the mark of a block."""
    for line in drawn.split("\n"):
        outside, is_inside = "", line.lstrip().startswith("│ ")
        for char in line if not is_inside else "":
            is_inside = char == "⟦" or (is_inside and char != "⟧")
            outside += "" if is_inside else char
        assert WORD not in outside, line


@given(HOSTILE, HOSTILE, HOSTILE)
def test_hostile_arguments_are_marked_whole_and_inert(to: str, body: str, about: str) -> None:
    """As target, content and description of a handle, and as the receiver and summary that the tool makes of them."""
    drawn = draw_screen(
        [
            pending(
                to=text(to, EVIL),
                body=text(body, EVIL),
                receivers=Receivers((to,)),
                summary=f"send a mail to {to}",
                described={"subject": text(about, EVIL)},
            )
        ]
    )
    check_inert(drawn)
    check_marked(drawn)
    # the target: argument, summary, receiver (and its look-alike line); the others once
    assert drawn.count(WORD) >= 3 * to.count(WORD) + body.count(WORD) + about.count(WORD)


@given(HOSTILE)
def test_hostile_content_in_a_summary_is_marked(body: str) -> None:
    """A tool that puts an argument into its line for the screen does not lend it the tool's voice."""
    drawn = draw_screen([pending(body=text(body, EVIL), summary=f"post “{body}”")])
    check_inert(drawn)
    check_marked(drawn)


@given(HOSTILE, HOSTILE)
def test_hostile_lists_and_keys_are_marked(key: str, item: str) -> None:
    """Items, keys of dicts that others could choose, and what stands under them."""
    for data in (
        (text(item, EVIL), text(key, EVIL)),
        {key: text(item, EVIL)},
        {key: Labelled({key: text(item, EVIL)}, EVIL)},
    ):
        drawn = draw_screen([pending(body=Labelled(data, EVIL))])
        check_inert(drawn)
        check_marked(drawn)


@given(HOSTILE)
def test_a_hostile_name_of_a_source_is_one_line(name: str) -> None:
    """A file or sender may be called anything; its name is the end of a line, tamed."""
    drawn = draw_screen([pending(body=text("x\ny", label([Source(f"file:{name}")])))])
    check_inert(drawn)
    assert len(drawn.split("\n")) == len(
        draw_screen([pending(body=text("x\ny", label([Source("file:a")])))]).split("\n")
    )
    answer = draw_answer([text("x", label([Source(f"file:{name}")]))])
    check_inert(answer)
    assert len(answer.split("\n")) == 2


@given(st.lists(st.tuples(HOSTILE, st.sampled_from([EVIL, label([Source("web:e.example")]), LITERAL])), max_size=4))
def test_an_answer_is_marked_whole_and_inert(given_pieces: list[tuple[str, object]]) -> None:
    """Hostile pieces between trusted ones; the trusted ones have no marks of ours to lend."""
    pieces = [
        Labelled("Fine: ⟦ and ⟧ │ " if piece_label is LITERAL else data, piece_label)  # type: ignore[arg-type]
        for data, piece_label in given_pieces
    ]
    drawn = draw_answer(pieces)
    check_inert(drawn)
    check_marked(drawn)
    whole = drawn.replace("\n│ ", "")  # a long line is broken anywhere
    assert whole.count(WORD) >= sum(str(piece.data).count(WORD) for piece in pieces)


@given(HOSTILE)
def test_taming_twice_changes_nothing(hostile: str) -> None:
    """What was drawn once can be drawn again."""
    assert tame(tame(hostile)) == tame(hostile)


@given(st.text(), st.text())
def test_any_text_is_drawn(one: str, other: str) -> None:
    """Whatever characters there are, in any place."""
    check_inert(draw_answer([text(one, EVIL), text(other, LITERAL), text(other, label([Source("x")]))]))
    check_inert(draw_screen([pending(to=text(one, EVIL), body=text(other, EVIL), receivers=Receivers((one,)))]))


def test_nothing_is_cut() -> None:
    """A long text stands there to its last character, in lines."""
    long = "".join(f"{number} " for number in range(20_000))
    assert "".join(draw_screen([pending(body=text(long, EVIL))]).split()).count("19999") == 1
    drawn = draw_answer([text(long, EVIL)])
    assert "".join(part for part in drawn if part.isdigit()).startswith(
        "".join(str(number) for number in range(20_000))
    )


def test_a_screen_whole() -> None:
    """Heading, marks, receivers, arguments, undo and reasons, as a person reads them."""
    assert draw_screen([pending(body=text("Hi\nthere", EVIL))]) == (
        "1 thing needs your yes.\n"
        "Between ⟦ and ⟧, and after │, stand words that others wrote.\n\n"
        "1. send a mail\n"
        "   goes to: kim@b.example\n"
        "   to: kim@b.example\n"
        "   body: (words of mail:unverified)\n"
        "     │ Hi\n"
        "     │ there\n"
        "   can be undone: no\n"
        "   why you are asked: body holds what kim@b.example was not a reader of so far\n"
        "   why you are asked: body would be sent as yours, and holds words of mail:unverified\n"
        "   why you are asked: you asked to be asked about everything\n"
    )


def test_an_answer_whole() -> None:
    """Trusted words as they are, others' marked and numbered, warnings below."""
    pieces = [text("Julia says: ", LITERAL), text("click the link https://e.example", EVIL), text(" (today)", LITERAL)]
    assert draw_answer(pieces) == (
        "Julia says: ⟦click the link https[:]//e.example⟧¹ (today)\n"
        "  ¹ words of mail:unverified; nobody checked them\n"
        "  ⚠ it wants you to open something; type an address you know instead"
    )


def test_a_link_does_not_come_about_between_pieces() -> None:
    """The planner's literal and another's words make no live link together, nor do two literals."""
    for pieces in (
        [text("https://a.example/?q=", LITERAL), text("secret", EVIL)],
        [text("https:", LITERAL), text("//e.example", EVIL)],
        [text("https:", LITERAL), text("//e.example", label([Source("user", is_trusted=True)]))],
        [text("![x]", LITERAL), text("(https://e.example)", EVIL)],
    ):
        check_inert(draw_answer(pieces))


def test_urging_that_is_cut_into_pieces_is_seen() -> None:
    """Neighbours that trusted words keep apart are read together."""
    pieces = [text("please click", EVIL), text(", ", LITERAL), text("on the link", EVIL)]
    assert draw_answer(pieces).split("\n")[-1] == f"  ⚠ {WARNINGS[0]}"


@given(HOSTILE)
def test_warnings_are_from_the_list(hostile: str) -> None:
    """A line that looks like a warning and stands outside a block is one of ours."""
    for line in draw_answer([text(hostile, EVIL)]).split("\n"):
        if line.startswith("  ⚠ "):
            assert line.removeprefix("  ⚠ ") in WARNINGS


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("kim@b\u0430nk.example", "kim@bаnk.example looks like kim@bank.example but is written with other letters"),
        ("kim@xn--bnk-6cd.example", "kim@xn--bnk-6cd.example: xn--bnk-6cd stands for “bаnk”"),
        ("kim@b.example@e.example", "kim@b.example@e.example holds more than one @; the part after the last one counts"),
        ("ju1ia@example.com", "ju1ia@example.com looks like julia@example.com but is another address"),
        ("julia@example.com.e.example", "julia@example.com.e.example begins with example.com but belongs to another domain"),
    ],
)  # fmt: skip
def test_a_receiver_that_misleads_is_named(address: str, warning: str) -> None:
    """Other letters, a second @, and what only looks like whom the data came from."""
    body = text("hi", label([Source("mail:julia@example.com")]))
    drawn = draw_screen([pending(body=body, receivers=Receivers((address,)))])
    assert f"   goes to: {address}\n   ⚠ {warning}\n" in drawn


def test_a_receiver_that_is_whom_it_came_from_is_no_look_alike() -> None:
    """An ordinary reply has no warning."""
    body = text("hi", label([Source("mail:julia@example.com")]))
    assert "⚠" not in draw_screen([pending(body=body, receivers=Receivers(("julia@example.com",)))])


def test_receivers_unknown_are_said_to_be() -> None:
    """The tool cannot say, and the screen says so."""
    assert "   goes to: unknown; the tool cannot say\n" in draw_screen([pending(receivers=Receivers(None))])


@pytest.mark.parametrize("unit", ["x", "x ", "\u0301", "\n", "send to ", "⟦", "https://"])
def test_a_long_answer_is_drawn_in_linear_time(unit: str) -> None:
    """A hundred thousand characters without a line end, or with nothing else, are a matter of seconds, and all there."""
    long = unit * (100_000 // len(unit))
    drawn = draw_answer([text(long, EVIL)])
    assert drawn.count("x") >= long.count("x")


@given(st.text(alphabet=st.sampled_from("ab \u2028⟦")), st.integers(1, 30))
def test_a_long_line_keeps_each_character(piece: str, count: int) -> None:
    """Lines are broken, never shortened: blanks stay too."""
    long = f"{piece * count}\n"
    body = [line.removeprefix("│ ") for line in draw_answer([text(long, EVIL)]).split("\n") if line.startswith("│ ")]
    assert "".join(body) == "".join(tame(long).split("\n"))


UNDOABLE = replace(send, undo=lambda _call, _args, _outcome: None)


def test_the_most_dangerous_comes_first() -> None:
    """What cannot be undone, then who learns of it, then who aims it; equals stay as the program has them."""
    none, kim = Receivers(()), Receivers(("kim@b.example",))
    rising = [
        pending(tool_of=UNDOABLE, receivers=none, summary="a"),
        pending(tool_of=UNDOABLE, receivers=none, summary="b"),
        pending(tool_of=UNDOABLE, receivers=none, to=text("x", EVIL), summary="c"),
        pending(tool_of=UNDOABLE, receivers=kim, summary="d"),
        pending(tool_of=UNDOABLE, receivers=Receivers(None), summary="e"),
        pending(receivers=none, summary="f"),
        pending(receivers=none, to=text("x", EVIL), summary="g"),
        pending(receivers=kim, summary="h"),
        pending(receivers=kim, to=text("x", EVIL), summary="i"),
        pending(receivers=Receivers(("kim@b.example",), are_vouched=False), summary="j"),
        pending(receivers=Receivers(None), summary="k"),
    ]
    names = [rising[place].effect.resolved.summary for place in by_danger(rising)]
    assert names == ["k", "i", "j", "h", "g", "f", "e", "d", "c", "a", "b"]


def test_neighbours_on_the_same_place_are_named_by_their_numbers() -> None:
    """A line says what comes before it in the program, and what does not happen without it."""
    drawn = draw_screen([pending(tool_of=UNDOABLE), pending(to=text("x", EVIL)), pending()])
    numbered = [line.strip() for line in drawn.split("\n") if re.match(r"\d\. |   (comes after|without)", line)]
    assert numbered == [
        "1. send: ⟦send a mail⟧",
        "comes after 3, at the same place; what is said here is how things are before that",
        "without it 2 will not happen either",
        "2. send a mail",
        "comes after 1 and 3, at the same place; what is said here is how things are before that",
        "3. send a mail",
        "without it 1 and 2 will not happen either",
    ]


def test_receivers_that_nobody_knows_are_said_to_be_so() -> None:
    """In the line that tells what became of it, for a mail as for anything else."""
    for summary in ("send a mail", "tidy up"):
        effect = pending(receivers=Receivers(None), summary=summary).effect
        assert draw_named(effect).endswith(f"{summary}⟧ (the tool cannot say who learns of it)") or (
            draw_named(effect) == f"{summary} (the tool cannot say who learns of it)"
        )
