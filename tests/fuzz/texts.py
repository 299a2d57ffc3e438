"""Programs damaged as text: cut, doubled, swapped, with pieces and words of others."""

from __future__ import annotations

import re

from tests.fuzz.grammar import Choices

PIECES = (
    "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "'", '"', "\\", "\n", "    ", "\t", "\x00", "\ud800", "\x0c", "0", "9" * 50,
    "f'", "{0}", "__class__", " if ", " for x in ", " and ", "lambda:", "*", "**", "@", "import ", "é", "#", "\r", "\ufeff", ":=",
    " match ", "case _:", "nonlocal x", "yield ", "await ", "try:", "except:", " is ", "-", "1e999", "0x", "1j", "b''",
)  # fmt: skip
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]+")


def damaged(choose: Choices, source: str, other: str) -> str:
    """Some places cut, doubled or replaced by pieces or lines of the other."""
    lines = other.splitlines(keepends=True) or [""]
    for _ in range(1 + choose.below(6)):
        at, size = choose.below(max(len(source), 1)), choose.below(12)
        piece = (choose.one(PIECES), source[at : at + size] * 2, choose.one(lines), "")[choose.below(4)]
        source = source[:at] + piece + source[at + size * choose.below(2) :]
    return source


def retokened(choose: Choices, source: str, other: str) -> str:
    """Some words and signs replaced by those of the other, left out, or doubled; the layout stays."""
    tokens, others = _TOKEN.findall(source), [each for each in _TOKEN.findall(other) if not each.isspace()]
    places = [at for at, each in enumerate(tokens) if not each.isspace()]
    if not places or not others:
        return source
    for _ in range(1 + choose.below(3)):
        at = choose.one(places)
        tokens[at] = (choose.one(others), choose.one(others), "", tokens[at] + " " + tokens[at])[choose.below(4)]
    return "".join(tokens)
