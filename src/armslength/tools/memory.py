"""Memory: values under keys that stand in programs, each with its label, from one run to the next.

A value comes back with the label that it was remembered with; what the user or a program wrote is then the memory's, never `user`. What
could decide that a key was set, or was not, stays with the key, also where nothing was set. The file itself is the keeper's: changed by
other hands it is refused whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import Any, Protocol, cast

from armslength.errors import ArmslengthError, OperatorError, ToolError
from armslength.events import Json, Trust, label_from_json, label_to_json
from armslength.labels import NOTHING, PRIVATE, PROGRAM, USER, Label, Source, label, made_of, steered
from armslength.schema import ANY, Keyed, Origin
from armslength.tools.base import Decided, Prospect, Role, Tool, ToolCall, names_in, nobody, one_at_a_time, tool
from armslength.tools.ledger import knowing
from armslength.values import Labelled, Plain

STORE = Source("store:memory", is_trusted=True)
"""Whose words a remembered value is, if the user or a program wrote it."""
MOST_KEYS, MOST_CHARACTERS, MOST_BEFORE = 1_000, 100_000, 5
"""Keys; characters of one value as JSON; earlier values of a key that are kept for undoing."""
_ABSENT = label([STORE], readers=PRIVATE, steer=PRIVATE)
_MOST_NOTED = 50
"""Marks of what was told of a key, so that it counts once where it is told again."""
VERSION = 1


class Keeper(Protocol):
    """Who keeps the bytes of the memory. Raises OperatorError where they cannot be kept, or are not what was kept."""

    def read(self) -> bytes | None:
        """What was written last, None if nothing was."""
        ...

    def write(self, content: bytes) -> None:
        """Keep this instead, whole or not at all."""
        ...

    def alone(self) -> Any:
        """A block during which no other process writes."""
        ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """What lies under a key, for the person. `is_set`: something does. `label`: as a program gets it. `earlier`: so many values before it."""

    key: str
    value: Plain = field(repr=False)
    label: Label
    earlier: int
    is_set: bool


class Memory:
    """What is remembered. An entry: the values of a key, the latest last, each with its label and the effect that made it."""

    def __init__(self, keeper: Keeper, trust: Trust) -> None:
        self._keeper, self._trust = keeper, knowing(trust, STORE)
        self.threads = RLock()

    def recall(self, key: str) -> Labelled:
        """The value under this key, None if there is none.

        Raises:
            ToolError: the memory cannot be read.
        """
        with _told():
            found = self._remembered(key, self._load().get(key, _nothing()))
            return _labelled(found.value, found.label)

    def listed(self) -> list[Remembered]:
        """All of it, by key, for the person; also a key under which nothing lies, where others decided that.

        Raises:
            ToolError: the memory cannot be read.
        """
        with _told():
            entries = sorted(self._load().items())
            return [self._remembered(key, each) for key, each in entries if each["values"] or each["steered"]]

    def drop(self, keys: Collection[str]) -> None:
        """The person lets go of these, with their earlier values and with what decided over them.

        Raises:
            ToolError: the memory cannot be read or written.
        """
        with self._changed() as found:
            for key in keys:
                found.pop(key, None)

    def _remembered(self, key: str, entry: Json) -> Remembered:
        gain, values = self._label(entry["steered"]), entry["values"]
        if not values:
            return Remembered(key, None, steered(_ABSENT, gain), 0, is_set=False)
        label = steered(recalled(values[-1]["label"], self._trust), gain)
        return Remembered(key, values[-1]["value"], label, len(values) - 1, is_set=True)

    def remember(self, call: ToolCall, key: str, value: Plain) -> None:
        """Keep a value under this key instead of what was there.

        Raises:
            ToolError: it is too large, or cannot be kept.
        """
        if len(json.dumps(value)) > MOST_CHARACTERS:
            raise ToolError(
                f"remember keeps at most {MOST_CHARACTERS:,} characters under a key; keep less, or write a file"
            )
        with self._changed() as keys:
            entry = keys.setdefault(key, _nothing())
            if len(keys) > MOST_KEYS:
                raise ToolError(f"remember keeps at most {MOST_KEYS:,} keys; take one of these again")
            if any(each["by"] == call.key for each in entry["values"]):
                return
            written = label_to_json(call.labels["value"])
            made = {"value": value, "label": written, "by": call.key}
            made |= {"steered": entry["steered"], "noted": entry.get("noted", [])}
            entry["values"] = [*entry["values"][-MOST_BEFORE:], made]
            entry |= {"steered": None, "noted": []}  # whatever decided that this is here now is in its own label

    def steered(self, key: str, decided: Decided) -> None:
        """That something lies under this key, and which, was decided so: also after this, where another run set it meanwhile.

        Where the run itself set it last, the value has that in its label, and it counts for what comes back when that is undone.
        """
        written = json.dumps(label_to_json(decided.gain), sort_keys=True)
        mark = hashlib.sha256(f"{decided.run} {written}".encode()).hexdigest()[:16]
        with self._changed() as keys:
            entry = keys.setdefault(key, _nothing())
            values = entry["values"]
            place = values[-1] if values and values[-1]["by"] in decided.own else entry
            if mark not in place.get("noted", []):
                place["noted"] = [*place.get("noted", []), mark][-_MOST_NOTED:]
                self._steer(place, decided.gain)

    def forget(self, call: ToolCall, key: str) -> None:
        """Take back what an effect remembered. What decided over the key stays.

        Raises:
            ToolError: something else lies there by now; nothing was changed.
        """
        with self._changed() as keys:
            values = keys.get(key, {"values": []})["values"]
            if not values or values[-1]["by"] != call.key:
                raise _is_another()
            gone, entry = values.pop(), keys[key]
            self._steer(entry, self._label(gone["steered"]))
            entry["noted"] = [*entry.get("noted", []), *gone.get("noted", [])][-_MOST_NOTED:]

    def forgetting(self, call: ToolCall, key: str, ahead: Sequence[Prospect]) -> Prospect:
        """The value before and after `forget`, as JSON, once inverses that leave these are done.

        Raises:
            ToolError: `forget` would refuse.
        """
        place = f"the memory, {json.dumps(key, ensure_ascii=False)}"
        later = sum(each.place == place for each in ahead)
        with _told():
            values = self._load().get(key, _nothing())["values"]
            if len(values) <= later or values[-1 - later]["by"] != call.key:
                raise _is_another()
            now, earlier = values[-1 - later], values[: len(values) - 1 - later]
            before, after = (
                f"{json.dumps(each['value'], ensure_ascii=False)}\n" for each in (now, (earlier or [now])[-1])
            )
            known = recalled(now["label"], self._trust)
            whose = () if known.is_chosen else names_in(known)
            return Prospect(place, before, after if earlier else None, whose, state=call.key)

    def holds(self, call: ToolCall, key: str) -> bool:
        """Whether the effect with this key got done."""
        with _told():
            return any(each["by"] == call.key for each in self._load().get(key, {"values": []})["values"])

    def _label(self, stored: Json | None) -> Label:
        return NOTHING if stored is None else label_from_json(stored, self._trust)

    def _steer(self, entry: Json, gain: Label) -> None:
        found = steered(self._label(entry["steered"]), gain)
        entry["steered"] = None if found is NOTHING else label_to_json(found)

    @contextmanager
    def _changed(self) -> Iterator[Json]:
        with _told(), self._keeper.alone():
            keys = self._load()
            yield keys
            self._keeper.write(json.dumps({"version": VERSION, "keys": keys}, ensure_ascii=True).encode("ascii"))

    def _load(self) -> Json:
        content = self._keeper.read()
        found = {"version": VERSION, "keys": {}} if content is None else json.loads(content)
        if found["version"] != VERSION:
            raise ToolError(
                "the memory was written by another version of armslength; use that one, or move the file away"
            )
        return cast("Json", found["keys"])


def _is_another() -> ToolError:
    return ToolError("something else is remembered under that key by now, so nothing was undone")


def _nothing() -> Json:
    """The entry of a key before it is set."""
    return {"values": [], "steered": None, "noted": []}


def recalled(stored: Json, trust: Trust) -> Label:
    """The only way in of a remembered label: what the user or a program wrote is the memory's, and what was made stays made.

    Raises:
        ValueError: it is no label.
    """
    written = label_from_json(stored, trust)
    own = {USER: STORE, PROGRAM: STORE}
    found = label(
        {STORE} | {own.get(source, source) for source in written.data},
        choice=[own.get(source, source) for source in written.choice],
        bits=written.bits,
        readers=written.readers,
        steer=written.steer,
        intact=written.intact,
    )
    return found if written.intact else made_of(found)


def _labelled(value: Plain, of: Label) -> Labelled:
    """One label for all of a value: that of the whole, as it was remembered."""
    match value:
        case list():
            return Labelled(tuple(_labelled(each, of) for each in value), of)
        case dict():
            return Labelled({name: _labelled(part, of) for name, part in value.items()}, of)
        case _:
            return Labelled(value, of)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OperatorError as error:
        raise ToolError(str(error)) from error
    except ArmslengthError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ToolError("the memory is damaged; move its file away to begin anew") from error


def memory_tools(keeper: Keeper, trust: Trust) -> list[Tool]:
    """`remember` and `recall` over what the keeper keeps."""
    return tools_over(Memory(keeper, trust))


def tools_over(memory: Memory) -> list[Tool]:
    """The same over a memory."""
    return [one_at_a_time(each, memory.threads) for each in (_remember(memory), _recall(memory))]


def _remember(memory: Memory) -> Tool:
    def undo(call: ToolCall, args: dict[str, Plain], _outcome: Plain) -> None:
        memory.forget(call, str(args["key"]))

    def undo_prospect(call: ToolCall, args: dict[str, Plain], _outcome: Plain, ahead: Sequence[Prospect]) -> Prospect:
        return memory.forgetting(call, str(args["key"]), ahead)

    def happened(call: ToolCall, args: dict[str, Plain]) -> bool | None:
        return memory.holds(call, str(args["key"]))

    @tool(
        name="remember",
        roles={"key": Role.TARGET, "value": Role.CONTENT},
        reads=None,
        changes="memory",
        receivers=nobody,
        undo=undo,
        undo_prospect=undo_prospect,
        happened=happened,
        fails_by=(),
        summary=lambda args: f"remember as {args['key']}",
    )
    def remember(call: ToolCall, key: str, value: Any) -> None:
        """For later requests. The key is a text in quotes; the value text, numbers, or lists and dicts of them."""
        memory.remember(call, key, cast("Plain", value))

    keyed = Keyed("memory", "key", sets=True)
    return replace(remember, signature=replace(remember.signature, keyed=keyed), steered=memory.steered)


def _recall(memory: Memory) -> Tool:
    @tool(
        name="recall",
        returns=ANY,
        origin=Origin("tool"),
        roles={"key": Role.QUERY},
        reads="memory",
        changes=None,
        receivers=nobody,
        picks=True,
        fails_by=(),
    )
    def recall(key: str) -> Labelled:
        """What was remembered under this key, a text in quotes; None if nothing was."""
        return memory.recall(key)

    return replace(recall, signature=replace(recall.signature, keyed=Keyed("memory", "key", sets=False)))
