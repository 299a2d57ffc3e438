"""What shows that a journal is as it was written: a keyed hash (HMAC-SHA256) over each entry and the hash before it.

Whoever lacks the key can neither write an entry nor move, change or drop one unseen. That the last ones were cut off is seen by the head:
count and hash of each run, kept in a file beside the database. The key lies in a file that only the user can read; it holds off whoever
reaches the database alone (a copy, a synchronised folder), and nobody who can read the key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from armslength.errors import OperatorError
from armslength.store.key_file import made_key, read_key
from armslength.store.runs import KeySource

_SIZE = 32
_FLAGS = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def key_in(path: Path) -> KeySource:
    """The key in a file of mode 600, which is made if it is missing.

    Raises (when called):
        OperatorError: it cannot be read or made, others can read it, or it is no key.
    """

    def key() -> bytes:
        return read_key(path, "the journals") or made_key(path, "the journals")

    return key


FORMAT = 3
"""How the journals of new runs are kept. In the first format the time of the run was not hashed, and a yes was kept by its digest; in the
first two the list did not have what became of the effects."""


class Chain:
    """The keyed hashes of one run's journal."""

    def __init__(self, key: bytes, run: str, form: object = FORMAT) -> None:
        """`form`: the format in which the run was begun, as its row says it."""
        self._key = hmac.digest(key, f"armslength journal 1 {run}".encode("utf-8", "surrogatepass"), hashlib.sha256)
        self.is_first_form, self.has_effects = form == 1, form == FORMAT

    def start(self, started: str) -> bytes:
        """The hash before the first entry of a run that began then, as its row says it."""
        return bytes(_SIZE) if self.is_first_form else self.hash(0, bytes(_SIZE), _bytes(started))

    def used(self, digest: str) -> str:
        """What is kept of a yes that is used up: it tells nothing of what the yes was for."""
        return digest if self.is_first_form else hmac.digest(self._key, b"used" + _bytes(digest), hashlib.sha256).hex()

    def marked(self, since: str, last: bytes) -> str:
        """The time of a question as the list has it, with what shows that who has the key put it there behind the entry with the hash `last`."""
        return f"{since} {hmac.digest(self._key, b'since' + last + _bytes(since), hashlib.sha256).hex()[:32]}"

    def hash(self, number: int, before: bytes, body: bytes) -> bytes:
        """The hash of entry `number` (from 1) with these bytes, after one with the hash `before`."""
        return hmac.digest(self._key, number.to_bytes(8, "big") + before + body, hashlib.sha256)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Head:
    """How far the journal of a run goes: so many entries, the last with this hash."""

    run: str
    count: int
    hash: bytes


_NAME, _COUNT = 40, 12
_LINE = _NAME + 1 + _COUNT + 1 + 2 * _SIZE + 1


class Heads:
    """The file of heads: one line of a fixed length for each run, in its place by number, overwritten at each entry.

    It is written after the database, so a killed process leaves it at most one entry behind, and never ahead. The disk has it after the
    first entry of a run and when the run is left; a loss of power between leaves it further behind, which is no fault.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, number: int, head: Head) -> None:
        """The head of run `number` (from 1) is this."""
        line = f"{head.run:<{_NAME}} {head.count:>{_COUNT}} {head.hash.hex()}\n".encode("ascii")
        self._write(number, line)
        if head.count == 1:
            self.settle()

    def settle(self) -> None:
        """The disk has what was written, unless it fails: then the system has it."""
        with suppress(OSError):
            for path in (self._path, self._path.parent):
                handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    def drop(self, number: int) -> None:
        """The run was purged."""
        self._write(number, b" " * (_LINE - 1) + b"\n")

    def read(self) -> dict[int, Head | None]:
        """The heads by number; None where a line says nothing.

        Raises:
            OperatorError: the file cannot be read.
        """
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise OperatorError(f"{self._path} cannot be read: {error.strerror}") from error
        lines = (content[start : start + _LINE] for start in range(0, len(content), _LINE))
        return {number: _head(line) for number, line in enumerate(lines, 1) if line.strip(b" \0\n")}

    def has(self, number: int) -> bool:
        """Whether there is a line for this run, whatever it says: it was begun, and not purged.

        Raises:
            OSError: the file cannot be read.
        """
        try:
            with self._path.open("rb") as file:
                file.seek((number - 1) * _LINE)
                return bool(file.read(_LINE).strip(b" \0\n"))
        except FileNotFoundError:
            return False

    def _write(self, number: int, line: bytes) -> None:
        handle = os.open(self._path, os.O_RDWR | _FLAGS, 0o600)
        try:
            os.pwrite(handle, line, (number - 1) * _LINE)
        finally:
            os.close(handle)


def _head(line: bytes) -> Head | None:
    try:
        run, count, digest = line.decode("ascii").split()
        return Head(run, int(count), bytes.fromhex(digest))
    except ValueError:
        return None
