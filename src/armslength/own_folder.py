"""Folders for the user alone."""

from __future__ import annotations

from pathlib import Path


def make_own(folder: Path) -> None:
    """Make the folder, and what is missing above it, each of mode 700. One that is there keeps its mode.

    `Path.mkdir(parents=True, mode=...)` gives its mode to the last one only.

    Raises:
        OSError: it cannot be made, or something else has its name.
    """
    if folder.is_dir():
        return
    if not folder.parent.exists():
        make_own(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
