"""What a mutant is: words of one function of the language, and what stands in their place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """In `function` of `armslength.<module>`, `old` (which must be there once) becomes `new`."""

    name: str
    module: str
    function: str
    old: str
    new: str


def mutants(module: str, *rows: tuple[str, str, str, str]) -> tuple[Mutant, ...]:
    """Of one module."""
    return tuple(Mutant(name, module, function, old, new) for name, function, old, new in rows)
