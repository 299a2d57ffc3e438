"""One process at a time: what reads a file, changes it and replaces it holds the lock beside it meanwhile."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from armslength.errors import ToolError
from armslength.own_folder import make_own

LONGEST_WAIT = 30.0
"""Seconds. Whoever holds a lock has a few small files to write."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Lock:
    """An exclusive lock (flock) on the file `NAME.lock` beside a file or folder, mode 600; it stays there.

    Whoever holds it may take it again. It goes with the process that holds it.
    """

    def __init__(self, guarded: Path) -> None:
        self._path = guarded.with_name(f"{guarded.name}.lock")
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it during the block.

        Raises:
            ToolError: the lock file cannot be opened, or another process did not let go of it in time.
        """
        with self._threads:
            handle = self._taken() if self._depth == 0 else None
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if handle is not None:
                    os.close(handle)

    def _taken(self) -> int:
        try:
            make_own(self._path.parent)
            handle = os.open(self._path, _FLAGS, 0o600)
        except OSError as error:
            raise ToolError(
                f"{self._path.name} cannot be opened; check the state folder and its permissions"
            ) from error
        try:
            self._wait(handle)
        except BaseException:
            os.close(handle)
            raise
        return handle

    def _wait(self, handle: int) -> None:
        until = time.monotonic() + LONGEST_WAIT
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise ToolError(f"another run holds {self._path.name}; ask again when it has ended") from None
                time.sleep(0.01)
            else:
                return
