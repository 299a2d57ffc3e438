"""Tools of a server as a person is asked about them: what it says of them whole and inert, what stands out, what a program would get."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from armslength.agent.approving.approval import Item, Screen
from armslength.agent.approving.display import tame
from armslength.agent.showing.differing import difference
from armslength.agent.showing.suspecting import suspicions
from armslength.tools.mcp.declaration import Declaration


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that may be accepted. `before`: what was accepted of it. `facts`: lines of ours on what it would be here."""

    declaration: Declaration
    before: Declaration | None
    facts: tuple[str, ...]


def screen_of_tools(server: str, candidates: Sequence[Candidate], others: Iterable[str]) -> Screen:
    """The screen, an item for each tool; a yes to one covers its declaration, and what it was before."""
    known = frozenset(others)
    items = tuple(
        Item(_covered(server, each), draw_candidate(number, server, each, known))
        for number, each in enumerate(candidates, 1)
    )
    return Screen("", items, hashlib.sha256("\n".join(item.digest for item in items).encode()).hexdigest())


def digest_of(server: str, candidate: Candidate) -> str:
    """The digest by which a yes to it is known."""
    return _covered(server, candidate)


def _covered(server: str, candidate: Candidate) -> str:
    before = "" if candidate.before is None else candidate.before.digest
    return hashlib.sha256(
        "\n".join([server, candidate.declaration.digest, before, *candidate.facts]).encode()
    ).hexdigest()


def draw_candidate(number: int, server: str, candidate: Candidate, others: frozenset[str]) -> str:
    """One tool, all of it."""
    said, before = candidate.declaration, candidate.before
    state = (
        "a tool that is new" if before is None else "a tool that declares itself otherwise than when you accepted it"
    )
    lines = [f"{number}. {state}, of the server {server}: ⟦{tame(said.name)}⟧"]
    lines += [f"   ⚠ {line}" for line in suspicions(said, others)]
    if before is not None:
        lines.append("   what is other than before:")
        lines += [
            f"     │ {line.sign} {piece}"
            for line in difference(before.text, said.text)
            for piece in tame(_text(line.sign, line.text)).split("\n")
        ]
    lines.append("   all that the server says of it:")
    lines += [f"     │ {piece}" for piece in tame(said.text).split("\n")]
    lines += [f"   {line}" for line in candidate.facts]
    return "\n".join([*lines, ""])


def _text(sign: str, text: str) -> str:
    return f"{text} lines that stay" if sign == "…" else text
