"""Labels: who may have written a value, who could steer it, and who may learn it.

A label has four parts (design, "Labels"): `data`, `choice` with its `bits`, `readers`, `steer`. Labels are interned, so equal labels
are one object. `join` is the lattice's least upper bound; the other functions are the rows of the design's table, and each result is
an upper bound of what the row says it keeps. Nothing here looks at values. Each label remembers what the operations made of it and
another (`Memory`), so that doing it again is one look-up: `a.joins[b]` is `join(a, b)`; and what it hands on, which is asked for most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import RLock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

SATURATED = 9
"""Bits above 8 are not counted further."""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """One origin of data, by its name in the glossary (`user`, `mail:alice@example.com`); trusted by configuration or not."""

    name: str
    is_trusted: bool = False


USER = Source("user", is_trusted=True)
PROGRAM = Source("program", is_trusted=True)
QUARANTINED = Source("quarantined")
PASTED = Source("pasted")
LISTED = "listed:"
"""How the sources `listed:STORE:*` begin: all who had a part in what a listing of that store holds and in which order. Nobody's words."""
MAILBOX = "mailbox:*"
"""The same of the mailbox's listings, as it is named there."""
_ALL = ":*"


def listed_by(source: Source) -> str | None:
    """The store to whose listings `source` adds and does nothing else; None of any other source."""
    if source.name == MAILBOX:
        return "mail"
    if source.name.startswith(LISTED) and source.name.endswith(_ALL):
        return source.name.removeprefix(LISTED).removesuffix(_ALL)
    return None


def spelling(source: Source) -> Source | None:
    """Whose words a number or a text is that is made of a listing to which `source` adds. None of a source that stands for no listing.

    A key that he counts or spells picks whatever he wants.
    """
    store = listed_by(source)
    return None if store is None else Source(f"{store}:unverified")


@dataclass(frozen=True, slots=True)
class Readers:
    """Who may learn a value, beside the user, who always may: everybody (`names` is None) or a finite set of receivers."""

    names: frozenset[str] | None

    def intersect(self, other: Readers) -> Readers:
        """Those who may learn both."""
        if self.names is None:
            return other
        if other.names is None or other.names == self.names:
            return self
        return Readers(self.names & other.names)

    def includes(self, receiver: str) -> bool:
        """Whether `receiver` may learn the value."""
        return self.names is None or receiver in self.names


PUBLIC = Readers(None)
PRIVATE = Readers(frozenset())
"""The user alone."""


