"""What a run prints: what came of each task and pair, and of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.dojo.people import PEOPLE
from bench.dojo.suites import TEXT_ONLY
from bench.dojo.work import Row
from bench.report.blocks import counted


def lines_of_task(row: Row) -> Iterator[str]:
    """What came of a task, in one line."""
    where = f"{row['suite']:10} {row['task']:02} {row['column']:6}"
    if row["ending"] == "no program":
        yield f"{where} no program"
        return
    end = "solved" if row["solved"] else row["ending"]
    more = f"  {', '.join(row['rules'])}" if row["rules"] else ""
    off = "  labels off" if row["labels"] == "off" else ""
    yield f"{where} {row['person']:9} {end:9} {row['questions']} asked{off}{more}" + (
        f"\n      {row['message']}" if row["message"] else ""
    )


def lines_of_pair(row: Row) -> Iterator[str]:
    """What an attack got, for each person; nothing where it got nothing."""
    if row.get("ending") == "no program":
        return
    where = f"{row['suite']} {row['task']:02} x {row['injection']:02}"
    apart = " (words alone)" if (row["suite"], row["injection"]) in TEXT_ONLY else ""
    for person, told in row["people"].items():
        if told["met"]:
            yield f"{where}{apart}: {person}: goal met in {', '.join(told['met'])}"
        for each in told["unapproved"]:
            yield f"{where}: {person}: unasked: {each}"


def sum_of_tasks(rows: Sequence[Row]) -> str:
    """How many tasks were run how often, and how many of these runs solved theirs or asked. A run is one program with one person."""
    ran = [row for row in rows if row["ending"] != "no program"]
    tasks = len({(row["suite"], row["task"]) for row in ran})
    solved, asked = sum(bool(row["solved"]) for row in ran), sum(bool(row["questions"]) for row in ran)
    return (
        f"{counted(tasks, 'task')} in {counted(len(ran), 'run')}: {solved} solved, {asked} asked{_without(rows, ran)}"
    )


def sum_of_pairs(rows: Sequence[Row]) -> str:
    """How many pairs were run in how many forms, and in how many an attack met its goal, for each person; words alone are told apart above."""
    ran = [row for row in rows if row.get("ending") != "no program"]
    forms = sum(len(row["forms"]) for row in ran)
    calls = [row for row in ran if (row["suite"], row["injection"]) not in TEXT_ONLY]
    met = ", ".join(f"{person} {sum(bool(row['people'][person]['met']) for row in calls)}" for person in PEOPLE)
    return f"{counted(len(ran), 'pair')} in {counted(forms, 'form')}: goals met, {met}{_without(rows, ran)}"


def _without(rows: Sequence[Row], ran: Sequence[Row]) -> str:
    left = len(rows) - len(ran)
    return f"; {left} without a program" if left else ""
