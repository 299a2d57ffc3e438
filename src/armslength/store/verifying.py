"""Whether a journal is as it was written, and where it first is not. What is sealed is verified as it is stored, without its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

from armslength.store.chain import Chain, Head
from armslength.store.runs import Fault
from armslength.store.tally import Tally
from armslength.store.writing import Outline, Stored, Writer


@dataclass(frozen=True, slots=True)
class Beside:
    """A run beside its entries, as the database has it: the columns of the list, and the marks of what is used up."""

    name: str
    started: Any
    state: Any
    ending: Any
    request: Any
    since: Any
    effects: Any
    used: frozenset[Any]


def first_fault(row: Beside, stored: Sequence[Stored], chain: Chain, head: Head | None, writer: Writer) -> Fault | None:
    """The first place where a journal is not as it was written, None if there is none."""
    start = before = chain.start(str(row.started))
    for place, entry in enumerate(stored, 1):
        if entry.number != place:
            return Fault(row.name, place, f"entry {place} was dropped")
        if not compare_digest(chain.hash(place, before, entry.body), entry.hash):
            return Fault(row.name, place, f"entry {place} was edited or moved")
        before = entry.hash
    hashes = [start, *(entry.hash for entry in stored)]
    return _head_fault(row.name, hashes, head) or _row_fault(row, stored, writer, chain)


def _head_fault(run: str, hashes: Sequence[bytes], head: Head | None) -> Fault | None:
    """A head may be behind: a killed process wrote the database first, and a power failure loses what the disk had not taken yet."""
    count = len(hashes) - 1
    if head is None:
        return None if count <= 1 else Fault(run, 0, "its head outside the database is gone")
    if head.run != run or head.count < 0:
        return Fault(run, 0, "its head outside the database was edited")
    if head.count > count:
        return Fault(
            run, count + 1, f"entry {count + 1} was dropped, and all {head.count - count} from there to the end"
        )
    if hashes[head.count] != head.hash:
        what = "its head outside the database is that of another entry"
        return Fault(run, head.count, what if head.count else "its head outside the database, or its time, was edited")
    return None


def _row_fault(row: Beside, stored: Sequence[Stored], writer: Writer, chain: Chain) -> Fault | None:
    """What stands beside the entries is held against them; the fault names the entry that says otherwise."""
    listed = [(0, Outline("running")), *((each.number, writer.outline(each)) for each in stored)]
    state_place, state = next((place, said) for place, said in reversed(listed) if said.state)
    if row.ending != state.ending or not _is_state(row.state, state.state, listed[-1][1], chain):
        return Fault(row.name, state_place, _otherwise("state", state_place))
    if not chain.is_first_form and row.since != _since(row, stored, chain):
        return Fault(row.name, 0, "that it waits for an answer, or since when, was edited in the list of runs")
    place, effects = _effects(listed, chain)
    if row.effects != effects:
        return Fault(row.name, place, _otherwise("account of what was done and taken back", place))
    place, request = next(((place, said.request) for place, said in reversed(listed) if said.request), (0, ""))
    if row.request != request:
        return Fault(row.name, place, _otherwise("request", place))
    anew = max(place for place, said in listed if said.is_anew or not place)
    used = {said.used: place for place, said in listed[anew + 1 :] if said.used}
    for mark, place in used.items():
        if mark not in row.used:
            return Fault(row.name, place, f"that entry {place} used up a yes is not kept any more")
    return Fault(row.name, 0, "more is used up than its journal says") if row.used - set(used) else None


def _is_state(stored: Any, said: str, last: Outline, chain: Chain) -> bool:
    """Beside what the entries say: a run waits behind any of them, and was answered where the last is an answer."""
    if said != "running":
        return bool(stored == said)
    if stored == "running":
        return not (chain.has_effects and last.is_answer)
    return stored == "waiting" or (stored == "answered" and last.is_answer)


def _effects(listed: Sequence[tuple[int, Outline]], chain: Chain) -> tuple[int, str]:
    """What the list has to say of the effects, and the entry by which; nothing of a run of an earlier format."""
    if not chain.has_effects:
        return 0, ""
    tally, place = Tally(), 0
    for number, said in listed:
        after = tally.after(said)
        place = number if after.effects != tally.effects else place
        tally = after
    return place, tally.effects


def _since(row: Beside, stored: Sequence[Stored], chain: Chain) -> str:
    """Only a run that waits has a time, and it was put there behind the last entry: no earlier question's serves for a later one."""
    if row.state != "waiting":
        return ""
    last = stored[-1].hash if stored else chain.start(str(row.started))
    return chain.marked(str(row.since).partition(" ")[0], last)


def _otherwise(what: str, place: int) -> str:
    said = f"entry {place}" if place else "its journal"
    return f"the list of runs has another {what} than {said}"


def lost_run(number: int, head: Head | None) -> Fault:
    """A head without a run."""
    name = head.run if head is not None else f"number {number}"
    return Fault(name, 0, "the whole run was dropped")
