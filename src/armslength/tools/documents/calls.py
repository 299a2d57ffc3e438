"""What a document's process may ask of the kernel, as a program for seccomp: an allow-list; all else kills the process.

Made here and loaded there, so that the library that makes it is not in that process. Source: seccomp(2), libseccomp.
"""

from __future__ import annotations

import errno
import os
from functools import cache
from types import ModuleType

_ALLOWED = (
    "brk clock_getres clock_gettime close exit exit_group futex getpid getrandom gettid gettimeofday madvise mremap "
    "munmap restart_syscall rt_sigprocmask rt_sigreturn sched_yield time"
).split()
"""Memory, time, chance, its own end."""
_REFUSED = (
    "access faccessat faccessat2 fcntl fstat getcwd getdents getdents64 getrlimit ioctl lseek lstat newfstatat open openat "
    "prlimit64 read readlink readlinkat rt_sigaction sched_getaffinity stat statx sysinfo tgkill uname"
).split()
"""What libraries try and can do without, such as looking for fonts or ending themselves by a signal: these fail with EACCES."""
_PROT_EXEC = 4
_STDOUT = 1


@cache
def call_filter() -> bytes | None:
    """The program for this machine, or None where the extra or libseccomp is missing, or the architecture is none of the two that are known."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):  # the library, or the shared library that it loads
        return None
    if pyseccomp.system_arch() not in (pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64):
        return None
    return filter_for(pyseccomp, pyseccomp.system_arch())


def filter_for(seccomp: ModuleType, architecture: int) -> bytes:
    """The program for an architecture, in the kernel's form. A call that it does not have is left out."""
    made = seccomp.SyscallFilter(seccomp.KILL_PROCESS)
    if architecture != seccomp.system_arch():
        made.add_arch(architecture)
        made.remove_arch(seccomp.system_arch())
    for name in _ALLOWED:
        made.add_rule(seccomp.ALLOW, name)
    for name in _REFUSED:
        made.add_rule(seccomp.ERRNO(errno.EACCES), name)
    made.add_rule(seccomp.ALLOW, "write", seccomp.Arg(0, seccomp.EQ, _STDOUT))
    for name in ("mmap", "mprotect"):  # memory that is not run
        made.add_rule(seccomp.ALLOW, name, seccomp.Arg(2, seccomp.MASKED_EQ, _PROT_EXEC, 0))
    return _exported(made)


def _exported(made: object) -> bytes:
    reading, writing = os.pipe()  # a few kilobytes, which it holds
    with os.fdopen(reading, "rb") as given:
        with os.fdopen(writing, "wb") as taking:
            made.export_bpf(taking)  # type: ignore[attr-defined]
        return given.read()
