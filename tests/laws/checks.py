"""The laws, checked over every variation of a program's inputs.

A program runs on variations of the untrusted inputs (the secret ones fixed) and of the secret inputs (the untrusted ones fixed). What a
run gives is what its names hold at the end, read as the language labels reads, what went out, and how it stopped.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.laws.world import SIGNATURES, WHOLES, Inputs, Sent, World

from armslength.errors import LimitReached, ProgramFailed
from armslength.labels import SATURATED, Label, construct, picking, steered, tested
from armslength.language import Limits, prepare, run
from armslength.values import (
    Container,
    DictObject,
    ListObject,
    RecordObject,
    SetObject,
    TupleObject,
    Value,
    kind,
    restrict,
    sink_label,
    unwrap,
)

LIMITS = Limits(steps=6_000, size=200_000, digits=200)
_DEPTH, _WIDTH = 4, 12
U = tuple(itertools.product(range(3), range(3), range(3)))
S = tuple(itertools.product(range(3), range(2)))


@dataclass(frozen=True, slots=True)
class Seen:
    """What one read gives: the value as text, and its label."""

    text: str
    label: Label


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


def check(source: str) -> Checked:
    """Run a program on all its variations and check all laws."""
    analysis = prepare(source, SIGNATURES)
    outcomes: list[Outcome] = []

    def outcome(inputs: Inputs) -> Outcome:
        known = {f"u{at}": given for at, given in enumerate(inputs.u)}
        known |= {f"s{at}": given for at, given in enumerate(inputs.s)}
        for earlier in outcomes:
            if all(known[name] == given for name, given in earlier.read.items()):
                return earlier
        world = World(inputs)
        made = Outcome(inputs, sent=world.sent, read=world.read)
        try:
            made.seen = dict(observe(run(analysis, world, LIMITS)))
        except LimitReached:
            made.stopped = "limit"
        except ProgramFailed as failed:
            made.stopped = f"{failed.line} {failed.code}"
            made.told = str(failed) if failed.is_trusted else None
        outcomes.append(made)
        return made

    def group(inputs: Iterable[Inputs]) -> list[Outcome]:
        return list({id(each): each for each in map(outcome, inputs)}.values())

    broken: list[Broken] = []
    broken += _untrusted_laws(group(Inputs(u, S[-1]) for u in U))
    for untrusted in (U[0], U[14]):
        broken += _secret_laws("public", _is_public, group(Inputs(untrusted, s) for s in S))
        for shared in range(2):
            varied = group(Inputs(untrusted, s) for s in S if s[1] == shared)
            broken += _secret_laws("alice", _is_alices, varied)
    broken += _transcript(outcomes)
    broken += _wholes(outcomes, literals(analysis.program.body))
    return Checked(outcomes, broken)


# What a run shows


def observe(names: Mapping[str, Value]) -> Iterator[tuple[str, Seen]]:
    """Every read of every name, to a depth: kind, content, size, elements, and the whole as a sink takes it."""
    for name, value in names.items():
        yield f"{name} whole", Seen(_text(value, 8), sink_label(value))
        yield from _reads(name, value, _DEPTH)


def _reads(path: str, value: Value, depth: int) -> Iterator[tuple[str, Seen]]:
    raw = unwrap(value)
    yield f"{path} kind", Seen(kind(value), tested(value.label))
    if not isinstance(raw, Container):
        yield path, Seen(repr(raw), value.label)
        return
    if isinstance(raw, RecordObject):
        reading, parts = picking(value.label), [(f".{name}", part) for name, part in raw.fields.items()]
    else:
        reading = steered(picking(value.label), picking(raw.shape))
        parts = list(_parts(raw))
        size = len(raw.entries if isinstance(raw, DictObject | SetObject) else raw.items)
        yield f"{path} len", Seen(str(size), construct(value.label, raw.shape))
    if depth:
        for step, part in parts[:_WIDTH]:
            yield from _reads(path + step, restrict(part, reading), depth - 1)


def _parts(raw: Container) -> Iterator[tuple[str, Value]]:
    match raw:
        case ListObject() | TupleObject():
            yield from ((f"[{at}]", item) for at, item in enumerate(raw.items))
        case SetObject():
            yield from ((f"<{at}>", item) for at, item in enumerate(raw.entries.values()))
        case DictObject():
            for at, (key, entry) in enumerate(raw.entries.items()):
                yield f"<{at}>", entry.key
                yield f"[{key!r}]", entry.value


def _text(value: Value, depth: int) -> str:
    raw = unwrap(value)
    if not isinstance(raw, Container):
        return repr(raw)
    if not depth:
        return "..."
    match raw:
        case DictObject():
            inner = [f"{_text(e.key, depth - 1)}: {_text(e.value, depth - 1)}" for e in raw.entries.values()]
        case RecordObject():
            inner = [f"{name}={_text(part, depth - 1)}" for name, part in raw.fields.items()]
        case _:
            inner = [_text(part, depth - 1) for _, part in _parts(raw)]
    return f"{kind(value)}({', '.join(inner)})"


# Laws (a), (b), (c): untrusted inputs vary


def _untrusted_laws(outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    ended = [each for each in outcomes if each.stopped is None]
    for path in _paths(ended):
        rows = [each.seen.get(path) for each in ended]
        yield from _same("a", path, rows, lambda label: label.is_trusted)
        yield from _kraft(path, [row for row in rows if row is not None])
    yield from _outward("c", outcomes, lambda label: label.is_trusted)


def _paths(outcomes: Sequence[Outcome]) -> list[str]:
    return list(dict.fromkeys(path for each in outcomes for path in each.seen))


def _same(law: str, path: str, rows: Sequence[Seen | None], is_low: Callable[[Label], bool]) -> Iterator[Broken]:
    if any(row is not None and is_low(row.label) for row in rows) and len(set(rows)) > 1:
        yield Broken(law, path, tuple(dict.fromkeys(rows)))


def _kraft(path: str, rows: Sequence[Seen]) -> Iterator[Broken]:
    best: dict[str, int] = {}
    for row in rows:
        if row.label.is_chosen and row.label.bits < SATURATED:
            best[row.text] = min(best.get(row.text, SATURATED), row.label.bits)
    if sum(2.0**-bits for bits in best.values()) > 1:
        yield Broken("b", path, tuple(sorted(best.items())))


def literals(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The program's literals as text."""
    constants = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Constant))
    return frozenset(repr(node.value) for node in constants)


