"""Sentences of running text, whatever follows them: a point within a number or an address ends none."""

from __future__ import annotations

import re

_ENDS = re.compile(r"[!?]|(?<!\w)\.|\.(?!\w)")


def sentences(text: str) -> list[str]:
    """All of them, each on one line."""
    found, rest = [], text
    while rest.strip():
        end = _ENDS.search(rest)
        at = end.end() if end else len(rest)
        found.append(" ".join(rest[:at].split()))
        rest = rest[at:]
    return found


def first_sentence(text: str) -> str:
    """What stands first: the writer's own words, before anything that another put behind them."""
    return next(iter(sentences(text)), "")
