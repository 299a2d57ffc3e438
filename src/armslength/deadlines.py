"""When something has to be done by, all together: what a server sends now and then does not make it later."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """When, in seconds of the monotonic clock."""

    at: float

    @staticmethod
    def in_seconds(seconds: float) -> Deadline:
        """So long from now."""
        return Deadline(time.monotonic() + seconds)

    def left(self) -> float:
        """The seconds that are left.

        Raises:
            TimeoutError: none.
        """
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class Line:
    """A network connection that another thread can end in the middle of anything: the time of a read counts from byte to byte."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.is_cut = False
        """Whether it was ended so, in the latest `ended_after` or at all."""

    def hold(self, made: socket.socket) -> None:
        """This is the connection from here on.

        Raises:
            TimeoutError: its time was over before it was made; it is closed.
        """
        with self._lock:
            if not self.is_cut:
                self._socket = made
                return
        made.close()
        raise TimeoutError

    def cut(self) -> None:
        """End it. What waits on it fails, and what is connected later is not used."""
        with self._lock:
            self._cut()

    def _cut(self) -> None:
        self.is_cut = True
        if self._socket is not None:
            # Not the method of a TLS socket, which would go on unencrypted in the other thread.
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def ended_after(self, seconds: float) -> Iterator[None]:
        """In the block it ends after so long; after the block it does not."""
        self.is_cut, is_over = False, False

        def cut() -> None:
            with self._lock:
                if not is_over:
                    self._cut()

        timer = threading.Timer(seconds, cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                is_over = True
