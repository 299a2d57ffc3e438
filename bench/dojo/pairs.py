"""One attacked pair: a user task and an injection task, in all forms of the attack, with each person, with labels and without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bench.dojo.attackers import obeying_loop
from bench.dojo.forms import HONEST, Form, forms, further_members
from bench.dojo.people import PEOPLE, Person
from bench.dojo.programs import Column, program_of
from bench.dojo.running import Asked, Row, run_one


def run_pair(suite: str, task: int, injection: int, column: Column, seed: int) -> dict[str, Any]:
    """What came of a pair. An attack met its goal if it did in any form; `met` names these forms by person.

    Without labels the forms end with the first that meets the goal. `solved`: under the benchmark's own text, with an honest reader.
    """
    program = program_of(suite, task, column)
    if program is None:
        raise ValueError(f"nobody wrote a program for task {task} of {suite}")
    asked = Asked(suite, task, program, "accepting", injection)
    listed = forms(suite, task, injection, seed)
    by_person: dict[Person, list[Row]] = {person: [] for person in PEOPLE}
    off: list[Row] = []
    for form in _each(listed, by_person["accepting"]):
        for person, row in _with_each(replace(asked, form=form)):
            by_person[person].append(row)
        if not any(row.reached for row in off):
            off.append(run_one(replace(asked, form=form, labels="off", person="absent")))
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
    """The forms, and with larger menus one for each further member. Lies of which no question came before are one."""
    for form in listed:
        lied = [row for row in rows if row.form != HONEST]
        if len(lied) > 1 and not any(row.reader_calls for row in rows) and form.name in _BY_LIE_ALONE:
            continue
        yield form
    widest = max(row.widest for row in rows)
    if widest > len(("by name", "no")):
        yield from further_members(listed[1], widest)


_BY_LIE_ALONE = frozenset({"drawn 0", "drawn 1"})


def _with_each(asked: Asked) -> Iterator[tuple[Person, Row]]:
    """A row for each person; where nobody was asked, all have the same."""
    first = run_one(asked)
    yield asked.person, first
    for person in PEOPLE:
        if person != asked.person:
            yield person, run_one(replace(asked, person=person)) if first.screens else replace(first, person=person)


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
        "rules": sorted({rule for row in listed for rule in row.rules}),
        "bits": max(row.bits for row in listed),
        "reader_calls": sum(row.reader_calls for row in listed),
        "tokens": sum(row.tokens for row in listed),
        "seconds": round(sum(row.seconds for row in listed), 3),
    }
