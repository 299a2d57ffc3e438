"""All campaigns one after the other, with a seed: `python -m bench.campaigns [--seed S] [--only NAME,NAME] [--list]`.

Each is a command of its own and writes a dated result. They take hours together. Ends with 1 if one did.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from bench.commit import ROOT
from bench.subjects import SUBJECTS, Subject


def main(argv: Sequence[str] | None = None) -> int:
    """Run them."""
    every = [each for each in SUBJECTS if each.kind == "campaign"]
    parser = argparse.ArgumentParser(prog="python -m bench.campaigns", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="of whatever is drawn")
    parser.add_argument("--only", default="", help=f"some of: {', '.join(each.name for each in every)}")
    parser.add_argument("--list", action="store_true", help="print the commands and run none")
    given = parser.parse_args(argv)
    names = set(filter(None, given.only.split(",")))
    if unknown := names - {each.name for each in every}:
        parser.error(f"there is no campaign {', '.join(sorted(unknown))}")
    failed = []
    for each in every:
        if each.name in names or not names:
            words = command(each, given.seed)
            print(f"{each.name}: python -m {' '.join(words)}", flush=True)
            if not given.list and subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=False).returncode:
                failed.append(each.name)
    print(f"failed: {', '.join(failed)}" if failed else "none failed")
    return 1 if failed else 0


def command(subject: Subject, seed: int) -> list[str]:
    """What follows `python -m`."""
    return [str(seed) if word == "SEED" else word for word in subject.command.split()]


if __name__ == "__main__":
    sys.exit(main())
