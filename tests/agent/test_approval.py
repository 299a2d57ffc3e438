"""Who answers a screen, and for what the answer counts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from bench.home.world import Person
from tests.agent.drawing import pending

from armslength.agent.approving.approval import (
    REFUSED,
    Answer,
    NobodyThere,
    Offer,
    Screen,
    all_of,
    ask_person,
    in_words,
    screen_of,
)
from armslength.agent.outside.boundary import Recording, Replaying
from armslength.labels import LITERAL
from armslength.store.journal import MemoryJournal
from armslength.values import Labelled, Plain

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SCREEN = screen_of("run", [pending()])
TWO = [pending(), pending(body=Labelled("bye", LITERAL))]
BOTH = screen_of("run", TWO)


def without_time(entry: dict[str, Any]) -> dict[str, Any]:
    """What crossed, without when and how long that took."""
    return {name: part for name, part in entry.items() if name not in {"at", "took"}}


def test_a_yes_is_recorded_with_what_was_shown() -> None:
    """The journal has the whole screen and the digest that the yes is for."""
    journal = MemoryJournal(NOW)
    assert ask_person(Recording(journal), Person([True]), SCREEN) == all_of(SCREEN)
    assert [without_time(entry) for entry in journal.entries] == [
        {
            "entry": "crossing", "kind": "approval", "name": SCREEN.digest, "asked": {"screen": SCREEN.text},
            "answered": {"digest": SCREEN.digest, "yes": True},
        }
    ]  # fmt: skip


def test_nobody_says_no() -> None:
    """Without anybody there the answer is no."""
    assert ask_person(Recording(MemoryJournal(NOW)), NobodyThere(), SCREEN) == REFUSED


@pytest.mark.parametrize(
    "answered",
    [
        None, True, "yes", 1, [], {}, {"yes": True}, {"digest": SCREEN.digest}, {"digest": SCREEN.digest, "yes": 1},
        {"digest": SCREEN.digest, "yes": "true"}, {"digest": SCREEN.digest, "yes": False, "accepted": "all"},
        {"digest": SCREEN.digest, "accepted": [SCREEN.items[0].digest]}, {"digest": SCREEN.digest, "yes": False, "accepted": ["0" * 64]},
        {"digest": SCREEN.digest, "yes": False, "accepted": [SCREEN.items[0].digest, "0" * 64]}, {"digest": "0" * 64, "yes": True}, {"digest": None, "yes": True},
    ],
)  # fmt: skip
def test_anything_but_a_yes_to_this_digest_is_a_no(answered: Plain) -> None:
    """A recorded answer that is damaged, of another screen, or only nearly a yes."""
    entry = {
        "entry": "crossing", "kind": "approval", "name": SCREEN.digest, "asked": {"screen": SCREEN.text}, "answered": answered,
    }  # fmt: skip
    assert ask_person(Replaying([entry]), NobodyThere(), SCREEN) == REFUSED


@pytest.mark.parametrize("error", [OSError(), EOFError(), ValueError(), UnicodeError()])
def test_who_cannot_be_asked_has_not_said_yes(error: Exception) -> None:
    """A terminal that breaks is a no, on record."""

    class Broken:
        def approve(self, screen: Screen) -> bool:
            raise error

    journal = MemoryJournal(NOW)
    assert ask_person(Recording(journal), Broken(), SCREEN) == REFUSED
    assert journal.entries[0]["answered"] == {"digest": SCREEN.digest, "yes": False}


def test_an_interrupt_is_no_answer() -> None:
    """Ctrl-C passes and records nothing."""

    class Leaving:
        def approve(self, screen: Screen) -> bool:
            raise KeyboardInterrupt

    journal = MemoryJournal(NOW)
    with pytest.raises(KeyboardInterrupt):
        ask_person(Recording(journal), Leaving(), SCREEN)
    assert journal.entries == []


class Choosing:
    """Answers with what it is given."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def approve(self, screen: Screen) -> Answer | bool:
        return self.answer  # type: ignore[return-value]  # wrong answers are the subject


