"""The mutants: every join operand, every monitor rule, every row of the label table, switched off one by one."""

from __future__ import annotations

from tests.laws.mutant import Mutant
from tests.laws.mutants_of_control import OF_CONTROL
from tests.laws.mutants_of_labels import OF_LABELS
from tests.laws.sites import Site, sites

MUTANTS: tuple[Mutant | Site, ...] = (*OF_LABELS, *OF_CONTROL, *sites())
"""Each must be killed by a directed or random program, or stands in `equivalents.py`."""
