"""The label of a listing: which stored things stand in it, and where, was decided by all that were looked through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armslength.labels import LISTED, NOTHING, PRIVATE, SATURATED, Label, Readers, Source, label


@dataclass(frozen=True, slots=True)
class Listing:
    """`gain` is what being picked adds to each label of a result (by `steered`); `shape` labels the list itself."""

    gain: Label
    shape: Label


def adding_to(store: str) -> Source:
    """All who can add to a store, and so move others along in its listings, whose words are not looked at. Never trusted."""
    return Source(f"{LISTED}{store}:*")


def listing_among(store: Source, searched: Iterable[Label], *, steer: Readers) -> Listing:
    """The labels of a list of things picked out of those `searched`, in more bits than are counted.

    `steer`: who may learn which were picked; `PRIVATE` where that tells what is written in them.
    """
    sources: frozenset[Source] = frozenset().union(*(each.data | each.choice for each in searched))
    return Listing(
        gain=label(choice=sources, bits=SATURATED, steer=steer),
        shape=label([store], choice=sources, bits=SATURATED, readers=PRIVATE, steer=steer, intact=False),
    )


def steered_by(which: Label, store: Source) -> Label:
    """What a choice of a stored thing, labelled `which`, adds to what it steered: which things lie where, once it is moved or removed.

    An id is a name that the store gave and tells nothing but which thing it is; so who may learn which says its steer.
    """
    who = which.steer if which.data <= {store} else which.readers.intersect(which.steer)
    if which.is_trusted and who.names is None:
        return NOTHING
    return label(choice=which.data | which.choice, bits=SATURATED, steer=who)
