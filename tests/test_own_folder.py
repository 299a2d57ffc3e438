"""Folders for the user alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from armslength.own_folder import make_own


def test_what_is_missing_above_is_made_for_the_user_alone(tmp_path: Path) -> None:
    """Each folder has mode 700, whatever the umask allows; one that was there keeps its mode."""
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    before = os.umask(0o022)
    try:
        make_own(there / "state" / "mail-only.index" / "cur")
        make_own(there / "state" / "mail-only.index" / "cur")
    finally:
        os.umask(before)
    made = [there, there / "state", there / "state" / "mail-only.index", there / "state" / "mail-only.index" / "cur"]
    assert [each.stat().st_mode & 0o777 for each in made] == [0o755, 0o700, 0o700, 0o700]


@pytest.mark.parametrize("name", ["file", "link", "file/below"])
def test_what_is_no_folder_is_not_taken_for_one(tmp_path: Path, name: str) -> None:
    """Nor a link to nothing."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(OSError, match=r"exists|Not a directory"):
        make_own(tmp_path / name)
