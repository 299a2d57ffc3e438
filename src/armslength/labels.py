"""Labels: who may have written a value, who could steer it, and who may learn it.

A label has four parts (design, "Labels"): `data`, `choice` with its `bits`, `readers`, `steer`. Labels are interned, so equal labels
are one object. `join` is the lattice's least upper bound; the other functions are the rows of the design's table, and each result is
an upper bound of what the row says it keeps. Nothing here looks at values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
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

    def is_within(self, other: Readers) -> bool:
        """Whether everybody here is in `other` too."""
        return other.names is None or (self.names is not None and self.names <= other.names)


PUBLIC = Readers(None)
PRIVATE = Readers(frozenset())
"""The user alone."""


class Label:
    """An interned label. Made only by `label`; compared by identity.

    data: sources whose bytes are in the value.
    choice, bits: sources that could steer which of several values it is, and how many bits they had (0 to 8, 9 is saturated).
    intact: picked whole from things that were there before (then saturated choice still is only choice).
    readers, steer: who may learn the value, and what steered it.
    """

    __slots__ = ("__weakref__", "bits", "choice", "data", "intact", "is_chosen", "is_trusted", "readers", "steer")

    data: frozenset[Source]
    choice: frozenset[Source]
    bits: int
    intact: bool
    readers: Readers
    steer: Readers
    is_trusted: bool
    is_chosen: bool

    def __init__(self) -> None:
        raise TypeError("labels are made by label(...) only")

    def __reduce__(self) -> str:
        raise TypeError("labels are made by label(...) only; store their parts")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("labels do not change")

    def __repr__(self) -> str:
        def names(sources: frozenset[Source]) -> str:
            return ",".join(sorted(source.name for source in sources)) or "-"

        def who(readers: Readers) -> str:
            return "public" if readers.names is None else ",".join(sorted(readers.names)) or "user"

        whole = "intact" if self.intact else "made"
        return f"Label({names(self.data)} | {names(self.choice)} {self.bits}b {whole} | {who(self.readers)} | {who(self.steer)})"


_Key = tuple[frozenset[Source], frozenset[Source], int, bool, Readers, Readers]
_interned: WeakValueDictionary[_Key, Label] = WeakValueDictionary()


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

    Bits that no untrusted source had are no bits. Choice that is saturated in a value that is not intact counts as data, and what
    steered it may then be learnt only by those who may learn the steering.
    """
    data, choice = frozenset(data), frozenset(choice)
    if all(source.is_trusted for source in choice):
        bits = 0
    bits = min(max(bits, 0), SATURATED)
    if bits == SATURATED and not intact:
        data = data | choice
        readers = readers.intersect(steer)
    key = (data, choice, bits, intact, readers, steer)
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
    return made


NOTHING = label()
"""The least label: no source, no steering, public, intact. A control context starts here."""
LITERAL = label([PROGRAM])
"""A literal of the program."""
REQUEST = label([USER], readers=PRIVATE)
"""The user's own words."""


_UNSTEERED = label(intact=False)


@lru_cache(maxsize=65536)
def join(a: Label, b: Label) -> Label:
    """The least upper bound of two labels in every part."""
    if a is b:
        return a
    return label(
        a.data | b.data,
        choice=a.choice | b.choice,
        bits=max(a.bits, b.bits),
        readers=a.readers.intersect(b.readers),
        steer=a.steer.intersect(b.steer),
        intact=a.intact and b.intact,
    )


@lru_cache(maxsize=65536)
def _construct_two(a: Label, b: Label) -> Label:
    return label(
        a.data | b.data,
        choice=a.choice | b.choice,
        bits=a.bits + b.bits,
        readers=a.readers.intersect(b.readers),
        steer=a.steer.intersect(b.steer),
        intact=False,
    )


def construct(*operands: Label) -> Label:
    """Row "construct": data united, choice united with bits added, readers and steer intersected; the result is not intact."""
    made = _UNSTEERED
    for operand in operands:
        made = _construct_two(made, operand)
    return made


@lru_cache(maxsize=65536)
def made_of(a: Label) -> Label:
    """The label of something made, not picked: `a` without being intact."""
    if not a.intact:
        return a
    return label(a.data, choice=a.choice, bits=a.bits, readers=a.readers, steer=a.steer, intact=False)


@lru_cache(maxsize=65536)
def steering(a: Label, bits: int) -> Label:
    """What a value labelled `a` hands to something that it only picks: all its sources as choice, `bits` if it is not trusted.

    Whoever may not learn the value may not learn what it steered. What is trusted and public hands on nothing.
    """
    if a.is_trusted and a.readers.names is None and a.steer.names is None:
        return NOTHING
    return label(choice=a.data | a.choice, bits=0 if a.is_trusted else bits, steer=a.readers.intersect(a.steer))


def picking(a: Label) -> Label:
    """What a reference or a shape labelled `a` hands to the element read through it: its own bits, or all if its data is untrusted."""
    return steering(a, a.bits if a.is_chosen else SATURATED)


@lru_cache(maxsize=65536)
def steered(a: Label, gain: Label) -> Label:
    """Row "select": `a` keeps its data and readers; the choice, bits and steer of `gain` are added. Also sums two gains."""
    if gain is NOTHING:
        return a
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
    result = _UNSTEERED
    for operand in operands:
        result = join(result, steering(operand, 1))
    return result


def bits_for(count: int) -> int:
    """ceil(log2 n): the bits that picking one of `count` things takes."""
    return 0 if count <= 1 else (count - 1).bit_length()
