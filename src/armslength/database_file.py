"""An SQLite file of ours: opened here alone, so that each is for the user alone, waits for other processes alike and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from armslength.own_folder import make_own

if TYPE_CHECKING:
    import sqlite3

Synchronous = Literal["OFF", "NORMAL", "FULL"]
"""What a power failure may take: everything, the latest transactions (in WAL mode), nothing (SQLite's PRAGMA synchronous)."""
_WAIT = 30.0
"""Seconds that one process waits for another's transaction."""


def connected(path: Path, synchronous: Synchronous = "FULL") -> sqlite3.Connection:
    """The file, made with mode 600 in a folder of mode 700 where there is none; others lose their access to one that is there.

    Whatever stands outside a transaction is one by itself. What is removed is overwritten. Any thread may use it, one at a time.

    Raises:
        OSError: it cannot be made, is not ours, or is a link.
        sqlite3.Error: it is no database.
    """
    import sqlite3

    make_own(path.parent)
    _made_ours(path)
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    try:
        database.execute(f"PRAGMA synchronous = {synchronous}")
        database.execute("PRAGMA secure_delete = ON")
    except BaseException:
        database.close()
        raise
    return database


def _made_ours(path: Path) -> None:
    """The file is there, is a file, and is for the user alone.

    One that is there is not opened: closing it again would give up the locks that other connections of this process hold on it
    (POSIX.1, fcntl; "How To Corrupt An SQLite Database File", 2.2).
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ELOOP, "it is a link, or no file", str(path)) from None
        if found.st_mode & 0o077:
            path.chmod(0o600)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of the block or nothing, whatever ends it; nobody else writes meanwhile.

    Raises:
        sqlite3.Error: another process writes for too long, or the file cannot be written.
    """
    import sqlite3

    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


@contextmanager
def changed(path: Path, table: str, synchronous: Synchronous = "FULL") -> Iterator[sqlite3.Connection]:
    """The file for one transaction. `table`: the statement that makes its table where there is none.

    Raises:
        OSError, sqlite3.Error: as above.
    """
    with closing(connected(path, synchronous)) as database, transaction(database):
        database.execute(table)
        yield database
