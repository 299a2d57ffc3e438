"""The one boundary: all that comes from outside the controller passes `cross`, and is recorded there.

`Recording` performs and writes down; `Replaying` gives the recorded answers and performs nothing, so a run can be gone through again.
What is started goes on beside the program and is recorded when its answer is first asked for, or when a change has to wait for it: the
program's own order, whatever came first. What nobody asks or waits for is not recorded.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, Protocol, TypeVar

import armslength.errors as errors_module
from armslength.agent.outside.underway import Lane, Underway
from armslength.agent.outside.watching import Unwatched, Watch, Watched
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

    def waits(self) -> None:
        """A person is asked now."""
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
        """Until it has ended, however. Its crossings are recorded, so that a run that goes on later knows what was there before a change."""
        ...

    def answer(self) -> _T_co:
        """What it gave. Waits, and records its crossings the first time, if `wait` has not.

        Raises:
            ArmslengthError: what it raised, each time; or the run has ended meanwhile.
        """
        ...


class Boundary(Entrance, Protocol):
    """The way in, and what the controller itself writes down."""

    @property
    def is_unsure(self) -> bool:
        """Whether what was noted last is the beginning of an effect whose end was lost when the run was cut off."""
        ...

    @property
    def told(self) -> bool | None:
        """Whether a person says that this effect got done; None where nobody was asked."""
        ...

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

    def __init__(self, journal: Journal, waiting: Waiting = is_not_shown, watch: Watch | None = None) -> None:
        """`waiting`: around each wait for what was started, in the thread that waits. `watch`: who is told that something goes on."""
        self._journal, self._waiting = journal, waiting
        self._watched = Watched(watch or Unwatched())
        self._lanes: dict[str, Lane] = {}
        self._is_closed = False

    @property
    def is_unsure(self) -> bool:
        """All of this run was seen from its beginning."""
        return False

    @property
    def told(self) -> None:
        """Nobody was asked."""

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """Perform and record."""
        if kind == "approval":
            self._journal.waits()
        watched = self._watched
        return _performed(
            self._journal.crossing,
            Crossing(kind, name, asked, None),
            lambda: watched.performed(kind, name, perform),
        )

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Perform in a thread; its crossings are kept aside until the answer is asked for."""
        if self._is_closed:
            raise _ended()
        kept: deque[Crossing] = deque()
        call = Underway(lambda: perform(_Aside(kept, self._watched)))
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

        return _Beside(call, let_in)

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Record."""
        self._journal.note(kind, content)
        self._watched.noted(kind, content)

    def close(self) -> None:
        """The run has ended: what was started and not asked for is given up, and never written down."""
        self._is_closed = True
        for lane in self._lanes.values():
            lane.abandon()
        self._watched.close()


def _ended() -> OperatorError:
    return OperatorError("the run has ended, and this was not asked for before; ask again")


@dataclass(frozen=True, slots=True, eq=False)
class _Beside(Generic[_T]):
    """What was started, until its answer has been let in, and after."""

    call: Underway[_T]
    let_in: Callable[[], None]

    def wait(self) -> None:
        """Until it has ended."""
        self.let_in()

    def answer(self) -> _T:
        """What it gave."""
        self.let_in()
        return self.call.result()


class _Aside:
    """An entrance that keeps its crossings for later."""

    def __init__(self, kept: deque[Crossing], watched: Watched) -> None:
        self._kept, self._watched = kept, watched

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """Perform and keep."""
        watched = self._watched
        return _performed(
            self._kept.append,
            Crossing(kind, name, asked, None),
            lambda: watched.performed(kind, name, perform, is_aside=True),
        )


def _performed(record: Callable[[Crossing], None], asked: Crossing, perform: Callable[[], Plain]) -> Plain:
    """The answer, written down with its time. No label and no comparison looks at that; it is for whoever reads the journal."""
    begun, at = time.monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds")

    def timed(answered: Plain, failed: str | None = None) -> Crossing:
        return replace(asked, answered=answered, failed=failed, at=at, took=round(time.monotonic() - begun, 3))

    try:
        answered = perform()
    except ArmslengthError as error:
        record(timed(str(error), type(error).__name__))
        raise
    record(timed(answered))
    return answered


class Replaying:
    """Gives what a journal recorded, in order, and performs nothing."""

    def __init__(self, entries: Iterable[dict[str, Any]]) -> None:
        """`entries` of a journal, without what is about the run (`store.journal.of_the_run`)."""
        listed = list(entries)
        begun = next((entry for entry in listed if entry.get("kind") == "begun"), {})
        self._is_first_format = begun.get("format", 1) == 1
        self._crossings = iter([entry for entry in listed if entry.get("entry") == "crossing"])
        self._recorded_notes = [entry for entry in listed if entry.get("entry") == "note"]
        self._departure: OperatorError | None = None
        self.notes: list[dict[str, Any]] = []

    @property
    def is_unsure(self) -> bool:
        """A journal that ends there is not replayed to an end."""
        return False

    @property
    def told(self) -> None:
        """Nobody was asked."""

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
        return recorded_answer(entry)

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Nothing begins; what was recorded is gone through when the answer is first asked for."""
        return Again(self, perform, waits=not self._is_first_format)

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
        made = json.loads(json.dumps(self.notes))
        if not (_says_all_of(made, self._recorded_notes) if self._is_first_format else made == self._recorded_notes):
            raise OperatorError(
                "the run did not decide what the journal says; the program or the configuration changed"
            )


def _says_all_of(made: Any, recorded: Any) -> bool:
    """What was recorded is there. Of earlier journals: now more is said of an effect."""
    match made, recorded:
        case dict(), dict():
            return all(name in made and _says_all_of(made[name], part) for name, part in recorded.items())
        case list(), list():
            return len(made) == len(recorded) and all(map(_says_all_of, made, recorded))
        case _:
            return bool(made == recorded)


class Again(Generic[_T]):
    """What was started once. Its recorded crossings are gone through at the first `wait` or `answer`, as they were written then."""

    def __init__(self, entrance: Entrance, perform: Callable[[Entrance], _T], *, waits: bool = True) -> None:
        """`waits`: whether they were written when it was waited for, too."""
        self._call: Underway[_T] = Underway(lambda: perform(entrance))
        self._waits = waits

    def wait(self) -> None:
        """Nothing goes on; what was recorded by waiting is gone through."""
        if self._waits:
            self._go_through()

    def answer(self) -> _T:
        """What it gave."""
        self._go_through()
        return self._call.result()

    def _go_through(self) -> None:
        if not self._call.has_ended:
            self._call.run()


def recorded_answer(entry: dict[str, Any]) -> Plain:
    """What a crossing brought.

    Raises:
        ArmslengthError: what it failed with.
    """
    if "failed" in entry:
        raise _recorded_error(entry["failed"], str(entry["answered"]))
    answered: Plain = entry["answered"]
    return answered


_RECORDED = (errors_module.ModelError, errors_module.PolicyError, OperatorError, ToolError)


def _recorded_error(name: str, message: str) -> ArmslengthError:
    kind = getattr(errors_module, name, None)
    if isinstance(kind, type) and issubclass(kind, _RECORDED):
        return kind(message)
    return ToolError(message)
