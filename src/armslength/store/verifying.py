"""Whether a journal is as it was written, and where it first is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

from armslength.store.chain import START, Chain, Head
from armslength.store.journal import Entry
from armslength.store.runs import Fault, state_after


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as the database has it."""

    number: int
    body: bytes
    hash: bytes


def first_fault(
    run: str, stored: Sequence[Stored], chain: Chain, head: Head | None, row: tuple[Any, Any]
) -> Fault | None:
    """The first place where a journal is not as it was written, None if there is none.

    `row`: the state and the request that the list of runs shows.
    """
    before = START
    for place, entry in enumerate(stored, 1):
        if entry.number != place:
            return Fault(run, place, f"entry {place} was dropped")
        if not compare_digest(chain.hash(place, before, entry.body), entry.hash):
            return Fault(run, place, f"entry {place} was edited or moved")
        before = entry.hash
    return _head_fault(run, stored, head) or _row_fault(run, stored, row)


def _head_fault(run: str, stored: Sequence[Stored], head: Head | None) -> Fault | None:
    """A head may be behind: a killed process wrote the database first, and a power failure loses what the disk had not taken yet."""
    count = len(stored)
    if head is None:
        return None if count <= 1 else Fault(run, 0, "its head outside the database is gone")
    if head.run != run or not head.count > 0:
        return Fault(run, 0, "its head outside the database was edited")
    if head.count > count:
        return Fault(
            run, count + 1, f"entry {count + 1} was dropped, and all {head.count - count} from there to the end"
        )
    if stored[head.count - 1].hash != head.hash:
        return Fault(run, head.count, "its head outside the database is that of another entry")
    return None


def _row_fault(run: str, stored: Sequence[Stored], row: tuple[Any, Any]) -> Fault | None:
    state, request = "running", ""
    for each in stored:
        entry = json.loads(each.body)
        after = state_after(entry)
        state = after[0] if after is not None else state
        if entry.get("kind") == "request" and entry.get("entry") == "note":
            request = shown_request(entry)
    if row[1] != request or (row[0] != state and not (row[0] == "waiting" and state == "running")):
        return Fault(run, 0, "the list of runs says something else than its journal")
    return None


def shown_request(entry: Entry) -> str:
    """The request as the list of runs shows it: halves of characters and the character 0 are no text to a database."""
    text = str(entry.get("text", "")).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\ufffd")


def lost_run(number: int, head: Head | None) -> Fault:
    """A head without a run."""
    name = head.run if head is not None else f"number {number}"
    return Fault(name, 0, "the whole run was dropped")
