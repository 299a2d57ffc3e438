"""The program that is kept ready for pages: it has imported what reads them, and for each text that is to be read it makes a process that does.

It is handed the two ends that this process reads and writes, and never what goes through them: nothing that anybody wrote is in its memory, so
no process that it makes finds there what another one was given. One at a time; it ends each. Started by `ready` alone.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from armslength.tools.documents import child, locked

_INPUT, _OUTPUT = 0, 1
_FURTHEST = 256  # of what is open here, which is a handful
NEXT, OVER, ENDED = b"n", b"o", b"e"
"""What is said on standard input, a socket: here are two ends, that was all, and in answer to it: the process is gone."""


def main() -> NoReturn:
    """Make processes until nobody asks for one any more."""
    import_module("armslength.tools.documents.markup")
    with suppress(ImportError):  # only what reads links of the web needs it
        import_module("ada_url")
    locked.keep_apart()
    gc.freeze()
    control = socket.socket(fileno=_INPUT)
    while True:
        said, ends, _, _ = socket.recv_fds(control, 1, 2)
        if said != NEXT or len(ends) != 2:
            os._exit(0)
        made = _made(ends)
        for end in ends:
            os.close(end)
        said = control.recv(1)  # nothing where nobody is there any more
        if made:
            os.kill(made, signal.SIGKILL)
            os.waitpid(made, 0)
        if said != OVER:
            os._exit(0)
        control.sendall(ENDED)


def _made(ends: list[int]) -> int:
    """The number of a process that reads one text, 0 where the system gives none."""
    try:
        made = os.fork()
    except OSError:
        return 0
    if made:
        return made
    try:
        os.dup2(ends[0], _INPUT)
        os.dup2(ends[1], _OUTPUT)
        os.closerange(_OUTPUT + 1, _FURTHEST)
        child.main()
    finally:
        os._exit(1)
