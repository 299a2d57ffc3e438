"""What a document's process cannot do, each tried from within it by a program that only these tests start."""

from __future__ import annotations

import ast
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from armslength.tools.documents import process, reading
from armslength.tools.documents.confinement import AT_ONCE, Confinement
from armslength.tools.documents.process import Ended, Job, Walls, carried_out, walls
from armslength.tools.documents.reading import read_document
from armslength.tools.documents.wire import Received, packed

_TRYING = """
import errno, json, os, socket, subprocess, sys, ctypes, mmap, resource
from armslength.tools.documents import child

def tried(content, charset, output):
    given = json.loads(content)
    try:
        found = eval(given["does"])
    except OSError as error:
        found = "refused: " + errno.errorcode.get(error.errno, str(error.errno))
    output.line(str(found))

job = json.loads(child._taken(int.from_bytes(child._taken(4), "big")))
child.run(job, tried)
"""


def around(name: str) -> Walls:
    """The walls by name; both are at hand where the tests run."""
    both = walls()
    assert both.program and both.bubble, "seccomp and bubblewrap are needed for these tests"
    return {
        "both": both,
        "seccomp": Walls(both.program),
        "bubblewrap": Walls(b"", both.bubble),
        "limits": Walls(),
    }[name]


def trying(does: str, within: str, seconds: int = 3, memory: int = 256 * 1024 * 1024) -> Ended:
    """What comes of an expression that is evaluated in a document's process once it is locked."""
    content = json.dumps({"does": does}).encode()
    return carried_out(Job(content, "text", "", Confinement("read", memory, seconds)), around(within), _TRYING)


def said(ended: Ended) -> str:
    """The line that it ended with, or the signal."""
    if ended.signal:
        return signal.Signals(ended.signal).name
    return ended.received.pages[0].text if ended.received.pages else str(ended.received.failure)


KILLED = "SIGSYS"
TRIES: dict[str, tuple[str, dict[str, str]]] = {
    "open a file": (
        "os.open('/etc/passwd', os.O_RDONLY)",
        {"both": "refused: EACCES", "seccomp": "refused: EACCES", "limits": "refused: EMFILE"},
    ),
    "list a folder": (
        "os.listdir('/')",
        {"both": "refused: EACCES", "seccomp": "refused: EACCES", "limits": "refused: EMFILE"},
    ),
    "make a socket": ("socket.socket()", {"both": KILLED, "seccomp": KILLED, "limits": "refused: EMFILE"}),
    "make a pipe": ("os.pipe()", {"both": KILLED, "seccomp": KILLED, "limits": "refused: EMFILE"}),
    "fork": ("os.fork()", {"both": KILLED, "seccomp": KILLED}),
    "start a program": (
        "os.execv('/bin/true', ['true'])",
        {"both": KILLED, "seccomp": KILLED},
    ),
    "remove a file": ("os.unlink('/tmp/there-is-no-such-file')", {"both": KILLED, "seccomp": KILLED}),
    "end another process": ("os.kill(1, 0)", {"both": KILLED, "seccomp": KILLED}),
    "trace its parent": ("ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)", {"both": KILLED, "seccomp": KILLED}),
    "get memory that is run": (
        "mmap.mmap(-1, 4096, prot=mmap.PROT_EXEC | mmap.PROT_READ)",
        {"both": KILLED, "seccomp": KILLED},
    ),
    "write elsewhere than to standard output": ("os.write(2, b'x')", {"both": KILLED, "seccomp": KILLED}),
    "raise its limits": (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))",
        {"both": "refused: EACCES", "seccomp": "refused: EACCES"},
    ),
    "read its environment": (
        "set(os.environ) - {'LC_CTYPE', 'PWD'}",
        dict.fromkeys(("both", "seccomp", "bubblewrap", "limits"), "set()"),
    ),
    "see other processes": ("os.getpid()", {"both": "2"}),
}


@pytest.mark.parametrize(("what", "within"), [(what, name) for what, (_, ends) in TRIES.items() for name in ends])
def test_a_documents_process_cannot(what: str, within: str) -> None:
    """Whoever takes over the reader of a document finds that the kernel refuses it, or ends it there."""
    does, ends = TRIES[what]
    assert said(trying(does, within)) == ends[within]


@pytest.mark.parametrize(("within", "dumpable"), [("limits", 0), ("bubblewrap", 1)])
def test_with_limits_alone_the_main_process_cannot_be_looked_into(within: str, dumpable: int) -> None:
    """Looking into another process takes no file (process_vm_readv), so the limits do not stop it; with a wall, nothing is changed here."""
    program = (
        "import ctypes\n"
        "from armslength.tools.documents.confinement import Confinement\n"
        "from armslength.tools.documents.process import Job, Walls, carried_out\n"
        f"around = Walls(b'', {around(within).bubble!r})\n"
        "carried_out(Job(b'x', 'text', '', Confinement('read')), around)\n"
        f"assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == {dumpable}\n"  # PR_GET_DUMPABLE
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=60, env=dict(os.environ))


