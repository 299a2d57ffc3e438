"""The laws (design, "Control flow") over directed and random programs; any number of them by `python -m tests.laws N SEED`."""

from __future__ import annotations

import pytest
from tests.laws.__main__ import failure, how_ended
from tests.laws.checks import check
from tests.laws.corpus import directed
from tests.laws.coverage import Coverage
from tests.laws.mutants import killed, living
from tests.laws.programs import program
from tests.laws.table import MUTANTS, Mutant

PROGRAMS = 120
_FEW = (
    "W: names are not upgraded",
    "N: what a loop goes through is not seen",
    "halt: raise in a region",
    "mingling (rule 6)",
)


@pytest.mark.parametrize("name", directed())
def test_a_directed_program_keeps_the_laws(name: str):
    """Each shows one rule; the hole it was written for stays closed."""
    source = directed()[name]
    broken = check(source).broken
    assert not broken, failure(0, source, broken[0])


def test_random_programs_keep_the_laws():
    """A fixed number of programs; at least 80 % of them end in every run."""
    ends = []
    for number in range(PROGRAMS):
        source = program(number)
        checked = check(source)
        assert not checked.broken, failure(number, source, checked.broken[0])
        ends.append(how_ended(checked.outcomes))
    assert ends.count("ended") >= 0.8 * PROGRAMS


@pytest.mark.parametrize("kind", ["untrusted", "secret"])
def test_directed_programs_meet_the_whole_language(kind: str):
    """Every node, operator, function and method with such an operand, but literals and classes, which are the program's."""
    coverage = Coverage()
    with coverage.watching():
        for name in (f"everything_{kind}", "outward", "raising"):
            check(directed()[name])
    assert coverage.missing(kind) == ["node Constant", "node ClassDef"]


@pytest.mark.parametrize("mutant", [each for each in MUTANTS if each.name in _FEW], ids=lambda each: each.name)
def test_a_rule_switched_off_breaks_a_law(mutant: Mutant):
    """A few of the mutants, so that the check itself is checked; all of them by `python -m tests.laws.mutants`."""
    assert killed(mutant, 20, 0) is not None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_every_mutant_applies(mutant: Mutant):
    """The words that a mutant replaces are in the source, once."""
    with living(mutant):
        pass
