"""Who works on a run: a file lock (flock) for each, which goes with the process that holds it. A killed one lets go at once."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from armslength.own_folder import make_own

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_TRIES, _PAUSE = 5, 0.01
"""Whoever looks whether a run is at work holds its lock for an instant; so many times it is tried again, after so many seconds."""


class Leases:
    """A folder of locks, made at the first one. A run on which nobody works has no file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, run: str) -> Lease | None:
        """The lease of a run, None if another process has it.

        Raises:
            OSError: the folder cannot be written.
        """
        for _ in range(_TRIES - 1):
            lease = self._try(run)
            if lease is not None:
                return lease
            time.sleep(_PAUSE)
        return self._try(run)

    def _try(self, run: str) -> Lease | None:
        make_own(self._folder)
        path = self._folder / run
        while True:
            handle = os.open(path, _FLAGS, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return Lease(path, handle)
            os.close(handle)  # whoever had it before removed the file meanwhile

    def is_taken(self, run: str) -> bool:
        """Whether a process works on it."""
        if not (self._folder / run).exists():
            return False
        lease = self._try(run)
        if lease is not None:
            lease.end()
        return lease is None


class Lease:
    """The right to work on a run."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path, self._handle = path, handle

    def confirm(self, *, is_beginning: bool) -> None:
        """The kernel takes no lock from a process that lives."""

    def end(self) -> None:
        """Others may take it; the file goes first, while nobody else can have it."""
        with suppress(FileNotFoundError):
            self._path.unlink()
        os.close(self._handle)