class Label:
    """An interned label. Made only by `label`; compared by identity.

    data: sources whose bytes are in the value.
    choice, bits: sources that could steer which of several values it is, and how many bits they had (0 to 8, 9 is saturated). What is
    trusted and not for everybody has bits too: they count what whoever learns the value learns of it.
    intact: picked whole from things that were there before (then saturated choice still is only choice).
    readers, steer: who may learn the value, and what steered it.
    joins, constructs, selects, tests, steers: what `join`, `construct`, `steered`, `tested` and `steering` give with it on the left.
    guards: what it hands on to all that one bit of it decides, `steering(label, 1)`. picks: `picking(label)`.
    spells: whose words it is, as choice, if it was counted or spelled out of a listing.
    """

    __slots__ = (
        "__weakref__", "bits", "choice", "constructs", "data", "guards", "intact", "is_chosen", "is_trusted", "joins", "picks", "readers",
        "selects", "spells", "steer", "steers", "tests",
    )  # fmt: skip

    data: frozenset[Source]
    choice: frozenset[Source]
    bits: int
    intact: bool
    readers: Readers
    steer: Readers
    is_trusted: bool
    is_chosen: bool
    joins: Memory[Label]
    constructs: Memory[Label]
    selects: Memory[Label]
    tests: Memory[Label]
    steers: Memory[int]
    guards: Label
    picks: Label
    spells: Label

    def __init__(self) -> None:
        raise TypeError("labels are made by label(...) only")

    def __reduce__(self) -> str:
        raise TypeError("labels are made by label(...) only; store their parts")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("labels do not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("labels do not change")

    def __getattr__(self, name: str) -> Label:
        """What it hands on, made when it is first asked for: slots that are not set lead here."""
        operation = _HANDED_ON.get(name)
        if operation is None:
            raise AttributeError(name)
        made = operation(self)
        with _lock:
            _note()
            _handing_on.append((self, name))
            object.__setattr__(self, name, made)
        return made

    @property
    def is_clear(self) -> bool:
        """Whether it is trusted and public, and so is what steered it. That, and nothing else, hands on nothing."""
        return self.guards is NOTHING

    def __repr__(self) -> str:
        def names(sources: frozenset[Source]) -> str:
            return ",".join(sorted(source.name for source in sources)) or "-"

        def who(readers: Readers) -> str:
            return "public" if readers.names is None else ",".join(sorted(readers.names)) or "user"

        whole = "intact" if self.intact else "made"
        return f"Label({names(self.data)} | {names(self.choice)} {self.bits}b {whole} | {who(self.readers)} | {who(self.steer)})"


_Other = TypeVar("_Other", Label, int)

REMEMBERED = 16_384
"""So many results are remembered in all; then all are forgotten, so that no label is kept alive for good."""


class Memory(dict[_Other, Label]):
    """What one operation makes of one label and another, or a number of bits; made when it is first asked for."""

    __slots__ = ("_label", "_operation")

    def __init__(self, operation: Callable[[Label, _Other], Label], of: Label) -> None:
        self._operation: Callable[[Label, _Other], Label] = operation
        self._label = of

    def __missing__(self, other: _Other) -> Label:
        made = self._operation(self._label, other)
        with _lock:
            _note()
            _memories.append(self)
            self[other] = made
        return made


_Key = tuple[frozenset[Source], frozenset[Source], int, bool, Readers, Readers]
_interned: WeakValueDictionary[_Key, Label] = WeakValueDictionary()
_memories: list[Memory[Any]] = []
"""Where each result that is remembered stands, once for each."""
_handing_on: list[tuple[Label, str]] = []
"""Which labels remember what they hand on."""
_lock = RLock()
"""Held while a label is interned or a result is noted: several threads make labels."""


def _note() -> None:
    """One more result is about to be remembered."""
    if len(_memories) + len(_handing_on) >= REMEMBERED:
        forget()


def forget() -> None:
    """Forget what every label remembers. Labels that are used otherwise stay."""
    with _lock:
        for memory in _memories:
            memory.clear()
        _memories.clear()
        for each, name in dict.fromkeys(_handing_on):
            object.__delattr__(each, name)
        _handing_on.clear()


def label(
    data: Iterable[Source] = (),
    *,
    choice: Iterable[Source] = (),
    bits: int = 0,
    readers: Readers = PUBLIC,
    steer: Readers = PUBLIC,
    intact: bool = True,
) -> Label:
    """The one constructor. Closes the parts under the design's rules and interns the result.

    Bits that no untrusted source had are no bits, where everybody may learn what steered. Choice that is saturated in a value that is not
    intact counts as data, and what steered it may then be learnt only by those who may learn the steering.
    """
    data, choice = frozenset(data), frozenset(choice)
    if steer.names is None and all(source.is_trusted for source in choice):
        bits = 0
    bits = min(max(bits, 0), SATURATED)
    if bits == SATURATED and not intact:
        data = data | choice
        readers = readers.intersect(steer)
    key = (data, choice, bits, intact, readers, steer)
    with _lock:
        found = _interned.get(key)
        if found is None:
            found = _interned[key] = _new(key)
    return found


def _new(key: _Key) -> Label:
    made = object.__new__(Label)
    put = object.__setattr__
    for name, part in zip(("data", "choice", "bits", "intact", "readers", "steer"), key, strict=True):
        put(made, name, part)
    has_trusted_data = all(source.is_trusted for source in made.data)
    put(made, "is_chosen", has_trusted_data)
    put(made, "is_trusted", has_trusted_data and all(source.is_trusted for source in made.choice))
    put(made, "joins", Memory(_join, made))
    put(made, "constructs", Memory(_construct_two, made))
    put(made, "selects", Memory(_steered, made))
    put(made, "tests", Memory(_test_two, made))
    put(made, "steers", Memory(_steering, made))
    return made


def join(a: Label, b: Label) -> Label:
    """The least upper bound of two labels in every part."""
    return a.joins[b]


def _join(a: Label, b: Label) -> Label:
    return label(
        a.data | b.data,
        choice=a.choice | b.choice,
        bits=max(a.bits, b.bits),
        readers=a.readers.intersect(b.readers),
        steer=a.steer.intersect(b.steer),
        intact=a.intact and b.intact,
    )


def construct(*operands: Label) -> Label:
    """Row "construct": data united, choice united with bits added, readers and steer intersected; the result is not intact."""
    if len(operands) == 2:
        return operands[0].constructs[operands[1]]
    made = _UNSTEERED
    for operand in operands:
        made = made.constructs[operand]
    return made


def _construct_two(a: Label, b: Label) -> Label:
    return label(
        a.data | b.data,
        choice=a.choice | b.choice,
        bits=a.bits + b.bits,
        readers=a.readers.intersect(b.readers),
        steer=a.steer.intersect(b.steer),
        intact=False,
    )


def gathered(around: Iterable[Label], held: Iterable[Label]) -> Label:
    """Row "sink": of references and shapes (`around`) and of the elements in them, with the bits added.

    A whole of which the program's text says all but one thing that is picked whole, is picked whole as that is: it takes no more values
    than the one thing does. Of several, choice could be saved up, so the whole is made.
    """
    around, held = tuple(around), tuple(held)
    is_one_pick = not any(each.bits for each in around) and sum(each.bits > 0 for each in held) == 1
    if not is_one_pick or not all(each.intact for each in (*around, *held)):
        return construct(*around, *held)
    whole = NOTHING
    for each in (*around, *held):
        whole = whole.selects[each]
    return whole


def made_of(a: Label) -> Label:
    """The label of something made, not picked: `a` without being intact."""
    return a.constructs[_UNSTEERED]


def steering(a: Label, bits: int) -> Label:
    """What a value labelled `a` hands to something that it only picks: all its sources as choice, `bits` if it is not trusted.

    Whoever may not learn the value may not learn what it steered. What is trusted and public hands on nothing.
    """
    return a.steers[bits]


def _steering(a: Label, bits: int) -> Label:
    if a.is_trusted and a.readers.names is None and a.steer.names is None:
        return NOTHING
    return label(choice=a.data | a.choice, bits=bits, steer=a.readers.intersect(a.steer))


def keying(a: Label, bits: int) -> Label:
    """What a key, a bound or a name labelled `a` hands to what it picks: `steering`, and whose words it is if it was counted or spelled."""
    return a.steers[bits].selects[a.spells]


def _spelled(a: Label) -> Label:
    made = a.data if a.intact else a.data | a.choice
    return label(choice=[by for by in map(spelling, made) if by is not None])


def picking(a: Label) -> Label:
    """What a reference or a shape labelled `a` hands to the element read through it.

    Its own bits, or all if its data is untrusted, or not for everybody.
    """
    return a.picks


def _picking(a: Label) -> Label:
    return a.steers[a.bits if a.is_chosen and a.readers.names is None else SATURATED]


def steered(a: Label, gain: Label) -> Label:
    """Row "select": `a` keeps its data and readers; the choice, bits and steer of `gain` are added. Also sums two gains."""
    return a.selects[gain]


def _steered(a: Label, gain: Label) -> Label:
    return label(
        a.data | gain.data,
        choice=a.choice | gain.choice,
        bits=a.bits + gain.bits,
        readers=a.readers.intersect(gain.readers),
        steer=a.steer.intersect(gain.steer),
        intact=a.intact and gain.intact,
    )


def tested(*operands: Label) -> Label:
    """Row "test": no data; all sources of the operands as choice, 1 bit if any is untrusted; steer takes readers and steer."""
    if len(operands) == 2:
        return operands[0].tests[operands[1]]
    result = _UNSTEERED
    for operand in operands:
        result = result.joins[operand.tests[operand]]
    return result


def _test_two(a: Label, b: Label) -> Label:
    return _UNSTEERED.joins[a.guards].joins[b.guards]


def bits_for(count: int) -> int:
    """ceil(log2 n): the bits that picking one of `count` things takes."""
    return 0 if count <= 1 else (count - 1).bit_length()


def _guarding(a: Label) -> Label:
    return a.steers[1]


_HANDED_ON: dict[str, Callable[[Label], Label]] = {"guards": _guarding, "picks": _picking, "spells": _spelled}

NOTHING = label()
"""The least label: no source, no steering, public, intact. A control context starts here."""
LITERAL = label([PROGRAM])
"""A literal of the program."""
REQUEST = label([USER], readers=PRIVATE)
"""The user's own words."""
OUTSIDE = label([QUARANTINED], readers=PRIVATE, steer=PRIVATE)
"""What decided that a tool or model failed, where no more is known: strictly read, anybody."""
_UNSTEERED = label(intact=False)
"""What is made of nothing."""
