"""A Maildir with its folders, or a folder of Maildirs.

Folders and messages are found by listing and then looked up by name in the listing: no path is ever made of text from
outside, and symbolic links are neither listed nor followed. Sources: https://cr.yp.to/proto/maildir.html, Maildir++.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from armslength.errors import NoLongerThere, ToolError
from armslength.own_folder import make_own
from armslength.tools.mail.mailbox import INBOX, MOST_BYTES, Entry

_MOST_FOLDERS = 1_000
_DEEPEST = 3  # levels of plain subfolders
_FLAGS = frozenset("DFPRST")  # draft, flagged, passed, replied, seen, trashed
_FOLDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,63}")
_KEY = re.compile(r"[A-Za-z0-9]{8,64}")
_counter = itertools.count()


def is_maildir_home(root: Path) -> bool:
    """Whether `root` is a Maildir, or a folder with one below."""
    return root.is_dir() and (_is_maildir(root) or next(_subfolders(root), None) is not None)


class Maildir:
    """A Maildir with its folders. Knows where messages lay when last listed; files that moved are listed anew."""

    kind: Literal["maildir"] = "maildir"

    def __init__(self, root: Path, most_bytes: int = MOST_BYTES) -> None:
        self._root, self._most_bytes = root, most_bytes
        self._places: dict[str, dict[str, Path]] = {}

    def folders(self) -> list[str]:
        """See Mailbox."""
        return list(self._folders())

    def entries(self, folder: str) -> list[Entry]:
        """See Mailbox."""
        place, found = self._folder(folder), dict[str, Entry]()
        places: dict[str, Path] = {}
        for name in ("new", "cur"):  # a message that moves from new to cur meanwhile is seen at least once
            for path, status in _files(place / name):
                name_id, flags = _id_and_flags(path.name)
                is_unread = name == "new" or "S" not in flags
                found[name_id] = Entry(name_id, folder, _delivered(path.name, status), is_unread, status.st_size)
                places[name_id] = path
        self._places[folder] = places
        return sorted(found.values(), key=lambda entry: (entry.delivered, entry.id))

    def raw(self, entry: Entry) -> bytes:
        """See Mailbox."""
        for _ in range(3):  # another program may rename the file between listing and reading
            try:
                return _read(self._place(entry), self._most_bytes)
            except FileNotFoundError:
                self._places.pop(entry.folder, None)
            except OSError as error:
                raise ToolError(
                    f"mailbox: a message cannot be read ({error.strerror}); look at its permissions"
                ) from error
        raise NoLongerThere("mailbox: a message is no longer there; list the folder again")

    def make_folder(self, name: str) -> None:
        """See Mailbox."""
        if name in self._folders():
            return
        if not _FOLDER_NAME.fullmatch(name):
            raise ToolError("mailbox: a folder name may hold letters, digits, spaces, - and _ only; choose another")
        is_plain = not _is_maildir(self._root) and self._root.is_dir()
        place = self._root / (name if is_plain else f".{name}")
        with _Told("a folder cannot be made"):
            make_own(place)
            for inner in ("tmp", "new", "cur"):  # `cur` last: a Maildir only when whole
                (place / inner).mkdir(mode=0o700, exist_ok=True)

    def append(self, folder: str, raw: bytes, flags: str = "", key: str = "") -> str:
        """See Mailbox. Mode 600; synced before it is renamed into `cur` (with flags) or `new`."""
        if not set(flags) <= _FLAGS or (key and not _KEY.fullmatch(key)):
            raise ToolError(
                "mailbox: unknown flag or key; use flags out of DFPRST and a key of 8 to 64 letters and digits"
            )
        place = self._folder(folder)
        ending = f".{key}.armslength"
        if key and (there := next((e.id for e in self.entries(folder) if e.id.endswith(ending)), None)):
            return there
        now = time.time_ns()
        unique = key or secrets.token_hex(8)
        new_id = f"{now // 10**9}.M{now // 1000 % 10**6}P{os.getpid()}Q{next(_counter)}.{unique}.armslength"
        shown = f"{new_id}:2,{''.join(sorted(set(flags)))}" if flags else new_id
        with _Told("a message cannot be written"):
            _write(place / "tmp" / new_id, raw)
            final = place / ("cur" if flags else "new") / shown
            (place / "tmp" / new_id).rename(final)
            _sync_folder(final.parent)
        return new_id

    def move(self, entry: Entry, folder: str, flags: str = "") -> Entry:
        """See Mailbox."""
        target = self._folder(folder)
        there = {one.id: one for one in self.entries(folder)}
        here = {one.id: one for one in self.entries(entry.folder)}
        if entry.id in there:
            if entry.folder == folder or entry.id not in here:
                return there[entry.id]
            raise ToolError("mailbox: the other folder holds a message of that id; move one of them by hand")
        if entry.id not in here:
            raise NoLongerThere("mailbox: a message is no longer there; list the folder again")
        source = self._place(entry)
        final = (
            target / source.parent.name / source.name if not flags else target / "cur" / _flagged(source.name, flags)
        )
        with _Told("a message cannot be moved"):
            source.rename(final)
            _sync_folder(final.parent)
            _sync_folder(source.parent)
        self._places.clear()
        return replace(here[entry.id], folder=folder)

    def remove(self, entry: Entry) -> None:
        """Remove a message for good. One that is gone already is no error."""
        with _Told("a message cannot be removed"), suppress(FileNotFoundError):
            place = self._place(entry)
            place.unlink()
            _sync_folder(place.parent)

    def is_unfinished(self, key: str) -> bool:
        """See Mailbox. Such a message lies in `tmp`, which nobody reads; one rename takes it out."""
        ending = f".{key}.armslength"
        return any(
            path.name.endswith(ending) for place in self._folders().values() for path, _ in _files(place / "tmp")
        )

    def _folders(self) -> dict[str, Path]:
        if not self._root.is_dir():
            return {}
        found = {INBOX: self._root} if _is_maildir(self._root) else {}
        for name, place in itertools.islice(_subfolders(self._root), _MOST_FOLDERS):
            found.setdefault(name, place)
        return dict(sorted(found.items(), key=lambda item: (item[0] != INBOX, item[0])))

    def _folder(self, name: str) -> Path:
        place = self._folders().get(name)
        if place is None:
            raise ToolError("mailbox: there is no such folder; take a name that the mailbox lists")
        return place

    def _place(self, entry: Entry) -> Path:
        if entry.folder not in self._places:
            self.entries(entry.folder)
        place = self._places[entry.folder].get(entry.id)
        if place is None:
            raise FileNotFoundError(errno.ENOENT, "not listed")
        return place


def _is_maildir(folder: Path) -> bool:
    return all(_is_real_folder(folder / name) for name in ("cur", "new", "tmp"))


def _is_real_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _subfolders(root: Path) -> Iterator[tuple[str, Path]]:
    """Names and places of the Maildirs below: `.Sent` is Sent (Maildir++), `Work/Sent` is Work/Sent."""
    waiting = [("", root, 0)]
    while waiting:
        prefix, folder, depth = waiting.pop()
        with os.scandir(folder) as listing:
            found = sorted(one.name for one in listing if one.is_dir(follow_symlinks=False))
        for name in found:
            place = folder / name
            shown = prefix + (name[1:] if name.startswith(".") and not prefix else name)
            if name in ("cur", "new", "tmp") or not shown.strip(".") or not _is_text(shown):
                continue
            if _is_maildir(place):
                yield shown, place
            if depth + 1 < _DEEPEST and not name.startswith("."):
                waiting.append((f"{shown}/", place, depth + 1))


def _is_text(name: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in name)


class _Told:
    """Turns OSError into ToolError with what was tried."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise ToolError(f"mailbox: {self._what} ({error.strerror}); look at space and permissions") from error


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    with _Told("a folder cannot be listed"), os.scandir(folder) as listing:
        for one in listing:
            try:
                status = one.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISREG(status.st_mode) and not one.name.startswith("."):
                yield folder / one.name, status


def _id_and_flags(name: str) -> tuple[str, str]:
    unique, _, info = name.partition(":")
    return unique.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"), info.removeprefix("2,")


def _flagged(name: str, flags: str) -> str:
    """The name of the file with these flags beside those that it has, in the order of the alphabet."""
    unique, _, info = name.partition(":")
    return f"{unique}:2,{''.join(sorted({*info.removeprefix('2,'), *flags}))}"


def _delivered(name: str, status: os.stat_result) -> datetime:
    seconds = re.match(r"\d{1,11}(?=\.)", name)
    claimed = int(seconds.group()) if seconds else 0
    return datetime.fromtimestamp(claimed if 0 < claimed < 2**33 else status.st_mtime, tz=UTC)


def _read(path: Path, most: int) -> bytes:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as opened:
        return opened.read(most)


def _write(path: Path, raw: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as opened:
        opened.write(raw)
        opened.flush()
        os.fsync(opened.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
