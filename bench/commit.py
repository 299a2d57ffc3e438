"""Which sources were measured and when, and where the figures go."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from bench.subjects import subject

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"
_MEASURED = ("src", "bench")


def commit(*more: str) -> str:
    """The commit; where the sources are not as committed, with a digest of them, so that no row of others is taken for theirs.

    The sources are those of the package and of bench; `more`: other folders, such as tests, for what they measure.
    """
    folders = (*_MEASURED, *more)
    try:
        head = _git("rev-parse", "HEAD").strip()
        changed = _git(
            "status", "--porcelain", "--", *(f"{each}/*.py" for each in folders)
        )  # git's * goes into folders
    except (OSError, subprocess.CalledProcessError):
        head, changed = "unknown", "unknown"
    if not changed:
        return head
    sources = sorted(path for part in folders for path in (ROOT / part).rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    return f"{head[:9]}-changed-{digest[:6]}"


def today() -> str:
    """The day at whoever measures, ISO 8601."""
    return date.today().isoformat()  # noqa: DTZ011  # the person's own day, as the name of a file


@cache
def committed(name: str) -> int:
    """When a commit was made, in seconds since 1970; 0 if it is not in this clone."""
    try:
        return int(_git("show", "-s", "--format=%ct", name.partition("-")[0], "--"))
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 0


def machine() -> str:
    """On what it was measured: architecture, cores, how many processes wanted them in the last minute, system, Python."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores wanted by {os.getloadavg()[0]:.1f}, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def _named(subject: str, measured: str) -> Path:
    return RESULTS / f"{today()}-{subject}-{measured if 'changed' in measured else measured[:9]}.json"


class Taken:
    """What is being measured: the sources are looked at when this is made, as they may change while it takes its time."""

    def __init__(self, name: str) -> None:
        self._name, self._subject = name, subject(name)
        is_test = self._subject is not None and self._subject.command.startswith("tests.")
        self._commit = commit("tests") if is_test else commit()
        self.machine = machine()
        self._moment = datetime.now(UTC).isoformat(timespec="seconds")

    @property
    def head(self) -> dict[str, object]:
        """What stands above the figures: the commit, the moment, the machine and the paths that they speak of."""
        head: dict[str, object] = {"commit": self._commit, "date": self._moment, "machine": self.machine}
        return head | ({"speaks_of": self._subject.speaks_of} if self._subject else {})

    def place(self, name: str = "") -> Path:
        """Where they are kept: `bench/results/DAY-NAME-COMMIT.json`. `name`: one that begins with the subject's, such as that of a part."""
        return _named(name or self._name, self._commit)

    def write(self, found: Mapping[str, object], place: Path | None = None) -> Path:
        """The figures below their head, at a place of one's own or where results are kept. Where they are; what is found comes before the head."""
        path = place or self.place()
        path.write_text(json.dumps({**self.head, **found}, indent=1) + "\n", "utf-8")
        return path


def offer_place(parser: argparse.ArgumentParser) -> None:
    """The options that say where a result goes: to a file of one's own as `json`, or nowhere, as `dry`."""
    parser.add_argument("--json", type=Path, help="the file of the result; without it, bench/results/…")
    parser.add_argument("--dry", action="store_true", help="write nothing")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
