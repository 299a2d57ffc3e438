"""Who answers a screen, and for what the answer counts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.agent.drawing import pending
from tests.attacks.world import Person

from armslength.agent.approval import NobodyThere, Screen, ask_person, screen_of
from armslength.agent.boundary import Recording, Replaying
from armslength.store.journal import MemoryJournal
from armslength.values import Plain

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SCREEN = screen_of("run", [pending()])


def test_a_yes_is_recorded_with_what_was_shown() -> None:
    """The journal has the whole screen and the digest that the yes is for."""
    journal = MemoryJournal(NOW)
    assert ask_person(Recording(journal), Person([True]), SCREEN) is True
    assert journal.entries == [
        {
            "entry": "crossing", "kind": "approval", "name": SCREEN.digest, "asked": {"screen": SCREEN.text},
            "answered": {"digest": SCREEN.digest, "yes": True},
        }
    ]  # fmt: skip


def test_nobody_says_no() -> None:
    """Without anybody there the answer is no."""
    assert ask_person(Recording(MemoryJournal(NOW)), NobodyThere(), SCREEN) is False


@pytest.mark.parametrize(
    "answered",
    [
        None, True, "yes", 1, [], {}, {"yes": True}, {"digest": SCREEN.digest}, {"digest": SCREEN.digest, "yes": 1},
        {"digest": SCREEN.digest, "yes": "true"}, {"digest": "0" * 64, "yes": True}, {"digest": None, "yes": True},
    ],
)  # fmt: skip
def test_anything_but_a_yes_to_this_digest_is_a_no(answered: Plain) -> None:
    """A recorded answer that is damaged, of another screen, or only nearly a yes."""
    entry = {
        "entry": "crossing", "kind": "approval", "name": SCREEN.digest, "asked": {"screen": SCREEN.text}, "answered": answered,
    }  # fmt: skip
    assert ask_person(Replaying([entry]), NobodyThere(), SCREEN) is False


@pytest.mark.parametrize("error", [OSError(), EOFError(), ValueError(), UnicodeError()])
def test_who_cannot_be_asked_has_not_said_yes(error: Exception) -> None:
    """A terminal that breaks is a no, on record."""

    class Broken:
        def approve(self, screen: Screen) -> bool:
            raise error

    journal = MemoryJournal(NOW)
    assert ask_person(Recording(journal), Broken(), SCREEN) is False
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


def test_a_screen_counts_what_it_asks() -> None:
    """One or many, said in its first line."""
    assert (SCREEN.count, SCREEN.text.split("\n")[0]) == (1, "1 thing needs your yes.")
    both = screen_of("run", [pending(), pending()])
    assert (both.count, both.text.split("\n")[0]) == (2, "2 things need your yes. A yes is for all of them.")
