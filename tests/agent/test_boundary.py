"""The one boundary: what is recorded, and what a replay gives back or refuses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from armslength.agent.outside.boundary import Entrance, Recording, Replaying
from armslength.agent.outside.resuming import Resuming
from armslength.errors import (
    ArmslengthError,
    ConfigError,
    Declined,
    Denied,
    ModelDeclined,
    ModelMissing,
    ModelNonsense,
    OperatorError,
    ProgramRefused,
    ToolError,
)
from armslength.store.journal import MemoryJournal
from armslength.values import Plain

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SOON = 20.0
"""Seconds after which a test that would hang fails."""


def never() -> Plain:
    raise AssertionError("performed")


def test_what_is_recorded_is_replayed() -> None:
    """The same questions get the same answers, and nothing is performed."""
    journal = MemoryJournal(NOW)
    recording = Recording(journal)
    assert recording.cross("tool", "today", {}, lambda: "2026-11-30") == "2026-11-30"
    recording.note("end", {"ending": "done"})
    replaying = Replaying(journal.entries)
    assert replaying.cross("tool", "today", {}, never) == "2026-11-30"
    replaying.note("end", {"ending": "done"})
    replaying.finish()


def test_when_and_how_long_is_recorded_and_not_compared() -> None:
    """A journal that says it and one that does not, as earlier versions wrote it, go on in the same way."""
    journal = MemoryJournal(NOW)
    before = datetime.now(UTC).replace(microsecond=0)
    Recording(journal).cross("tool", "today", {}, lambda: "2026-11-30")
    (entry,) = journal.entries
    assert before <= datetime.fromisoformat(entry["at"]) <= datetime.now(UTC)
    assert entry["took"] >= 0.0
    without = {name: part for name, part in entry.items() if name not in {"at", "took"}}
    for entries in ([entry], [without], [{**entry, "at": "2001-01-01T00:00:00+00:00", "took": 9.0}]):
        assert Replaying(entries).cross("tool", "today", {}, never) == "2026-11-30"
        assert Resuming(entries, Recording(MemoryJournal(NOW))).cross("tool", "today", {}, never) == "2026-11-30"


@pytest.mark.parametrize(
    "error",
    [ToolError("a"), ModelNonsense("a"), ModelDeclined("a"), Declined("a"), Denied("a"), ModelMissing("a"), ConfigError("a")],
)  # fmt: skip
def test_a_failure_is_replayed_as_it_was(error: ArmslengthError) -> None:
    """Class and message come back."""
    journal = MemoryJournal(NOW)

    def fail() -> Plain:
        raise error

    with pytest.raises(type(error)):
        Recording(journal).cross("tool", "x", None, fail)
    with pytest.raises(ArmslengthError) as caught:
        Replaying(journal.entries).cross("tool", "x", None, never)
    assert (type(caught.value), str(caught.value)) == (type(error), "a")


@pytest.mark.parametrize("name", ["ProgramRefused", "KeyboardInterrupt", "ArmslengthErrorX", "annotations", ""])
def test_an_unknown_failure_is_a_tools(name: str) -> None:
    """A journal cannot name a class that has another meaning to the session."""
    entry = {"entry": "crossing", "kind": "tool", "name": "x", "asked": None, "answered": "a", "failed": name}
    with pytest.raises(ToolError) as caught:
        Replaying([entry]).cross("tool", "x", None, never)
    assert str(caught.value) == "a"
    assert not isinstance(caught.value, ProgramRefused)


@pytest.mark.parametrize(("kind", "name", "asked"), [("model", "x", 1), ("tool", "y", 1), ("tool", "x", 2)])
def test_another_question_is_refused(kind: str, name: str, asked: Plain) -> None:
    """Kind, name and what is asked must all be the recorded ones; the refusal stays until the end."""
    replaying = Replaying([{"entry": "crossing", "kind": "tool", "name": "x", "asked": 1, "answered": 2}])
    line = f"the journal does not continue with {kind} {name}; the program or the configuration changed"
    for again in (lambda: replaying.cross(kind, name, asked, never), replaying.finish):
        with pytest.raises(OperatorError) as caught:
            again()
        assert str(caught.value) == line


def test_what_is_left_over_is_refused() -> None:
    """A run that asks for less than was recorded is another run."""
    replaying = Replaying([{"entry": "crossing", "kind": "tool", "name": "x", "asked": 1, "answered": 2}])
    with pytest.raises(OperatorError) as caught:
        replaying.finish()
    assert str(caught.value) == "the run ended where the journal goes on with tool x"


def test_other_decisions_are_refused() -> None:
    """The same questions with other notes are another run."""
    replaying = Replaying([{"entry": "note", "kind": "end", "ending": "done"}])
    replaying.note("end", {"ending": "declined"})
    with pytest.raises(OperatorError) as caught:
        replaying.finish()
    assert str(caught.value) == (
        "the run did not decide what the journal says; the program or the configuration changed"
    )


def test_what_is_started_is_recorded_in_the_order_in_which_it_is_asked_for() -> None:
    """Whatever came first: the answers that were asked for, once each, with all that was let in for them."""
    journal, order = MemoryJournal(NOW), [threading.Event() for _ in range(3)]
    recording = Recording(journal)

    def perform(number: int) -> Callable[[Entrance], Plain]:
        def both(entrance: Entrance) -> Plain:
            order[number].wait(SOON)
            first = entrance.cross("tokens", "x", number, lambda: number)
            second = entrance.cross("model", "x", number, lambda: number * 10)
            if number:
                order[number - 1].set()
            return [first, second]

        return both

    started = [recording.start("x", 3, perform(number)) for number in range(3)]
    order[2].set()
    assert journal.entries == []
    assert [each.answer() for each in (started[1], started[0], started[1])] == [[1, 10], [0, 0], [1, 10]]
    asked = [(entry["kind"], entry["asked"]) for entry in journal.entries]
    assert asked == [("tokens", 1), ("model", 1), ("tokens", 0), ("model", 0)]
    replaying = Replaying(journal.entries)
    again = [replaying.start("x", 3, lambda entrance, n=n: _replayed(entrance, n)) for n in range(3)]  # type: ignore[misc]
    again[0].wait()
    assert [each.answer() for each in (again[1], again[0], again[1])] == [[1, 10], [0, 0], [1, 10]]
    replaying.finish()


def _replayed(entrance: Entrance, number: int) -> Plain:
    return [entrance.cross("tokens", "x", number, never), entrance.cross("model", "x", number, never)]


def test_a_failure_beside_the_program_is_raised_where_it_is_asked_for() -> None:
    """Each time; it is recorded once, and replayed so."""
    journal = MemoryJournal(NOW)

    def fail() -> Plain:
        raise ModelNonsense("a")

    def failing(entrance: Entrance) -> Plain:
        return entrance.cross("model", "x", None, fail)

    for make in (lambda: Recording(journal), lambda: Replaying(journal.entries)):
        started = make().start("x", 1, failing)
        started.wait()
        for _ in range(2):
            with pytest.raises(ModelNonsense, match=r"^a$"):
                started.answer()
    assert [(entry["answered"], entry["failed"]) for entry in journal.entries] == [("a", "ModelNonsense")]


def test_what_was_not_asked_for_before_the_end_is_never_written() -> None:
    """It may end later; the journal may be closed by then."""
    journal, end, is_there = MemoryJournal(NOW), threading.Event(), threading.Event()
    recording = Recording(journal)

    def unnoticed(entrance: Entrance) -> Plain:
        entrance.cross("tool", "unasked", None, lambda: 2)
        return is_there.set()

    early = recording.start("x", 3, lambda entrance: entrance.cross("tool", "early", None, lambda: 1))
    unasked = recording.start("x", 3, unnoticed)
    slow = recording.start("x", 3, lambda entrance: entrance.cross("tool", "slow", None, lambda: end.wait(SOON)))
    assert early.answer() == 1
    assert is_there.wait(SOON)
    recording.close()
    for started in (unasked, slow):
        for ask in (started.wait, started.answer):
            with pytest.raises(OperatorError) as caught:
                ask()
            assert str(caught.value) == "the run has ended, and this was not asked for before; ask again"
    with pytest.raises(OperatorError):
        recording.start("x", 3, lambda entrance: 3)
    end.set()
    assert early.answer() == 1
    assert [entry["name"] for entry in journal.entries] == ["early"]


def test_what_is_waited_for_is_recorded_then() -> None:
    """A change comes after the wait, so what was there before it is known; asking later adds nothing, and a replay goes the same way."""
    journal = MemoryJournal(NOW)
    Recording(journal).note("begun", {"format": 2})
    for make in (lambda: Recording(journal), lambda: Replaying(journal.entries)):
        boundary = make()
        first, second = (
            boundary.start("x", 2, lambda entrance, name=name: entrance.cross("tool", name, None, lambda: name))
            for name in ("a", "b")
        )
        second.wait()
        assert (first.answer(), second.answer()) == ("a", "b")
    assert [entry["name"] for entry in journal.entries if entry["entry"] == "crossing"] == ["b", "a"]


def test_a_journal_of_the_first_format_is_replayed_as_it_was_written() -> None:
    """There nothing was recorded by waiting, and less was said of effects."""
    entries = [
        {"entry": "note", "kind": "begun", "run": "x"},
        {"entry": "note", "kind": "decision", "effect": {"tool": "t"}},
        {"entry": "crossing", "kind": "tool", "name": "a", "asked": None, "answered": 1},
        {"entry": "crossing", "kind": "tool", "name": "b", "asked": None, "answered": 2},
    ]
    replaying = Replaying(entries)
    replaying.note("begun", {"run": "x"})
    replaying.note("decision", {"effect": {"tool": "t", "version": "v"}})
    second = replaying.start("x", 2, lambda entrance: entrance.cross("tool", "b", None, never))
    second.wait()
    assert (replaying.cross("tool", "a", None, never), second.answer()) == (1, 2)
    replaying.finish()


def test_waiting_is_shown_where_there_is_something_to_wait_for() -> None:
    """In the thread that waits, by the lane's name; not for what is there."""
    end, shown = threading.Event(), list[tuple[str, bool]]()

    @contextmanager
    def waiting(lane: str) -> Iterator[None]:
        end.set()
        yield
        shown.append((lane, threading.current_thread() is threading.main_thread()))

    recording = Recording(MemoryJournal(NOW), waiting)
    started = recording.start("quarantined", 1, lambda entrance: end.wait(SOON))
    assert (started.answer(), started.answer(), shown) == (True, True, [("quarantined", True)])


def test_what_is_not_ours_is_not_swallowed() -> None:
    """An interrupt passes, and leaves no entry that would pass for an answer."""
    journal = MemoryJournal(NOW)

    def interrupted() -> Plain:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Recording(journal).cross("tool", "x", None, interrupted)
    assert journal.entries == []
