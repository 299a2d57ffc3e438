"""A run that was cut off goes on: what its journal has is gone through again, and from its end on everything is performed and recorded.

Nothing recorded is performed again. A run that does something else than its journal says has departed: it can neither ask nor note anything
from there on, so nothing of it happens.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from armslength.agent.outside.boundary import Again, Entrance, Recording, Started, recorded_answer
from armslength.errors import CannotResume
from armslength.values import Plain

_T = TypeVar("_T")


class Resuming:
    """The boundary of such a run."""

    def __init__(
        self,
        entries: Iterable[dict[str, Any]],
        recording: Recording,
        told: bool | None = None,  # noqa: FBT001  # three answers
        run: str = "",
    ) -> None:
        """`entries`: of the run (`store.journal.of_the_run`). `told`: what a person found out about the effect in question. `run`: its name."""
        self._left, self._recording = deque(entries), recording
        self._waiting: list[_Later[Any]] = []
        self._departure: CannotResume | None = None
        self._is_beginning = False
        self._told, self._run = told, run

    @property
    def told(self) -> bool | None:
        """What a person found out about it."""
        return self._told

    @property
    def is_unsure(self) -> bool:
        """Whether the journal ended with the beginning of an effect, and nothing was recorded since."""
        return self._is_beginning and not self._left

    @property
    def has_departed(self) -> bool:
        """Whether it would go on otherwise than its journal says; then nothing of it was written."""
        return self._departure is not None

    def cross(self, kind: str, name: str, asked: Plain, perform: Callable[[], Plain]) -> Plain:
        """The recorded answer, or the one that is given now.

        Raises:
            CannotResume: the run departed from its journal.
        """
        if not self._goes_through():
            self._is_beginning = False
            return self._recording.cross(kind, name, asked, perform)
        entry = self._next(kind, name)
        if (entry.get("entry"), entry.get("name"), entry.get("asked")) != ("crossing", name, _as_json(asked)):
            raise self._departed(f"{kind} {name}")
        return recorded_answer(entry)

    def note(self, kind: str, content: dict[str, Any]) -> None:
        """Note it, if it was not noted before.

        Raises:
            CannotResume: the run departed from its journal.
        """
        if not self._goes_through():
            self._recording.note(kind, content)
            return
        if self._next(kind, "") != _as_json({"entry": "note", "kind": kind, **content}):
            raise self._departed(kind)
        self._is_beginning = kind == "started"

    def start(self, lane: str, bound: int, perform: Callable[[Entrance], _T]) -> Started[_T]:
        """Begin it, or go through it again where it was begun before the journal's end."""
        if not self._goes_through():
            return self._recording.start(lane, bound, perform)
        later: _Later[_T] = _Later(self, perform, lambda: self._recording.start(lane, bound, perform))
        self._waiting.append(later)
        return later

    def close(self) -> None:
        """The run has ended, or cannot go on."""
        self._recording.close()

    def _goes_through(self) -> bool:
        if self._departure is not None:
            raise self._departure
        if not self._left:
            self._begin_what_waits()
        return bool(self._left)

    def _begin_what_waits(self) -> None:
        """What was begun and never asked for while the journal lasted goes on beside the program from here."""
        waiting, self._waiting = self._waiting, []
        for later in waiting:
            later.begin()

    def _next(self, kind: str, name: str) -> dict[str, Any]:
        entry = self._left.popleft()
        if entry.get("kind") != kind:
            raise self._departed(f"{kind} {name}".strip())
        self._is_beginning = False
        return entry

    def _departed(self, what: str) -> CannotResume:
        self._departure = CannotResume(
            f"this run would go on otherwise than it began (with {what}): the configuration, the tools or this program changed meanwhile, "
            f"as where a mail account was renamed; undo the change, or end the run: armslength cancel {self._run or 'RUN'}"
        )
        return self._departure


class _Later(Generic[_T]):
    """What was begun while the journal lasted: gone through if it was recorded, else begun when the journal has ended."""

    def __init__(self, entrance: Entrance, perform: Callable[[Entrance], _T], start: Callable[[], Started[_T]]) -> None:
        self._again: Again[_T] = Again(entrance, perform)
        self._start = start
        self._started: Started[_T] | None = None
        self._is_gone_through = False

    def begin(self) -> None:
        """The journal has ended."""
        if not self._is_gone_through and self._started is None:
            self._started = self._start()

    def wait(self) -> None:
        """See Started."""
        self._chosen().wait()

    def answer(self) -> _T:
        """See Started."""
        return self._chosen().answer()

    def _chosen(self) -> Started[_T]:
        if self._started is not None:
            return self._started
        self._is_gone_through = True
        return self._again


def _as_json(given: Any) -> Any:
    return json.loads(json.dumps(given))
