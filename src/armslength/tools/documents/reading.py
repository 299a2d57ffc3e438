"""A document read: the one function through which bytes of a document become text. Nothing of them is parsed in this process."""

from __future__ import annotations

import signal
import threading

from armslength.errors import ToolError
from armslength.installing import install_command
from armslength.tools.documents.confinement import AT_ONCE, MOST_BYTES, USUAL, Confinement
from armslength.tools.documents.document import Document, Kind
from armslength.tools.documents.kinds import charset_of, kind_of
from armslength.tools.documents.process import Ended, Job, carried_out, walls
from armslength.tools.documents.wire import Failure

_NAMES: dict[Kind, str] = {"pdf": "PDF", "docx": "DOCX", "html": "HTML", "csv": "CSV", "text": "text"}


def read_document(content: bytes, declared: str = "", confinement: Confinement = USUAL, name: str = "") -> Document:
    """The text of a document, by what its bytes are. Blocks until it is read, at most twice `confinement.seconds` once it is its turn.

    `declared`: a media type or a file name, others' word: it only tells kinds of plain text apart. `name`: what errors call it.

    Raises:
        ToolError: in one line without words of the document, but for its name: it is too large, of no kind that is read, encrypted, damaged, or took too much.
    """
    called = name if name and name.isprintable() and len(name) <= _LONGEST_NAME else "document"
    if len(content) > MOST_BYTES:
        raise ToolError(f"{called}: it is over the limit of {MOST_BYTES:,} bytes")
    kind = kind_of(content, declared)
    try:
        around = walls()
        if around.are_none and confinement.without == "refuse":
            raise ToolError(f"{called}: {NO_WALLS}")
        with _TURNS:
            ended = carried_out(Job(content, kind, charset_of(content, declared), confinement), around)
    except ModuleNotFoundError as error:
        raise ToolError(
            f"{called}: the extra documents is not installed; install it with: {install_command('documents')}"
        ) from error
    except OSError as error:
        raise ToolError(f"{called}: no process can be started for it: {error.strerror}") from error
    return _document(kind, ended, confinement, called)


_LONGEST_NAME = 100
_TURNS = threading.BoundedSemaphore(AT_ONCE)

NO_WALLS = (
    "nothing confines the process that reads documents, so none is read; install bubblewrap (bwrap), or the extra documents on a system "
    'with libseccomp, or set documents.without_sandbox = "read"'
)


def are_confined() -> bool:
    """Whether anything but limits confines a document's process on this machine."""
    return not walls().are_none


def sandbox_line(confinement: Confinement = USUAL) -> str:
    """What confines a document's process on this machine, in one line for a person."""
    around = walls()
    if around.are_none:
        return f"{NO_WALLS}; {_PAGES_BARE}" if confinement.without == "refuse" else _LIMITS_ALONE
    there = [name for name, is_there in (("seccomp", around.program), ("bubblewrap", around.bubble)) if is_there]
    missing = "" if len(there) == 2 else "; " + ("bubblewrap" if around.program else "seccomp") + " is not at hand"
    return f"read in a process within {' and '.join(there)}{missing}"


_PAGES_BARE = "HTML of mails and pages is read without its structure, so hidden text is not marked"
_LIMITS_ALONE = (
    "read in a process that only limits of memory, time and open files confine: whoever wrote a document that takes its reader over acts as "
    "you on this machine; install bubblewrap (bwrap), or the extra documents on a system with libseccomp"
)


def _document(kind: Kind, ended: Ended, confinement: Confinement, called: str) -> Document:
    received = ended.received
    if received.failure is not None:
        raise ToolError(f"{called}: {_FAILED[received.failure].format(kind=_NAMES[kind])}")
    if not received.is_whole or ended.is_misfit:
        raise ToolError(f"{called}: {_why(kind, ended, confinement)}")
    return Document(kind, received.pages, tuple(received.notes))


_FAILED: dict[Failure, str] = {
    "damaged": "it cannot be read as {kind}: it is damaged or cut off",
    "encrypted": "it is encrypted; save it without a password and ask again",
    "entities": "its XML declares types or entities, which no {kind} needs, so it is not read",
    "expands": "it unpacks to more than is read",
    "memory": "reading it takes more memory than is allowed",
    "other archive": "an archive that is no DOCX; PDF, DOCX, HTML, CSV and plain text are read",
    "twice": "it holds two files of one name, so programs would read different ones; it is not read",
    "too deep": "it is nested too deeply to be read",
}


def _why(kind: Kind, ended: Ended, confinement: Confinement) -> str:
    """What ended a process that did not say that it had read all."""
    if ended.is_misfit:
        return "the process that read it said what is no text of a document, so nothing of it is taken"
    if ended.is_late or ended.signal in (signal.SIGXCPU, signal.SIGKILL):
        return f"reading it takes more than {confinement.seconds} seconds"
    if ended.signal == signal.SIGSYS:
        return "the process that read it asked the system for what reading needs not, and was ended"
    if not ended.received.is_locked:
        return "the process that reads documents did not start; armslength config says what confines it"
    return f"the reader of {_NAMES[kind]} stopped on it: it is damaged, or needs more memory than is allowed"
