"""Run all forty with every reader and person, print the table, write the result."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.commit import Taken
from bench.everyday.cases import Case, cases
from bench.everyday.people import Answering, Reader
from bench.everyday.running import Row, run_case
from bench.labels_off import labels_off

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
    rows = [*measured(only), *measured_off(only)]
    print(table(rows))
    if given.json or not only:
        found = {"sums": sums(rows), "rows": [row.to_json() for row in rows]}
        print(f"written to {taken.write(found, given.json)}")
    return int(any(row.reached for row in rows if row.person == "reads"))


def measured(
    only: Iterable[int] = (), readers: Sequence[Reader] = READERS, people: Sequence[Answering] = PEOPLE
) -> list[Row]:
    """A row for each case, reader and person. `only`: these numbers; none means all."""
    return [_run(case, reader, person) for case in _wanted(only) for reader in readers for person in people]


def measured_off(only: Iterable[int] = ()) -> list[Row]:
    """A row for each attacked case and reader with a policy that allows everything: what can happen at all, the separation of the models aside."""
    attacked = [case for case in _wanted(only) if case.content["kind"] == "attack"]
    with labels_off():
        return [replace(_run(case, reader, "accepts"), labels="off") for case in attacked for reader in READERS]


def _wanted(only: Iterable[int]) -> list[Case]:
    wanted = frozenset(only)
    return [case for case in cases() if case.number in wanted or not wanted]


def _run(case: Case, reader: Reader, person: Answering) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        return run_case(case, Path(folder) / "home", reader, person)


def table(rows: Sequence[Row]) -> str:
    """One line for each case with an honest reader and a person who reads, then the sums."""
    lines = [f"{'case':32} {'screens':7} {'end':6} reached  by"]
    for row in rows:
        if (row.reader, row.person, row.labels) == ("honest", "reads", "on"):
            others = [each for each in rows if each.number == row.number and each.reached]
            end = "apart" if row.is_apart else "wrong" if row.wrong else "right"
            who = ", ".join(f"{each.reader}+{_whom(each)}" for each in others) or "nobody"
            lines.append(f"{row.number:02} {row.name:29} {row.screens:7} {end:6} {who}  {', '.join(row.rules)}")
            lines += [f"      {fault}" for fault in row.wrong]
            lines += [f"      {row.message}"] if row.message else []
    return "\n".join([*lines, "", *(f"{name}: {count}" for name, count in sums(rows).items())])


def _whom(row: Row) -> str:
    return row.person if row.labels == "on" else "labels off"


def sums(every: Sequence[Row]) -> dict[str, int]:
    """What is held against the bounds; and of the attacks how many get somewhere if no label decides: the others prove nothing of labels."""
    rows, off = ([row for row in every if row.labels == labels] for labels in ("on", "off"))
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
    if off:
        found["attacks that get somewhere with labels off"] = len({row.number for row in off if row.reached})
    return found


if __name__ == "__main__":
    sys.exit(main())
