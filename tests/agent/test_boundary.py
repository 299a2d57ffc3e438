"""The one boundary: what is recorded, and what a replay gives back or refuses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from armslength.agent.boundary import Recording, Replaying
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


def test_what_is_not_ours_is_not_swallowed() -> None:
    """An interrupt passes, and leaves no entry that would pass for an answer."""
    journal = MemoryJournal(NOW)

    def interrupted() -> Plain:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Recording(journal).cross("tool", "x", None, interrupted)
    assert journal.entries == []
