"""The programs: one for each user task, by an author who saw the request and the planner's system text alone, frozen by hash."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "programs"
Column = Literal["first", "mended"]


def program_of(suite: str, task: int, column: Column) -> str | None:
    """The program for a task; None if nobody wrote one. Mended: what was mended later, else the first shot.

    Raises:
        ValueError: a first shot is not the one that was frozen.
    """
    first = FOLDER / suite / f"{task:02}.py"
    mended = first.with_name(f"{task:02}-mended.py")
    if column == "mended" and mended.exists():
        return mended.read_text("utf-8")
    if not first.exists():
        return None
    name = f"{suite}/{first.name}"
    if name in frozen() and frozen()[name] != _digest(first):
        raise ValueError(f"{name} is not as it was frozen; what is mended stands in {mended.name}")
    return first.read_text("utf-8")


def is_mended(suite: str, task: int) -> bool:
    """Whether there is one that was mended after it had been run."""
    return (FOLDER / suite / f"{task:02}-mended.py").exists()


def frozen() -> dict[str, str]:
    """The SHA-256 of each frozen program by its name, such as `banking/03.py`."""
    listed = FOLDER / "FROZEN"
    lines = listed.read_text("utf-8").splitlines() if listed.exists() else []
    return {name: digest for digest, name in (line.split("  ", 1) for line in lines if line)}


def freeze() -> int:
    """Freeze the first shots that are not frozen yet. Gives how many.

    Raises:
        ValueError: one that was frozen has changed since.
    """
    found = {f"{path.parent.name}/{path.name}": _digest(path) for path in sorted(FOLDER.glob("*/[0-9][0-9].py"))}
    before = frozen()
    changed = sorted(name for name, digest in before.items() if found.get(name) != digest)
    if changed:
        raise ValueError(f"changed since they were frozen: {', '.join(changed)}")
    lines = [f"{digest}  {name}\n" for name, digest in sorted(found.items())]
    (FOLDER / "FROZEN").write_text("".join(lines), "utf-8")
    return len(found) - len(before)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
