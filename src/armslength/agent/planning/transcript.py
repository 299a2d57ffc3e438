"""What a conversation tells its planner of earlier requests: the one function that builds the turns.

It is made of the user's words, the planner's own programs, and for each name its declared type and its class, all of them known before a
run; and of what was paid for: what `reveal` showed, and that a program stopped where the budget covers telling it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from armslength.agent.planning.prompt import record_line
from armslength.agent.planning.revealing import Shown
from armslength.language.foreseeing.foresight import Foreseen
from armslength.models.base import Turn
from armslength.schema import ListOf, OptionalOf, RecordType, Type, describe

MOST_TURNS = 12
"""Earlier requests that are told, the last ones."""
MOST_NAMES = 60
"""Names that a conversation has, the last ones assigned."""

IN_CONVERSATION = """\
Earlier programs of this conversation left the names that are listed before the request; use them as they are, and call a tool again only \
for what they do not have. Their class says whose words they may hold: trusted, chosen (others chose which of several it is), untrusted.
reveal(x)  # shows you x before the next request: only a bool, or one of a few literals, as a statement of its own at the top of the \
program; use it only if your next program depends on it"""


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier request with its program. `shown` is what the program revealed; `note` says how it ended, where that may be told."""

    request: str
    program: str
    shown: tuple[Shown, ...] = ()
    note: str = ""


STOP_TOLD = "(That program stopped before its end, so what it assigned is not there.)"
REFUSED = "(That program was not accepted, so it did not run.)"


@dataclass(frozen=True, slots=True)
class Told:
    """All that the planner is told beside the request. `names` in the order in which they were last assigned."""

    past: tuple[Past, ...]
    names: Mapping[str, Foreseen]
    bits_left: int
    known_types: frozenset[str] = frozenset()
    """Names of record types that the system text describes."""


def turns_of(told: Told, request: str, room: Callable[[str], bool]) -> list[Turn]:
    """The turns before and with the request. `room` says, from the newest on, whether an earlier turn still has room."""
    kept = []
    for past in told.past[: -MOST_TURNS - 1 : -1]:
        if not room(f"{past.request}\n{past.program}"):
            break
        kept.append(past)
    turns, before = list[Turn](), None
    for past in reversed(kept):
        turns.append(Turn("user", _joined([*_of_last(before), past.request])))
        turns.append(Turn("assistant", fenced(past.program)))
        before = past
    lines = [*_of_last(before), *_names(told), *_budget(told)]
    return [*turns, Turn("user", _joined([*lines, f"Request: {request}" if lines else request]))]


def fenced(program: str) -> str:
    """A program as the planner wrote it."""
    return f"```python\n{program}\n```"


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def _of_last(past: Past | None) -> Iterator[str]:
    """What the planner hears of the program before."""
    if past is None:
        return
    if past.note:
        yield past.note
    for shown in past.shown:
        if shown.is_shown:
            yield f"(Revealed: {shown.offer.text} is {shown.choice!r})"


def _names(told: Told) -> Iterator[str]:
    if not told.names:
        return
    yield "Names that are there:"
    seen = set(told.known_types)
    for name, foreseen in told.names.items():
        yield f"- {name}{'' if foreseen.type is None else f': {describe(foreseen.type)}'}  # {written_class(foreseen)}"
        for record in _records(foreseen.type):
            if record.name not in seen and record.name != "dict":
                seen.add(record.name)
                yield f"  {record_line(record)}"


def _budget(told: Told) -> Iterator[str]:
    if told.past:
        yield f"Bits left for reveal: {told.bits_left}"


def written_class(foreseen: Foreseen) -> str:
    """`untrusted (mail, quarantined)`."""
    return f"{foreseen.trust} ({', '.join(foreseen.kinds)})"


def _records(declared: Type | None) -> Iterator[RecordType]:
    match declared:
        case ListOf(inner) | OptionalOf(inner):
            yield from _records(inner)
        case RecordType():
            yield declared
        case _:
            return
