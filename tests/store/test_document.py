"""A file that only who has its key can have written: no older copy is the latest, and a killed process leaves nothing for long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from armslength.errors import OperatorError
from armslength.store.document import Document

KILLED = """
import os, sys
from pathlib import Path
from armslength.store.document import Document
path, place = Path(sys.argv[1]), sys.argv[2]
document = Document(path, "the memory", lambda: b"key")
def end(*_given, **_named): os._exit(9)
setattr(Path, "replace", end) if place == "before the file" else setattr(document._heads, "write", end)
document.write(b"two")
"""


def document(path: Path) -> Document:
    """As a process opens it."""
    return Document(path, "the memory", lambda: b"key")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Written twice; a copy of it and its head after the first time lies beside it."""
    path = tmp_path / "memory.kept"
    document(path).write(b"one")
    for name in ("memory.kept", "memory.heads"):
        (tmp_path / f"{name}.old").write_bytes((tmp_path / name).read_bytes())
    document(path).write(b"two")
    return path


def why_not(path: Path) -> str:
    """Why it cannot be read, nor written over."""
    found = []
    for use in (document(path).read, lambda: document(path).write(b"three")):
        with pytest.raises(OperatorError) as caught:
            use()
        found.append(str(caught.value))
    assert found[0] == found[1]
    beginning, end = (
        f"the memory in {path} ",
        ", so nothing of it is used; put back what was there, or move it and the .heads away",
    )
    assert found[0].startswith(beginning)
    assert found[0].endswith(end)
    return found[0].removeprefix(beginning).removesuffix(end)


def test_what_was_written_last_is_read(path: Path) -> None:
    """By any process, in two files of mode 600."""
    assert document(path).read() == b"two"
    assert [each.stat().st_mode & 0o777 for each in (path, path.with_suffix(".heads"))] == [0o600, 0o600]
    assert document(path.with_name("other.kept")).read() is None


def test_an_older_copy_is_refused(path: Path) -> None:
    """Whole, and it is not written over either; put back, the latest is read."""
    latest = path.read_bytes()
    path.write_bytes(path.with_name("memory.kept.old").read_bytes())
    assert why_not(path) == "is an older copy of it"
    path.write_bytes(latest)
    assert document(path).read() == b"two"


def test_another_one_of_the_same_count_is_refused(path: Path, tmp_path: Path) -> None:
    """Two that were written after the same one: only that of the head counts."""
    other = tmp_path / "other" / "memory.kept"
    other.parent.mkdir()
    for name in ("memory.kept", "memory.heads"):
        (other.parent / name).write_bytes((tmp_path / f"{name}.old").read_bytes())
    document(other).write(b"another")
    path.write_bytes(other.read_bytes())
    assert why_not(path) == "is an older copy of it"


def test_one_that_was_taken_away_is_no_new_beginning(path: Path) -> None:
    """Nor is one without its head, or with one that was edited; without both it begins anew."""
    latest = path.read_bytes()
    path.unlink()
    assert why_not(path) == "is gone, although it was kept"
    path.write_bytes(latest)
    heads = path.with_suffix(".heads")
    head = heads.read_bytes()
    heads.write_bytes(head.replace(b"document", b"dokument"))
    assert why_not(path) == "has a file of heads beside it that was edited"
    heads.unlink()
    assert why_not(path) == "has lost memory.heads, which says that it is the latest"
    path.unlink()
    assert document(path).read() is None


def test_one_of_the_version_before_is_read_until_it_is_written(tmp_path: Path) -> None:
    """It did not count; after the first count it is an older copy."""
    import hashlib
    import hmac

    path = tmp_path / "memory.kept"
    old = hmac.digest(b"key", b"armslength document 1 the memory\0one", hashlib.sha256) + b"one"
    path.write_bytes(old)
    assert document(path).read() == b"one"
    document(path).write(b"two")
    path.write_bytes(old)
    assert why_not(path) == "is an older copy of it"


@pytest.mark.parametrize(("place", "content"), [("before the file", b"one"), ("before the head", b"two")])
def test_a_process_that_is_killed_leaves_one_or_the_other(tmp_path: Path, place: str, content: bytes) -> None:
    """And what it left of its writing is removed at the next one; what another process still writes is not."""
    path = tmp_path / "memory.kept"
    document(path).write(b"one")
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), place], env={**os.environ}, check=False)
    assert killed.returncode == 9
    assert document(path).read() == content
    assert len(list(tmp_path.glob(".memory.kept-*"))) == (place == "before the file")
    document(path).write(b"three")
    assert document(path).read() == b"three"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["memory.heads", "memory.kept"]


def test_processes_that_are_killed_one_after_the_other_lose_nothing(tmp_path: Path) -> None:
    """Also where none of them came as far as the first head, and after one of the version before."""
    path = tmp_path / "memory.kept"
    for _ in range(3):
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, str(path), "before the head"], env={**os.environ}, check=False
        )
        assert killed.returncode == 9
        assert document(path).read() == b"two"
    document(path).write(b"three")
    assert document(path).read() == b"three"


def test_what_is_in_its_place_was_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk takes no head any more, the file is the latest all the same: to say that it was not written would be wrong."""

    def full(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("armslength.store.chain.Heads.write", full)
    document(path).write(b"three")
    assert document(path).read() == b"three"


def test_what_another_process_writes_stays(path: Path) -> None:
    """It holds its file until it has the name."""
    import fcntl

    at_work = path.with_name(".memory.kept-1")
    with at_work.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        document(path).write(b"three")
        assert at_work.exists()
    document(path).write(b"four")
    assert not at_work.exists()
