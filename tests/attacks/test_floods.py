"""Attacks on time: text that takes a machine, not a person, for ever to read."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SIZE = 1_000_000
_GUARD = 60.0
_READING = """
import sys
from armslength.agent.showing.cleaning import inert_links
from armslength.agent.quarantined.fence import break_up
from armslength.agent.showing.urging import urges
shape = sys.argv[1].encode().decode("unicode_escape")
text = shape * (int(sys.argv[2]) // len(shape))
broken = inert_links(text)
assert len(broken) >= len(text)
break_up(text)
urges(text)
"""
SHAPES = {
    "schemes after hyphens": "x-",
    "letters after a scheme": "ms-ax-a",
    "blanks before a role": " \\t",
    "a role and no colon": "\\nsystem ",
    "the beginning of a number to call": "call +1 ",
    "something to pass on, nowhere": "send to ",
    "marks in the wrong order": "\\u0301\\u0316",
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_a_flood_is_read_in_linear_time(shape: str) -> None:
    """A megabyte of one nasty piece: what takes quadratic time does not end before the guard, what is linear ends in a second or two."""
    subprocess.run([sys.executable, "-c", _READING, shape, str(_SIZE)], check=True, timeout=_GUARD)