def _wholes(outcomes: Sequence[Outcome], known: frozenset[str]) -> Iterator[Broken]:
    """Also law (b): a chosen value whose bits are not counted was picked whole, so it is a literal or a tool's own field."""
    for each in outcomes:
        for path, row in each.seen.items():
            is_scalar = not path.endswith((" whole", " kind", " len"))
            if is_scalar and row.label.is_chosen and row.label.bits == SATURATED and row.text not in known | WHOLES:
                yield Broken("b whole", path, (row,))


def _outward(law: str, outcomes: Sequence[Outcome], is_low: Callable[[Label], bool]) -> Iterator[Broken]:
    """Immediate calls count in stopped runs too; what is queued only in runs that ended."""
    whole = [_low(each, is_low, "send") for each in outcomes if each.stopped != "limit"]
    cut = [_low(each, is_low, "send") for each in outcomes if each.stopped == "limit"]
    if len(set(whole)) > 1:
        yield Broken(law, "send", tuple(set(whole)))
    longest = max([*whole, *cut], key=len, default=())
    if any(longest[: len(each)] != each for each in cut) or (cut and any(each != longest for each in whole)):
        yield Broken(law, "send, limit", (longest, *whole[:1], *cut[:2]))
    for door in ("emit", "answer"):
        queued = {_low(each, is_low, door) for each in outcomes if each.stopped is None}
        if len(queued) > 1:
            yield Broken(law, door, tuple(queued))


def _low(outcome: Outcome, is_low: Callable[[Label], bool], door: str) -> tuple[tuple[str, Label], ...]:
    return tuple((each.content, each.label) for each in outcome.sent if each.door == door and is_low(each.label))


# Laws (d) and (e)


def _is_public(label: Label) -> bool:
    return label.readers.names is None and label.steer.names is None


def _is_alices(label: Label) -> bool:
    return label.readers.includes("alice") and label.steer.includes("alice")


def _secret_laws(who: str, is_low: Callable[[Label], bool], outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    ended = [each for each in outcomes if each.stopped is None]
    for path in _paths(ended):
        yield from _same(f"d {who}", path, [each.seen.get(path) for each in ended], is_low)
    yield from _outward(f"d {who}", outcomes, is_low)


def _transcript(outcomes: Sequence[Outcome]) -> Iterator[Broken]:
    told = {each.told for each in outcomes if each.stopped != "limit"}
    if len(told) > 1:
        yield Broken("e", "failure", tuple(told))
