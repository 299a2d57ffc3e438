"""The one boundary: all that comes from outside the controller passes `cross`, and is recorded there.

`Recording` performs and writes down; `Replaying` gives the recorded answers and performs nothing, so a run can be gone through again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import armslength.errors as errors_module
from armslength.errors import ArmslengthError, OperatorError, ToolError
from armslength.events import Crossing
from armslength.values import Plain


class Journal(Protocol):
    """Where crossings and notes are written down."""

    def crossing(self, crossed: Crossing) -> None:
        """Write down what came from outside."""
        ...

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Write down what the controller did."""
        ...


class Boundary(Protocol):
    """The way in for answers from outside."""

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """The answer from outside, JSON in and JSON out.

        Raises:
            ArmslengthError: what `perform` raised.
        """
        ...

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Write down what the controller did."""
        ...


class Recording:
    """Performs each crossing and records it, failures included."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """Perform and record."""
        try:
            answered = perform()
        except ArmslengthError as error:
            self._journal.crossing(Crossing(kind, name, asked, str(error), type(error).__name__))
            raise
        self._journal.crossing(Crossing(kind, name, asked, answered))
        return answered

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Record."""
        self._journal.note(kind, content)


class Replaying:
    """Gives what a journal recorded, in order, and performs nothing."""

    def __init__(self, entries: Iterable[dict[str, Any]]) -> None:
        """`entries` of a journal, as `store.journal.read_journal` gives them."""
        listed = list(entries)
        self._crossings = iter([entry for entry in listed if entry.get("entry") == "crossing"])
        self._recorded_notes = [entry for entry in listed if entry.get("entry") == "note"]
        self._departure: OperatorError | None = None
        self.notes: list[dict[str, Any]] = []

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """The recorded answer.

        Raises:
            OperatorError: the run asks for something else than it did when it was recorded.
        """
        entry = next(self._crossings, None)
        if entry is None or (entry["kind"], entry["name"], entry["asked"]) != (kind, name, asked):
            self._departure = OperatorError(
                f"the journal does not continue with {kind} {name}; the program or the configuration changed"
            )
            raise self._departure
        if "failed" in entry:
            raise _recorded_error(entry["failed"], str(entry["answered"]))
        answered: Plain = entry["answered"]
        return answered

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Keep it for whoever compares."""
        self.notes.append({"entry": "note", "kind": kind, **content})

    def finish(self) -> None:
        """The run has ended: it asked for all that was recorded, and did what it did then.

        Raises:
            OperatorError: it did not.
        """
        if self._departure is not None:
            raise self._departure
        left = next(self._crossings, None)
        if left is not None:
            raise OperatorError(f"the run ended where the journal goes on with {left['kind']} {left['name']}")
        if json.dumps(self.notes, sort_keys=True) != json.dumps(self._recorded_notes, sort_keys=True):
            raise OperatorError(
                "the run did not decide what the journal says; the program or the configuration changed"
            )


_RECORDED = (errors_module.ModelError, errors_module.PolicyError, OperatorError, ToolError)


def _recorded_error(name: str, message: str) -> ArmslengthError:
    kind = getattr(errors_module, name, None)
    if isinstance(kind, type) and issubclass(kind, _RECORDED):
        return kind(message)
    return ToolError(message)
