"""A document's process, started, fed, heard and ended. One process a document, by `posix_spawn` or its like: never a fork of this one's threads.

Its environment is empty, its errors go nowhere, and nothing but its frames is taken from it.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import sysconfig
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal

from armslength.deadlines import Deadline
from armslength.tools.documents.bubble import bubblewrap, wrapped
from armslength.tools.documents.calls import call_filter
from armslength.tools.documents.confinement import Confinement
from armslength.tools.documents.document import Kind
from armslength.tools.documents.locked import keep_apart
from armslength.tools.documents.wire import HEAD, Misfit, Received

_HERE = Path(__file__).parents[2]  # the package
Form = Kind | Literal["page"]
"""What a process reads: a document of a kind, or HTML of a page or mail, whose character set is known."""
LIBRARIES: dict[Form, tuple[str, ...]] = {
    "pdf": ("pypdfium2_raw",),
    "docx": (),
    "html": ("selectolax",),
    "csv": (),
    "text": (),
    "page": ("selectolax",),
}
"""What reads each kind, beside this package and the standard library."""
_WHERE_INSTALLED: dict[Form, tuple[str, ...]] = {"page": ("ada_url", "_cffi_backend")}
"""And what is used where it is there: the addresses of links."""
BEGINNING = "from armslength.tools.documents.child import main; main()"
_PART = 1 << 16
_TRIALS = 3


@dataclass(frozen=True, slots=True)
class Walls:
    """What stands around the process: the kernel's allow-list, as a program, and bubblewrap, by its place."""

    program: bytes = b""
    bubble: str = ""

    @property
    def are_none(self) -> bool:
        """Limits of memory, time and files are all there is."""
        return not self.program and not self.bubble


@dataclass(frozen=True, slots=True)
class Job:
    """One document. `charset`: as it is declared, if it is."""

    content: bytes
    kind: Form
    charset: str
    confinement: Confinement


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a process. `signal`: what ended it; `is_late`: it was ended here, for time; `is_misfit`: for what it said."""

    received: Received
    signal: int = 0
    is_late: bool = False
    is_misfit: bool = False


@cache
def walls() -> Walls:
    """What is at hand on this machine and works: bubblewrap is tried on an empty text, a few times, since a busy machine may end a trial."""
    program, place = call_filter() or b"", bubblewrap()
    if place is None:
        return Walls(program)
    around = Walls(program, place)
    works = any(carried_out(Job(b"", "text", "", Confinement()), around).received.is_whole for _ in range(_TRIALS))
    return around if works else Walls(program)


def carried_out(job: Job, around: Walls, beginning: str = BEGINNING) -> Ended:
    """Let a process read the document. It is gone when this returns. `beginning`: its program; only tests have another.

    Raises:
        OSError: no process can be started.
    """
    if (
        around.are_none and sys.platform == "linux"
    ):  # else the process may not look into this one anyway, or does not see it
        keep_apart()
    running = subprocess.Popen(  # noqa: S603  # our own interpreter or bubblewrap, by its place
        command(job.kind, around, beginning),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        start_new_session=True,
    )
    received = Received()
    deadline = Deadline.in_seconds(2 * job.confinement.seconds)
    is_late = is_misfit = False
    try:
        is_late = not conversed(_pipe(running.stdin), _pipe(running.stdout), told(job, around), received, deadline)
    except Misfit:
        is_misfit = True
    finally:
        is_ended = _ended_by_itself(running, is_late=is_late or is_misfit)
    return Ended(received, 0 if is_ended is None else max(-is_ended, is_ended - 128, 0), is_late, is_misfit)


def command(kind: Form, around: Walls, beginning: str, *, ends_itself: bool = False) -> list[str]:
    """What starts it. `ends_itself`: see `bubble.wrapped`. Without `site`: no file of an environment is run, and modules come from the places that are named here.

    Raises:
        ModuleNotFoundError: what reads this kind is not installed.
    """
    python = os.path.realpath(sys.executable)
    found = [_place(name) for name in LIBRARIES[kind]]
    for name in _WHERE_INSTALLED.get(kind, ()):
        with suppress(ModuleNotFoundError):
            found.append(_place(name))
    roots = dict.fromkeys([str(_HERE.parent), *(str(place.parent) for place in found)])
    words = [python, "-I", "-S", "-c", f"import sys; sys.path[:0] = sys.argv[1:]; {beginning}", *roots]
    if not around.bubble:
        return words
    standard = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    shared = [Path(sys.base_prefix) / "lib"] if sys.base_prefix not in ("/", "/usr") else []
    needed = [Path(python), *standard, *shared, _HERE, *found]
    return wrapped(around.bubble, words, needed, ends_itself=ends_itself)


def _place(name: str) -> Path:
    """The folder of an installed package, or the file of a module that has none.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed", name=name)
    place = Path(spec.origin)
    return place if spec.submodule_search_locations is None else place.parent


def told(job: Job, around: Walls) -> bytes:
    """What a process is told: how it is confined, then what it is to read."""
    head = {
        "kind": job.kind,
        "charset": job.charset,
        "memory": job.confinement.memory,
        "seconds": job.confinement.seconds,
        "program": len(around.program),
        "length": len(job.content),
    }
    first = json.dumps(head).encode()
    return HEAD.pack(len(first)) + first + around.program + job.content


def conversed(given: IO[bytes], said: IO[bytes], words: bytes, received: Received, deadline: Deadline) -> bool:
    """Give it what it is told and hear what it says, until it has said all or the time is up.

    Raises:
        Misfit: what it says is no frame.
    """
    rest = memoryview(words)
    with suppress(TimeoutError), selectors.DefaultSelector() as ready:
        for pipe, event in ((given, selectors.EVENT_WRITE), (said, selectors.EVENT_READ)):
            os.set_blocking(pipe.fileno(), False)
            ready.register(pipe, event)
        while True:
            for key, _ in ready.select(deadline.left()):
                if key.fileobj is given:
                    rest = _fed(given, rest)
                    if not rest:
                        ready.unregister(given)
                        given.close()
                elif part := os.read(said.fileno(), _PART):
                    received.take(part)
                else:
                    return True
    return False


def _fed(pipe: IO[bytes], rest: memoryview) -> memoryview:
    try:
        return rest[os.write(pipe.fileno(), rest[:_PART]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:  # it ended before it took all
        return rest[:0]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise OSError("a process without pipes")
    return pipe


def _ended_by_itself(running: subprocess.Popen[bytes], *, is_late: bool) -> int | None:
    """Its exit code if it ended by itself; it is ended where it did not, and collected."""
    for pipe in (running.stdin, running.stdout):
        if pipe is not None:
            pipe.close()
    try:
        code = None if is_late else running.wait(1)
    except subprocess.TimeoutExpired:
        code = None
    if code is None:
        running.send_signal(signal.SIGKILL)
        running.wait()
    return code
