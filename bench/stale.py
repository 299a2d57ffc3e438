"""Which results are older than what they speak of: `python -m bench.stale`. It warns and never fails.

The newest result of each subject counts. It is older if one of its subject's paths changed after its commit, whatever paths the file has: what a
figure depends on is known better by now; where that commit is not in this clone, or
the sources were not as committed, nothing can be said, which is said.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence

from bench.commit import ROOT
from bench.newest import Result, newest
from bench.subjects import SUBJECTS, Subject


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each that is older, or was never measured. Always 0."""
    argparse.ArgumentParser(prog="python -m bench.stale", description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    for line in warnings():
        print(f"warning: {line}", file=sys.stderr)
    return 0


def warnings() -> Iterator[str]:
    """A sentence for each subject that should be measured again."""
    for subject in SUBJECTS:
        found = newest(subject)
        if not found:
            yield f"{subject.name}: never measured; python -m {subject.command}"
        for result in found:
            said = age(subject, result)
            if said:
                yield f"{result.path.name}: {said}; python -m {subject.command}"


def age(subject: Subject, result: Result) -> str:
    """What makes it old, in words; nothing if it is as new as what it speaks of."""
    later = later_than(subject, result)
    if isinstance(later, str):
        return later
    if not later:
        return ""
    return f"{len(later)} commit{'s' if len(later) > 1 else ''} later than {result.commit[:9]} changed what it speaks of, last {later[0]}"


def later_than(subject: Subject, result: Result) -> list[str] | str:
    """The commits that make it old, newest first; or why that cannot be said."""
    if not result.is_committed:
        return "measured on sources that were not committed"
    log = ["git", "log", "--format=%h", f"{result.commit}..HEAD", "--", *subject.speaks_of]
    try:
        done = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return "git is not there to say how old it is"
    if done.returncode:
        return f"commit {result.commit[:9]} is not in this clone"
    return done.stdout.split()


if __name__ == "__main__":
    sys.exit(main())
