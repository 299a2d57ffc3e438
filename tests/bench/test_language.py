"""The speed bench runs right programs, and says what it should of numbers. Nothing here is timed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bench.speed.language import Preparation, Ratio, broken_bounds, summary, table
from bench.speed.memory import LOOPS, Loop, Retained, retained
from bench.speed.programs import PROGRAMS, SIGNATURES, TRUSTS, Program, Trust, World, namespace, numbers, plain

from armslength.language import prepare, run
from armslength.values import Value, unwrap

SMALL = 60


def as_small(program: Program) -> Program:
    """The same program over few elements."""
    return Program(program.name, program.source, SMALL)


def interpreted(program: Program, trust: Trust) -> Value:
    """The program's result in the language."""
    return run(prepare(program.text(), SIGNATURES), World(trust))["result"]


def executed(program: Program) -> Any:
    """The program's result under CPython, in JSON's shapes."""
    names: dict[str, Any] = namespace()
    exec(program.text(), names)
    return json.loads(json.dumps(names["result"]))


@pytest.mark.parametrize("trust", TRUSTS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_a_program_has_the_same_result_under_cpython(program: Program, trust: Trust) -> None:
    """What is compared does the same, with either kind of operands."""
    small = as_small(program)
    assert plain(interpreted(small, trust)) == executed(small)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_untrusted_operands_reach_the_result(program: Program) -> None:
    """A row of untrusted operands measures such: they are in the result's label, its shape's or an element's."""
    assert any(not part.is_trusted for part in labels_of(interpreted(as_small(program), "untrusted")))
    assert all(part.is_trusted for part in labels_of(interpreted(as_small(program), "trusted")))


def labels_of(value: Value) -> list[Any]:
    """The labels of a value and of what a list or dict holds."""
    raw = unwrap(value)
    inner = getattr(raw, "items", ())
    return [value.label, getattr(raw, "shape", value.label), *(each.label for each in inner)]


def test_numbers_are_all_different() -> None:
    """Each is one key, also where the size has the step as a factor."""
    assert [len(set(numbers(size))) for size in (7, 4_000, 7_919)] == [7, 4_000, 7_919]


RATIOS = (
    Ratio("one", "trusted", 10.0, 1.0, 10.0, (1.0, 1.2, 1.4), 1.4),
    Ratio("two", "untrusted", 70.0, 1.0, 70.0, (1.0, 1.2, 1.6), 1.6),
    Ratio("three", "trusted", 26.0, 1.0, 26.0),
)
KEPT = (Retained("loop", "trusted", 299.0), Retained("hoard", "untrusted", 300.0))


def test_every_bound_that_does_not_hold_is_said() -> None:
    """One sentence for each, and none for what is within."""
    assert broken_bounds(RATIOS, KEPT) == [
        "two, untrusted: 70.0 times CPython",
        "median: 26.0 times CPython",
        "two, untrusted: the time per element grows 1.60 times",
        "hoard, untrusted: 300 bytes a step are retained",
    ]
    assert broken_bounds(RATIOS[:1], KEPT[:1]) == []


def test_the_table_and_the_file_have_all_numbers() -> None:
    """A row for each program, preparation and loop; broken bounds stand last."""
    prepared = [Preparation("one", 2.0, 0.1)]
    lines = table(RATIOS, prepared, KEPT, ["a bound"]).splitlines()
    assert lines[1:4] == [
        "one                    trusted       10.00    1.000   10.0   1.40  1.00 1.20 1.40",
        "two                    untrusted     70.00    1.000   70.0   1.60  1.00 1.20 1.60",
        "three                  trusted       26.00    1.000   26.0         ",
    ]
    assert lines[4] == "median 26.0, largest 70.0"
    assert lines[-1] == "BROKEN a bound"
    written = summary(RATIOS, prepared, KEPT, ["a bound"])
    assert (written["median"], written["largest"], written["broken"]) == (26.0, 70.0, ["a bound"])
    assert len(written["ratios"]) == 3


@pytest.mark.parametrize("trust", TRUSTS)
@pytest.mark.parametrize("loop", LOOPS, ids=lambda each: each.name)
def test_a_loop_that_keeps_nothing_runs(loop: Loop, trust: Trust) -> None:
    """Each calls `mark` once, at its last step."""
    marks: list[int] = []
    source = loop.source.replace("SIZE", "20").replace("LAST", "19")
    run(prepare(source, SIGNATURES), World(trust, lambda: marks.append(1)))
    assert marks == [1]


def test_a_loop_that_keeps_something_is_seen() -> None:
    """A list that grows by a text of a thousand characters each step retains at least that; what else the process drops meanwhile is little beside so many."""
    source = "kept = []\nfor i in range(SIZE):\n    kept.append('x' * 1000)\n    if i == LAST:\n        mark()\n"
    assert retained(Loop("hoard", source), "trusted", steps=2_000).bytes_a_step > 1000