def test_what_is_tried_works_where_nothing_is_locked() -> None:
    """The expressions do what they say outside, so that it is the lock that refuses them."""
    os.close(os.open("/etc/passwd", os.O_RDONLY))
    socket.socket().close()
    assert list(Path("/").iterdir())


def test_bubblewrap_alone_leaves_no_files_and_no_network() -> None:
    """Where the kernel's list is missing, the file system holds what Python is loaded from, and the network is empty."""
    assert said(trying("os.path.exists('/etc/passwd')", "bubblewrap")) == "False"
    assert said(trying("[os.path.exists(each) for each in ('/proc', '/home', '/etc/hosts')]", "bubblewrap")) == str(
        [False] * 3
    )
    assert said(trying("os.readlink('/proc/self/ns/net')", "bubblewrap")) == "refused: ENOENT"


@pytest.mark.parametrize("within", ["both", "seccomp", "bubblewrap", "limits"])
def test_memory_is_bounded(within: str) -> None:
    """More than is allowed is not given, whichever walls stand."""
    ended = trying("len(bytearray(300_000_000))", within)
    assert ended.received.failure == "memory"


@pytest.mark.parametrize("within", ["both", "limits"])
def test_processor_time_is_bounded(within: str) -> None:
    """A loop without an end is ended."""
    started = time.monotonic()
    ended = trying("max(0 for _ in iter(int, 1))", within, seconds=1)
    assert not ended.received.is_whole and (ended.is_late or ended.signal in (signal.SIGXCPU, signal.SIGKILL))
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("within", ["both", "limits"])
def test_waiting_is_bounded(within: str) -> None:
    """One that does nothing takes no processor time, and is ended all the same, with what bubblewrap started."""
    mark = f"waits for {os.getpid()} {within}"
    waiting = f"import time\ntime.sleep(60)  # {mark}"
    started = time.monotonic()
    ended = carried_out(Job(b"", "text", "", Confinement("read", seconds=1)), around(within), waiting)
    assert ended.is_late
    assert time.monotonic() - started < 10
    until = time.monotonic() + 5
    while _is_running(mark) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _is_running(mark)


def _is_running(mark: str) -> bool:
    """Whether any process has these words in its command."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended meanwhile
            if mark.encode() in place.read_bytes():
                return True
    return False


def test_a_process_that_says_what_is_no_frame_is_ended() -> None:
    """Its first bytes decide: nothing of them is decoded."""
    shouting = "import os\nwhile True: os.write(1, b'\\xff' * 65536)"
    ended = carried_out(Job(b"", "text", "", Confinement("read")), Walls(), shouting)
    assert ended.is_misfit
    assert ended.received.pages == ()


def test_documents_are_read_from_many_threads() -> None:
    """Processes of several threads do not get into each other's way."""
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda at=at: found.append(read_document(b"number %d" % at).text)) for at in range(6)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(found) == [f"number {at}" for at in range(6)]


def test_so_many_documents_are_read_beside_each_other_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take all the memory that one is allowed, whichever tools read them."""
    now, most, guard = [0], [0], threading.Lock()
    together = threading.Barrier(AT_ONCE)

    def counting(job: Job, _around: Walls) -> Ended:
        with guard:
            now[0] += 1
            most[0] = max(most[0], now[0])
        together.wait(20)
        with guard:
            now[0] -= 1
        received = Received()
        received.take(packed({"locked": True}) + packed({"end": True}))
        return Ended(received)

    monkeypatch.setattr(reading, "carried_out", counting)
    threads = [threading.Thread(target=read_document, args=(b"x",)) for _ in range(3 * AT_ONCE)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert (most[0], now[0]) == (AT_ONCE, 0)


def test_only_tests_start_another_program() -> None:
    """In the package nobody says which program a process of ours runs, so it is always the one that locks itself first."""
    package = Path(process.__file__).parents[2]
    usual = {"carried_out": 2, "Ready": 1}
    callers = [
        (path.name, name)
        for path in package.rglob("*.py")
        if "tools.documents" in path.read_text("utf-8") or path.name == "process.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        if (name := getattr(node.func, "id", getattr(node.func, "attr", ""))) in usual
        if len(node.args) + len(node.keywords) != usual[name]
    ]
    assert callers == []
