"""The laws, checked over every variation of a program's inputs.

A program runs on variations of the untrusted inputs (the secret ones fixed) and of the secret inputs (the untrusted ones fixed). What a
run gives is what its names hold at the end, read as the language labels reads, what went out, and how it stopped.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.laws.reading import Seen, observe
from tests.laws.world import SIGNATURES, WHOLES, Inputs, Sent, World

from armslength.errors import Denied, LimitReached, ProgramFailed, ToolError
from armslength.labels import SATURATED, Label
from armslength.language import Limits, prepare, run
from armslength.language.operations.library import CONSTANTS

LIMITS = Limits(steps=6_000, size=200_000, digits=200)
U = tuple(itertools.product(range(3), range(3), range(3)))
S = tuple(itertools.product(range(3), range(2)))


@dataclass(slots=True)
class Outcome:
    """One run. `stopped` is None for a run that ended, "limit", or the failure; `told` is what the planner hears of it."""

    inputs: Inputs
    stopped: str | None = None
    told: str | None = None
    seen: dict[str, Seen] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    read: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that did not hold, and where."""

    law: str
    where: str
    rows: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A program's outcomes and the laws it broke."""

    outcomes: list[Outcome]
    broken: list[Broken]


def check(source: str, *, is_pending: bool = False, bases: Sequence[tuple[int, ...]] = (U[0], U[14])) -> Checked:
    """Run a program on all its variations and check all laws.

    `is_pending`: each call's result is a promise. `bases`: the untrusted inputs with which the secret ones vary.
    """
    analysis = prepare(source, SIGNATURES)
    outcomes: list[Outcome] = []

    def outcome(inputs: Inputs) -> Outcome:
        known = {f"u{at}": given for at, given in enumerate(inputs.u)}
        known |= {f"s{at}": given for at, given in enumerate(inputs.s)}
        for earlier in outcomes:
            if all(known[name] == given for name, given in earlier.read.items()):
                return earlier
        world = World(inputs, is_pending=is_pending)
        made = Outcome(inputs, sent=world.sent, read=world.read)
        try:
            made.seen = dict(observe(run(analysis, world, LIMITS)))
            made.sent[:] = map(world.at_the_end, world.sent)
        except LimitReached:
            made.stopped = "limit"
        except (ToolError, Denied):
            made.stopped = "tool"
        except ProgramFailed as failed:
            made.stopped = f"{failed.line} {failed.code}"
            made.told = str(failed) if failed.is_trusted else None
        outcomes.append(made)
        return made

    def group(inputs: Iterable[Inputs]) -> list[Outcome]:
        return list({id(each): each for each in map(outcome, inputs)}.values())

    broken: list[Broken] = []
    broken += _untrusted_laws(group(Inputs(u, S[-1]) for u in U))
    for untrusted in bases:
        broken += _secret_laws("public", _is_public, group(Inputs(untrusted, s) for s in S))
        for shared in range(2):
            varied = group(Inputs(untrusted, s) for s in S if s[1] == shared)
            broken += _secret_laws("alice", _is_alices, varied)
    broken += _transcript(outcomes)
    broken += _wholes(outcomes, literals(analysis.program.body))
    return Checked(outcomes, broken)


def check_random(source: str, number: int) -> Checked:
    """A random program: by its number, with results at once or later, and secrets that vary around one variation of the rest."""
    return check(source, is_pending=number % 4 > 1, bases=[U[14 * (number % 2)]])


# Laws (a), (b), (c): untrusted inputs vary


