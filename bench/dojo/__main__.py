"""AgentDojo's tasks and attacks under Armslength: `python -m bench.dojo`, in the environment of `make .venv-dojo/.complete`.

What it does:
    prompt SUITE   the planner's system text for the suite's tools
    tasks SUITE    number and request of each user task
    freeze         the programs that are not frozen yet
    run            user tasks that nobody attacks
    pairs          attacked pairs, in all forms
    check          all user tasks and a sample of pairs: none that the newest result has is lost, no attack gets anywhere
    model          user tasks, or attacked pairs, planned and read by the models of a configuration, or by the embedded one
    table          all that was run with today's sources, summed up and written to bench/results
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from armslength.agent.runs.trust import trust_of
from armslength.app import Assistant
from armslength.testing import ScriptedModel
from bench.commit import ROOT
from bench.dojo.lines import lines_of_pair, lines_of_task, sum_of_pairs, sum_of_tasks
from bench.dojo.model import command as model
from bench.dojo.people import PEOPLE
from bench.dojo.programs import freeze
from bench.dojo.suites import SUITES, environment, user_tasks, wiring_of
from bench.dojo.tables import is_breach, lost_since, newest_tasks, written
from bench.dojo.tools.shared import Held
from bench.dojo.work import COLUMNS, do_pair, do_task, file_of, pair_jobs, rows_of, suites_of, task_jobs


def main(argv: Sequence[str] | None = None) -> int:
    """0 unless an attack met its goal with a person who is careful or absent, bytes of its stood in a target unasked, or `check` found more."""
    given = _parser().parse_args(argv)
    match given.command:
        case "prompt":
            print(prompt(given.suite))
        case "tasks":
            for number, task in user_tasks(given.suite).items():
                print(f"{number:02} {task.PROMPT}\n")
        case "freeze":
            print(f"{freeze()} more are frozen")
        case "run":
            return _run(given)
        case "pairs":
            return _pairs(given)
        case "check":
            return _check(given)
        case "model":
            return model.measure(given)
        case _:
            found = written()
            print("nothing was run with these sources" if found is None else f"{found[0]}\nwritten to {found[1]}")
            return int(found is None)
    return 0


def prompt(suite: str) -> str:
    """The system text as the planner gets it in a run with these tools."""
    wiring, planner = wiring_of(suite), ScriptedModel("answer('')")
    trust = trust_of(wiring.trusted)
    held = Held(environment(suite, next(iter(user_tasks(suite))), {}))
    assistant = Assistant(
        wiring.declared(held, trust), planner, planner, wiring.settings, trust=trust, now=lambda: wiring.now
    )
    assistant.plan("")
    return planner.requests[0].system


def _run(given: argparse.Namespace) -> int:
    people = PEOPLE if given.person is None else (given.person,)
    labels = "off" if given.labels_off else "on"
    jobs = task_jobs(suites_of(given.suite), given.task, people, labels, is_strict=given.strict)
    rows = rows_of(do_task, jobs, file_of("tasks"), given.workers)
    lines = [line for row in rows for line in lines_of_task(row)]
    print("\n".join([*lines, sum_of_tasks(rows), _kept("tasks")]))
    return 0


def _kept(kind: str) -> str:
    """Where the rows are, and what makes a result of them."""
    return f"rows kept in {file_of(kind).relative_to(ROOT)}; next: python -m bench.dojo table"


def _pairs(given: argparse.Namespace) -> int:
    jobs = pair_jobs(suites_of(given.suite), given.sample, given.seed, given.column)
    if given.task is not None:
        jobs = [job for job in jobs if job[1] == given.task]
    rows = rows_of(do_pair, jobs, file_of("pairs"), given.workers)
    lines = [line for row in rows for line in lines_of_pair(row)]
    print("\n".join([*lines, sum_of_pairs(rows), _kept("pairs")]))
    return int(any(map(is_breach, rows)))


def _check(given: argparse.Namespace) -> int:
    """Both, briefly; what was solved by the newest result and is not any more is named."""
    tasks = rows_of(
        do_task, task_jobs(SUITES, None, ["careful"], "on", is_strict=False), file_of("tasks"), given.workers
    )
    lost = lost_since(newest_tasks(), tasks)
    print("\n".join([*lost, f"{len(tasks)} tasks, {sum(row.get('solved', False) for row in tasks)} solved"]))
    given.suite, given.task, given.column = None, None, "mended"
    return _pairs(given) or int(bool(lost))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.dojo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("prompt", "tasks"):
        commands.add_parser(name).add_argument("suite", choices=SUITES)
    for name in ("freeze", "table"):
        commands.add_parser(name)
    for name in ("run", "pairs", "check"):
        commands.add_parser(name).add_argument("--workers", type=int, default=2)
    run, pairs, check = (commands.choices[name] for name in ("run", "pairs", "check"))
    for each in (run, pairs):
        each.add_argument("--suite", choices=SUITES)
        each.add_argument("--task", type=int)
    run.add_argument("--person", choices=PEOPLE)
    run.add_argument("--labels-off", action="store_true")
    run.add_argument("--strict", action="store_true")
    pairs.add_argument("--sample", type=int)
    check.add_argument("--sample", type=int, default=100)
    for each in (pairs, check):
        each.add_argument("--seed", type=int, default=1)
    pairs.add_argument("--column", choices=COLUMNS, default="mended")
    model.offer(commands.add_parser("model"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
