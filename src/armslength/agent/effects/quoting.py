"""A marked quotation, recognised: lines of the program's and, below them, a mail whole, each line behind a mark.

Such a text says nothing but which of the program's texts and which mail it is, however it was put together; so it has the label of these. It
is compared with both letter by letter, and whatever else it may hold leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, cast

from armslength.agent.effects.effects import Effect
from armslength.agent.effects.program_text import ProgramText
from armslength.agent.outside.boundary import Boundary
from armslength.errors import ToolError
from armslength.events import Trust, labelled_from_json, labelled_to_json
from armslength.labels import PROGRAM, SATURATED, Label, bits_for, label
from armslength.values import Plain

MARK = "> "
QUOTING = 8
"""Bits that a quotation may be picked in: which opening, which form."""
_FORMS = 4
"""Ways to mark a text: with or without blank lines around it and blanks behind empty marks."""


def recognised(effect: Effect, text: ProgramText, boundary: Boundary, trust: Trust) -> Effect:
    """The effect; where an argument is a quotation of what its tool lets it quote, with that label."""
    if effect.tool.quotable is None:
        return effect
    name, quotable = effect.tool.quotable
    given = effect.arguments().get(name)
    if not isinstance(given, str) or f"\n{MARK[0]}" not in f"\n{given}":
        return effect

    def perform() -> Plain:
        return cast("Plain", labelled_to_json(quotable(effect.arguments())))

    try:
        stored = boundary.cross("resolve", "what may be quoted", dict(effect.arguments()), perform)
    except ToolError:
        return effect
    original = labelled_from_json(cast("dict[str, Any]", stored), {}, trust)
    openings = {"", *(each for each in text.literals if each.endswith("\n"))}
    bits = bits_for(len(openings) * _FORMS)
    if bits >= SATURATED or not isinstance(original.data, str) or not _is_quotation(given, original.data, openings):
        return effect  # more of the program's texts than are counted could spell something
    found = quotation_label(effect.labels[name], original.label, bits)
    return replace(effect, labels={**effect.labels, name: found}, quoted=frozenset({name}))


def _is_quotation(given: str, original: str, openings: AbstractSet[str]) -> bool:
    return any(given.endswith(form) and given[: len(given) - len(form)] in openings for form in _forms(original))


def _forms(original: str) -> Iterator[str]:
    """Wherever a reader's program may begin a line, there is a mark."""
    for whole in (original, original.strip("\n")):
        is_plain = whole.splitlines() == whole.removesuffix("\n").split("\n")
        marked = [f"{MARK}{line}" for line in (whole.split("\n") if is_plain else whole.splitlines())]
        yield "\n".join(marked)
        yield "\n".join(line.rstrip(" ") for line in marked)


def quotation_label(given: Label, original: Label, bits: int) -> Label:
    """Who had a part in the making could still decide which of the program's texts it is, and in which form."""
    return label(
        original.data | {PROGRAM},
        choice=original.choice | given.data | given.choice,
        bits=bits,
        readers=original.readers,
        steer=given.readers.intersect(given.steer),
        intact=True,
    )
