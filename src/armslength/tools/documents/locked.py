"""The process locks itself: limits, no new rights, and the kernel's allow-list. Nothing of a document was looked at before.

Source: prctl(2), seccomp(2), setrlimit(2).
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_DUMPABLE = 1, 38, 22, 4
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION = 8  # bytes


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def lock(memory: int, seconds: int, program: bytes) -> None:
    """Limits of memory (bytes) and processor time (seconds), no files, processes or cores; then the filter, if there is one.

    Raises:
        OSError: the kernel refuses any of it; nothing is to be read then.
    """
    for which, bound in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (bound, bound))
    if sys.platform == "linux":
        _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _control(_PR_SET_DUMPABLE, 0)
        _control(_PR_SET_NO_NEW_PRIVS, 1)
        if program:
            given = _Program(len(program) // _INSTRUCTION, program)
            _control(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(given))


def keep_apart() -> None:
    """Nobody but root may look into this process or write there: none of those that it makes. It leaves no core then, and no debugger attaches.

    Raises:
        OSError: the kernel refuses it.
    """
    if sys.platform == "linux":
        _control(_PR_SET_DUMPABLE, 0)


def _control(option: int, argument: int, more: int = 0) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(argument), ctypes.c_ulong(more), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
