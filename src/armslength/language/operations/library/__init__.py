"""The modules that a program may import: `datetime`, `json`, `math`, `re`. What is not in these tables does not exist.

Operators and formats of dates are in `operations/moments.py`, which needs nothing of this package.
"""

from __future__ import annotations

from armslength.language.operations.library import dates, jsontext, mathematics, patterns
from armslength.language.operations.library.arguments import Attribute, Builtin, Method
from armslength.language.operations.library.patterns import check_pattern
from armslength.values import Raw

FUNCTIONS: dict[str, Builtin] = {
    **dates.FUNCTIONS, **jsontext.FUNCTIONS, **mathematics.FUNCTIONS, **patterns.FUNCTIONS,
}  # fmt: skip
"""Functions and constructors, by their full name: `datetime.datetime.now`."""
CONSTANTS: dict[str, Raw] = {**dates.CONSTANTS, **mathematics.CONSTANTS, **patterns.CONSTANTS}
"""Constants, by their full name: `math.pi`. They are literals of the program."""
METHODS: dict[tuple[str, str], Method] = {**dates.METHODS, **patterns.METHODS}
"""Methods, by the kind of their owner and their name."""
ATTRIBUTES: dict[tuple[str, str], Attribute] = dates.ATTRIBUTES
"""Attributes, by the kind of their owner and their name."""

__all__ = ["ATTRIBUTES", "CONSTANTS", "FUNCTIONS", "METHODS", "check_pattern"]
