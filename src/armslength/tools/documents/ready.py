"""The other end of `forking`: a program kept ready, which makes a process for each text, and what this process says.

It shares a namespace with what it makes, so it is used only where the kernel's list leaves these no call that reaches another process.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from armslength.deadlines import Deadline
from armslength.tools.documents.forking import ENDED, NEXT, OVER
from armslength.tools.documents.process import Ended, Job, Walls, command, conversed, told
from armslength.tools.documents.wire import Misfit, Received

BEGINNING = "from armslength.tools.documents.forking import main; main()"
_SLOWEST = 10.0  # seconds until it says that a process was ended, or has ended itself


class Ready:
    """Such a program. It takes one text at a time, and is not used again after anything went otherwise than it should."""

    def __init__(self, around: Walls, beginning: str = BEGINNING) -> None:
        """Start it. `beginning`: its program; only tests have another.

        Raises:
            ModuleNotFoundError: what reads pages is not installed.
            OSError: no process can be started.
        """
        self._around = around
        self.is_usable = True
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_SLOWEST)
        with theirs:
            try:
                self._program = _started(command("page", around, beginning, ends_itself=True), theirs)
            except BaseException:
                self._control.close()
                raise

    def read(self, job: Job) -> Ended:
        """Let a process read the text. It is gone when this returns, and this program with it if that cannot be told.

        Raises:
            OSError: it is gone, or the system gives no pipes.
        """
        received = Received()
        is_late = is_misfit = False
        self.is_usable = False
        deadline = Deadline.in_seconds(2 * job.confinement.seconds)
        with ExitStack() as ends:
            taking, given = _pipe(ends)
            said, saying = _pipe(ends)
            socket.send_fds(self._control, [NEXT], [taking.fileno(), saying.fileno()])
            saying.close()  # while it is open here, nobody hears that the process has ended
            try:
                is_late = not conversed(given, said, told(job, self._around), received, deadline)
            except Misfit:
                is_misfit = True
        self._control.sendall(OVER)
        self.is_usable = self._control.recv(1) == ENDED and received.is_locked
        return Ended(received, 0, is_late, is_misfit)

    def end(self) -> None:
        """End it, and whatever it made."""
        self.is_usable = False
        self._control.close()
        try:
            self._program.wait(_SLOWEST)
        except subprocess.TimeoutExpired:
            _end_within(self._program.pid)
            os.killpg(self._program.pid, signal.SIGKILL)
            self._program.wait()

    def forget(self) -> None:
        """In a process that was forked off this one: it is the other one's."""
        self.is_usable = False
        self._control.close()
        self._program.returncode = 0


def _end_within(number: int) -> None:
    """End what a process started: within bubblewrap, the first one of its namespace, with which all others end."""
    with suppress(OSError):
        for each in Path(f"/proc/{number}/task/{number}/children").read_text("ascii").split():
            os.kill(int(each), signal.SIGKILL)


def _pipe(ends: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    """What is read and what is written; both are closed with `ends`."""
    reading, writing = os.pipe()
    return ends.enter_context(os.fdopen(reading, "rb", 0)), ends.enter_context(os.fdopen(writing, "wb", 0))


def _started(words: Sequence[str], control: socket.socket) -> subprocess.Popen[bytes]:
    """A program whose standard input is this socket."""
    return subprocess.Popen(  # noqa: S603  # our own interpreter or bubblewrap, by its place
        words,
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        start_new_session=True,
    )
