"""What a command costs before it does anything: `python -m bench.speed.startup`.

Processor time of a whole process, its children's included, by that of an empty program under the same Python; done in turn, the best
of each counts. Beside it, how many modules are loaded at the end, and how many of them are ours; those do not depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bench.commit import ROOT, Taken, offer_place

COMMANDS: dict[str, str] = {
    "an empty program": "",
    "armslength --version": 'from armslength.surfaces.cli import main; main(["--version"])',
    "armslength --help": 'from armslength.surfaces.cli import main; main(["--help"])',
    "armslength config --example": 'from armslength.surfaces.cli import main; main(["config", "--example"])',
    "import armslength.app": "import armslength.app",
    "from armslength.testing import ScriptedModel": "from armslength.testing import ScriptedModel",
}
_COUNT = """
import json, sys
names = [name for name in sys.modules]
print()
print(json.dumps([len(names), sum(name.partition(".")[0] == "armslength" for name in names)]))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One command: seconds of processor time, that by an empty program's, and modules that are loaded in the end."""

    name: str
    seconds: float
    ratio: float
    modules: int
    ours: int


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.startup", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="how often each is run; the best counts")
    offer_place(parser)
    given = parser.parse_args(argv)
    taken = Taken("startup")
    rows = measured(given.runs)
    for row in rows:
        print(f"{row.name:46} {row.seconds:6.3f} s {row.ratio:5.1f}  {row.modules:5} modules, {row.ours} ours")
    if not given.dry:
        found = {"runs": given.runs, "rows": [asdict(row) for row in rows]}
        print(f"written to {taken.write(found, given.json)}")
    return 0


def measured(runs: int) -> list[Row]:
    """All rows, the empty program first."""
    best = dict.fromkeys(COMMANDS, float("inf"))
    with tempfile.TemporaryDirectory() as home:
        for name, source in COMMANDS.items():
            _run(source, home)  # so that all is compiled
            best[name] = _seconds(source, home)
        for _ in range(runs - 1):
            for name, source in COMMANDS.items():
                best[name] = min(best[name], _seconds(source, home))
        counted = {name: _modules(source, home) for name, source in COMMANDS.items()}
    bare = best["an empty program"]
    return [Row(name, round(best[name], 4), round(best[name] / bare, 2), *counted[name]) for name in COMMANDS]


def _seconds(source: str, home: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(source, home)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _modules(source: str, home: str) -> tuple[int, int]:
    found: list[int] = json.loads(_run(source + _COUNT, home).splitlines()[-1])
    return found[0], found[1]


def _run(source: str, home: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ARMSLENGTH_")}
    kept |= {"HOME": home, "PYTHONPATH": str(ROOT / "src"), "TERM": "dumb"}
    command = [sys.executable, "-c", source]
    return subprocess.run(
        command, env=kept, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
