"""Calls under way: each in a thread of its own, at most so many at once in one lane, none of them after the run has ended.

Threads are daemons and belong to the calls of one run: a slow one keeps neither the process nor another conversation waiting.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from types import TracebackType
from typing import Any, Generic, TypeVar

from armslength.errors import ConfigError, OperatorError
from armslength.models.base import given_up

_T = TypeVar("_T")


class Underway(Generic[_T]):
    """One call. What it gives or raises is kept, for whoever asks for it as often as he likes.

    It runs in a copy of the context (`contextvars`) in which it was made.
    """

    __slots__ = ("_context", "_ended", "_error", "_is_given_up", "_perform", "_result", "_traceback")

    _result: _T

    def __init__(self, perform: Callable[[], _T]) -> None:
        self._perform = perform
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._traceback: TracebackType | None = None
        self._is_given_up = False
        self._context = copy_context()
        self._context.run(given_up.set, lambda: self._is_given_up)

    @property
    def has_ended(self) -> bool:
        """Whether `result` would not wait."""
        return self._ended.is_set()

    def run(self) -> None:
        """Make the call in this thread. Nothing leaves but by `result`."""
        try:
            self._result = self._context.run(self._perform)
        except BaseException as error:  # noqa: BLE001  # it is raised where it is asked for
            self._error, self._traceback = error, error.__traceback__
        self._ended.set()

    def give_up(self) -> None:
        """Nobody will ask for it any more. Whoever makes the call may look (`given_up`) and leave off."""
        self._is_given_up = True

    def refuse(self) -> None:
        """It has not begun and never will."""
        self._error = OperatorError("the run has ended before this call began; ask again")
        self._ended.set()

    def wait(self) -> None:
        """Until it has ended, however. An interrupt (Ctrl-C) ends the waiting at once."""
        self._ended.wait()

    def result(self) -> _T:
        """What it gave. Waits.

        Raises:
            BaseException: what it raised, each time.
        """
        self._ended.wait()
        if self._error is not None:
            raise self._error.with_traceback(self._traceback)
        return self._result


class Lane:
    """At most `bound` calls at once, the others after them in order. A thread lives as long as there is a call for it.

    Raises:
        ConfigError: the bound lets no call through.
    """

    def __init__(self, name: str, bound: int) -> None:
        if bound < 1:
            raise ConfigError(f"{name}: at_once is {bound}, so no call could be made; set it to 1 or more")
        self._name, self._bound = name, bound
        self._lock = threading.Lock()
        self._waiting: deque[Underway[Any]] = deque()
        self._running: set[Underway[Any]] = set()

    def start(self, call: Underway[Any]) -> None:
        """Make the call as soon as there is room.

        Raises:
            OperatorError: the system gives no further thread.
        """
        with self._lock:
            if len(self._running) >= self._bound:
                self._waiting.append(call)
                return
            self._running.add(call)
        try:
            threading.Thread(target=self._work, args=(call,), name=f"armslength {self._name}", daemon=True).start()
        except RuntimeError:
            with self._lock:
                self._running.discard(call)
            raise OperatorError(
                "this system gives no further thread; end other programs, or ask for less at once"
            ) from None

    def _work(self, first: Underway[Any]) -> None:
        call: Underway[Any] | None = first
        while call is not None:
            call.run()
            call = self._next(call)

    def _next(self, ended: Underway[Any]) -> Underway[Any] | None:
        with self._lock:
            self._running.discard(ended)
            if not self._waiting:
                return None
            call = self._waiting.popleft()
            self._running.add(call)
            return call

    def abandon(self) -> None:
        """What waits is never made; what is under way is given up."""
        with self._lock:
            waiting, running = list(self._waiting), list(self._running)
            self._waiting.clear()
        for call in running:
            call.give_up()
        for call in waiting:
            call.refuse()
