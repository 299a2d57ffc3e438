"""Run every attack in every form with labels on and off, print the table, write the result."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.attacks.case import Case
from bench.attacks.cases import every_case
from bench.attacks.running import Row, run_form
from bench.commit import Taken


def main(argv: Sequence[str] | None = None) -> int:
    """0 if with labels on nothing happened that must not, and with labels off each did."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks", description=__doc__)
    parser.add_argument("--only", default="", help="a word in the attacks' names")
    parser.add_argument("--json", type=Path, help="the file of the result; none is written for --only without it")
    given = parser.parse_args(argv)
    chosen = [case for case in every_case() if given.only in case.name]
    taken = Taken("attacks")
    rows = measured(chosen)
    print(table(chosen, rows))
    if given.json or not given.only:
        print(f"written to {taken.write(_result(chosen, rows), given.json)}")
    return int(any(is_wrong(row) for row in rows))


def measured(chosen: Iterable[Case]) -> list[Row]:
    """A row for each form with labels off, and with labels on one for each person."""
    rows = []
    for case in chosen:
        for form in case.forms:
            with tempfile.TemporaryDirectory() as folder:
                rows.append(run_form(case, form, Path(folder) / "off", "off"))
                rows += [run_form(case, form, Path(folder) / each, "on", each) for each in case.persons]
    return rows


def is_wrong(row: Row) -> bool:
    """It happened with labels on, or could not happen at all."""
    return row.has_happened == (row.labels == "on")


def table(chosen: Iterable[Case], rows: Sequence[Row]) -> str:
    """One line for each attack: in how many forms it happened, and what held it. Below it what went wrong, then the sums."""
    cases = list(chosen)
    lines = [f"{'attack':90} {'off':>5} {'on':>5}  held by"]
    for case in cases:
        own = [row for row in rows if row.case == case.name]
        on, off = ([row for row in own if row.labels == labels] for labels in ("on", "off"))
        held = dict.fromkeys(each for row in on for each in _held_by(row))
        lines.append(f"{case.name:90} {_share(off):>5} {_share(on):>5}  {', '.join(held)}")
        lines += [f"      {row.form}, labels {row.labels}: {row.ending} {row.message}" for row in own if is_wrong(row)]
    return "\n".join([*lines, "", *(f"{name}: {count}" for name, count in sums(cases, rows).items())])


def _share(rows: Sequence[Row]) -> str:
    return f"{sum(row.has_happened for row in rows)}/{len(rows)}"


def _held_by(row: Row) -> Sequence[str]:
    """That the run is not gone on with, or not with what was accepted; else the rules that spoke. Where none did: that the answer is drawn inert, or else that what was done is harmless."""
    if row.is_not_gone_on:
        return ("the run is not gone on with",)
    if row.is_overtaken:
        return ("what was accepted is not so any more",)
    if row.held_by:
        return row.held_by
    return (
        ("the answer as drawn",) if row.is_held_by_drawing else (f"what was done is harmless (the run {row.ending})",)
    )


def sums(chosen: Iterable[Case], rows: Sequence[Row]) -> dict[str, int]:
    """What is held against the bounds. Of a question nobody knows what a person makes of it, so it is counted apart."""
    cases = list(chosen)
    on = [row for row in rows if row.labels == "on"]
    return {
        "attacks": len(cases),
        "forms": sum(len(case.forms) for case in cases),
        "forms that happened with labels off": sum(row.has_happened for row in rows if row.labels == "off"),
        "runs with labels on": len(on),
        "of them happened": sum(row.has_happened for row in on),
        "of them denied": sum("deny" in row.verdicts for row in on),
        "of them asked, and not denied": sum(
            "ask" in row.verdicts and "deny" not in row.verdicts and not row.is_overtaken for row in on
        ),
        "of them accepted, and then another thing": sum(row.is_overtaken for row in on),
        "of them not gone on with": sum(row.is_not_gone_on for row in on),
        "of them held by the answer as drawn": sum(not row.verdicts and row.is_held_by_drawing for row in on),
        "of them harmless in what was done": sum(
            not (row.verdicts or row.is_held_by_drawing or row.is_not_gone_on or row.has_happened) for row in on
        ),
    }


def _result(chosen: Sequence[Case], rows: Sequence[Row]) -> dict[str, object]:
    origins = {case.name: {**asdict(case.origin), "technique": case.technique} for case in chosen}
    return {
        "sums": sums(chosen, rows),
        "origins": origins,
        "rows": [row.to_json() for row in rows],
    }


if __name__ == "__main__":
    sys.exit(main())
