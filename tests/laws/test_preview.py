"""The preview misses nothing: over directed and random programs, with rules that are no upper bounds among them."""

from __future__ import annotations

import pytest
from tests.laws.checks import S, U
from tests.laws.corpus import directed
from tests.laws.foretold import missed
from tests.laws.programs import program
from tests.laws.world import Inputs

PROGRAMS = 40
VARIATIONS = [Inputs(U[at], S[at % len(S)]) for at in (0, 5, 13, 14, 22, 26)]


@pytest.mark.parametrize("name", directed())
def test_what_objects_to_a_directed_program_was_foreseen(name: str):
    """Every rule that spoke in some run stands among those that may, at the place of the effect."""
    assert missed(directed()[name], VARIATIONS) == []


def test_what_objects_to_a_random_program_was_foreseen():
    """A fixed number of programs; many more by hand."""
    for number in range(PROGRAMS):
        source = program(number)
        assert missed(source, VARIATIONS) == [], f"seed {number}\n{source}"
