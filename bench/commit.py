"""Which sources were measured."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commit() -> str:
    """The commit; where the sources are not as committed, with a digest of them, so that no row of others is taken for theirs."""
    try:
        head = _git("rev-parse", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", "src", "bench/*.py")
    except (OSError, subprocess.CalledProcessError):
        head, changed = "unknown", "unknown"
    if not changed:
        return head
    sources = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "bench").glob("*.py")])
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    return f"{head[:9]}-changed-{digest[:6]}"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
