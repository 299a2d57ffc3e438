"""Any text runs, or ends in one of our errors: arbitrary text, random programs with types that do not fit, real programs mutated."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.language import Choices, by_chance, mutated, program, survives

ENDS = {"ran", "ProgramRefused", "ProgramFailed", "LimitReached"}
BYTES = st.binary(max_size=500)


@given(st.text())
@example("\x00")
@example("\ud800")
@example("x = '\ud800'")
@example("\ufeffx = 1")
@example("# -*- coding: utf-7 -*-\nx = '+AAA-'")
@example("x = 1\\")
@example("if 1:\n\tx = 1\n        y = 2")
def test_any_text_is_read_or_refused(source: str) -> None:
    """Text of all characters, lone surrogates and controls among them."""
    assert survives(source) in ENDS


@settings(max_examples=400)
@given(BYTES)
def test_any_program_ends_in_our_errors(drawn: bytes) -> None:
    """Programs of the grammar, in which nothing fits but by chance."""
    assert survives(program(Choices(drawn))) in ENDS


@settings(max_examples=300)
@given(BYTES)
def test_any_mutated_program_ends_in_our_errors(drawn: bytes) -> None:
    """Real programs, damaged."""
    assert survives(mutated(Choices(drawn))) in ENDS


def test_random_programs_do_run() -> None:
    """Of 600 fixed programs of the grammar some run to their end and most get as far as running, so more than the parser is tried."""
    drawn = random.Random(1)
    ends = Counter(survives(program(Choices(drawn.randbytes(300)))) for _ in range(600))
    assert ends["ran"] > 20
    assert ends["ran"] + ends["ProgramFailed"] > 200
    assert set(ends) <= ENDS


def test_the_command_runs() -> None:
    """One second by chance, as the command does it, finds nothing."""
    by_chance(1, seed=1)
