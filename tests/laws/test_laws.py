"""The laws (design, "Control flow") over directed and random programs; any number of them by `python -m tests.laws N SEED`."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.laws.__main__ import NEVER_MET
from tests.laws.checks import check, check_random
from tests.laws.corpus import directed, every
from tests.laws.coverage import Coverage
from tests.laws.equivalents import EQUIVALENT, stale
from tests.laws.mutant import Mutant
from tests.laws.mutants import killed, living
from tests.laws.programs import program
from tests.laws.python import run_in_python
from tests.laws.reach import reached, runs
from tests.laws.table import MUTANTS
from tests.laws.tally import failure, how_ended
from tests.laws.world import Inputs

PROGRAMS, PARTS = 500, 2
_FEW = (
    "W: names are not upgraded",
    "N: what a loop goes through is not seen",
    "halt: raise where no try is",
    "mingling (rule 6)",
    "a call's value is not steered",
    "try: which exception it was",
)


@pytest.mark.parametrize("is_pending", [False, True], ids=["at once", "pending"])
@pytest.mark.parametrize("name", directed())
def test_a_directed_program_keeps_the_laws(name: str, *, is_pending: bool):
    """Each shows one rule; the hole it was written for stays closed, whether calls give their results at once or later."""
    source = directed()[name]
    broken = check(source, is_pending=is_pending).broken
    assert not broken, failure(0, source, broken[0])


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs_keep_the_laws(part: int):
    """A fixed number of programs; at least 80 % of them end in every run."""
    ends = []
    for number in range(part * PROGRAMS // PARTS, (part + 1) * PROGRAMS // PARTS):
        source = program(number)
        checked = check_random(source, number)
        assert not checked.broken, failure(number, source, checked.broken[0])
        ends.append(how_ended(checked.outcomes))
    assert ends.count("ended") >= 0.8 * len(ends)


@pytest.mark.parametrize("kind", ["untrusted", "secret"])
def test_the_programs_of_everything_meet_the_whole_language(kind: str):
    """Every node, operator, function, method and attribute with such an operand, but classes, which are the program's."""
    coverage = Coverage()
    with coverage.watching():
        for source in every(kind).values():
            check(source)
    assert coverage.missing(kind) == sorted(NEVER_MET)


def test_random_programs_are_python():
    """CPython runs them to their end too, in one variation, but for those that are about failing: so the generator writes Python."""
    ends = 0
    for number in range(120):
        source = program(number)
        compile(source, "program", "exec", dont_inherit=True)
        ends += _ends_in_python(source)
    assert ends >= 0.8 * 120


def _ends_in_python(source: str) -> bool:
    try:
        run_in_python(source, Inputs((1, 1, 1), (1, 1)))
    except Exception:  # noqa: BLE001  # whatever a program raises
        return False
    return True


@pytest.mark.parametrize("mutant", [each for each in MUTANTS if each.name in _FEW], ids=lambda each: each.name)
def test_a_rule_switched_off_breaks_a_law(mutant: Mutant):
    """A few of the mutants, so that the check itself is checked; all of them by `python -m tests.laws.mutants`."""
    assert killed(mutant, 20, 0) is not None


@pytest.mark.parametrize("mutant", [each for each in MUTANTS if isinstance(each, Mutant)], ids=lambda each: each.name)
def test_every_mutant_of_words_applies(mutant: Mutant):
    """The words that it replaces are in the source, once."""
    with living(mutant):
        pass


def test_every_join_of_the_language_has_a_mutant_of_its_own():
    """Found in the source, each with a name that no other has."""
    names = Counter(each.name for each in MUTANTS)
    assert [name for name, count in names.items() if count > 1] == []
    assert len(names) > 500
    assert len(EQUIVALENT) < 0.25 * len(names)


def test_what_no_law_notices_is_in_the_source():
    """Whoever changes what such a mutant drops gives the reason anew."""
    assert stale([mutant.name for mutant in MUTANTS]) == []


def test_what_a_mutant_changes_is_run():
    """By a directed program; that nothing calls a function is a reason to delete it, and no excuse for its mutants."""
    found = reached()
    assert [mutant.name for mutant in MUTANTS if not runs(mutant, found)] == []
