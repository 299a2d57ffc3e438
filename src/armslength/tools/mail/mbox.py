"""One mbox file, read only, with a Maildir beside it for the folders that we write.

A message begins at a `From ` line at the start of the file or after an empty line. Writers that do not quote such lines
in bodies let a sender begin a message of his own, with any header he likes: `kind` is "mbox" so that callers can refuse
to believe Authentication-Results there. Source: RFC 4155; `>From ` is unquoted as in mboxrd.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from armslength.errors import NoLongerThere, ToolError
from armslength.tools.mail.mailbox import INBOX, Entry
from armslength.tools.mail.maildir import Maildir

_BEGIN = re.compile(rb"From [^\n]{0,500}\d{4}[^\n]{0,40}(?:\n|\Z)")
_WHEN = re.compile(
    rb"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\d{1,2}) +(\d{2}):(\d{2})(?::(\d{2}))? +(?:[A-Z]{3,4} +)?(\d{4})"
    rb"(?: +([+-]\d{4}))?"
)
_MONTHS = (b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec")
_STATE = re.compile(
    rb"(?im)^(?:X-)?(?:Mozilla-)?(?:Status2?|Keys|Keywords|UID|IMAP(?:base)?|Content-Length): ?([^\n]*)\n"
)
_READ = re.compile(rb"(?im)^(?:Status: ?[A-Z]*R|X-Mozilla-Status: ?[0-9a-f]{3}[13579bdf])")


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Begin:
    line_start: int
    line: bytes


def is_mbox(file: Path) -> bool:
    """Whether it is a file that begins as an mbox file does, or is empty."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(5) in (b"From ", b"")


class Mbox:
    """See Mailbox. INBOX is the file; the other folders belong to `own`."""

    kind: Literal["mbox"] = "mbox"

    def __init__(self, file: Path, own: Maildir | None, most_bytes: int) -> None:
        self._file, self._own, self._most_bytes = file, own, most_bytes
        self._version: tuple[int, int, int] | None = None
        self._entries: list[Entry] = []
        self._spans: dict[str, _Span] = {}

    def folders(self) -> list[str]:
        """See Mailbox."""
        return [INBOX, *(name for name in (self._own.folders() if self._own else []) if name != INBOX)]

    def entries(self, folder: str) -> list[Entry]:
        """See Mailbox. An id is a digest of the message without the fields in which mail programs keep flags."""
        if folder != INBOX:
            return self._others(folder).entries(folder)
        try:
            status = self._file.stat()
            version = (status.st_size, status.st_mtime_ns, status.st_ino)
            if version != self._version:
                self._index(status)
                self._version = version
        except OSError as error:
            raise ToolError(
                f"mailbox: the mbox file cannot be read ({error.strerror}); look at its permissions"
            ) from error
        return list(self._entries)

    def raw(self, entry: Entry) -> bytes:
        """See Mailbox."""
        if entry.folder != INBOX:
            return self._others(entry.folder).raw(entry)
        self.entries(INBOX)
        span = self._spans.get(entry.id)
        if span is None:
            raise NoLongerThere("mailbox: a message is no longer there; list the folder again")
        with self._file.open("rb") as opened:
            opened.seek(span.start)
            return re.sub(rb"(?m)^>(>*From )", rb"\1", opened.read(min(span.end - span.start, self._most_bytes)))

    def make_folder(self, name: str) -> None:
        """See Mailbox."""
        if name != INBOX:
            self._others(name).make_folder(name)

    def append(self, folder: str, raw: bytes, flags: str = "", key: str = "") -> str:
        """See Mailbox."""
        return self._others(folder).append(folder, raw, flags, key)

    def move(self, entry: Entry, folder: str, flags: str = "") -> Entry:
        """See Mailbox."""
        return self._others(entry.folder).move(entry, folder, flags)

    def is_unfinished(self, key: str) -> bool:
        """See Mailbox."""
        return self._own is not None and self._own.is_unfinished(key)

    def _others(self, folder: str) -> Maildir:
        if folder == INBOX or self._own is None:
            raise ToolError("mailbox: an mbox file is only read; configure a Maildir beside it for what is written")
        return self._own

    def _index(self, status: os.stat_result) -> None:
        self._entries, self._spans = [], {}
        if status.st_size == 0:
            return
        with self._file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as view:
            begins = list(_begins(view))
            ends = [*(begin.line_start for begin in begins[1:]), len(view)]
            for begin, end in zip(begins, ends, strict=True):
                self._add(view, begin.line, _Span(begin.line_start + len(begin.line), end), status)
        self._entries.sort(key=lambda entry: (entry.delivered, entry.id))

    def _add(self, view: mmap.mmap, line: bytes, span: _Span, status: os.stat_result) -> None:
        blank = view.find(b"\n\n", span.start, span.end)
        head_end = min(blank + 1 if blank >= 0 else span.end, span.start + 256 * 1024)
        head = view[span.start : head_end]
        digest = hashlib.sha256(_STATE.sub(b"", head))
        at = head_end
        while at < span.end:
            digest.update(view[at : min(at + 2**20, span.end)])
            at += 2**20
        message_id = first = digest.hexdigest()[:24]
        copy = 1
        while message_id in self._spans:
            copy += 1
            message_id = f"{first}-{copy}"
        self._spans[message_id] = span
        delivered = _when(line) or datetime.fromtimestamp(status.st_mtime, tz=UTC)
        self._entries.append(Entry(message_id, INBOX, delivered, _READ.search(head) is None, span.end - span.start))


def _begins(view: mmap.mmap) -> Iterator[_Begin]:
    """The `From ` lines at the start and after empty lines; only those that hold a year."""
    at = 0 if view[:5] == b"From " else view.find(b"\nFrom ") + 1
    while at or view[:5] == b"From ":
        before = view[max(at - 3, 0) : at]
        line = bytes(view[at : at + 600]).partition(b"\n")[0] + b"\n"
        if (at == 0 or before.endswith((b"\n\n", b"\n\r\n"))) and _BEGIN.fullmatch(line):
            yield _Begin(at, line)
        at = view.find(b"\nFrom ", at) + 1
        if at == 0:
            return


def _when(line: bytes) -> datetime | None:
    """The time in a `From ` line, taken as UTC unless it names an offset."""
    found = _WHEN.search(line)
    if found is None:
        return None
    month, day, hour, minute, second, year, offset = found.groups()
    text = f"{int(year):04}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{hour.decode()}:{minute.decode()}:"
    text += (second or b"00").decode() + (offset or b"+0000").decode()
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
