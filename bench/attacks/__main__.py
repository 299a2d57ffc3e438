"""Run every attack in every form with labels on and off, print the table, write the result.

With `--without-each` also each rule of the shipped policy alone taken out: which attacks notice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.attacks.case import Case
from bench.attacks.cases import every_case
from bench.attacks.held import WAYS, headline, is_failed, ways
from bench.attacks.running import Row, run_form
from bench.attacks.without import Missed, drawn, missed_by
from bench.commit import Taken


def main(argv: Sequence[str] | None = None) -> int:
    """0 if with labels on nothing happened that must not, none was held by an error of its program alone, and with labels off each did."""
    parser = argparse.ArgumentParser(prog="python -m bench.attacks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", help="a word in the attacks' names")
    parser.add_argument("--json", type=Path, help="the file of the result; none is written for --only without it")
    parser.add_argument(
        "--without-each", action="store_true", help="run again without each rule, one at a time, what it had a part in"
    )
    given = parser.parse_args(argv)
    chosen = [case for case in every_case() if given.only in case.name]
    taken = Taken("attacks")
    rows, accepted = measured(chosen), with_a_yes(chosen)
    print(table(chosen, rows, accepted))
    found = missed_by(chosen, rows) if given.without_each else None
    if found is not None:
        print(f"\n{drawn(found)}")
    if given.json or not given.only:
        print(f"written to {taken.write(_result(chosen, rows, accepted, found), given.json)}")
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


def with_a_yes(chosen: Iterable[Case]) -> list[Row]:
    """The first form of each attack that is run with nobody there alone, with labels on and somebody who says yes to everything."""
    rows = []
    for case in chosen:
        if case.persons == ("absent",):
            with tempfile.TemporaryDirectory() as folder:
                rows.append(run_form(case, next(iter(case.forms)), Path(folder) / "yes", "on", "accepting"))
    return rows


def is_wrong(row: Row) -> bool:
    """It happened with labels on, or was held by an error of its program alone, or could not happen at all."""
    is_held_by_nothing = row.labels == "on" and is_failed(row.to_json())
    return row.has_happened == (row.labels == "on") or is_held_by_nothing


def table(chosen: Iterable[Case], rows: Sequence[Row], accepted: Sequence[Row] = ()) -> str:
    """One line for each attack: in how many forms it happened, what comes of a yes, what held it. Below it what went wrong, then the sums.

    `yes` stands for the first form with somebody who says yes to everything, where the attack is run with nobody there alone.
    """
    cases = list(chosen)
    yes = {row.case: "happens" if row.has_happened else "-" for row in accepted}
    lines = [f"{'attack':90} {'off':>5} {'on':>5} {'yes':>8}  held by"]
    for case in cases:
        own = [row for row in rows if row.case == case.name]
        on, off = ([row for row in own if row.labels == labels] for labels in ("on", "off"))
        held = dict.fromkeys(each for row in on for each in _held_by(row))
        shares = f"{_share(off):>5} {_share(on):>5} {yes.get(case.name, ''):>8}"
        lines.append(f"{case.name:90} {shares}  {', '.join(held)}")
        lines += [f"      {row.form}, labels {row.labels}: {row.ending} {row.message}" for row in own if is_wrong(row)]
    counts = sums(cases, rows, accepted)
    return "\n".join([*lines, "", *(f"{name}: {count}" for name, count in counts.items()), "", said(rows, accepted)])


def said(rows: Iterable[Row], accepted: Sequence[Row]) -> str:
    """The whole in a sentence or two."""
    return headline([row.to_json() for row in rows], [row.to_json() for row in accepted])


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


def sums(chosen: Iterable[Case], rows: Sequence[Row], accepted: Sequence[Row] = ()) -> dict[str, int]:
    """What is held against the bounds. Of a question nobody knows what a person makes of it, so it is counted apart."""
    cases = list(chosen)
    found = ways(row.to_json() for row in rows)
    return {
        "attacks": len(cases),
        "forms": sum(len(case.forms) for case in cases),
        "forms that happened with labels off": sum(row.has_happened for row in rows if row.labels == "off"),
        "runs with labels on": found.total(),
        **{f"of them {way}": found[way] for way in WAYS},
        "attacks that are run with nobody there alone": len(accepted),
        "of them happen in their first form with a person who says yes to everything": sum(
            row.has_happened for row in accepted
        ),
    }


def _result(
    chosen: Sequence[Case], rows: Sequence[Row], accepted: Sequence[Row], found: Sequence[Missed] | None
) -> dict[str, object]:
    origins = {case.name: {**asdict(case.origin), "technique": case.technique} for case in chosen}
    return {
        "sums": sums(chosen, rows, accepted),
        "origins": origins,
        "rows": [row.to_json() for row in rows],
        "accepted": [row.to_json() for row in accepted],
        **({} if found is None else {"without": [each.to_json() for each in found]}),
    }


if __name__ == "__main__":
    sys.exit(main())
