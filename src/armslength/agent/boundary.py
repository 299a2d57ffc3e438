"""The one boundary: all that comes from outside the controller passes `cross`, and is recorded there.

`Recording` performs and writes down; `Replaying` gives the recorded answers and performs nothing, so a run can be gone through again.
What is started goes on beside the program and is recorded when its answer is first asked for: the program's own order, whatever came
first. What nobody asks for is not recorded.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import armslength.errors as errors_module
from armslength.agent.underway import Lane, Underway
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


_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


class Entrance(Protocol):
    """The way in for answers from outside."""

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """The answer from outside, JSON in and JSON out.

        Raises:
            ArmslengthError: what `perform` raised.
        """
        ...


class Started(Protocol[_T_co]):
    """Something that goes on beside the program."""

    def wait(self) -> None:
        """Until it has ended, however; nothing is recorded by this."""
        ...

    def answer(self) -> _T_co:
        """What it gave. Waits, and records its crossings the first time.

        Raises:
            ArmslengthError: what it raised, each time; or the run has ended meanwhile.
        """
        ...


class Boundary(Entrance, Protocol):
    """The way in, and what the controller itself writes down."""

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Begin something from outside and do not wait. At most `bound` at once go on in one lane of a run.

        `perform` runs in a thread of its own and lets in what it gets by the entrance that it is given.

        Raises:
            OperatorError: no thread is to be had.
        """
        ...

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Write down what the controller did."""
        ...


Waiting = Callable[[str], AbstractContextManager[None]]
"""Around the wait for something in a lane, so that it can be shown."""


def is_not_shown(_lane: str) -> AbstractContextManager[None]:
    """Nobody is told."""
    return nullcontext()


class Recording:
    """Performs each crossing and records it, failures included."""

    def __init__(self, journal: Journal, waiting: Waiting = is_not_shown) -> None:
        """`waiting`: around each wait for what was started, in the thread that waits."""
        self._journal, self._waiting = journal, waiting
        self._lanes: dict[str, Lane] = {}
        self._is_closed = False

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """Perform and record."""
        return _performed(self._journal.crossing, Crossing(kind, name, asked, None), perform)

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Perform in a thread; its crossings are kept aside until the answer is asked for."""
        if self._is_closed:
            raise _ended()
        kept: deque[Crossing] = deque()
        call = Underway(lambda: perform(_Aside(kept)))
        self._lanes.setdefault(lane, Lane(lane, bound)).start(call)

        def wait() -> None:
            if not call.has_ended and not self._is_closed:
                with self._waiting(lane):
                    call.wait()

        def let_in() -> None:
            wait()
            if self._is_closed and (kept or not call.has_ended):
                raise _ended()
            while kept:
                self._journal.crossing(kept[0])
                kept.popleft()

        return _Beside(call, wait, let_in)

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Record."""
        self._journal.note(kind, content)

    def close(self) -> None:
        """The run has ended: what was started and not asked for is given up, and never written down."""
        self._is_closed = True
        for lane in self._lanes.values():
            lane.abandon()


def _ended() -> OperatorError:
    return OperatorError("the run has ended, and this was not asked for before; ask again")


@dataclass(frozen=True, slots=True, eq=False)
class _Beside(Generic[_T]):
    """What was started, until its answer has been let in, and after."""

    call: Underway[_T]
    wait: Callable[[], None]
    let_in: Callable[[], None]

    def answer(self) -> _T:
        """What it gave."""
        self.let_in()
        return self.call.result()


class _Aside:
    """An entrance that keeps its crossings for later."""

    def __init__(self, kept: deque[Crossing]) -> None:
        self._kept = kept

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """Perform and keep."""
        return _performed(self._kept.append, Crossing(kind, name, asked, None), perform)


def _performed(record: Callable[[Crossing], None], asked: Crossing, perform: Callable[[], Plain]) -> Plain:
    try:
        answered = perform()
    except ArmslengthError as error:
        record(replace(asked, answered=str(error), failed=type(error).__name__))
        raise
    record(replace(asked, answered=answered))
    return answered


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

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Nothing begins; what was recorded is gone through when the answer is first asked for."""
        return _Again(self, perform)

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


class _Again(Generic[_T]):
    """What was started once. Its recorded crossings are gone through at the first `answer`, as they were written then."""

    def __init__(self, entrance: Entrance, perform: Callable[[Entrance], _T]) -> None:
        self._call: Underway[_T] = Underway(lambda: perform(entrance))

    def wait(self) -> None:
        """Nothing goes on."""

    def answer(self) -> _T:
        """What it gave."""
        if not self._call.has_ended:
            self._call.run()
        return self._call.result()


_RECORDED = (errors_module.ModelError, errors_module.PolicyError, OperatorError, ToolError)


def _recorded_error(name: str, message: str) -> ArmslengthError:
    kind = getattr(errors_module, name, None)
    if isinstance(kind, type) and issubclass(kind, _RECORDED):
        return kind(message)
    return ToolError(message)
