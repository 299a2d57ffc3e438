"""Which lines of the language ran one after the other: what guides the fuzzer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import armslength.language

_OURS = str(Path(armslength.language.__file__).parent)

STALE, EVERY = 30, 64
"""Code that was entered so often without anything new is looked at only every so many times: tracing is what takes the time."""

Arc = tuple[CodeType, int, int]
Local = Callable[[FrameType, str, Any], Any]


class Arcs:
    """The arcs that were ever seen, and those of the program that is being watched."""

    def __init__(self) -> None:
        self.seen: set[Arc] = set()
        self.new: set[Arc] = set()
        self._entries: dict[CodeType, int] = {}
        """How often each code of ours was entered since it did something new; -1 for that of others."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Run something; `new` is then what it reached first."""
        self.new = set()
        before = sys.gettrace()
        sys.settrace(self._entered)
        try:
            yield
        finally:
            sys.settrace(before)
            self.seen |= self.new

    def _entered(self, frame: FrameType, event: str, argument: Any) -> Local | None:
        code = frame.f_code
        entries = self._entries.get(code)
        if entries is None:
            entries = 0 if code.co_filename.startswith(_OURS) else -1
        if entries < 0:
            self._entries[code] = -1
            return None
        self._entries[code] = entries + 1
        return self._follower(code) if entries < STALE or entries % EVERY == 0 else None

    def _follower(self, code: CodeType) -> Local:
        previous, seen, new = 0, self.seen, self.new

        def follow(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal previous
            if event == "line":
                arc = (code, previous, frame.f_lineno)
                previous = frame.f_lineno
                if arc not in seen and arc not in new:
                    new.add(arc)
                    self._entries[code] = 0
            return follow

        return follow
