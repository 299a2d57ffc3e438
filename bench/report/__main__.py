"""Write docs/results.md, the history and the page, from the newest result of each subject; with --measure some are measured anew before."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.commit import ROOT
from bench.report import history
from bench.report.markdown import markdown
from bench.report.page import page
from bench.report.whole import report

TEXT, PAGE = ROOT / "docs" / "results.md", ROOT / "build" / "results.html"
QUICK = (
    "bench.speed.startup",
    "bench.speed.documents",
    "bench.speed.memory",
    "bench.speed.labels",
    "bench.speed.policy",
    "bench.speed.language --runs 5",
    "bench.speed.journal",
    "bench.speed.overlap",
)
"""What takes some minutes together. The others are hours, or need a server or a model: their dated results are used."""


def main(argv: Sequence[str] | None = None) -> int:
    """0 unless something that is measured could not be; a bound that does not hold stands in the report."""
    parser = argparse.ArgumentParser(prog="python -m bench.report", description=__doc__)
    parser.add_argument("--measure", action="store_true", help="measure what is quick before")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page goes")
    given = parser.parse_args(argv)
    failed = [command for command in QUICK if not _measured(command)] if given.measure else []
    whole = report(history.add())
    TEXT.write_text(markdown(whole), "utf-8")
    given.page.parent.mkdir(parents=True, exist_ok=True)
    given.page.write_text(page(whole), "utf-8")
    print(f"written: {TEXT.relative_to(ROOT)} and {given.page}")
    for command in failed:
        print(f"not measured: python -m {command}", file=sys.stderr)
    return 1 if failed else 0


def _measured(command: str) -> bool:
    """Whether it came to an end: 1 says that a bound is broken, and the result is there all the same."""
    print(f"python -m {command}", flush=True)
    return subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, check=False).returncode in (0, 1)


if __name__ == "__main__":
    sys.exit(main())
