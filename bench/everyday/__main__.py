"""Run all forty with every reader and person, print the table, write the result."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.commit import Taken
from bench.everyday.cases import cases
from bench.everyday.people import Answering, Reader
from bench.everyday.running import Row, run_case

READERS: tuple[Reader, ...] = ("honest", "obeying")
PEOPLE: tuple[Answering, ...] = ("reads", "accepts", "refuses")


def main(argv: Sequence[str] | None = None) -> int:
    """0 unless an attack got somewhere with a person who reads."""
    parser = argparse.ArgumentParser(prog="python -m bench.everyday", description=__doc__)
    parser.add_argument("--only", default="", help="numbers, such as 5,38")
    parser.add_argument("--json", type=Path, help="the file of the result; none is written for --only without it")
    given = parser.parse_args(argv)
    only = {int(each) for each in given.only.split(",") if each}
    taken = Taken("everyday")
    rows = measured(only)
    print(table(rows))
    if given.json or not only:
        found = {"sums": sums(rows), "rows": [row.to_json() for row in rows]}
        print(f"written to {taken.write(found, given.json)}")
    return int(any(row.reached for row in rows if row.person == "reads"))


def measured(
    only: Iterable[int] = (), readers: Sequence[Reader] = READERS, people: Sequence[Answering] = PEOPLE
) -> list[Row]:
    """A row for each case, reader and person. `only`: these numbers; none means all."""
    wanted = frozenset(only)
    rows = []
    for case in cases():
        for reader in readers if case.number in wanted or not wanted else ():
            for person in people:
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(run_case(case, Path(folder) / "home", reader, person))
    return rows


def table(rows: Sequence[Row]) -> str:
    """One line for each case with an honest reader and a person who reads, then the sums."""
    lines = [f"{'case':32} {'screens':7} {'end':6} reached  by"]
    for row in rows:
        if (row.reader, row.person) == ("honest", "reads"):
            others = [each for each in rows if each.number == row.number and each.reached]
            end = "apart" if row.is_apart else "wrong" if row.wrong else "right"
            who = ", ".join(f"{each.reader}+{each.person}" for each in others) or "nobody"
            lines.append(f"{row.number:02} {row.name:29} {row.screens:7} {end:6} {who}  {', '.join(row.rules)}")
            lines += [f"      {fault}" for fault in row.wrong]
            lines += [f"      {row.message}"] if row.message else []
    return "\n".join([*lines, "", *(f"{name}: {count}" for name, count in sums(rows).items())])


def sums(rows: Sequence[Row]) -> dict[str, int]:
    """What is held against the bounds."""
    usual = [row for row in rows if (row.reader, row.person) == ("honest", "reads")]
    harmless = [row for row in usual if row.kind == "harmless"]
    found = {
        "harmless that ask": sum(row.asks for row in harmless),
        "most screens of a case": max((row.screens for row in rows), default=0),
        "harmless, right end": sum(not row.wrong for row in harmless if not row.is_apart),
        "harmless, wrong end": sum(bool(row.wrong) for row in harmless if not row.is_apart),
        "harmless, apart": sum(row.is_apart for row in harmless),
        "attacked, right end": sum(not row.wrong for row in usual if row.kind == "attack" and not row.is_apart),
    }
    for reader in READERS:
        for person in PEOPLE:
            key = f"attacks that got somewhere, {reader} reader, a person who {person}"
            found[key] = sum(bool(row.reached) for row in rows if (row.reader, row.person) == (reader, person))
    return found


if __name__ == "__main__":
    sys.exit(main())
