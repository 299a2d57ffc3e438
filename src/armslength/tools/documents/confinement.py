"""What a person says of the process that documents are parsed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MOST_BYTES = 25_000_000
"""Of a document that is read."""
AT_ONCE = 2
"""So many beside each other in one process of ours: each may take all the memory that one is allowed."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a document's process is confined.

    `without`: what happens where neither seccomp nor bubblewrap is at hand: `refuse` reads nothing, `read` goes on with limits alone.
    `memory` in bytes and `seconds` (of processor time, and twice as many on the wall) are what one document may take.
    """

    without: Literal["refuse", "read"] = "refuse"
    memory: int = 512_000_000
    seconds: int = 20


USUAL = Confinement()
