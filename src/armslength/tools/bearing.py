"""A name that others gave to a stored thing, where it says which thing is meant.

As text it is the words of whoever gave it. Handed back to its own store, to the very thing that bears it, it says no more than an id does:
which of the things that are there. Which are there, all who can add one decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from armslength.labels import SATURATED, Label, Source, label
from armslength.tools.listing import adding_to


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a parameter may name. `kind`: of the sources whose words these names are, `KIND:NAME`; `is_there`: whether one is called just so."""

    kind: str
    is_there: Callable[[str], bool]

    @property
    def usually(self) -> Source:
        """Whose words such a name is, where it is not known before a run what it is."""
        return Source(f"{self.kind}:its own name")

    def picked(self, written: Label, name: str) -> Label:
        """The label of which thing is meant by a name that is there, written so. Another's words, or more than the bearer's, stay what they are."""
        return self._picked(written, Source(f"{self.kind}:{name}"))

    def usually_picked(self, written: Label) -> Label:
        """The same before a run."""
        return self._picked(written, self.usually)

    def _picked(self, written: Label, bearer: Source) -> Label:
        if {source for source in written.data if not source.is_trusted} != {bearer}:
            return written
        return label(
            written.data - {bearer},
            choice=written.choice | {adding_to(self.kind)},
            bits=SATURATED,
            readers=written.readers,
            steer=written.steer,
            intact=written.intact,
        )
