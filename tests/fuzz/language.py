"""Any text runs, or ends in one of our errors. For as long as wanted: `python -m tests.fuzz.language SECONDS [SEED] [DIRECTORY] [--write]`.

Guided by what the programs reach in `armslength/language`, which a tracer of our own sees (decision 0028).
What is found is reduced and written into the directory; the programs that reached something new are written beside it. With --write the
counts go into bench/results.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import warnings
from pathlib import Path

from bench.commit import Taken
from tests.fuzz.grammar import Choices, program
from tests.fuzz.guided import Fuzzer, reduced
from tests.fuzz.texts import damaged, retokened
from tests.fuzz.trees import Words, random_tree, spliced
from tests.language.library_world import Started
from tests.language.world import SIGNATURES

from armslength.errors import ArmslengthError, ProgramRefused
from armslength.language import Limits, Showing, prepare, run
from armslength.values import sink_label

LIMITS = Limits(steps=1_000, size=100_000, digits=400, depth=20)
PROGRAMS = [
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[1] / "language").glob("cases*/*.py"))
]
CORPUS = {
    path.stem: path.read_bytes().decode("utf-8", "surrogatepass")
    for path in sorted((Path(__file__).parent / "corpus").glob("*.txt"))
}
"""Small programs that together reach most of what was ever reached; one that once failed is named after its failure."""
WORDS = Words(PROGRAMS)


class Home(Started):
    """The small world of the cases, with a clock, and a planner to whom everything may be shown."""

    def reveal(self, showing: Showing) -> None:
        """It is looked at and forgotten."""
        sink_label(showing.value)


class InternalError(Exception):
    """An error of ours that says it is no one's fault but ours."""


def survives(source: str) -> str:
    """How the program ended: `ran`, or the name of our error. Whatever is raised is the finding."""
    return ending(source)[0]


def ending(source: str) -> tuple[str, int]:
    """How the program ended, and the line that was refused if one was, else 0.

    Raises:
        InternalError: with an error of ours that says so.
    """
    try:
        names = run(prepare(source, SIGNATURES), Home(), LIMITS)
        for value in names.values():
            sink_label(value)
    except ArmslengthError as error:
        if "internal" in str(error):
            raise InternalError(str(error)) from error
        return type(error).__name__, error.line if isinstance(error, ProgramRefused) else 0
    return "ran", 0


def from_bytes(given: bytes) -> str:
    """The program that some bytes stand for: the first says of which sort."""
    choose = Choices(given[3:])
    base, other = (PROGRAMS[each % len(PROGRAMS)] for each in (given[1:3] + b"\x00\x00")[:2])
    match given[:1]:
        case b"":
            return ""
        case first if first[0] < 64:
            return program(choose)
        case first if first[0] < 96:
            return random_tree(choose, WORDS)
        case first if first[0] < 160:
            return spliced(choose, WORDS, base)
        case first if first[0] < 192:
            return retokened(choose, base, other)
        case first if first[0] < 224:
            return damaged(choose, base, other)
        case _:
            return given[1:].decode("utf-8", "surrogateescape")


def guided(seed: int) -> Fuzzer:
    """A fuzzer over the committed corpus."""
    return Fuzzer(ending, list(CORPUS.values()), WORDS, random.Random(seed))


def by_tracer(seconds: float, seed: int) -> tuple[Fuzzer, int]:
    """Fuzz for a time; prints what was reached meanwhile. The fuzzer, and how many programs of its own it began with."""
    fuzzer = guided(seed)
    fuzzer.corpus = list(PROGRAMS) + fuzzer.corpus
    fuzzer.start()
    started = told = time.monotonic()
    begun = fuzzer.ends.total()
    while time.monotonic() < started + seconds:
        fuzzer.step()
        if time.monotonic() > told + 10:
            told = time.monotonic()
            count = fuzzer.ends.total() - begun
            _tell(f"{told - started:5.0f} s {count:6} programs {len(fuzzer.arcs.seen)} arcs {len(fuzzer.corpus)} kept")
    return fuzzer, begun


def keep(fuzzer: Fuzzer, directory: Path) -> None:
    """What was found, reduced, and the programs that reached something new, as files."""
    for finding in fuzzer.findings.values():
        short = reduced(finding.source, lambda text, name=finding.name: _name_of(text) == name)  # type: ignore[misc]
        (directory / f"{finding.name}.py").write_bytes(short.encode("utf-8", "surrogatepass"))
        (directory / f"{finding.name}.trace").write_text(finding.trace, "utf-8", "backslashreplace")
        _tell(f"FOUND {finding.name}: {short!r}")
    _tell(f"{dict(fuzzer.ends)}, {len(fuzzer.arcs.seen)} arcs; slowest {fuzzer.slowest[0]:.1f} s")
    kept = directory / "kept"
    kept.mkdir(exist_ok=True)
    for number, source in enumerate(fuzzer.corpus[len(PROGRAMS) :]):
        (kept / f"{number:05}.txt").write_bytes(source.encode("utf-8", "surrogatepass"))
    (directory / "slowest.txt").write_bytes(fuzzer.slowest[1].encode("utf-8", "surrogatepass"))


def _name_of(source: str) -> str:
    """The name of what a program finds, if it finds something."""
    fuzzer = Fuzzer(ending, [source], WORDS, random.Random(0))
    fuzzer.start()
    return next(iter(fuzzer.findings), "")


def _tell(line: str) -> None:
    sys.stdout.write(line.encode("utf-8", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


def main() -> int:
    """The command. 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.language")
    parser.add_argument("seconds", type=int, nargs="?", default=10)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("directory", type=Path, nargs="?")
    parser.add_argument("--write", action="store_true", help="write the counts into bench/results")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="fuzz-"))
    directory.mkdir(parents=True, exist_ok=True)
    taken = Taken("fuzz") if arguments.write else None
    fuzzer, begun = by_tracer(arguments.seconds, arguments.seed)
    keep(fuzzer, directory)
    _tell(f"written to {directory}")
    if taken is not None:
        _tell(f"written to {taken.write(_found(fuzzer, begun, arguments))}")
    return 1 if fuzzer.findings else 0


def _found(fuzzer: Fuzzer, begun: int, arguments: argparse.Namespace) -> dict[str, object]:
    return {
        "seed": arguments.seed,
        "seconds": arguments.seconds,
        "guided_by": "arcs between lines, by a tracer of our own",
        "programs": fuzzer.ends.total() - begun,
        "ends": dict(fuzzer.ends),
        "arcs": len(fuzzer.arcs.seen),
        "kept": len(fuzzer.corpus) - len(PROGRAMS) - len(CORPUS),
        "slowest_seconds": round(fuzzer.slowest[0], 2),
        "problems": len(fuzzer.findings),
        "findings": sorted(fuzzer.findings),
    }


if __name__ == "__main__":
    sys.exit(main())
