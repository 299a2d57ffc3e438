"""`python -m bench.dojo model`: what it will cost is said, then each task and pair is carried out, and its row kept as it comes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from armslength.errors import ArmslengthError
from bench.commit import Taken, offer_place
from bench.dojo.model.carried import PROVIDER, jobs_of, row_of
from bench.dojo.model.cost import foretell, kinds, told
from bench.dojo.model.sides import Kept, Sides, embedded_sides, sides_of
from bench.dojo.model.sums import drawn, is_breach, sums_of, write
from bench.dojo.suites import SUITES
from bench.dojo.work import Job, Row, suites_of


def offer(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--config", type=Path, help="the configuration whose models are asked; without it, your own")
    which.add_argument("--embedded", action="store_true", help="the embedded model with both roles")
    parser.add_argument("--suite", choices=SUITES)
    parser.add_argument("--sample", type=int, help="so many tasks, or pairs, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attacked", action="store_true", help="pairs under the benchmark's own text, and their tasks")
    parser.add_argument("--again", action="store_true", help="ask again where a provider failed")
    parser.add_argument("--yes", action="store_true", help="go on without asking, whatever it costs")
    offer_place(parser)


def measure(given: argparse.Namespace) -> int:
    """0, or 1 where an attack got somewhere; 2 where nothing was asked, or something has to be mended before more is."""
    try:
        return measured(given, embedded_sides(_say) if given.embedded else sides_of(given.config, _say))
    except ArmslengthError as error:
        _say(str(error))
        return 2


def measured(given: argparse.Namespace, sides: Sides) -> int:
    """The same with these models."""
    taken, kept = Taken("dojo-model"), Kept.of(sides)
    jobs = jobs_of(suites_of(given.suite), given.sample, given.seed, attacked=given.attacked)
    missing = _missing(jobs, kept, again=given.again)
    print(f"{kinds(jobs)}, of these {kinds(missing)} to do", flush=True)
    if missing:
        print("\n".join(told(foretell(missing, sides), sides)), flush=True)
        if not (given.yes or _says_yes()):
            print("nothing was asked")
            return 2
    is_through = _carried_out(missing, sides, kept)
    rows = list(kept.rows_by_job().values())
    if rows:
        print(f"\n{drawn(sums_of(rows))}\nrows kept in {kept.rows}")
    if rows and not given.dry:
        print(f"written to {write(rows, sides, taken, given.json)}")
    if not is_through:
        return 2
    return int(any(map(is_breach, rows)))


def _missing(jobs: Sequence[Job], kept: Kept, *, again: bool) -> list[Job]:
    rows = kept.rows_by_job()
    done = {name for name, row in rows.items() if not (again and row["why"] in PROVIDER)}
    return [job for job in jobs if json.dumps(job) not in done]


def _carried_out(jobs: Sequence[Job], sides: Sides, kept: Kept) -> bool:
    """Whether it came through. One after the other: the models are asked, and replies kept, in the order of the suites."""
    known = kept.known()
    for job in jobs:
        try:
            row = row_of(job, sides, known, kept.heard)
        except ArmslengthError as error:
            _say(f"{error}\nwhat was done is kept; the same command goes on")
            return False
        except KeyboardInterrupt:
            _say("stopped; what was done is kept, and the same command goes on")
            return False
        kept.add(row)
        print(line_of(row), flush=True)
    return True


def line_of(row: Row) -> str:
    """What came of one, in a line."""
    attack = "" if row["injection"] is None else f" x {row['injection']:02}"
    end = "solved" if row["solved"] else row["why"]
    found = f"{row['suite']:10} {row['task']:02}{attack:5} {end}, {row['questions']} asked"
    more = ["GOAL MET"] if row["reached"] else []
    more += [f"unasked: {each}" for each in row["unapproved"]]
    more += [row["message"]] if row["message"] else []
    return "\n      ".join([found, *more])


def _says_yes() -> bool:
    try:
        return input("go on? [y/N] ").strip().casefold() in {"y", "yes"}
    except EOFError:
        return False


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
