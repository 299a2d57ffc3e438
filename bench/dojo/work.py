"""What is run, on several processors, each row kept as it comes, so that what was cut off goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from random import Random
from typing import Any

from bench.commit import ROOT, commit
from bench.dojo.carrying import Asked, Labels
from bench.dojo.pairs import run_pair
from bench.dojo.people import Person
from bench.dojo.programs import Column, is_mended, program_of
from bench.dojo.running import run_one
from bench.dojo.suites import SUITES, injection_tasks, user_tasks

Row = dict[str, Any]
Job = tuple[Any, ...]
COLUMNS: tuple[Column, ...] = ("first", "mended")


def file_of(kind: str) -> Path:
    """Where the rows of today's sources are kept: `.dojo/COMMIT-KIND.jsonl`."""
    return ROOT / ".dojo" / f"{commit()}-{kind}.jsonl"


def task_jobs(
    suites: Sequence[str], task: int | None, people: Sequence[Person], labels: Labels, *, is_strict: bool
) -> Iterator[Job]:
    """A job for each program, person and column; a mended one only where there is one."""
    for suite in suites:
        for number in user_tasks(suite) if task is None else [task]:
            for column in COLUMNS if is_mended(suite, number) else COLUMNS[:1]:
                for person in people if labels == "on" else people[:1]:
                    yield suite, number, column, person, labels, is_strict


def pair_jobs(suites: Sequence[str], sample: int | None, seed: int, column: Column) -> list[Job]:
    """A job for each pair, or for a sample of all."""
    jobs = [
        (suite, task, injection, column, seed)
        for suite in suites
        for task in user_tasks(suite)
        for injection in injection_tasks(suite)
    ]
    return jobs if sample is None else sorted(Random(seed).sample(jobs, min(sample, len(jobs))))


def do_task(job: Job) -> Row:
    """The row of a task; one that nobody wrote a program for says so."""
    suite, task, column, person, labels, is_strict = job
    program = program_of(suite, task, column)
    if program is None:
        return {"job": list(job), "suite": suite, "task": task, "column": column, "ending": "no program"}
    row = run_one(Asked(suite, task, program, person, labels=labels, is_strict=is_strict))
    return {"job": list(job), "column": column, **row.to_json()}


def do_pair(job: Job) -> Row:
    """The row of a pair; one that nobody wrote a program for says so."""
    suite, task, injection, column, seed = job
    if program_of(suite, task, column) is None:
        return {"job": list(job), "suite": suite, "task": task, "injection": injection, "ending": "no program"}
    return {"job": list(job), **run_pair(suite, task, injection, column, seed)}


def rows_of(do: Callable[[Job], Row], jobs: Iterable[Job], path: Path, workers: int) -> list[Row]:
    """The rows of all jobs; those that `path` has are taken from there, the others are added to it as they come."""
    wanted = [list(job) for job in jobs]
    kept = {json.dumps(row["job"]): row for row in read(path)}
    missing = [tuple(job) for job in wanted if json.dumps(job) not in kept]
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file, ProcessPoolExecutor(workers) as pool:
        begun = [pool.submit(do, job) for job in missing]
        for done in as_completed(begun):
            row = done.result()
            kept[json.dumps(row["job"])] = row
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
    return [kept[json.dumps(job)] for job in wanted]


def read(path: Path) -> list[Row]:
    """The rows that are there; a line that was cut off counts for nothing."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def suites_of(given: str | None) -> Sequence[str]:
    """One suite, or all."""
    return SUITES if given is None else (given,)
