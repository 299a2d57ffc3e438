"""How a file of SQLite is opened: for the user alone, never through a link, and without taking anybody's lock away."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from armslength.database_file import connected, transaction

_TABLE = "CREATE TABLE IF NOT EXISTS kept (what TEXT)"
_IS_FREE = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    database.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
else:
    print("free")
"""


def found_by_another_process(path: Path) -> str:
    done = subprocess.run([sys.executable, "-c", _IS_FREE, path], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_opening_it_again_takes_no_lock_away(tmp_path: Path) -> None:
    """POSIX gives up all locks of a process on a file when any descriptor of it is closed: another process would write in the middle."""
    path = tmp_path / "kept.sqlite3"
    with closing(connected(path)) as database, transaction(database):
        database.execute(_TABLE)
        assert found_by_another_process(path) == "database is locked"
        connected(path).close()
        assert found_by_another_process(path) == "database is locked"
    assert found_by_another_process(path) == "free"


def test_it_is_for_the_user_alone(tmp_path: Path) -> None:
    """A new one, and one that others could read."""
    path = tmp_path / "state" / "kept.sqlite3"
    connected(path).close()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    path.chmod(0o664)
    connected(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("make", [Path.symlink_to, lambda path, _other: path.mkdir()], ids=["a link", "a folder"])
def test_what_is_no_file_of_its_own_is_refused(tmp_path: Path, make: Callable[[Path, Path], None]) -> None:
    """Whoever may write in the folder could have it lead to another file, whose mode and content would change."""
    path, other = tmp_path / "kept.sqlite3", tmp_path / "other"
    sqlite3.connect(other).close()
    other.chmod(0o644)
    make(path, other)
    with pytest.raises(OSError, match="link, or no file"):
        connected(path)
    assert other.stat().st_mode & 0o777 == 0o644
