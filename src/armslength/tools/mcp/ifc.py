"""Labels in `_meta.ifc`, of results and of calls: a public practice, no part of the protocol yet.

The form: `{"integrity": "trusted" | "untrusted", "confidentiality": ["public"] | [reader, ...]}`. Of a server that the person does not
call honest it is not looked at. It never makes anything more trusted than the configuration does: what is called trusted is then the
source `mcp:SERVER/TOOL`, which counts as any other. Readers are names of the server's, which nobody here bears: such a result is private.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from armslength.labels import Label

KEY = "ifc"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a server says of a result. `is_untrusted`: others wrote in it. `is_public`: everybody may learn it."""

    is_untrusted: bool
    is_public: bool


STRICTEST = Claim(is_untrusted=True, is_public=False)
"""A label that is not understood."""


def claim_in(meta: Mapping[str, Any] | None) -> Claim | None:
    """The claim in a result's `_meta`, None where there is none."""
    if meta is None or KEY not in meta:
        return None
    match meta[KEY]:
        case {"integrity": ("trusted" | "untrusted") as integrity, "confidentiality": list() as readers} if all(
            isinstance(each, str) for each in readers
        ):
            return Claim(is_untrusted=integrity == "untrusted", is_public=readers == ["public"])
        case _:
            return STRICTEST


def told(labels: Iterable[Label]) -> dict[str, Any]:
    """The label of a call's arguments for the server: whether all are the user's own or trusted, and for everybody. No source, no name."""
    given = list(labels)
    is_trusted = all(each.is_trusted for each in given)
    is_public = all(each.readers.names is None and each.steer.names is None for each in given)
    return {
        KEY: {
            "integrity": "trusted" if is_trusted else "untrusted",
            "confidentiality": ["public"] if is_public else [],
        }
    }
