"""A folder of the person's files, opened one component at a time so that no name leads out of it.

Every component is opened with O_NOFOLLOW below the descriptor of its parent; a symbolic link, device, FIFO, hidden name, `..` or absolute
path is refused. Writing goes to a temporary file beside the target, is synced, and takes its place in one rename.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from armslength.errors import NoLongerThere, ToolError
from armslength.own_folder import make_own

MOST_FILES = 5_000
DEEPEST = 12
_LONGEST_NAME = 255
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file below the folder: its relative path and its size in bytes."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by its root. `store` names it in messages, `cap` is the largest file in bytes that is read or written."""

    root: Path
    store: str
    cap: int

    def checked(self, path: str) -> tuple[str, ...]:
        """The components of a relative path.

        Raises:
            ToolError: the path is absolute, empty, hidden, leads upwards, or holds characters that no name needs.
        """
        if not path or "\0" in path or not path.isprintable() or "\\" in path:
            raise self.refused("that is no file name; give a plain name such as notes.txt")
        if path.startswith("/"):
            raise self.refused("absolute paths are not used; give a name below the folder")
        parts = tuple(path.split("/"))
        if ".." in parts:
            raise self.refused("'..' leads out of the folder; give a name below it")
        if len(parts) > DEEPEST or any(
            not part or part.startswith(".") or len(os.fsencode(part)) > _LONGEST_NAME for part in parts
        ):
            raise self.refused("hidden, empty or very long names are not used; give a plain name such as notes.txt")
        return parts

    def files(self) -> list[Found]:
        """Every regular file that is not hidden, by path; symbolic links are left out.

        Raises:
            ToolError: there are too many, or the folder cannot be read.
        """
        try:
            root = os.open(self.root, _DIRECTORY)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self.failed("cannot be read", error) from error
        try:
            found = list(islice(self._walk(root, "", 1), MOST_FILES + 1))
        except OSError as error:
            raise self.failed("cannot be read", error) from error
        finally:
            os.close(root)
        if len(found) > MOST_FILES:
            raise self.refused(f"more than {MOST_FILES:,} files; point the configuration at a smaller folder")
        return sorted(found, key=lambda each: each.path)

    def _walk(self, descriptor: int, prefix: str, depth: int) -> Iterator[Found]:
        for name in os.listdir(descriptor):
            if name.startswith(".") or not name.isprintable() or "\\" in name:
                continue
            with suppress(FileNotFoundError):  # it may have left since it was listed
                status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield Found(prefix + name, status.st_size)
                elif stat.S_ISDIR(status.st_mode) and depth < DEEPEST:
                    yield from self._below(descriptor, prefix, name, depth)

    def _below(self, descriptor: int, prefix: str, name: str, depth: int) -> Iterator[Found]:
        below = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=descriptor)
        try:
            yield from self._walk(below, f"{prefix}{name}/", depth + 1)
        finally:
            os.close(below)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or None if there is none of that path.

        Raises:
            ToolError: the path is refused, is no regular file, or the file is over the cap.
        """
        parts = self.checked(path)
        try:
            with self._parent(parts) as parent:
                handle = os.open(parts[-1], _READ, dir_fd=parent)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self.failed("cannot be opened", error) from error
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise self.refused("that is no ordinary file")
            content = file.read(self.cap + 1)
        if len(content) > self.cap:
            raise self.refused(f"the file is over the limit of {self.cap:,} bytes")
        return content

    def write(self, path: str, content: bytes) -> None:
        """Replace the file of that path, or make it; the mode is kept, a new file is readable by its owner alone.

        Raises:
            ToolError: the path is refused, its folder is missing, or the content is over the cap.
        """
        parts = self.checked(path)
        if len(content) > self.cap:
            raise self.refused(f"the file would be over the limit of {self.cap:,} bytes")
        self._make_root()
        # Its name is the target's own, so what a killed process left of it goes; whoever writes here holds the store's lock.
        temporary = f".armslength-{hashlib.sha256(parts[-1].encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        try:
            with self._parent(parts) as parent:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=parent)
                try:
                    self._put(parent, temporary, content, self._mode(parent, parts[-1]))
                    os.replace(temporary, parts[-1], src_dir_fd=parent, dst_dir_fd=parent)
                except BaseException:
                    with suppress(OSError):
                        os.unlink(temporary, dir_fd=parent)
                    raise
                os.fsync(parent)
        except OSError as error:
            raise self.failed("cannot be written", error) from error

    def _mode(self, parent: int, name: str) -> int:
        try:
            status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return 0o600
        if not stat.S_ISREG(status.st_mode):
            raise self.refused("that is no ordinary file")
        return stat.S_IMODE(status.st_mode)

    @staticmethod
    def _put(parent: int, name: str, content: bytes, mode: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(name, flags, 0o600, dir_fd=parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)

    def add_line(self, path: str, line: bytes) -> None:
        """Add one line to the end of a log-like file, made if needed.

        Raises:
            ToolError: the path is refused, or it is no ordinary file.
        """
        parts = self.checked(path)
        self._make_root()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            with self._parent(parts) as parent:
                handle = os.open(parts[-1], flags, 0o600, dir_fd=parent)
            with os.fdopen(handle, "ab") as file:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise self.refused("that is no ordinary file")
                file.write(line + b"\n")
                file.flush()
                os.fsync(handle)
        except OSError as error:
            raise self.failed("cannot be written", error) from error

    def remove(self, path: str) -> None:
        """Remove a regular file.

        Raises:
            ToolError: there is none, or the path is refused.
        """
        parts = self.checked(path)
        try:
            with self._parent(parts) as parent:
                self._mode(parent, parts[-1])
                os.unlink(parts[-1], dir_fd=parent)
                os.fsync(parent)
        except OSError as error:
            raise self.failed("cannot be removed", error) from error

    @contextmanager
    def _parent(self, parts: tuple[str, ...]) -> Iterator[int]:
        """The descriptor of the directory that holds the last component; no component above it is a link."""
        current = os.open(self.root, _DIRECTORY)
        try:
            for part in parts[:-1]:
                below = os.open(part, _DIRECTORY | os.O_NOFOLLOW, dir_fd=current)
                os.close(current)
                current = below
            yield current
        finally:
            os.close(current)

    def _make_root(self) -> None:
        try:
            make_own(self.root)
        except OSError as error:
            raise self.failed("cannot be made", error) from error

    def refused(self, why: str) -> ToolError:
        """An error that names the store and no value."""
        return ToolError(f"{self.store}: {why}")

    def gone(self) -> NoLongerThere:
        """The error for a file that left after it was listed."""
        return NoLongerThere(f"{self.store}: a file went away while it was read; ask again")

    def failed(self, what: str, error: OSError) -> ToolError:
        """The operating system's error, without the path in it."""
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return self.refused("symbolic links are not followed, and a file is no folder; give a plain name")
        return self.refused(f"{what}: {os.strerror(error.errno or 0)}; check the folder and its permissions")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of one kind: those below a folder whose names have an ending, or `only` one of them."""

    folder: Folder
    ending: str
    only: str | None

    def paths(self) -> list[str]:
        """Their paths below the folder.

        Raises:
            ToolError: there are too many, or the folder cannot be read.
        """
        if self.only is not None:
            return [self.only]
        return [found.path for found in self.folder.files() if found.path.lower().endswith(self.ending)]


def shelf_at(path: Path, store: str, cap: int, ending: str) -> Shelf:
    """The one file at `path`, or the folder there. What is not there yet is a file if it is named like one."""
    is_file = path.is_file() or (path.suffix.lower() == ending and not path.is_dir())
    return Shelf(Folder(path.parent if is_file else path, store, cap), ending, path.name if is_file else None)
