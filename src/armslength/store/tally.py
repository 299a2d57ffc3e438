"""What a run did and what of it was taken back, counted entry by entry, so that the list of runs need not read their journals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from armslength.store.runs import Effects
from armslength.store.writing import Outline


@dataclass(frozen=True, slots=True)
class Tally:
    """After some entries. `begun`: the effect that was begun last and has not ended. `left`: those that were done and nobody took back."""

    begun: str = ""
    left: frozenset[str] = frozenset()
    has_undone: bool = False

    def after(self, outline: Outline) -> Tally:
        """After one entry more."""
        if outline.used:
            return replace(self, begun=outline.used)
        if outline.tool and self.begun:
            done = {self.begun} if outline.tool == "done" else set[str]()
            return replace(self, begun="", left=self.left | done)
        if outline.undone:
            return replace(self, left=self.left - set(outline.undone), has_undone=True)
        return self

    @property
    def effects(self) -> Effects:
        """As the list has it."""
        if self.has_undone:
            return "undone in part" if self.left else "undone"
        return "left" if self.left else "none"


def tally_of(outlines: Iterable[Outline]) -> Tally:
    """After all of these."""
    tally = Tally()
    for outline in outlines:
        tally = tally.after(outline)
    return tally
