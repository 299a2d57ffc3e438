"""Which sources were measured and when, and where the figures go."""

from __future__ import annotations

import hashlib
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commit() -> str:
    """The commit; where the sources are not as committed, with a digest of them, so that no row of others is taken for theirs."""
    try:
        head = _git("rev-parse", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", "src", "bench/*.py")  # git's * goes into folders
    except (OSError, subprocess.CalledProcessError):
        head, changed = "unknown", "unknown"
    if not changed:
        return head
    sources = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "bench").rglob("*.py")])
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    return f"{head[:9]}-changed-{digest[:6]}"


def today() -> str:
    """The day at whoever measures, ISO 8601."""
    return date.today().isoformat()  # noqa: DTZ011  # the person's own day, as the name of a file


def result_file(subject: str) -> Path:
    """Where the figures of today are written: `bench/results/DAY-SUBJECT-COMMIT.json`."""
    measured = commit()
    return (
        ROOT / "bench" / "results" / f"{today()}-{subject}-{measured if 'changed' in measured else measured[:9]}.json"
    )


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