def asked(answer: object, screen: Screen) -> tuple[Answer, Plain]:
    """What such an answer counts for, and how it is recorded."""
    journal = MemoryJournal(NOW)
    found = ask_person(Recording(journal), Choosing(answer), screen)
    assert ask_person(Replaying(journal.entries), NobodyThere(), screen) == found
    return found, journal.entries[0]["answered"]


def test_some_may_be_accepted() -> None:
    """The digests of what was accepted are recorded, and nothing else is accepted."""
    one, other = BOTH.items[0].digest, BOTH.items[1].digest
    assert asked(Answer(frozenset({other})), BOTH) == (
        Answer(frozenset({other})),
        {"digest": BOTH.digest, "yes": False, "accepted": [other]},
    )
    assert asked(Answer(frozenset({one, other})), BOTH)[1] == {"digest": BOTH.digest, "yes": True}
    assert asked(Answer(), BOTH) == (REFUSED, {"digest": BOTH.digest, "yes": False})


@pytest.mark.parametrize("answer", [1, "yes", None, [True], "True", {"accepted": 1}, False, Answer(frozenset({"x"}))])
def test_an_unclear_answer_is_a_no(answer: object) -> None:
    """Neither True nor an answer about this screen."""
    assert asked(answer, BOTH)[0] == REFUSED


def test_an_answer_about_something_else_as_well_is_a_no() -> None:
    """Whoever names what does not stand there has not read this screen."""
    assert asked(Answer(frozenset({BOTH.items[0].digest, "x"})), BOTH)[0] == REFUSED


def test_an_offer_is_taken_only_with_its_item() -> None:
    """One of a refused item, or one that was never made, is not."""
    offers = {
        BOTH.items[0].digest: [Offer("week", "no more questions")],
        BOTH.items[1].digest: [Offer("always", "none")],
    }
    screen = screen_of("run", TWO, offers)
    first = frozenset({screen.items[0].digest})
    answer = Answer(first, frozenset({"week", "always", "never made"}))
    assert asked(answer, screen) == (
        Answer(first, frozenset({"week"})),
        {"digest": screen.digest, "yes": False, "accepted": [*first], "taken": ["week"]},
    )
    assert asked(True, screen)[0] == all_of(screen)
    assert "   you may also choose: no more questions\n" in screen.text


def test_two_effects_that_cannot_be_told_apart_are_refused() -> None:
    """Where two have one digest, a yes to one would be a yes to the other: nobody is even asked."""
    twice = screen_of("run", [pending(), pending()])
    asked_of = Person([True])
    assert ask_person(Recording(MemoryJournal(NOW)), asked_of, twice) == REFUSED
    assert asked_of.screens == []


def test_a_screen_counts_what_it_asks() -> None:
    """One or many, said in its first line."""
    assert (SCREEN.count, SCREEN.text.split("\n")[0]) == (1, "1 thing needs your yes.")
    assert (BOTH.count, BOTH.text.split("\n")[0]) == (2, "2 things need your yes: all of them, some or none.")


def test_an_answer_in_words() -> None:
    """For the demo and for why."""
    answers = (REFUSED, Answer(frozenset({BOTH.items[0].digest})), all_of(BOTH))
    assert [in_words(BOTH, answer) for answer in answers] == ["no", "yes to 1 of 2", "yes"]


def test_an_answer_in_words_names_what_falls_with_what_was_refused() -> None:
    """Of two that follow on one another the second alone is a yes that does nothing, and the words say so."""
    first, second = BOTH.items
    later = first if first.needs else second
    assert {each.digest for each in BOTH.items} - {later.digest} == later.needs
    number = BOTH.items.index(later) + 1
    assert in_words(BOTH, Answer(frozenset({later.digest}))) == (
        f"yes to 1 of 2; {number} of that will not happen, without what you refused"
    )
    assert in_words(BOTH, Answer(later.needs)) == "yes to 1 of 2"
