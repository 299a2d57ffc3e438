"""What no tracked file may hold: addresses of package registries, paths of the machine it was written on."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Written in pieces, so that this file does not hold them itself.
FORBIDDEN = re.compile(
    "|".join(
        [
            r"pypi\." + "org",
            r"python" + r"hosted\.org",
            r"registry\.npm" + r"js\.(org|com)",
            r"deb\.deb" + r"ian\.org",
            r"(?<![\w.-])/wo" + r"rk/",
            r"/tmp/(par" + r"ts|ve" + r"nv|com" + r"mon)",
            r"/ro" + r"ot/",
            r"/opt/(whe" + r"els|py" + r"pi)",
            r"\.lib" + r"rary/",
        ]
    ),
    re.IGNORECASE,
)


def tracked_files() -> list[Path]:
    """The files that git knows here."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_registry_or_a_machines_path() -> None:
    """Where packages come from is the installer's configuration; where the source lay is nobody's business."""
    found = [
        f"{path.relative_to(ROOT)}: {hit[0]}"
        for path in tracked_files()
        for hit in [FORBIDDEN.search(path.read_text(encoding="utf-8", errors="replace"))]
        if hit
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "see https://pypi" + ".org/project/x",
        "cd /wo" + "rk/main",
        "--find-links /opt/whe" + "els",
        "/tmp/par" + "ts/one",
    ],
)
def test_each_kind_is_seen(text: str) -> None:
    """The check reports what it is there to report."""
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("text", ["a home/wo" + "rk/x", "the framework/of", "docs.example/wo" + "rk/x"])
def test_ordinary_text_is_not_reported(text: str) -> None:
    """A path that merely contains one of the words is left alone."""
    assert not FORBIDDEN.search(text)
