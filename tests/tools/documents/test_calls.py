"""The kernel's allow-list: what it lets through, on both architectures."""

from __future__ import annotations

import errno
import struct

import pyseccomp
import pytest

from armslength.tools.documents.calls import call_filter, filter_for

ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
KILL, ALLOW, REFUSE = pyseccomp.KILL_PROCESS, pyseccomp.ALLOW, pyseccomp.ERRNO(errno.EACCES)
# asm/unistd_64.h and asm-generic/unistd.h
NUMBERS = {
    "x86_64": {"write": 1, "mmap": 9, "mprotect": 10, "openat": 257, "socket": 41, "clone": 56, "execve": 59, "io_uring_setup": 425},
    "aarch64": {"write": 64, "mmap": 222, "mprotect": 226, "openat": 56, "socket": 198, "clone": 220, "execve": 221, "io_uring_setup": 425},
}  # fmt: skip


def answer(program: bytes, architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What a program for seccomp says of a call: classic BPF, interpreted (linux/filter.h)."""
    filled = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("<iIQ6Q", number, architecture, 0, *filled)
    instructions = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = 0
    while True:
        code, is_true, is_false, k = instructions[at]
        at += 1
        match code:
            case 0x20:  # load a word
                (accumulator,) = struct.unpack_from("<I", data, k)
            case 0x54:  # and
                accumulator &= k
            case 0x05:  # jump
                at += k
            case 0x15:  # equal
                at += is_true if accumulator == k else is_false
            case 0x25:  # greater
                at += is_true if accumulator > k else is_false
            case 0x35:  # greater or equal
                at += is_true if accumulator >= k else is_false
            case 0x06:  # return
                return k
            case _:
                raise AssertionError(hex(code))


@pytest.mark.parametrize("named", ARCHITECTURES)
@pytest.mark.parametrize(
    ("call", "arguments", "said"),
    [
        ("write", (1,), ALLOW),
        ("write", (2,), KILL),
        ("write", (1 << 32 | 1,), KILL),
        ("mmap", (0, 4096, 3), ALLOW),
        ("mmap", (0, 4096, 7), KILL),
        ("mprotect", (0, 4096, 1), ALLOW),
        ("mprotect", (0, 4096, 5), KILL),
        ("openat", (), REFUSE),
        ("socket", (), KILL),
        ("clone", (), KILL),
        ("execve", (), KILL),
        ("io_uring_setup", (), KILL),
    ],
)
def test_a_call_is_allowed_refused_or_the_end(named: str, call: str, arguments: tuple[int, ...], said: int) -> None:
    """What is not listed kills, and what is listed is so with these arguments alone."""
    architecture = ARCHITECTURES[named]
    assert answer(filter_for(pyseccomp, architecture), architecture, NUMBERS[named][call], arguments) == said


@pytest.mark.parametrize("named", ARCHITECTURES)
def test_calls_of_another_architecture_are_the_end(named: str) -> None:
    """Numbers mean something else there: 32-bit calls on a 64-bit kernel, and x32."""
    program = filter_for(pyseccomp, ARCHITECTURES[named])
    assert answer(program, pyseccomp.Arch.X86, 1, (1,)) in (KILL, pyseccomp.KILL_THREAD)
    if named == "x86_64":
        assert answer(program, ARCHITECTURES[named], 0x40000001, (1,)) in (KILL, pyseccomp.KILL_THREAD)


def test_no_number_beyond_the_lists_is_allowed() -> None:
    """Of the first thousand calls exactly the listed ones pass."""
    program = filter_for(pyseccomp, pyseccomp.Arch.X86_64)
    allowed = {number for number in range(1_000) if answer(program, pyseccomp.Arch.X86_64, number, (9,) * 6) == ALLOW}
    names = (
        "brk clock_getres clock_gettime close exit exit_group futex getpid getrandom gettid gettimeofday madvise mremap munmap "
        "restart_syscall rt_sigprocmask rt_sigreturn sched_yield time mmap mprotect"
    )
    assert allowed == {pyseccomp.resolve_syscall(pyseccomp.Arch.X86_64, name) for name in names.split()}


def test_the_filter_of_this_machine_is_made_once() -> None:
    """It depends on nothing but the machine."""
    assert call_filter() is call_filter()
    assert call_filter() == filter_for(pyseccomp, pyseccomp.system_arch())