def _untrusted_laws(outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    ended = [each for each in outcomes if each.stopped is None]
    for path in _paths(ended):
        rows = [each.seen.get(path) for each in ended]
        yield from _same("a", path, rows, lambda label: label.is_trusted)
        if not path.endswith(" kind"):  # several tests tell it, each a bit
            yield from _kraft(path, [(row.text, row.label) for row in rows if row is not None])
    yield from _kraft_of_calls(outcomes)
    yield from _outward("c", outcomes, lambda label: label.is_trusted)


def _paths(outcomes: Sequence[Outcome]) -> list[str]:
    return list(dict.fromkeys(path for each in outcomes for path in each.seen))


def _same(law: str, path: str, rows: Sequence[Seen | None], is_low: Callable[[Label], bool]) -> Iterator[Broken]:
    if any(row is not None and is_low(row.label) for row in rows) and len(set(rows)) > 1:
        yield Broken(law, path, tuple(dict.fromkeys(rows)))


def _kraft(path: str, rows: Iterable[tuple[str, Label]]) -> Iterator[Broken]:
    best: dict[str, int] = {}
    for text, label in rows:
        if label.is_chosen and label.bits < SATURATED:
            best[text] = min(best.get(text, SATURATED), label.bits)
    if sum(2.0**-bits for bits in best.values()) > 1:
        yield Broken("b", path, tuple(sorted(best.items())))


def _kraft_of_calls(outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    """Law (b) of what goes out at one place of the program, if no run is there twice; what was queued, only in runs that ended."""
    calls: dict[tuple[str, str], list[tuple[str, Label]]] = {}
    repeated: set[tuple[str, str]] = set()
    for outcome in outcomes:
        met = [each for each in outcome.sent if each.door in _AT_ONCE or outcome.stopped is None]
        counts = Counter((each.door, each.place) for each in met)
        repeated.update(key for key, count in counts.items() if count > 1)
        for each in met:
            calls.setdefault((each.door, each.place), []).append((each.content, each.label))
    for key, rows in calls.items():
        if key not in repeated:
            yield from _kraft(" ".join(key), rows)


def literals(body: Iterable[ast.stmt]) -> frozenset[str]:
    """What was there before, as text: the program's literals and names (of members), constants, what tools give with trusted data."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    constants = [repr(node.value) for node in nodes if isinstance(node, ast.Constant)]
    wholes = [*WHOLES, *map(repr, CONSTANTS.values())]
    return frozenset([*constants, *wholes, *(repr(node.id) for node in nodes if isinstance(node, ast.Name))])


def _wholes(outcomes: Sequence[Outcome], known: frozenset[str]) -> Iterator[Broken]:
    """Also law (b): a chosen value whose bits are not counted was picked whole, so it is a literal or a tool's own field."""
    for each in outcomes:
        for path, row in each.seen.items():
            is_scalar = not path.endswith((" whole", " kind", " len", " spans")) and not row.text.startswith(
                "function "
            )
            is_picked = row.label.is_chosen and not row.label.is_trusted and row.label.bits == SATURATED
            if is_scalar and is_picked and row.text not in known:
                yield Broken("b whole", path, (row,))


_AT_ONCE = ("send", "ask")
"""Doors through which something goes when the program is there."""


def _outward(law: str, outcomes: Sequence[Outcome], is_low: Callable[[Label], bool]) -> Iterator[Broken]:
    """Immediate calls count in stopped runs too. What is queued goes out of runs that ended: a failed run sends nothing (decision 13)."""
    for door in _AT_ONCE:
        whole = [_low(each, is_low, door) for each in outcomes if each.stopped != "limit"]
        cut = [_low(each, is_low, door) for each in outcomes if each.stopped == "limit"]
        if len(set(whole)) > 1:
            yield Broken(law, door, tuple(set(whole)))
        longest = max([*whole, *cut], key=len, default=())
        if any(longest[: len(each)] != each for each in cut) or (cut and any(each != longest for each in whole)):
            yield Broken(law, f"{door}, limit", (longest, *whole[:1], *cut[:2]))
    queued = {
        _low(each, is_low, "emit") if each.stopped is None else () for each in outcomes if each.stopped != "limit"
    }
    if len(queued) > 1:
        yield Broken(law, "emit", tuple(queued))
    answers = {_low(each, is_low, "answer") for each in outcomes if each.stopped is None}
    if len(answers) > 1:
        yield Broken(law, "answer", tuple(answers))


def _low(outcome: Outcome, is_low: Callable[[Label], bool], door: str) -> tuple[tuple[str, str, Label], ...]:
    return tuple(
        (each.place, each.content, each.label) for each in outcome.sent if each.door == door and is_low(each.label)
    )


# Laws (d) and (e)


def _is_public(label: Label) -> bool:
    return label.readers.names is None and label.steer.names is None


def _is_alices(label: Label) -> bool:
    return label.readers.includes("alice") and label.steer.includes("alice")


def _secret_laws(who: str, is_low: Callable[[Label], bool], outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    ended = [each for each in outcomes if each.stopped is None]
    for path in _paths(ended):
        rows = [each.seen.get(path) for each in ended]
        yield from _same(f"d {who}", path, rows, is_low)
        if not path.endswith(" kind"):
            yield from _counted(path, [row for row in rows if row is not None])
    yield from _outward(f"d {who}", outcomes, is_low)


def _counted(path: str, rows: Iterable[Seen]) -> Iterator[Broken]:
    """Law (d) of steering: over what is for everybody, and was steered by what is not, the bits are enough for its distinct texts."""
    best: dict[str, int] = {}
    for row in rows:
        if row.label.readers.names is None and row.label.bits < SATURATED:
            best[row.text] = min(best.get(row.text, SATURATED), row.label.bits)
    if sum(2.0**-bits for bits in best.values()) > 1:
        yield Broken("d counted", path, tuple(sorted(best.items())))


def _transcript(outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    told = {each.told for each in outcomes if each.stopped != "limit"}
    if len(told) > 1:
        yield Broken("e", "failure", tuple(told))
