"""Which functions of the language each directed program runs, so that a mutant of one is shown to those programs alone."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import FrameType

from tests.laws.checks import check
from tests.laws.corpus import directed
from tests.laws.mutant import Mutant
from tests.laws.sites import Site

Reached = frozenset[tuple[str, str]]
"""Files and functions."""


def reached() -> dict[str, Reached]:
    """Of each directed program, with results at once and later. Takes a few times as long as running them."""
    return {name: _by(source) for name, source in directed().items()}


def runs(mutant: Mutant | Site, found: Mapping[str, Reached]) -> list[str]:
    """The programs that run its function; of a row of the label table all, as its results are remembered from one to the next."""
    path = importlib.import_module(f"armslength.{mutant.module}").__file__ or ""
    names = [name for name, functions in found.items() if (path, mutant.function) in functions]
    return names if mutant.module != "labels" else list(found)


def _by(source: str) -> Reached:
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "armslength" in frame.f_code.co_filename:
            seen.add((frame.f_code.co_filename, frame.f_code.co_qualname.split(".<locals>")[0]))

    sys.setprofile(note)
    try:
        check(source)
        check(source, is_pending=True)
    finally:
        sys.setprofile(None)
    return frozenset(seen)
