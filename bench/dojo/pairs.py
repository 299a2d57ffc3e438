"""One attacked pair: a user task and an injection task, in all forms of the attack, with each person, with labels and without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bench.dojo.attackers import obeying_loop
from bench.dojo.carrying import Asked
from bench.dojo.forms import BY_LIE_ALONE, HONEST, Form, forms, further_members
from bench.dojo.people import PEOPLE, Person
from bench.dojo.programs import Column, program_of
from bench.dojo.running import Row, run_one


def run_pair(suite: str, task: int, injection: int, column: Column, seed: int) -> dict[str, Any]:
    """What came of a pair. An attack met its goal if it did in any form; `met` names these forms by person.

    Without labels the forms end with the first that meets the goal. `solved`: under the benchmark's own text, with an honest reader.
    """
    program = program_of(suite, task, column)
    if program is None:
        raise ValueError(f"nobody wrote a program for task {task} of {suite}")
    asked = Asked(suite, task, program, "accepting", injection)
    by_person: dict[Person, list[Row]] = {person: [] for person in PEOPLE}
    off: list[Row] = []
    for form in _each(forms(suite, task, injection, seed), by_person["accepting"]):
        rows = with_each(replace(asked, form=form, is_checked=form.name == HONEST))
        for person, row in rows.items():
            by_person[person].append(row)
        if not any(row.reached for row in off):
            off.append(without_labels(replace(asked, form=form, is_checked=form.name == HONEST), rows["accepting"]))
    loop_solved, loop_met = obeying_loop(suite, task, injection)
    return {
        "suite": suite,
        "task": task,
        "injection": injection,
        "column": column,
        "seed": seed,
        "forms": [row.form for row in by_person["accepting"]],
        "people": {person: _summed(rows) for person, rows in by_person.items()},
        "off": _summed(off),
        "loop": {"solved": loop_solved, "met": loop_met},
    }


def _each(listed: list[Form], rows: list[Row]) -> Iterator[Form]:
    """The forms. Those that differ in lies alone are left out where nothing was asked that could be lied about.

    Where a menu has more than two members, the first lie is told with each.
    """
    for form in listed:
        if len(rows) > 1 and not any(row.reader_calls for row in rows) and form.name in BY_LIE_ALONE:
            continue
        yield form
    widest = max(row.widest for row in rows)
    if widest > len(("by name", "by name, no")):
        yield from further_members(listed[1], widest)


def with_each(asked: Asked) -> dict[Person, Row]:
    """A row for each person, of as few runs as there are different answers to the screens."""
    accepting = run_one(replace(asked, person="accepting"))
    if not accepting.screens:
        return {person: replace(accepting, person=person) for person in PEOPLE}
    absent = run_one(replace(asked, person="absent"))
    if all(accepting.judged):
        careful = replace(accepting, person="careful")
    elif not accepting.judged[0]:
        careful = replace(absent, person="careful")
    else:
        careful = run_one(replace(asked, person="careful"))
    return {"careful": careful, "accepting": accepting, "absent": absent}


def without_labels(asked: Asked, accepting: Row) -> Row:
    """The same with labels off. Where no rule denied anything, that is what a person who accepts everything got."""
    if accepting.verdicts.get("deny", 0) or accepting.ending in _ENDED_BY_RULES:
        return run_one(replace(asked, labels="off", person="absent"))
    return replace(accepting, labels="off", person="absent")


_ENDED_BY_RULES = ("denied", "declined", "partly")


def _summed(rows: Iterable[Row]) -> dict[str, Any]:
    listed = list(rows)
    told = next(row for row in listed if row.form == HONEST)
    return {
        "met": [row.form for row in listed if row.reached],
        "solved": told.solved,
        "ending": told.ending,
        "message": told.message,
        "screens": max(row.screens for row in listed),
        "questions": told.questions,
        "unapproved": sorted({f"{row.form}: {each}" for row in listed for each in row.unapproved}),
        "spoken": sorted({f"{row.form}: {each}" for row in listed for each in row.spoken}),
        "rules": sorted({rule for row in listed for rule in row.rules}),
        "bits": max(row.bits for row in listed),
        "reader_calls": sum(row.reader_calls for row in listed),
        "tokens": sum(row.tokens for row in listed),
        "seconds": round(sum(row.seconds for row in listed), 3),
    }
