"""The twenty requests in two homes over three seeds: `python -m bench.requests --seeds 3`.

Each row is appended to a file as soon as it is known, and each new reply of a model with it: the same command goes on where it stopped.
The planner's programs depend on the request and the seed alone, so the second home gets those of the first; the reader is asked at
temperature 0, so an identical question is asked once. `--dry` takes right programs written by hand, to test the checks themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armslength.app import load_settings
from armslength.errors import ArmslengthError
from armslength.models.base import ModelReply
from bench.commit import ROOT, commit, today
from bench.models import OnceModel, Pair, embedded_pair, file_name, pair_of, reply_json, reply_of
from bench.requests.checks import REQUESTS, Request
from bench.requests.home_a import A
from bench.requests.home_b import B
from bench.requests.homes import Home
from bench.requests.oracles import oracle_planner, oracle_reader
from bench.requests.running import Row, row_json, run_one

HOMES = {"a": A, "b": B}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and the file that the rows go to."""

    seeds: tuple[int, ...]
    homes: tuple[Home, ...]
    requests: tuple[Request, ...]
    rows: Path


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the results. 0 unless something unsafe happened or a model is missing."""
    arguments = _parser().parse_args(argv)
    measured_commit = commit()
    try:
        models = _dry_models() if arguments.dry else _models(configured=arguments.configured)
    except ArmslengthError as error:
        print(error, file=sys.stderr)
        return 2
    name = models.planner.processor.model
    rows = arguments.json or (_passing() if arguments.dry else _rows_file(name, measured_commit))
    numbers = set(_listed(arguments.only)) if arguments.only else {request.number for request in REQUESTS}
    plan = Plan(
        tuple(range(arguments.seeds)),
        tuple(HOMES[name] for name in arguments.homes.split(",")),
        tuple(request for request in REQUESTS if request.number in numbers),
        rows,
    )
    measured = measure(plan, models, _say)
    print(table(measured, plan))
    summary = {"commit": measured_commit, "date": today(), "model": name, **summarised(measured)}
    rows.with_suffix(".json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    print(f"rows in {rows}, summary in {rows.with_suffix('.json')}")
    return 1 if any(row.unsafe for row in measured) else 0


def measure(plan: Plan, models: Pair, say: Callable[[str], None]) -> list[Row]:
    """Every row of the plan, from the file where it is there already."""
    done, known = _read(plan.rows)
    plan.rows.parent.mkdir(parents=True, exist_ok=True)
    measured: list[Row] = []
    with plan.rows.open("a", encoding="utf-8") as file:
        for seed in plan.seeds:
            for request in plan.requests:
                for home in plan.homes:
                    row = done.get((request.number, home.name, seed))
                    if row is None:
                        row = _measure_one(home, request, seed, models, known, file.write)
                        file.flush()
                        say(
                            f"seed {seed} request {row.request:2} home {row.home}: {row.verdict} {row.reason} ({row.seconds} s)"
                        )
                    measured.append(row)
    return measured


def _measure_one(  # one row's whole circumstances
    home: Home, request: Request, seed: int, models: Pair, known: dict[str, ModelReply], write: Callable[[str], Any]
) -> Row:
    def keep(digest: str, reply: ModelReply) -> None:
        write(json.dumps(reply_json(digest, reply)) + "\n")

    row = run_one(
        home, request, seed, Pair(OnceModel(models.planner, known, keep), OnceModel(models.quarantined, known, keep))
    )
    write(json.dumps(row_json(row)) + "\n")
    return row


def _read(path: Path) -> tuple[dict[tuple[int, str, int], Row], dict[str, ModelReply]]:
    """Rows and replies of an earlier start; a last line that was cut off is left out."""
    rows: dict[tuple[int, str, int], Row] = {}
    known: dict[str, ModelReply] = {}
    for line in path.read_text("utf-8").split("\n") if path.exists() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        match entry.pop("kind"):
            case "reply":
                digest, reply = reply_of(entry)
                known[digest] = reply
            case "row":
                parts: dict[str, Any] = {
                    n: tuple(part) if isinstance(part, list) else part for n, part in entry.items()
                }
                row = Row(**parts)
                rows[row.request, row.home, row.seed] = row
            case _:
                pass
    return rows, known


def table(rows: Sequence[Row], plan: Plan) -> str:
    """A line for each request: right (·), wrong (w) or stopped (s) for each home and seed, and the reasons below."""
    columns = [(home.name, seed) for seed in plan.seeds for home in plan.homes]
    found = {(row.request, row.home, row.seed): row for row in rows}
    signs = {"right": "·", "wrong": "w", "stopped": "s"}
    lines = ["     " + " ".join(f"{home}{seed}" for home, seed in columns)]
    for request in plan.requests:
        cells = [signs[found[request.number, home, seed].verdict] for home, seed in columns]
        lines.append(f"{request.number:3}  " + " ".join(f"{cell:2}" for cell in cells) + f"  {request.text}")
    lines += ["", *_reasons(rows), ""]
    for seed in plan.seeds:
        of_seed = [row for row in rows if row.seed == seed]
        lines.append(
            f"seed {seed}: {_in_every_home(of_seed)} of {len(plan.requests)} right in every home; {_counts(of_seed)}"
        )
    return "\n".join([*lines, f"all: {_counts(rows)}", f"unsafe: {_unsafe(rows)}"])


def _reasons(rows: Iterable[Row]) -> list[str]:
    wrong: dict[tuple[int, str, str], list[str]] = {}
    for row in rows:
        if row.verdict != "right":
            wrong.setdefault((row.request, row.verdict, row.reason), []).append(f"{row.home}{row.seed}")
    return [
        f"{number:3}  {verdict} in {' '.join(where)}: {reason}"
        for (number, verdict, reason), where in sorted(wrong.items())
    ]


def _in_every_home(rows: Sequence[Row]) -> int:
    """Requests that are right wherever they were asked."""
    numbers = {row.request for row in rows}
    return sum(all(row.verdict == "right" for row in rows if row.request == number) for number in numbers)


def _counts(rows: Sequence[Row]) -> str:
    verdicts = ", ".join(f"{sum(row.verdict == each for row in rows)} {each}" for each in ("right", "wrong", "stopped"))
    screens, refused = sum(row.screens for row in rows), sum(row.refused_screens for row in rows)
    planner, reader = (
        " + ".join(f"{sum(pair[side] for pair in pairs):,}" for side in (0, 1))
        for pairs in ([row.planner_tokens for row in rows], [row.reader_tokens for row in rows])
    )
    return (
        f"{verdicts}; {screens} screens, {refused} refused; tokens in + out: planner {planner}, reader {reader}; "
        f"{sum(row.seconds for row in rows):,.0f} s"
    )


def _unsafe(rows: Iterable[Row]) -> str:
    listed = [f"request {row.request} home {row.home} seed {row.seed}: {each}" for row in rows for each in row.unsafe]
    return "; ".join(listed) or "nothing"


def summarised(rows: Sequence[Row]) -> dict[str, Any]:
    """The result without programs and answers."""
    seeds = sorted({row.seed for row in rows})
    return {
        "right_in_every_home": {seed: _in_every_home([row for row in rows if row.seed == seed]) for seed in seeds},
        "requests": len({row.request for row in rows}),
        "unsafe": [each for row in rows for each in row.unsafe],
        "screens": sum(row.screens for row in rows),
        "seconds": round(sum(row.seconds for row in rows), 1),
        "rows": [[row.request, row.home, row.seed, row.verdict, row.reason] for row in rows],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.requests", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="how many; 0 is at temperature 0, the others at 0.2")
    parser.add_argument("--homes", default="a,b")
    parser.add_argument("--only", help="numbers of requests, such as 1,4")
    parser.add_argument("--json", type=Path, help="the file that rows are appended to and taken from")
    parser.add_argument("--dry", action="store_true", help="right programs written by hand in place of a model")
    parser.add_argument(
        "--configured", action="store_true", help="the models of your configuration, not the embedded one"
    )
    return parser


def _passing() -> Path:
    """A file for rows that nobody keeps."""
    return Path(tempfile.mkdtemp(prefix="bench-")) / "dry.jsonl"


def _rows_file(model: str, commit: str) -> Path:
    """The file that an earlier start with this model and these sources began, on whatever day, else a new one."""
    ending = f"requests-{file_name(model)}-{commit if 'changed' in commit else commit[:9]}.jsonl"
    begun = sorted((ROOT / "bench" / "results").glob(f"*-{ending}"))
    return begun[-1] if begun else ROOT / "bench" / "results" / f"{today()}-{ending}"


def _models(*, configured: bool) -> Pair:
    return pair_of(load_settings(), _say) if configured else embedded_pair(_say)


def _dry_models() -> Pair:
    return Pair(oracle_planner(), oracle_reader())


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _listed(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
